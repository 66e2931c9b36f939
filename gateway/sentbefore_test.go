package gateway_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// dying is the store of a process that dies when the shop has done something: what comes
// of the call is not written.
type dying struct {
	*parley.MemoryStore
	shop *shop
}

func (f *dying) dead(kind string) bool { return kind == "mcp.call" && f.shop.done.Load() > 0 }

func (f *dying) Save(ctx context.Context, r parley.Record) (int64, error) {
	if f.dead(r.Kind) {
		return 0, errLame
	}
	return f.MemoryStore.Save(ctx, r)
}

func (f *dying) Delete(ctx context.Context, at parley.Address, version int64) error {
	if f.dead(at.Kind) {
		return errLame
	}
	return f.MemoryStore.Delete(ctx, at, version)
}

// A call was sent, its node died, and now its server is away, too: what is told is not of this
// attempt alone. Whoever was told that it was not sent would make it twice.
func TestACallThatWasSentBeforeIsNotSaidToBeUnsent(t *testing.T) {
	for _, retried := range []string{"the same request", "the same call"} {
		t.Run(retried, func(t *testing.T) {
			s := newShop(t, modern)
			store := parley.NewMemoryStore()
			var asked answered
			t.Run("on a node that dies", func(t *testing.T) {
				a := newNodeOn(t, &dying{store, s}, catalogue{{Name: "shop", URL: s.url, Approve: permit.Always}}, nil, nil)
				asked = post(t, a.url, "alice", "shop__buy", `{"n":1}`, "", "")
				post(t, a.url, "alice", "shop__buy", `{"n":1}`, asked.Result.State, approving(asked.key(t), "allow_once"))
			})
			if s.done.Load() != 1 {
				t.Fatalf("%d carried out", s.done.Load())
			}
			b := newNode(t, store, catalogue{{Name: "shop", URL: "http://127.0.0.1:1/", Approve: permit.Always}}, nil, func(o *gateway.Options) { o.Hold = time.Millisecond })
			state, responses := "", ""
			if retried == "the same request" {
				state, responses = asked.Result.State, approving(asked.key(t), "allow_once")
			}
			got := post(t, b.url, "alice", "shop__buy", `{"n":1}`, state, responses)
			if !strings.Contains(got.text(), "shop was called already, and what came of it was lost: whether buy was carried out is not known.") {
				t.Errorf("%+v", got)
			}
		})
	}
}
