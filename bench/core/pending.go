package core

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"
	"github.com/jackc/pgx/v5"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/bench/kit"
)

// fill opens n questions, a thousand to a person, with a progress line.
func fill(ctx context.Context, s *kit.Site, hub *parley.Hub, n int) error {
	const callers = 16
	var done atomic.Int64
	errs := make([]error, callers)
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			for i := c; i < n; i += callers {
				r := question(fmt.Sprint("user-", i/1000))
				r.Expires = time.Now().Add(24 * time.Hour)
				if _, err := hub.Open(ctx, r); err != nil {
					errs[c] = err
					return
				}
				done.Add(1)
			}
		})
	}
	filled := make(chan struct{})
	go func() {
		wg.Wait()
		close(filled)
	}()
	for tick := time.NewTicker(500 * time.Millisecond); ; {
		select {
		case <-filled:
			tick.Stop()
			return errors.Join(errs...)
		case <-tick.C:
			kit.Progress("%s: %s of %s questions opened", s.Name, kit.Count(int(done.Load())), kit.Count(n))
		}
	}
}

// resolve times answers among many pending questions. All sizes are filled
// first and then measured in turns, so that noise hits them alike.
func resolve(ctx context.Context, s *kit.Site, o options) (medians []kit.Duration, err error) {
	hubs := make([]*parley.Hub, len(o.sizes))
	for i, n := range o.sizes {
		store, err := s.Open(ctx, fmt.Sprint("pending", n))
		if err != nil {
			return nil, err
		}
		defer store.Close()
		hubs[i] = parley.New(store, nil)
		stop := kit.RunHub(ctx, hubs[i])
		defer stop()
		if err := fill(ctx, s, hubs[i], n); err != nil {
			return nil, err
		}
	}
	if err := settleDown(ctx, s, o.sizes); err != nil {
		return nil, err
	}
	times := make([]kit.Samples, len(hubs))
	for round := range o.rounds {
		kit.Progress("%s: resolving, round %d of %d", s.Name, round+1, o.rounds)
		for i, hub := range hubs {
			r, err := hub.Open(ctx, question(asked.User))
			if err != nil {
				return nil, err
			}
			_, wake, err := resolveOne(ctx, hub, r.ID)
			if err != nil {
				return nil, err
			}
			times[i].Add(wake)
		}
	}
	for i := range times {
		medians = append(medians, times[i].Median())
	}
	return medians, nil
}

// settleDown lets PostgreSQL do what it does by itself after such a load, so
// that it does not do so during the measurement.
func settleDown(ctx context.Context, s *kit.Site, sizes []int) error {
	if s.Name != "postgres" {
		return nil
	}
	kit.Progress("%s: vacuum", s.Name)
	conn, err := pgx.Connect(ctx, s.Server.URL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, n := range sizes {
		if _, err := conn.Exec(ctx, fmt.Sprintf("VACUUM ANALYZE pending%d.requests", n)); err != nil {
			return err
		}
	}
	_, err = conn.Exec(ctx, "CHECKPOINT")
	return err
}

// pendingBytes says what one pending question costs where the backend keeps it.
func pendingBytes(ctx context.Context, s *kit.Site, n int) (int64, error) {
	store, err := s.Open(ctx, "footprint")
	if err != nil {
		return 0, err
	}
	defer store.Close()
	before, err := sizeOf(ctx, s)
	if err != nil {
		return 0, err
	}
	if err := fill(ctx, s, parley.New(store, nil), n); err != nil {
		return 0, err
	}
	after, err := sizeOf(ctx, s)
	runtime.KeepAlive(store)
	return (after - before) / int64(max(1, n)), err
}

// sizeOf is how much the backend takes: heap, file, relation or server memory.
func sizeOf(ctx context.Context, s *kit.Site) (int64, error) {
	switch s.Name {
	case "memory":
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc), nil
	case "sqlite":
		var sum int64
		for _, suffix := range []string{".db", ".db-wal"} {
			if info, err := os.Stat(s.Dir + "/footprint" + suffix); err == nil {
				sum += info.Size()
			}
		}
		return sum, nil
	case "postgres":
		conn, err := pgx.Connect(ctx, s.Server.URL)
		if err != nil {
			return 0, err
		}
		defer conn.Close(ctx)
		var size int64
		err = conn.QueryRow(ctx, "SELECT pg_total_relation_size('footprint.requests')").Scan(&size)
		return size, err
	}
	return redisSize(ctx, s.Server.URL)
}

func redisSize(ctx context.Context, url string) (int64, error) {
	conn, err := redis.DialURLContext(ctx, url)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	stats, err := redis.Values(redis.DoContext(conn, ctx, "MEMORY", "STATS"))
	if err != nil {
		return 0, err
	}
	for i := 0; i+1 < len(stats); i += 2 {
		if name, _ := redis.String(stats[i], nil); name == "dataset.bytes" {
			return redis.Int64(stats[i+1], nil)
		}
	}
	return 0, errors.New("MEMORY STATS does not tell the size of the data")
}
