// Package gateway measures calls, lists and sessions through the gateway against
// those that the same client has directly.
package gateway

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/bench/peers"
)

// options are the flags of the gateway benchmark.
type options struct {
	stores   []string
	eras     []string
	results  []string
	batches  int
	servers  int
	listings int
	sessions int
	peers    []string
	profiles string
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("gateway", flag.ContinueOnError)
	stores := flags.String("stores", "memory,sqlite", "the stores under the gateway")
	eras := flags.String("eras", kit.LegacyEra+","+kit.ModernEra, "the protocol versions of clients")
	results := flags.String("results", "small,large,form", "the calls' results: small, large with 64 KiB, or form: small, after a form that the server asks with")
	flags.IntVar(&o.batches, "batches", 60, fmt.Sprintf("batches of %d calls by each way, for each kind of call; 0 for none", relayBatch))
	flags.IntVar(&o.servers, "servers", 200, fmt.Sprintf("servers with %d tools each that are listed; 0 for none", toolsEach))
	flags.IntVar(&o.listings, "listings", 30, "how often they are listed by each way")
	flags.IntVar(&o.sessions, "sessions", 2000, "sessions whose memory is measured; 0 for none")
	others := flags.String("peers", "none", "gateways of others that make the calls as well: their names, all or none")
	flags.StringVar(&o.profiles, "profile", "", "a directory for the profiles of the gateways and servers of the calls")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.stores, o.eras, o.results, o.peers = kit.Fields(*stores), kit.Fields(*eras), kit.Fields(*results), kit.Fields(*others)
	return o, nil
}

// Result is what was found out.
type Result struct {
	Calls    []Calls
	Lists    []Lists
	Starts   []Start
	Sessions []Sessions
	Absent   []peers.Absent // the gateways of others that do not run here

	options
	busy []string // load averages before and after each part
}

// Run compares calls and lists through the gateway with those that the
// same client makes directly.
func Run(ctx context.Context, args []string, out io.Writer) error {
	r, err := Measure(ctx, args)
	if err == nil {
		r.Print(out)
	}
	return err
}

// Measure takes the flags of the benchmark.
func Measure(ctx context.Context, args []string) (r Result, err error) {
	o, err := parse(args)
	if err != nil {
		return r, err
	}
	r.options = o
	// The gateway has two streams per session, and some calls under way.
	if need, have := uint64(2*o.sessions+500), kit.RaiseFileLimit(); have > 0 && have < need {
		return r, fmt.Errorf("%d sessions need %d open files, and this system allows %d: raise its limit (ulimit -Hn), or lower -sessions", o.sessions, need, have)
	}
	var sites []*kit.Site
	for _, name := range o.stores {
		s, err := kit.NewSite(ctx, name)
		if err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
		defer s.Close()
		sites = append(sites, s)
	}
	for _, part := range []func(context.Context, []*kit.Site) error{r.relay, r.list, r.reside} {
		r.busy = append(r.busy, loadAverage())
		if err := part(ctx, sites); err != nil {
			return r, err
		}
	}
	r.busy = append(r.busy, loadAverage())
	return r, nil
}

// Print prints tables of calls, lists and sessions.
func (r Result) Print(out io.Writer) {
	fmt.Fprintf(out, "%s, %d cores; client, gateway and servers in a process each\n", runtime.Version(), runtime.NumCPU())
	for _, a := range r.Absent {
		fmt.Fprintf(out, "left out: %s: %s\n", a.Name, a.Why)
	}
	for i, part := range []func(io.Writer){r.printCalls, r.printLists, r.printSessions} {
		part(out)
		if r.busy[i] != "" {
			fmt.Fprintf(out, "Load average before and after: %s, %s\n", r.busy[i], r.busy[i+1])
		}
	}
}

// loadAverage is how busy the machine was in the last minute, this benchmark
// included; empty where the system does not say.
func loadAverage() string {
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(raw), " ")
	return first
}

// startServers starts the servers behind the gateway, without it.
func startServers(ctx context.Context, many int, profiles string) (*kit.Subject, error) {
	args := []string{"gateway-servers", "-many", fmt.Sprint(many)}
	if profiles != "" {
		args = append(args, "-profile", filepath.Join(profiles, "servers-"))
	}
	return kit.StartChild(ctx, "direct", args...)
}

// startGateway starts a gateway over some servers. many is how many there are
// with few tools each; 0 means the two of the calls.
func startGateway(ctx context.Context, s *kit.Site, space string, servers *kit.Subject, many int, profiles string) (*kit.Subject, error) {
	args := []string{"gateway-node", "-store", s.URL(space), "-space", space, "-servers", servers.URL, "-many", fmt.Sprint(many)}
	if profiles != "" {
		args = append(args, "-profile", filepath.Join(profiles, s.Name+"-"+space+"-"))
	}
	return kit.StartChild(ctx, "gateway, "+s.Name, args...)
}
