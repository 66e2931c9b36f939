package chat_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

// lame is an agent whose delegate has a server that is down, and whose answer was cut.
func lame() []*agent.Agent {
	agents := bossAndWorker()
	agents[1].Model = script(func(agent.Prompt) agent.Reply { return agent.Reply{Text: "as far as I got", Cut: agent.CutByLength} })
	agents[1].Toolboxes = []agent.Toolbox{&box{name: "drive", tools: func(agent.Caller) ([]agent.Tool, error) { return nil, errors.New("dial tcp 10.0.0.9: refused") }}}
	return agents
}

func TestWarningsOfADelegateReachTheStreamOfItsParent(t *testing.T) {
	for path, c := range map[string]struct {
		body string
		want []string
	}{
		"/run/api/chat": {turn("c1", "m", "Go"), []string{
			`{"type":"data-warning","id":"tools-drive","data":{"message":"The tools of drive are not available just now. The answer comes without them."}}`,
			`"data":{"message":"worker: The answer`,
		}},
		"/run/sse":                 {`{"session_id":"c1","message":"Go"}`, []string{`"type":"warning","message":"MCP tools temporarily unavailable for this session.`, `worker: The answer`}},
		"/run/v1/chat/completions": {`{"stream":true,"model":"boss","messages":[{"role":"user","content":"Go"}]}`, []string{`worker: The answer`}},
	} {
		inABubble(t, func(t *testing.T) {
			s := newSite(t, &chat.Options{DefaultAgent: "boss"}, lame()...)
			all := strings.Join(s.stream(asked{path: path, body: c.body}).rest(), "\n")
			for _, want := range c.want {
				if strings.Count(all, want) != 1 {
					t.Errorf("%s: not once %s in\n%s", path, want, all)
				}
			}
			if strings.Contains(all, "10.0.0.9") {
				t.Errorf("%s says more than it should: %s", path, all)
			}
		})
	}
}

func TestWarningsOfADelegateAreInTheHistory(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, &chat.Options{DefaultAgent: "boss"}, lame()...)
		s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go")}).rest()
		if _, raw := s.ask(asked{method: "GET", path: "/run/api/chat/c1"}); !strings.Contains(raw, "The tools of drive are not available just now.") || !strings.Contains(raw, "worker: The answer") {
			t.Error(raw)
		}
	})
}
