package parley_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
)

var silent = slog.New(slog.NewTextHandler(io.Discard, nil))

func quietNode(url string, records parley.Records) *parley.Node {
	return parley.NewNode(records, &parley.NodeOptions{URL: url, Logger: silent})
}

// killedNode is a node that was known and did not sign off.
func killedNode(t *testing.T, url string, records parley.Records) *parley.Node {
	t.Helper()
	store := &mortal{Records: records}
	n := quietNode(url, store)
	ctx, kill := context.WithCancel(t.Context())
	store.saved = kill
	store.dead.Store(true)
	if err := n.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return n
}

// runNode runs a node until the returned function has been called.
func runNode(t *testing.T, n *parley.Node) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := n.Run(ctx); !errors.Is(err, context.Canceled) {
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

// nobody names no node.
const nobody = "aaaaaaaaaaaaaaaa"

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

func expectAlive(t *testing.T, n *parley.Node, id string, want bool) {
	t.Helper()
	_, alive, err := n.Find(t.Context(), id)
	if err != nil || alive != want {
		t.Errorf("node %s: alive %v, %v; want %v", id, alive, err, want)
	}
}

func TestANodeIsAliveWhileItRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := parley.NewMemoryStore()
		a, b := quietNode("http://a", records), quietNode("http://b", records)
		expectAlive(t, a, a.ID(), false)
		stop := runNode(t, a)
		synctest.Wait()
		if !a.Running() {
			t.Error("it does not run")
		}
		expectAlive(t, a, a.ID(), true)
		time.Sleep(time.Hour)
		url, alive, err := b.Find(t.Context(), a.ID())
		if url != "http://a" || !alive || err != nil {
			t.Errorf("found %q, %v, %v", url, alive, err)
		}
		stop()
		if a.Running() {
			t.Error("it still runs")
		}
		expectAlive(t, b, a.ID(), true) // believed for a second
		time.Sleep(parley.FoundFor)
		expectAlive(t, b, a.ID(), false)
	})
}

func TestANodeRunsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := quietNode("", parley.NewMemoryStore())
		defer runNode(t, a)()
		synctest.Wait()
		if err := a.Run(t.Context()); err == nil {
			t.Error("it runs twice")
		}
	})
}

func TestANodeThatWasKilledIsDeadWhenItsLeaseEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := parley.NewMemoryStore()
		a, b := killedNode(t, "http://a", records), quietNode("http://b", records)
		expectAlive(t, b, a.ID(), true)
		time.Sleep(parley.NodeLease - time.Second)
		expectAlive(t, b, a.ID(), true)
		time.Sleep(time.Second)
		expectAlive(t, b, a.ID(), false)
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
				a, b := quietNode("http://a", store), quietNode("http://b", memory)
				fail(store, true)
				defer runNode(t, a)()
				time.Sleep(time.Minute)
				for range 3 {
					fail(store, false)
					time.Sleep(time.Minute)
					expectAlive(t, b, a.ID(), true)
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
		b := quietNode("http://b", store)
		for range 10 {
			expectAlive(t, b, nobody, false)
		}
		if n := store.loads.Load(); n != 1 {
			t.Errorf("%d look-ups", n)
		}
		b.Forget(nobody)
		expectAlive(t, b, nobody, false)
		if n := store.loads.Load(); n != 2 {
			t.Errorf("%d look-ups", n)
		}
		time.Sleep(parley.FoundFor)
		store.down.Store(true)
		if _, alive, err := b.Find(t.Context(), nobody); !errors.Is(err, errDown) || alive {
			t.Errorf("alive %v, %v", alive, err)
		}
	})
}

func TestInventedNodesCostNoMemory(t *testing.T) {
	b := quietNode("http://b", parley.NewMemoryStore())
	for i := range 3 * parley.FoundMax {
		expectAlive(t, b, fmt.Sprintf("%016d", i), false)
	}
	if b.Remembered() > parley.FoundMax {
		t.Errorf("%d nodes remembered", b.Remembered())
	}
}

func TestANodeWithoutRecordsIsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := quietNode("http://a", nil)
		defer runNode(t, a)()
		synctest.Wait()
		expectAlive(t, a, a.ID(), true)
		expectAlive(t, a, nobody, false)
	})
}

func expectDead(t *testing.T, n *parley.Node, id string, want bool) {
	t.Helper()
	if alive, err := n.Alive(t.Context(), id); err != nil || alive == want {
		t.Errorf("node %s: alive %v, %v; want dead: %v", id, alive, err, want)
	}
}

