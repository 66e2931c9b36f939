package agent_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/parley-hq/parley/agent"
)

// elsewhere is a box that is an agent elsewhere.
type elsewhere struct{ *box }

func (elsewhere) Delegate() {}

// Models see an agent elsewhere as they see a delegate, and a call of it is one of a tool:
// it can be judged, and it asks for itself.
func TestABoxThatIsAnAgentIsCalledAsDelegatesAre(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		desk := &box{name: "travel", tools: func(agent.Caller) ([]agent.Tool, error) {
			tool := agent.DelegateTool("task", "Travel desk", "It books trips.")
			if tool.Title != "Delegate to Travel desk" || tool.Description != "Hands a task to the agent Travel desk and returns its answer. It books trips." {
				t.Errorf("%+v", tool)
			}
			return []agent.Tool{tool}, nil
		}, call: func(_ context.Context, c *agent.Invocation) (agent.Result, error) {
			var args struct{ Task string }
			err := json.Unmarshal(c.Args, &args)
			return agent.Result{Text: c.Tool.Name + ": " + args.Task}, err
		}}
		n := w.node(&agent.Agent{Name: "helper", Toolboxes: []agent.Toolbox{elsewhere{desk}}, Model: script(func(p agent.Prompt) agent.Reply {
			if last(p).Role == agent.FromUser {
				return agent.Reply{Calls: []agent.ToolCall{{ID: "1", Tool: "delegate_to_travel", Args: []byte(`{"task":"Book."}`)}}}
			}
			return agent.Reply{Text: last(p).Results[0].Text}
		})})
		ref := n.say("c", "x")
		if got := n.follow(ref).until(agent.Succeeded).Result.Text; got != "task: Book." {
			t.Errorf("it says %q", got)
		}
		r, err := n.Find(t.Context(), alice, "c", ref.Run)
		if err != nil || len(r.Made()) != 1 || r.Made()[0].Box != "travel" || r.Made()[0].Tool.Name != "task" {
			t.Errorf("%+v, %v", r.Made(), err)
		}
	})
}
