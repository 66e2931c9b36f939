package pgstore

import (
	"context"
	"time"
)

// sweepBatch is how many rows one statement removes at most, so that none holds
// its locks for long.
const sweepBatch = 1000

// Sweep implements parley.Sweeper. Several nodes may sweep at once.
func (s *Store) Sweep(ctx context.Context, now time.Time) error {
	if err := s.sweep(ctx, s.sql.sweepRequests, now.Add(-s.retention)); err != nil {
		return explained("sweep requests", err)
	}
	if err := s.sweep(ctx, s.sql.sweepRecords, now); err != nil {
		return explained("sweep records", err)
	}
	return nil
}

// sweep repeats a statement until it finds less than a batch.
func (s *Store) sweep(ctx context.Context, query string, until time.Time) error {
	for {
		tag, err := s.pool.Exec(ctx, query, until.UnixMilli(), sweepBatch)
		if err != nil || tag.RowsAffected() < sweepBatch {
			return err
		}
	}
}
