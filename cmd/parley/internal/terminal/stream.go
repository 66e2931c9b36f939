package terminal

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// chatServer is a server's chat, for one person.
type chatServer struct {
	*service
	agent string
}

func conversationPath(id, rest string) string { return "/run/api/chat/" + url.PathEscape(id) + rest }

// answer answers a question.
func (s *chatServer) answer(ctx context.Context, conversation, question, action string, content any) error {
	answer, err := s.do(ctx, http.MethodPost, "/run/api/elicitation-responses", map[string]any{
		"conversationId": conversation, "elicitationId": question, "action": action, "content": content,
	})
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// stop stops what runs in a conversation.
func (s *chatServer) stop(ctx context.Context, conversation string) error {
	answer, err := s.do(ctx, http.MethodDelete, conversationPath(conversation, "/stream"), nil)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// history is a conversation so far.
type history struct {
	Active         bool     `json:"active"`
	ActiveMessages []string `json:"activeMessages"` // that are not complete, the oldest first
	Messages       []struct {
		ID    string `json:"id"`
		Role  string `json:"role"`
		Parts []part `json:"parts"`
	} `json:"messages"`
}

type part struct {
	chunk
	Text  string `json:"text"`
	State string `json:"state"`
}

func (s *chatServer) history(ctx context.Context, conversation string) (h history, err error) {
	answer, err := s.do(ctx, http.MethodGet, conversationPath(conversation, ""), nil)
	if err != nil {
		return h, err
	}
	defer answer.Body.Close()
	return h, json.NewDecoder(answer.Body).Decode(&h)
}

// knows returns an error where there is no server, or it lets nobody in like us. That there is
// no such conversation yet is none.
func (s *chatServer) knows(ctx context.Context, conversation string) error {
	_, err := s.history(ctx, conversation)
	var refused *refusal
	var away *unreachable
	if errors.As(err, &refused) && refused.status == http.StatusUnauthorized || errors.As(err, &away) {
		return err
	}
	return nil // what else is wrong is said when something is sent
}

// chunk is what we read of a stream; everything else is passed over.
type chunk struct {
	Type       string          `json:"type"`
	ID         string          `json:"id"`
	MessageID  string          `json:"messageId"`
	Delta      string          `json:"delta"`
	ToolCallID string          `json:"toolCallId"`
	ToolName   string          `json:"toolName"`
	ErrorText  string          `json:"errorText"`
	Data       json.RawMessage `json:"data"`
}

// told is a chunk, a trouble that keeps us from hearing more just now, or how a stream ended.
type told struct {
	chunk
	trouble error // it is tried again
	failed  int   // how often in a row it was
	unsent  bool  // the server has not confirmed the message
	end     error // io.EOF: the turn is over
}

// attempts is how often in a row something is tried again, firstPause and maxPause
// the shortest and the longest pause in between.
const (
	attempts   = 8
	firstPause = 250 * time.Millisecond
	maxPause   = 8 * time.Second
)

// follow sends a message, or none to take up what runs, and tells of the turn
// until it is over. A connection that is lost is made again, for as long as
// somebody listens: the message has an id, so it starts one turn however often it is
// sent.
func (s *chatServer) follow(ctx context.Context, conversation string, message map[string]any, active string, tell chan<- told) {
	end := s.followAll(ctx, conversation, message, active, func(one told) bool { return hand(ctx, tell, one) })
	hand(ctx, tell, told{end: cmp.Or(end, io.EOF)})
}

func hand(ctx context.Context, tell chan<- told, t told) bool {
	select {
	case tell <- t:
		return true
	case <-ctx.Done():
		return false
	}
}

func (s *chatServer) followAll(ctx context.Context, conversation string, message map[string]any, active string, tell func(told) bool) error {
	each := func(c chunk) bool {
		if c.Type == "start" {
			active = cmp.Or(c.MessageID, active)
		}
		return tell(told{chunk: c})
	}
	for pause, failed := firstPause, 0; ; pause = min(2*pause, maxPause) {
		answer, err := s.open(ctx, conversation, message, active)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && !temporary(err), err != nil && message != nil && !away(err):
			return err
		case err == nil && answer.StatusCode == http.StatusNoContent: // it ended while we were away
			answer.Body.Close()
			if err = s.recount(ctx, conversation, active, each); err == nil || !temporary(err) {
				return err
			}
		case err == nil:
			message = nil
			over, failure := read(answer.Body, each)
			if over && failure != nil {
				err = s.failed(ctx, conversation, active, *failure)
			}
			switch {
			case over && failure != nil && err == nil:
				each(*failure)
				return nil
			case over && err == nil:
				return nil
			case !over:
				failed, pause = 0, firstPause
			}
		}
		failed++
		if !tell(told{trouble: cmp.Or(err, io.ErrUnexpectedEOF), failed: failed, unsent: message != nil}) {
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// away reports whether an error says that the server could not do something just now. One
// that has too much to do says so to the person who sends a message.
func away(err error) bool {
	var refused *refusal
	return !errors.As(err, &refused) || refused.status >= http.StatusInternalServerError
}

// failed returns an error if a stream that ended with a failure is that of a turn which
// goes on: the failure is that of the server, which cannot tell of it just now.
func (s *chatServer) failed(ctx context.Context, conversation, id string, failure chunk) error {
	h, err := s.history(ctx, conversation)
	switch {
	case err != nil && temporary(err):
		return err
	case err == nil && (slices.Contains(h.ActiveMessages, id) || h.Active && (id == "" || len(h.ActiveMessages) == 0)):
		return &refusal{status: http.StatusServiceUnavailable, from: s.service, Text: failure.ErrorText}
	}
	return nil
}

// open begins a turn with a message, or takes up one that runs: that of the
// message active, or the newest.
func (s *chatServer) open(ctx context.Context, conversation string, message map[string]any, active string) (*http.Response, error) {
	if message == nil {
		path := conversationPath(conversation, "/stream")
		if active != "" {
			path += "?message=" + url.QueryEscape(active)
		}
		return s.do(ctx, http.MethodGet, path, nil)
	}
	body := map[string]any{"id": conversation, "messages": []any{message}}
	if s.agent != "" {
		body["agent"] = s.agent
	}
	return s.do(ctx, http.MethodPost, "/run/api/chat", body)
}

// read tells of the chunks of a stream, and reports whether it came to its end. An error
// that it ended with is returned instead of told.
func read(body io.ReadCloser, each func(chunk) bool) (over bool, failure *chunk) {
	defer body.Close()
	lines := bufio.NewReader(body)
	for {
		line, err := lines.ReadString('\n')
		data, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "data: ")
		switch {
		case err != nil:
			return false, nil
		case !ok:
			continue
		case data == "[DONE]":
			return true, failure
		}
		var c chunk
		if json.Unmarshal([]byte(data), &c) != nil {
			continue // a newer server's: not for us
		}
		if failure != nil && !each(*failure) {
			return true, nil
		}
		if failure = nil; c.Type == "error" {
			failure = &c
			continue
		}
		if !each(c) {
			return true, nil
		}
	}
}

// recount tells of a message of a conversation from its history: of the one with
// this id, or the last.
func (s *chatServer) recount(ctx context.Context, conversation, id string, each func(chunk) bool) error {
	h, err := s.history(ctx, conversation)
	if err != nil {
		return err
	}
	for i, m := range h.Messages {
		if m.Role != "assistant" || id != "" && m.ID != id || id == "" && i < len(h.Messages)-1 {
			continue
		}
		for _, p := range m.Parts {
			for _, c := range p.chunks() {
				each(c)
			}
		}
	}
	return nil
}

// chunks is a part as it would have been streamed.
func (p part) chunks() []chunk {
	name, isTool := strings.CutPrefix(p.Type, "tool-")
	switch {
	case p.Type == "text":
		return []chunk{{Type: "text-start", ID: p.ID}, {Type: "text-delta", ID: p.ID, Delta: p.Text}, {Type: "text-end", ID: p.ID}}
	case isTool && strings.HasPrefix(p.State, "output-"):
		return []chunk{
			{Type: "tool-input-available", ToolCallID: p.ToolCallID, ToolName: name},
			{Type: "tool-" + p.State, ToolCallID: p.ToolCallID, ErrorText: p.ErrorText},
		}
	}
	return []chunk{p.chunk}
}
