package mcptool

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
)

func expectDead(t *testing.T, n *node, id string, want bool) {
	t.Helper()
	if dead, err := n.dead(t.Context(), id); err != nil || dead != want {
		t.Errorf("node %s: dead %v, %v; want %v", id, dead, err, want)
	}
}

// Who answers at a node's address, or that nobody does, says nothing about the node:
// the address may be a balancer's, or mean another machine to whoever reads it.
func TestWhoAnswersAtANodesAddressIsNoProofOfItsDeath(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"the node that looks": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Parley-Node", idB) },
		"a third one":         func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Parley-Node", idC) },
		"nobody":              nil,
	} {
		t.Run(name, func(t *testing.T) {
			there := httptest.NewServer(answer)
			defer there.Close()
			if answer == nil {
				there.Close()
			}
			records := parley.NewMemoryStore()
			a, b := quietNode(idA, there.URL, records), quietNode(idB, there.URL, records)
			if _, err := a.renew(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
			expectDead(t, b, idA, false)
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
	dead atomic.Bool
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
		a, b := quietNode(idA, "http://a", dying), quietNode(idB, "http://b", store)
		a.attendance, b.attendance = store, store
		stop := runNode(t, a)
		synctest.Wait()
		expectDead(t, b, idA, false)
		dying.dead.Store(true)
		stop()
		expectDead(t, b, idA, true)
	})
}

// A node whose connection to the store broke attends again, and says so meanwhile.
func TestANodeThatTheStoreLostSightOfIsNotDead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &roll{Records: parley.NewMemoryStore(), there: map[string]context.CancelFunc{}}
		a, b := quietNode(idA, "http://a", store), quietNode(idB, "http://b", store)
		a.attendance, b.attendance = store, store
		defer runNode(t, a)()
		synctest.Wait()
		store.mu.Lock()
		store.during = synctest.Wait // a store takes a second to be sure
		drop := store.there[idA]
		store.mu.Unlock()
		expectDead(t, b, idA, false) // and is looked up
		drop()
		expectDead(t, b, idA, false)
		time.Sleep(time.Minute)
		expectDead(t, b, idA, false)
	})
}

// What never attended is judged by its lease alone.
func TestANodeThatDoesNotAttendIsAliveWhileItsLeaseLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &roll{Records: parley.NewMemoryStore(), there: map[string]context.CancelFunc{}}
		a, b := quietNode(idA, "http://a", store), quietNode(idB, "http://b", store)
		b.attendance = store
		if _, err := a.renew(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		time.Sleep(nodeLease - time.Second)
		expectDead(t, b, idA, false)
		time.Sleep(time.Second)
		expectDead(t, b, idA, true)
		if store.asked > 0 {
			t.Error("the store was asked for a node that never attended")
		}
	})
}

// A store that cannot tell who is there leaves a lease that may outlive its node: who
// makes the same call again waits until it is known whether the first goes on.
func TestTheSameCallWaitsUntilItIsKnownWhetherAnothersNodeLives(t *testing.T) {
	for name, lives := range map[string]bool{"it lives": true, "it died": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store, who := parley.NewMemoryStore(), parley.Principal{User: "ann"}
				nodes, err := make([]*Asker, 2), error(nil)
				for i := range nodes {
					if nodes[i], err = New(parley.New(store, nil), &Options{Records: store, Logger: silent, Secrets: []string{"a secret that is long enough to be one"}}); err != nil {
						t.Fatal(err)
					}
				}
				first, second := nodes[0], nodes[1]
				dying := &mortal{Records: first.node.records}
				first.node.records = dying
				stop := runNode(t, first.node)
				synctest.Wait()
				what, digest, err := target{Method: "tools/call", Name: "pay", Arguments: []byte(`{}`)}.read()
				if err != nil {
					t.Fatal(err)
				}
				p := newPage(who, what, digest, "session")
				if err := first.claim(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				if !lives {
					dying.dead.Store(true)
					stop()
				}
				expectDead(t, second.node, first.node.id, false) // in doubt
				if free, err := second.released(t.Context(), p); err != nil || free == lives {
					t.Errorf("its state may be used again: %v, %v; the first node lives: %v", free, err, lives)
				}
				taken, err := second.takeUp(t.Context(), who, digest, "another")
				if err != nil || (taken == nil) != lives {
					t.Errorf("taken up: %v, %v; the first node lives: %v", taken != nil, err, lives)
				}
				if lives {
					stop()
				}
			})
		})
	}
}

// The client of a node that was killed comes to the next one before the store has
// noticed.
func TestANodeThatTheStoreStillSeesIsLookedAtForAMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &roll{Records: parley.NewMemoryStore(), there: map[string]context.CancelFunc{}}
		a, b := quietNode(idA, "http://a", store), quietNode(idB, "http://b", store)
		a.attendance, b.attendance = store, store
		defer runNode(t, a)()
		synctest.Wait()
		seen := b.witness()
		for _, want := range []bool{true, false} {
			if unsure, err := seen.doubts(t.Context(), idA, true); err != nil || unsure != want {
				t.Errorf("unsure: %v, %v; want %v", unsure, err, want)
			}
			time.Sleep(seenTime)
		}
	})
}
