package remote

import (
	"context"
	"fmt"
	"time"

	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
)

// reading is one attempt to read the card. It outlives whoever wanted it: its result is
// for all who come.
type reading struct {
	done  chan struct{} // closed when it is over, after which there are
	known *known
	err   error
}

// begin begins to read the card, unless that is under way. mu is held.
func (r *Remote) begin(ctx context.Context) *reading {
	if r.reading != nil {
		return r.reading
	}
	one := &reading{done: make(chan struct{})}
	r.reading = one
	go func() {
		defer close(one.done)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cardTime)
		defer cancel()
		one.known, one.err = r.fetchCard(ctx)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.reading = nil
		r.broken.note(one.err)
		if one.err == nil {
			r.card = one.known
		}
	}()
	return one
}

// await returns what came of an attempt. Whoever waits for too long takes the agent to
// be away, and so do those who come after.
func (r *Remote) await(ctx context.Context, one *reading) (*known, error) {
	select {
	case <-one.done:
		return one.known, one.err
	case <-ctx.Done():
	}
	err := r.notSent(fmt.Errorf("%w: %w", mcpclient.ErrUnreachable, ctx.Err()))
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reading == one && ctx.Err() == context.DeadlineExceeded { // else nobody waited for it
		r.broken.note(err)
	}
	return nil, err
}

// readCard returns the card for a task. It is read now and then, and waited for; while
// that fails the one that was read before holds.
func (r *Remote) readCard(ctx context.Context) (*known, error) {
	r.mu.Lock()
	before, failing := r.card, r.broken.err != nil
	if before.fresh() {
		r.mu.Unlock()
		return before, nil
	}
	one := r.begin(ctx)
	r.mu.Unlock()
	if before != nil && failing {
		return before, nil
	}
	now, err := r.await(ctx, one)
	if err != nil && before != nil && ctx.Err() == nil {
		r.opts.Logger.WarnContext(ctx, "card of a remote agent not read again", "agent", r.opts.Name, "err", err)
		return before, nil
	}
	return now, err
}

// glance returns the card for a turn that may not need the agent, so it waits for the very
// first attempt alone, and not for long. Later the card that there is holds, or what is
// wrong with it, and the card is read beside the turns.
func (r *Remote) glance(ctx context.Context) (*known, error) {
	r.mu.Lock()
	before, broken := r.card, r.broken
	first := before == nil && broken.err == nil
	var one *reading
	if first || !before.fresh() && !time.Now().Before(broken.retry) {
		one = r.begin(ctx)
	}
	r.mu.Unlock()
	switch {
	case before != nil:
		return before, nil
	case !first:
		return nil, broken.err
	}
	ctx, cancel := context.WithTimeout(ctx, statusTime)
	defer cancel()
	return r.await(ctx, one)
}

// failure is why a card was not read.
type failure struct {
	err    error
	at     time.Time
	before time.Time // when it was found first, without having been read since
	times  int
	retry  time.Time // when a turn has it read again
}

// note remembers how reading the card went.
func (f *failure) note(err error) {
	if err == nil {
		*f = failure{}
		return
	}
	now := time.Now()
	if f.err == nil {
		f.before = now
	}
	f.err, f.at, f.retry = err, now, now.Add(mcpcall.Backoff(f.times))
	f.times++
}
