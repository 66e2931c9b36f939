// Package mcp measures a tool that asks through mcptool against the same tool on
// the bare SDK.
package mcp

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"

	"github.com/parley-hq/parley/bench/kit"
)

// options are the flags of the mcp benchmark.
type options struct {
	stores      []string
	eras        []string
	rounds      int
	repetitions int
	waiting     int
	burst       int
	signedIn    bool
	profiles    string
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("mcp", flag.ContinueOnError)
	stores := flags.String("stores", "memory,sqlite,redis,postgres", "the stores under mcptool")
	eras := flags.String("eras", kit.LegacyEra+","+kit.ModernEra, "the protocol versions")
	flags.IntVar(&o.rounds, "rounds", 400, "calls per server and repetition whose round trip is timed")
	flags.IntVar(&o.repetitions, "repetitions", 5, "how often everything is repeated; the median counts")
	flags.IntVar(&o.waiting, "waiting", 1000, "how many calls wait at once; 0 for none")
	flags.IntVar(&o.burst, "burst", 5000, "how many waiting calls are answered at once; 0 for none")
	flags.BoolVar(&o.signedIn, "signed-in", false, "callers have a token, so that the person is known")
	flags.StringVar(&o.profiles, "profile", "", "a directory for the servers' CPU profiles")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.stores, o.eras = kit.Fields(*stores), kit.Fields(*eras)
	return o, nil
}

// Run compares a tool that asks through mcptool with the same tool on the
// bare SDK.
func Run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	var sites []*kit.Site
	for _, name := range o.stores {
		s, err := kit.NewSite(ctx, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer s.Close()
		sites = append(sites, s)
	}
	fmt.Printf("%s, %d cores; a call in which a person confirms; servers in their own processes\n", runtime.Version(), runtime.NumCPU())
	for _, era := range o.eras {
		rows, err := compareSpeed(ctx, sites, era, o)
		if err != nil {
			return fmt.Errorf("%s: %w", era, err)
		}
		fmt.Printf("\nMCP %s, medians of %d repetitions of %d rounds:\n", era, o.repetitions, o.rounds)
		kit.Table{"server", "round trip", "to bare", fmt.Sprintf("calls/s, %d sessions", loadSessions), "to bare", "server CPU per call", "to bare"}.Print(os.Stdout, rows)
	}
	if o.waiting > 0 {
		rows, err := compareWaiting(ctx, sites, o)
		if err != nil {
			return err
		}
		fmt.Printf("\n%s calls wait for a person, MCP %s; per call with its session:\n", kit.Count(o.waiting), kit.LegacyEra)
		kit.Table{"server", "resident", "to bare", "resident, collected", "to bare", "heap", "to bare", "stacks", "to bare", "goroutines"}.Print(os.Stdout, rows)
	}
	if o.burst > 0 {
		rows, err := compareBurst(ctx, sites, o)
		if err != nil {
			return err
		}
		fmt.Printf("\n%s waiting calls answered at once, MCP %s:\n", kit.Count(o.burst), kit.LegacyEra)
		kit.Table{"server", "back", "failed", "lost", "until all were asked", "until all were back"}.Print(os.Stdout, rows)
	}
	return nil
}
