package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// relayBatch is how many calls go one way before it is another's turn.
const relayBatch = 20

// way is how calls reach a server: directly, or through a gateway.
type way struct {
	*subject
	direct bool
	url    string
	tool   string // as it is called here
	caller *caller

	times samples
	cpu   time.Duration // of the subject
}

// relayed prints what calls that nobody is asked about cost through the gateway.
func relayed(ctx context.Context, sites []*site, o gatewayOptions) error {
	if o.batches < 1 {
		return nil
	}
	servers, err := startServers(ctx, 0, o.profiles)
	if err != nil {
		return err
	}
	defer servers.stop()
	proxy, err := startChild(ctx, "plain proxy", "gateway-proxy", "-servers", servers.url)
	if err != nil {
		return err
	}
	defer proxy.stop()
	all := []*subject{servers, proxy}
	for _, s := range sites {
		g, err := startGateway(ctx, s, "relay", servers, 0, o.profiles)
		if err != nil {
			return err
		}
		defer g.stop()
		all = append(all, g)
	}
	fmt.Printf("\nA call that nobody is asked about; %d batches of %d calls by each way, in random order, one call at a time:\n", o.batches, relayBatch)
	var rows [][]string
	for _, clientEra := range o.eras {
		for _, serverEra := range []string{legacyEra, modernEra} {
			for _, tool := range o.results {
				progress("client of %s, server of %s, %s", clientEra, serverEra, tool)
				more, err := compareWays(ctx, all, clientEra, serverEra, tool, o.batches)
				if err != nil {
					return fmt.Errorf("client of %s, server of %s: %w", clientEra, serverEra, err)
				}
				rows = append(rows, more...)
			}
		}
	}
	progress("")
	table{"client", "server", "result", "way", "median", "p99", "to direct, medians", "CPU per call in between"}.print(os.Stdout, rows)
	return nil
}

// compareWays makes the same calls by all ways. The first of all are the servers
// themselves, the second one looks like them, and the others are gateways.
func compareWays(ctx context.Context, all []*subject, clientEra, serverEra, tool string, batches int) ([][]string, error) {
	clients := newClients(clientEra, true)
	defer clients.close()
	var ways []*way
	for i, p := range all {
		if i == 1 && tool != "small" {
			continue // httputil.ReverseProxy breaks off the long streams of events, and it is not known why
		}
		w := &way{subject: p, direct: i == 0, url: p.url, tool: serverName(serverEra) + "__" + tool}
		if i < 2 {
			w.url, w.tool = p.url+"/"+serverEra, tool
		}
		var err error
		if w.caller, err = clients.connect(ctx, w.url, 1, atOnce); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		defer w.caller.session.Close()
		if err := w.batch(ctx, sizes[tool]); err != nil { // whatever is made once is made now
			return nil, err
		}
		w.times, w.cpu = nil, 0
		ways = append(ways, w)
	}
	for range batches {
		for _, i := range rand.Perm(len(ways)) {
			if err := ways[i].batch(ctx, sizes[tool]); err != nil {
				return nil, err
			}
		}
	}
	var rows [][]string
	for _, w := range ways {
		rows = append(rows, w.row(clientEra, serverEra, tool, ways[0].times.median()))
	}
	return rows, nil
}

// batch makes some calls, one after the other.
func (w *way) batch(ctx context.Context, size int) error {
	before, err := w.consumption(false)
	if err != nil {
		return err
	}
	for range relayBatch {
		began := time.Now()
		result, err := w.caller.session.CallTool(ctx, &mcp.CallToolParams{Name: w.tool, Arguments: search{"squeaking doors", 10}})
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		w.times.add(time.Since(began))
		if text, ok := result.Content[0].(*mcp.TextContent); !ok || result.IsError || len(text.Text) != size {
			return fmt.Errorf("%s: the call returned something else", w.name)
		}
	}
	after, err := w.consumption(false)
	w.cpu += after.CPU - before.CPU
	return err
}

func (w *way) row(clientEra, serverEra, tool string, direct duration) []string {
	row := []string{clientEra, serverEra, tool, w.name, w.times.median().String(), w.times.percentile(99).String()}
	if w.direct {
		return append(row, "", "")
	}
	return append(row, fmt.Sprintf("%.2f×", float64(w.times.median())/float64(direct)), duration(w.cpu/time.Duration(len(w.times))).String())
}
