package agent_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/agent"
)

// faltering is a model that is broken off in its first message, and says another
// when it is asked again.
type faltering struct{ asked atomic.Int64 }

func (m *faltering) Generate(ctx context.Context, _ agent.Prompt, emit func(string)) (agent.Reply, error) {
	if m.asked.Add(1) == 1 {
		emit("Half a ")
		<-ctx.Done()
		return agent.Reply{}, context.Cause(ctx)
	}
	emit("All of it.")
	return agent.Reply{Text: "All of it."}, nil
}

// What a node knew of a run ends with its part in it: who follows there later
// reads what was recorded, and nothing that was taken back.
func TestWhoComesAfterABreakReadsATextOnce(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		a := &agent.Agent{Name: "helper", Model: &faltering{}}
		first := w.node(a)
		ref := first.say("c", "go")
		synctest.Wait()
		first.stop()
		want := w.node(a).follow(ref).rest()
		if diff := cmp.Diff(want, first.follow(ref).rest()); diff != "" {
			t.Errorf("at the node that was stopped (+) it reads otherwise than at the next (-):\n%s", diff)
		}
	})
}
