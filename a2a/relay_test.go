package a2a_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/agent"
)

// passing is an agent that says nothing but what came of its only call.
func passing(b *box) *agent.Agent {
	b.name = "tool"
	model := script(func(p agent.Prompt) agent.Reply {
		if last(p).Role == agent.FromTools {
			return agent.Reply{Text: last(p).Results[0].Text}
		}
		return agent.Reply{Calls: []agent.ToolCall{{ID: "m", Tool: "tool__do", Args: []byte(`{}`)}}}
	})
	return &agent.Agent{Name: "helper", Model: model, Toolboxes: []agent.Toolbox{b}, Relays: true}
}

// answering is the Call of a box that has one result.
func answering(r agent.Result, err error) func(context.Context, *agent.Invocation) (agent.Result, error) {
	return func(context.Context, *agent.Invocation) (agent.Result, error) { return r, err }
}

func TestWhereWhatARelayPassesOnFailedTheTaskHas(t *testing.T) {
	denied := &box{prepare: func(*agent.Invocation) error { return &agent.Denied{Reason: "Not done: it is forbidden."} }}
	for want, b := range map[string]*box{
		"Desk could not do it.":      {call: answering(agent.Result{Text: "Desk could not do it.", Failed: true}, nil)},
		"Desk cannot be reached.":    {call: answering(agent.Result{}, &agent.PublicError{Text: "Desk cannot be reached.", Cause: errors.New("refused")})},
		"Not done: it is forbidden.": denied,
		"":                           {call: answering(agent.Result{Text: "All is well."}, nil)},
	} {
		for way := range ways {
			s := newSite(t, nil, passing(b))
			c := s.client("alice", way)
			task := c.send(says("Go"))
			heard := c.stream(says("Go again"))
			if want == "" {
				state(t, task, wire.TaskStateCompleted)
				if result(task) != "All is well." || !strings.Contains(heard.rest(), `"All is well."`) {
					t.Errorf("%s: %q", way, result(task))
				}
				continue
			}
			end := wire.TaskStateFailed
			if b == denied {
				end = wire.TaskStateRejected // it was not begun
			}
			for _, task := range []*wire.Task{task, c.get(task.ID)} {
				state(t, task, end)
				if told(task.Status.Message) != want || result(task) != "" {
					t.Errorf("%s: told %q, and as its result %q", way, told(task.Status.Message), result(task))
				}
			}
			if got := heard.rest(); !strings.HasSuffix(got, strings.ToLower(strings.TrimPrefix(string(end), "TASK_STATE_"))) || strings.Contains(got, `"`) {
				t.Errorf("%s: %s", way, got)
			}
			if way != "JSON-RPC" {
				continue
			}
			if got := c.list(wire.ListTasksRequest{Status: end}); len(got.Tasks) != 2 || got.Tasks[0].Status.State != end {
				t.Errorf("%+v", got)
			}
			if got := c.list(wire.ListTasksRequest{Status: wire.TaskStateCompleted}); len(got.Tasks) != 0 {
				t.Errorf("%+v", got)
			}
		}
	}
}

// A model that hears of a failure may have dealt with it.
func TestAFailedCallIsNoFailureOfAnAgentThatSpeaksForItself(t *testing.T) {
	speaks := passing(&box{call: answering(agent.Result{Text: "No.", Failed: true}, nil)})
	speaks.Relays = false
	s := newSite(t, nil, speaks)
	task := s.client("alice", "JSON-RPC").send(says("Go"))
	state(t, task, wire.TaskStateCompleted)
	if result(task) != "No." {
		t.Error(result(task))
	}
}
