package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// gatewayOptions are the flags of the gateway benchmark.
type gatewayOptions struct {
	stores   []string
	eras     []string
	results  []string
	batches  int
	servers  int
	listings int
	sessions int
	profiles string
}

func parseGateway(args []string) (gatewayOptions, error) {
	var o gatewayOptions
	flags := flag.NewFlagSet("gateway", flag.ContinueOnError)
	stores := flags.String("stores", "memory,sqlite", "the stores under the gateway")
	eras := flags.String("eras", legacyEra+","+modernEra, "the protocol versions of clients")
	results := flags.String("results", "small,large", "the calls' results: small, or large with 64 KiB")
	flags.IntVar(&o.batches, "batches", 60, fmt.Sprintf("batches of %d calls by each way, for each kind of call; 0 for none", relayBatch))
	flags.IntVar(&o.servers, "servers", 200, fmt.Sprintf("servers with %d tools each that are listed; 0 for none", toolsEach))
	flags.IntVar(&o.listings, "listings", 30, "how often they are listed by each way")
	flags.IntVar(&o.sessions, "sessions", 2000, "sessions whose memory is measured; 0 for none")
	flags.StringVar(&o.profiles, "profile", "", "a directory for the profiles of the gateways and servers of the calls")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	fields := func(s string) []string { return strings.FieldsFunc(s, func(c rune) bool { return c == ',' }) }
	o.stores, o.eras, o.results = fields(*stores), fields(*eras), fields(*results)
	return o, nil
}

// gatewayBench compares calls and lists through the gateway with those that the
// same client makes directly.
func gatewayBench(ctx context.Context, args []string) error {
	o, err := parseGateway(args)
	if err != nil {
		return err
	}
	// The gateway has two streams per session, and some calls under way.
	if need, have := uint64(2*o.sessions+500), raiseFileLimit(); have > 0 && have < need {
		return fmt.Errorf("%d sessions need %d open files, and this system allows %d: raise its limit (ulimit -Hn), or lower -sessions", o.sessions, need, have)
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
	fmt.Printf("%s, %d cores; client, gateway and servers in a process each\n", runtime.Version(), runtime.NumCPU())
	for _, part := range []func(context.Context, []*site, gatewayOptions) error{relayed, listedAll, resident} {
		before := loadAverage()
		if err := part(ctx, sites, o); err != nil {
			return err
		}
		if before != "" {
			fmt.Printf("Load average before and after: %s, %s\n", before, loadAverage())
		}
	}
	return nil
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
func startServers(ctx context.Context, many int, profiles string) (*subject, error) {
	args := []string{"gateway-servers", "-many", fmt.Sprint(many)}
	if profiles != "" {
		args = append(args, "-profile", filepath.Join(profiles, "servers-"))
	}
	return startChild(ctx, "direct", args...)
}

// startGateway starts a gateway over some servers. many is how many there are
// with few tools each; 0 means the two of the calls.
func startGateway(ctx context.Context, s *site, space string, servers *subject, many int, profiles string) (*subject, error) {
	args := []string{"gateway-node", "-store", s.url(space), "-space", space, "-servers", servers.url, "-many", fmt.Sprint(many)}
	if profiles != "" {
		args = append(args, "-profile", filepath.Join(profiles, s.name+"-"+space+"-"))
	}
	return startChild(ctx, "gateway, "+s.name, args...)
}
