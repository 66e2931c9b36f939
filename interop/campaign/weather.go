package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"syscall"
	"time"
)

// weather is what goes wrong while the town is at work, at random from the seed.
type weather struct {
	town   *town
	choose *rand.Rand
	every  time.Duration // between two faults, on the average
	out    io.Writer     // nil: nobody wants to know
	began  time.Time

	healing sync.WaitGroup

	mu      sync.Mutex
	busy    map[string]bool // what is broken now
	counts  map[string]int
	failure error
}

// storm is a kind of fault.
type storm struct {
	name  string
	often int // beside the others
	// strike begins it for one of the nodes, and returns what it breaks, and how it ends
	// after a time that choose chooses. It does nothing by itself.
	strike func(w *weather, n int, lasts time.Duration) (breaks string, begin func(), heal func(context.Context) error)
}

var storms = []storm{
	{"node killed", 6, func(w *weather, n int, _ time.Duration) (string, func(), func(context.Context) error) {
		node := w.town.site.nodes[n]
		return node.address, func() { w.town.strike(n, node.kill) }, func(ctx context.Context) error { return w.town.restart(ctx, n) }
	}},
	{"all nodes killed", 1, func(w *weather, _ int, _ time.Duration) (string, func(), func(context.Context) error) {
		return "all", func() {
				for n, node := range w.town.site.nodes {
					w.town.strike(n, node.kill)
				}
			}, func(ctx context.Context) error {
				for n := range w.town.site.nodes {
					if err := w.town.restart(ctx, n); err != nil {
						return err
					}
				}
				return nil
			}
	}},
	{"node stopped", 2, func(w *weather, n int, _ time.Duration) (string, func(), func(context.Context) error) {
		node := w.town.site.nodes[n]
		var over <-chan struct{}
		return node.address, func() { over = node.over(); w.town.strike(n, func() { node.signal(syscall.SIGTERM) }) }, func(ctx context.Context) error {
			select {
			case <-over:
				return w.town.restart(ctx, n)
			case <-time.After(stopTime):
				return fmt.Errorf("the node at %s was told to stop %v ago, and runs", node.address, stopTime)
			}
		}
	}},
	{"node paused", 2, func(w *weather, n int, _ time.Duration) (string, func(), func(context.Context) error) {
		node := w.town.site.nodes[n]
		return node.address, func() { w.town.strike(n, func() { node.signal(syscall.SIGSTOP) }) }, func(context.Context) error {
			node.signal(syscall.SIGCONT)
			w.town.back(n)
			return nil
		}
	}},
	{"store stopped", 1, func(w *weather, _ int, _ time.Duration) (string, func(), func(context.Context) error) {
		return "store", func() { w.town.allAway(); _ = w.town.site.server.Stop() }, w.storeBack
	}},
	{"store killed", 2, func(w *weather, _ int, _ time.Duration) (string, func(), func(context.Context) error) {
		return "store", func() { w.town.allAway(); _ = w.town.site.server.Kill() }, w.storeBack
	}},
	{"store connections cut", 4, atStore(func(w *wire, _ time.Duration) { w.cut() })},
	{"store connections stalled", 2, atStore(func(w *wire, _ time.Duration) { w.stall() })},
	{"store connections slow", 3, atStore(func(w *wire, lasts time.Duration) { w.slow(lasts / 10) })},
	{"server connections cut", 3, atServers(func(w *wire, _ time.Duration) { w.cut() })},
	{"server connections slow", 2, atServers(func(w *wire, lasts time.Duration) { w.slow(lasts / 10) })},
	{"server killed", 1, func(w *weather, _ int, _ time.Duration) (string, func(), func(context.Context) error) {
		return "servers", w.town.behind.die, func(context.Context) error { return w.town.behind.start() }
	}},
}

func (w *weather) storeBack(ctx context.Context) error {
	defer w.town.allBack()
	return w.town.site.server.Restart(ctx)
}

// stopTime is how long a node may take to stop: limits.drain_time, and much more on a machine that is busy.
const stopTime = 3 * time.Minute

// atStore strikes the wire between a node and the store.
func atStore(do func(*wire, time.Duration)) func(*weather, int, time.Duration) (string, func(), func(context.Context) error) {
	return func(w *weather, n int, lasts time.Duration) (string, func(), func(context.Context) error) {
		line := w.town.wires[n]
		return line.address, func() { w.town.away(n); do(line, lasts) }, func(context.Context) error {
			line.mend()
			w.town.back(n)
			return nil
		}
	}
}

// atServers strikes the wire between the nodes and the MCP servers.
func atServers(do func(*wire, time.Duration)) func(*weather, int, time.Duration) (string, func(), func(context.Context) error) {
	return func(w *weather, _ int, lasts time.Duration) (string, func(), func(context.Context) error) {
		line := w.town.servers
		return "servers", func() { do(line, lasts) }, func(context.Context) error {
			line.mend()
			return nil
		}
	}
}

// run lets it storm until ctx ends, and returns when all is whole again; the world
// that it heals in is whole's.
func (w *weather) run(ctx, whole context.Context) error {
	w.busy, w.counts, w.began = map[string]bool{}, map[string]int{}, time.Now()
	for sleep(ctx, w.every/2+time.Duration(w.choose.Int64N(int64(w.every)))) {
		w.strike(whole)
	}
	w.healing.Wait()
	for n := range w.town.site.nodes { // one may have ended by itself
		if err := w.town.restart(whole, n); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failure
}

// strike begins one fault, unless what it would break is broken.
func (w *weather) strike(whole context.Context) {
	all := 0
	for _, s := range storms {
		all += s.often
	}
	at := w.choose.IntN(all)
	var s storm
	for _, s = range storms {
		if at -= s.often; at < 0 {
			break
		}
	}
	node := w.choose.IntN(len(w.town.site.nodes))
	lasts := time.Duration(100+w.choose.IntN(2900)) * time.Millisecond
	if w.choose.IntN(10) == 0 {
		lasts = 12 * time.Second // longer than a lease
	}
	breaks, begin, heal := s.strike(w, node, lasts)
	w.mu.Lock()
	busy := w.busy[breaks]
	w.busy[breaks] = true
	if !busy {
		w.counts[s.name]++
	}
	w.mu.Unlock()
	if busy {
		return
	}
	if w.out != nil {
		fmt.Fprintf(w.out, "%7.1fs  %s, of node %d, for %v\n", time.Since(w.began).Seconds(), s.name, node, lasts.Round(time.Millisecond))
	}
	begin()
	w.healing.Go(func() {
		sleep(whole, lasts)
		err := heal(whole)
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.busy, breaks)
		if err != nil && w.failure == nil {
			w.failure = fmt.Errorf("%s: %w", s.name, err)
		}
	})
}

// sleep reports whether the time has passed before ctx ended.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
