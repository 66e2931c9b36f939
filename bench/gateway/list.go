package gateway

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/bench/kit"
)

// lister lists the tools behind an address. It has a new session for each list,
// because clients of 2026-07-28 keep lists for a while.
type lister struct {
	name    string
	url     string
	clients *kit.Clients
	times   kit.Samples
	pages   int
}

// list returns how many tools there are; connecting is not timed.
func (l *lister) list(ctx context.Context) (tools int, err error) {
	session, err := l.clients.Connect(ctx, l.url, 1, kit.AtOnce)
	if err != nil {
		return 0, err
	}
	defer session.Close()
	began := time.Now()
	l.pages = 0
	for params := (&mcp.ListToolsParams{}); ; {
		page, err := session.ListTools(ctx, params)
		if err != nil {
			return 0, err
		}
		l.pages++
		tools += len(page.Tools)
		if params.Cursor = page.NextCursor; params.Cursor == "" {
			break
		}
	}
	l.times.Add(time.Since(began))
	return tools, nil
}

// listedAll prints what it takes to list the tools of many servers.
func listedAll(ctx context.Context, sites []*kit.Site, o options) error {
	if o.servers < 1 || o.listings < 1 {
		return nil
	}
	servers, err := startServers(ctx, o.servers, "")
	if err != nil {
		return err
	}
	defer servers.Stop()
	var cold [][]string
	var gateways []*kit.Subject
	for _, s := range sites {
		kit.Progress("%s: a gateway starts", s.Name)
		g, row, err := startCold(ctx, s, servers, o)
		if err != nil {
			return err
		}
		defer g.Stop()
		gateways, cold = append(gateways, g), append(cold, row)
	}
	var warm [][]string
	for _, era := range o.eras {
		kit.Progress("client of %s lists", era)
		rows, err := compareLists(ctx, servers, gateways, era, o)
		if err != nil {
			return err
		}
		warm = append(warm, rows...)
	}
	kit.Progress("")
	n := o.servers * toolsEach
	fmt.Printf("\n%d tools with schemas of %d bytes, of %d servers with %d each, half of them older; directly, of one server. Medians of %d lists:\n", n, len(toolSchema), o.servers, toolsEach, o.listings)
	kit.Table{"client", "way", "tools", "pages", "median", "p99", "to direct, medians"}.Print(os.Stdout, warm)
	fmt.Printf("\nFrom the start of the gateway's process, by lists one after the other:\n")
	kit.Table{"way", "first list", "tools in it", "until all were listed", "lists"}.Print(os.Stdout, cold)
	return nil
}

// coldPatience is how long a gateway may take to know all tools.
const coldPatience = time.Minute

// startCold starts a gateway and lists until all tools are there.
func startCold(ctx context.Context, s *kit.Site, servers *kit.Subject, o options) (*kit.Subject, []string, error) {
	clients := kit.NewClients(kit.ModernEra, true)
	defer clients.Close()
	began := time.Now()
	g, err := startGateway(ctx, s, "list", servers, o.servers, "")
	if err != nil {
		return nil, nil, err
	}
	l := &lister{name: g.Name, url: g.URL, clients: clients}
	var first time.Duration
	firstTools := 0
	for n := 1; ; n++ {
		tools, err := l.list(ctx)
		if err == nil && time.Since(began) > coldPatience {
			err = fmt.Errorf("%s lists %d tools after %s", g.Name, tools, coldPatience)
		}
		if err != nil {
			g.Stop()
			return nil, nil, err
		}
		if n == 1 {
			first, firstTools = time.Since(began), tools
		}
		if tools == o.servers*toolsEach {
			return g, []string{g.Name, kit.Duration(first).String(), fmt.Sprint(firstTools), kit.Duration(time.Since(began)).String(), fmt.Sprint(n)}, nil
		}
	}
}

// compareLists lists by all ways, in random order.
func compareLists(ctx context.Context, servers *kit.Subject, gateways []*kit.Subject, era string, o options) ([][]string, error) {
	clients := kit.NewClients(era, true)
	defer clients.Close()
	all := []*lister{{name: servers.Name, url: servers.URL + "/all/" + era, clients: clients}}
	for _, g := range gateways {
		all = append(all, &lister{name: g.Name, url: g.URL, clients: clients})
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
		row := []string{era, l.name, fmt.Sprint(o.servers * toolsEach), fmt.Sprint(l.pages), l.times.Median().String(), l.times.Percentile(99).String(), ""}
		if i > 0 {
			row[6] = fmt.Sprintf("%.2f×", float64(l.times.Median())/float64(all[0].times.Median()))
		}
		rows = append(rows, row)
	}
	return rows, nil
}
