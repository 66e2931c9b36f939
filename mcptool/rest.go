package mcptool

import (
	"context"
	"fmt"

	"github.com/parley-hq/parley"
)

// A client up to 2025-11-25 hears the result of a call on the request that it made
// it with. When that has ended without one, nothing can be said on it any more: the
// client is gone, though nobody said so, and though its session lives. The call
// itself goes on: its person may answer on another surface. While it only waits for
// that it rests, and the same call in a new session takes it up, on this node or
// another. Who is first by a compare-and-swap of the journal goes on with it, the
// answer here or the same call; the other one ends.

// errTakenUp ends a call with which the same call goes on. To its handler it is a
// suspension: nothing of it is to be put away.
var errTakenUp = fmt.Errorf("the same call was made again, and goes on with this one: %w", ErrSuspended)

// leftAlone notes that the client has gone, and lets the others know.
func (r *run) leftAlone(ctx context.Context, over <-chan struct{}) {
	r.mu.Lock()
	r.alone = true
	r.rest(ctx)
	rests := r.resting
	r.mu.Unlock()
	if !rests {
		r.sayLeft(ctx, over)
	}
}

func (r *run) leftByClient() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.alone
}

// await waits for the outcome of a question that is asked on the open call.
// errTakenUp: the same call waits for it.
func (r *run) await(ctx context.Context, id parley.ID) (parley.Outcome, error) {
	r.mu.Lock()
	r.asking++
	r.rest(ctx)
	r.mu.Unlock()
	outcome, err := r.asker.hub.Wait(ctx, id)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asking--; r.asking == 0 {
		if err := r.wake(ctx); err != nil {
			return outcome, err
		}
	}
	return outcome, err
}

// rest leaves the journal of a call without its client to the same call, if this
// one only waits. mu is held.
func (r *run) rest(ctx context.Context) {
	p := r.page
	if !r.alone || r.asking == 0 || r.resting || r.takenUp || p == nil || p.works() {
		return
	}
	p.Abandoned, p.Left, p.Node = true, false, ""
	if err := r.asker.saveWithin(context.WithoutCancel(ctx), p, briefTime); err != nil {
		p.Abandoned, p.Left, p.Node = false, true, r.asker.node.ID()
		r.asker.opts.Logger.Warn("call without its client not written down", "err", err)
		return
	}
	r.resting = true
	r.asker.left.add(p.prefix(), p.record.Expires)
}

// works reports whether work was begun that is not done.
func (p *page) works() bool {
	for _, d := range p.Once {
		if !d.Finished {
			return true
		}
	}
	return false
}

// wake makes this run the one that goes on with a call that rested, or returns
// errTakenUp. mu is held.
func (r *run) wake(ctx context.Context) error {
	if r.takenUp {
		return errTakenUp
	}
	if !r.resting {
		return nil
	}
	p := r.page
	p.Abandoned, p.Left, p.Node = false, true, r.asker.node.ID()
	err := r.asker.save(context.WithoutCancel(ctx), p)
	switch {
	case parley.Overtaken(err):
		r.takenUp = true
		return errTakenUp
	case err != nil:
		p.Abandoned, p.Left, p.Node = true, false, ""
		return err
	}
	r.resting = false
	return nil
}
