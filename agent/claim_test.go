package agent_test

import (
	"sync"
	"testing"
	"testing/synctest"

	"github.com/parley-hq/parley/agent"
)

func TestTheSameMessageStartsOneRun(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "tracker"}
		a := helper(callOnce("tracker__do"), b)
		nodes := []*node{w.node(a), w.node(a), w.node(a)}
		m := agent.Message{Agent: "helper", Conversation: "c", ID: "m1", Text: "x"}
		refs := make([]agent.Ref, 12)
		var all sync.WaitGroup
		for i := range refs {
			all.Go(func() {
				var err error
				if refs[i], err = nodes[i%len(nodes)].Start(t.Context(), alice, m); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for _, ref := range refs {
			if ref != refs[0] {
				t.Errorf("runs %v and %v", refs[0], ref)
			}
		}
		if got := nodes[0].follow(refs[0]).reply(); got != "tracker did it done" || b.called() != 1 {
			t.Errorf("%q after %d calls", got, b.called())
		}
		runs, err := nodes[0].History(t.Context(), alice, "c")
		if err != nil || len(runs) != 1 {
			t.Errorf("%d runs, %v", len(runs), err)
		}

		again, err := nodes[1].Start(t.Context(), alice, m)
		if err != nil || again != refs[0] {
			t.Errorf("after its end: %v, %v", again, err)
		}
		m.Conversation = "d"
		elsewhere, err := nodes[1].Start(t.Context(), alice, m)
		if err != nil || elsewhere.Run == refs[0].Run {
			t.Errorf("in another conversation: %v, %v", elsewhere, err)
		}
		m.Conversation = "c"
		other, err := nodes[1].Start(t.Context(), bob, m)
		if err != nil || other.Run == refs[0].Run || other.User != "bob" {
			t.Errorf("of another person: %v, %v", other, err)
		}
	})
}

// The process dies after each of its writes: before the run is there, while it
// delegates, and later. The client sends its message again, to another process.
func TestAMessageSentAgainAfterADeathGoesOn(t *testing.T) {
	for at := range 25 {
		inABubble(t, func(t *testing.T, w *world) {
			b := &box{name: "deep", tools: func(agent.Caller) ([]agent.Tool, error) {
				return []agent.Tool{{Name: "do", Schema: []byte(`{"type":"object"}`), ReadOnly: new(true)}}, nil // so it is repeated if need be
			}}
			agents := []*agent.Agent{
				{Name: "helper", Model: callOnce("delegate_to_bottom"), Delegates: []string{"bottom"}},
				{Name: "bottom", Model: callOnce("deep__do"), Toolboxes: []agent.Toolbox{b}},
			}
			m := agent.Message{Agent: "helper", Conversation: "c", ID: "m1", Text: "x"}
			first := w.node(agents...)
			first.lives(at)
			_, _ = first.Start(t.Context(), alice, m)
			synctest.Wait()
			first.kill()

			second := w.node(agents...)
			ref, err := second.Start(t.Context(), alice, m)
			if err != nil {
				t.Fatal(err)
			}
			if got := second.follow(ref).reply(); got != "deep did it done" {
				t.Errorf("at %d: %q", at, got)
			}
			runs, err := second.History(t.Context(), alice, "c")
			if err != nil || len(runs) != 1 {
				t.Errorf("at %d: %d runs, %v", at, len(runs), err)
			}
		})
	}
}
