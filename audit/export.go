package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/parley-hq/parley"
)

// ExportMark is what every export begins with.
const ExportMark = `{"parley_audit":`

// opening is the first line of an export: where the chain begins.
type opening struct {
	Version int    `json:"parley_audit"`
	Origin  string `json:"origin"`
	Start   start  `json:"start"`
}

// start is the checkpoint at which a chain was cut; size 0: it was not.
type start struct {
	Size   int64       `json:"size"`
	Last   tlog.Hash   `json:"last"`
	Edge   []tlog.Hash `json:"edge"`
	Signed string      `json:"signed,omitempty"`
}

// between is a line of an export with a checkpoint.
type between struct {
	Checkpoint string `json:"checkpoint"`
}

// Export writes a tenant's chain as lines of JSON for VerifyExport: a first one, the
// entries with the checkpoints that were kept, and a checkpoint of the end.
func (l *Log) Export(ctx context.Context, tenant string, w io.Writer) error {
	h, err := l.head(ctx, tenant)
	if err == nil {
		err = l.finish(ctx, tenant, h)
	}
	if err != nil {
		return err
	}
	end, err := l.mark(ctx, tenant, h)
	if err != nil {
		return err
	}
	begin, err := l.start(ctx, tenant)
	if err != nil {
		return err
	}
	put := func(line []byte) error {
		_, err := w.Write(append(line, '\n'))
		return err
	}
	from := start{begin.Size, begin.Last, append([]tlog.Hash{}, begin.Edge...), begin.Signed}
	if err := put(encode(opening{1, OriginOf(l.nameOf(ctx), tenant), from})); err != nil {
		return err
	}
	next := begin.Size
	for r, err := range parley.Each(ctx, l.records, parley.Address{Tenant: tenant, Kind: pageKind}, numberKey(begin.Size)) {
		if err != nil {
			return err
		}
		p, err := decodePage(r)
		switch {
		case err != nil:
			return err
		case p.First >= h.Size:
			return put(encode(between{end.Signed})) // added since
		case p.First != next:
			return fmt.Errorf("audit: the entries from %d to %d are not in the store", next, p.First)
		}
		for _, line := range p.Lines {
			if err := put([]byte(line)); err != nil {
				return err
			}
		}
		if next = p.end(); next < h.Size {
			if err := l.putKept(ctx, tenant, next, put); err != nil {
				return err
			}
		}
	}
	if next != h.Size {
		return fmt.Errorf("audit: the entries from %d to %d are not in the store", next, h.Size)
	}
	return put(encode(between{end.Signed}))
}

// nameOf is the name of the key. It was read before.
func (l *Log) nameOf(ctx context.Context) string {
	key, err := l.key(ctx)
	if err != nil {
		return l.opts.Name
	}
	return key.signer.Name()
}

// putKept writes the checkpoint that was kept at a size, if one was.
func (l *Log) putKept(ctx context.Context, tenant string, size int64, put func([]byte) error) error {
	r, err := l.records.Load(ctx, checkpointAt(tenant, size))
	if errors.Is(err, parley.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	m, err := decodeMark(r)
	if err != nil {
		return err
	}
	return put(encode(between{m.Signed}))
}

// List returns entries of a tenant's chain, newest first: those before an index, or the
// last where that is negative. more says whether there are others before them.
func (l *Log) List(ctx context.Context, tenant string, before int64, limit int) (all []Entry, more bool, err error) {
	h, err := l.head(ctx, tenant)
	if err == nil {
		err = l.finish(ctx, tenant, h)
	}
	if err != nil {
		return nil, false, err
	}
	begin, err := l.start(ctx, tenant)
	if err != nil {
		return nil, false, err
	}
	if before < 0 || before > h.Size {
		before = h.Size
	}
	from := max(begin.Size, before-int64(limit))
	for at := from; at < before; {
		p, err := l.pageOf(ctx, tenant, at)
		if err != nil {
			return nil, false, err
		}
		for ; at < min(before, p.end()); at++ {
			var e Entry
			if err := read([]byte(p.Lines[at-p.First]), &e); err != nil {
				return nil, false, fmt.Errorf("entry %d %w", at, err)
			}
			all = append(all, e)
		}
	}
	slices.Reverse(all)
	return all, from > begin.Size, nil
}