// Who answers at a node's address, or that nobody does, says nothing about the node:
// the address may be a balancer's, or mean another machine to whoever reads it.
func TestWhoAnswersAtANodesAddressIsNoProofOfItsDeath(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"the node that looks": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Parley-Node", "bbbbbbbbbbbbbbbb") },
		"a third one":         func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Parley-Node", "cccccccccccccccc") },
		"nobody":              nil,
	} {
		t.Run(name, func(t *testing.T) {
			there := httptest.NewServer(answer)
			defer there.Close()
			if answer == nil {
				there.Close()
			}
			records := parley.NewMemoryStore()
			a, b := killedNode(t, there.URL, records), quietNode(there.URL, records)
			expectDead(t, b, a.ID(), false)
		})
	}
}

// roll is a store that knows who attends.
type roll struct {
	parley.Records
	mu     sync.Mutex
	there  map[string]context.CancelFunc
	asked  int
	during func() // happens while somebody makes sure that another is absent
}

func (r *roll) Attend(ctx context.Context, id string, there func()) error {
	ctx, drop := context.WithCancel(ctx)
	r.mu.Lock()
	r.there[id] = drop
	r.mu.Unlock()
	there()
	<-ctx.Done()
	r.mu.Lock()
	delete(r.there, id)
	r.mu.Unlock()
	return ctx.Err()
}

func (r *roll) Absent(_ context.Context, id string) (bool, error) {
	r.mu.Lock()
	_, there := r.there[id]
	r.asked++
	during := r.during
	r.mu.Unlock()
	if !there && during != nil {
		during()
	}
	return !there, nil
}

// mortal is the store as a node sees it that does not sign off.
type mortal struct {
	parley.Records
	dead  atomic.Bool
	saved func() // is called after each save; nil: nobody is
}

func (m *mortal) Save(ctx context.Context, r parley.Record) (int64, error) {
	version, err := m.Records.Save(ctx, r)
	if m.saved != nil {
		m.saved()
	}
	return version, err
}

func (m *mortal) Delete(ctx context.Context, at parley.Address, version int64) error {
	if m.dead.Load() {
		return errDown
	}
	return m.Records.Delete(ctx, at, version)
}

func TestANodeWhoseStoreMissesItIsDeadBeforeItsLeaseEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &roll{Records: parley.NewMemoryStore(), there: map[string]context.CancelFunc{}}
		dying := &mortal{Records: store}
		a := parley.NewNode(dying, &parley.NodeOptions{Attendance: store, Logger: silent})
		b := quietNode("http://b", store)
		stop := runNode(t, a)
		synctest.Wait()
		expectDead(t, b, a.ID(), false)
		dying.dead.Store(true)
		stop()
		expectDead(t, b, a.ID(), true)
	})
}

// A node whose connection to the store broke attends again, and says so meanwhile.
func TestANodeThatTheStoreLostSightOfIsNotDead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &roll{Records: parley.NewMemoryStore(), there: map[string]context.CancelFunc{}}
		a, b := quietNode("http://a", store), quietNode("http://b", store)
		defer runNode(t, a)()
		synctest.Wait()
		store.mu.Lock()
		store.during = synctest.Wait // a store takes a moment to be sure
		drop := store.there[a.ID()]
		store.mu.Unlock()
		expectDead(t, b, a.ID(), false) // and is looked up
		drop()
		expectDead(t, b, a.ID(), false)
		synctest.Wait()
		time.Sleep(time.Second)
		store.mu.Lock()
		drop = store.there[a.ID()]
		store.mu.Unlock()
		drop()
		synctest.Wait()
		if b.Absent(t.Context(), a.ID(), true) {
			t.Error("it is taken for absent, though it says that only its connection has broken")
		}
		time.Sleep(time.Minute)
		expectDead(t, b, a.ID(), false)
	})
}

// A store that was away may have dropped the record of a node that is there again, and has taken
// something: who attends is there, record or not.
func TestANodeThatAttendsAndHasNoRecordYetIsNotAbsent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &roll{Records: parley.NewMemoryStore(), there: map[string]context.CancelFunc{}}
		ctx, leave := context.WithCancel(t.Context())
		go func() { _ = store.Attend(ctx, "young", func() {}) }()
		synctest.Wait()
		b := quietNode("http://b", store)
		if b.Absent(t.Context(), "young", true) {
			t.Error("it is there")
		}
		leave()
		synctest.Wait()
		if !b.Absent(t.Context(), "young", true) {
			t.Error("it has ended")
		}
		if b.Absent(t.Context(), "young", false) {
			t.Error("it may never have attended")
		}
	})
}

