package agent_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// month is how long runs are kept here.
const month = 30 * time.Minute

// left are the records of runs that a store still has.
func (w *world) left(t *testing.T) (keys []string) {
	t.Helper()
	for _, at := range []parley.Address{
		{Tenant: parley.DefaultTenant, Kind: "run"}, {Tenant: parley.DefaultTenant, Kind: "run_message"},
		{Tenant: "-runs", Kind: "run_lease"}, {Tenant: "-runs", Kind: "run_parked"},
	} {
		page, err := w.store.Scan(t.Context(), at, "", parley.MaxLimit)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page {
			keys = append(keys, at.Kind+" "+r.Key)
		}
	}
	return keys
}

func TestARunIsForgottenAWhileAfterItsLastChange(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		w.keep = month
		b := &box{name: "deep"}
		n := w.node(
			&agent.Agent{Name: "helper", Model: callOnce("delegate_to_worker"), Delegates: []string{"worker"}},
			&agent.Agent{Name: "worker", Model: callOnce("deep__do"), Toolboxes: []agent.Toolbox{b}})
		ref, err := n.Start(t.Context(), alice, agent.Message{Agent: "helper", Conversation: "c", ID: "m1", Text: "x", CanAsk: true})
		if err != nil {
			t.Fatal(err)
		}
		n.follow(ref).reply()
		time.Sleep(month - time.Minute)
		if runs, err := n.History(t.Context(), alice, "c"); err != nil || len(runs) != 1 {
			t.Errorf("%d runs, %v", len(runs), err)
		}
		time.Sleep(11 * time.Minute) // their question could have been open for ten
		if left := w.left(t); len(left) != 0 {
			t.Errorf("left: %q", left)
		}
		if _, err := n.Follow(alice, ref).Next(t.Context()); !errors.Is(err, parley.ErrNotFound) {
			t.Errorf("following it: %v", err)
		}
	})
}

// A question may be open for longer than runs are kept.
func TestARunThatWaitsIsNotForgottenBeforeItsQuestion(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		w.keep = month
		b := &box{name: "deep", prepare: needsAnswer}
		n := w.node(
			&agent.Agent{Name: "helper", Model: callOnce("delegate_to_worker"), Delegates: []string{"worker"}},
			&agent.Agent{Name: "worker", Model: callOnce("deep__do"), Toolboxes: []agent.Toolbox{b}})
		ref, err := n.Start(t.Context(), alice, agent.Message{Agent: "helper", Conversation: "c", Text: "x", CanAsk: true, TTL: 3 * month})
		if err != nil {
			t.Fatal(err)
		}
		s := n.follow(ref)
		asked := s.until(agent.Asked)
		time.Sleep(3*month - time.Minute)
		n.answer(asked.Question, parley.Accept)
		if got := s.reply(); !strings.Contains(got, "deep did it") || b.called() != 1 {
			t.Errorf("%q after %d calls", got, b.called())
		}
	})
}

// All processes were away for so long that the delegate's run is forgotten: it is
// not begun again.
func TestAForgottenDelegateIsNotBegunAgain(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		w.keep = month
		b := &box{name: "deep", prepare: needsAnswer}
		agents := []*agent.Agent{
			{Name: "helper", Model: callOnce("delegate_to_worker"), Delegates: []string{"worker"}},
			{Name: "worker", Model: callOnce("deep__do"), Toolboxes: []agent.Toolbox{b}},
		}
		first := w.node(agents...)
		ref := first.say("c", "x")
		first.follow(ref).until(agent.Asked)
		synctest.Wait() // both runs are parked
		first.kill()
		time.Sleep(3 * month)
		second := w.node(agents...)
		if got := second.follow(ref).reply(); !strings.Contains(got, "What became of this task is unknown") || b.called() != 0 {
			t.Errorf("%q after %d calls", got, b.called())
		}
	})
}

func TestRunsAreKeptForThirtyDaysUnlessSaidOtherwise(t *testing.T) {
	for keep, want := range map[time.Duration]time.Duration{0: 30 * 24 * time.Hour, time.Hour: time.Hour, -1: 0} {
		inABubble(t, func(t *testing.T, w *world) {
			w.keep = keep
			n := w.node(&agent.Agent{Name: "helper", Model: callOnce("deep__do"), Toolboxes: []agent.Toolbox{&box{name: "deep"}}})
			n.follow(n.say("c", "x")).reply()
			page, err := w.store.Scan(t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: "run"}, "", 10)
			if err != nil || len(page) != 1 {
				t.Fatalf("%d runs, %v", len(page), err)
			}
			switch until := page[0].Expires; {
			case want == 0 && !until.IsZero(), want > 0 && (until.IsZero() || time.Until(until) > want || time.Until(until) < want-time.Minute):
				t.Errorf("kept for %v: until %v", keep, until)
			}
		})
	}
}
