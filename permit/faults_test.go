package permit_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/storetest"
)

// The promises over a store that fails in every way: nothing runs without an
// approval, nothing runs twice on one, and with patience everything that was
// approved runs.
func TestAFaultyStoreLetsNothingThroughTwice(t *testing.T) {
	for seed := range uint64(3) {
		synctest.Test(t, func(t *testing.T) {
			inner := parley.NewMemoryStore()
			sites := make([]*site, 2)
			for i := range sites {
				faulty := storetest.Faulty(inner, storetest.Everything(0.3, 10*seed+uint64(i)))
				sites[i] = newSiteOn(t, faulty, &permit.Options{Patience: time.Hour}, &parley.Options{Patience: time.Hour})
			}
			sites[1].server = sites[0].server
			var wg sync.WaitGroup
			for i := range 42 {
				wg.Go(func() { playUnderFaults(t, sites, i) })
			}
			wg.Wait()
		})
	}
}

func playUnderFaults(t *testing.T, sites []*site, i int) {
	choice := []permit.Choice{permit.AllowOnce, permit.AlwaysAllow, permit.Refuse}[i%3]
	call := with(transfer(), func(c *permit.Call) { c.User, c.ID = fmt.Sprint("user ", i), fmt.Sprint("call ", i) })
	here, there := sites[i%2], sites[(i+1)%2]
	q, err := here.Question(call)
	if err == nil {
		_, err = here.hub.Open(t.Context(), q)
	}
	if err == nil {
		err = there.hub.Answer(t.Context(), parley.Principal{User: call.User}, q.ID, says(choice))
	}
	if err != nil {
		t.Errorf("asking: %v", err)
		return
	}
	errs := make([]error, 6)
	var wg sync.WaitGroup
	for n := range errs {
		s := sites[n%2]
		wg.Go(func() {
			if _, err := s.Record(t.Context(), call, q.ID); err != nil && !errors.Is(err, permit.ErrConsumed) {
				t.Errorf("Record: %v", err)
			}
			errs[n] = s.execute(t, call)
		})
	}
	wg.Wait()
	succeeded := 0
	for _, err := range errs {
		switch {
		case err == nil:
			succeeded++
		case choice == permit.Refuse && !errors.Is(err, permit.ErrNotPermitted), choice != permit.Refuse && !errors.Is(err, permit.ErrConsumed):
			t.Errorf("%s: %v", choice, err)
		}
	}
	want := 1
	if choice == permit.Refuse {
		want = 0
	}
	here.server.mu.Lock()
	defer here.server.mu.Unlock()
	if got := here.server.ids[call.ID]; got != want || succeeded != want {
		t.Errorf("%s: %d succeeded, the server was called %d times, want %d", choice, succeeded, got, want)
	}
}

// Without patience every fault is seen, as if the process had died there. It
// comes back again and again, and never runs anything twice.
func TestACallThatIsTakenUpAfterEveryFaultRunsAtMostOnce(t *testing.T) {
	executed, unknown := 0, 0
	for seed := range uint64(150) {
		synctest.Test(t, func(t *testing.T) {
			inner := parley.NewMemoryStore()
			steady := newSiteOn(t, inner, nil, nil)
			choice := []permit.Choice{permit.AllowOnce, permit.AlwaysAllow, permit.Refuse}[seed%3]
			q := steady.ask(t, transfer())
			steady.answer(t, q, says(choice))
			faulty := storetest.Faulty(inner, storetest.Everything(0.15, seed))
			s := newSiteOn(t, faulty, &permit.Options{Patience: -1}, &parley.Options{Patience: -1})
			ran, outcome := takeUp(t, s, q.ID)
			switch {
			case ran > 1:
				t.Errorf("seed %d, %s: ran %d times", seed, choice, ran)
			case choice == permit.Refuse && (ran != 0 || !errors.Is(outcome, permit.ErrNotPermitted)):
				t.Errorf("seed %d: refused, and ran %d times: %v", seed, ran, outcome)
			case choice != permit.Refuse && ran == 0 && !errors.Is(outcome, permit.ErrConsumed):
				t.Errorf("seed %d, %s: never ran, and nobody was told that it is not known: %v", seed, choice, outcome)
			}
			if choice != permit.Refuse {
				executed += ran
				unknown += 1 - ran
			}
		})
	}
	if executed == 0 || unknown == 0 {
		t.Errorf("%d ran, %d are not known: the faults did not reach what they were for", executed, unknown)
	}
}

// takeUp repeats the steps from the start until the call has run or will not.
func takeUp(t *testing.T, s *site, q parley.ID) (ran int, outcome error) {
	for range 2000 {
		d, err := s.Record(t.Context(), transfer(), q)
		if errors.Is(err, permit.ErrConsumed) {
			return s.server.ids[transfer().ID], err
		}
		if err != nil {
			continue
		}
		if d.Ask() {
			t.Errorf("asked again: %+v", d)
		}
		err = s.execute(t, transfer())
		if err == nil || errors.Is(err, permit.ErrNotPermitted) || errors.Is(err, permit.ErrConsumed) {
			// Whatever was said, it is not let through again.
			if again := s.execute(t, transfer()); again == nil {
				t.Error("let through again")
			}
			return s.server.ids[transfer().ID], err
		}
	}
	t.Error("does not end")
	return 0, nil
}

func TestALongFailureIsReportedAndNothingRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := parley.NewMemoryStore()
		newSiteOn(t, inner, nil, nil).decided(t, transfer(), permit.AllowOnce)
		down := storetest.Fault{Before: 1}
		s := newSiteOn(t, storetest.Faulty(inner, storetest.Faults{Load: down, Save: down, Scan: down}), nil, nil)
		start := time.Now()
		_, err := s.Check(t.Context(), permit.Always, transfer())
		wantError(t, err, storetest.ErrInjected)
		if waited := time.Since(start); waited < 10*time.Second || waited > 12*time.Second {
			t.Errorf("reported after %v", waited)
		}
		wantError(t, s.execute(t, transfer()), storetest.ErrInjected)
		wantError(t, s.Revoke(t.Context(), "", "alice", "x"), storetest.ErrInjected)
		_, err = s.List(t.Context(), "", "alice")
		wantError(t, err, storetest.ErrInjected)
		wantError(t, s.Lift(t.Context(), "", "alice", "x"), storetest.ErrInjected)
		if s.server.count() != 0 {
			t.Error("executed")
		}
	})
}

// failing refuses to save records of one kind.
type failing struct {
	storetest.Backend
	kind string
}

func (f failing) Save(ctx context.Context, r parley.Record) (int64, error) {
	if r.Kind == f.kind {
		return 0, storetest.ErrInjected
	}
	return f.Backend.Save(ctx, r)
}

// The permission is marked and the call is not: an approval for one call is lost
// by that, a standing permission is there for the next attempt. Neither lets
// anything through twice.
func TestACrashInsideConsume(t *testing.T) {
	synctest.Test(t, crashInsideConsume)
}

func crashInsideConsume(t *testing.T) {
	for choice, want := range map[permit.Choice]error{permit.AllowOnce: permit.ErrConsumed, permit.AlwaysAllow: nil} {
		inner := parley.NewMemoryStore()
		steady := newSiteOn(t, inner, nil, nil)
		late := steady.ask(t, transfer())
		d := steady.decided(t, transfer(), choice)
		dying := newSiteOn(t, failing{inner, "permission_use"}, &permit.Options{Patience: -1}, nil)
		dying.server = steady.server
		wantError(t, dying.execute(t, transfer()), storetest.ErrInjected)
		if err := steady.execute(t, transfer()); !errors.Is(err, want) {
			t.Errorf("%s: %v; want %v", choice, err, want)
		}
		wantError(t, steady.execute(t, transfer()), permit.ErrConsumed)
		if choice == permit.AllowOnce {
			wantError(t, steady.Revoke(t.Context(), "", "alice", d.Grant), permit.ErrConsumed)
			time.Sleep(time.Second)
			steady.answer(t, late, says(permit.AllowOnce))
			_, err := steady.Record(t.Context(), transfer(), late.ID)
			wantError(t, err, permit.ErrConsumed)
			wantError(t, steady.execute(t, transfer()), permit.ErrConsumed)
		}
		made := map[permit.Choice]int{permit.AllowOnce: 0, permit.AlwaysAllow: 1}[choice]
		if got := steady.server.count(); got != made {
			t.Errorf("%s: made %d times", choice, got)
		}
	}
}

// forgetful saves, and loses the reply to the first save of one kind.
type forgetful struct {
	storetest.Backend
	kind string
	lost *bool
}

func (f forgetful) Save(ctx context.Context, r parley.Record) (int64, error) {
	version, err := f.Backend.Save(ctx, r)
	if err == nil && r.Kind == f.kind && !*f.lost {
		*f.lost = true
		return 0, storetest.ErrInjected
	}
	return version, err
}

func TestAUseWhoseReplyWasLostCountsOnce(t *testing.T) {
	for _, kind := range []string{"permission", "permission_use"} {
		for _, choice := range []permit.Choice{permit.AllowOnce, permit.AlwaysAllow} {
			inner := parley.NewMemoryStore()
			newSiteOn(t, inner, nil, nil).decided(t, transfer(), choice)
			lost := false
			s := newSiteOn(t, forgetful{inner, kind, &lost}, nil, nil)
			s.wantExecuted(t, transfer())
			wantError(t, s.execute(t, transfer()), permit.ErrConsumed)
			if list := s.listed(t, "alice"); choice == permit.AlwaysAllow && (len(list) != 1 || list[0].Uses != 1) {
				t.Errorf("%+v", list)
			}
			if !lost || s.server.count() != 1 {
				t.Errorf("%s, %s: lost %t, made %d times", kind, choice, lost, s.server.count())
			}
		}
	}
}
