package mcpcall

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
)

// What servers may ask a client for besides a person's answers.
const (
	RootsMethod    = "roots/list"
	samplingMethod = "sampling/createMessage"
)

// Abilities are what a client lends to servers besides its person's answers: as
// members of what a server is told that its client can do. A server may offer
// other tools to who has them, so that connections and lists go by them.
type Abilities string

// Capabilities are what a server is told.
func (a Abilities) Capabilities() json.RawMessage {
	return json.RawMessage(`{"elicitation":{"form":{},"url":{}}` + string(a) + `}`)
}

// lends are the methods by which a server asks for it.
func (a Abilities) lends() (methods []string) {
	if strings.Contains(string(a), `"roots":`) {
		methods = append(methods, RootsMethod)
	}
	if strings.Contains(string(a), `"sampling":`) {
		methods = append(methods, samplingMethod)
	}
	return methods
}

// Lend reports whether one of them is a method.
func (a Abilities) Lend(method string) bool { return slices.Contains(a.lends(), method) }

// Borrow is what a client says to a server's request for what it lends.
func Borrow(ctx context.Context, from *mcptool.Contact, method string, params json.RawMessage) (json.RawMessage, error) {
	if method == RootsMethod {
		return from.Roots(ctx)
	}
	return from.CreateMessage(ctx, params)
}

// WireError is a client's refusal, for the server.
func WireError(err error) *mcpclient.Error {
	var refused *jsonrpc.Error
	if errors.As(err, &refused) {
		return &mcpclient.Error{Code: refused.Code, Message: refused.Message, Data: refused.Data}
	}
	return &mcpclient.Error{Code: jsonrpc.CodeInternalError, Message: "the client could not be asked"}
}

// lend passes a request of the server's that is for the client, not for its
// person, on while the server goes on talking.
func (f *Request) lend(ctx context.Context, m mcpclient.Message) error {
	switch {
	case f.Contact == nil || !f.Who.Able.Lend(m.Method):
		return f.reply(ctx, m.ID, nil, &mcpclient.Error{Code: jsonrpc.CodeMethodNotFound, Message: "this client does not offer " + m.Method})
	case f.lent.Add(1) > maxRounds:
		return f.reply(ctx, m.ID, nil, &mcpclient.Error{Code: jsonrpc.CodeInvalidRequest, Message: "too many requests in one call"})
	}
	f.calls.work.Go(func() {
		result, err := Borrow(ctx, f.Contact, m.Method, m.Params)
		var refused *mcpclient.Error
		if err != nil {
			refused = WireError(err)
		}
		if err := f.reply(ctx, m.ID, result, refused); err != nil {
			f.calls.opts.Logger.DebugContext(ctx, "request not answered", "server", f.Target.Server.Name, "method", m.Method, "err", err)
		}
	})
	return nil
}

// borrow gets what a server of 2026-07-28 asks for by its answer.
func (c *Call) borrow(ctx context.Context, q ask) (answer, error) {
	from := c.Client.Contact()
	if from == nil {
		return answer{}, Failed("%s asks for something that this client does not offer (%q); %s", c.Target.Server.Label(), q.Method, mcpclient.GivenUp)
	}
	result, err := Borrow(ctx, from, q.Method, q.Params)
	switch {
	case ctx.Err() != nil:
		return answer{}, context.Cause(ctx)
	case err != nil: // the protocol has no way to tell the server
		return answer{}, Failed("%s asks for %s, and the client refused: %s", c.Target.Server.Label(), q.Method, WireError(err).Message)
	}
	return answer{Key: q.Key, Borrowed: result}, nil
}
