package sqlitestore

import (
	"context"
	"fmt"
	"slices"

	"github.com/parley-hq/parley"
)

var _ parley.Rewriter = (*Store)(nil)

const (
	walkRecords = `SELECT tenant, kind, key, owner, data, version, expires FROM records
WHERE (tenant, kind, key) > (?1, ?2, ?3) AND ` + live + ` ORDER BY tenant, kind, key LIMIT ?5 + 0`

	rewriteRecord = `UPDATE records SET data = ?6
WHERE tenant = ?1 AND kind = ?2 AND key = ?3 AND ` + live + ` AND version = ?5 RETURNING 1`

	rewriteRequest = `UPDATE requests SET message = ?3, content = ?5
WHERE id = ?1 AND message = ?2 AND content IS ?4 AND (action IS NULL) = ?6 RETURNING 1`
)

// Walk implements parley.Rewriter.
func (s *Store) Walk(ctx context.Context, visit func(parley.Record) error) error {
	for after := (parley.Address{}); ; {
		batch, err := collect(ctx, s.read, scanRecord, walkRecords, append(here(after), parley.MaxLimit)...)
		if err != nil {
			return s.failed("walk", err)
		}
		for _, r := range batch {
			if err := visit(r); err != nil {
				return err
			}
			after = r.Address
		}
		if len(batch) < parley.MaxLimit {
			return nil
		}
	}
}

// RewriteRecord implements parley.Rewriter.
func (s *Store) RewriteRecord(ctx context.Context, r parley.Record, data []byte) error {
	done, err := s.write.do(ctx, rewriteRecord, append(here(r.Address), r.Version, slices.Clone(data))...)
	if err == nil && len(done) == 0 {
		err = parley.ErrConflict
	}
	if err != nil {
		return s.failed("rewrite "+name(r.Address), err)
	}
	return nil
}

// RewriteRequest implements parley.Rewriter.
func (s *Store) RewriteRequest(ctx context.Context, was, is parley.Request) error {
	done, err := s.write.do(ctx, rewriteRequest, string(was.ID), was.Message, is.Message, contentOf(was), contentOf(is), was.Pending())
	if err == nil && len(done) == 0 {
		err = parley.ErrConflict
	}
	if err != nil {
		return s.failed(fmt.Sprintf("rewrite request %s", was.ID), err)
	}
	return nil
}

// contentOf is nil, which is NULL, where there is none.
func contentOf(r parley.Request) any {
	if r.Outcome == nil || len(r.Outcome.Content) == 0 {
		return nil
	}
	return slices.Clone([]byte(r.Outcome.Content))
}
