// Package sqlitestore remembers requests and records in one SQLite file: the
// store of a program on one machine, or of several that share the file.
//
//	store, err := sqlitestore.Open(ctx, "parley.db", nil)
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//	hub := parley.New(store, nil)
//
// What a method reported done survives kill -9 and a power cut: the file is in
// WAL mode with synchronous=FULL, so a commit returns when the disk has it. Under
// parley.FlushLater it returns before: what is written then survives kill -9, and a
// power cut after the next commit that waits for the disk, which comes within 20 ms.
// Every write is one statement and therefore all or nothing. SQLite lets one
// writer in at a time, across processes; that, not a lock of ours, is what
// makes Settle a compare-and-swap and its sequence numbers grow in the order of
// commits.
//
// A Store may be used by many goroutines, and any number of stores, in this
// and in other processes, may have the same file open. The file must be on a
// local disk: WAL needs memory shared between its users.
//
// Next to parley.db live parley.db-wal and parley.db-shm, which are SQLite's,
// and parley.db-bell, an empty file whose time stamp changes when a request is
// settled; see Watch. parley.db-nodes is empty too: processes have locks on it for
// as long as they live; see Attend.
//
// The WAL does not grow without bound. SQLite copies it into the main file
// whenever a commit leaves more than 1000 pages in it, and starts it over when
// no reader needs it. Readers here are short: each query is its own read
// transaction, holds at most 1000 rows, and calls nobody while it is open. Where
// they come so densely that some reader always needs it, the writer steps in.
package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/parley-hq/parley"
)

var (
	_ parley.Store   = (*Store)(nil)
	_ parley.Records = (*Store)(nil)
	_ parley.Sweeper = (*Store)(nil)
)

// ErrClosed is what calls on a closed store, and a Watch that Close ended,
// return.
var ErrClosed = errors.New("sqlitestore: the store is closed: open it again")

// Options adjust a Store. Nil and zero fields mean the defaults.
type Options struct {
	// Retention is how long Sweep keeps a request after it was settled.
	// 0: seven days.
	Retention time.Duration

	// Patience is how long a call waits for other processes that have the file
	// locked, within what its context allows. 0: ten seconds.
	Patience time.Duration
}

const (
	defaultRetention = 7 * 24 * time.Hour
	defaultPatience  = 10 * time.Second
)

// Store is a parley.Store, parley.Records and parley.Sweeper on a SQLite file.
// Its user closes it.
type Store struct {
	path      string
	retention time.Duration

	write *writer
	read  *pool

	closed chan struct{}
	close  sync.Once

	mu       sync.Mutex
	watchers map[chan struct{}]struct{} // one for each Watch of this handle
}

// Open opens the file at path, creates it if it is not there (readable by its
// owner only; the directory must exist), and brings its schema up to date. Any
// number of processes may do so at once.
func Open(ctx context.Context, path string, opts *Options) (*Store, error) {
	if opts == nil {
		opts = &Options{}
	}
	path, err := locate(path)
	if err != nil {
		return nil, err
	}
	patience := orDefault(opts.Patience, defaultPatience)
	if err := create(ctx, path, patience); err != nil {
		return nil, explain(path, err)
	}
	s := &Store{
		path:      path,
		retention: orDefault(opts.Retention, defaultRetention),
		closed:    make(chan struct{}),
		watchers:  make(map[chan struct{}]struct{}),
	}
	if s.write, err = newWriter(ctx, path, patience); err != nil {
		return nil, explain(path, err)
	}
	if s.read, err = newPool(path, patience); err != nil {
		return nil, errors.Join(err, s.write.close())
	}
	if err := s.setUp(ctx); err != nil {
		return nil, errors.Join(explain(path, err), s.read.close(), s.write.close())
	}
	return s, nil
}

// setUp must not change a file before it has found it to be ours.
func (s *Store) setUp(ctx context.Context) error {
	if _, err := s.write.schemaVersion(ctx); err != nil {
		return err
	}
	if err := s.write.useWAL(ctx); err != nil {
		return err
	}
	if err := s.write.migrate(ctx); err != nil {
		return err
	}
	return s.hangBell()
}

// Close ends every Watch of this store, writes the WAL into the main file if
// no other process is using it, and closes the file.
func (s *Store) Close() (err error) {
	s.close.Do(func() {
		close(s.closed)
		err = errors.Join(s.read.close(), s.write.finish(), s.write.close())
	})
	return err
}

// failed says what was attempted when err happened, and what to do about it.
func (s *Store) failed(attempt string, err error) error {
	return fmt.Errorf("%s: %w", attempt, explain(s.path, err))
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// millis and moment are how times are stored: unix milliseconds, UTC.
func millis(t time.Time) int64 { return t.UnixMilli() }

func moment(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// optional stores the zero time as null.
func optional(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMilli(), Valid: !t.IsZero()}
}
