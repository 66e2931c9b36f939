package mcpclient

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"
)

// ErrTooManyPrograms says that as many programs run as may, and that all of them
// are in use.
var ErrTooManyPrograms = errors.New("too many programs run")

// ProgramsOptions configures Programs. Zero means the default, negative no
// limit.
type ProgramsOptions struct {
	Each     int           // of one owner; default 8
	All      int           // default 64
	Patience time.Duration // how long one that does not fit waits for another to end; default 5 s
	Full     func()        // called when a program is refused; default: nothing is
}

// Programs bounds how many programs run at once, for each who owns them and in
// all. Everything in a process that starts programs shares one. Where there is no
// room the program that was idle for longest ends: of the same owner if they have
// one, and of any where the owner may have more.
type Programs struct {
	opts ProgramsOptions

	mu      sync.Mutex
	owned   map[string]int
	running map[*running]struct{}
	ended   chan struct{} // closed and replaced when one has ended
}

// Use is what Programs knows of whoever uses a program.
type Use struct {
	Owner string
	// Idle says since when nobody uses it, or false while somebody does. Default:
	// somebody always does.
	Idle func() (since time.Time, idle bool)
	// End closes the connection, if it is idle still, and reports that.
	End func() bool
}

type running struct{ use Use }

// NewPrograms returns Programs with nothing running.
func NewPrograms(opts *ProgramsOptions) *Programs {
	p := &Programs{owned: map[string]int{}, running: map[*running]struct{}{}, ended: make(chan struct{})}
	if opts != nil {
		p.opts = *opts
	}
	p.opts.Each = cmp.Or(p.opts.Each, 8)
	p.opts.All = cmp.Or(p.opts.All, 64)
	p.opts.Patience = cmp.Or(p.opts.Patience, 5*time.Second)
	return p
}

// again is how often somebody who waits looks for a program that became idle.
const again = 100 * time.Millisecond

// take makes room for one more program. The caller calls end when that has ended.
// ErrTooManyPrograms, or the context's error. Nil Programs have no limit.
func (p *Programs) take(ctx context.Context, use Use) (end func(), err error) {
	if p == nil {
		return func() {}, nil
	}
	patience := time.NewTimer(p.opts.Patience)
	defer patience.Stop()
	for made := false; ; {
		one, others, ended := p.enter(use)
		if one != nil {
			return sync.OnceFunc(func() { p.leave(one) }), nil
		}
		if !made { // one ends for this one, and it is waited for
			made = endLongestIdle(others)
		}
		select {
		case <-ended:
		case <-time.After(again):
		case <-patience.C:
			if p.opts.Full != nil {
				p.opts.Full()
			}
			return nil, ErrTooManyPrograms
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// enter notes one more program. If there is no room it returns the ones that may
// end for it, the owner's own first.
func (p *Programs) enter(use Use) (one *running, others [][]*running, ended chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	full := p.opts.Each > 0 && p.owned[use.Owner] >= p.opts.Each
	if !full && (p.opts.All < 0 || len(p.running) < p.opts.All) {
		one = &running{use}
		p.running[one] = struct{}{}
		p.owned[use.Owner]++
		return one, nil, nil
	}
	var own, all []*running
	for r := range p.running {
		if r.use.Owner == use.Owner {
			own = append(own, r)
		} else if !full {
			all = append(all, r)
		}
	}
	return nil, [][]*running{own, all}, p.ended
}

func (p *Programs) leave(one *running) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.running, one)
	if p.owned[one.use.Owner]--; p.owned[one.use.Owner] == 0 {
		delete(p.owned, one.use.Owner)
	}
	close(p.ended)
	p.ended = make(chan struct{})
}

// Running is how many run now.
func (p *Programs) Running() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.running)
}

// endLongestIdle ends the program that was idle for longest, of the first group
// that has one.
func endLongestIdle(groups [][]*running) bool {
	for _, group := range groups {
		var oldest *running
		var since time.Time
		for _, r := range group {
			if r.use.Idle == nil {
				continue
			}
			if at, idle := r.use.Idle(); idle && (oldest == nil || at.Before(since)) {
				oldest, since = r, at
			}
		}
		if oldest != nil && oldest.use.End() {
			return true
		}
	}
	return false
}
