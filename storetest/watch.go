package storetest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
)

func runWatch(t *testing.T, open Opener) {
	runAll(t, open, []subtest{
		{"the first hint is the empty id", watchFirst},
		{"every watcher hears of what another handle settles", watchHears},
		{"no hint of a burst is lost in silence", watchBurst},
		{"what is settled as soon as the watch stands is heard", watchColdStart},
		{"it ends with its context", watchEnds},
	})
	t.Run("a request that expired or was put is no hint", func(t *testing.T) {
		a, again := open(t, keep)
		watchQuiet(t, a, again())
	})
}

// hints collects what Watch reports.
type hints struct {
	stands chan struct{} // closed at the first empty id
	came   chan struct{} // poked at every hint

	mu   sync.Mutex
	seen []parley.ID
}

// watch starts watching and returns when the subscription stands.
func watch(t *testing.T, s Backend) *hints {
	t.Helper()
	h := &hints{stands: make(chan struct{}), came: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Watch(ctx, h.add) }()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	select {
	case <-h.stands:
	case err := <-done:
		done <- err
		t.Fatalf("Watch returned %v", err)
	case <-time.After(patience):
		t.Fatal("Watch did not say that it stands")
	}
	return h
}

func (h *hints) add(id parley.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.seen) == 0 {
		close(h.stands)
	}
	h.seen = append(h.seen, id)
	select {
	case h.came <- struct{}{}:
	default:
	}
}

// heard reports whether id was hinted, or lost aloud: by an empty id after the
// first n hints.
func (h *hints) heard(id parley.ID, n int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Contains(h.seen, id) || len(h.seen) > n && slices.Contains(h.seen[n:], "")
}

func (h *hints) await(t *testing.T, id parley.ID, n int) {
	t.Helper()
	timeout := time.After(patience)
	for !h.heard(id, n) {
		select {
		case <-h.came:
		case <-timeout:
			t.Fatalf("no hint of %s within %v", id, patience)
		}
	}
}

func watchFirst(t *testing.T, a, _ Backend) {
	r := question("alice")
	put(t, a, r)
	h := watch(t, a)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seen[0] != "" {
		t.Errorf("first hint %q, want the empty id", h.seen[0])
	}
}

func watchHears(t *testing.T, a, b Backend) {
	watchers := []*hints{watch(t, a), watch(t, b), watch(t, a)}
	for i := range 20 {
		r := question("alice")
		put(t, a, r)
		if err := [2]Backend{a, b}[i%2].Settle(t.Context(), r.ID, accepted("x")); err != nil {
			t.Fatal(err)
		}
		for _, w := range watchers {
			w.await(t, r.ID, 1)
		}
	}
}

func watchBurst(t *testing.T, a, b Backend) {
	var ids []parley.ID
	for range 600 {
		r := question("alice")
		put(t, a, r)
		ids = append(ids, r.ID)
	}
	w := watch(t, b)
	race(4, func(i int) error {
		for j := i; j < len(ids); j += 4 {
			if err := a.Settle(t.Context(), ids[j], accepted("x")); err != nil {
				t.Error(err)
			}
		}
		return nil
	})
	for _, id := range ids {
		w.await(t, id, 1)
	}
}

func watchColdStart(t *testing.T, a, b Backend) {
	for range 8 {
		var ids []parley.ID
		for range 8 {
			r := question("alice")
			put(t, a, r)
			ids = append(ids, r.ID)
		}
		w := watch(t, b)
		for _, id := range ids {
			if err := a.Settle(t.Context(), id, accepted("x")); err != nil {
				t.Fatal(err)
			}
		}
		for _, id := range ids {
			w.await(t, id, 1)
		}
	}
}

func watchEnds(t *testing.T, a, _ Backend) {
	ctx, cancel := context.WithCancel(t.Context())
	err := a.Watch(ctx, func(parley.ID) { cancel() })
	wantError(t, err, context.Canceled)
}

func watchQuiet(t *testing.T, a, b Backend) {
	w := watch(t, b)
	quiet, loud := question("alice"), question("alice")
	quiet.Expires = now().Add(-time.Minute)
	put(t, a, quiet)
	put(t, a, loud)
	if err := a.Settle(t.Context(), loud.ID, accepted("x")); err != nil {
		t.Fatal(err)
	}
	w.await(t, loud.ID, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.Contains(w.seen, quiet.ID) {
		t.Error("a request that nobody settled was hinted")
	}
}
