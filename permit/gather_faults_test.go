package permit_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/storetest"
)

// atOnce calls fn for i below n at the same moment.
func atOnce(n int, fn func(i int)) {
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			fn(i)
		})
	}
	close(start)
	wg.Wait()
}

func TestProcessesThatGatherAtOnceAskEachApproverOnce(t *testing.T) {
	onEveryStore(t, func(t *testing.T, one, two *site) {
		opts := quorum(2, "bob", "carol", "dave")
		sites := []*site{one.again(t, opts), two.again(t, opts)}
		sites[1].server = sites[0].server
		for round := range 5 {
			again := func(i int) permit.Call {
				return with(transfer(), func(c *permit.Call) {
					c.ID, c.Session, c.Agent = fmt.Sprint("round ", round, " call ", i), fmt.Sprint("chat ", i), fmt.Sprint("agent ", round)
				})
			}
			var mu sync.Mutex
			seen := map[parley.ID]bool{}
			atOnce(8, func(i int) {
				d, ids, err := sites[i%2].Gather(t.Context(), permit.Never, again(i))
				if err != nil || d.Status != permit.Required || len(ids) != 3 {
					t.Errorf("Gather = %+v, %v, %v", d, ids, err)
				}
				mu.Lock()
				defer mu.Unlock()
				for _, id := range ids {
					seen[id] = true
				}
			})
			if len(seen) != 3 {
				t.Fatalf("round %d: %d questions", round, len(seen))
			}
			_, open := sites[0].gather(t, again(0), permit.Required)
			sites[0].answer(t, open["bob"], says(permit.AllowOnce))
			sites[1].answer(t, open["dave"], says(permit.AllowOnce))
			wantOneThrough(t, sites, again)
			if n := sites[0].server.count(); n != round+1 {
				t.Fatalf("round %d: %d calls in all", round, n)
			}
			// Those that came late have asked for the next one, together.
			d, open := sites[1].gather(t, again(100), permit.Required)
			if d.Have != 0 || people(open) != "bob carol dave" {
				t.Fatalf("%+v, asked %s", d, people(open))
			}
			for _, name := range []string{"bob", "carol", "dave"} {
				if n := len(sites[0].questions(t, name)[name]); n != 2*(round+1) {
					t.Errorf("round %d: %s was asked %d times", round, name, n)
				}
			}
		}
	})
}

// wantOneThrough gathers for the same call under several ids at once, and lets
// each try.
func wantOneThrough(t *testing.T, sites []*site, again func(i int) permit.Call) {
	t.Helper()
	errs := make([]error, 8)
	atOnce(len(errs), func(i int) {
		s := sites[i%2]
		if d, _, err := s.Gather(t.Context(), permit.Never, again(i)); err != nil || d.Status == permit.Denied {
			t.Errorf("Gather = %+v, %v", d, err)
		}
		errs[i] = s.execute(t, again(i))
	})
	through := 0
	for _, err := range errs {
		switch {
		case err == nil:
			through++
		case !errors.Is(err, permit.ErrNotPermitted):
			t.Errorf("Consume: %v", err)
		}
	}
	if through != 1 {
		t.Errorf("%d calls went through", through)
	}
}

// While one process still asks, another hears enough, uses it up and starts the
// next: the first returns the questions of that.
func TestAProcessThatIsOvertakenGoesOnWithTheNextGathering(t *testing.T) {
	again := func(id string) permit.Call { return with(transfer(), func(c *permit.Call) { c.ID = id }) }
	fast := newSite(t, quorum(1, "bob", "carol"))
	var next map[string]parley.Request
	overtake := sync.OnceFunc(func() {
		_, open := fast.gather(t, again("2"), permit.Required)
		fast.answer(t, open["bob"], says(permit.AllowOnce))
		fast.gather(t, again("2"), permit.Granted)
		fast.wantExecuted(t, again("2"))
		_, next = fast.gather(t, again("3"), permit.Required)
	})
	hook := parley.After(parley.OpeningFinish, func(context.Context, *parley.Opening) error {
		overtake()
		return nil
	})
	slow := newSiteOn(t, fast.store, quorum(1, "bob", "carol"), &parley.Options{Hooks: []parley.Hook{hook}})
	_, open := slow.gather(t, again("1"), permit.Required)
	if people(open) != "bob carol" || open["bob"].ID != next["bob"].ID || open["carol"].ID != next["carol"].ID {
		t.Errorf("%v; want %v", open, next)
	}
}

// Every fault is seen, as if the process had died there; the next comes and does
// it all again.
func TestAGatheringThatIsTakenUpAfterEveryFault(t *testing.T) {
	executed, unknown := 0, 0
	for seed := range uint64(100) {
		synctest.Test(t, func(t *testing.T) {
			inner := parley.NewMemoryStore()
			opts := quorum(2, "bob", "carol", "dave")
			steady := newSiteOn(t, inner, opts, nil)
			opts.Patience = -1
			faulty := storetest.Faulty(inner, storetest.Everything(0.1, seed))
			s := newSiteOn(t, faulty, opts, &parley.Options{Patience: -1})
			steady.server = s.server
			err := takeUpGathering(t, s, steady)
			if err != nil && !errors.Is(err, permit.ErrConsumed) {
				t.Errorf("seed %d: %v", seed, err)
			}
			wantError(t, steady.execute(t, transfer()), permit.ErrConsumed)
			executed, unknown = executed+s.server.count(), unknown+1-s.server.count()
			if s.server.count() > 1 {
				t.Errorf("seed %d: executed %d times", seed, s.server.count())
			}
			for who, list := range steady.questions(t, "bob", "carol", "dave") {
				if len(list) != 1 || list[0] == "open" {
					t.Errorf("seed %d: %s was asked %v", seed, who, list)
				}
			}
		})
	}
	if executed == 0 || unknown == 0 {
		t.Errorf("%d ran, %d are not known: the faults did not reach what they were for", executed, unknown)
	}
}

