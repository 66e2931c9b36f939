package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// world is all that a campaign with one store runs.
type world struct {
	settings settings
	ledger   *ledger
	behind   *behind
	site     *site
	front    *front
	out      io.Writer

	mu    sync.Mutex
	tally *tally
}

// campaign runs all rounds with one store.
func campaign(ctx context.Context, s settings, store, dir string, out io.Writer) (*tally, error) {
	w := &world{settings: s, ledger: newLedger(), out: out, tally: newTally(store)}
	var err error
	if w.behind, err = newBehind(w.ledger); err != nil {
		return nil, err
	}
	defer w.behind.die()
	w.site, err = newSite(ctx, s, store, dir, w.behind.url())
	if w.site != nil {
		defer w.site.close()
	}
	if err != nil {
		return nil, err
	}
	w.front = newFront(w.site.nodes)
	began := time.Now()
	for n := range s.rounds {
		if err := w.round(ctx, plan(s, store, n)); err != nil {
			return nil, fmt.Errorf("round %d: %w", n, err)
		}
	}
	w.tally.took = time.Since(began)
	return w.tally, nil
}

// round makes the calls of a round, all at once, and waits until all have an end
// and what was broken is whole.
func (w *world) round(ctx context.Context, r round) error {
	for _, c := range r.calls {
		w.ledger.expect(c)
	}
	healed := w.strikes(ctx, r)
	ends := make([]told, len(r.calls))
	var calls sync.WaitGroup
	for i, c := range r.calls {
		token, err := token(c.person)
		if err != nil {
			return err
		}
		calls.Go(func() { ends[i] = w.make(ctx, c, token) })
	}
	calls.Wait()
	if err := healed(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	w.count(r, ends)
	return nil
}

// make makes one call.
func (w *world) make(ctx context.Context, c *call, token string) told {
	way := w.front.way(c, token)
	defer way.carrier.CloseIdleConnections()
	web := &http.Client{Transport: way}
	var cl client = &legacyClient{call: c, ledger: w.ledger, web: web}
	if c.modern {
		cl = &modernClient{call: c, ledger: w.ledger, web: web}
	}
	return settle(ctx, c, cl, w.ledger, w.settings.limit)
}

// count adds a round to the table, and tells of what is wrong. A call that was
// not waited for may be carried out a little later.
func (w *world) count(r round, ends []told) {
	time.Sleep(3 * work)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tally.row(r.fault).rounds++
	for i, c := range r.calls {
		truth := w.ledger.of(c.key)
		wrong := w.tally.add(r, c, ends[i], truth)
		if wrong == "" && !w.settings.verbose {
			continue
		}
		era := "2025-11-25"
		if c.modern {
			era = "2026-07-28"
		}
		struck := "beside"
		if i == 0 {
			struck = "struck"
		}
		words := ends[i].words
		if ends[i].invited != "" {
			words += " [and before: " + ends[i].invited + "]"
		}
		fmt.Fprintf(w.out, "%-7s round %d (%s at %s, %v) %s: %s, client %s: %s after %d attempts, began %d, done %d: %s\n",
			wrong, r.number, r.fault, r.phase, r.heal.Round(time.Millisecond), struck, c.kind.name, era, ends[i].verdict, ends[i].attempts, truth.began, truth.done, words)
	}
}
