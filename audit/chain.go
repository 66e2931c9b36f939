package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/parley-hq/parley"
)

// head is the end of a chain, and what was added to it last.
type head struct {
	Size int64       `json:"size"`
	Last tlog.Hash   `json:"last"` // of the last entry
	Edge []tlog.Hash `json:"edge"` // the complete subtrees, from the left: see edge
	page

	version int64
}

// page is a few entries that were added together, and the hashes of the subtrees that
// each of them completed.
type page struct {
	First  int64       `json:"first"`
	Lines  []string    `json:"lines"`
	Keys   []string    `json:"keys"` // by which the entries are looked up
	Hashes []tlog.Hash `json:"hashes"`
}

func (p page) end() int64 { return p.First + int64(len(p.Lines)) }

// hash is the one of p with an index of package tlog.
func (p page) hash(index int64) (tlog.Hash, bool) {
	i := index - tlog.StoredHashIndex(0, p.First)
	if i < 0 || i >= int64(len(p.Hashes)) {
		return tlog.Hash{}, false
	}
	return p.Hashes[i], true
}

// edge is where the hashes of the complete subtrees of a tree of that size are, from
// the left.
func edge(size int64) (indexes []int64) {
	var from int64
	for rest := uint64(size); rest != 0; {
		level := bits.Len64(rest) - 1
		indexes = append(indexes, tlog.StoredHashIndex(level, from>>level))
		from += 1 << level
		rest &^= 1 << level
	}
	return indexes
}

// tree reads hashes of a tree of which the edge at a size is known, and what was added
// since.
type tree struct {
	edge   map[int64]tlog.Hash
	behind func(index int64) (tlog.Hash, error) // nil: there is nothing else
}

func newTree(size int64, hashes []tlog.Hash) (*tree, error) {
	t := &tree{edge: map[int64]tlog.Hash{}}
	indexes := edge(size)
	if len(indexes) != len(hashes) {
		return nil, fmt.Errorf("a tree of %d entries has an edge of %d hashes, not %d", size, len(indexes), len(hashes))
	}
	for i, index := range indexes {
		t.edge[index] = hashes[i]
	}
	return t, nil
}

// ReadHashes implements tlog.HashReader.
func (t *tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	all := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		h, known := t.edge[index]
		if !known && t.behind != nil {
			var err error
			if h, err = t.behind(index); err != nil {
				return nil, err
			}
			known = true
		}
		if !known {
			return nil, fmt.Errorf("the hash %d is not known", index)
		}
		all[i] = h
	}
	return all, nil
}

// add appends a leaf and returns the hashes that it completes.
func (t *tree) add(n int64, leaf tlog.Hash) ([]tlog.Hash, error) {
	hashes, err := tlog.StoredHashesForRecordHash(n, leaf, t)
	if err != nil {
		return nil, err
	}
	for i, h := range hashes {
		t.edge[tlog.StoredHashIndex(0, n)+int64(i)] = h
	}
	return hashes, nil
}

func (t *tree) edgeOf(size int64) ([]tlog.Hash, error) { return t.ReadHashes(edge(size)) }

// root is the hash of the whole tree.
func (h head) root() (tlog.Hash, error) {
	t, err := newTree(h.Size, h.Edge)
	if err != nil {
		return tlog.Hash{}, err
	}
	return tlog.TreeHash(h.Size, t)
}

func headAt(tenant string) parley.Address {
	return parley.Address{Tenant: tenant, Kind: headKind, Key: "head"}
}

// head reads the end of a tenant's chain. Where there is none it is empty.
func (l *Log) head(ctx context.Context, tenant string) (h head, err error) {
	h.Last = nothingBefore
	r, err := l.records.Load(ctx, headAt(tenant))
	if errors.Is(err, parley.ErrNotFound) {
		return h, nil
	}
	if err != nil {
		return h, err
	}
	err = json.Unmarshal(r.Data, &h)
	h.version = r.Version
	return h, err
}

// ripe is an entry that is to be added, and the due that it comes from.
type ripe struct {
	entry Entry
	due   string
	key   string
}

