package parley_test

import (
	"context"
	"testing"

	"github.com/parley-hq/parley"
)

// hurried notes which requests it is to flush at once.
type hurried struct {
	*parley.MemoryStore
	put, settled []bool
}

func (h *hurried) Put(ctx context.Context, r parley.Request, most int) error {
	h.put = append(h.put, !parley.FlushesLater(ctx))
	return h.MemoryStore.Put(ctx, r, most)
}

func (h *hurried) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	h.settled = append(h.settled, !parley.FlushesLater(ctx))
	return h.MemoryStore.Settle(ctx, id, o)
}

// Whoever opens a question may let the disk wait for it, and for nothing else: not for
// what hooks write, nor for the questions that this one takes the place of.
func TestOnlyTheQuestionItselfIsFlushedLater(t *testing.T) {
	store := &hurried{MemoryStore: parley.NewMemoryStore()}
	note := func(ctx context.Context, _ *parley.Opening) error {
		if parley.FlushesLater(ctx) {
			t.Error("what hooks write would not be on the disk")
		}
		return nil
	}
	hub := parley.New(store, &parley.Options{PerSession: parley.Supersede, Hooks: []parley.Hook{
		parley.Before(parley.OpeningStore, note), parley.After(parley.OpeningStore, note), parley.After(parley.OpeningFinish, note),
	}})
	q := confirm()
	q.Session = "s"
	open(t, hub, q)
	if _, err := hub.Open(parley.FlushLater(t.Context()), q); err != nil {
		t.Fatal(err)
	}
	if len(store.put) != 2 || !store.put[0] || store.put[1] || len(store.settled) != 1 || !store.settled[0] {
		t.Errorf("flushed at once: put %t, settled %t", store.put, store.settled)
	}
}
