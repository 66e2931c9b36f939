package mcptool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley"
)

// pieceKind is the kind of the records that hold the large pieces of journals.
const pieceKind = "mcp.call.piece"

const (
	// inlineBytes is how much of its pieces a journal holds itself. It is written
	// some six times a round: what is larger is written once, in a record of its
	// own, or what a server says would be written again and again.
	inlineBytes = 4 << 10

	// rememberedBytes is how much Remember and Once keep in one call's journal.
	rememberedBytes = 4 << 20
)

// piece leads from a journal to a record that holds a part of it. The record is
// written before the journal that names it and never changed, so there is nothing
// to agree on but the journal.
type piece struct {
	Key   string    `json:"key"`
	Until time.Time `json:"until,omitzero"` // when the record ends
}

// Names of pieces. What Once and Remember keep follows onceName.
const (
	argumentsName = "arguments"
	resultName    = "result"
	taskName      = "task"
	onceName      = "once."
)

// pieces are the parts of a journal that may be large, by name.
func (j *journal) pieces() map[string]json.RawMessage {
	all := map[string]json.RawMessage{argumentsName: j.Target.Arguments, resultName: j.Result}
	if j.Task != nil {
		all[taskName] = j.Task.Result
	}
	for name, d := range j.Once {
		all[onceName+name] = d.Value
	}
	return all
}

// setPiece replaces a part of a journal that nobody else has.
func (j *journal) setPiece(name string, raw json.RawMessage) {
	switch name {
	case argumentsName:
		j.Target.Arguments = raw
	case resultName:
		j.Result = raw
	case taskName:
		if j.Task != nil {
			t := *j.Task
			t.Result = raw
			j.Task = &t
		}
	default:
		own := strings.TrimPrefix(name, onceName)
		if d, ok := j.Once[own]; ok {
			d.Value = raw
			j.Once[own] = d
		}
	}
}

// fold returns the journal as it is stored, after its large pieces, and the keys
// of records that it names no longer.
func (a *Asker) fold(ctx context.Context, p *page) (data []byte, unused []string, err error) {
	if p.folded {
		data, err = json.Marshal(p.journal)
		return data, nil, err
	}
	stored, pieces, inline := p.journal, p.pieces(), 0
	stored.Once, stored.Pieces = maps.Clone(p.Once), map[string]piece{}
	for _, name := range slices.Sorted(maps.Keys(pieces)) {
		raw := pieces[name]
		at, apart := p.Pieces[name]
		if !apart && inline+len(raw) <= inlineBytes || len(raw) == 0 {
			inline += len(raw)
			continue
		}
		if !apart || !bytes.Equal(raw, p.written[name]) || at.Until.Before(p.record.Expires) {
			if at, err = a.writePiece(ctx, p, raw); err != nil {
				return nil, nil, err
			}
			if p.written == nil {
				p.written = map[string]json.RawMessage{}
			}
			p.written[name] = raw
		}
		stored.Pieces[name] = at
		stored.setPiece(name, nil)
	}
	for name, at := range p.Pieces {
		if stored.Pieces[name] != at {
			unused = append(unused, at.Key)
		}
	}
	p.Pieces = stored.Pieces
	data, err = json.Marshal(stored)
	return data, unused, err
}

// writePiece stores a piece for twice as long as its journal is kept now: a call
// that lasts longer than it was meant to has it written again, seldom.
func (a *Asker) writePiece(ctx context.Context, p *page, raw json.RawMessage) (piece, error) {
	at := piece{Key: p.record.Key + "/" + string(parley.NewID())}
	if expires := p.record.Expires; !expires.IsZero() {
		at.Until = expires.Add(max(0, expires.Sub(now()))).UTC().Truncate(time.Millisecond)
	}
	_, err := a.records.Save(ctx, parley.Record{Address: p.pieceAddress(at.Key), Owner: p.record.Owner, Data: raw, Expires: at.Until})
	if err != nil {
		return at, fmt.Errorf("a piece of the call's journal: %w", err)
	}
	return at, nil
}

func (p *page) pieceAddress(key string) parley.Address {
	return parley.Address{Tenant: p.record.Tenant, Kind: pieceKind, Key: key}
}

// unfold reads the pieces of a journal and checks that it is whole: its target is
// what will run, so it must be what the digest is of. ErrNotFound: the call is
// over, or is another one.
func (a *Asker) unfold(ctx context.Context, p *page) error {
	if err := a.readPieces(ctx, p); err != nil {
		return err
	}
	t, digest, err := p.Target.read()
	if err != nil || digest != p.Digest {
		return fmt.Errorf("call %q: %w", p.record.Key, errOther)
	}
	p.Target = t
	return nil
}

func (a *Asker) readPieces(ctx context.Context, p *page) error {
	if !p.folded {
		return nil
	}
	p.written = map[string]json.RawMessage{}
	for name, at := range p.Pieces {
		r, err := a.records.Load(ctx, p.pieceAddress(at.Key))
		if err != nil {
			return fmt.Errorf("a piece of the journal of call %q: %w", p.record.Key, err)
		}
		p.setPiece(name, r.Data)
		p.written[name] = r.Data
	}
	p.folded = false
	return nil
}

// discard removes pieces that no journal names. One that stays expires.
func (a *Asker) discard(ctx context.Context, p *page, keys []string) {
	for _, key := range keys {
		_ = a.records.Delete(ctx, p.pieceAddress(key), 0)
	}
}

// holds reports whether the journal has room for a value of that size under a
// name of Once.
func (p *page) holds(name string, size int) bool {
	for other, d := range p.Once {
		if other != name {
			size += len(d.Value)
		}
	}
	return size <= rememberedBytes
}
