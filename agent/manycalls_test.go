package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/parley-hq/parley/agent"
)

// Each call that moves writes all of its step down again, so a step is bounded.
func TestOfAMessageWithTooManyCallsTheFirstAreMade(t *testing.T) {
	const wanted = agent.MaxCalls + 2
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "bank", call: func(context.Context, *agent.Invocation) (agent.Result, error) { return agent.Result{Text: "paid"}, nil }}
		var results []agent.ToolResult
		n := w.node(&agent.Agent{Name: "helper", Toolboxes: []agent.Toolbox{b}, Model: script(func(p agent.Prompt) agent.Reply {
			if last(p).Role == agent.FromTools {
				results = last(p).Results
				return agent.Reply{Text: "done"}
			}
			reply := agent.Reply{}
			for i := range wanted {
				reply.Calls = append(reply.Calls, agent.ToolCall{ID: fmt.Sprint(i), Tool: "bank__do", Args: []byte(`{}`)})
			}
			return reply
		})})
		if reply := n.follow(n.say("c", "x")).reply(); reply != "done done" || b.called() != agent.MaxCalls || len(results) != wanted {
			t.Fatalf("%q after %d calls, and %d results", reply, b.called(), len(results))
		}
		for i, r := range results {
			if made := i < agent.MaxCalls; r.Failed == made || made != (r.Text == "paid") || !made && !strings.Contains(r.Text, fmt.Sprintf("a message may have 128 calls, and this is call %d. Make fewer at once.", i+1)) {
				t.Fatalf("%d: %+v", i, r)
			}
		}
	})
}
