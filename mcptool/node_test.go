package mcptool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
)

var silent = slog.New(slog.NewTextHandler(io.Discard, nil))

func quietNode(id, url string, records parley.Records) *node {
	n := newNode(id, url, records)
	n.logger = silent
	return n
}

// runNode runs a node until the returned function has been called.
func runNode(t *testing.T, n *node) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := n.run(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("run: %v", err)
		}
	})
	return func() {
		cancel()
		wg.Wait()
	}
}

// shaky is a store that can fail, and lose the replies of writes.
type shaky struct {
	parley.Records
	down, deaf atomic.Bool
	loads      atomic.Int64
}

var errDown = errors.New("the store is down")

func (s *shaky) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	s.loads.Add(1)
	if s.down.Load() {
		return parley.Record{}, errDown
	}
	return s.Records.Load(ctx, at)
}

func (s *shaky) Save(ctx context.Context, r parley.Record) (int64, error) {
	if s.down.Load() {
		return 0, errDown
	}
	version, err := s.Records.Save(ctx, r)
	if s.deaf.Load() {
		return 0, errDown
	}
	return version, err
}

const (
	idA = "aaaaaaaaaaaaaaaa"
	idB = "bbbbbbbbbbbbbbbb"
	idC = "cccccccccccccccc"
)

func expectAlive(t *testing.T, n *node, id string, want bool) {
	t.Helper()
	_, alive, err := n.find(t.Context(), id)
	if err != nil || alive != want {
		t.Errorf("node %s: alive %v, %v; want %v", id, alive, err, want)
	}
}

func TestANodeIsAliveWhileItRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := parley.NewMemoryStore()
		a, b := quietNode(idA, "http://a", records), quietNode(idB, "http://b", records)
		expectAlive(t, a, idA, false)
		stop := runNode(t, a)
		synctest.Wait()
		if !a.running() {
			t.Error("it does not run")
		}
		expectAlive(t, a, idA, true)
		time.Sleep(time.Hour)
		url, alive, err := b.find(t.Context(), idA)
		if url != "http://a" || !alive || err != nil {
			t.Errorf("found %q, %v, %v", url, alive, err)
		}
		stop()
		if a.running() {
			t.Error("it still runs")
		}
		expectAlive(t, b, idA, true) // believed for a second
		time.Sleep(foundFor)
		expectAlive(t, b, idA, false)
	})
}

func TestANodeRunsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := quietNode(idA, "", parley.NewMemoryStore())
		defer runNode(t, a)()
		synctest.Wait()
		if err := a.run(t.Context()); err == nil {
			t.Error("it runs twice")
		}
	})
}

func TestANodeThatWasKilledIsDeadWhenItsLeaseEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := parley.NewMemoryStore()
		a, b := quietNode(idA, "http://a", records), quietNode(idB, "http://b", records)
		if _, err := a.renew(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		expectAlive(t, b, idA, true)
		time.Sleep(nodeLease - time.Second)
		expectAlive(t, b, idA, true)
		time.Sleep(time.Second)
		expectAlive(t, b, idA, false)
	})
}

func TestANodeOutlivesItsStoresFailures(t *testing.T) {
	for name, fail := range map[string]func(*shaky, bool){
		"down":         func(s *shaky, on bool) { s.down.Store(on) },
		"replies lost": func(s *shaky, on bool) { s.deaf.Store(on) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				memory := parley.NewMemoryStore()
				store := &shaky{Records: memory}
				a, b := quietNode(idA, "http://a", store), quietNode(idB, "http://b", memory)
				fail(store, true)
				defer runNode(t, a)()
				time.Sleep(time.Minute)
				for range 3 {
					fail(store, false)
					time.Sleep(time.Minute)
					expectAlive(t, b, idA, true)
					fail(store, true)
					time.Sleep(time.Minute)
				}
				fail(store, false)
			})
		})
	}
}

func TestALookUpIsBelievedForASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &shaky{Records: parley.NewMemoryStore()}
		b := quietNode(idB, "http://b", store)
		for range 10 {
			expectAlive(t, b, idA, false)
		}
		if n := store.loads.Load(); n != 1 {
			t.Errorf("%d look-ups", n)
		}
		b.forget(idA)
		expectAlive(t, b, idA, false)
		if n := store.loads.Load(); n != 2 {
			t.Errorf("%d look-ups", n)
		}
		time.Sleep(foundFor)
		store.down.Store(true)
		if _, alive, err := b.find(t.Context(), idA); !errors.Is(err, errDown) || alive {
			t.Errorf("alive %v, %v", alive, err)
		}
	})
}

func TestInventedNodesCostNoMemory(t *testing.T) {
	b := quietNode(idB, "http://b", parley.NewMemoryStore())
	for i := range 3 * foundMax {
		expectAlive(t, b, fmt.Sprintf("%016d", i), false)
	}
	if len(b.cache) > foundMax {
		t.Errorf("%d nodes remembered", len(b.cache))
	}
}

func TestANodeWithoutRecordsIsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := quietNode(idA, "http://a", nil)
		defer runNode(t, a)()
		synctest.Wait()
		expectAlive(t, a, idA, true)
		expectAlive(t, a, idB, false)
	})
}
