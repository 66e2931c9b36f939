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
	d.live.show(d.run)
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
//
// A place is reserved before the run is stored: where the same message is started
// several times at once, a driver that another of them sent out may have read the
// run, and ended it, before this one comes to put it there. It takes the place along.
type fresh struct {
	mu   sync.Mutex
	runs map[Ref]*begun
}

type begun struct {
	run *Run
	at  time.Time
}

// mostFresh is how many are kept; more are read.
const mostFresh = 1024

// reserve returns the place of a run that is about to be stored, nil if there is none.
func (f *fresh) reserve(ref Ref) *begun {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.runs == nil {
		f.runs = map[Ref]*begun{}
	}
	if there := f.runs[ref]; there != nil && there.run != nil || len(f.runs) >= mostFresh {
		return nil
	}
	place := &begun{at: time.Now()}
	f.runs[ref] = place
	return place
}

// put fills a place with its run, unless a driver has been there. A nil run gives
// the place up.
func (f *fresh) put(ref Ref, place *begun, r *Run) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if place == nil || f.runs[ref] != place {
		return
	}
	if place.run = r; r == nil {
		delete(f.runs, ref)
	}
}

// has reports whether a run is about to be driven here.
func (f *fresh) has(ref Ref) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.runs[ref]
	return b != nil && b.run != nil
}

// take returns a run that was begun no longer ago than that, once.
func (f *fresh) take(ref Ref, within time.Duration) *Run {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.runs[ref]
	delete(f.runs, ref)
	if b == nil || time.Since(b.at) > within {
		return nil
	}
	return b.run
}

// forget is for a run that nobody here is going to drive.
func (f *fresh) forget(ref Ref) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.runs, ref)
}

// have returns a run that this process may drive; nil if another one does.
func (rt *Runtime) have(ctx context.Context, ref Ref) (*Run, error) {
	if r := rt.fresh.take(ref, rt.opts.Lease/2); r != nil {
		return r, nil
	}
	mine, err := rt.take(ctx, ref)
	if err != nil || !mine {
		return nil, err
	}
	return rt.load(ctx, ref)
}
