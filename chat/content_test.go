package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/agent"
)

const png = "\x89PNG\x0D\x0A\x1A\x0A and so on"

// shooter has a tool whose result has an image and links, and that says how far it is.
func shooter() *agent.Agent {
	camera := &box{name: "camera", call: func(_ context.Context, c *agent.Invocation) (agent.Result, error) {
		c.Progress(agent.Progress{Done: 3, Total: 10, Text: "reading"})
		time.Sleep(time.Second)
		return agent.Result{Text: "here", Content: []agent.Content{
			{Kind: agent.Image, Data: []byte(png)},
			{Kind: agent.Link, URI: "https://tracker.example/7", Title: "Ticket [7](x)"},
			{Kind: agent.Link, URI: "javascript:alert(1)", Name: "evil"},
			{Kind: agent.Link, URI: "https://user@аррӏе.com/", Name: "lookalike"},
		}}, nil
	}}
	return &agent.Agent{Name: "helper", Model: calls("camera__do"), Toolboxes: []agent.Toolbox{camera}}
}

var fileID = regexp.MustCompile(`"id":"([^"]+)","url":"https://parley.example(/run/api/chat/c/files/[^"]+)"`)

func TestTheContentOfAResultIsToldBesideItsOutput(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, shooter())
		_, stream := s.ask(asked{path: "/run/api/chat", header: shows, body: `{"id":"c","messages":[{"role":"user","content":"go"}]}`})
		_, history := s.ask(asked{method: http.MethodGet, path: "/run/api/chat/c"})
		for name, told := range map[string]string{"the stream": stream, "the history": history} {
			found := fileID.FindStringSubmatch(told)
			if found == nil || !strings.Contains(told, `"data-tool-content"`) || !strings.Contains(told, `"output":"here"`) {
				t.Fatalf("%s says %s", name, told)
			}
			for _, link := range []string{`"url":"javascript:`, `"url":"https://user@`} {
				if strings.Contains(told, link) {
					t.Errorf("%s has a link that nobody should follow: %s", name, told)
				}
			}
			if !strings.Contains(told, `"url":"https://tracker.example/7"`) || strings.Contains(told, "iVBOR") {
				t.Errorf("%s says %s", name, told)
			}
			checkFile(t, s, found[2])
		}
	})
}

func checkFile(t *testing.T, s *site, path string) {
	t.Helper()
	resp := s.do(asked{method: http.MethodGet, path: path})
	body := make([]byte, len(png))
	n, _ := resp.Body.Read(body)
	h := resp.Header
	if resp.StatusCode != http.StatusOK || string(body[:n]) != png || h.Get("Content-Type") != "image/png" || h.Get("X-Content-Type-Options") != "nosniff" ||
		h.Get("Content-Security-Policy") != "default-src 'none'; sandbox" || !strings.Contains(h.Get("Cache-Control"), "no-store") {
		t.Errorf("%s is %d %q with %v", path, resp.StatusCode, body[:n], h)
	}
	for user, want := range map[string]int{"bob": http.StatusNotFound, "-": http.StatusUnauthorized} {
		if status, body := s.ask(asked{method: http.MethodGet, path: path, user: user}); status != want {
			t.Errorf("%s gets %d %s", user, status, body)
		}
	}
}

func TestProgressIsTransientAndUnderOneID(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, shooter())
		_, stream := s.ask(asked{path: "/run/api/chat", header: shows, body: `{"id":"c","messages":[{"role":"user","content":"go"}]}`})
		var got []string
		for _, line := range strings.Split(stream, "\n") {
			var c struct {
				Type, ID  string
				Transient bool
				Data      struct {
					ToolCallID, Service, Message string
					Progress, Total              float64
				}
			}
			if json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &c) == nil && c.Type == "data-tool-progress" {
				if c.ID != "progress-"+c.Data.ToolCallID || !c.Transient {
					t.Errorf("told %s", line)
				}
				got = append(got, fmt.Sprint(c.Data.Service, c.Data.Progress, c.Data.Total, c.Data.Message))
			}
		}
		if fmt.Sprint(got) != "[camera3 10reading]" {
			t.Errorf("told %v in %s", got, stream)
		}
		if _, history := s.ask(asked{method: http.MethodGet, path: "/run/api/chat/c"}); strings.Contains(history, "progress") {
			t.Errorf("the history has %s", history)
		}
	})
}

func TestOtherClientsAreToldOfContentInTheirOwnWay(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, shooter())
		_, stream := s.ask(asked{path: "/run/v1/chat/completions", body: `{"model":"helper","stream":true,"messages":[{"role":"user","content":"go"}]}`})
		if !regexp.MustCompile(`"choices":\[\{"index":0,"delta":\{\},"finish_reason":null\}\],"tool_content":\{"toolCallId":"[^"]+","items":\[\{"type":"image"`).MatchString(stream) {
			t.Errorf("OpenAI's stream says %s", stream)
		}
		if _, whole := s.ask(asked{path: "/run/v1/chat/completions", body: `{"model":"helper","messages":[{"role":"user","content":"go"}]}`}); !strings.Contains(whole, `"tool_content":[{"toolCallId":`) {
			t.Errorf("OpenAI's reply says %s", whole)
		}
		_, events := s.ask(asked{path: "/run/sse", body: `{"prompt":"go","session_id":"c"}`})
		if !strings.Contains(events, `[image](<https://parley.example/run/api/chat/c/files/`) || !strings.Contains(events, `[Ticket  7  x ](<https://tracker.example/7>)`) ||
			strings.Contains(events, "javascript") || strings.Contains(events, "reading") {
			t.Errorf("the events say %s", events)
		}
	})
}
