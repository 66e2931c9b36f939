package agent

import (
	"context"
	"sync"
	"time"
)

// note changes the run as commit does, and tells the followers, but leaves it to
// the next commit to save it. It is for what nobody acts on, and whoever takes the
// run up without it does again.
func (d *driver) note(how func(*Run)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	how(d.run)
	d.noted = true
	d.live.show(d.run)
}

// keepTold saves what was noted and not saved, when the run is about to be read again: what
// followers were told has its place in the log, and what is told next comes after it.
func (d *driver) keepTold(ctx context.Context) error {
	if !d.noted {
		return nil
	}
	return d.commit(ctx, func(*Run) {})
}

// leftHalfDone reports whether somebody has driven the run before.
func (r *Run) leftHalfDone() bool {
	if r.Status != Working {
		return true
	}
	for _, c := range r.Calls {
		if c.State == started {
			return true
		}
	}
	return false
}

// justWaits reports whether the run waited between two steps of its calls: what comes next is
// to look what it waited for, and nothing is done before that is saved.
func (r *Run) justWaits() bool {
	if r.Status != Waiting || r.Phase != phaseTools || r.Stop {
		return false
	}
	for _, c := range r.Calls {
		if c.State == started {
			return false
		}
	}
	return true
}

// waited reports whether the run may have been parked.
func (r *Run) waited() bool {
	if len(r.Waits) > 0 {
		return true
	}
	for _, c := range r.Calls {
		if len(c.Waits) > 0 || c.Child != nil {
			return true
		}
	}
	return false
}

// fresh are runs that this process has just begun, with their leases: they need
// not be read to be driven. One that changes meanwhile conflicts when it is saved.
type fresh struct {
	mu   sync.Mutex
	runs map[Ref]begun
}

type begun struct {
	run   *Run
	lease int64 // its version
	at    time.Time
}

// mostFresh is how many are kept; more are read.
const mostFresh = 1024

func (f *fresh) put(r *Run, lease int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.runs == nil {
		f.runs = map[Ref]begun{}
	}
	if len(f.runs) < mostFresh {
		f.runs[r.Ref] = begun{r, lease, time.Now()}
	}
}

// has reports whether a run is about to be driven here.
func (f *fresh) has(ref Ref) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.runs[ref]
	return ok
}

// take returns a run that was begun no longer ago than that, once.
func (f *fresh) take(ref Ref, within time.Duration) (r *Run, lease int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	b, ok := f.runs[ref]
	delete(f.runs, ref)
	if !ok || time.Since(b.at) > within {
		return nil, 0
	}
	return b.run, b.lease
}

// forget is for a run that nobody here is going to drive.
func (f *fresh) forget(ref Ref) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.runs, ref)
}

// have returns a run that this process may drive, and the version of its lease; nil if
// another one does.
func (rt *Runtime) have(ctx context.Context, ref Ref) (r *Run, lease int64, err error) {
	if r, lease = rt.fresh.take(ref, rt.opts.Lease/2); r != nil {
		return r, lease, nil
	}
	if lease, err = rt.take(ctx, ref); err != nil || lease == 0 {
		return nil, 0, err
	}
	r, err = rt.load(ctx, ref)
	return r, lease, err
}
