package agent

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"time"

	"github.com/parley-hq/parley"
)

// Follower is told what happens in a run, from its start, and in the runs that
// it delegates to as far as Event.Aside says. It is for one goroutine;
// Close it.
type Follower struct {
	rt    *Runtime
	who   parley.Principal
	wake  chan struct{}
	root  *followed
	kids  []*followed
	ready []Event
	last  *Event // Finished, which comes after everything else
	ended bool
}

// followed is how far a follower is in one run.
type followed struct {
	live   *live
	leave  func()
	next   int // index into live.events
	log    int // entries of the log that were told whole
	news   int // number of the last progress that was told
	agent  string
	within string // the call of the root that it is below
	status Status
	looked time.Time
	woken  time.Time // by what it waited for
}

// Follow follows a run of p's. A run of somebody else's is not found: Next
// returns parley.ErrNotFound.
func (rt *Runtime) Follow(p parley.Principal, ref Ref) *Follower {
	f := &Follower{rt: rt, who: p, wake: make(chan struct{}, 1)}
	f.root = f.attach(ref, "")
	return f
}

func (f *Follower) attach(ref Ref, agent string) *followed {
	l := f.rt.enter(ref)
	one := &followed{live: l, leave: l.follow(f.wake), agent: agent}
	if f.rt.fresh.has(ref) { // its driver shows it in a moment
		one.status, one.looked = Working, time.Now()
	}
	return one
}

// Close ends the following. The run goes on.
func (f *Follower) Close() {
	for _, one := range append(f.kids, f.root) {
		one.leave()
	}
	f.kids = nil
}

// Next returns the next event, and io.EOF after Finished. With a ctx that ends
// it returns ctx's error; the next call goes on from there.
func (f *Follower) Next(ctx context.Context) (Event, error) {
	ref := f.root.live.ref
	if f.who.Validate() != nil || f.who.Owner() != ref.User || cmp.Or(f.who.Tenant, parley.DefaultTenant) != ref.Tenant {
		return Event{}, parley.ErrNotFound
	}
	for {
		if len(f.ready) > 0 {
			e := f.ready[0]
			f.ready = f.ready[1:]
			return e, nil
		}
		if f.ended {
			return Event{}, io.EOF
		}
		if err := f.gather(ctx); err != nil {
			return Event{}, err
		}
		if len(f.ready) > 0 {
			continue
		}
		if err := f.wait(ctx); err != nil {
			return Event{}, err
		}
	}
}

// Ready reports whether Next has the next event at hand.
func (f *Follower) Ready() bool { return len(f.ready) > 0 }

// gather takes what there is of every run that is followed.
func (f *Follower) gather(ctx context.Context) error {
	for i := 0; i <= len(f.kids); i++ {
		one := f.root
		if i > 0 {
			one = f.kids[i-1]
		}
		var err error
		if !one.live.driven() && time.Since(one.looked) >= one.patience() {
			err = f.read(ctx, one)
		}
		// What is known here is told though ctx is over: it may be the end.
		if err != nil && (ctx.Err() == nil || !f.takeAll(one)) {
			return err
		}
		f.takeAll(one)
		f.takeNews(one)
	}
	if f.last != nil && !f.ended {
		f.ready, f.ended = append(f.ready, *f.last), true
	}
	return nil
}

// takeAll tells of what is new in a run, as far as it is known here.
func (f *Follower) takeAll(one *followed) bool {
	one.live.mu.Lock()
	fresh := one.live.events[min(one.next, len(one.live.events)):]
	one.next += len(fresh)
	one.live.mu.Unlock()
	for _, e := range fresh {
		f.take(one, e)
	}
	return len(fresh) > 0
}

// takeNews tells how far the calls of a run are, as far as it is driven here.
func (f *Follower) takeNews(one *followed) {
	var fresh []Event
	fresh, one.news = one.live.newsAfter(one.news)
	for _, e := range fresh {
		e.Agent, e.Within = one.agent, one.within
		f.ready = append(f.ready, e)
	}
}

// take tells of an event: of other runs only what concerns the person.
func (f *Follower) take(one *followed, e happened) {
	one.log = e.log
	e.Agent, e.Within = one.agent, one.within
	switch e.Type {
	case Called:
		if e.Child != nil {
			kid := f.attach(*e.Child, e.Box)
			kid.within = first(one.within, e.ID)
			f.kids = append(f.kids, kid)
		}
	case Finished:
		if one == f.root {
			f.last = &e.Event
			return
		}
	}
	if one == f.root || e.Aside() {
		f.ready = append(f.ready, e.Event)
	}
}

// read brings a run that another process drives, or nobody, up to date.
func (f *Follower) read(ctx context.Context, one *followed) error {
	one.looked = time.Now()
	r, err := f.rt.load(ctx, one.live.ref)
	if err != nil {
		if one != f.root && errors.Is(err, parley.ErrNotFound) {
			return nil // it is just being made
		}
		return err
	}
	one.status = r.Status
	one.live.show(r)
	if r.Status == Waiting {
		one.live.watch(r)
	} else {
		one.live.unpark()
	}
	return nil
}

// patience is how long to wait between two looks at a run that is not driven
// here. One that waits for a person is woken by its question; whoever drives it may
// need a while then until it has gone on.
func (one *followed) patience() time.Duration {
	if one.status == Waiting {
		return min(max(time.Since(one.woken)/4, 50*time.Millisecond), 15*time.Second)
	}
	return 200 * time.Millisecond
}

func (f *Follower) wait(ctx context.Context) error {
	pause := time.Hour
	for _, one := range append([]*followed{f.root}, f.kids...) {
		if !one.live.driven() {
			pause = min(pause, one.patience()-time.Since(one.looked))
		}
	}
	t := time.NewTimer(max(pause, time.Millisecond) + time.Duration(rand.Int64N(int64(5*time.Millisecond))))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-f.wake:
		// A driver that stopped may have parked the run: look what it waits for.
		for _, one := range append([]*followed{f.root}, f.kids...) {
			switch {
			case one.live.driven():
			case one.live.whole():
				one.status, one.looked, one.woken = Waiting, time.Now(), time.Now()
			default:
				one.looked, one.woken = time.Time{}, time.Now()
			}
		}
	case <-t.C:
	}
	return nil
}
