package permit_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/storetest"
)

// takeBack is the person's word that a call that waits is not to be made.
func (s *site) takeBack(ctx context.Context, wait parley.Request) error {
	return s.hub.Answer(ctx, parley.OwnerOf(wait.Tenant, wait.To), wait.ID, parley.Answer{Action: parley.Decline, Via: "page"})
}

// wantOneWinner checks that a take-back, with what the person was told, and the call
// agree: either it is made, or it was taken back and nothing stays behind.
func (s *site) wantOneWinner(t *testing.T, c permit.Call, wait parley.Request, said error) {
	t.Helper()
	next := with(c, func(c *permit.Call) { c.ID += "/again" })
	switch {
	case said == nil:
		if err := s.Consume(t.Context(), permit.Never, c); !errors.Is(err, permit.ErrNotPermitted) {
			t.Errorf("taken back, and then: %v", err)
		}
		if d, err := s.Check(t.Context(), permit.Never, next); err != nil || d.Status == permit.Granted {
			t.Errorf("taken back, and the same again is %+v, %v", d, err)
		}
		if err := s.Consume(t.Context(), permit.Never, next); !errors.Is(err, permit.ErrNotPermitted) {
			t.Errorf("taken back, and the same again: %v", err)
		}
		s.Sweep(t.Context())
		for _, one := range s.listed(t, "alice") {
			t.Errorf("it leaves %+v", one)
		}
	case errors.Is(said, parley.ErrSettled):
		if o := s.outcome(t, wait); o == nil || o.Action != parley.Accept || o.Reason != "bob allowed it" {
			t.Errorf("%+v", o)
		}
		if err := s.Consume(t.Context(), permit.Never, c); err != nil {
			t.Errorf("allowed, and then: %v", err)
		}
		if err := s.Consume(t.Context(), permit.Never, next); !errors.Is(err, permit.ErrNotPermitted) {
			t.Errorf("used up, and the same again: %v", err)
		}
	default:
		t.Error(said)
	}
}

func TestOfATakeBackAndTheDecidingYesExactlyOneWins(t *testing.T) {
	for i := range 100 {
		store := parley.NewMemoryStore()
		here, there := hooked(t, store, quorum(1, "bob", "carol")), hooked(t, store, quorum(1, "bob", "carol"))
		call := with(transfer(), func(c *permit.Call) { c.ID = fmt.Sprint("call-", i) })
		wait := here.await(t, call)
		bobs := here.asked(t, "bob")
		var said error
		var all sync.WaitGroup
		begin := make(chan struct{})
		all.Go(func() {
			<-begin
			_ = here.hub.Answer(t.Context(), parley.Principal{User: "bob"}, bobs.ID, says(permit.AllowOnce))
		})
		all.Go(func() { <-begin; said = there.takeBack(t.Context(), wait) })
		close(begin)
		all.Wait()
		there.wantOneWinner(t, call, wait, said)
	}
}

// Each process may die behind what it has stored: before its hooks run.
func TestATakeBackCountsWhoeverDiedBeforeItWasHeard(t *testing.T) {
	for _, first := range []string{"yes", "take-back"} {
		for _, then := range []string{"sweep", "hook", "nobody"} {
			store := parley.NewMemoryStore()
			s := hooked(t, store, quorum(1, "bob", "carol"))
			dying := newSiteOn(t, store, quorum(1, "bob", "carol"), nil) // it has no hooks
			call := transfer()
			wait := s.await(t, call)
			bobs := s.asked(t, "bob")
			yes := func(by *site) {
				_ = by.hub.Answer(t.Context(), parley.Principal{User: "bob"}, bobs.ID, says(permit.AllowOnce))
			}
			last := dying
			if then == "hook" {
				last = s
			}
			var said error
			if first == "yes" {
				yes(dying)
				said = last.takeBack(t.Context(), wait)
			} else {
				said = dying.takeBack(t.Context(), wait)
				yes(last)
			}
			if then == "sweep" {
				s.Sweep(t.Context())
			}
			t.Run(first+" first, then "+then, func(t *testing.T) { s.wantOneWinner(t, call, wait, said) })
		}
	}
}

// stuck is a store that fails to settle questions after a while: whoever decided dies
// there.
type stuck struct {
	storetest.Backend
	dead bool
}

func (s *stuck) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	if s.dead {
		return parley.ErrNotFound // final: nobody tries again
	}
	return s.Backend.Settle(ctx, id, o)
}

func TestATakeBackAfterADecisionThatNobodyHasToldEndsIt(t *testing.T) {
	for _, then := range []string{"consume", "sweep", "hook", "check", "too late"} {
		t.Run(then, func(t *testing.T) {
			store := parley.NewMemoryStore()
			s := hooked(t, store, quorum(1, "bob", "carol"))
			call := transfer()
			wait := s.await(t, call)
			s.noHooks(t).answer(t, s.asked(t, "bob"), says(permit.AllowOnce))
			dying := &stuck{Backend: store, dead: true}
			_, _, _ = newSiteOn(t, dying, quorum(1, "bob", "carol"), nil).Gather(t.Context(), permit.Never, call) // decides
			if d, err := s.Check(t.Context(), permit.Never, call); err != nil || d.Status != permit.Granted {
				t.Fatalf("%+v, %v", d, err)
			}
			last := s.noHooks(t)
			if then == "hook" {
				last = s
			}
			if then == "too late" {
				if err := s.Consume(t.Context(), permit.Never, call); err != nil {
					t.Fatal(err)
				}
				wantError(t, last.takeBack(t.Context(), wait), parley.ErrSettled)
				return
			}
			said := last.takeBack(t.Context(), wait)
			if then == "check" {
				next := with(call, func(c *permit.Call) { c.ID = "next" })
				if d, err := s.Check(t.Context(), permit.Never, next); err != nil || d.Status != permit.Required {
					t.Errorf("%+v, %v", d, err)
				}
			}
			if then == "sweep" {
				s.Sweep(t.Context())
			}
			s.wantOneWinner(t, call, wait, said)
		})
	}
}

// Whoever takes back one of two calls that wait for the same has taken back that one.
func TestWhoTakesBackOneOfTwoCallsKeepsTheOther(t *testing.T) {
	s := hooked(t, parley.NewMemoryStore(), quorum(1, "bob", "carol"))
	other := with(transfer(), func(c *permit.Call) { c.ID, c.Session = "other", "chat-2" })
	wait := s.await(t, transfer())
	s.await(t, other)
	if err := s.takeBack(t.Context(), wait); err != nil {
		t.Fatal(err)
	}
	s.answer(t, s.asked(t, "bob"), says(permit.AllowOnce))
	if err := s.Consume(t.Context(), permit.Never, transfer()); !errors.Is(err, permit.ErrNotPermitted) {
		t.Errorf("it was taken back: %v", err)
	}
	if err := s.Consume(t.Context(), permit.Never, other); err != nil {
		t.Error(err)
	}
}

// noHooks is another process over the same store that dies before its hooks run.
func (s *site) noHooks(t testing.TB) *site {
	t.Helper()
	return newSiteOn(t, s.store, quorum(1, "bob", "carol"), nil)
}
