package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lister lists the tools behind an address. It has a new session for each list,
// because clients of 2026-07-28 keep lists for a while.
type lister struct {
	name    string
	url     string
	clients *clients
	times   samples
	pages   int
}

// list returns how many tools there are; connecting is not timed.
func (l *lister) list(ctx context.Context) (tools int, err error) {
	c, err := l.clients.connect(ctx, l.url, 1, atOnce)
	if err != nil {
		return 0, err
	}
	defer c.session.Close()
	began := time.Now()
	l.pages = 0
	for params := (&mcp.ListToolsParams{}); ; {
		page, err := c.session.ListTools(ctx, params)
		if err != nil {
			return 0, err
		}
		l.pages++
		tools += len(page.Tools)
		if params.Cursor = page.NextCursor; params.Cursor == "" {
			break
		}
	}
	l.times.add(time.Since(began))
	return tools, nil
}

// listedAll prints what it takes to list the tools of many servers.
func listedAll(ctx context.Context, sites []*site, o gatewayOptions) error {
	if o.servers < 1 || o.listings < 1 {
		return nil
	}
	servers, err := startServers(ctx, o.servers, "")
	if err != nil {
		return err
	}
	defer servers.stop()
	var cold [][]string
	var gateways []*subject
	for _, s := range sites {
		progress("%s: a gateway starts", s.name)
		g, row, err := startCold(ctx, s, servers, o)
		if err != nil {
			return err
		}
		defer g.stop()
		gateways, cold = append(gateways, g), append(cold, row)
	}
	var warm [][]string
	for _, era := range o.eras {
		progress("client of %s lists", era)
		rows, err := compareLists(ctx, servers, gateways, era, o)
		if err != nil {
			return err
		}
		warm = append(warm, rows...)
	}
	progress("")
	n := o.servers * toolsEach
	fmt.Printf("\n%d tools with schemas of %d bytes, of %d servers with %d each, half of them older; directly, of one server. Medians of %d lists:\n", n, len(toolSchema), o.servers, toolsEach, o.listings)
	table{"client", "way", "tools", "pages", "median", "p99", "to direct, medians"}.print(os.Stdout, warm)
	fmt.Printf("\nFrom the start of the gateway's process, by lists one after the other:\n")
	table{"way", "first list", "tools in it", "until all were listed", "lists"}.print(os.Stdout, cold)
	return nil
}

// coldPatience is how long a gateway may take to know all tools.
const coldPatience = time.Minute

// startCold starts a gateway and lists until all tools are there.
func startCold(ctx context.Context, s *site, servers *subject, o gatewayOptions) (*subject, []string, error) {
	clients := newClients(modernEra, true)
	defer clients.close()
	began := time.Now()
	g, err := startGateway(ctx, s, "list", servers, o.servers, "")
	if err != nil {
		return nil, nil, err
	}
	l := &lister{name: g.name, url: g.url, clients: clients}
	var first time.Duration
	firstTools := 0
	for n := 1; ; n++ {
		tools, err := l.list(ctx)
		if err == nil && time.Since(began) > coldPatience {
			err = fmt.Errorf("%s lists %d tools after %s", g.name, tools, coldPatience)
		}
		if err != nil {
			g.stop()
			return nil, nil, err
		}
		if n == 1 {
			first, firstTools = time.Since(began), tools
		}
		if tools == o.servers*toolsEach {
			return g, []string{g.name, duration(first).String(), fmt.Sprint(firstTools), duration(time.Since(began)).String(), fmt.Sprint(n)}, nil
		}
	}
}

// compareLists lists by all ways, in random order.
func compareLists(ctx context.Context, servers *subject, gateways []*subject, era string, o gatewayOptions) ([][]string, error) {
	clients := newClients(era, true)
	defer clients.close()
	all := []*lister{{name: servers.name, url: servers.url + "/all/" + era, clients: clients}}
	for _, g := range gateways {
		all = append(all, &lister{name: g.name, url: g.url, clients: clients})
	}
	for n := range o.listings + 1 {
		if n == 1 { // the first lists only warm up
			for _, l := range all {
				l.times = nil
			}
		}
		for _, i := range rand.Perm(len(all)) {
			tools, err := all[i].list(ctx)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", all[i].name, err)
			}
			if want := o.servers * toolsEach; tools != want {
				return nil, fmt.Errorf("%s listed %d tools of %d", all[i].name, tools, want)
			}
		}
	}
	var rows [][]string
	for i, l := range all {
		row := []string{era, l.name, fmt.Sprint(o.servers * toolsEach), fmt.Sprint(l.pages), l.times.median().String(), l.times.percentile(99).String(), ""}
		if i > 0 {
			row[6] = fmt.Sprintf("%.2f×", float64(l.times.median())/float64(all[0].times.median()))
		}
		rows = append(rows, row)
	}
	return rows, nil
}
