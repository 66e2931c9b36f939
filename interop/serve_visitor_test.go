package interop_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	plain "github.com/parley-hq/parley/internal/visitor"
)

// visitor is a person with a browser that runs no script.
type visitor struct{ *plain.Visitor }

func newVisitor(t *testing.T) *visitor {
	t.Helper()
	v := &visitor{plain.New()}
	v.Browser.Timeout = 2 * patience
	t.Cleanup(v.Leave)
	return v
}

func (v *visitor) open(t *testing.T, address string) {
	t.Helper()
	if err := v.Open(t.Context(), address); err != nil {
		t.Fatal(err)
	}
}

func (v *visitor) send(t *testing.T, address string, form url.Values) {
	t.Helper()
	if err := v.Send(t.Context(), address, form); err != nil {
		t.Fatal(err)
	}
}

// press presses the button that says so.
func (v *visitor) press(t *testing.T, says string) {
	t.Helper()
	if err := v.Press(t.Context(), says, nil); err != nil {
		t.Fatal(err)
	}
}

// told is an answer of the chat, as it streams.
type told struct {
	lines *bufio.Scanner
	text  strings.Builder // all texts
	types []string        // of all chunks; the last one is [DONE]
}

// say sends a message to the node at base.
func (v *visitor) say(t *testing.T, base, conversation, text string) *told {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"id":       conversation,
		"messages": []any{map[string]any{"role": "user", "parts": []any{map[string]string{"type": "text", "text": text}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return v.stream(t, http.MethodPost, base+"/run/api/chat", body)
}

// resume takes the stream of a conversation up at the node at base.
func (v *visitor) resume(t *testing.T, base, conversation string) *told {
	t.Helper()
	return v.stream(t, http.MethodGet, base+"/run/api/chat/"+conversation+"/stream", nil)
}

func (v *visitor) stream(t *testing.T, method, address string, body []byte) *told {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("x-supports-elicitation", "true")
	answer, err := v.Browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	if answer.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
		t.Fatalf("%s %s: %s: %s", method, r.URL.Path, answer.Status, said)
	}
	s := &told{lines: bufio.NewScanner(answer.Body)}
	s.lines.Buffer(nil, 1<<20)
	return s
}

// shownQuestion is what a client shows of a question.
type shownQuestion struct {
	ID      string          `json:"elicitationId"`
	URL     string          `json:"url"`
	Outcome json.RawMessage `json:"outcome"`
}

// question reads up to an open question.
func (s *told) question(t *testing.T) shownQuestion {
	t.Helper()
	for {
		kind, data := s.next(t)
		if kind == "[DONE]" {
			t.Fatalf("nothing was asked; the answer is %q", s.text.String())
		}
		var q shownQuestion
		if kind != "data-elicitation-request" {
			continue
		}
		if err := json.Unmarshal(data, &q); err != nil {
			t.Fatal(err)
		}
		if len(q.Outcome) == 0 {
			return q
		}
	}
}

// end reads the rest.
func (s *told) end(t *testing.T) {
	t.Helper()
	for {
		if kind, _ := s.next(t); kind == "[DONE]" {
			return
		}
	}
}

func (s *told) next(t *testing.T) (kind string, data json.RawMessage) {
	t.Helper()
	for s.lines.Scan() {
		line, ok := strings.CutPrefix(s.lines.Text(), "data: ")
		if !ok {
			continue
		}
		if line == "[DONE]" {
			s.types = append(s.types, line)
			return line, nil
		}
		var c struct {
			Type, Delta, ErrorText string
			Data                   json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if c.Type == "error" {
			t.Fatalf("the answer failed: %s", c.ErrorText)
		}
		s.types = append(s.types, c.Type)
		s.text.WriteString(c.Delta)
		return c.Type, c.Data
	}
	t.Fatalf("the stream broke off: %v", s.lines.Err())
	return "", nil
}

// reloaded is a conversation as a chat shows it after it was loaded again.
type reloaded struct {
	Active   bool
	Messages []struct {
		Role  string
		Parts []struct {
			Type, Text, State string
			Data              shownQuestion
		}
	}
}

// reload asks the node at base for a conversation.
func (v *visitor) reload(t *testing.T, base, conversation string) (r reloaded) {
	t.Helper()
	answer, err := v.Browser.Get(base + "/run/api/chat/" + conversation)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&r); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("history: %s, %v", answer.Status, err)
	}
	return r
}
