package parley_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/storetest"
)

// quiet keeps expected complaints out of the test's output.
var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// The promises of a hub over a store that fails in every way: each question has
// one outcome, whoever was told of success gave it, and every waiter returns it.
func TestAHubOverAFaultyStoreKeepsItsPromises(t *testing.T) {
	for seed := range uint64(4) {
		synctest.Test(t, func(t *testing.T) {
			inner := parley.NewMemoryStore()
			hubs := make([]*parley.Hub, 2)
			for i := range hubs {
				faults := storetest.Everything(0.3, 10*seed+uint64(i))
				hubs[i] = parley.New(storetest.Faulty(inner, faults), &parley.Options{TTL: time.Hour, Logger: quiet, Patience: time.Minute})
				run(t, hubs[i])
			}
			var wg sync.WaitGroup
			for i := range 200 {
				wg.Go(func() { settleUnderFaults(t, hubs, inner, i) })
			}
			wg.Wait()
		})
	}
}

func settleUnderFaults(t *testing.T, hubs []*parley.Hub, inner parley.Store, i int) {
	question := confirm()
	question.To = string(parley.NewID())
	owner := parley.Principal{User: question.To}
	r, err := hubs[i%2].Open(t.Context(), question)
	if err != nil {
		t.Errorf("Open: %v", err)
		return
	}
	outcomes := make([]parley.Outcome, 4)
	answers := []parley.Answer{yes(), {Action: parley.Decline}, {Action: parley.Cancel}}
	errs := make([]error, len(answers))
	var wg sync.WaitGroup
	for w := range outcomes {
		wg.Go(func() {
			var err error
			if outcomes[w], err = hubs[w%2].Wait(t.Context(), r.ID); err != nil {
				t.Errorf("Wait: %v", err)
			}
		})
	}
	for a := range answers {
		wg.Go(func() { errs[a] = hubs[a%2].Answer(t.Context(), owner, r.ID, answers[a]) })
	}
	wg.Wait()
	stored, err := inner.Get(t.Context(), r.ID)
	if err != nil || stored.Pending() {
		t.Errorf("%+v, %v; want it settled", stored, err)
		return
	}
	for _, o := range outcomes {
		if o.Claim != stored.Outcome.Claim {
			t.Errorf("a waiter got %+v, stored is %+v", o, *stored.Outcome)
		}
	}
	for a, err := range errs {
		won := answers[a].Action == stored.Outcome.Action
		switch {
		case won && err != nil:
			t.Errorf("%s settled it and was told %v", answers[a].Action, err)
		case !won && !errors.Is(err, parley.ErrSettled):
			t.Errorf("%s lost and was told %v", answers[a].Action, err)
		}
	}
}

// down is a store that fails until it is up.
type down struct {
	parley.Store
	until time.Time
}

func (d down) Get(ctx context.Context, id parley.ID) (parley.Request, error) {
	if time.Now().Before(d.until) {
		return parley.Request{}, errors.New("connection refused")
	}
	return d.Store.Get(ctx, id)
}

func TestAWaiterSitsOutAShortFailureAndReportsALongOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		r := open(t, parley.New(store, nil), confirm())

		hub := parley.New(down{store, time.Now().Add(5 * time.Second)}, nil)
		if o, err := hub.Wait(t.Context(), r.ID); err != nil || o.Action != parley.Expire {
			t.Errorf("after a short failure: %+v, %v", o, err)
		}
		hub = parley.New(down{store, time.Now().Add(time.Hour)}, nil)
		start := time.Now()
		_, err := hub.Wait(t.Context(), r.ID)
		if err == nil || !strings.Contains(err.Error(), "connection refused") {
			t.Errorf("after a long failure: %v", err)
		}
		if waited := time.Since(start); waited < 10*time.Second || waited > 12*time.Second {
			t.Errorf("reported after %v", waited)
		}
	})
}

func TestAWatchThatBreaksIsMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := parley.NewMemoryStore()
		here := parley.New(storetest.Faulty(inner, storetest.Faults{BreakWatch: 1}), &parley.Options{Logger: quiet})
		there := parley.New(inner, nil)
		run(t, here)
		for range 20 {
			r := open(t, there, confirm())
			came := asked(t, here, r.ID)
			if err := there.Answer(t.Context(), alice, r.ID, yes()); err != nil {
				t.Fatal(err)
			}
			<-came
		}
	})
}

// stubborn is a store in which one request cannot be settled, or none.
type stubborn struct {
	*parley.MemoryStore
	one   parley.ID // empty: none
	tried atomic.Int64
}

func (s *stubborn) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	s.tried.Add(1)
	if s.one == "" || s.one == id {
		return errors.New("disk I/O error")
	}
	return s.MemoryStore.Settle(ctx, id, o)
}

func TestOneQuestionThatCannotBeExpiredKeepsNoOtherOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &stubborn{MemoryStore: parley.NewMemoryStore()}
		hub := parley.New(store, &parley.Options{TTL: time.Second, Logger: quiet})
		var ids []parley.ID
		for i := range 3 * parley.MaxLimit / 2 {
			r := confirm()
			r.To = fmt.Sprint("person ", i%2)
			ids = append(ids, open(t, hub, r).ID)
		}
		store.one = ids[0]
		run(t, hub)
		time.Sleep(time.Minute)
		for _, id := range ids {
			r, err := store.Get(t.Context(), id)
			if err != nil || r.Pending() != (id == store.one) {
				t.Fatalf("%v of %d: pending %t, %v", id, len(ids), r.Pending(), err)
			}
		}
	})
}

// Where very many fall due, a sweep goes on although one of each lot cannot be expired.
func TestASweepGoesOnBesideWhatCannotBeExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &stubborn{MemoryStore: parley.NewMemoryStore()}
		hub := parley.New(store, &parley.Options{TTL: time.Second, Patience: time.Millisecond, SweepEvery: time.Hour, Logger: quiet})
		for i := range 4 * parley.MaxLimit {
			r := confirm()
			r.To = fmt.Sprint("person ", i%8)
			store.one = open(t, hub, r).ID
		}
		run(t, hub)
		time.Sleep(91 * time.Minute) // a sweep comes after half an hour to one and a half
		left, err := store.List(t.Context(), parley.Query{Pending: true, Limit: 10})
		if err != nil || len(left) != 1 || left[0].ID != store.one {
			t.Errorf("%d are open, %v", len(left), err)
		}
	})
}

func TestAStoreThatIsAwayIsNotAskedForEveryQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &stubborn{MemoryStore: parley.NewMemoryStore()}
		hub := parley.New(store, &parley.Options{TTL: time.Second, Patience: time.Millisecond, SweepEvery: 10 * time.Second, Logger: quiet})
		for range 200 {
			open(t, hub, confirm())
		}
		run(t, hub)
		time.Sleep(14 * time.Second) // one sweep, which comes after five to fifteen seconds
		if n := store.tried.Load(); n > 100 {
			t.Errorf("tried %d times", n)
		}
	})
}
