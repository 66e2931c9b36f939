package api

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
)

// counted counts what a store is asked.
type counted struct {
	Requests
	gets, lists atomic.Int64
}

func (c *counted) Get(ctx context.Context, id parley.ID) (parley.Request, error) {
	c.gets.Add(1)
	return c.Requests.Get(ctx, id)
}

func (c *counted) List(ctx context.Context, q parley.Query) ([]parley.Request, error) {
	c.lists.Add(1)
	return c.Requests.List(ctx, q)
}

var bobs = addressee{parley.DefaultTenant, "bob"}

// lookedOut is a lookout over a store that another process opens questions in.
func lookedOut(t *testing.T) (l *lookout, here, there *parley.Hub, store *counted) {
	memory := parley.NewMemoryStore()
	opts := &parley.Options{Limits: parley.Limits{Pending: 10_000}, Logger: slog.New(slog.DiscardHandler)}
	here, there = parley.New(memory, opts), parley.New(memory, opts)
	store = &counted{Requests: memory}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- here.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	synctest.Wait()
	return &lookout{hub: here, requests: store, logger: opts.Logger}, here, there, store
}

func ask(t *testing.T, h *parley.Hub, r parley.Request) parley.ID {
	t.Helper()
	if r.To == "" {
		r.To = "bob"
	}
	r.Message = "Shall I?"
	q, err := h.Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return q.ID
}

func reader(t *testing.T, l *lookout, of addressee) (<-chan news, func()) {
	t.Helper()
	told, leave, err := l.follow(t.Context(), of)
	if err != nil {
		t.Fatal(err)
	}
	return told, leave
}

// drain takes what was told so far: questions by their ids, and what else.
func drain(told <-chan news) (ids map[parley.ID]bool, missed, many bool) {
	ids = map[parley.ID]bool{}
	for len(told) > 0 {
		one := <-told
		if one.question != nil {
			ids[one.question.ID] = true
		}
		missed, many = missed || one.missed, many || one.manyNew
	}
	return ids, missed, many
}

func TestManyReadersCostTheStoreWhatOneDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, here, there, store := lookedOut(t)
		old := ask(t, there, parley.Request{})
		var all []<-chan news
		for range 50 {
			told, leave := reader(t, l, bobs)
			defer leave()
			all = append(all, told)
		}
		strangers, leave := reader(t, l, addressee{parley.DefaultTenant, "carol"})
		defer leave()
		synctest.Wait()
		for _, told := range append(all, strangers) { // the watch begins with a word that some may have been missed
			drain(told)
		}
		store.gets.Store(0)
		store.lists.Store(0)
		local := ask(t, here, parley.Request{})
		time.Sleep(time.Second)
		remote := ask(t, there, parley.Request{})
		time.Sleep(time.Second)
		if err := there.Cancel(t.Context(), old, "not needed"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		for i, told := range all {
			got, _, _ := drain(told)
			if len(got) != 3 || !got[local] || !got[remote] || !got[old] {
				t.Fatalf("reader %d was told of %v", i, got)
			}
		}
		if len(strangers) > 0 {
			t.Errorf("somebody else was told of %+v", <-strangers)
		}
		if gets, lists := store.gets.Load(), store.lists.Load(); gets > 3 || lists > int64(7*time.Second/lookEvery)+1 {
			t.Errorf("%d reads and %d lists in 7 s", gets, lists)
		}
	})
}

// An id is made before its question is stored, and clocks are not the same.
func TestAQuestionWithAnIDOfAMomentAgoIsFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, _, there, _ := lookedOut(t)
		told, leave := reader(t, l, bobs)
		defer leave()
		late := parley.NewID()
		time.Sleep(time.Second)
		first := ask(t, there, parley.Request{})
		time.Sleep(time.Second)
		ask(t, there, parley.Request{ID: late})
		time.Sleep(time.Second)
		got, _, _ := drain(told)
		if !got[first] || !got[late] {
			t.Errorf("told of %v, want %s and %s", got, first, late)
		}
	})
}

func TestTooManyNewQuestionsAreLeftToTheReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, _, there, _ := lookedOut(t)
		told, leave := reader(t, l, bobs)
		defer leave()
		synctest.Wait()
		drain(told)
		for range lookMost + 1 {
			ask(t, there, parley.Request{To: "dave"})
		}
		time.Sleep(time.Second)
		if got, missed, many := drain(told); len(got) > 0 || missed || !many {
			t.Errorf("told of %v, %v, %v", got, missed, many)
		}
		one := ask(t, there, parley.Request{})
		time.Sleep(time.Second)
		if got, _, many := drain(told); !got[one] || many {
			t.Errorf("told of %v, %v", got, many)
		}
	})
}

func TestASlowReaderIsToldToLookAtEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, here, _, _ := lookedOut(t)
		told, leave := reader(t, l, bobs)
		defer leave()
		for range newsRoom + 10 {
			ask(t, here, parley.Request{})
			synctest.Wait()
		}
		if _, missed, _ := drain(told); !missed {
			t.Error("nobody said that some were missed")
		}
	})
}

// With the last reader the work ends, and with the next one it begins again.
func TestNobodyLooksWhenNobodyFollows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, _, there, store := lookedOut(t)
		_, leave := reader(t, l, bobs)
		_, other := reader(t, l, bobs)
		leave()
		other()
		store.lists.Store(0)
		time.Sleep(time.Hour)
		if n := store.lists.Load(); n != 0 {
			t.Errorf("%d looks", n)
		}
		told, leave := reader(t, l, bobs)
		defer leave()
		id := ask(t, there, parley.Request{})
		time.Sleep(time.Second)
		if got, _, _ := drain(told); !got[id] {
			t.Error("not told")
		}
	})
}
