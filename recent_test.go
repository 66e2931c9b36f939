package parley_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
)

// Who opens a question, waits for it and takes its answer reads nothing of what this
// process has just written.
func TestWhatThisProcessOpenedIsNotReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &counting{MemoryStore: parley.NewMemoryStore()}
		hub := parley.New(store, nil)
		run(t, hub)
		synctest.Wait()
		q := confirm()
		q.ID = parley.NewID()
		expected := make(chan error, 1)
		go func() {
			_, err := hub.Expect(t.Context(), q.ID)
			expected <- err
		}()
		synctest.Wait()
		open(t, hub, q)
		came := asked(t, hub, q.ID)
		synctest.Wait()
		if err := hub.Answer(t.Context(), alice, q.ID, yes()); err != nil {
			t.Fatal(err)
		}
		if o := <-came; o.Action != parley.Accept {
			t.Errorf("outcome %+v", o)
		}
		if err := <-expected; err != nil {
			t.Error(err)
		}
		r, err := hub.Asked(t.Context(), alice, q.ID)
		if err != nil || r.Pending() || string(r.Outcome.Content) != `{"confirmed":true}` {
			t.Errorf("%+v, %v", r.Outcome, err)
		}
		_, err = hub.Asked(t.Context(), parley.Principal{User: "bob", Method: "session"}, q.ID)
		wantError(t, err, parley.ErrNotFound)
		if n := store.gets.Load(); n != 0 {
			t.Errorf("the question was read %d times", n)
		}
		wantError(t, hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Decline}), parley.ErrSettled)
	})
}

// What another process did counts: an answer is refused, and who begins to wait after
// it has the outcome at once.
func TestWhatAnotherProcessSettledIsNotTakenForOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		here, there := parley.New(store, nil), parley.New(store, nil)
		for _, runs := range []bool{false, true} {
			if runs {
				run(t, here)
				synctest.Wait()
			}
			r := open(t, here, confirm())
			if err := there.Answer(t.Context(), alice, r.ID, yes()); err != nil {
				t.Fatal(err)
			}
			synctest.Wait() // for the hint, if there is one
			began := time.Now()
			if o := <-asked(t, here, r.ID); o.Action != parley.Accept || time.Since(began) > 0 {
				t.Errorf("%+v after %v", o, time.Since(began))
			}
			wantError(t, here.Answer(t.Context(), alice, r.ID, parley.Answer{Action: parley.Decline}), parley.ErrSettled)
		}
	})
}

// Where no hint came because they are lost, only who waits right away relies on it.
func TestALostHintIsNotReliedUponForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := deaf{parley.NewMemoryStore()}
		here, there := parley.New(store, nil), parley.New(store, nil)
		run(t, here)
		synctest.Wait()
		r := open(t, here, confirm())
		if err := there.Answer(t.Context(), alice, r.ID, yes()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		began := time.Now()
		if o := <-asked(t, here, r.ID); o.Action != parley.Accept || time.Since(began) > 0 {
			t.Errorf("%+v after %v", o, time.Since(began))
		}
	})
}

// What is kept of the last questions is bounded; the rest is read.
func TestMoreThanTheLastQuestionsAreRead(t *testing.T) {
	store := &counting{MemoryStore: parley.NewMemoryStore()}
	hub := parley.New(store, nil)
	long := confirm()
	long.Message = strings.Repeat("long ", 2000)
	long.Schema = []byte(`{"type":"object","properties":{"confirmed":{"type":"boolean","description":"` + strings.Repeat("x", 8000) + `"}}}`)
	ids := []parley.ID{open(t, hub, confirm()).ID, open(t, hub, long).ID}
	for range 300 {
		open(t, hub, confirm())
	}
	for _, id := range ids {
		if err := hub.Answer(t.Context(), alice, id, yes()); err != nil {
			t.Fatal(err)
		}
	}
	if n := store.gets.Load(); n != 2 {
		t.Errorf("%d were read", n)
	}
}
