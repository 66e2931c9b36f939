package mcptool

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Together asks several questions in one round: each function asks with the Call
// it is given, and may ask more than one. It returns when all have, with the
// errors they returned; ErrSuspended when any question is open.
//
//	err := mcptool.Together(ctx, call,
//		func(ctx context.Context, call *mcptool.Call) (err error) {
//			size, err = mcptool.Elicit[Size](ctx, call, "Which size?", nil)
//			return err
//		},
//		…
func Together(ctx context.Context, c *Call, asks ...func(context.Context, *Call) error) error {
	c.run.mu.Lock()
	c.n++
	round := c.n
	c.run.mu.Unlock()
	errs := make([]error, len(asks))
	all := c.gather(len(asks))
	var wg sync.WaitGroup
	for i, ask := range asks {
		part := &Call{run: c.run, prefix: fmt.Sprintf("%sq%d.%d.", c.prefix, round, i+1), part: &part{all: all}}
		wg.Go(func() {
			defer part.part.arrive()
			errs[i] = ask(ctx, part)
		})
	}
	wg.Wait()
	for _, err := range errs {
		if errors.Is(err, ErrSuspended) {
			return err
		}
	}
	return errors.Join(errs...)
}

// gathering has the first questions of several parts of a call written into the
// journal at once: each waits for the others.
type gathering struct {
	mu      sync.Mutex
	missing int
	all     chan struct{} // closed when nobody is missing
}

// gather returns the gathering of so many parts of a call.
func (c *Call) gather(parts int) *gathering {
	if c.part != nil && c.part.all.add(parts) {
		c.part.arrive() // its parts are there in its place
		return c.part.all
	}
	g := &gathering{missing: parts, all: make(chan struct{})}
	if parts == 0 {
		close(g.all)
	}
	return g
}

// add makes room for further parts, unless all are there already.
func (g *gathering) add(parts int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.missing == 0 {
		return false
	}
	g.missing += parts
	return true
}

// part is one of those that ask together. Nil stands for who asks alone.
type part struct {
	all   *gathering
	there sync.Once
}

// arrive says that the part has entered its first question, or asks nothing.
func (p *part) arrive() {
	if p == nil {
		return
	}
	p.there.Do(func() {
		p.all.mu.Lock()
		defer p.all.mu.Unlock()
		if p.all.missing--; p.all.missing == 0 {
			close(p.all.all)
		}
	})
}

// gatherTime is how long a part waits for the others: one that works before it
// asks, or that waits for another's answer, must not hold them up.
const gatherTime = 50 * time.Millisecond

// await waits for the other parts, for a moment.
func (p *part) await(ctx context.Context) {
	if p == nil {
		return
	}
	timer := time.NewTimer(gatherTime)
	defer timer.Stop()
	select {
	case <-p.all.all:
	case <-timer.C:
	case <-ctx.Done():
	}
}
