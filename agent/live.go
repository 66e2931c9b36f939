package agent

import (
	"context"
	"sync"

	"github.com/parley-hq/parley"
)

// live is a run in this process: driven here, or followed, or both.
type live struct {
	rt  *Runtime
	ref Ref

	mu     sync.Mutex
	events []happened
	users  int                              // drivers and followers
	driver context.CancelCauseFunc          // nil: not driven here
	woken  bool                             // somebody wanted it driven while it was
	parked bool                             // it was driven here last, and waits
	ended  bool                             // it has ended, and there is nothing more to do
	wakes  map[chan struct{}]struct{}       // of the followers
	asking map[parley.ID]context.CancelFunc // questions that somebody here waits for
	news   map[string]*news                 // of the calls under way
	heard  int                              // how many there were
}

// happened is an event, and how many entries of the log are complete with it.
type happened struct {
	Event
	log int
}

// liveRun returns the run's place in this process, if it has one.
func (rt *Runtime) liveRun(ref Ref) *live {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	return rt.live[ref]
}

// enter returns the run's place and keeps it until leave.
func (rt *Runtime) enter(ref Ref) *live {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	l := rt.live[ref]
	if l == nil {
		l = &live{rt: rt, ref: ref, wakes: map[chan struct{}]struct{}{}, asking: map[parley.ID]context.CancelFunc{}}
		rt.live[ref] = l
	}
	l.mu.Lock()
	l.users++
	l.mu.Unlock()
	return l
}

func (l *live) leave() {
	l.rt.mu.Lock()
	defer l.rt.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users--; l.users == 0 {
		delete(l.rt.live, l.ref)
	}
}

func (l *live) driven() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.driver != nil
}

// drive marks the run as driven here; false when it is already, and then its
// driver has another look, or when it has ended.
func (l *live) drive(cancel context.CancelCauseFunc) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.driver != nil {
		l.woken = true
		return false
	}
	if l.ended {
		return false
	}
	l.driver, l.woken, l.parked = cancel, false, false
	return true
}

// rest ends the driving, and reports whether it was wanted again meanwhile.
// Followers are told, though the run was another process's and got nowhere here: who
// saw it driven waits to be told. Of a run that parks or is over all of its log is known here.
func (l *live) rest(next after) (woken bool) {
	l.mu.Lock()
	l.driver, l.parked, l.ended = nil, next == parks, next == over
	woken = l.woken
	l.mu.Unlock()
	l.notify()
	return woken
}

// whole reports whether the run was driven here last, and waits or has ended: as far as this
// process knows there is nothing to read.
func (l *live) whole() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.parked || l.ended
}

// unpark is for a run of which it was read that it waits no longer.
func (l *live) unpark() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.parked = false
}

// interrupt makes the driver look at the record again.
func (l *live) interrupt() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.driver != nil {
		l.driver(errInterrupted)
	}
}

// show makes events what the log says, unless more is known here already.
func (l *live) show(r *Run) {
	l.mu.Lock()
	have := 0
	if n := len(l.events); n > 0 {
		have = l.events[n-1].log
	}
	for i := have; i < len(r.Log); i++ {
		l.add(i+1, r.expand(r.Log[i])...)
	}
	l.mu.Unlock()
	if have < len(r.Log) {
		l.notify()
	}
}

// add appends the events that complete entry number log.
func (l *live) add(log int, events ...Event) {
	for i, e := range events {
		at := log - 1
		if i == len(events)-1 {
			at = log
		}
		l.events = append(l.events, happened{e, at})
	}
}

// publish tells followers of something that is not in the log yet: a part of a
// text.
func (l *live) publish(log int, e Event) {
	l.mu.Lock()
	l.events = append(l.events, happened{e, log})
	l.mu.Unlock()
	l.notify()
}

func (l *live) notify() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for wake := range l.wakes {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

// watch goes on with the run when one of its questions is settled, for as long
// as somebody here follows it. It reports whether all are looked after from now on, and
// are found if they are settled already.
func (l *live) watch(r *Run) (all bool) {
	open := unsettled(r.Waits)
	for _, c := range r.Calls {
		open = append(open, unsettled(c.Waits)...)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.wakes) == 0 {
		return false
	}
	all = true
	for _, w := range open {
		id := w.Question.ID
		if l.asking[id] != nil {
			all = false
			continue
		}
		ctx, cancel := context.WithCancel(context.Background())
		l.asking[id] = cancel
		go func() {
			defer cancel()
			if _, err := l.rt.hub.Wait(ctx, id); err == nil {
				l.rt.enqueue(context.WithoutCancel(ctx), l.ref)
				return // once: if the run is held by another process, that one goes on, or its lease ends
			}
			l.mu.Lock()
			delete(l.asking, id)
			l.mu.Unlock()
		}()
	}
	return all
}

// follow registers a follower's bell; the result takes it away again.
func (l *live) follow(wake chan struct{}) (leave func()) {
	l.mu.Lock()
	l.wakes[wake] = struct{}{}
	l.mu.Unlock()
	return func() {
		l.mu.Lock()
		delete(l.wakes, wake)
		if len(l.wakes) == 0 {
			for _, cancel := range l.asking {
				cancel()
			}
		}
		l.mu.Unlock()
		l.leave()
	}
}
