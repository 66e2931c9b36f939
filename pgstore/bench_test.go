package pgstore_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/pgstore"
)

// stopwatch reports medians: on a busy machine a mean tells little.
type stopwatch []time.Duration

func (w *stopwatch) time(fn func() error) error {
	began := time.Now()
	err := fn()
	*w = append(*w, time.Since(began))
	return err
}

func (w stopwatch) at(percent int) time.Duration {
	slices.Sort(w)
	return w[min(len(w)*percent/100, len(w)-1)].Round(time.Microsecond)
}

func (w stopwatch) String() string {
	return fmt.Sprintf("median %v, p99 %v of %d", w.at(50), w.at(99), len(w))
}

func TestAHintTravelsFromOneHandleToAnother(t *testing.T) {
	url, opts := servers.Postgres(t), &pgstore.Options{Schema: freshSchema(t)}
	a, b := open(t, url, opts), open(t, url, opts)
	ctx, cancel := context.WithCancel(t.Context())
	heard, done := make(chan parley.ID, 1), make(chan error, 1)
	go func() { done <- b.Watch(ctx, func(id parley.ID) { heard <- id }) }()
	<-heard
	var put, get, settle, hint stopwatch
	for range 300 {
		r := question()
		if err := put.time(func() error { return a.Put(ctx, r, 100000) }); err != nil {
			t.Fatal(err)
		}
		if err := get.time(func() error { _, err := a.Get(ctx, r.ID); return err }); err != nil {
			t.Fatal(err)
		}
		err := hint.time(func() error {
			if err := settle.time(func() error { return a.Settle(ctx, r.ID, accepted()) }); err != nil {
				return err
			}
			if id := <-heard; id != r.ID {
				return fmt.Errorf("hint of %q, want %q", id, r.ID)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("put: %v\nget: %v\nsettle: %v\nfrom the call of settle to the hint: %v", put, get, settle, hint)
	cancel()
	wantError(t, <-done, context.Canceled)
}

// BenchmarkResolve is what answering costs: Get, then Settle, with that many
// requests pending.
func BenchmarkResolve(b *testing.B) {
	db := servers.OwnPostgres(b, &servers.Options{Durable: true})
	for _, pending := range []int{1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("pending=%d", pending), func(b *testing.B) {
			opts := &pgstore.Options{Schema: fmt.Sprintf("t_%d", pending)}
			s := open(b, db.URL, opts)
			var there int
			conn := connect(b, db.URL)
			if err := conn.QueryRow(b.Context(), "SELECT count(*) FROM "+opts.Schema+".requests").Scan(&there); err != nil {
				b.Fatal(err)
			}
			if there == 0 {
				fillPending(b, db.URL, opts.Schema, pending)
			}
			var put, get, settle, list, due stopwatch
			for b.Loop() {
				r := question()
				_ = put.time(func() error { return s.Put(b.Context(), r, 100) })
				_ = get.time(func() error { _, err := s.Get(b.Context(), r.ID); return err })
				if err := settle.time(func() error { return s.Settle(b.Context(), r.ID, accepted()) }); err != nil {
					b.Fatal(err)
				}
				_ = list.time(func() error {
					_, err := s.List(b.Context(), parley.Query{Tenant: "tenant-1", To: "user-7", Pending: true})
					return err
				})
				_ = due.time(func() error {
					_, err := s.List(b.Context(), parley.Query{Pending: true, ExpiresBefore: time.Now()})
					return err
				})
			}
			for name, w := range map[string]stopwatch{"put": put, "get": get, "settle": settle, "list": list, "due": due} {
				b.ReportMetric(float64(w.at(50).Microseconds()), name+"-µs")
			}
		})
	}
}

// BenchmarkSettleTogether has many goroutines settle at once.
func BenchmarkSettleTogether(b *testing.B) {
	db := servers.OwnPostgres(b, &servers.Options{Durable: true})
	s := open(b, db.URL, nil)
	var ids []parley.ID
	for range b.N {
		ids = append(ids, mustPut(b, s).ID)
	}
	next := make(chan parley.ID, len(ids))
	for _, id := range ids {
		next <- id
	}
	b.SetParallelism(32)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := s.Settle(b.Context(), <-next, accepted()); err != nil {
				b.Error(err)
			}
		}
	})
}

// fillPending makes rows pending requests of as many people that expire later.
func fillPending(b *testing.B, url, schema string, rows int) {
	b.Helper()
	exec(b, url, fmt.Sprintf(`
INSERT INTO %[1]s.requests (id, tenant, recipient, service, mode, message, schema, url, trigger, session, created, expires)
SELECT to_char(i, 'FM000000000000') || md5(i::text), 'tenant-' || i %% 5, 'user-' || i, 'tracker', 'form',
	repeat('Delete account 7? ', 10), '{"type":"object"}', '', 'tool', 'session-' || i, i, %[2]d + i
FROM generate_series(1, %[3]d) i;
ANALYZE %[1]s.requests`, schema, time.Now().Add(24*time.Hour).UnixMilli(), rows))
}
