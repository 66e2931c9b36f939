package gateway

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/bench/kit"
)

// relayBatch is how many calls go one way before it is another's turn.
const relayBatch = 20

// Calls is what calls cost by one way.
type Calls struct {
	Client, Server string // eras
	Result         string // "small", "large" or kit.FormTool
	Way            string
	Times          kit.Samples
	CPU            time.Duration // of the process in between, for each
	Ratio          float64       // to the direct calls, medians; 0: these are
}

// way is how calls reach a server: directly, or through a gateway.
type way struct {
	*kit.Subject
	url     string
	tool    string // as it is called here
	session *mcp.ClientSession

	times kit.Samples
	cpu   time.Duration // of the subject
}

// relay finds what calls cost through the gateway.
func (r *Result) relay(ctx context.Context, sites []*kit.Site) error {
	if r.batches < 1 {
		return nil
	}
	servers, err := startServers(ctx, 0, r.profiles)
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
		g, err := startGateway(ctx, s, "relay", servers, 0, r.profiles)
		if err != nil {
			return err
		}
		defer g.Stop()
		all = append(all, g)
	}
	others, absent, err := startOthers(ctx, r.options, servers.URL)
	defer others.stop()
	if err != nil {
		return err
	}
	r.Absent = absent
	for _, client := range r.eras {
		for _, server := range []string{kit.LegacyEra, kit.ModernEra} {
			for _, tool := range r.results {
				kit.Progress("client of %s, server of %s, %s", client, server, tool)
				ways := waysOf(all, client, server, tool)
				if tool != kit.FormTool { // which they do not pass on
					ways = append(ways, others.ways(client, server, tool)...)
				}
				more, err := compareWays(ctx, ways, Calls{Client: client, Server: server, Result: tool}, r.batches)
				if err != nil {
					return fmt.Errorf("client of %s, server of %s: %w", client, server, err)
				}
				r.Calls = append(r.Calls, more...)
			}
		}
	}
	kit.Progress("")
	return nil
}

func (r Result) printCalls(out io.Writer) {
	if len(r.Calls) == 0 {
		return
	}
	quiet, forms := [][]string(nil), [][]string(nil)
	for _, c := range r.Calls {
		row := []string{c.Client, c.Server, c.Result, c.Way, c.Times.Median().String(), c.Times.Percentile(99).String(), "", ""}
		if c.Ratio > 0 {
			row[6], row[7] = fmt.Sprintf("%.2f×", c.Ratio), kit.Duration(c.CPU).String()
		}
		if c.Result == kit.FormTool {
			forms = append(forms, row)
		} else {
			quiet = append(quiet, row)
		}
	}
	for _, of := range []struct {
		what string
		rows [][]string
	}{{"A call that nobody is asked about", quiet}, {"A call whose server asks with a form", forms}} {
		if len(of.rows) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n%s; %d batches of %d calls by each way, in random order, one call at a time:\n", of.what, r.batches, relayBatch)
		kit.Table{"client", "server", "result", "way", "median", "p99", "to direct, medians", "CPU per call in between"}.Print(out, of.rows)
	}
}

// waysOf are the ways to the server of an era. The first subject is the servers
// themselves, the second one looks like them, and the others are gateways. Where the
// eras differ a server can only ask a client directly by the older one.
func waysOf(all []*kit.Subject, client, era, tool string) (ways []*way) {
	direct := era
	if tool == kit.FormTool {
		direct = min(client, era)
	}
	for i, p := range all {
		if i < 2 {
			ways = append(ways, &way{Subject: p, url: p.URL + "/" + direct, tool: tool})
		} else {
			ways = append(ways, &way{Subject: p, url: p.URL, tool: serverName(era) + "__" + tool})
		}
	}
	return ways
}

// compareWays makes the same calls by all ways, of which the first is the direct one.
func compareWays(ctx context.Context, ways []*way, of Calls, batches int) (found []Calls, err error) {
	clients := kit.NewClients(of.Client, true)
	defer clients.Close()
	size := kit.Sizes[of.Result]
	for _, w := range ways {
		if w.session, err = clients.Connect(ctx, w.url, 1, kit.AtOnce); err != nil {
			return nil, fmt.Errorf("%s: %w", w.Name, err)
		}
		defer w.session.Close()
		if err := w.offered(ctx); err != nil {
			return nil, err
		}
		if err := w.batch(ctx, size); err != nil { // whatever is made once is made now
			return nil, err
		}
		w.times, w.cpu = nil, 0
	}
	for range batches {
		for _, i := range rand.Perm(len(ways)) {
			if err := ways[i].batch(ctx, size); err != nil {
				return nil, err
			}
		}
	}
	for i, w := range ways {
		of.Way, of.Times, of.CPU = w.Name, w.times, w.cpu/time.Duration(len(w.times))
		if i > 0 {
			of.Ratio = float64(w.times.Median()) / float64(ways[0].times.Median())
		}
		found = append(found, of)
	}
	return found, nil
}

// offered waits until the tool is there: a gateway may listen before it knows its servers.
func (w *way) offered(ctx context.Context) error {
	for deadline := time.Now().Add(coldPatience); ; {
		list, err := w.session.ListTools(ctx, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", w.Name, err)
		}
		if slices.ContainsFunc(list.Tools, func(t *mcp.Tool) bool { return t.Name == w.tool }) {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s does not offer %s", w.Name, w.tool)
		}
		time.Sleep(100 * time.Millisecond)
	}
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
