package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/parley-hq/parley/internal/testkit/history"
	"github.com/parley-hq/parley/seal"
)

// orders are what a run of chaos is told.
type orders struct {
	stores  []string
	seed    uint64
	lasts   time.Duration
	calm    time.Duration
	every   time.Duration
	workers int
	clocks  bool
	race    bool
	plant   string
	program string
	keepLog string
	keep    string // a directory that stays
	verbose bool

	dir string
}

// errChaos means that chaos found something.
var errChaos = fmt.Errorf("%w: see the violations above", errFound)

// chaos is everything at once: a load of calls, runs, tasks and questions on three
// nodes behind a balancer, while nodes, stores, servers and the connections between
// them fail at random. Afterwards all is whole for a while, in which everything must
// come to its end, and what happened is checked.
func chaos(ctx context.Context, args []string, out io.Writer) (err error) {
	o, err := parseChaos(args, out)
	if err != nil {
		return err
	}
	if o.dir = o.keep; o.dir == "" {
		if o.dir, err = os.MkdirTemp("", "parley-chaos-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.dir)
	} else if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return err
	}
	if o.program == "" {
		patches := slices.Clone(plants[o.plant])
		if o.clocks {
			patches = append(patches, clockPatches...)
		}
		if o.program, err = build(ctx, o.dir, "cmd/parley/internal/testserve", patches, o.race); err != nil {
			return err
		}
	}
	violations := 0
	for _, store := range o.stores {
		n, err := o.on(ctx, store, out)
		if err != nil {
			return fmt.Errorf("%s: %w", store, err)
		}
		violations += n
	}
	if violations > 0 {
		return errChaos
	}
	return nil
}

func parseChaos(args []string, out io.Writer) (orders, error) {
	o := orders{}
	flags := flag.NewFlagSet("chaos", flag.ContinueOnError)
	flags.SetOutput(out)
	stores := flags.String("stores", "postgres,redis", "what the nodes share, one after the other")
	flags.Uint64Var(&o.seed, "seed", 0, "of all that is chosen; 0: any")
	flags.DurationVar(&o.lasts, "for", 10*time.Minute, "how long it storms, with each store")
	flags.DurationVar(&o.calm, "calm", 2*time.Minute, "after it, how long everything has to come to its end")
	flags.DurationVar(&o.every, "every", 2*time.Second, "between two faults, on the average")
	flags.IntVar(&o.workers, "load", 12, "errands at a time")
	flags.BoolVar(&o.clocks, "clocks", true, "each process has a clock of its own, up to four seconds off; builds everything once more, the standard library too")
	flags.StringVar(&o.plant, "plant", "", "a bug that is to be found: settle, consume or lease")
	flags.StringVar(&o.program, "testserve", "", "the program; default: it is built")
	flags.BoolVar(&o.race, "race", false, "build it with the race detector")
	flags.StringVar(&o.keepLog, "log", "", "a directory for what the nodes write")
	flags.StringVar(&o.keep, "keep", "", "a directory for configurations, histories and stories, which stays")
	flags.BoolVar(&o.verbose, "v", false, "tell of every fault")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.stores = strings.Split(*stores, ",")
	for _, store := range o.stores {
		if store != "postgres" && store != "redis" {
			return o, fmt.Errorf("%q is no store of several nodes: postgres or redis", store)
		}
	}
	if _, known := plants[o.plant]; o.plant != "" && !known {
		return o, fmt.Errorf("nobody can plant %q", o.plant)
	}
	if o.seed == 0 {
		o.seed = rand.Uint64N(1_000_000) + 1
	}
	return o, nil
}

// on runs with one store, and returns how much was wrong.
func (o orders) on(ctx context.Context, store string, out io.Writer) (violations int, err error) {
	fmt.Fprintf(out, "%s: seed %d, for %v\n", store, o.seed, o.lasts)
	l := &load{ledger: newLedger(), seed: o.seed, store: store, visited: map[string]bool{}, web: &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}}
	l.desks = &desks{load: l, given: map[string][]*given{}}
	l.town, err = newTown(ctx, o, store, l.ledger)
	defer l.town.close()
	if err != nil {
		return 0, err
	}
	storm, quiet := context.WithTimeout(ctx, o.lasts)
	defer quiet()
	w := &weather{town: l.town, choose: rand.New(rand.NewPCG(o.seed, 1)), every: o.every}
	if o.verbose {
		w.out = out
	}
	whole, end := context.WithCancel(ctx)
	defer end()
	stormed := make(chan error, 1)
	go func() {
		stormed <- w.run(storm, ctx)
		time.AfterFunc(o.calm, end) // from here on all is whole
	}()
	desks := make(chan struct{})
	go func() {
		defer close(desks)
		l.desks.run(whole, o.seed)
	}()
	l.run(storm, whole, o.workers)
	failure := <-stormed
	end()
	<-desks
	if err := errors.Join(failure, ctx.Err()); err != nil {
		return 0, err
	}
	time.Sleep(3 * work) // a call that was not waited for may be carried out a little later
	l.town.close()
	return o.judge(l, w, store, out)
}

// judge checks what happened, and tells of it.
func (o orders) judge(l *load, w *weather, store string, out io.Writer) (int, error) {
	files, err := l.town.histories()
	if err != nil {
		return 0, err
	}
	ops, err := history.Read(files...)
	if err != nil {
		return 0, err
	}
	keys, err := seal.New([]byte(secret))
	if err != nil {
		return 0, err
	}
	stored := history.Check(ops, 20*time.Second)
	taken, held := history.CheckLeases(ops, history.Leases{Keys: keys, Ahead: l.town.aheadOf, Missed: l.town.missed})
	l.desks.credit()
	wrong := append(l.wrong(), l.desks.wrong()...)
	for _, v := range append(held, stored.Violations...) {
		wrong = append(wrong, v.String())
	}
	const most = 10
	for i, text := range wrong {
		if i == most {
			fmt.Fprintf(out, "… and %d more\n", len(wrong)-most)
			break
		}
		fmt.Fprintf(out, "VIOLATION (%s, seed %d) %s\n", store, o.seed, text)
	}
	if err := l.stories(filepath.Join(l.town.dir, "stories")); err != nil {
		return 0, err
	}
	l.report(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, s := range storms {
		fmt.Fprintf(table, "%s\t%d\n", s.name, w.counts[s.name])
	}
	fmt.Fprintf(table, "processes\t%d\n", len(files))
	fmt.Fprintf(table, "store operations\t%d on %d questions and records\n", stored.Operations, stored.Keys)
	fmt.Fprintf(table, "… not decided in time, or that expire\t%d, %d\n", stored.Unsure, stored.Left)
	fmt.Fprintf(table, "runs taken over\t%d\n", taken)
	fmt.Fprintf(table, "violations\t%d\n", len(wrong))
	return len(wrong), table.Flush()
}
