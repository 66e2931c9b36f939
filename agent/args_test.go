package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/parley-hq/parley/agent"
)

// What a toolbox gets is the canonical form of what the model said, and nothing
// that two programs could read differently.
func TestArgumentsOfAModelAreReadOnceAndStrictly(t *testing.T) {
	for given, want := range map[string]string{
		``:                                   `{}`,
		` { "b" : "\u003c\/" , "a":[1.0] } `: `{"a":[1.0],"b":"</"}`,
		`{"amount":1,"amount":1000000}`:      "",
		`{"amount":1,"Amount":1000000}`:      "",
		`{"x":{"amount":1,"aMount":2}}`:      "",
		`{"amount":1e400}`:                   "",
		`{"to":"\ud800"}`:                    "",
		`[1]`:                                "",
		`null`:                               "",
		`{`:                                  "",
	} {
		inABubble(t, func(t *testing.T, w *world) {
			got := []string{}
			b := &box{name: "bank", prepare: func(c *agent.Invocation) error {
				got = append(got, string(c.Args))
				return nil
			}, call: func(_ context.Context, c *agent.Invocation) (agent.Result, error) {
				got = append(got, string(c.Args))
				return agent.Result{Text: "paid"}, nil
			}}
			n := w.node(&agent.Agent{Name: "helper", Toolboxes: []agent.Toolbox{b}, Model: script(func(p agent.Prompt) agent.Reply {
				if last(p).Role == agent.FromTools {
					return agent.Reply{Text: last(p).Results[0].Text}
				}
				return agent.Reply{Calls: []agent.ToolCall{{ID: "1", Tool: "bank__do", Args: []byte(given)}}}
			})})
			reply := n.follow(n.say("c", "x")).reply()
			if want == "" {
				if len(got) != 0 || !strings.Contains(reply, "Its arguments") {
					t.Errorf("%s: %q reached the toolbox, and the model was told %q", given, got, reply)
				}
				return
			}
			if len(got) != 2 || got[0] != want || got[1] != want {
				t.Errorf("%s: %q reached the toolbox", given, got)
			}
		})
	}
}
