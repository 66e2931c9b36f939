// Package backend opens the store that a URL names: the one place that knows
// all of them.
package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pgstore"
	"github.com/parley-hq/parley/redisstore"
	"github.com/parley-hq/parley/sqlitestore"
)

// Store is a backend: it remembers requests and records until it is closed.
type Store interface {
	parley.Store
	parley.Records
	Close() error
}

// Options configures Open. Nil and zero fields mean the backend's defaults.
type Options struct {
	Retention time.Duration // how long an outcome is kept
	Space     string        // isolates data sets: the PostgreSQL schema, the Redis prefix; default: that of the URL
	Logger    *slog.Logger  // default slog.Default()
}

// ErrURL says that a store's URL names no backend.
var ErrURL = errors.New("unknown store: use memory:, sqlite:FILE, postgres://… or redis://…")

// Open opens the store that url names, and the space in it: [cutSpace].
func Open(ctx context.Context, url string, opts *Options) (Store, error) {
	if opts == nil {
		opts = &Options{}
	}
	url, space, err := cutSpace(url)
	if err != nil {
		return nil, err
	}
	space = cmp.Or(opts.Space, space)
	scheme, rest, _ := strings.Cut(url, ":")
	switch scheme {
	case "memory":
		store := parley.NewMemoryStore()
		store.Retention = opts.Retention
		if opts.Logger != nil {
			opts.Logger.Info("elicitation: using the in-memory store (single-node mode); use Redis or PostgreSQL for several nodes")
		}
		return store, nil
	case "sqlite":
		store, err := sqlitestore.Open(ctx, rest, &sqlitestore.Options{Retention: opts.Retention})
		return opened(store, err)
	case "postgres", "postgresql":
		store, err := pgstore.Open(ctx, url, &pgstore.Options{Retention: opts.Retention, Schema: space})
		return opened(store, err)
	case "redis", "rediss":
		store, err := redisstore.Open(ctx, url, &redisstore.Options{Retention: opts.Retention, Prefix: space, Logger: opts.Logger})
		return opened(store, err)
	}
	return nil, fmt.Errorf("%.20q: %w", scheme, ErrURL)
}

// opened keeps a nil pointer from becoming a store that is not nil.
func opened[S Store](store S, err error) (Store, error) {
	if err != nil {
		return nil, err
	}
	return store, nil
}
