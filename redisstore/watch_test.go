package redisstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/redisstore"
)

// patience is how long tests wait for what must come.
const patience = 20 * time.Second

// hints is a watch in progress.
type hints struct {
	came chan hint  // every hint but the first
	done chan error // what Watch returned
	seen map[parley.ID]time.Time
}

type hint struct {
	id parley.ID
	at time.Time
}

// watch starts a watch and returns when it stands.
func watch(t testing.TB, s *redisstore.Store) *hints {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	h := &hints{came: make(chan hint, 4096), done: make(chan error, 1), seen: map[parley.ID]time.Time{}}
	go func() {
		h.done <- s.Watch(ctx, func(id parley.ID) { h.came <- hint{id, time.Now()} })
		close(h.done)
	}()
	t.Cleanup(func() {
		cancel()
		for range h.done {
		}
	})
	h.await(t, "")
	return h
}

// await returns when the hint came.
func (h *hints) await(t testing.TB, id parley.ID) time.Time {
	t.Helper()
	timeout := time.After(patience)
	for {
		if at, ok := h.seen[id]; ok {
			return at
		}
		select {
		case hint := <-h.came:
			h.seen[hint.id] = hint.at
		case err := <-h.done:
			t.Fatalf("Watch returned %v", err)
		case <-timeout:
			t.Fatalf("no hint of %q within %v", id, patience)
		}
	}
}

// end returns what Watch returned.
func (h *hints) end(t testing.TB) error {
	t.Helper()
	select {
	case err := <-h.done:
		return err
	case <-time.After(patience):
		t.Fatal("Watch goes on")
		return nil
	}
}

func TestNoHintIsMissedOnceTheWatchStands(t *testing.T) {
	const questions = 64
	for range 5 {
		a, b, _ := pair(t, redisstore.Options{})
		ids := make([]parley.ID, questions)
		for i := range ids {
			ids[i] = put(t, a, question("alice")).ID
		}
		h := watch(t, b)
		for i, err := range race(questions, func(i int) error { return a.Settle(t.Context(), ids[i], accepted("x")) }) {
			if err != nil {
				t.Fatal(i, err)
			}
		}
		for _, id := range ids {
			h.await(t, id)
		}
		if len(h.seen) != questions+1 {
			t.Errorf("%d hints, want one for each question and the first", len(h.seen))
		}
	}
}

func TestCloseEndsAWatch(t *testing.T) {
	s, _, _ := pair(t, redisstore.Options{})
	h := watch(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-h.done:
		if err == nil || errors.Is(err, context.Canceled) {
			t.Errorf("Watch returned %v, want an error that says the store is closed", err)
		}
	case <-time.After(patience):
		t.Error("Watch goes on")
	}
	if err := s.Watch(t.Context(), func(parley.ID) {}); err == nil {
		t.Error("Watch after Close succeeded")
	}
	if _, err := s.Get(t.Context(), parley.NewID()); err == nil || errors.Is(err, parley.ErrNotFound) {
		t.Errorf("Get after Close = %v", err)
	}
}

func TestAWatchEndsWhenTheServerEndsItsSubscription(t *testing.T) {
	server := servers.OwnRedis(t, nil)
	s := open(t, server.URL, &redisstore.Options{})
	h := watch(t, s)
	if _, err := ask(t, raw(t, server.URL), "CLIENT", "KILL", "TYPE", "pubsub"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-h.done:
		t.Log(err)
		if err == nil {
			t.Error("Watch returned no error")
		}
	case <-time.After(patience):
		t.Error("Watch goes on")
	}
}
