// Package mcp measures a tool that asks through mcptool against the same tool on
// the bare SDK.
package mcp

import (
	"context"
	"flag"
	"fmt"
	"io"
	"runtime"

	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/bench/peers"
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
	peers       []string
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
	others := flags.String("peers", "all", "the servers of others beside them: their names, all or none")
	flags.StringVar(&o.profiles, "profile", "", "a directory for the servers' CPU profiles")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.stores, o.eras, o.peers = kit.Fields(*stores), kit.Fields(*eras), kit.Fields(*others)
	return o, nil
}

// Result is what was found out. The first server of each list is the bare SDK's.
type Result struct {
	Eras    []Era
	Waiting []Waiting
	Bursts  []Burst
	Absent  []peers.Absent // the peers that do not run here

	options
}

// Era is the servers' speed by one protocol version.
type Era struct {
	Version string
	Servers []Speeds
}

// Run compares a tool that asks through mcptool with the same tool on the
// bare SDK.
func Run(ctx context.Context, args []string, out io.Writer) error {
	r, err := Measure(ctx, args)
	if err == nil {
		r.Print(out)
	}
	return err
}

// Measure takes the flags of the benchmark.
func Measure(ctx context.Context, args []string) (r Result, err error) {
	if r.options, err = parse(args); err != nil {
		return r, err
	}
	g := &guests{}
	for _, name := range r.stores {
		s, err := kit.NewSite(ctx, name)
		if err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
		defer s.Close()
		g.sites = append(g.sites, s)
	}
	if g.peers, r.Absent, err = peers.Choose(ctx, peers.Servers(), r.peers); err != nil {
		return r, err
	}
	for _, era := range r.eras {
		servers, err := compareSpeed(ctx, g, era, r.options)
		if err != nil {
			return r, fmt.Errorf("%s: %w", era, err)
		}
		r.Eras = append(r.Eras, Era{era, servers})
	}
	if r.waiting > 0 {
		if r.Waiting, err = compareWaiting(ctx, g, r.options); err != nil {
			return r, err
		}
	}
	if r.burst > 0 {
		r.Bursts, err = compareBurst(ctx, g, r.options)
	}
	return r, err
}

// Print prints a table for each era, one of calls that wait, and one of those that are
// answered at once.
func (r Result) Print(out io.Writer) {
	fmt.Fprintf(out, "%s, %d cores; a call in which a person confirms; servers in their own processes\n", runtime.Version(), runtime.NumCPU())
	for _, a := range r.Absent {
		fmt.Fprintf(out, "left out: %s: %s\n", a.Name, a.Why)
	}
	for _, era := range r.Eras {
		var rows [][]string
		for _, s := range era.Servers {
			rows = append(rows, s.row(era.Servers[0]))
		}
		fmt.Fprintf(out, "\nMCP %s, medians of %d repetitions of %d rounds:\n", era.Version, r.repetitions, r.rounds)
		kit.Table{"server", "round trip", "to bare", fmt.Sprintf("calls/s, %d sessions", loadSessions), "to bare", "server CPU per call", "to bare"}.Print(out, rows)
	}
	if len(r.Waiting) > 0 {
		var rows [][]string
		for _, w := range r.Waiting {
			rows = append(rows, w.row(r.Waiting[0]))
		}
		fmt.Fprintf(out, "\n%s calls wait for a person, MCP %s; per call with its session:\n", kit.Count(r.waiting), kit.LegacyEra)
		kit.Table{"server", "resident", "to bare", "resident, collected", "to bare", "heap", "to bare", "stacks", "to bare", "goroutines"}.Print(out, rows)
	}
	if len(r.Bursts) > 0 {
		var rows [][]string
		for _, b := range r.Bursts {
			rows = append(rows, []string{b.Name, fmt.Sprint(b.Back), fmt.Sprint(b.Failed), fmt.Sprint(b.Lost), kit.Seconds(b.Asked), kit.Seconds(b.Took)})
		}
		fmt.Fprintf(out, "\n%s waiting calls answered at once, MCP %s:\n", kit.Count(r.burst), kit.LegacyEra)
		kit.Table{"server", "back", "failed", "lost", "until all were asked", "until all were back"}.Print(out, rows)
	}
}
