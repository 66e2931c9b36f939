// Package redisstore keeps requests and records in Redis, for many nodes.
//
//	store, err := redisstore.Open(ctx, "redis://127.0.0.1:6379", nil)
//
// Every change is one Lua script, so it happens at once or not at all; the
// files in scripts say what each promises. A request is one string: all of it
// encoded, with the outcome appended when it settles. A hash of named fields
// would be larger by a table per request, and slower to read. Sorted sets in
// the order of ids find the requests of a person, a session and a tenant, those
// that are pending apart from the others; one more finds those that expire.
//
// A pending request has no time to live. When it settles it gets the retention
// time, after which the server drops it; its index entries go with later
// writes, or with Sweep. Hints travel by publish and subscribe.
//
// A call whose connection breaks returns an error and is never repeated behind
// the caller's back, since its work may be done. The next call connects anew.
//
// It needs Redis 6 or later, or Valkey, with persistence on (appendonly yes)
// and no eviction. A user with limited rights needs the keys and the channels
// {parley}:*, and what Rehearse tries. In a cluster all keys are in one slot,
// which must not be moved while the store is in use.
package redisstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley"
)

var (
	_ parley.Store   = (*Store)(nil)
	_ parley.Records = (*Store)(nil)
	_ parley.Sweeper = (*Store)(nil)
)

// errClosed is what calls and watches get after Close.
var errClosed = errors.New("redisstore: the store is closed")

// Options of a store. Nil means the defaults.
type Options struct {
	// Prefix begins every key and the channel, in braces. Stores with the same
	// prefix share their data. It has no braces itself. Default "parley".
	Prefix string

	// Retention is how long an outcome is kept after it was settled, by the
	// server's clock. Default seven days.
	Retention time.Duration

	// Cluster connects to a cluster, which finds its other nodes by itself. By
	// default the URL names a single server.
	Cluster bool

	// Logger is told once if the server can lose questions. Default
	// slog.Default().
	Logger *slog.Logger
}

// Store is a parley.Store, parley.Records and parley.Sweeper in Redis. It may
// be used by many goroutines; other processes may use the same data.
type Store struct {
	link      *link
	server    server
	keys      keys
	scripts   scripts
	retention time.Duration
	close     func()
}

// Open connects to the server at url: redis://user:password@host:6379/0, or
// rediss:// with TLS. It fails when the server cannot be reached. The caller
// closes the store.
func Open(ctx context.Context, url string, opts *Options) (*Store, error) {
	if opts == nil {
		opts = &Options{}
	}
	prefix := cmp.Or(opts.Prefix, "parley")
	if strings.ContainsAny(prefix, "{}") {
		return nil, fmt.Errorf("redisstore: prefix %q contains a brace: choose one without", prefix)
	}
	if opts.Retention < 0 {
		return nil, fmt.Errorf("redisstore: retention %v: choose a positive one", opts.Retention)
	}
	at, err := parseURL(url, opts.Cluster)
	if err != nil {
		return nil, err
	}
	s := &Store{
		link:      newLink(at, slotOf(prefix)),
		server:    at,
		keys:      keys{tag: "{" + prefix + "}"},
		scripts:   newScripts(),
		retention: max(cmp.Or(opts.Retention, 7*24*time.Hour), time.Millisecond),
	}
	s.close = sync.OnceFunc(s.link.close)
	if _, err := s.link.connected(ctx); err != nil {
		s.close()
		return nil, at.explain("connect", err)
	}
	if err := s.checkDurability(ctx, cmp.Or(opts.Logger, slog.Default())); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// Close ends the connections. Calls and watches in progress return an error.
func (s *Store) Close() error {
	s.close()
	return nil
}

// Sweep implements parley.Sweeper. The server drops settled requests and
// expired records by itself; Sweep removes the index entries that writes have
// not removed yet, in small batches.
func (s *Store) Sweep(ctx context.Context, now time.Time) error {
	const batch = 200
	for {
		n, err := s.run(ctx, s.scripts.sweep, s.keys.dying(), milliseconds(now), strconv.Itoa(batch))
		if err != nil {
			return s.server.explain("sweep", err)
		}
		if n < batch {
			return nil
		}
	}
}
