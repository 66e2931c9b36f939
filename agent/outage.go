package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
)

// A toolbox that does not list its tools is remembered, so that no further turn
// waits for it, and tried beside the turns until it does.
const (
	// brief is how long a box may take that is out of order for others.
	brief = time.Second
	// firstTry and lastTry are how soon a box is tried again: at first, and after
	// many failures.
	firstTry, lastTry = 4 * time.Second, 30 * time.Second
	// unwanted is how long a box is tried that no turn asks for.
	unwanted = 10 * time.Minute
)

// errSilent says that a toolbox took too long to list its tools.
var errSilent = errors.New("it does not answer")

// boxKey is a toolbox as one caller sees it: what is wrong may be with their
// credential alone.
type boxKey struct{ tenant, user, agent, box string }

func keyOf(who Caller, box Toolbox) boxKey {
	return boxKey{cmp.Or(who.Tenant, parley.DefaultTenant), who.Owner(), who.Agent, box.Name()}
}

// outage is a toolbox that is out of order for a caller.
type outage struct {
	box    Toolbox
	who    Caller
	err    error
	wanted time.Time // when a turn asked for it last
	tried  time.Time
}

// outages are those that this process knows of.
type outages struct {
	mu    sync.Mutex
	all   map[boxKey]*outage
	pause map[string]time.Duration // until a box is tried again, by tenant and name
}

// known returns why a box lists nothing for a caller, or nil.
func (o *outages) known(key boxKey) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if one := o.all[key]; one != nil {
		one.wanted = time.Now()
		return one.err
	}
	return nil
}

// others reports whether a box is out of order for somebody else.
func (o *outages) others(key boxKey) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for other := range o.all {
		if other != key && other.tenant == key.tenant && other.box == key.box {
			return true
		}
	}
	return false
}

func (o *outages) begin(key boxKey, box Toolbox, who Caller, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.all == nil {
		o.all, o.pause = map[boxKey]*outage{}, map[string]time.Duration{}
	}
	o.all[key] = &outage{box: box, who: who, err: err, wanted: time.Now(), tried: time.Now()}
}

// end forgets that a box was out of order for a caller, and with them for all:
// they find out for themselves.
func (o *outages) end(key boxKey) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.all[key] == nil {
		return
	}
	maps.DeleteFunc(o.all, func(other boxKey, _ *outage) bool { return other.tenant == key.tenant && other.box == key.box })
	delete(o.pause, key.tenant+"\x00"+key.box)
}

// list asks a toolbox for its tools, within a time. It remembers a failure if it
// is the last one before the turn goes on without the box.
func (rt *Runtime) list(ctx context.Context, box Toolbox, who Caller, limit time.Duration, last bool) ([]Tool, error) {
	key := keyOf(who, box)
	tools, err := within(ctx, limit, func(ctx context.Context) ([]Tool, error) { return box.Tools(ctx, who) })
	var pause *Pause
	var public *PublicError
	switch {
	case ctx.Err() != nil:
	case err == nil, errors.As(err, &pause), errors.As(err, &public): // it is there, or says what is wrong
		rt.outages.end(key)
	case last, errors.Is(err, errSilent):
		rt.outages.begin(key, box, who, err)
	}
	return tools, err
}

// within runs f for so long; a negative limit is none.
func within(ctx context.Context, limit time.Duration, f func(context.Context) ([]Tool, error)) ([]Tool, error) {
	if limit < 0 {
		return f(ctx)
	}
	late := fmt.Errorf("%w within %v", errSilent, limit)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, late)
	defer cancel()
	tools, err := f(ctx)
	if err != nil && context.Cause(ctx) == late {
		err = fmt.Errorf("%w: %w", late, err)
	}
	return tools, err
}

// tend tries the boxes that are out of order, one caller's at a time for each,
// until ctx ends.
func (rt *Runtime) tend(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	busy := map[string]chan struct{}{}
	for patience.Sleep(ctx, time.Second) {
		for at, one := range rt.outages.due() {
			select {
			case <-busy[at]: // closed: nobody is at it
			default:
				if busy[at] != nil {
					continue
				}
			}
			done := make(chan struct{})
			busy[at] = done
			all.Go(func() {
				defer close(done)
				if _, err := rt.list(ctx, one.box, one.who, rt.opts.ListTime, false); err == nil {
					rt.opts.Logger.InfoContext(ctx, "toolbox back", "box", one.box.Name(), "tenant", one.who.Tenant)
				}
			})
		}
		maps.DeleteFunc(busy, func(_ string, done chan struct{}) bool {
			select {
			case <-done:
				return true
			default:
				return false
			}
		})
	}
}

// due returns for each box that is to be tried again the caller for whom that was
// done longest ago, and forgets those that nobody wants.
func (o *outages) due() map[string]outage {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	maps.DeleteFunc(o.all, func(_ boxKey, one *outage) bool { return now.Sub(one.wanted) > unwanted })
	latest := map[string]time.Time{}
	next := map[string]*outage{}
	for key, one := range o.all {
		at := key.tenant + "\x00" + key.box
		if one.tried.After(latest[at]) {
			latest[at] = one.tried
		}
		if next[at] == nil || one.tried.Before(next[at].tried) {
			next[at] = one
		}
	}
	maps.DeleteFunc(o.pause, func(at string, _ time.Duration) bool { return next[at] == nil })
	due := map[string]outage{}
	for _, at := range slices.Collect(maps.Keys(next)) {
		pause := cmp.Or(o.pause[at], firstTry)
		if now.Sub(latest[at]) < pause {
			continue
		}
		o.pause[at] = min(2*pause, lastTry)
		next[at].tried = now
		due[at] = *next[at]
	}
	return due
}
