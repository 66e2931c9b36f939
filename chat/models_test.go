package chat_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

func TestTheAgentsAreListedAsModels(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, &chat.Options{DefaultAgent: "helper"}, echo("writer"), echo("helper"))
		status, raw := s.ask(asked{method: http.MethodGet, path: "/run/v1/models"})
		const one = `{"id":"%s","object":"model","created":946684800,"owned_by":"parley"}`
		if want := fmt.Sprintf(`{"object":"list","data":[`+one+`,`+one+`]}`, "helper", "writer"); status != http.StatusOK || raw != want {
			t.Errorf("%d %s", status, raw)
		}
		status, raw = s.ask(asked{method: http.MethodGet, path: "/run/v1/models/writer"})
		if want := fmt.Sprintf(one, "writer"); status != http.StatusOK || raw != want {
			t.Errorf("%d %s", status, raw)
		}
	})
}

// typed is an error of OpenAI's API.
type typed struct {
	Error struct{ Message, Type, Param, Code string }
}

func TestEveryErrorBelowV1IsTyped(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, echo("helper"))
		for what, tc := range map[string]struct {
			asked
			status     int
			kind, code string
		}{
			"no such path":        {asked{method: "GET", path: "/run/v1/embeddings"}, 404, "invalid_request_error", "unknown_url"},
			"no such method":      {asked{method: "PUT", path: completions, body: "{}"}, 405, "invalid_request_error", "method_not_allowed"},
			"no such model":       {asked{method: "GET", path: "/run/v1/models/gpt"}, 404, "invalid_request_error", "model_not_found"},
			"nobody":              {asked{method: "GET", path: "/run/v1/models", user: "-"}, 401, "authentication_error", ""},
			"a service":           {asked{method: "GET", path: "/run/v1/models", user: "service"}, 403, "permission_error", ""},
			"a page of elsewhere": {asked{path: completions, user: "-", body: "{}", header: map[string]string{"Sec-Fetch-Site": "cross-site", "Cookie": "user=alice"}}, 403, "permission_error", ""},
			"a preflight":         {asked{method: "OPTIONS", path: completions, header: map[string]string{"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}}, 403, "permission_error", ""},
		} {
			status, raw := s.ask(tc.asked)
			var got typed
			if err := json.Unmarshal([]byte(raw), &got); err != nil || status != tc.status || got.Error.Type != tc.kind || got.Error.Code != tc.code || got.Error.Message == "" {
				t.Errorf("%s: %d %s", what, status, raw)
			}
		}
	})
}

func TestAPictureIsRefusedAndNotPassedOver(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, echo("helper"))
		const text = `{"type":"text","text":"What is this?"}`
		for what, part := range map[string]string{
			"image_url": `{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}`, "input_audio": `{"type":"input_audio","input_audio":{"data":"","format":"wav"}}`,
			"file": `{"type":"file","file":{"file_id":"f"}}`,
		} {
			for _, messages := range []string{
				`{"role":"user","content":[` + text + `,` + part + `]}`, `{"role":"user","content":[` + part + `]}`,
				`{"role":"user","content":[` + part + `,` + text + `]},{"role":"assistant","content":"A cat."},{"role":"user","content":"Sure?"}`,
			} {
				status, raw := s.ask(asked{path: completions, body: `{"conversationId":"c1","messages":[` + messages + `]}`})
				var got typed
				if err := json.Unmarshal([]byte(raw), &got); err != nil || status != http.StatusBadRequest || got.Error.Code != "unsupported_content" || got.Error.Param != "messages" || !strings.Contains(got.Error.Message, what) {
					t.Errorf("%s: %d %s", what, status, raw)
				}
			}
		}
		if n := s.runs("c1"); n != 0 {
			t.Errorf("%d runs", n)
		}
		if status, raw := s.ask(asked{path: completions, body: `{"messages":[{"role":"assistant","content":[{"type":"refusal","refusal":"No."}]},{"role":"user","content":[` + text + `]}]}`}); status != http.StatusOK {
			t.Errorf("%d %s", status, raw)
		}
	})
}

func TestAStreamThatLosesItsCredentialSaysSoInItsType(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		var gone atomic.Bool
		s := newSite(t, &chat.Options{Principal: func(r *http.Request) (parley.Principal, error) {
			if gone.Load() {
				return parley.Principal{}, chat.ErrUnauthenticated
			}
			return whoAsks(r)
		}}, painter())
		st := s.stream(asked{path: completions, header: shows, body: `{"stream":true,"messages":[{"role":"user","content":"Go"}]}`})
		st.question()
		gone.Store(true)
		if all := strings.Join(st.rest(), "\n"); !strings.Contains(all, `"type":"authentication_error"`) || strings.Contains(all, "run_failed") {
			t.Error(all)
		}
	})
}

func TestWhoHasTooMuchInProgressIsToldOnEverySurface(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		next := make(chan struct{})
		s := newBounded(t, agent.Limits{PerPerson: 1}, &agent.Agent{Name: "helper", Model: writer{[]string{"Done."}, next}})
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go")})
		st.until("start-step")
		const said = "You have as many turns going on as you may have at once. Wait for one to end, then try again."
		for path, tc := range map[string]struct{ body, want string }{
			"/run/api/chat": {turn("c2", "m2", "Go"), `{"success":false,"error":"` + said + `"}`},
			completions:     {`{"messages":[{"role":"user","content":"Go"}]}`, `{"error":{"message":"` + said + `","type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}}`},
			"/run/sse":      {`{"message":"Go"}`, `{"error":"` + said + `","status_code":429,"retry_after":2}`},
		} {
			resp := s.do(asked{path: path, body: tc.body})
			raw := make([]byte, 1000)
			n, _ := resp.Body.Read(raw)
			if got := strings.TrimSpace(string(raw[:n])); resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") != "2" || got != tc.want {
				t.Errorf("%s: %d %v %s", path, resp.StatusCode, resp.Header, got)
			}
		}
		k := s.talk()
		k.say(`{"message":"Go","session_id":"s1","message_id":"m9"}`)
		if got := k.until("error"); got != `{"error":"`+said+`","status_code":429,"message_id":"m9","retry_after":2}` {
			t.Error(got)
		}
		close(next)
		st.rest()
		synctest.Wait()
		k.say(`{"message":"Go","session_id":"s1","message_id":"m9"}`) // the socket is still there, and so is the message
		k.until(`"done"`)
	})
}
