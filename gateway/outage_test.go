package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley"
)

// outage is a store that fails on demand.
type outage struct {
	everything
	is    atomic.Int32
	since atomic.Value // a string: the method that is down from its next call on
}

const (
	up    int32 = iota
	down        // nothing happens, with an error
	lossy       // it happens, and the reply is lost
	stuck       // nothing happens until whoever waits gives up
)

var outages = map[string]int32{"down": down, "lossy": lossy, "stuck": stuck}

var errOutage = errors.New("dial tcp 10.1.2.3:5432: refused")

func newOutage() *outage { return &outage{everything: parley.NewMemoryStore()} }

func fails[T any](ctx context.Context, o *outage, do func() (T, error)) (T, error) {
	var none T
	switch o.is.Load() {
	case up:
		return do()
	case lossy:
		_, _ = do()
	case stuck:
		<-ctx.Done()
		return none, ctx.Err()
	}
	return none, errOutage
}

func only(do func() error) func() (struct{}, error) {
	return func() (struct{}, error) { return struct{}{}, do() }
}

func (o *outage) Put(ctx context.Context, r parley.Request, most int) error {
	_, err := fails(ctx, o, only(func() error { return o.everything.Put(ctx, r, most) }))
	return err
}

func (o *outage) Get(ctx context.Context, id parley.ID) (parley.Request, error) {
	return fails(ctx, o, func() (parley.Request, error) { return o.everything.Get(ctx, id) })
}

func (o *outage) Settle(ctx context.Context, id parley.ID, as parley.Outcome) error {
	if o.since.CompareAndSwap("Settle", "") {
		o.is.Store(down)
	}
	_, err := fails(ctx, o, only(func() error { return o.everything.Settle(ctx, id, as) }))
	return err
}

func (o *outage) List(ctx context.Context, q parley.Query) ([]parley.Request, error) {
	return fails(ctx, o, func() ([]parley.Request, error) { return o.everything.List(ctx, q) })
}

func (o *outage) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	return fails(ctx, o, func() (parley.Record, error) { return o.everything.Load(ctx, at) })
}

func (o *outage) Save(ctx context.Context, r parley.Record) (int64, error) {
	return fails(ctx, o, func() (int64, error) { return o.everything.Save(ctx, r) })
}

func (o *outage) Delete(ctx context.Context, at parley.Address, version int64) error {
	_, err := fails(ctx, o, only(func() error { return o.everything.Delete(ctx, at, version) }))
	return err
}

func (o *outage) Scan(ctx context.Context, from parley.Address, after string, limit int) ([]parley.Record, error) {
	return fails(ctx, o, func() ([]parley.Record, error) { return o.everything.Scan(ctx, from, after, limit) })
}

func TestAResultInHandIsGivenThoughTheStoreIsAway(t *testing.T) {
	t.Parallel()
	for name, how := range outages {
		t.Run(name, func(t *testing.T) {
			eachEra(t, func(t *testing.T, client, server string) {
				store := newOutage()
				s := &bank{era: server, asks: true}
				s.end = func(w http.ResponseWriter, id json.RawMessage) {
					if s.done.Load() == 1 {
						store.is.Store(how)
					}
					tell(w, id, paid)
				}
				h := newNodeOn(t, store, catalogue{shopAt(serve(t, s))}, nil, nil)
				v := visit(t, h.url, "alice", client, agreeing)
				if text, err := v.call(t, "shop__pay", map[string]any{}); text != "paid" || s.done.Load() != 1 {
					t.Errorf("%q, %v; carried out %d times", text, err, s.done.Load())
				}
				store.is.Store(up)
				// That one is over: the same again is another call.
				if text, err := v.call(t, "shop__pay", map[string]any{}); text != "paid" || s.calls.Load() != 2 || s.done.Load() != 2 {
					t.Errorf("the next call: %q, %v; %d calls, %d carried out", text, err, s.calls.Load(), s.done.Load())
				}
			})
		})
	}
}

// The store comes back, and what could not be written is: a node that nobody
// asks again leaves nothing behind.
func TestWhatCouldNotBeWrittenIsWrittenLater(t *testing.T) {
	eachEra(t, func(t *testing.T, client, server string) {
		store := newOutage()
		s := &bank{era: server, asks: true, end: func(w http.ResponseWriter, id json.RawMessage) {
			store.is.Store(down)
			tell(w, id, paid)
		}}
		h := newNodeOn(t, store, catalogue{shopAt(serve(t, s))}, nil, nil)
		if text, err := visit(t, h.url, "alice", client, agreeing).call(t, "shop__pay", map[string]any{}); text != "paid" {
			t.Fatalf("%q, %v", text, err)
		}
		store.is.Store(up)
		eventually(t, "the journal is gone", func() bool {
			left, err := store.Scan(t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: "mcp.call"}, "", 10)
			return err == nil && len(left) == 0
		})
	})
}

// The store goes away with the answer: it was not taken, so the client sends it
// again, with the state that it has.
func TestAnAnswerThatTheStoreDidNotTakeIsTakenLater(t *testing.T) {
	t.Parallel()
	for _, server := range []string{legacy, modern} {
		t.Run(server, func(t *testing.T) {
			store, s := newOutage(), &bank{era: server, asks: true}
			h := newNodeOn(t, store, catalogue{shopAt(serve(t, s))}, nil, nil)
			asked := post(t, h.url, "alice", "shop__pay", `{}`, "", "")
			answer := oneAnswer(asked.key(t), large)
			store.since.Store("Settle")
			if a := post(t, h.url, "alice", "shop__pay", `{}`, asked.Result.State, answer); !a.Result.IsError || s.done.Load() != 0 {
				t.Fatalf("%+v; carried out %d times", a, s.done.Load())
			}
			store.is.Store(up)
			if a := post(t, h.url, "alice", "shop__pay", `{}`, asked.Result.State, answer); a.text() != "paid" || s.calls.Load() != 1 || s.done.Load() != 1 {
				t.Errorf("%+v %+v; %d calls, %d carried out", a, a.Error, s.calls.Load(), s.done.Load())
			}
		})
	}
}

// A server asks, and there is no store to keep its question in. The client is told
// what is known, and the same call later is made.
func TestAQuestionThatCannotBeKeptLeavesTheCallUnknown(t *testing.T) {
	for hint, want := range map[string]string{"": "whether the call was carried out is not known. " + unknown, `"readOnlyHint":true`: "It may be called again."} {
		t.Run(hint, func(t *testing.T) {
			eachEra(t, func(t *testing.T, client, server string) {
				store, s := newOutage(), &bank{era: server, asks: true, hint: hint}
				s.called = func() {
					if s.calls.Load() == 1 {
						store.is.Store(down)
					}
				}
				h := newNodeOn(t, store, catalogue{shopAt(serve(t, s))}, nil, nil)
				v := visit(t, h.url, "alice", client, agreeing)
				toolNames(t, v)
				text, err := v.call(t, "shop__pay", map[string]any{})
				if !strings.Contains(says(text, err), want) || strings.Contains(says(text, err), "try again") || s.done.Load() != 0 {
					t.Errorf("%q, %v; carried out %d times", text, err, s.done.Load())
				}
				store.is.Store(up)
				if text, err := v.call(t, "shop__pay", map[string]any{}); text != "paid" || s.done.Load() != 1 {
					t.Errorf("%q, %v; carried out %d times", text, err, s.done.Load())
				}
			})
		})
	}
}
