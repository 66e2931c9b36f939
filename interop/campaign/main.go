// Command campaign runs calls through nodes of `parley serve` while it kills and
// pauses the nodes, restarts their store and lets the servers behind them die, and
// counts what became of each call:
//
//	result   its result reached the client
//	unknown  the client was told that nobody knows, or its node died with a call
//	         in its hands that asks nothing
//	refused  the client was told that it was not carried out
//	stuck    nothing came within the time that a client has
//	twice    the server carried it out more often than the person said yes
//	again    the server carried it out twice, and the person was asked twice:
//	         the client made the call again and was not told of the first
//	untrue   what the client was told is not what the server did: a result of
//	         nothing, a refusal of what was done, an invitation to repeat it, or
//	         "not known" of a call that the server never got although no node was
//	         killed, paused or stopped, and the server did not die
//
// The servers behind the nodes are a part of this program and keep a ledger by the
// key that each call has in its arguments, so what is true is known. A run is the
// same for the same seed, but for what the machine does in between. It fails if a
// call is stuck, carried out twice, or told what is not true.
//
// `campaign chaos` has no rounds: everything happens at once, to three nodes
// (docs/chaos.md).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/parley-hq/parley/internal/testkit/servers"
)

// Exit codes, besides 0.
const (
	exitFailed  = 1
	exitFound   = 2 // the campaign found something
	exitMissing = 3 // a store is not installed
)

// errFound means that the campaign found something.
var errFound = errors.New("calls were stuck, carried out twice, or told what is not true")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "campaign:", err)
		os.Exit(exitCode(err))
	}
}

func exitCode(err error) int {
	switch {
	case errors.Is(err, errFound):
		return exitFound
	case errors.Is(err, servers.ErrNotInstalled):
		return exitMissing
	}
	return exitFailed
}

// settings are what a run is told.
type settings struct {
	stores  []string
	seed    uint64
	rounds  int
	calls   int
	faults  []string
	phases  []string
	program string
	race    bool
	verbose bool
	limit   time.Duration
	keepLog string
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) > 0 && args[0] == "chaos" {
		return chaos(ctx, args[1:], out)
	}
	s, err := parse(args, out)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "parley-campaign-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if s.program == "" {
		if s.program, err = build(ctx, dir, "cmd/parley", nil, s.race); err != nil {
			return err
		}
	}
	var tables []*tally
	for _, store := range s.stores {
		t, err := campaign(ctx, s, store, dir, out)
		if err != nil {
			return fmt.Errorf("%s: %w", store, err)
		}
		tables = append(tables, t)
	}
	report(out, s, tables)
	for _, t := range tables {
		if t.bad() {
			return errFound
		}
	}
	return nil
}

func parse(args []string, out io.Writer) (settings, error) {
	s := settings{}
	flags := flag.NewFlagSet("campaign", flag.ContinueOnError)
	flags.SetOutput(out)
	list := func(into *[]string, name, all, usage string) {
		*into = strings.Split(all, ",")
		flags.Func(name, usage+"; default "+all, func(text string) error {
			*into = strings.Split(text, ",")
			for _, one := range *into {
				if !strings.Contains(","+all+",", ","+one+",") {
					return fmt.Errorf("%q is none of %s", one, all)
				}
			}
			return nil
		})
	}
	list(&s.stores, "stores", "postgres,redis,sqlite", "what the nodes share; sqlite has one node")
	list(&s.faults, "faults", strings.Join(faultNames, ","), "what happens")
	list(&s.phases, "phases", strings.Join(phaseNames, ","), "when it does: what a call has come to")
	flags.Uint64Var(&s.seed, "seed", 1, "of all that is chosen")
	flags.IntVar(&s.rounds, "rounds", 60, "with each store; every round has one fault")
	flags.IntVar(&s.calls, "calls", 5, "at a time, in each round")
	flags.StringVar(&s.program, "parley", "", "the program; default: it is built")
	flags.BoolVar(&s.race, "race", false, "build it with the race detector")
	flags.BoolVar(&s.verbose, "v", false, "tell of every call")
	flags.DurationVar(&s.limit, "limit", time.Minute, "a call that has no end after this is stuck")
	flags.StringVar(&s.keepLog, "log", "", "a directory for what the nodes write")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("what is %q?", flags.Arg(0))
	}
	return s, nil
}
