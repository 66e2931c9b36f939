package gateway

import (
	"context"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/bench/kit"
)

// resident prints what a session of an older client costs: its standalone stream
// is open, and it has made one call.
func resident(ctx context.Context, sites []*kit.Site, o options) error {
	if o.sessions < 1 || len(sites) == 0 {
		return nil
	}
	var rows [][]string
	for _, kind := range []struct {
		name   string
		server string // the era of the server that is called; empty: none is
		direct bool
	}{
		{"directly", kit.LegacyEra, true},
		{"through the gateway, without a call", "", false},
		{"through the gateway, after a call to a server of " + kit.ModernEra, kit.ModernEra, false},
		{"through the gateway, after a call to a server of " + kit.LegacyEra, kit.LegacyEra, false},
	} {
		kit.Progress("%d sessions %s", o.sessions, kind.name)
		gateway, servers, err := measureSessions(ctx, sites[0], kind.server, kind.direct, o)
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		if !kind.direct {
			rows = append(rows, sessionRow(kind.name, "gateway", gateway, o.sessions))
		}
		if kind.server != "" {
			rows = append(rows, sessionRow(kind.name, "server", servers, o.sessions))
		}
	}
	kit.Progress("")
	fmt.Printf("\n%d sessions of clients of %s, each of a person of its own, with their streams; store: %s; per session:\n", o.sessions, kit.LegacyEra, sites[0].Name)
	kit.Table{"sessions", "process", "resident", "resident, collected", "heap", "stacks", "goroutines"}.Print(os.Stdout, rows)
	return nil
}

func sessionRow(name, process string, f kit.Footprint, sessions int) []string {
	row := []string{name, process}
	for _, bytes := range f.Bytes() {
		row = append(row, fmt.Sprintf("%.1f kB", float64(bytes)/float64(sessions)/1000))
	}
	return append(row, fmt.Sprintf("%.1f", float64(f.Settled.Goroutines-f.Before.Goroutines)/float64(sessions)))
}

// measureSessions opens the sessions in fresh processes. era is that of the
// server that each of them calls once; empty: none.
func measureSessions(ctx context.Context, s *kit.Site, era string, direct bool, o options) (gateway, servers kit.Footprint, err error) {
	behind, err := startServers(ctx, 0, "")
	if err != nil {
		return gateway, servers, err
	}
	defer behind.Stop()
	front, url, tool := behind, behind.URL+"/"+era, "small"
	if !direct {
		if front, err = startGateway(ctx, s, "sessions"+era, behind, 0, ""); err != nil {
			return gateway, servers, err
		}
		defer front.Stop()
		url = front.URL
		if era != "" {
			tool = serverName(era) + "__small"
		}
	}
	clients := kit.NewClients(kit.LegacyEra, true)
	defer clients.Close()
	open := func(n, from int) (all []*mcp.ClientSession, err error) {
		all = make([]*mcp.ClientSession, n)
		return all, kit.InParallel(32, n, func(i int) (err error) {
			if all[i], err = clients.Connect(ctx, url, from+i, kit.AtOnce); err != nil || era == "" {
				return err
			}
			_, err = all[i].CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: kit.Search{Query: "squeaking doors", Limit: 10}})
			return err
		})
	}
	first, err := open(32, 0) // whatever is made once is made now
	defer kit.CloseAll(first)
	if err != nil {
		return gateway, servers, err
	}
	if err := weigh(front, behind, &gateway, &servers, func(f *kit.Footprint) (*kit.Consumption, bool) { return &f.Before, true }); err != nil {
		return gateway, servers, err
	}
	all, err := open(o.sessions, len(first))
	defer kit.CloseAll(all)
	if err != nil {
		return gateway, servers, err
	}
	if err := weigh(front, behind, &gateway, &servers, func(f *kit.Footprint) (*kit.Consumption, bool) { return &f.During, false }); err != nil {
		return gateway, servers, err
	}
	return gateway, servers, weigh(front, behind, &gateway, &servers, func(f *kit.Footprint) (*kit.Consumption, bool) { return &f.Settled, true })
}

// weigh asks both processes what they use.
func weigh(front, behind *kit.Subject, gateway, servers *kit.Footprint, moment func(*kit.Footprint) (*kit.Consumption, bool)) (err error) {
	at, settled := moment(gateway)
	if *at, err = front.Consumption(settled); err != nil {
		return err
	}
	at, settled = moment(servers)
	*at, err = behind.Consumption(settled)
	return err
}
