package main

import (
	"context"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// resident prints what a session of an older client costs: its standalone stream
// is open, and it has made one call.
func resident(ctx context.Context, sites []*site, o gatewayOptions) error {
	if o.sessions < 1 || len(sites) == 0 {
		return nil
	}
	var rows [][]string
	for _, kind := range []struct {
		name   string
		server string // the era of the server that is called; empty: none is
		direct bool
	}{
		{"directly", legacyEra, true},
		{"through the gateway, without a call", "", false},
		{"through the gateway, after a call to a server of " + modernEra, modernEra, false},
		{"through the gateway, after a call to a server of " + legacyEra, legacyEra, false},
	} {
		progress("%d sessions %s", o.sessions, kind.name)
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
	progress("")
	fmt.Printf("\n%d sessions of clients of %s, each of a person of its own, with their streams; store: %s; per session:\n", o.sessions, legacyEra, sites[0].name)
	table{"sessions", "process", "resident", "resident, collected", "heap", "stacks", "goroutines"}.print(os.Stdout, rows)
	return nil
}

func sessionRow(name, process string, f footprint, sessions int) []string {
	row := []string{name, process}
	for _, bytes := range f.bytes() {
		row = append(row, fmt.Sprintf("%.1f kB", float64(bytes)/float64(sessions)/1000))
	}
	return append(row, fmt.Sprintf("%.1f", float64(f.settled.Goroutines-f.before.Goroutines)/float64(sessions)))
}

// measureSessions opens the sessions in fresh processes. era is that of the
// server that each of them calls once; empty: none.
func measureSessions(ctx context.Context, s *site, era string, direct bool, o gatewayOptions) (gateway, servers footprint, err error) {
	behind, err := startServers(ctx, 0, "")
	if err != nil {
		return gateway, servers, err
	}
	defer behind.stop()
	front, url, tool := behind, behind.url+"/"+era, "small"
	if !direct {
		if front, err = startGateway(ctx, s, "sessions"+era, behind, 0, ""); err != nil {
			return gateway, servers, err
		}
		defer front.stop()
		url = front.url
		if era != "" {
			tool = serverName(era) + "__small"
		}
	}
	clients := newClients(legacyEra, true)
	defer clients.close()
	open := func(n, from int) (all []*caller, err error) {
		all = make([]*caller, n)
		return all, inParallel(32, n, func(i int) (err error) {
			if all[i], err = clients.connect(ctx, url, from+i, atOnce); err != nil || era == "" {
				return err
			}
			_, err = all[i].session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: search{"squeaking doors", 10}})
			return err
		})
	}
	first, err := open(32, 0) // whatever is made once is made now
	defer closeAll(first)
	if err != nil {
		return gateway, servers, err
	}
	if err := weigh(front, behind, &gateway, &servers, func(f *footprint) (*consumption, bool) { return &f.before, true }); err != nil {
		return gateway, servers, err
	}
	all, err := open(o.sessions, len(first))
	defer closeAll(all)
	if err != nil {
		return gateway, servers, err
	}
	if err := weigh(front, behind, &gateway, &servers, func(f *footprint) (*consumption, bool) { return &f.during, false }); err != nil {
		return gateway, servers, err
	}
	return gateway, servers, weigh(front, behind, &gateway, &servers, func(f *footprint) (*consumption, bool) { return &f.settled, true })
}

// weigh asks both processes what they use.
func weigh(front, behind *subject, gateway, servers *footprint, moment func(*footprint) (*consumption, bool)) (err error) {
	at, settled := moment(gateway)
	if *at, err = front.consumption(settled); err != nil {
		return err
	}
	at, settled = moment(servers)
	*at, err = behind.consumption(settled)
	return err
}
