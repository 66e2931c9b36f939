package parley

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/internal/quietlog"
)

// Run brings wake-ups from other processes, settles what has expired and lets
// the store forget what is past its retention. It blocks until ctx ends and
// returns its error; ErrRunning when the hub runs already.
func (h *Hub) Run(ctx context.Context) error {
	h.mu.Lock()
	if h.running {
		h.mu.Unlock()
		return ErrRunning
	}
	h.running = true
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		h.running, h.live = false, false
		h.mu.Unlock()
		h.wakeAll() // they poll from now on
	}()
	var wg sync.WaitGroup
	wg.Go(func() { h.watch(ctx) })
	wg.Go(func() { h.sweep(ctx) })
	wg.Go(func() { h.forget(ctx) })
	wg.Wait()
	return ctx.Err()
}

// watch keeps the subscription standing.
func (h *Hub) watch(ctx context.Context) {
	fresh := backoff{first: 20 * time.Millisecond, most: 2 * time.Second}
	pause := fresh
	var trouble quietlog.Trouble
	const broken = "store watch broken; waiters poll"
	for ctx.Err() == nil {
		err := h.store.Watch(ctx, func(id ID) {
			if id == "" {
				pause = fresh
				trouble.Note(ctx, h.opts.Logger, broken, nil)
				h.setLive(true)
				h.wakeAll()
				return
			}
			h.wake(id, nil)
		})
		h.setLive(false)
		h.wakeAll()
		if ctx.Err() == nil {
			trouble.Note(ctx, h.opts.Logger, broken, err)
			patience.Sleep(ctx, pause.next())
		}
	}
}

func (h *Hub) setLive(live bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.live = live
}

// sweep settles what has expired while nobody waited for it.
func (h *Hub) sweep(ctx context.Context) {
	var trouble quietlog.Trouble
	for patience.Sleep(ctx, jitter(h.opts.SweepEvery)) {
		trouble.Note(ctx, h.opts.Logger, "expiry sweep failed; trying again", h.expireDue(ctx))
	}
}

// expireDue goes on while there is more and some of it can be settled. Where there is much,
// other nodes are at it too: each takes some at random and looks again, so that they
// seldom take the same.
func (h *Hub) expireDue(ctx context.Context) error {
	for {
		due, err := h.store.List(ctx, Query{Pending: true, ExpiresBefore: now(), Soonest: true, Limit: MaxLimit})
		if err != nil {
			return err
		}
		more := len(due) == MaxLimit
		rand.Shuffle(len(due), func(i, j int) { due[i], due[j] = due[j], due[i] })
		if more {
			due = due[:MaxLimit/4]
		}
		ended, err := h.expireAll(ctx, due)
		if !more || ended == 0 {
			return err
		}
	}
}

// expireTogether is how many questions are expired at a time: a store writes several
// to its disk at once. After so many failures in a row it is taken to be away.
const expireTogether = 8

// expireAll expires each of due, also where one of them cannot be. It returns how many
// have ended, and why the others have not.
func (h *Hub) expireAll(ctx context.Context, due []Request) (ended int, failure error) {
	var (
		mu      sync.Mutex
		workers sync.WaitGroup
		next    = make(chan Request)
		inARow  int
	)
	away := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return inARow >= expireTogether
	}
	for range min(expireTogether, len(due)) {
		workers.Go(func() {
			for r := range next {
				err := h.expire(ctx, r)
				mu.Lock()
				if inARow++; err == nil || errors.Is(err, ErrSettled) || errors.Is(err, ErrNotFound) {
					inARow = 0
					ended++
				} else {
					failure = err
				}
				mu.Unlock()
			}
		})
	}
	for _, r := range due {
		if away() || ctx.Err() != nil {
			break
		}
		next <- r
	}
	close(next)
	workers.Wait()
	return ended, failure
}

// forgetEvery is how often a store that does not forget by itself is asked to.
const forgetEvery = time.Minute

func (h *Hub) forget(ctx context.Context) {
	store, ok := h.store.(Sweeper)
	if !ok {
		return
	}
	for patience.Sleep(ctx, jitter(forgetEvery)) {
		if err := store.Sweep(ctx, time.Now()); err != nil && ctx.Err() == nil {
			h.opts.Logger.WarnContext(ctx, "old outcomes not forgotten; trying again", "err", err)
		}
	}
}
