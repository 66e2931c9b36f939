package seal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/parley-hq/parley"
)

// Sealable is a store whose data can be sealed anew.
type Sealable interface {
	parley.Store
	parley.Records
	parley.Rewriter
}

// Holdings is what a store has, by the secret that opens it.
type Holdings struct {
	Secrets []Held         // in the order of the keyring: the first seals
	Foreign map[string]int // by key id: sealed with secrets that the keyring has not
	Plain   int            // stored as it is
	Damaged int            // does not open, although its secret is known
}

// Held is what one secret opens.
type Held struct {
	ID        string         // of the secret, which is no secret
	Questions int            // questions, and answers to them
	Records   map[string]int // by kind
	Marked    bool           // it is noted as in use: nobody is to work without it
	Retired   bool           // it was, until Reseal found nothing left
}

// All is how much that is.
func (h Held) All() (n int) {
	for _, one := range h.Records {
		n += one
	}
	return n + h.Questions
}

// Kinds are the kinds of records, in their order.
func (h Held) Kinds() []string { return slices.Sorted(maps.Keys(h.Records)) }

// Survey counts what a store has by its secrets, and changes nothing.
func (k *Keyring) Survey(ctx context.Context, store Sealable) (Holdings, error) {
	found, err := k.walk(ctx, store, false)
	if err != nil {
		return found, err
	}
	m, err := k.readMarks(ctx, store)
	m.tell(found.Secrets)
	return found, err
}

// Reseal has everything in a store wrapped with the first secret, and returns what the
// store then has: when an older secret holds nothing, and no process seals with it any
// more, it can go. It may be run beside those who use the store, and again: what it did is
// done. What does not open stays as it is, and is counted. That the older secrets are in use
// is noted until its very end ([Keyring.Check]).
func (k *Keyring) Reseal(ctx context.Context, store Sealable) (Holdings, error) {
	m, err := k.beginMarks(ctx, store)
	if err == nil && m.opens() {
		err = m.keep(ctx) // before the first is sealed anew
	}
	if err != nil {
		return Holdings{}, err
	}
	found, err := k.walk(ctx, store, true)
	if err != nil {
		return found, err
	}
	if m, err = k.readMarks(ctx, store); err == nil && m.opens() {
		if err = m.retire(ctx, len(found.Foreign) > 0); err == nil {
			m, err = k.readMarks(ctx, store)
		}
	}
	m.tell(found.Secrets)
	return found, err
}

// rewriting is how often somebody else may be faster with one of them.
const rewriting = 20

func (k *Keyring) walk(ctx context.Context, store Sealable, rewrite bool) (Holdings, error) {
	w := &walk{keys: k, store: store, rewrite: rewrite, found: Holdings{Foreign: map[string]int{}}}
	if _, err := k.first(); err != nil {
		return w.found, err
	}
	for _, s := range k.secrets {
		w.found.Secrets = append(w.found.Secrets, Held{ID: s.id.String(), Records: map[string]int{}})
	}
	if err := store.Walk(ctx, func(r parley.Record) error { return w.record(ctx, r) }); err != nil {
		return w.found, err
	}
	for after := parley.ID(""); ; {
		batch, err := store.List(ctx, parley.Query{After: after, Limit: parley.MaxLimit})
		if err != nil {
			return w.found, err
		}
		for _, r := range batch {
			if err := w.request(ctx, r); err != nil {
				return w.found, err
			}
			after = r.ID
		}
		if len(batch) < parley.MaxLimit {
			return w.found, nil
		}
	}
}

// walk is one way through a store.
type walk struct {
	keys    *Keyring
	store   Sealable
	rewrite bool
	found   Holdings
}

func (w *walk) record(ctx context.Context, r parley.Record) error {
	if isMark(r.Address) { // it says of others which secret they need
		return nil
	}
	for range rewriting {
		part := w.part(r.Data, RecordBinding(r.Address, r.Owner))
		if part.changed {
			switch err := w.store.RewriteRecord(ctx, r, part.sealed); {
			case errors.Is(err, parley.ErrConflict):
				if r, err = w.store.Load(ctx, r.Address); errors.Is(err, parley.ErrNotFound) {
					return nil
				} else if err != nil {
					return err
				}
				continue
			case err != nil:
				return err
			}
		}
		w.count(part, func(h *Held) { h.Records[r.Kind]++ })
		return nil
	}
	return fmt.Errorf("record %q of kind %q changes all the time: run it again", r.Key, r.Kind)
}

func (w *walk) request(ctx context.Context, r parley.Request) error {
	for range rewriting {
		var parts []part
		changed := false
		again, err := parley.Reseal(r, func(sealed []byte, b parley.Binding) ([]byte, error) {
			p := w.part(sealed, b)
			parts, changed = append(parts, p), changed || p.changed
			return p.sealed, nil
		})
		if err != nil {
			w.found.Damaged++
			return nil
		}
		if changed {
			switch err := w.store.RewriteRequest(ctx, r, again); {
			case errors.Is(err, parley.ErrConflict):
				if r, err = w.store.Get(ctx, r.ID); errors.Is(err, parley.ErrNotFound) {
					return nil
				} else if err != nil {
					return err
				}
				continue
			case err != nil:
				return err
			}
		}
		if len(parts) == 0 {
			w.found.Plain++
		}
		for _, p := range parts {
			w.count(p, func(h *Held) { h.Questions++ })
		}
		return nil
	}
	return fmt.Errorf("request %s changes all the time: run it again", r.ID)
}

// part is one sealed value, as it is to be stored.
type part struct {
	sealed  []byte
	changed bool
	id      string // of the secret that opens it; empty: it is not sealed
	known   bool
	damaged bool
}

// part looks at a sealed value, and wraps it anew where that is wanted.
func (w *walk) part(sealed []byte, b parley.Binding) part {
	if !Sealed(sealed) {
		return part{sealed: sealed}
	}
	e, err := parse(sealed)
	if err != nil {
		return part{sealed: sealed, id: "?", known: true, damaged: true}
	}
	p := part{sealed: sealed, id: e.id.String()}
	if _, err := w.keys.find(e.id); err != nil {
		return p
	}
	p.known = true
	again, changed, err := w.keys.Rewrap(sealed, b)
	switch {
	case err != nil:
		p.damaged = true
	case changed && w.rewrite:
		p.sealed, p.changed, p.id = again, true, w.keys.ID()
	}
	return p
}

func (w *walk) count(p part, add func(*Held)) {
	switch {
	case p.id == "":
		w.found.Plain++
	case p.damaged:
		w.found.Damaged++
	case !p.known:
		w.found.Foreign[p.id]++
	default:
		for i := range w.found.Secrets {
			if w.found.Secrets[i].ID == p.id {
				add(&w.found.Secrets[i])
			}
		}
	}
}
