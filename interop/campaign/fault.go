package main

import (
	"context"
	"sync"
	"syscall"
	"time"
)

// strikes lets the fault of a round strike when its first call comes to its phase.
// The returned function waits until the fault is over; where the call never came
// to that phase, nothing happened.
func (w *world) strikes(ctx context.Context, r round) (healed func() error) {
	first := r.calls[0]
	if ofServer(r.fault) {
		first.fate, first.fated = r.fault, r.phase
		return func() error { return nil }
	}
	var healing sync.WaitGroup
	var failure error
	first.strike[r.phase] = func() {
		heal := w.strike(r, first)
		healing.Go(func() {
			select {
			case <-time.After(r.heal):
			case <-ctx.Done():
			}
			failure = heal(ctx)
		})
	}
	return func() error {
		w.ledger.mu.Lock() // no strike begins from here on
		delete(first.strike, r.phase)
		w.ledger.mu.Unlock()
		w.ledger.striking.Wait()
		healing.Wait()
		return failure
	}
}

// strike does it, and returns what puts it right.
func (w *world) strike(r round, c *call) (heal func(context.Context) error) {
	holder := w.front.holder(c.key)
	other := w.site.nodes[0]
	if other == holder {
		other = w.site.nodes[len(w.site.nodes)-1]
	}
	switch r.fault {
	case killHolder:
		holder.kill()
		return holder.start
	case killOther:
		other.kill()
		return other.start
	case stopHolder:
		over := holder.over()
		holder.signal(syscall.SIGTERM)
		return func(ctx context.Context) error {
			<-over
			return holder.start(ctx)
		}
	case pauseHolder:
		holder.signal(syscall.SIGSTOP)
		return func(context.Context) error {
			holder.signal(syscall.SIGCONT)
			return nil
		}
	case restartStore:
		_ = w.site.server.Stop() // that it had to be killed is as good
		return w.site.server.Restart
	case killStore:
		_ = w.site.server.Kill()
		return w.site.server.Restart
	case restartServer:
		w.behind.die()
		return func(context.Context) error { return w.behind.start() }
	}
	return func(context.Context) error { return nil }
}