// What never attended is judged by its lease alone.
func TestANodeThatDoesNotAttendIsAliveWhileItsLeaseLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &roll{Records: parley.NewMemoryStore(), there: map[string]context.CancelFunc{}}
		a, b := killedNode(t, "http://a", store.Records), quietNode("http://b", store)
		time.Sleep(parley.NodeLease - time.Second)
		expectDead(t, b, a.ID(), false)
		time.Sleep(time.Second)
		expectDead(t, b, a.ID(), true)
		if store.asked > 0 {
			t.Error("the store was asked for a node that never attended")
		}
	})
}

// The client of a node that was killed comes to the next one before the store has
// noticed.
func TestANodeThatTheStoreStillSeesIsLookedAtForAMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &roll{Records: parley.NewMemoryStore(), there: map[string]context.CancelFunc{}}
		a, b := quietNode("http://a", store), quietNode("http://b", store)
		defer runNode(t, a)()
		synctest.Wait()
		seen := b.Witness()
		for _, want := range []bool{true, false} {
			if unsure, err := seen.Doubts(t.Context(), a.ID(), true); err != nil || unsure != want {
				t.Errorf("unsure: %v, %v; want %v", unsure, err, want)
			}
			time.Sleep(parley.SeenTime)
		}
	})
}

// Whoever answers a question whose call died with its node a moment ago comes before
// the store has noticed: the answer is not taken.
func TestANodeIsSurelyThereOnceItWasSeenForAMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &roll{Records: parley.NewMemoryStore(), there: map[string]context.CancelFunc{}}
		dying := &mortal{Records: store}
		a := parley.NewNode(dying, &parley.NodeOptions{Attendance: store, Logger: silent})
		b := quietNode("http://b", store)
		stop := runNode(t, a)
		synctest.Wait()
		if alive, err := b.Sure(t.Context(), a.ID()); err != nil || !alive {
			t.Errorf("alive: %v, %v", alive, err)
		}
		dying.dead.Store(true)
		time.AfterFunc(parley.SeenTime/2, stop) // it is dead now, and missed then
		if alive, err := b.Sure(t.Context(), a.ID()); err != nil || alive {
			t.Errorf("dead: %v, %v", alive, err)
		}
	})
}

func TestWhoeverWantsToKnowIsToldOfDeathsAndNotOfFarewells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		here := quietNode("http://here", store)
		defer runNode(t, here)()
		var told, forgotten atomic.Int64
		defer here.OnDeath(func() { told.Add(1) })()
		here.OnDeath(func() { forgotten.Add(1) })()
		leave := runNode(t, quietNode("http://leaves", store))
		time.Sleep(time.Minute)
		leave()
		time.Sleep(time.Minute)
		if n := told.Load(); n != 0 {
			t.Errorf("told %d times of a node that signed off", n)
		}
		killedNode(t, "http://dies", store)
		time.Sleep(time.Minute)
		if n := told.Load(); n != 1 || forgotten.Load() != 0 {
			t.Errorf("told %d times of a death, and %d times who did not want to know", n, forgotten.Load())
		}
	})
}

func TestADeathThatTheStoreKnowsOfIsToldOnceAndSooner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &roll{Records: parley.NewMemoryStore(), there: map[string]context.CancelFunc{}}
		dying := &mortal{Records: store}
		dies := parley.NewNode(dying, &parley.NodeOptions{Attendance: store, Logger: silent})
		here := quietNode("http://here", store)
		defer runNode(t, here)()
		stop := runNode(t, dies)
		var told atomic.Int64
		defer here.OnDeath(func() { told.Add(1) })()
		time.Sleep(time.Minute)
		dying.dead.Store(true)
		stop()
		time.Sleep(3 * time.Second)
		if n := told.Load(); n != 1 {
			t.Errorf("told %d times within three seconds", n)
		}
		time.Sleep(time.Minute)
		if n := told.Load(); n != 1 {
			t.Errorf("told %d times of one death", n)
		}
	})
}

func TestAHintThatDiedWithItsNodeIsMadeUpForSooner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := deaf{parley.NewMemoryStore()}
		here, there := parley.New(store, &parley.Options{TTL: time.Hour}), parley.New(store, nil)
		run(t, here)
		node := quietNode("http://here", store)
		defer runNode(t, node)()
		defer node.OnDeath(here.LookAgain)()
		r := open(t, here, confirm())
		came := asked(t, here, r.ID)
		synctest.Wait()
		start := time.Now()
		if err := there.Answer(t.Context(), alice, r.ID, yes()); err != nil {
			t.Fatal(err)
		}
		killedNode(t, "http://there", store)
		<-came
		if waited := time.Since(start); waited == 0 || waited > 13*time.Second {
			t.Errorf("read again %v after the death; want as soon as it is known", waited) // and without it after 15 s at the earliest
		}
	})
}
