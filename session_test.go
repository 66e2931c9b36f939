package parley_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
)

func inSession(s string) parley.Request {
	r := confirm()
	r.Session = s
	return r
}

func TestParallelQuestionsStayOpen(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), nil)
	first, second := open(t, hub, inSession("s")), open(t, hub, inSession("s"))
	for _, r := range []parley.Request{second, first} {
		if err := hub.Answer(t.Context(), alice, r.ID, yes()); err != nil {
			t.Error(err)
		}
	}
}

func TestANewerQuestionSupersedesTheOlder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := parley.New(parley.NewMemoryStore(), &parley.Options{PerSession: parley.Supersede})
		elsewhere, none := open(t, hub, inSession("other")), open(t, hub, confirm())
		first := open(t, hub, inSession("s"))
		came := asked(t, hub, first.ID)
		synctest.Wait()
		start := time.Now()
		second := open(t, hub, inSession("s"))
		if o := <-came; o.Action != parley.Cancel || o.Reason != "superseded" || time.Since(start) != 0 {
			t.Errorf("first: %+v after %v", o, time.Since(start))
		}
		wantError(t, hub.Answer(t.Context(), alice, first.ID, yes()), parley.ErrSettled)
		for _, r := range []parley.Request{second, elsewhere, none} {
			if err := hub.Answer(t.Context(), alice, r.ID, yes()); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestOfManyThatOpenAtOnceOneSurvives(t *testing.T) {
	for range 50 {
		store := parley.NewMemoryStore()
		hubs := []*parley.Hub{
			parley.New(store, &parley.Options{PerSession: parley.Supersede}),
			parley.New(store, &parley.Options{PerSession: parley.Supersede}),
		}
		var wg sync.WaitGroup
		barrier := make(chan struct{})
		for i := range 8 {
			wg.Go(func() {
				<-barrier
				if _, err := hubs[i%2].Open(t.Context(), inSession("s")); err != nil {
					t.Error(err)
				}
			})
		}
		close(barrier)
		wg.Wait()
		list, err := store.List(t.Context(), parley.Query{Tenant: "default", Session: "s", Pending: true})
		if err != nil || len(list) != 1 {
			t.Fatalf("%d pending, %v; want 1", len(list), err)
		}
	}
}

func TestQueuedQuestionsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		hub := parley.New(store, &parley.Options{PerSession: parley.Queue, TTL: time.Hour})
		first := open(t, hub, inSession("s"))

		second := make(chan parley.Request, 1)
		queued := inSession("s")
		queued.ID = parley.NewID()
		go func() {
			r, err := hub.Open(t.Context(), queued)
			if err != nil {
				t.Error(err)
			}
			second <- r
		}()
		synctest.Wait()
		select {
		case <-second:
			t.Fatal("the second question did not wait for its turn")
		default:
		}
		if r, err := store.Get(t.Context(), queued.ID); err != nil || !r.Pending() {
			t.Fatalf("the queued question is not stored: %v", err)
		}
		wantError(t, hub.Answer(t.Context(), alice, queued.ID, yes()), parley.ErrQueued)
		open(t, hub, inSession("other")) // another session does not wait

		if err := hub.Answer(t.Context(), alice, first.ID, yes()); err != nil {
			t.Fatal(err)
		}
		if r := <-second; r.ID != queued.ID {
			t.Errorf("opened %+v", r)
		}
		if err := hub.Answer(t.Context(), alice, queued.ID, yes()); err != nil {
			t.Error(err)
		}
	})
}

func TestQuestionsWithoutASessionDoNotTakeTurns(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{PerSession: parley.Queue, TTL: time.Hour})
	open(t, hub, inSession("s"))
	open(t, hub, inSession(""))
	if err := hub.Answer(t.Context(), alice, open(t, hub, inSession("")).ID, yes()); err != nil {
		t.Error(err)
	}
}

func TestWhoLeavesTheQueueWithdrawsTheQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		hub := parley.New(store, &parley.Options{PerSession: parley.Queue, TTL: time.Hour})
		open(t, hub, inSession("s"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		r := inSession("s")
		r.ID = parley.NewID()
		_, err := hub.Open(ctx, r)
		wantError(t, err, context.DeadlineExceeded)
		if r, err := store.Get(t.Context(), r.ID); err != nil || r.Pending() || r.Outcome.Action != parley.Cancel {
			t.Errorf("%+v, %v; want it withdrawn", r, err)
		}
	})
}

func TestAQueuedQuestionExpiresInTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := parley.New(parley.NewMemoryStore(), &parley.Options{PerSession: parley.Queue, TTL: time.Hour})
		open(t, hub, inSession("s"))
		short := inSession("s")
		short.Expires = time.Now().Add(time.Minute)
		o, err := hub.Ask(t.Context(), short)
		if err != nil || o.Action != parley.Expire {
			t.Errorf("%+v, %v; want it expired", o, err)
		}
	})
}
