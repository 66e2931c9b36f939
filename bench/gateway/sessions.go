package gateway

import (
	"context"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/bench/kit"
)

// Sessions is what sessions of an older client cost a process: their standalone streams
// are open, and each has made one call.
type Sessions struct {
	Name, Process string
	kit.Footprint
}

// reside finds what a session costs.
func (r *Result) reside(ctx context.Context, sites []*kit.Site) error {
	if r.sessions < 1 || len(sites) == 0 {
		return nil
	}
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
		kit.Progress("%d sessions %s", r.sessions, kind.name)
		gateway, servers, err := measureSessions(ctx, sites[0], kind.server, kind.direct, r.options)
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		if !kind.direct {
			r.Sessions = append(r.Sessions, Sessions{kind.name, "gateway", gateway})
		}
		if kind.server != "" {
			r.Sessions = append(r.Sessions, Sessions{kind.name, "server", servers})
		}
	}
	kit.Progress("")
	return nil
}

func (r Result) printSessions(out io.Writer) {
	if len(r.Sessions) == 0 {
		return
	}
	var rows [][]string
	for _, s := range r.Sessions {
		row := []string{s.Name, s.Process}
		for _, bytes := range s.Bytes() {
			row = append(row, fmt.Sprintf("%.1f kB", float64(bytes)/float64(r.sessions)/1000))
		}
		rows = append(rows, append(row, fmt.Sprintf("%.1f", float64(s.Settled.Goroutines-s.Before.Goroutines)/float64(r.sessions))))
	}
	fmt.Fprintf(out, "\n%d sessions of clients of %s, each of a person of its own, with their streams; store: %s; per session:\n", r.sessions, kit.LegacyEra, r.stores[0])
	kit.Table{"sessions", "process", "resident", "resident, collected", "heap", "stacks", "goroutines"}.Print(out, rows)
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
