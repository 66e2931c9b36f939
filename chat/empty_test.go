package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parley-hq/parley/agent"
)

func TestAnEmptyReplyThatWasCutIsNoFailure(t *testing.T) {
	for cut, sentence := range map[agent.Cut]string{
		agent.CutByLength:   "The model's answer was cut off before it had said anything. Ask for less, or tell the administrator to allow longer answers.",
		agent.CutByProvider: "The model's provider withheld the answer. Ask in another way.",
	} {
		inABubble(t, func(t *testing.T) {
			s := newSite(t, nil, &agent.Agent{Name: "helper", Model: script(func(agent.Prompt) agent.Reply { return agent.Reply{Cut: cut} })})
			for path, tc := range map[string]struct{ body, end string }{
				"/run/api/chat": {turn("c1", "m1", "Go"), `{"type":"finish"}`}, "/run/sse": {`{"message":"Go"}`, `"reason":"done"`},
			} {
				all := strings.Join(s.stream(asked{path: path, body: tc.body}).rest(), "\n")
				if strings.Count(all, sentence) != 1 || !strings.Contains(all, tc.end) || strings.Contains(all, "error") {
					t.Errorf("%s: %s", path, all)
				}
			}
			if raw := fmt.Sprint(s.shown("c1").Messages[1]); !strings.Contains(raw, "data-warning") {
				t.Error(raw)
			}
			ask := `"model":"helper","messages":[{"role":"user","content":"Go"}]}`
			all := strings.Join(s.stream(asked{path: "/run/v1/chat/completions", body: `{"stream":true,` + ask}).rest(), "\n")
			status, whole := s.ask(asked{path: "/run/v1/chat/completions", body: "{" + ask})
			for _, raw := range []string{all, whole} {
				if strings.Count(raw, `"finish_reason":"`+string(cut)+`"`) != 1 || strings.Contains(raw, "error") || status != 200 {
					t.Errorf("status %d: %s", status, raw)
				}
			}
			_, whole = s.ask(asked{path: "/run/api/chat", body: `{"stream":false,` + turn("c2", "m1", "Go")[1:]})
			if !strings.Contains(whole, sentence) || !strings.Contains(whole, `"finish_reason":"`+string(cut)+`"`) {
				t.Error(whole)
			}
		})
	}
}
