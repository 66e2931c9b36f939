package mcptool

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
)

var silent = slog.New(slog.NewTextHandler(io.Discard, nil))

// mortal is the store as a node sees it that does not sign off once it is dead.
type mortal struct {
	parley.Records
	dead atomic.Bool
}

func (m *mortal) Delete(ctx context.Context, at parley.Address, version int64) error {
	if m.dead.Load() {
		return errors.New("the process is gone")
	}
	return m.Records.Delete(ctx, at, version)
}

// runNode runs a node until the returned function has been called.
func runNode(n *parley.Node) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = n.Run(ctx) })
	return func() {
		cancel()
		running.Wait()
	}
}

func askerOn(t *testing.T, store *parley.MemoryStore, node *parley.Node) *Asker {
	t.Helper()
	a, err := New(parley.New(store, nil), &Options{Records: store, Node: node, Logger: silent})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A store that cannot tell who is there leaves a lease that may outlive its node: who
// makes the same call again waits until it is known whether the first goes on.
func TestTheSameCallWaitsUntilItIsKnownWhetherAnothersNodeLives(t *testing.T) {
	for name, lives := range map[string]bool{"it lives": true, "it died": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store, who := parley.NewMemoryStore(), parley.Principal{User: "ann"}
				dying := &mortal{Records: store}
				first, second := askerOn(t, store, parley.NewNode(dying, &parley.NodeOptions{Logger: silent})), askerOn(t, store, nil)
				stop := runNode(first.node)
				synctest.Wait()
				what, digest, err := target{Method: "tools/call", Name: "pay", Arguments: []byte(`{}`)}.read()
				if err != nil {
					t.Fatal(err)
				}
				p := newPage(who, what, digest, client{session: "session"})
				if err := first.claim(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				if !lives {
					dying.dead.Store(true)
					stop()
				}
				if alive, err := second.node.Alive(t.Context(), first.node.ID()); err != nil || !alive { // in doubt
					t.Errorf("alive %v, %v", alive, err)
				}
				if free, err := second.released(t.Context(), p); err != nil || free == lives {
					t.Errorf("its state may be used again: %v, %v; the first node lives: %v", free, err, lives)
				}
				taken, err := second.takeUp(t.Context(), who, digest, client{session: "another"})
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

// Askers of one process share its node: what one of them works on is not left behind
// for the other, which knows nothing of it.
func TestATaskOfAnotherAskerOfTheSameNodeIsNotTakenOver(t *testing.T) {
	for name, own := range map[string]bool{"another's": false, "its own": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := parley.NewMemoryStore()
				node := parley.NewNode(store, &parley.NodeOptions{Logger: silent})
				first, second := askerOn(t, store, node), askerOn(t, store, node)
				ran := make(chan struct{}, 1)
				server := mcp.NewServer(&mcp.Implementation{Name: "bank", Version: "1"}, &mcp.ServerOptions{Logger: silent})
				AddTool(second, server, &mcp.Tool{Name: "pay"}, func(context.Context, *Call, struct{}) (string, error) {
					ran <- struct{}{}
					return "paid", nil
				}, &ToolOptions{Task: TaskAllowed})
				what, digest, err := target{Method: "tools/call", Name: "pay", Arguments: []byte(`{}`)}.read()
				if err != nil {
					t.Fatal(err)
				}
				p := newPage(parley.Principal{User: "ann"}, what, digest, client{})
				p.Task = &task{Created: now(), Updated: now(), Status: taskWorking, Asker: first.name}
				if own {
					p.Task.Asker = second.name
				}
				if err := first.claim(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				if err := second.attach(server).revive(t.Context(), p, client{modern: true}); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if len(ran) == 1 != own {
					t.Errorf("taken over: %v", len(ran) == 1)
				}
			})
		})
	}
}

// A call whose client has gone looks for an earlier one, and is itself among the calls
// that were left.
func TestACallThatWasLeftDoesNotWaitForItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, err := New(parley.New(parley.NewMemoryStore(), nil), &Options{Logger: silent})
		if err != nil {
			t.Fatal(err)
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		var runs []*run
		for range 2 { // each waits for the other, too
			r := &run{asker: a, who: parley.Principal{User: "ann"}, digest: "digest"}
			_, over := a.atWork.begin(t.Context(), gone, callPrefix(r.who, r.digest), r.keepsJournal)
			defer over()
			runs = append(runs, r)
		}
		var all sync.WaitGroup
		for _, r := range runs {
			all.Go(func() {
				if err := (&Call{run: r}).TakeUp(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	})
}
