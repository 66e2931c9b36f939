package gateway

//lint:file-ignore SA1019 clients and servers still have roots, sampling and logging, which 2026-07-28 deprecates

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
)

// abilitiesOf are what servers are told of a client: that it shows user interfaces, and
// what one up to 2025-11-25 lends, which is asked on the stream of its call. One of
// 2026-07-28 lends nothing.
func abilitiesOf(session string, c *mcp.ClientCapabilities) mcpcall.Abilities {
	if c == nil {
		return ""
	}
	var able strings.Builder
	if showsApps(c) {
		able.WriteString(showingApps)
	}
	if session != "" && c.RootsV2 != nil {
		able.WriteString(`,"roots":{"listChanged":true}`)
	}
	if session != "" && c.Sampling != nil {
		declared, _ := json.Marshal(c.Sampling) // it is a struct of flags
		able.WriteString(`,"sampling":` + string(declared))
	}
	return mcpcall.Abilities(able.String())
}

// asked answers a request of the server's that belongs to no call.
func (l *conn) asked(m mcpclient.Message) (json.RawMessage, *mcpclient.Error) {
	g := l.gateway
	key := l.Key()
	from := g.sessions.Contact(key.Session)
	if from == nil || !key.Able.Lend(m.Method) {
		return nil, &mcpclient.Error{Code: jsonrpc.CodeMethodNotFound, Message: "this client does not offer " + m.Method}
	}
	ctx, cancel := context.WithTimeout(g.life.Context(), g.opts.TTL)
	defer cancel()
	result, err := mcpcall.Borrow(ctx, from, m.Method, m.Params)
	if err != nil {
		return nil, mcpcall.WireError(err)
	}
	return result, nil
}

// rootsChanged tells the servers of a session that its client's roots have
// changed.
func (g *Gateway) rootsChanged(ctx context.Context, req *mcp.RootsListChangedRequest) {
	for _, l := range g.connsOf(req.Session.ID()) {
		if l.Wire().Modern() || !l.Key().Able.Lend(mcpcall.RootsMethod) {
			continue
		}
		g.work.Go(func() {
			ctx, cancel := context.WithTimeout(g.life.Context(), passTime)
			defer cancel()
			if err := l.Wire().Notify(ctx, "notifications/roots/list_changed", nil); err != nil {
				g.opts.Logger.DebugContext(ctx, "server not told", "server", l.Server.Name, "err", err)
			}
		})
	}
}