// batch is how many entries are added at once.
const batch = 100

// extend adds entries to a tenant's chain, those that it does not have yet. It returns
// when all are there and can be looked up, and their dues are gone.
func (l *Log) extend(ctx context.Context, tenant string, all []ripe) error {
	if err := l.listTenant(ctx, tenant); err != nil {
		return err
	}
	for len(all) > 0 {
		some := all[:min(len(all), batch)]
		if err := l.extendBy(ctx, tenant, some); err != nil {
			return err
		}
		all = all[len(some):]
	}
	return nil
}

func (l *Log) extendBy(ctx context.Context, tenant string, some []ripe) error {
	return persistentlySoon(ctx, func() error {
		h, err := l.head(ctx, tenant)
		if err != nil {
			return err
		}
		if err := l.finish(ctx, tenant, h); err != nil {
			return err
		}
		missing, err := l.missing(ctx, tenant, some)
		if err != nil {
			return err
		}
		if len(missing) > 0 {
			if h, err = l.grow(ctx, tenant, h, missing); err != nil {
				return err
			}
			if err := l.finish(ctx, tenant, h); err != nil {
				return err
			}
		}
		return l.forget(ctx, some)
	})
}

// missing are those that the chain does not have. Of two with one key it is the first.
func (l *Log) missing(ctx context.Context, tenant string, some []ripe) (rest []ripe, err error) {
	seen := map[string]bool{}
	for _, one := range some {
		_, err := l.records.Load(ctx, indexAt(tenant, one.key))
		if err != nil && !errors.Is(err, parley.ErrNotFound) {
			return nil, err
		}
		if err != nil && !seen[one.key] {
			rest = append(rest, one)
		}
		seen[one.key] = true
	}
	return rest, nil
}

// grow is the one step in which entries become part of a chain: a compare-and-swap of
// its head.
func (l *Log) grow(ctx context.Context, tenant string, h head, some []ripe) (head, error) {
	t, err := newTree(h.Size, h.Edge)
	if err != nil {
		return h, err
	}
	next := head{Size: h.Size, Last: h.Last, page: page{First: h.Size}}
	for _, one := range some {
		e := one.entry
		e.Index, e.Prev, e.Tenant = next.Size, next.Last.String(), tenant
		line := e.line()
		next.Last = tlog.RecordHash(line)
		hashes, err := t.add(next.Size, next.Last)
		if err != nil {
			return h, err
		}
		next.Size++
		next.Lines, next.Hashes = append(next.Lines, string(line)), append(next.Hashes, hashes...)
		next.Keys = append(next.Keys, one.key)
	}
	if next.Edge, err = t.edgeOf(next.Size); err != nil {
		return h, err
	}
	next.version, err = l.records.Save(ctx, parley.Record{Address: headAt(tenant), Version: h.version, Data: encode(next)})
	return next, err
}

// finish writes what was added last to where it is read and looked up, unless this
// process has done so. Whoever does it again changes nothing.
func (l *Log) finish(ctx context.Context, tenant string, h head) error {
	l.mu.Lock()
	done := l.finished[tenant] == h.version
	l.mu.Unlock()
	if done || h.version == 0 {
		return nil
	}
	if err := l.saveNew(ctx, pageAt(tenant, h.end()), encode(h.page)); err != nil {
		return err
	}
	for i, key := range h.Keys {
		if err := l.saveNew(ctx, indexAt(tenant, key), encode(h.First+int64(i))); err != nil {
			return err
		}
	}
	l.mu.Lock()
	l.finished[tenant] = h.version
	l.mu.Unlock()
	return nil
}

func (l *Log) saveNew(ctx context.Context, at parley.Address, data []byte) error {
	_, err := l.records.Save(ctx, parley.Record{Address: at, Data: data})
	return ignore(err, parley.ErrExists)
}

// forget deletes the dues of entries that are in the chain.
func (l *Log) forget(ctx context.Context, some []ripe) error {
	for _, one := range some {
		if err := ignore(l.records.Delete(ctx, dueAt(one.due), 0), parley.ErrNotFound); err != nil {
			return err
		}
	}
	return nil
}
