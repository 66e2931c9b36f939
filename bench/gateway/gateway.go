// Package gateway measures calls, lists and sessions through the gateway against
// those that the same client has directly.
package gateway

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/parley-hq/parley/bench/kit"
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
	profiles string
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("gateway", flag.ContinueOnError)
	stores := flags.String("stores", "memory,sqlite", "the stores under the gateway")
	eras := flags.String("eras", kit.LegacyEra+","+kit.ModernEra, "the protocol versions of clients")
	results := flags.String("results", "small,large", "the calls' results: small, or large with 64 KiB")
	flags.IntVar(&o.batches, "batches", 60, fmt.Sprintf("batches of %d calls by each way, for each kind of call; 0 for none", relayBatch))
	flags.IntVar(&o.servers, "servers", 200, fmt.Sprintf("servers with %d tools each that are listed; 0 for none", toolsEach))
	flags.IntVar(&o.listings, "listings", 30, "how often they are listed by each way")
	flags.IntVar(&o.sessions, "sessions", 2000, "sessions whose memory is measured; 0 for none")
	flags.StringVar(&o.profiles, "profile", "", "a directory for the profiles of the gateways and servers of the calls")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.stores, o.eras, o.results = kit.Fields(*stores), kit.Fields(*eras), kit.Fields(*results)
	return o, nil
}

// Run compares calls and lists through the gateway with those that the
// same client makes directly.
func Run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	// The gateway has two streams per session, and some calls under way.
	if need, have := uint64(2*o.sessions+500), kit.RaiseFileLimit(); have > 0 && have < need {
		return fmt.Errorf("%d sessions need %d open files, and this system allows %d: raise its limit (ulimit -Hn), or lower -sessions", o.sessions, need, have)
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
	fmt.Printf("%s, %d cores; client, gateway and servers in a process each\n", runtime.Version(), runtime.NumCPU())
	for _, part := range []func(context.Context, []*kit.Site, options) error{relayed, listedAll, resident} {
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
