package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/rueidis"

	"github.com/parley-hq/parley"
)

// fill opens n questions, a thousand to a person, with a progress line.
func (s *site) fill(ctx context.Context, hub *parley.Hub, n int) error {
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
			progress("%s: %s of %s questions opened", s.name, count(int(done.Load())), count(n))
		}
	}
}

// resolve times answers among many pending questions. All sizes are filled
// first and then measured in turns, so that noise hits them alike.
func (s *site) resolve(ctx context.Context, o coreOptions) ([]string, error) {
	hubs := make([]*parley.Hub, len(o.sizes))
	for i, n := range o.sizes {
		store, err := s.open(ctx, fmt.Sprint("pending", n))
		if err != nil {
			return nil, err
		}
		defer store.Close()
		hubs[i] = parley.New(store, nil)
		stop := runHub(ctx, hubs[i])
		defer stop()
		if err := s.fill(ctx, hubs[i], n); err != nil {
			return nil, err
		}
	}
	if err := s.settleDown(ctx, o.sizes); err != nil {
		return nil, err
	}
	times := make([]samples, len(hubs))
	for round := range o.rounds {
		progress("%s: resolving, round %d of %d", s.name, round+1, o.rounds)
		for i, hub := range hubs {
			r, err := hub.Open(ctx, question(asked.User))
			if err != nil {
				return nil, err
			}
			_, wake, err := resolveOne(ctx, hub, r.ID)
			if err != nil {
				return nil, err
			}
			times[i].add(wake)
		}
	}
	var row []string
	for i := range times {
		row = append(row, times[i].median().String())
	}
	ratio := float64(times[len(times)-1].median()) / float64(times[0].median())
	return append(row, fmt.Sprintf("%.2f×", ratio)), nil
}

// settleDown lets PostgreSQL do what it does by itself after such a load, so
// that it does not do so during the measurement.
func (s *site) settleDown(ctx context.Context, sizes []int) error {
	if s.name != "postgres" {
		return nil
	}
	progress("%s: vacuum", s.name)
	conn, err := pgx.Connect(ctx, s.server.URL)
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

// footprint says what one pending question costs where the backend keeps it.
func (s *site) footprint(ctx context.Context) (string, error) {
	const n = 20_000
	store, err := s.open(ctx, "footprint")
	if err != nil {
		return "", err
	}
	defer store.Close()
	before, err := s.size(ctx)
	if err != nil {
		return "", err
	}
	if err := s.fill(ctx, parley.New(store, nil), n); err != nil {
		return "", err
	}
	after, err := s.size(ctx)
	runtime.KeepAlive(store)
	return fmt.Sprint((after - before) / n), err
}

// size is how much the backend takes: heap, file, relation or server memory.
func (s *site) size(ctx context.Context) (int64, error) {
	switch s.name {
	case "memory":
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc), nil
	case "sqlite":
		var sum int64
		for _, suffix := range []string{".db", ".db-wal"} {
			if info, err := os.Stat(s.dir + "/footprint" + suffix); err == nil {
				sum += info.Size()
			}
		}
		return sum, nil
	case "postgres":
		conn, err := pgx.Connect(ctx, s.server.URL)
		if err != nil {
			return 0, err
		}
		defer conn.Close(ctx)
		var size int64
		err = conn.QueryRow(ctx, "SELECT pg_total_relation_size('footprint.requests')").Scan(&size)
		return size, err
	}
	return redisSize(ctx, s.server.URL)
}

func redisSize(ctx context.Context, url string) (int64, error) {
	options, err := rueidis.ParseURL(url)
	if err != nil {
		return 0, err
	}
	options.ForceSingleClient = true
	client, err := rueidis.NewClient(options)
	if err != nil {
		return 0, err
	}
	defer client.Close()
	stats, err := client.Do(ctx, client.B().MemoryStats().Build()).ToMap()
	if err != nil {
		return 0, err
	}
	used := stats["dataset.bytes"]
	return used.ToInt64()
}
