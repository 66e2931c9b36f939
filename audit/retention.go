package audit

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/parley-hq/parley"
)

func startAt(tenant string) parley.Address {
	return parley.Address{Tenant: tenant, Kind: startKind, Key: "start"}
}

// start is where a chain begins now: at nothing, or at the checkpoint to which it was
// cut.
func (l *Log) start(ctx context.Context, tenant string) (m mark, err error) {
	m.Last = nothingBefore
	r, err := l.records.Load(ctx, startAt(tenant))
	if errors.Is(err, parley.ErrNotFound) {
		return m, nil
	}
	if err == nil {
		m, err = decodeMark(r)
	}
	return m, err
}

// cut forgets what was decided longer ago than the retention: everything before the
// last checkpoint that old. First the chain begins there, then what is before it goes;
// whoever dies in between leaves pages that the next one deletes.
func (l *Log) cut(ctx context.Context, tenant string) error {
	if l.opts.Retention <= 0 {
		return nil
	}
	var to mark
	limit := time.Now().Add(-l.opts.Retention)
	for r, err := range parley.Each(ctx, l.records, parley.Address{Tenant: tenant, Kind: checkpointKind}, "") {
		if err != nil {
			return err
		}
		m, err := decodeMark(r)
		if err != nil {
			return err
		}
		if m.At.After(limit) {
			break
		}
		to = m
	}
	if to.Size == 0 {
		return nil
	}
	_, err := parley.Update(ctx, l.records, startAt(tenant), func(r *parley.Record) (bool, error) {
		var old mark
		if r.Version != 0 {
			if err := json.Unmarshal(r.Data, &old); err != nil {
				return false, err
			}
		}
		r.Data = encode(to)
		return old.Size < to.Size, nil
	})
	if err != nil {
		return err
	}
	return l.forgetBefore(ctx, tenant, to.Size)
}

// forgetBefore deletes the pages before an entry, with what looks them up: the page
// goes last, since it says what else there is.
func (l *Log) forgetBefore(ctx context.Context, tenant string, size int64) error {
	for r, err := range parley.Each(ctx, l.records, parley.Address{Tenant: tenant, Kind: pageKind}, "") {
		if err != nil {
			return err
		}
		p, err := decodePage(r)
		if err != nil {
			return err
		}
		if p.end() > size {
			break
		}
		for _, key := range p.Keys {
			if err := ignore(l.records.Delete(ctx, indexAt(tenant, key), 0), parley.ErrNotFound); err != nil {
				return err
			}
		}
		if err := ignore(l.records.Delete(ctx, r.Address, 0), parley.ErrNotFound); err != nil {
			return err
		}
	}
	for r, err := range parley.Each(ctx, l.records, parley.Address{Tenant: tenant, Kind: checkpointKind}, "") {
		if err != nil {
			return err
		}
		if r.Key >= numberKey(size) {
			break
		}
		if err := ignore(l.records.Delete(ctx, r.Address, 0), parley.ErrNotFound); err != nil {
			return err
		}
	}
	return nil
}
