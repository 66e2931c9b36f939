package mcp

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/bench/kit"
)

// crowd is many calls that wait for their person at once, each in a session of
// its own.
type crowd struct {
	sessions []*mcp.ClientSession
	errs     chan error // one per call
	asked    atomic.Int64
	release  chan struct{}
}

// gather makes n calls and returns when all their questions are on the screen.
func gather(ctx context.Context, c *kit.Clients, p *kit.Subject, n int) (*crowd, error) {
	g := &crowd{errs: make(chan error, n), release: make(chan struct{})}
	all := make(chan struct{})
	person := func(ctx context.Context) (*mcp.ElicitResult, error) {
		if g.asked.Add(1) == int64(n) {
			close(all)
		}
		select {
		case <-g.release:
			return kit.AtOnce(ctx)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	var err error
	if g.sessions, err = c.ConnectAll(ctx, p.URL, n, person); err != nil {
		return g, err
	}
	for _, session := range g.sessions {
		go func() { g.errs <- call(ctx, session) }()
	}
	select {
	case <-all:
		return g, nil
	case err := <-g.errs:
		return g, fmt.Errorf("a call ended before its question was answered: %w", err)
	case <-ctx.Done():
		return g, fmt.Errorf("%d of %d questions arrived: %w", g.asked.Load(), n, ctx.Err())
	}
}

// answer lets every person answer at once and says how many calls came back, and
// when the last one did.
func (g *crowd) answer(ctx context.Context, patience time.Duration) (back, failed int, took time.Duration) {
	began := time.Now()
	close(g.release)
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for range cap(g.errs) {
		select {
		case err := <-g.errs:
			if err != nil {
				failed++
				kit.Progress("a call failed: %v\n", err)
				continue
			}
			back, took = back+1, time.Since(began)
		case <-timer.C:
			return back, failed, took
		case <-ctx.Done():
			return back, failed, took
		}
	}
	return back, failed, took
}

// Waiting is what calls that wait cost a server.
type Waiting struct {
	Name string
	kit.Footprint
	Calls int
}

// PerCall is what one of them costs in bytes, in the order of the table.
func (w Waiting) PerCall() []float64 {
	var each []float64
	for _, bytes := range w.Bytes() {
		each = append(each, float64(bytes)/float64(w.Calls))
	}
	return each
}

func (w Waiting) row(bare Waiting) []string {
	row := []string{w.Name}
	for k, bytes := range w.PerCall() {
		row = append(row, fmt.Sprintf("%.1f kB", bytes/1000), fmt.Sprintf("%.2f×", bytes/bare.PerCall()[k]))
	}
	return append(row, fmt.Sprintf("%.1f", float64(w.Settled.Goroutines-w.Before.Goroutines)/float64(w.Calls)))
}

// compareWaiting finds what a waiting call costs a server.
func compareWaiting(ctx context.Context, g *guests, o options) (found []Waiting, err error) {
	all, stop, err := startAll(ctx, g, kit.LegacyEra, "waiting", "")
	if err != nil {
		return nil, err
	}
	defer stop()
	for _, p := range all {
		kit.Progress("%s: %d calls wait", p.Name, o.waiting)
		f, err := measureWaiting(ctx, p, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		found = append(found, Waiting{p.Name, f, o.waiting})
	}
	kit.Progress("")
	return found, nil
}

func measureWaiting(ctx context.Context, p *kit.Subject, o options) (f kit.Footprint, err error) {
	clients := kit.NewClients(kit.LegacyEra, o.signedIn)
	defer clients.Close()
	first, err := clients.Connect(ctx, p.URL, o.waiting, kit.AtOnce)
	if err != nil {
		return f, err
	}
	defer first.Close()
	if err := call(ctx, first); err != nil { // whatever is made once is made now
		return f, err
	}
	if f.Before, err = p.Consumption(true); err != nil {
		return f, err
	}
	g, err := gather(ctx, clients, p, o.waiting)
	defer kit.CloseAll(g.sessions)
	if err != nil {
		return f, err
	}
	if f.During, err = p.Consumption(false); err != nil {
		return f, err
	}
	if f.Settled, err = p.Consumption(true); err != nil {
		return f, err
	}
	if back, failed, _ := g.answer(ctx, time.Minute); back < o.waiting {
		return f, fmt.Errorf("%d of %d calls came back, %d failed", back, o.waiting, failed)
	}
	return f, nil
}

// Burst is what became of waiting calls whose questions were answered at once.
type Burst struct {
	Name               string
	Back, Failed, Lost int
	Asked, Took        time.Duration // until all were asked, and until all were back
}

// compareBurst finds how many calls come back when all their questions are
// answered at once.
func compareBurst(ctx context.Context, g *guests, o options) (found []Burst, err error) {
	all, stop, err := startAll(ctx, g, kit.LegacyEra, "burst", "")
	if err != nil {
		return nil, err
	}
	defer stop()
	for _, p := range all {
		kit.Progress("%s: %d calls wait", p.Name, o.burst)
		clients := kit.NewClients(kit.LegacyEra, o.signedIn)
		began := time.Now()
		calls, leave := context.WithCancel(ctx)
		crowd, err := gather(calls, clients, p, o.burst)
		if err != nil {
			leave()
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		asked := time.Since(began)
		kit.Progress("%s: %d answers at once", p.Name, o.burst)
		back, failed, took := crowd.answer(ctx, 3*time.Minute)
		found = append(found, Burst{p.Name, back, failed, o.burst - back - failed, asked, took})
		leave() // closing a session would wait for a call that does not come back
		kit.CloseAll(crowd.sessions)
		clients.Close()
	}
	kit.Progress("")
	return found, nil
}
