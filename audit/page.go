package audit

import (
	"context"
	"encoding/json"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/parley-hq/parley"
)

// Pages have the number behind their last entry as their key: the page of an entry is
// the first with a key behind its own.
func pageAt(tenant string, end int64) parley.Address {
	return parley.Address{Tenant: tenant, Kind: pageKind, Key: numberKey(end)}
}

func numberKey(n int64) string { return fmt.Sprintf("%016x", n) }

func indexAt(tenant, key string) parley.Address {
	return parley.Address{Tenant: tenant, Kind: indexKind, Key: key}
}

// pageOf reads the page that an entry is in. parley.ErrNotFound.
func (l *Log) pageOf(ctx context.Context, tenant string, index int64) (p page, err error) {
	found, err := l.records.Scan(ctx, parley.Address{Tenant: tenant, Kind: pageKind}, numberKey(index), 1)
	if err != nil {
		return p, err
	}
	if len(found) == 1 {
		if p, err = decodePage(found[0]); err != nil {
			return p, err
		}
		if p.First <= index && index < p.end() {
			return p, nil
		}
	}
	return p, fmt.Errorf("entry %d: %w", index, parley.ErrNotFound)
}

func decodePage(r parley.Record) (p page, err error) {
	if err = json.Unmarshal(r.Data, &p); err == nil && r.Key != numberKey(p.end()) {
		err = fmt.Errorf("the page %s is not where it belongs", r.Key)
	}
	return p, err
}

// line reads an entry.
func (l *Log) line(ctx context.Context, tenant string, index int64) (string, error) {
	p, err := l.pageOf(ctx, tenant, index)
	if err != nil {
		return "", err
	}
	return p.Lines[index-p.First], nil
}

// reader reads the hashes of a whole tree. Those before the start of a chain that was
// cut are in its edge there, as far as anybody needs them.
func (l *Log) reader(ctx context.Context, tenant string) (*tree, error) {
	begin, err := l.start(ctx, tenant)
	if err != nil {
		return nil, err
	}
	t, err := newTree(begin.Size, begin.Edge)
	if err != nil {
		return nil, err
	}
	t.behind = func(index int64) (tlog.Hash, error) {
		level, n := tlog.SplitStoredHashIndex(index)
		p, err := l.pageOf(ctx, tenant, (n+1)<<level-1) // of the entry that completes it
		if err != nil {
			return tlog.Hash{}, err
		}
		h, known := p.hash(index)
		if !known {
			return h, fmt.Errorf("the hash %d is not where it belongs", index)
		}
		return h, nil
	}
	return t, nil
}
