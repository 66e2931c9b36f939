package gateway_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// lame is a store that does not take, or have, records of parked calls for a while.
type lame struct {
	*parley.MemoryStore
	until atomic.Int64
}

var errLame = errors.New("the store is away")

func (l *lame) away(kind string) bool {
	return kind == "gateway_call" && time.Now().UnixNano() < l.until.Load()
}

func (l *lame) Save(ctx context.Context, r parley.Record) (int64, error) {
	if l.away(r.Kind) {
		return 0, errLame
	}
	return l.MemoryStore.Save(ctx, r)
}

func (l *lame) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	if l.away(at.Kind) {
		return parley.Record{}, errLame
	}
	return l.MemoryStore.Load(ctx, at)
}

// A store that is away while the record is written is no reason to take the call for lost.
func TestAParkedCallIsNotLostToAStoreThatWasAway(t *testing.T) {
	t.Parallel()
	s := newShop(t, legacy)
	servers := catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}
	shared := parley.NewMemoryStore()
	storeA, storeB := &lame{MemoryStore: shared}, &lame{MemoryStore: shared}
	a, b := newNodeOn(t, storeA, servers, nil, nil), newNodeOn(t, storeB, servers, nil, nil)
	back := time.Now().Add(14 * time.Second)
	storeA.until.Store(back.UnixNano())
	storeB.until.Store(back.Add(-100 * time.Millisecond).UnixNano()) // the other tries again a moment later
	asked := post(t, a.url, "alice", "shop__order", `{}`, "", "")
	done := post(t, b.url, "alice", "shop__order", `{}`, asked.Result.State, oneAnswer(asked.key(t), large))
	if done.text() != `accept {"size":"L"}` || s.done.Load() != 1 {
		t.Errorf("%+v; %d carried out", done, s.done.Load())
	}
}
