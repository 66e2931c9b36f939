package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// mcpOptions are the flags of the mcp benchmark.
type mcpOptions struct {
	stores      []string
	eras        []string
	rounds      int
	repetitions int
	waiting     int
	burst       int
	signedIn    bool
	profiles    string
}

func parseMCP(args []string) (mcpOptions, error) {
	var o mcpOptions
	flags := flag.NewFlagSet("mcp", flag.ContinueOnError)
	stores := flags.String("stores", "memory,sqlite,redis,postgres", "the stores under mcptool")
	eras := flags.String("eras", legacyEra+","+modernEra, "the protocol versions")
	flags.IntVar(&o.rounds, "rounds", 400, "calls per server and repetition whose round trip is timed")
	flags.IntVar(&o.repetitions, "repetitions", 5, "how often everything is repeated; the median counts")
	flags.IntVar(&o.waiting, "waiting", 1000, "how many calls wait at once; 0 for none")
	flags.IntVar(&o.burst, "burst", 5000, "how many waiting calls are answered at once; 0 for none")
	flags.BoolVar(&o.signedIn, "signed-in", false, "callers have a token, so that the person is known")
	flags.StringVar(&o.profiles, "profile", "", "a directory for the servers' CPU profiles")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	fields := func(s string) []string { return strings.FieldsFunc(s, func(c rune) bool { return c == ',' }) }
	o.stores, o.eras = fields(*stores), fields(*eras)
	return o, nil
}

// mcpBench compares a tool that asks through mcptool with the same tool on the
// bare SDK.
func mcpBench(ctx context.Context, args []string) error {
	o, err := parseMCP(args)
	if err != nil {
		return err
	}
	var sites []*site
	for _, name := range o.stores {
		s, err := newSite(ctx, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer s.close()
		sites = append(sites, s)
	}
	fmt.Printf("%s, %d cores; a call in which a person confirms; servers in their own processes\n", runtime.Version(), runtime.NumCPU())
	for _, era := range o.eras {
		rows, err := compareSpeed(ctx, sites, era, o)
		if err != nil {
			return fmt.Errorf("%s: %w", era, err)
		}
		fmt.Printf("\nMCP %s, medians of %d repetitions of %d rounds:\n", era, o.repetitions, o.rounds)
		table{"server", "round trip", "to bare", fmt.Sprintf("calls/s, %d sessions", loadSessions), "to bare", "server CPU per call", "to bare"}.print(os.Stdout, rows)
	}
	if o.waiting > 0 {
		rows, err := compareWaiting(ctx, sites, o)
		if err != nil {
			return err
		}
		fmt.Printf("\n%s calls wait for a person, MCP %s; per call with its session:\n", count(o.waiting), legacyEra)
		table{"server", "resident", "to bare", "resident, collected", "to bare", "heap", "to bare", "stacks", "to bare", "goroutines"}.print(os.Stdout, rows)
	}
	if o.burst > 0 {
		rows, err := compareBurst(ctx, sites, o)
		if err != nil {
			return err
		}
		fmt.Printf("\n%s waiting calls answered at once, MCP %s:\n", count(o.burst), legacyEra)
		table{"server", "back", "failed", "lost", "until all were asked", "until all were back"}.print(os.Stdout, rows)
	}
	return nil
}
