package telemetry

import (
	"context"
	"errors"
	"time"

	"github.com/parley-hq/parley"
)

// Store is a store whose operations are timed. It has the abilities of the one that
// it is of.
type Store interface {
	parley.Store
	parley.Records
	Close() error
}

// operations are those that are timed.
var operations = []string{"put", "get", "settle", "list", "load", "save", "delete", "scan", "sweep", "count"}

// Store returns a store that does what inner does, and times it.
func (m *Metrics) Store(inner Store) Store {
	s := &timed{inner: inner, metrics: m}
	if a, ok := inner.(parley.Attendance); ok {
		return &attending{timed: s, Attendance: a}
	}
	return s
}

type timed struct {
	inner   Store
	metrics *Metrics
}

// attending is a timed store that knows who is there. Attending takes as long as the
// process lives: it is not timed.
type attending struct {
	*timed
	parley.Attendance
}

func (s *timed) over(operation string, began time.Time, err *error) {
	s.metrics.storeTime.WithLabelValues(operation).Observe(time.Since(began).Seconds())
	if failed(*err) {
		s.metrics.storeErrors.WithLabelValues(operation).Inc()
	}
}

func (s *timed) Put(ctx context.Context, r parley.Request, maxPending int) (err error) {
	defer s.over("put", time.Now(), &err)
	return s.inner.Put(ctx, r, maxPending)
}

func (s *timed) Get(ctx context.Context, id parley.ID) (_ parley.Request, err error) {
	defer s.over("get", time.Now(), &err)
	return s.inner.Get(ctx, id)
}

func (s *timed) Settle(ctx context.Context, id parley.ID, o parley.Outcome) (err error) {
	defer s.over("settle", time.Now(), &err)
	return s.inner.Settle(ctx, id, o)
}

func (s *timed) List(ctx context.Context, q parley.Query) (_ []parley.Request, err error) {
	defer s.over("list", time.Now(), &err)
	return s.inner.List(ctx, q)
}

// Watch lasts as long as the process: it is not timed.
func (s *timed) Watch(ctx context.Context, settled func(parley.ID)) error {
	return s.inner.Watch(ctx, settled)
}

func (s *timed) Load(ctx context.Context, at parley.Address) (_ parley.Record, err error) {
	defer s.over("load", time.Now(), &err)
	return s.inner.Load(ctx, at)
}

func (s *timed) Save(ctx context.Context, r parley.Record) (_ int64, err error) {
	defer s.over("save", time.Now(), &err)
	return s.inner.Save(ctx, r)
}

func (s *timed) Delete(ctx context.Context, at parley.Address, version int64) (err error) {
	defer s.over("delete", time.Now(), &err)
	return s.inner.Delete(ctx, at, version)
}

func (s *timed) Scan(ctx context.Context, from parley.Address, after string, limit int) (_ []parley.Record, err error) {
	defer s.over("scan", time.Now(), &err)
	return s.inner.Scan(ctx, from, after, limit)
}

// Sweep passes the ability on: a store that forgets by itself has nothing to do.
func (s *timed) Sweep(ctx context.Context, now time.Time) (err error) {
	inner, ok := s.inner.(parley.Sweeper)
	if !ok {
		return nil
	}
	defer s.over("sweep", time.Now(), &err)
	return inner.Sweep(ctx, now)
}

// CountPending passes the ability on; errors.ErrUnsupported where there is none.
func (s *timed) CountPending(ctx context.Context) (_ int, err error) {
	inner, ok := s.inner.(parley.Counter)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	defer s.over("count", time.Now(), &err)
	return inner.CountPending(ctx)
}

func (s *timed) Close() error { return s.inner.Close() }
