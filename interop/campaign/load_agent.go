package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// request sends one to the balancer for somebody. The status is 0 where nobody
// answered.
func (l *load) request(ctx context.Context, method, path, bearer string, body any, into any) (status int, err error) {
	var data []byte
	if body != nil {
		if data, err = json.Marshal(body); err != nil {
			return 0, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, l.town.url+path, bytes.NewReader(data))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+bearer)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Supports-Elicitation", "true")
	r.Header.Set("A2A-Version", "1.0")
	answer, err := l.web.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err
	}
	if answer.StatusCode >= 300 {
		return answer.StatusCode, fmt.Errorf("%s: %.300s", answer.Status, said)
	}
	if into == nil {
		return answer.StatusCode, nil
	}
	if err := json.Unmarshal(said, into); err != nil {
		return 0, fmt.Errorf("%w: %.300s", err, said)
	}
	return answer.StatusCode, nil
}

// instruction is what an agent is told.
func (e *errand) instruction() string { return e.server + "__" + e.tool + " " + e.key }

// verdictOf is what an agent's words mean.
func (e *errand) verdictOf(text string) string {
	switch {
	case unknown(text) || strings.Contains(text, "is unknown"):
		return gotUnknown
	case strings.Contains(text, "done "+e.key):
		return gotResult
	}
	return gotRefusal
}

// chat has a conversation in which an agent makes the call. A message of which
// nobody heard is sent again, by its id.
func (l *load) chat(ctx context.Context, e *errand) told {
	token, err := token(e.person)
	if err != nil {
		return told{verdict: gotNothing, words: err.Error()}
	}
	message := map[string]any{"id": e.key, "messages": []any{map[string]any{
		"id": "m-" + e.key, "role": "user", "parts": []any{map[string]string{"type": "text", "text": e.instruction()}},
	}}}
	end := told{verdict: gotNothing}
	for ; ctx.Err() == nil; sleep(ctx, pause) {
		var history struct {
			Active   bool
			Messages []struct {
				ID, Role string
				Parts    []struct{ Type, Text string }
			}
		}
		status, err := l.request(ctx, http.MethodGet, "/run/api/chat/"+e.key, token, nil, &history)
		if err != nil && status != http.StatusNotFound {
			end.words = err.Error()
			continue
		}
		if len(history.Messages) == 0 {
			end.attempts++
			_, err := l.request(ctx, http.MethodPost, "/run/api/chat", token, message, nil)
			l.ledger.tell(e.key, "the message is sent: %v", err)
			continue
		}
		if history.Active {
			continue
		}
		text := ""
		for _, m := range history.Messages {
			for _, p := range m.Parts {
				if m.Role != "user" && p.Type == "text" {
					text += p.Text + "\n"
				}
			}
		}
		end.verdict, end.words = e.verdictOf(text), text
		return end
	}
	return end
}

// task is a task of A2A.
type task struct {
	ID     string
	Status struct {
		State   string
		Message json.RawMessage
	}
	Artifacts []struct{ Parts []struct{ Text string } }
}

// said is how it stands, and all that is said in it.
func (t task) said() (state, text string) {
	state = strings.TrimPrefix(t.Status.State, "TASK_STATE_")
	text = state + " " + string(t.Status.Message)
	for _, a := range t.Artifacts {
		for _, p := range a.Parts {
			text += p.Text
		}
	}
	return state, text
}

// rpc asks the agent about a task.
func (l *load) rpc(ctx context.Context, token, method string, params map[string]any) (task, error) {
	var got struct {
		Result struct {
			task
			Task task
		}
		Error *struct {
			Code    int
			Message string
		}
	}
	_, err := l.request(ctx, http.MethodPost, "/a2a/assistant", token, map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, &got)
	switch {
	case err != nil:
		return task{}, err
	case got.Error != nil:
		return task{}, fmt.Errorf("%d %s", got.Error.Code, got.Error.Message)
	case method == "SendMessage":
		return got.Result.Task, nil
	}
	return got.Result.task, nil
}

// task has an agent make the call in a task of A2A. A message of which nobody heard is
// sent again, by its id.
func (l *load) task(ctx context.Context, e *errand) told {
	token, err := token(e.person)
	if err != nil {
		return told{verdict: gotNothing, words: err.Error()}
	}
	send := map[string]any{
		"message":       map[string]any{"messageId": "m-" + e.key, "role": "ROLE_USER", "parts": []any{map[string]string{"text": e.instruction()}}},
		"configuration": map[string]any{"returnImmediately": true},
	}
	end, id := told{verdict: gotNothing}, ""
	for ; ctx.Err() == nil; sleep(ctx, pause) {
		method, params := "GetTask", map[string]any{"id": id}
		if id == "" {
			method, params = "SendMessage", send
			end.attempts++
		}
		now, err := l.rpc(ctx, token, method, params)
		if err != nil {
			end.words = err.Error()
			l.ledger.tell(e.key, "%s: %s", method, end.words)
			continue
		}
		if id == "" {
			id = now.ID
			l.ledger.tell(e.key, "it is task %s", id)
		}
		switch state, text := now.said(); state {
		case "COMPLETED", "FAILED", "CANCELED", "REJECTED":
			end.verdict, end.words = e.verdictOf(text), text
			return end
		}
	}
	return end
}
