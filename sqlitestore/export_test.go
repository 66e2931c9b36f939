package sqlitestore

import (
	"context"
	"fmt"
	"time"
)

// Statements are the ones that must stay fast however much is stored.
var Statements = map[string]string{
	"put":            putRequest,
	"get":            getRequest,
	"settle":         settleRequest,
	"settled?":       requestSettled,
	"news":           newsOf,
	"sweep requests": sweepRequests,
	"sweep records":  sweepRecords,
	"load":           loadRecord,
	"create":         createRecord,
	"replace":        replaceRecord,
	"delete":         deleteRecord,
	"version":        recordVersion,
	"scan":           scanned("", ""),
	"scan prefix":    scanned("p", ""),
	"scan on":        scanned("p", "pq"),
}

func scanned(prefix, after string) string {
	keys, _ := between(prefix, after)
	return fmt.Sprintf(scanRecords, keys)
}

// ListRequests is the statement for a query.
var ListRequests = listRequests

// WALLimit is how long the WAL may get.
const WALLimit = walLimit

// Flushes reports whether commits of the last batch waited for the disk, and whether
// the disk is owed something. Nobody writes meanwhile.
func (s *Store) Flushes(ctx context.Context) (waits, owes bool, err error) {
	var level int
	err = s.write.conn.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&level)
	return level == 2, s.write.unflushed, err
}

// FlushNever keeps the store from flushing by itself.
func (s *Store) FlushNever() { s.write.flusher = time.AfterFunc(time.Hour, func() {}) }
