package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

func TestWhoCannotBeAskedInLineHasNotCancelled(t *testing.T) {
	const asks = "[tracker] Sure?"
	for _, tc := range []struct {
		name string
		then func(parley.Outcome, error) (agent.Result, error) // what the server makes of it
		how  agent.EventType
		want []string
	}{
		{"it fails", func(_ parley.Outcome, err error) (agent.Result, error) { return agent.Result{}, err },
			agent.Failed, []string{"their client cannot show questions", asks, "Do not repeat the call"}},
		{"it says that it failed", func(_ parley.Outcome, err error) (agent.Result, error) {
			return agent.Result{Failed: true, Text: "No: " + err.Error()}, nil
		}, agent.Failed, []string{"their client cannot show questions", asks, "No: nobody was asked"}},
		{"it goes on", func(parley.Outcome, error) (agent.Result, error) {
			return agent.Result{Text: "ordered the default"}, nil
		},
			agent.Succeeded, []string{"The user was not asked", asks, "It returned: ordered the default"}},
	} {
		inABubble(t, func(t *testing.T, w *world) {
			var action parley.Action
			b := &box{name: "tracker", call: func(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
				o, err := c.Ask(ctx, "line", parley.Request{From: "tracker", Message: "Sure?"})
				action = o.Action
				return tc.then(o, err)
			}}
			n := w.node(helperWith(b))
			ref, err := n.Start(t.Context(), alice, agent.Message{Agent: "helper", Conversation: "c", Text: "x"})
			if err != nil {
				t.Fatal(err)
			}
			s := n.follow(ref)
			if e := s.until(agent.Withheld); e.Question.Message != "Sure?" || e.Box != "tracker" {
				t.Errorf("%s: withheld %+v", tc.name, e)
			}
			result := s.until(tc.how).Result
			for _, want := range tc.want {
				if !strings.Contains(result.Text, want) {
					t.Errorf("%s: the model is told %q, without %q", tc.name, result.Text, want)
				}
			}
			if action != "" || b.called() != 1 {
				t.Errorf("%s: the server was told %q, and called %d times", tc.name, action, b.called())
			}
			if open, _ := w.store.List(t.Context(), parley.Query{}); len(open) != 0 {
				t.Errorf("%s: %d questions", tc.name, len(open))
			}
		})
	}
}
