package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// crowd is many calls that wait for their person at once, each in a session of
// its own.
type crowd struct {
	callers []*caller
	errs    chan error // one per call
	asked   atomic.Int64
	release chan struct{}
}

// gather makes n calls and returns when all their questions are on the screen.
func (c *clients) gather(ctx context.Context, p *subject, n int) (*crowd, error) {
	g := &crowd{errs: make(chan error, n), release: make(chan struct{})}
	all := make(chan struct{})
	person := func(ctx context.Context) (*mcp.ElicitResult, error) {
		if g.asked.Add(1) == int64(n) {
			close(all)
		}
		select {
		case <-g.release:
			return atOnce(ctx)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	var err error
	if g.callers, err = c.connectAll(ctx, p.url, n, person); err != nil {
		return g, err
	}
	for _, caller := range g.callers {
		go func() { g.errs <- caller.call(ctx) }()
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
				progress("a call failed: %v\n", err)
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

// footprint is what the waiting calls cost a server, all together.
type footprint struct {
	before, during, settled consumption // settled: after a collection
}

// bytes returns the costs in the order of the table.
func (f footprint) bytes() []int64 {
	return []int64{
		f.during.RSS - f.before.RSS, f.settled.RSS - f.before.RSS,
		f.settled.Heap - f.before.Heap, f.settled.Stacks - f.before.Stacks,
	}
}

// compareWaiting prints what a waiting call costs a server.
func compareWaiting(ctx context.Context, sites []*site, o mcpOptions) ([][]string, error) {
	all, stop, err := startAll(ctx, sites, "waiting", "")
	if err != nil {
		return nil, err
	}
	defer stop()
	var rows [][]string
	var bare footprint
	for i, p := range all {
		progress("%s: %d calls wait", p.name, o.waiting)
		f, err := measureWaiting(ctx, p, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		if i == 0 {
			bare = f
		}
		n := float64(o.waiting)
		row := []string{p.name}
		for k, bytes := range f.bytes() {
			row = append(row, fmt.Sprintf("%.1f kB", float64(bytes)/n/1000), fmt.Sprintf("%.2f×", float64(bytes)/float64(bare.bytes()[k])))
		}
		rows = append(rows, append(row, fmt.Sprintf("%.1f", float64(f.settled.Goroutines-f.before.Goroutines)/n)))
	}
	progress("")
	return rows, nil
}

func measureWaiting(ctx context.Context, p *subject, o mcpOptions) (f footprint, err error) {
	clients := newClients(legacyEra, o.signedIn)
	defer clients.close()
	first, err := clients.connect(ctx, p.url, o.waiting, atOnce)
	if err != nil {
		return f, err
	}
	defer first.session.Close()
	if err := first.call(ctx); err != nil { // whatever is made once is made now
		return f, err
	}
	if f.before, err = p.consumption(true); err != nil {
		return f, err
	}
	g, err := clients.gather(ctx, p, o.waiting)
	defer closeAll(g.callers)
	if err != nil {
		return f, err
	}
	if f.during, err = p.consumption(false); err != nil {
		return f, err
	}
	if f.settled, err = p.consumption(true); err != nil {
		return f, err
	}
	if back, failed, _ := g.answer(ctx, time.Minute); back < o.waiting {
		return f, fmt.Errorf("%d of %d calls came back, %d failed", back, o.waiting, failed)
	}
	return f, nil
}

// compareBurst prints how many calls come back when all their questions are
// answered at once.
func compareBurst(ctx context.Context, sites []*site, o mcpOptions) ([][]string, error) {
	all, stop, err := startAll(ctx, sites, "burst", "")
	if err != nil {
		return nil, err
	}
	defer stop()
	var rows [][]string
	for _, p := range all {
		progress("%s: %d calls wait", p.name, o.burst)
		clients := newClients(legacyEra, o.signedIn)
		began := time.Now()
		g, err := clients.gather(ctx, p, o.burst)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		asked := time.Since(began)
		progress("%s: %d answers at once", p.name, o.burst)
		back, failed, took := g.answer(ctx, 3*time.Minute)
		rows = append(rows, []string{
			p.name, fmt.Sprint(back), fmt.Sprint(failed), fmt.Sprint(o.burst - back - failed), seconds(asked), seconds(took),
		})
		closeAll(g.callers)
		clients.close()
	}
	progress("")
	return rows, nil
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
