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
// driver has another look.
func (l *live) drive(cancel context.CancelCauseFunc) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.driver != nil {
		l.woken = true
		return false
	}
	l.driver, l.woken = cancel, false
	return true
}

// rest ends the driving, and reports whether it was wanted again meanwhile.
// Followers are told, though the run was another process's and got nowhere here: who
// saw it driven waits to be told.
func (l *live) rest() (woken bool) {
	l.mu.Lock()
	l.driver = nil
	woken = l.woken
	l.mu.Unlock()
	l.notify()
	return woken
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
// as somebody here follows it.
func (l *live) watch(r *Run) {
	open := unsettled(r.Waits)
	for _, c := range r.Calls {
		open = append(open, unsettled(c.Waits)...)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.wakes) == 0 {
		return
	}
	for _, w := range open {
		id := w.Question.ID
		if l.asking[id] != nil {
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
