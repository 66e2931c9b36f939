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

// relayBatch is how many calls go one way before it is another's turn.
const relayBatch = 20

// way is how calls reach a server: directly, or through a gateway.
type way struct {
	*kit.Subject
	direct  bool
	url     string
	tool    string // as it is called here
	session *mcp.ClientSession

	times kit.Samples
	cpu   time.Duration // of the subject
}

// relayed prints what calls that nobody is asked about cost through the gateway.
func relayed(ctx context.Context, sites []*kit.Site, o options) error {
	if o.batches < 1 {
		return nil
	}
	servers, err := startServers(ctx, 0, o.profiles)
	if err != nil {
		return err
	}
	defer servers.Stop()
	proxy, err := kit.StartChild(ctx, "plain proxy", "gateway-proxy", "-servers", servers.URL)
	if err != nil {
		return err
	}
	defer proxy.Stop()
	all := []*kit.Subject{servers, proxy}
	for _, s := range sites {
		g, err := startGateway(ctx, s, "relay", servers, 0, o.profiles)
		if err != nil {
			return err
		}
		defer g.Stop()
		all = append(all, g)
	}
	fmt.Printf("\nA call that nobody is asked about; %d batches of %d calls by each way, in random order, one call at a time:\n", o.batches, relayBatch)
	var rows [][]string
	for _, clientEra := range o.eras {
		for _, serverEra := range []string{kit.LegacyEra, kit.ModernEra} {
			for _, tool := range o.results {
				kit.Progress("client of %s, server of %s, %s", clientEra, serverEra, tool)
				more, err := compareWays(ctx, all, clientEra, serverEra, tool, o.batches)
				if err != nil {
					return fmt.Errorf("client of %s, server of %s: %w", clientEra, serverEra, err)
				}
				rows = append(rows, more...)
			}
		}
	}
	kit.Progress("")
	kit.Table{"client", "server", "result", "way", "median", "p99", "to direct, medians", "CPU per call in between"}.Print(os.Stdout, rows)
	return nil
}

// compareWays makes the same calls by all ways. The first of all are the servers
// themselves, the second one looks like them, and the others are gateways.
func compareWays(ctx context.Context, all []*kit.Subject, clientEra, serverEra, tool string, batches int) ([][]string, error) {
	clients := kit.NewClients(clientEra, true)
	defer clients.Close()
	var ways []*way
	for i, p := range all {
		if i == 1 && tool != "small" {
			continue // httputil.ReverseProxy breaks off the long streams of events, and it is not known why
		}
		w := &way{Subject: p, direct: i == 0, url: p.URL, tool: serverName(serverEra) + "__" + tool}
		if i < 2 {
			w.url, w.tool = p.URL+"/"+serverEra, tool
		}
		var err error
		if w.session, err = clients.Connect(ctx, w.url, 1, kit.AtOnce); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		defer w.session.Close()
		if err := w.batch(ctx, kit.Sizes[tool]); err != nil { // whatever is made once is made now
			return nil, err
		}
		w.times, w.cpu = nil, 0
		ways = append(ways, w)
	}
	for range batches {
		for _, i := range rand.Perm(len(ways)) {
			if err := ways[i].batch(ctx, kit.Sizes[tool]); err != nil {
				return nil, err
			}
		}
	}
	var rows [][]string
	for _, w := range ways {
		rows = append(rows, w.row(clientEra, serverEra, tool, ways[0].times.Median()))
	}
	return rows, nil
}

// batch makes some calls, one after the other.
func (w *way) batch(ctx context.Context, size int) error {
	before, err := w.Consumption(false)
	if err != nil {
		return err
	}
	for range relayBatch {
		began := time.Now()
		result, err := w.session.CallTool(ctx, &mcp.CallToolParams{Name: w.tool, Arguments: kit.Search{Query: "squeaking doors", Limit: 10}})
		if err != nil {
			return fmt.Errorf("%s: %w", w.Name, err)
		}
		w.times.Add(time.Since(began))
		if text, ok := result.Content[0].(*mcp.TextContent); !ok || result.IsError || len(text.Text) != size {
			return fmt.Errorf("%s: the call returned something else", w.Name)
		}
	}
	after, err := w.Consumption(false)
	w.cpu += after.CPU - before.CPU
	return err
}

func (w *way) row(clientEra, serverEra, tool string, direct kit.Duration) []string {
	row := []string{clientEra, serverEra, tool, w.Name, w.times.Median().String(), w.times.Percentile(99).String()}
	if w.direct {
		return append(row, "", "")
	}
	return append(row, fmt.Sprintf("%.2f×", float64(w.times.Median())/float64(direct)), kit.Duration(w.cpu/time.Duration(len(w.times))).String())
}
