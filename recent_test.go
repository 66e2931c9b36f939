package parley_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
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

// answeredElsewhere opens a question at a hub that runs, which another process answers.
func answeredElsewhere(t *testing.T, store parley.Store) (here *parley.Hub, id parley.ID) {
	t.Helper()
	here, there := parley.New(store, nil), parley.New(store, nil)
	run(t, here)
	synctest.Wait()
	id = open(t, here, confirm()).ID
	if err := there.Answer(t.Context(), alice, id, yes()); err != nil {
		t.Fatal(err)
	}
	return here, id
}

// settledElsewhere opens questions here, which another process answers, and hears of it or not.
func settledElsewhere(t *testing.T, then func(here *parley.Hub, id parley.ID)) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		here, there := parley.New(store, nil), parley.New(store, nil)
		for _, hears := range []bool{false, true} {
			if hears {
				run(t, here)
				synctest.Wait()
			}
			id := open(t, here, confirm()).ID
			if err := there.Answer(t.Context(), alice, id, yes()); err != nil {
				t.Fatal(err)
			}
			synctest.Wait() // for the hint, if there is one
			then(here, id)
		}
	})
}

// acceptedAtOnce waits for an outcome that is there.
func acceptedAtOnce(t *testing.T, hub *parley.Hub, id parley.ID) {
	t.Helper()
	began := time.Now()
	if o := <-asked(t, hub, id); o.Action != parley.Accept || time.Since(began) > 0 {
		t.Errorf("%+v after %v", o, time.Since(began))
	}
}

// What another process did counts: an answer is refused, and who begins to wait after
// it has the outcome at once.
func TestWhatAnotherProcessSettledIsNotTakenForOpen(t *testing.T) {
	settledElsewhere(t, func(here *parley.Hub, id parley.ID) {
		acceptedAtOnce(t, here, id)
		wantError(t, here.Answer(t.Context(), alice, id, parley.Answer{Action: parley.Decline}), parley.ErrSettled)
	})
}

// What another process settled is settled, whatever is said here.
func TestAnAnswerThatDoesNotFitIsLateToo(t *testing.T) {
	settledElsewhere(t, func(here *parley.Hub, id parley.ID) {
		err := here.Answer(t.Context(), alice, id, parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":"perhaps"}`)})
		if !errors.Is(err, parley.ErrSettled) || errors.Is(err, form.ErrContent) {
			t.Errorf("%v, want that it is settled", err)
		}
	})
}

// Where no hint came because they are lost, only who waits right away relies on it.
func TestALostHintIsNotReliedUponForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := deaf{parley.NewMemoryStore()}
		here, id := answeredElsewhere(t, store)
		time.Sleep(2 * time.Second)
		acceptedAtOnce(t, here, id)
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

// Who says again elsewhere what was accepted in time is not told that it expired.
func TestWhatWasAnsweredInTimeDoesNotExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		here, there := parley.New(store, nil), parley.New(store, nil)
		run(t, here)
		synctest.Wait()
		q := confirm()
		q.Expires = time.Now().Add(10 * time.Second)
		r := open(t, here, q)
		if err := there.Answer(t.Context(), alice, r.ID, yes()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(11 * time.Second)
		wantError(t, here.Answer(t.Context(), alice, r.ID, yes()), parley.ErrRepeated)
	})
}

// held is a store whose questions to bob take long to be stored.
type held struct {
	*parley.MemoryStore
	came, go_ chan struct{}
}

func (h held) Put(ctx context.Context, r parley.Request, most int) error {
	if r.To == "bob" {
		close(h.came)
		<-h.go_
	}
	return h.MemoryStore.Put(ctx, r, most)
}

// A question that is only about to be stored is nobody's, also where another one of its
// id is stored.
func TestAQuestionOfTheSameIDIsNotTakenForTheOther(t *testing.T) {
	store := held{parley.NewMemoryStore(), make(chan struct{}), make(chan struct{})}
	hub := parley.New(store, nil)
	bobs, id := confirm(), parley.NewID()
	bobs.To, bobs.ID = "bob", id
	over := make(chan error, 1)
	go func() {
		_, err := hub.Open(t.Context(), bobs)
		over <- err
	}()
	<-store.came
	alices := confirm()
	alices.ID = id
	open(t, hub, alices)
	err := hub.Answer(t.Context(), parley.Principal{User: "bob", Method: "session"}, id, yes())
	close(store.go_)
	<-over
	if r, _ := store.Get(t.Context(), id); err == nil || r.Outcome != nil {
		t.Errorf("bob answered the question of %s: %v, %+v", r.To, err, r.Outcome)
	}
}

// forgetful is a store that keeps no outcome.
type forgetful struct{ *parley.MemoryStore }

func (f forgetful) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	o.Content = nil
	return f.MemoryStore.Settle(ctx, id, o)
}

func TestWhatIsKeptOfTheLastAnswersIsBounded(t *testing.T) {
	hub := parley.New(forgetful{parley.NewMemoryStore()}, nil)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	q := confirm()
	q.Schema = []byte(`{"type":"object","properties":{"text":{"type":"string"}}}`)
	content := []byte(`{"text":"` + strings.Repeat("x", 200<<10) + `"}`)
	before := heap()
	for range 256 {
		r := open(t, hub, q)
		if err := hub.Answer(t.Context(), alice, r.ID, parley.Answer{Action: parley.Accept, Content: content}); err != nil {
			t.Fatal(err)
		}
	}
	if grown := int64(heap()) - int64(before); grown > 16<<20 {
		t.Errorf("%d MiB are held", grown>>20)
	}
	runtime.KeepAlive(hub)
}

// told is a store whose hints are the test's.
type told struct {
	*parley.MemoryStore
	hints chan parley.ID
}

func (s told) Watch(ctx context.Context, settled func(parley.ID)) error {
	settled("")
	for {
		select {
		case id := <-s.hints:
			settled(id)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Who may have missed a hint relies on nothing that came before.
func TestAfterAGapInTheWatchTheStoreIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := told{parley.NewMemoryStore(), make(chan parley.ID)}
		here, id := answeredElsewhere(t, store)
		store.hints <- ""
		synctest.Wait()
		acceptedAtOnce(t, here, id)
	})
}

// Large questions, and those of more than a minute ago, are read.
func TestOnlySmallAndNewQuestionsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &counting{MemoryStore: parley.NewMemoryStore()}
		hub := parley.New(store, nil)
		large := confirm()
		large.Schema = []byte(`{"type":"object","properties":{"confirmed":{"type":"boolean","description":"` + strings.Repeat("x", 20<<10) + `"}}}`)
		for name, q := range map[string]parley.Request{"large": large, "old": confirm()} {
			r, before := open(t, hub, q), store.gets.Load()
			if name == "old" {
				time.Sleep(61 * time.Second)
			}
			if _, err := hub.Asked(t.Context(), alice, r.ID); err != nil || store.gets.Load() != before+1 {
				t.Errorf("%s: %d reads, %v", name, store.gets.Load()-before, err)
			}
		}
	})
}
