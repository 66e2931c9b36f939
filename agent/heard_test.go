package agent_test

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// told reads a run to its end, for a minute at most.
func (n *node) told(ref agent.Ref) (all []string) {
	f := n.Follow(alice, ref)
	defer f.Close()
	ctx, cancel := context.WithTimeout(n.t.Context(), time.Minute)
	defer cancel()
	for {
		e, err := f.Next(ctx)
		if err != nil {
			return all
		}
		if e.Type != agent.TextDelta {
			all = append(all, line(e))
		}
	}
}

// The step is over for those who follow it here before that is saved; the stop comes first.
func TestWhoFollowsARunThatAnotherNodeStopsAtTheEndOfACallHearsItsEnd(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		var second *node
		b := &box{name: "tracker", call: func(context.Context, *agent.Invocation) (agent.Result, error) {
			if err := second.Stop(t.Context(), alice, "c"); err != nil {
				t.Error(err)
			}
			return agent.Result{Text: "tracker did it"}, nil
		}}
		first := w.node(helperWith(b))
		second = w.node(helperWith(b))
		told := first.told(first.say("c", "go"))
		if n := len(told); n == 0 || told[n-1] != "finished stopped" {
			t.Errorf("%q", told)
		}
	})
}

// halting stops a run at another node when the second of its questions is read.
type halting struct {
	*parley.MemoryStore
	get func(id parley.ID)
}

func (h *halting) Get(ctx context.Context, id parley.ID) (parley.Request, error) {
	r, err := h.MemoryStore.Get(ctx, id)
	if err == nil {
		h.get(id)
	}
	return r, err
}

// Of two questions of one call the later is answered, and the run is stopped while that is
// taken up: the other one's end is told too, and none is told twice.
func TestEachQuestionOfAStoppedCallIsToldOnceToEndWhoeverFollows(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		helper := helperWith(&box{name: "tracker", prepare: twoQuestions})
		store := &halting{MemoryStore: w.store, get: func(parley.ID) {}}
		n := w.nodeOn(store, store, nil, helper)
		ref := n.say("c", "go")
		told := make(chan []string, 1)
		go func() { told <- n.told(ref) }()
		time.Sleep(2 * time.Second)
		open, err := w.store.List(t.Context(), parley.Query{Pending: true})
		if err != nil || len(open) != 2 {
			t.Fatal(open, err)
		}
		slices.SortFunc(open, func(a, b parley.Request) int { return cmp.Compare(a.ID, b.ID) })
		var answered, halted atomic.Bool
		store.get = func(id parley.ID) {
			if r, err := w.store.Get(t.Context(), id); answered.Load() && id == open[1].ID && err == nil && !r.Pending() && !halted.Swap(true) {
				if err := n.Stop(t.Context(), alice, "c"); err != nil {
					t.Error(err)
				}
			}
		}
		q := open[1]
		if err := n.hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{}`), Via: "test"}); err != nil {
			t.Fatal(err)
		}
		answered.Store(true)
		all := <-told
		for _, l := range []string{"A?", "B?"} {
			ends := 0
			for _, one := range all {
				if one == "answered tracker__do tracker "+l+" accept" || one == "answered tracker__do tracker "+l+" cancel" {
					ends++
				}
			}
			if ends != 1 {
				t.Errorf("the end of %s was told %d times: %q", l, ends, all)
			}
		}
		if !halted.Load() {
			t.Error("it was not stopped")
		}
	})
}
