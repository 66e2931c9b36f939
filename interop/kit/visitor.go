package kit

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

// Visitor is a person with a browser that runs no script.
type Visitor struct{ *plain.Visitor }

func NewVisitor(t *testing.T) *Visitor {
	t.Helper()
	v := &Visitor{plain.New()}
	v.Browser.Timeout = 2 * Patience
	t.Cleanup(v.Leave)
	return v
}

func (v *Visitor) Open(t *testing.T, address string) {
	t.Helper()
	if err := v.Visitor.Open(t.Context(), address); err != nil {
		t.Fatal(err)
	}
}

func (v *Visitor) Send(t *testing.T, address string, form url.Values) {
	t.Helper()
	if err := v.Visitor.Send(t.Context(), address, form); err != nil {
		t.Fatal(err)
	}
}

// Press presses the button that says so.
func (v *Visitor) Press(t *testing.T, says string) {
	t.Helper()
	if err := v.Visitor.Press(t.Context(), says, nil); err != nil {
		t.Fatal(err)
	}
}

// told is an answer of the chat, as it streams.
type told struct {
	lines *bufio.Scanner
	Text  strings.Builder // all texts
	Types []string        // of all chunks; the last one is [DONE]
}

// Say sends a message to the node at base.
func (v *Visitor) Say(t *testing.T, base, conversation, text string) *told {
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

// Resume takes the stream of a conversation up at the node at base.
func (v *Visitor) Resume(t *testing.T, base, conversation string) *told {
	t.Helper()
	return v.stream(t, http.MethodGet, base+"/run/api/chat/"+conversation+"/stream", nil)
}

func (v *Visitor) stream(t *testing.T, method, address string, body []byte) *told {
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

// ShownQuestion is what a client shows of a question.
type ShownQuestion struct {
	ID      string          `json:"elicitationId"`
	URL     string          `json:"url"`
	Outcome json.RawMessage `json:"outcome"`
}

// Question reads up to an open question.
func (s *told) Question(t *testing.T) ShownQuestion {
	t.Helper()
	for {
		kind, data := s.next(t)
		if kind == "[DONE]" {
			t.Fatalf("nothing was asked; the answer is %q", s.Text.String())
		}
		var q ShownQuestion
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

// Until reads until the texts have these words.
func (s *told) Until(t *testing.T, words string) {
	t.Helper()
	for !strings.Contains(s.Text.String(), words) {
		if kind, _ := s.next(t); kind == "[DONE]" {
			t.Fatalf("the answer is %q", s.Text.String())
		}
	}
}

// End reads the rest.
func (s *told) End(t *testing.T) {
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
			s.Types = append(s.Types, line)
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
		s.Types = append(s.Types, c.Type)
		s.Text.WriteString(c.Delta)
		return c.Type, c.Data
	}
	t.Fatalf("the stream broke off: %v", s.lines.Err())
	return "", nil
}

// Reloaded is a conversation as a chat shows it after it was loaded again.
type Reloaded struct {
	Active   bool
	Messages []struct {
		Role  string
		Parts []struct {
			Type, Text, State string
			Data              ShownQuestion
		}
	}
}

// Reload asks the node at base for a conversation.
func (v *Visitor) Reload(t *testing.T, base, conversation string) (r Reloaded) {
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

// ConnectAs follows a connect link and consents at the provider, as the user of
// that name there.
func (v *Visitor) ConnectAs(t *testing.T, link, user string) {
	t.Helper()
	v.Open(t, link)
	v.Press(t, "Connect")
	v.Press(t, user)
	v.Press(t, "Allow")
}

// AnswerOnPage answers a question on its page by a button.
func (v *Visitor) AnswerOnPage(t *testing.T, site, id, button string) {
	t.Helper()
	v.Open(t, site+"/answer/"+id)
	v.Press(t, button)
}

// Refused sends a form that must not be taken.
func (v *Visitor) Refused(t *testing.T, status int, address string, form url.Values) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", r.URL.Scheme+"://"+r.URL.Host)
	answer, err := v.Browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != status {
		t.Errorf("%s was answered with %s", r.URL.Path, answer.Status)
	}
}

// Rest reads a stream to its end and reports whether that is the end of the turn.
func (s *told) Rest(t *testing.T) (over bool, kinds string) {
	t.Helper()
	for s.lines.Scan() {
		line, ok := strings.CutPrefix(s.lines.Text(), "data: ")
		if !ok {
			continue
		}
		if line == "[DONE]" {
			return true, kinds
		}
		var c struct{ Type, Delta, ErrorText string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		s.Text.WriteString(c.Delta)
		kinds += c.Type + " " + c.ErrorText + "\n"
	}
	if err := s.lines.Err(); err != nil {
		t.Errorf("the stream broke off: %v", err)
	}
	return false, kinds
}
