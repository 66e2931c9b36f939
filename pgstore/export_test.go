package pgstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/parley-hq/parley"
)

// Successor is successor.
var Successor = successor

// Lacks is what a rehearsal says of tables that are there.
func Lacks(ctx context.Context, conn *pgx.Conn, schema string, upgrade bool) error {
	return lacks(ctx, conn, schema, upgrade)
}

// SetHeartbeat makes a watch ask more often whether its connection is alive.
func (s *Store) SetHeartbeat(every, answer time.Duration) { s.heartbeat, s.answer = every, answer }

// Pool returns the connections that the statements run on.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }

// ListStatement returns what List sends.
func (s *Store) ListStatement(q parley.Query) (string, []any) {
	q, _ = q.Normal()
	return s.sql.listFor(q)
}

// Statements returns what the other methods send.
func (s *Store) Statements() map[string]string {
	return map[string]string{
		"put": s.sql.put, "putLimited": s.sql.putLimited, "exists": s.sql.exists, "get": s.sql.get, "settle": s.sql.settle,
		"load": s.sql.load, "alive": s.sql.alive, "remove": s.sql.remove, "removeVersion": s.sql.removeVersion, "replace": s.sql.replace, "scan": s.sql.scan, "scanBelow": s.sql.scanBelow,
		"sweepRequests": s.sql.sweepRequests, "sweepRecords": s.sql.sweepRecords,
	}
}