// takeUpGathering gathers until the call has run or will not; two approvers
// allow it on the way.
func takeUpGathering(t *testing.T, s, steady *site) error {
	t.Helper()
	answered := 0
	for range 5000 {
		time.Sleep(time.Millisecond)
		d, ids, err := s.Gather(t.Context(), permit.Never, transfer())
		if err == nil && d.Status == permit.Granted {
			if err = s.execute(t, transfer()); err == nil {
				return nil
			}
		}
		if errors.Is(err, permit.ErrConsumed) {
			return err
		}
		for _, id := range ids {
			q, err := steady.store.Get(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			if q.Pending() && answered < 2 {
				steady.answer(t, q, says(permit.AllowOnce))
				answered++
			}
		}
	}
	return errors.New("does not end")
}

// With patience nobody sees the faults.
func TestGatheringOverAFaultyStore(t *testing.T) {
	for seed := range uint64(5) {
		synctest.Test(t, func(t *testing.T) {
			inner := parley.NewMemoryStore()
			opts := quorum(2, "bob", "carol")
			opts.Patience = time.Hour
			sites := make([]*site, 2)
			for i := range sites {
				faulty := storetest.Faulty(inner, storetest.Everything(0.3, 10*seed+uint64(i)))
				sites[i] = newSiteOn(t, faulty, opts, &parley.Options{Patience: time.Hour, TTL: 24 * time.Hour})
			}
			sites[1].server = sites[0].server
			steady := newSiteOn(t, inner, quorum(2, "bob", "carol"), nil)
			atOnce(6, func(i int) {
				if d, ids, err := sites[i%2].Gather(t.Context(), permit.Never, transfer()); err != nil || d.Status != permit.Required || len(ids) != 2 {
					t.Errorf("%+v, %v, %v", d, ids, err)
				}
			})
			_, open := steady.gather(t, transfer(), permit.Required)
			for _, q := range open {
				steady.answer(t, q, says(permit.AllowOnce))
			}
			won := make([]error, 6)
			atOnce(6, func(i int) {
				_, _, err := sites[i%2].Gather(t.Context(), permit.Never, transfer())
				if err != nil && !errors.Is(err, permit.ErrConsumed) {
					t.Error(err)
				}
				won[i] = sites[i%2].execute(t, transfer())
			})
			n := 0
			for _, err := range won {
				if err == nil {
					n++
				} else if !errors.Is(err, permit.ErrConsumed) {
					t.Error(err)
				}
			}
			if n != 1 || steady.server.count()+sites[0].server.count() != 1 {
				t.Errorf("%d succeeded, executed %d times", n, sites[0].server.count())
			}
			want := map[string][]string{"bob": {"accept"}, "carol": {"accept"}}
			if diff := cmp.Diff(want, steady.questions(t, "bob", "carol")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The approvals are marked as used and the call is not: they are lost, and the
// next call that is the same asks anew.
func TestACrashInsideConsumeCostsTheApprovals(t *testing.T) {
	inner := parley.NewMemoryStore()
	opts := quorum(1, "bob")
	steady := newSiteOn(t, inner, opts, nil)
	_, open := steady.gather(t, transfer(), permit.Required)
	steady.answer(t, open["bob"], says(permit.AllowOnce))
	steady.gather(t, transfer(), permit.Granted)
	impatient := *opts
	impatient.Patience = -1
	dying := newSiteOn(t, failing{inner, "permission_use"}, &impatient, nil)
	wantError(t, dying.execute(t, transfer()), storetest.ErrInjected)
	wantError(t, steady.execute(t, transfer()), permit.ErrConsumed)
	_, _, err := steady.Gather(t.Context(), permit.Never, transfer())
	wantError(t, err, permit.ErrConsumed)
	next := with(transfer(), func(c *permit.Call) { c.ID = "2" })
	steady.wantRefused(t, next, permit.Required)
	_, again := steady.gather(t, next, permit.Required)
	if again["bob"].ID == open["bob"].ID {
		t.Error("the old answer counts again")
	}
}

func TestAUseOfApprovalsWhoseReplyWasLostCountsOnce(t *testing.T) {
	for _, kind := range []string{"permission", "permission_use"} {
		inner := parley.NewMemoryStore()
		steady := newSiteOn(t, inner, quorum(1, "bob"), nil)
		_, open := steady.gather(t, transfer(), permit.Required)
		steady.answer(t, open["bob"], says(permit.AllowOnce))
		steady.gather(t, transfer(), permit.Granted)
		lost := false
		s := newSiteOn(t, forgetful{inner, kind, &lost}, quorum(1, "bob"), nil)
		s.wantExecuted(t, transfer())
		wantError(t, s.execute(t, transfer()), permit.ErrConsumed)
		if !lost || s.server.count() != 1 {
			t.Errorf("%s: lost %t, made %d times", kind, lost, s.server.count())
		}
	}
}
