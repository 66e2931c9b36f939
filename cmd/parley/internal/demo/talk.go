package demo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/parley-hq/parley/internal/visitor"
)

// chunk is what we read of a stream; everything else is passed over.
type chunk struct {
	Type      string          `json:"type"`
	Delta     string          `json:"delta"`
	ToolName  string          `json:"toolName"`
	ErrorText string          `json:"errorText"`
	Data      json.RawMessage `json:"data"`
}

// asked is a question on the stream.
type asked struct {
	ID      string `json:"elicitationId"`
	Mode    string `json:"mode"`
	Message string `json:"message"`
	URL     string `json:"url"`
	Context struct {
		Trigger   string `json:"trigger"`
		Service   string `json:"service"`
		Title     string `json:"serviceTitle"`
		Tool      string `json:"tool"`
		Arguments string `json:"arguments"`
	} `json:"context"`
	Outcome *struct {
		Action string `json:"action"`
		Via    string `json:"via"`
	} `json:"outcome"`
}

// person is somebody who uses the chat.
type person struct{ *visitor.Visitor }

// talk reads one answer of the chat.
type talk struct {
	body  io.ReadCloser
	lines *bufio.Scanner
}

// say sends a message and returns the stream of its answer.
func (p person) say(ctx context.Context, base, conversation, text string) (*talk, error) {
	body, err := json.Marshal(map[string]any{
		"id":       conversation,
		"messages": []any{map[string]any{"role": "user", "parts": []any{map[string]string{"type": "text", "text": text}}}},
	})
	if err != nil {
		return nil, err
	}
	return p.stream(ctx, http.MethodPost, base+"/run/api/chat", body)
}

// again takes up the stream of a conversation whose connection was lost.
func (p person) again(ctx context.Context, base, conversation string) (*talk, error) {
	return p.stream(ctx, http.MethodGet, base+"/run/api/chat/"+conversation+"/stream", nil)
}

func (p person) stream(ctx context.Context, method, address string, body []byte) (*talk, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("x-supports-elicitation", "true")
	answer, err := p.Browser.Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
		answer.Body.Close()
		return nil, fmt.Errorf("%s %s: %s: %s", method, r.URL.Path, answer.Status, said)
	}
	t := &talk{body: answer.Body, lines: bufio.NewScanner(answer.Body)}
	t.lines.Buffer(nil, 1<<20)
	return t, nil
}

// read tells of chunks until see says that it has seen enough, or the answer
// ends.
func (t *talk) read(see func(chunk) bool) error {
	for t.lines.Scan() {
		data, ok := strings.CutPrefix(t.lines.Text(), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var c chunk
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			return err
		}
		if c.Type == "error" {
			return errors.New(c.ErrorText)
		}
		if see(c) {
			return nil
		}
	}
	return t.lines.Err()
}

// answer answers a question by the chat's endpoint.
func (p person) answer(ctx context.Context, base, conversation, question, action string, content any) error {
	body, err := json.Marshal(map[string]any{"conversationId": conversation, "elicitationId": question, "action": action, "content": content})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/run/api/elicitation-responses", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := p.Browser.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(answer.Body, 4<<10))
		return fmt.Errorf("the answer was refused: %s: %s", answer.Status, said)
	}
	return nil
}
