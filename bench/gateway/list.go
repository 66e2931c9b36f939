package gateway

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
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

// Lists is what it takes to list the tools of many servers by one way.
type Lists struct {
	Client string // era
	Way    string
	Pages  int
	Times  kit.Samples
	Ratio  float64 // to the direct lists, medians; 0: these are
}

// Start is how soon a gateway lists all tools, from the start of its process.
type Start struct {
	Way        string
	First, All time.Duration // until the first list, and until the first one with all tools
	FirstTools int           // in the first list
	Lists      int           // until all were there
}

// list finds what it takes to list the tools of many servers.
func (r *Result) list(ctx context.Context, sites []*kit.Site) error {
	if r.servers < 1 || r.listings < 1 {
		return nil
	}
	servers, err := startServers(ctx, r.servers, "")
	if err != nil {
		return err
	}
	defer servers.Stop()
	var gateways []*kit.Subject
	for _, s := range sites {
		kit.Progress("%s: a gateway starts", s.Name)
		g, start, err := startCold(ctx, s, servers, r.options)
		if err != nil {
			return err
		}
		defer g.Stop()
		gateways, r.Starts = append(gateways, g), append(r.Starts, start)
	}
	for _, era := range r.eras {
		kit.Progress("client of %s lists", era)
		found, err := compareLists(ctx, servers, gateways, era, r.options)
		if err != nil {
			return err
		}
		r.Lists = append(r.Lists, found...)
	}
	kit.Progress("")
	return nil
}

func (r Result) printLists(out io.Writer) {
	if len(r.Lists) == 0 {
		return
	}
	n := r.servers * toolsEach
	var warm, cold [][]string
	for _, l := range r.Lists {
		row := []string{l.Client, l.Way, fmt.Sprint(n), fmt.Sprint(l.Pages), l.Times.Median().String(), l.Times.Percentile(99).String(), ""}
		if l.Ratio > 0 {
			row[6] = fmt.Sprintf("%.2f×", l.Ratio)
		}
		warm = append(warm, row)
	}
	for _, s := range r.Starts {
		cold = append(cold, []string{s.Way, kit.Duration(s.First).String(), fmt.Sprint(s.FirstTools), kit.Duration(s.All).String(), fmt.Sprint(s.Lists)})
	}
	fmt.Fprintf(out, "\n%d tools with schemas of %d bytes, of %d servers with %d each, half of them older; directly, of one server. Medians of %d lists:\n", n, len(toolSchema), r.servers, toolsEach, r.listings)
	kit.Table{"client", "way", "tools", "pages", "median", "p99", "to direct, medians"}.Print(out, warm)
	fmt.Fprintf(out, "\nFrom the start of the gateway's process, by lists one after the other:\n")
	kit.Table{"way", "first list", "tools in it", "until all were listed", "lists"}.Print(out, cold)
}

// coldPatience is how long a gateway may take to know all tools.
const coldPatience = time.Minute

// startCold starts a gateway and lists until all tools are there.
func startCold(ctx context.Context, s *kit.Site, servers *kit.Subject, o options) (g *kit.Subject, start Start, err error) {
	clients := kit.NewClients(kit.ModernEra, true)
	defer clients.Close()
	began := time.Now()
	g, err = startGateway(ctx, s, "list", servers, o.servers, "")
	if err != nil {
		return nil, start, err
	}
	l := &lister{name: g.Name, url: g.URL, clients: clients}
	start.Way = g.Name
	for n := 1; ; n++ {
		tools, err := l.list(ctx)
		if err == nil && time.Since(began) > coldPatience {
			err = fmt.Errorf("%s lists %d tools after %s", g.Name, tools, coldPatience)
		}
		if err != nil {
			g.Stop()
			return nil, start, err
		}
		if n == 1 {
			start.First, start.FirstTools = time.Since(began), tools
		}
		if tools == o.servers*toolsEach {
			start.All, start.Lists = time.Since(began), n
			return g, start, nil
		}
	}
}

// compareLists lists by all ways, in random order.
func compareLists(ctx context.Context, servers *kit.Subject, gateways []*kit.Subject, era string, o options) (found []Lists, err error) {
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
	for i, l := range all {
		one := Lists{Client: era, Way: l.name, Pages: l.pages, Times: l.times}
		if i > 0 {
			one.Ratio = float64(l.times.Median()) / float64(all[0].times.Median())
		}
		found = append(found, one)
	}
	return found, nil
}
