package agent_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// stalling is a view of the store by a process that is stopped for a while when it
// gives up a run.
type stalling struct {
	*parley.MemoryStore
	stalled chan struct{} // closed when it is
	goOn    chan struct{}
	once    sync.Once
}

func (s *stalling) Delete(ctx context.Context, at parley.Address, version int64) error {
	if at.Kind == "run_lease" {
		s.once.Do(func() {
			close(s.stalled)
			<-s.goOn
		})
	}
	return s.MemoryStore.Delete(ctx, at, version)
}

func (s *stalling) Save(ctx context.Context, r parley.Record) (int64, error) {
	select {
	case <-s.stalled:
		<-s.goOn
	default:
	}
	return s.MemoryStore.Save(ctx, r)
}

func TestAProcessThatWasStoppedForLongDoesNotTakeTheRunFromTheNext(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		working, done := make(chan struct{}), make(chan struct{})
		b := &box{name: "tracker", prepare: needsAnswer, call: func(context.Context, *agent.Invocation) (agent.Result, error) {
			close(working)
			<-done
			return agent.Result{Text: "tracker did it"}, nil
		}}
		helper := &agent.Agent{Name: "helper", Model: callOnce("tracker__do"), Toolboxes: []agent.Toolbox{b}}

		store := &stalling{MemoryStore: w.store, stalled: make(chan struct{}), goOn: make(chan struct{})}
		hub := parley.New(store, &parley.Options{Logger: quiet})
		first, err := agent.New(hub, store, w.keys, &agent.Options{Agents: []*agent.Agent{helper}, Logger: quiet})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		var all sync.WaitGroup
		all.Go(func() { _ = first.Run(ctx) })
		defer func() { stop(); all.Wait() }()
		ref, err := first.Start(t.Context(), alice, agent.Message{Agent: "helper", Conversation: "c", Text: "x", CanAsk: true})
		if err != nil {
			t.Fatal(err)
		}
		<-store.stalled

		second := w.node(helper)
		story := second.follow(ref)
		q := story.until(agent.Asked).Question
		time.Sleep(11 * time.Second) // the first one's lease ends
		second.answer(q, parley.Accept)
		<-working
		close(store.goOn)
		time.Sleep(5 * time.Second) // the first one goes on
		synctest.Wait()
		close(done)
		if got := second.follow(ref).reply(); !strings.Contains(got, "tracker did it") {
			t.Errorf("the result of the call is lost: %q", got)
		}
	})
}
