package parley_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

// What another process settled is settled, whatever is said here.
func TestAnAnswerThatDoesNotFitIsLateToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		here, there := parley.New(store, nil), parley.New(store, nil)
		for _, hears := range []bool{false, true} {
			if hears {
				run(t, here)
				synctest.Wait()
			}
			r := open(t, here, confirm())
			if err := there.Answer(t.Context(), alice, r.ID, yes()); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			err := here.Answer(t.Context(), alice, r.ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"confirmed":"perhaps"}`)})
			if !errors.Is(err, parley.ErrSettled) || errors.Is(err, form.ErrContent) {
				t.Errorf("hears %v: %v, want that it is settled", hears, err)
			}
		}
	})
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
		here, there := parley.New(store, nil), parley.New(store, nil)
		run(t, here)
		synctest.Wait()
		r := open(t, here, confirm())
		if err := there.Answer(t.Context(), alice, r.ID, yes()); err != nil {
			t.Fatal(err)
		}
		store.hints <- ""
		synctest.Wait()
		began := time.Now()
		if o := <-asked(t, here, r.ID); o.Action != parley.Accept || time.Since(began) > 0 {
			t.Errorf("%+v after %v", o, time.Since(began))
		}
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
