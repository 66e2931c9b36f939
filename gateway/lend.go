package gateway

//lint:file-ignore SA1019 clients and servers still have roots, sampling and logging, which 2026-07-28 deprecates

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
)

// What servers may ask a client for besides a person's answers.
const (
	rootsMethod    = "roots/list"
	samplingMethod = "sampling/createMessage"
)

// abilities are what a client lends to servers besides its person's answers: as
// members of what a server is told that its client can do. A server may offer
// other tools to who has them, so that lines and shelves go by them.
type abilities string

// abilitiesOf are those of a client up to 2025-11-25, which is asked on the
// stream of its call. One of 2026-07-28 lends none.
func abilitiesOf(session string, c *mcp.ClientCapabilities) abilities {
	if session == "" || c == nil {
		return ""
	}
	var able strings.Builder
	if c.RootsV2 != nil {
		able.WriteString(`,"roots":{"listChanged":true}`)
	}
	if c.Sampling != nil {
		declared, _ := json.Marshal(c.Sampling) // it is a struct of flags
		able.WriteString(`,"sampling":` + string(declared))
	}
	return abilities(able.String())
}

// capabilities are what a server is told.
func (a abilities) capabilities() json.RawMessage {
	return json.RawMessage(`{"elicitation":{"form":{},"url":{}}` + string(a) + `}`)
}

// lends are the methods by which a server asks for it.
func (a abilities) lends() (methods []string) {
	if strings.Contains(string(a), `"roots":`) {
		methods = append(methods, rootsMethod)
	}
	if strings.Contains(string(a), `"sampling":`) {
		methods = append(methods, samplingMethod)
	}
	return methods
}

func (a abilities) lend(method string) bool { return slices.Contains(a.lends(), method) }

// borrowed is what a client says to a server's request for what it lends.
func borrowed(ctx context.Context, from *mcptool.Contact, method string, params json.RawMessage) (json.RawMessage, error) {
	if method == rootsMethod {
		return from.Roots(ctx)
	}
	return from.CreateMessage(ctx, params)
}

// wireError is a client's refusal, for the server.
func wireError(err error) *mcpclient.Error {
	var refused *jsonrpc.Error
	if errors.As(err, &refused) {
		return &mcpclient.Error{Code: refused.Code, Message: refused.Message, Data: refused.Data}
	}
	return &mcpclient.Error{Code: jsonrpc.CodeInternalError, Message: "the client could not be asked"}
}

// lend passes a request of the server's that is for the client, not for its
// person, on while the server goes on talking.
func (f *flight) lend(ctx context.Context, m mcpclient.Message) error {
	switch {
	case f.contact == nil || !f.who.lend(m.Method):
		return f.reply(ctx, m.ID, nil, &mcpclient.Error{Code: jsonrpc.CodeMethodNotFound, Message: "this client does not offer " + m.Method})
	case f.lent.Add(1) > maxRounds:
		return f.reply(ctx, m.ID, nil, &mcpclient.Error{Code: jsonrpc.CodeInvalidRequest, Message: "too many requests in one call"})
	}
	f.gateway.work.Go(func() {
		result, err := borrowed(ctx, f.contact, m.Method, m.Params)
		var refused *mcpclient.Error
		if err != nil {
			refused = wireError(err)
		}
		if err := f.reply(ctx, m.ID, result, refused); err != nil {
			f.gateway.opts.Logger.DebugContext(ctx, "request not answered", "server", f.target.server.Name, "method", m.Method, "err", err)
		}
	})
	return nil
}

// asked answers a request of the server's that belongs to no call.
func (l *line) asked(m mcpclient.Message) (json.RawMessage, *mcpclient.Error) {
	g := l.all.gateway
	key := l.whose()
	from := g.asker.Contact(key.session)
	if from == nil || !key.able.lend(m.Method) {
		return nil, &mcpclient.Error{Code: jsonrpc.CodeMethodNotFound, Message: "this client does not offer " + m.Method}
	}
	ctx, cancel := context.WithTimeout(g.ctx, g.opts.TTL)
	defer cancel()
	result, err := borrowed(ctx, from, m.Method, m.Params)
	if err != nil {
		return nil, wireError(err)
	}
	return result, nil
}

// rootsChanged tells the servers of a session that its client's roots have
// changed.
func (g *Gateway) rootsChanged(ctx context.Context, req *mcp.RootsListChangedRequest) {
	for _, l := range g.lines.ofSession(req.Session.ID()) {
		if l.conn.Modern() || !l.whose().able.lend(rootsMethod) {
			continue
		}
		g.work.Go(func() {
			ctx, cancel := context.WithTimeout(g.ctx, passTime)
			defer cancel()
			if err := l.conn.Notify(ctx, "notifications/roots/list_changed", nil); err != nil {
				g.opts.Logger.DebugContext(ctx, "server not told", "server", l.server.Name, "err", err)
			}
		})
	}
}

// borrow gets what a server of 2026-07-28 asks for by its answer.
func (c *crossing) borrow(ctx context.Context, q ask) (answer, error) {
	from := c.call.Contact()
	if from == nil {
		return answer{}, failed("%s asks for something that this client does not offer (%q); %s", c.target.server.Name, q.Method, mcpclient.GivenUp)
	}
	result, err := borrowed(ctx, from, q.Method, q.Params)
	switch {
	case ctx.Err() != nil:
		return answer{}, context.Cause(ctx)
	case err != nil: // the protocol has no way to tell the server
		return answer{}, failed("%s asks for %s, and the client refused: %s", c.target.server.Name, q.Method, wireError(err).Message)
	}
	return answer{Key: q.Key, Borrowed: result}, nil
}
