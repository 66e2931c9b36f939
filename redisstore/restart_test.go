package redisstore_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/redisstore"
)

func TestCallsSucceedAgainAfterARestart(t *testing.T) {
	server := servers.OwnRedis(t, nil)
	s := open(t, server.URL, &redisstore.Options{})
	r := put(t, s, question("alice"))
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := s.Get(ctx, r.ID); err == nil || errors.Is(err, parley.ErrNotFound) || ctx.Err() != nil {
		t.Fatalf("Get without a server = %v", err)
	}
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for {
		_, err := s.Get(ctx, r.ID)
		if err == nil {
			break
		}
		if failed++; failed > 2 {
			t.Fatalf("Get after the restart fails for the third time: %v", err)
		}
	}
	if err := s.Settle(ctx, r.ID, accepted("x")); err != nil { // its script is not in the new server yet
		t.Fatal(err)
	}
}

// One node asks and waits, another answers. The server is killed and restarted
// under them; each goes on as the hub does: it tries again, and reads again
// whenever hints may have been missed.
func TestNoOutcomeIsLostOverRestarts(t *testing.T) {
	const questions, kills = 600, 3
	server := servers.OwnRedis(t, nil)
	asking := open(t, server.URL, &redisstore.Options{})
	answering := open(t, server.URL, &redisstore.Options{})
	var ids []parley.ID
	for range questions {
		ids = append(ids, put(t, asking, question("alice")).ID)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	w := &waiter{store: asking, open: map[parley.ID]bool{}, hints: make(chan parley.ID, 4*questions)}
	for _, id := range ids {
		w.open[id] = true
	}
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		w.watch(ctx)
	}()
	var settled atomic.Int64
	answered := make(chan error, 1)
	go func() { answered <- answerAll(ctx, answering, ids, &settled) }()
	for i := range kills {
		for w.stood.Load() <= int64(i) || settled.Load() < int64((i+1)*questions/(kills+1)) {
			if time.Sleep(time.Millisecond); ctx.Err() != nil {
				t.Fatalf("the watch stood %d times and %d requests were settled before kill %d", w.stood.Load(), settled.Load(), i)
			}
		}
		if err := server.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := server.Restart(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-answered; err != nil {
		t.Fatal(err)
	}
	if err := w.wait(ctx); err != nil {
		t.Fatalf("%d of %d outcomes did not reach the waiter: %v", len(w.open), questions, err)
	}
	cancel()
	<-watching
}

// answerAll settles every request, as often as it takes.
func answerAll(ctx context.Context, s *redisstore.Store, ids []parley.ID, settled *atomic.Int64) error {
	for _, id := range ids {
		for attempt := 0; ; attempt++ {
			err := s.Settle(ctx, id, accepted("mine"))
			if err == nil || errors.Is(err, parley.ErrSettled) && attempt > 0 { // by the attempt whose reply was lost
				break
			}
			if ctx.Err() != nil || errors.Is(err, parley.ErrSettled) || errors.Is(err, parley.ErrNotFound) {
				return fmt.Errorf("attempt %d: %w", attempt, err)
			}
			time.Sleep(time.Millisecond)
		}
		settled.Add(1)
	}
	return nil
}

// waiter waits for outcomes as the hub does.
type waiter struct {
	store *redisstore.Store
	open  map[parley.ID]bool
	hints chan parley.ID
	stood atomic.Int64
}

func (w *waiter) watch(ctx context.Context) {
	for ctx.Err() == nil {
		_ = w.store.Watch(ctx, func(id parley.ID) {
			if id == "" {
				w.stood.Add(1)
			}
			w.hints <- id
		})
		time.Sleep(time.Millisecond)
	}
}

// wait returns when all outcomes are known. It reads only on a hint: a gap in
// the watch that is not told would make it wait for ever.
func (w *waiter) wait(ctx context.Context) error {
	for len(w.open) > 0 {
		select {
		case id := <-w.hints:
			for open := range w.open {
				if id != "" && id != open {
					continue
				}
				if err := w.read(ctx, open); err != nil {
					return err
				}
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (w *waiter) read(ctx context.Context, id parley.ID) error {
	for {
		r, err := w.store.Get(ctx, id)
		if errors.Is(err, parley.ErrNotFound) || ctx.Err() != nil {
			return err
		}
		if err == nil {
			if !r.Pending() {
				delete(w.open, id)
			}
			return nil
		}
		time.Sleep(time.Millisecond)
	}
}
