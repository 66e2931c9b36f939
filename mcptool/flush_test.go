package mcptool_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// hurried notes what is written, and what of it the disk may have later.
type hurried struct {
	*parley.MemoryStore
	mu    sync.Mutex
	wrote []string
}

func (h *hurried) note(ctx context.Context, what string) {
	if parley.FlushesLater(ctx) {
		what += " later"
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrote = append(h.wrote, what)
}

func (h *hurried) Put(ctx context.Context, r parley.Request, most int) error {
	h.note(ctx, "question")
	return h.MemoryStore.Put(ctx, r, most)
}

func (h *hurried) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	h.note(ctx, "answer")
	return h.MemoryStore.Settle(ctx, id, o)
}

func (h *hurried) Save(ctx context.Context, r parley.Record) (int64, error) {
	if r.Kind == "mcp.call" {
		h.note(ctx, "journal")
	}
	return h.MemoryStore.Save(ctx, r)
}

func (h *hurried) Delete(ctx context.Context, at parley.Address, version int64) error {
	if at.Kind == "mcp.call" {
		h.note(ctx, "end")
	}
	return h.MemoryStore.Delete(ctx, at, version)
}

// The disk has an answer before a tool acts on it, and has that it was used up before
// the client has the result: a power cut makes no answer count twice. Only what comes
// before the answer may be lost, with the answer.
func TestTheDiskHasAnAnswerAndItsEndAtOnce(t *testing.T) {
	for era, want := range map[string][]string{
		"2025-11-25": {"journal later", "question later", "answer", "end"},
		"2026-07-28": {"journal later", "question later", "journal later", "journal later", "answer", "end"},
	} {
		store := &hurried{MemoryStore: parley.NewMemoryStore()}
		s := newSiteOver(t, store, mcptool.Options{}, nil)
		addDelete(s, nil)
		c := s.connect(t, clientOptions{era: era, user: "alice", person: accept(map[string]any{"confirmed": true})})
		if got := structured[deleted](t, call(t, c, "delete-account", account{"7"})); !got.Confirmed {
			t.Errorf("%s: got %+v", era, got)
		}
		store.mu.Lock()
		if !slices.Equal(store.wrote, want) {
			t.Errorf("%s: written were %q, not %q", era, store.wrote, want)
		}
		store.mu.Unlock()
	}
}
