package parley

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// How often a waiter reads again although no hint came: hints may be lost.
const (
	rereadLive  = 30 * time.Second
	rereadEach  = 5 * time.Millisecond  // for each who waits here: together they read 200 times a second at most
	rereadFirst = 50 * time.Millisecond // without a watch: then twice as long each time
	rereadMost  = 5 * time.Second
)

// How often who expects a request looks whether another process has opened it.
const (
	expectFirst = 5 * time.Millisecond
	expectMost  = time.Second
)

// waiter is one call of Wait. Its channel carries the outcome when this process
// settled the request, nil when another one may have.
type waiter struct{ hint chan *Outcome }

// Wait returns the outcome of a request, now or when it comes. Leaving does not
// cancel: the question stays open, and Wait may be called again, in another
// process. It sits out a failing store for the hub's patience at a time.
//
// Errors: ErrNotFound, the context's, or the store's.
func (h *Hub) Wait(ctx context.Context, id ID) (Outcome, error) { return h.wait(ctx, id, false) }

// Expect is Wait for a request that need not be open yet: its id was chosen before, and
// whoever knows it opens it, here or in another process. It is not told ErrNotFound.
func (h *Hub) Expect(ctx context.Context, id ID) (Outcome, error) { return h.wait(ctx, id, true) }

func (h *Hub) wait(ctx context.Context, id ID, expected bool) (Outcome, error) {
	w := h.enlist(id) // before reading, so that no outcome slips in between
	defer h.leave(id, w)
	pause, unopened := backoff{first: rereadFirst, most: rereadMost}, backoff{first: expectFirst, most: expectMost}
	if expected && !h.knows(id) { // as a rule it is opened here, in a moment
		if o, err := h.await(ctx, w, expectFirst); o != nil || err != nil {
			return finished(id, o, err)
		}
	}
	for waited, open := false, false; ; waited = open {
		o, left, err := h.look(ctx, id, !open)
		open = err == nil
		if expected && errors.Is(err, ErrNotFound) {
			left, err = unopened.next(), nil
		}
		if err != nil {
			return Outcome{}, err
		}
		if o != nil && waited && o.Action != Expire && h.opts.Woken != nil {
			h.opts.Woken(time.Since(o.At))
		}
		if o == nil {
			o, err = h.await(ctx, w, min(left, h.reread(&pause)))
		}
		if o != nil || err != nil {
			return finished(id, o, err)
		}
	}
}

func finished(id ID, o *Outcome, err error) (Outcome, error) {
	if err != nil {
		return Outcome{}, fmt.Errorf("waiting for request %s: %w", id, err)
	}
	return o.Clone(), nil
}

// look returns the outcome if there is one, or how long there may still come
// one. It is a function of its own so that its requests are off the stack while
// Wait sleeps, which many do for long. At first what this hub has heard will do.
func (h *Hub) look(ctx context.Context, id ID, first bool) (*Outcome, time.Duration, error) {
	for ; ; first = false {
		r, err := h.heard(ctx, id, first)
		if err != nil || r.Outcome != nil {
			return r.Outcome, 0, err
		}
		left := time.Until(r.Expires)
		if left > 0 {
			return nil, left, nil
		}
		if err := h.expire(ctx, r); err != nil && !errors.Is(err, ErrSettled) {
			return nil, 0, err
		}
	}
}

// heard returns a question, without reading it if this hub has opened it and would have
// heard had another process settled it: who waits for it from now on waits as if since then.
func (h *Hub) heard(ctx context.Context, id ID, trusted bool) (Request, error) {
	h.mu.Lock()
	r, sure, known := h.recent.of(id)
	known = known && sure && (h.live || r.Outcome != nil)
	h.mu.Unlock()
	if known && trusted {
		return r, nil
	}
	return h.load(ctx, id)
}

// knows reports whether this hub has opened a question just now.
func (h *Hub) knows(id ID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, _, known := h.recent.of(id)
	return known
}

// await returns the outcome if this process settled the request, and nil when
// it is time to read again.
func (h *Hub) await(ctx context.Context, w *waiter, most time.Duration) (*Outcome, error) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case o := <-w.hint:
		return o, nil
	case <-timer.C:
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// reread returns how long a waiter may rely on hints.
func (h *Hub) reread(pause *backoff) time.Duration {
	h.mu.Lock()
	live, waiting := h.live, len(h.waiters)
	h.mu.Unlock()
	if live {
		*pause = backoff{first: rereadFirst, most: rereadMost}
		return jitter(max(rereadLive, time.Duration(waiting)*rereadEach))
	}
	return pause.next()
}

func (h *Hub) enlist(id ID) *waiter {
	w := &waiter{hint: make(chan *Outcome, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waiters[id] == nil {
		h.waiters[id] = map[*waiter]struct{}{}
	}
	h.waiters[id][w] = struct{}{}
	return w
}

func (h *Hub) leave(id ID, w *waiter) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.waiters[id], w)
	if len(h.waiters[id]) == 0 {
		delete(h.waiters, id)
	}
}

// wake tells this process's waiters of id. With an outcome, which must be the
// stored one, they need not read.
func (h *Hub) wake(id ID, o *Outcome) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.recent.settled(id, o)
	for w := range h.waiters[id] {
		poke(w, o)
	}
	h.hint(id)
}

// LookAgain makes everybody who waits here read the store again. It is for whoever
// knows that hints may be lost without a watch having broken: those of a node that
// died right after it settled something ([Node.OnDeath]).
func (h *Hub) LookAgain() { h.wakeAll() }

// wakeAll makes every waiter read again.
func (h *Hub) wakeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.recent.doubt()
	for _, ws := range h.waiters {
		for w := range ws {
			poke(w, nil)
		}
	}
	h.hint("")
}

// poke leaves a hint unless there is one already: either makes the waiter look. An
// outcome takes the place of a mere hint. The caller holds the lock, so nobody else sends.
func poke(w *waiter, o *Outcome) {
	select {
	case w.hint <- o:
		return
	default:
	}
	if o == nil {
		return
	}
	select {
	case <-w.hint:
	default: // the waiter was faster
	}
	w.hint <- o
}

// backoff gives growing pauses, each with some jitter.
type backoff struct{ first, most, last time.Duration }

func (b *backoff) next() time.Duration {
	b.last = min(max(b.first, 2*b.last), b.most)
	return jitter(b.last)
}

// jitter spreads d over half to one and a half of it.
func jitter(d time.Duration) time.Duration {
	return d/2 + rand.N(d+1)
}
