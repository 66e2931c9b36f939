package pgstore

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
)

// Who attends has an advisory lock, by a connection that is for nothing else. When
// the process dies its machine closes the connection, and the server drops the
// lock. A connection may also break by itself: the node then attends again within
// the time that Absent takes to be sure, and so it does after the server has
// started anew, when nobody has a lock.
const (
	young = 10 * time.Second // after its start a server knows nobody yet

	attendSQL = `SELECT pg_advisory_lock($1)`
	absentSQL = `SELECT NOT EXISTS (
  SELECT FROM pg_locks
  WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid = ($1::bigint >> 32 & 4294967295)::oid AND objid = ($1::bigint & 4294967295)::oid AND objsubid = 1 AND granted
), extract(epoch FROM clock_timestamp() - pg_postmaster_start_time())::float8`
)

var _ parley.Attendance = (*Store)(nil)

// Attend implements parley.Attendance. It takes a connection of its own beside the
// pool.
func (s *Store) Attend(ctx context.Context, node string, there func()) error {
	return s.whileOpen(ctx, func(ctx context.Context) error {
		conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
		if err != nil {
			return explained("attend", err)
		}
		defer hangUp(ctx, conn)
		if _, err := conn.Exec(ctx, attendSQL, s.lockOf(node)); err != nil {
			return explained("attend", err)
		}
		there()
		for {
			if err := s.hear(ctx, conn, func(parley.ID) {}); err != nil {
				return explained("attend", err)
			}
		}
	})
}

// Absent implements parley.Attendance.
func (s *Store) Absent(ctx context.Context, node string) (bool, error) {
	return patience.Missed(ctx, func(ctx context.Context) (absent bool, err error) {
		var up float64
		if err := s.pool.QueryRow(ctx, absentSQL, s.lockOf(node)).Scan(&absent, &up); err != nil {
			return false, explained("absent", err)
		}
		if absent && up < young.Seconds() {
			return false, parley.ErrUnsure
		}
		return absent, nil
	})
}

func (s *Store) lockOf(node string) int64 {
	digest := sha256.Sum256([]byte("parley node\x00" + s.channel + "\x00" + node))
	return int64(binary.BigEndian.Uint64(digest[:8]))
}
