// Package pgstore keeps requests and records in PostgreSQL, for one node or many.
//
//	store, err := pgstore.Open(ctx, "postgres://parley:secret@db.example/parley", nil)
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//	hub := parley.New(store, nil)
//
// Everything lives in one schema of the database, which Open creates and brings
// up to date; any number of nodes may do so at once. Stores with different
// schemas share nothing.
//
// Settle is one statement that updates the row. The hint leaves after its commit, on
// the channel that every [Store.Watch] listens to, together with those of others that
// were settled meanwhile. Watch has a connection of its own, so that watchers cannot
// keep queries from theirs.
//
// The present is the clock of this program, never the server's: whether a
// record has expired is decided by time.Now here, and whether a request has by
// the hub. So nodes should keep their clocks together, as they have to anyway.
//
// A Store may be used by many goroutines, and many stores, in one process or
// several, may share a schema. When the server restarts or a connection breaks,
// calls fail until it is back and the pool connects again by itself.
//
// It works through a connection pooler in session mode, such as PgBouncer.
// LISTEN and prepared statements need the session.
package pgstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/parley-hq/parley"
)

var (
	_ parley.Store   = (*Store)(nil)
	_ parley.Records = (*Store)(nil)
	_ parley.Sweeper = (*Store)(nil)
)

// Options of a store. Nil means the defaults.
type Options struct {
	// Schema holds the tables: lower-case letters, digits and underscores, 55
	// at most. It is created if it is missing. Empty: "parley".
	Schema string

	// MaxConns is how many connections the pool opens at most; each Watch and
	// each Attend takes one more. 0: pool_max_conns of the URL, or 16.
	MaxConns int

	// Retention is how long an outcome is kept after it was settled. 0: 7 days.
	Retention time.Duration
}

const (
	defaultSchema    = "parley"
	defaultMaxConns  = 16
	defaultRetention = 7 * 24 * time.Hour
)

// Store is a parley.Store, parley.Records and parley.Sweeper in PostgreSQL.
// Whoever opened it must call Close.
type Store struct {
	pool      *pgxpool.Pool
	sql       statements
	channel   string
	retention time.Duration
	heartbeat time.Duration // see the constants of Watch
	answer    time.Duration

	herald *herald

	closing sync.Once
	closed  chan struct{}
}

// schemaName leaves room for the suffix of the channel in PostgreSQL's 63 bytes.
var schemaName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,54}$`)

var errClosed = errors.New("pgstore: the store was closed")

// Open connects to the database that url names, as libpq understands it
// (postgres://user:password@host:5432/database), and brings the schema up to
// date. It fails when the schema was written by a newer program.
func Open(ctx context.Context, url string, opts *Options) (*Store, error) {
	o, err := opts.normal()
	if err != nil {
		return nil, err
	}
	config, err := parseURL(url, o)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("pgstore: %w", err)
	}
	if err := migrate(ctx, pool, o.Schema); err != nil {
		pool.Close()
		return nil, err
	}
	channel := o.Schema + "_settled"
	s := &Store{
		pool:      pool,
		sql:       newStatements(o.Schema),
		channel:   channel,
		retention: o.Retention,
		heartbeat: heartbeat,
		answer:    answerTime,
		closed:    make(chan struct{}),
	}
	s.herald = newHerald(func(ctx context.Context, ids []string) error {
		_, err := pool.Exec(ctx, s.sql.hint, channel, ids)
		return err
	})
	go s.herald.run(s.closed)
	return s, nil
}

func (o *Options) normal() (Options, error) {
	if o == nil {
		o = &Options{}
	}
	n := *o
	if n.Schema == "" {
		n.Schema = defaultSchema
	}
	if n.Retention == 0 {
		n.Retention = defaultRetention
	}
	switch {
	case !schemaName.MatchString(n.Schema) || strings.HasPrefix(n.Schema, "pg_"):
		return n, fmt.Errorf("pgstore: schema %q: use at most 55 lower-case letters, digits and underscores, not beginning with a digit or pg_", n.Schema)
	case n.MaxConns < 0 || n.MaxConns > math.MaxInt32:
		return n, fmt.Errorf("pgstore: %d connections: use a positive number, or 0 for the default", n.MaxConns)
	case n.Retention < 0:
		return n, fmt.Errorf("pgstore: retention of %v: use a positive time, or 0 for the default", n.Retention)
	}
	return n, nil
}

// Close ends every Watch, sends the last hints, waits for the calls in progress and
// closes the connections. It may be called more than once.
func (s *Store) Close() error {
	s.closing.Do(func() { close(s.closed) })
	<-s.herald.idle
	s.pool.Close()
	return nil
}

// unstorable reports whether the server refused a string that is not UTF-8 or
// holds a NUL. Nothing that is stored can be named by it.
func unstorable(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "22021" // character_not_in_repertoire
}

// nothing reports whether a lookup found no row, or could not have found one.
func nothing(err error) bool {
	return errors.Is(err, pgx.ErrNoRows) || unstorable(err)
}

func fromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// orNil keeps the difference between empty and nil out of the database.
func orNil(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}
