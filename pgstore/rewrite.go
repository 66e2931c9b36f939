package pgstore

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/parley-hq/parley"
)

var _ parley.Rewriter = (*Store)(nil)

const (
	walkRecords = `
SELECT tenant, kind, key, owner, data, version, expires FROM {schema}.records
WHERE (tenant, kind, key) > ($1, $2, $3) AND ` + live + ` ORDER BY tenant, kind, key LIMIT $5`

	rewriteRecord = `
UPDATE {schema}.records SET data = $6
WHERE tenant = $1 AND kind = $2 AND key = $3 AND ` + live + ` AND version = $5`

	rewriteRequest = `
UPDATE {schema}.requests SET message = $3, content = $5
WHERE id = $1 AND message = $2 AND content IS NOT DISTINCT FROM $4::bytea AND (settled_at IS NULL) = $6::boolean`
)

// Walk implements parley.Rewriter.
func (s *Store) Walk(ctx context.Context, visit func(parley.Record) error) error {
	for after := (parley.Address{}); ; {
		rows, err := s.pool.Query(ctx, s.sql.walk, append(present(after), parley.MaxLimit)...)
		if err != nil {
			return explained("walk", err)
		}
		batch, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (parley.Record, error) { return scanRecord(row) })
		if err != nil {
			return explained("walk", err)
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
	tag, err := s.pool.Exec(ctx, s.sql.rewriteRecord, append(present(r.Address), r.Version, orNil(data))...)
	switch {
	case err != nil:
		return explained("rewrite "+r.Kind, err)
	case tag.RowsAffected() == 0:
		return about(r.Address, parley.ErrConflict)
	}
	return nil
}

// RewriteRequest implements parley.Rewriter.
func (s *Store) RewriteRequest(ctx context.Context, was, is parley.Request) error {
	tag, err := s.pool.Exec(ctx, s.sql.rewriteRequest, string(was.ID), was.Message, is.Message, contentOf(was), contentOf(is), was.Pending())
	switch {
	case err != nil:
		return explained("rewrite request "+string(was.ID), err)
	case tag.RowsAffected() == 0:
		return fmt.Errorf("request %s: %w", was.ID, parley.ErrConflict)
	}
	return nil
}

func contentOf(r parley.Request) []byte {
	if r.Outcome == nil {
		return nil
	}
	return orNil(r.Outcome.Content)
}
