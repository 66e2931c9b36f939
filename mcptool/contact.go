package mcptool

//lint:file-ignore SA1019 clients and servers still have roots, sampling and logging, which 2026-07-28 deprecates

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcpclient"
)

// Contact is a client that can be told something, and up to 2025-11-25 be asked
// for something, besides what it called for. What is sent with the context of one
// of its requests goes with the answer to that; what is sent with another one
// needs a stream that the client keeps open.
type Contact struct {
	connection *mcp.ServerSession
	send       mcp.MethodHandler
}

// Contact is the client that made the call; nil for tasks, which go on without it.
func (c *Call) Contact() *Contact {
	if c.run.client.connection == nil {
		return nil
	}
	return c.run.asker.contact(c.run.client.connection)
}

// LogLevel is from which level on the client wants to hear log messages of this
// call, which clients of 2026-07-28 say with each; empty: of none.
func (c *Call) LogLevel() string { return c.run.client.logLevel }

// Capabilities are what the client declared; nil: nothing.
func (c *Call) Capabilities() *mcp.ClientCapabilities { return c.run.client.capabilities }

// ContactOf is the client that a request came from.
func (a *Asker) ContactOf(connection *mcp.ServerSession) *Contact { return a.contact(connection) }

func (a *Asker) contact(connection *mcp.ServerSession) *Contact {
	a.mu.Lock()
	defer a.mu.Unlock()
	return &Contact{connection, a.send}
}

// Notify tells the client something.
func (c *Contact) Notify(ctx context.Context, method string, params json.RawMessage) error {
	_, err := c.send(ctx, method, &mcp.ServerRequest[*rawParams]{Session: c.connection, Params: &rawParams{raw: params}})
	return err
}

// errCannotAsk is for clients that are asked by results.
var errCannotAsk = errors.New("clients of 2026-07-28 are asked by the answer to their request")

// Roots returns what the client says to roots/list.
func (c *Contact) Roots(ctx context.Context) (json.RawMessage, error) {
	if c.modern() {
		return nil, errCannotAsk
	}
	result, err := c.connection.ListRoots(ctx, nil)
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

// CreateMessage returns what the client says to sampling/createMessage with these
// parameters.
func (c *Contact) CreateMessage(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	if c.modern() {
		return nil, errCannotAsk
	}
	result, err := c.connection.CreateMessageWithTools(context.WithValue(ctx, rawKey{}, params), nil)
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

func (c *Contact) modern() bool {
	began := c.connection.InitializeParams()
	return began == nil || began.ProtocolVersion >= mcpclient.ModernVersion
}

// rawParams are parameters that came from elsewhere: they are passed on as they
// are.
type rawParams struct {
	mcp.ParamsBase
	raw json.RawMessage
}

func (p *rawParams) MarshalJSON() ([]byte, error) {
	if len(p.raw) == 0 {
		return []byte("{}"), nil
	}
	return p.raw, nil
}

// rawKey is where a context has the parameters of a request in the place of those
// that the SDK can read.
type rawKey struct{}

// sending notes how the SDK sends, and puts parameters that came from elsewhere
// into requests.
func (a *Asker) sending(next mcp.MethodHandler) mcp.MethodHandler {
	a.send = next // attach holds the lock
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		raw, ours := ctx.Value(rawKey{}).(json.RawMessage)
		session, known := req.GetSession().(*mcp.ServerSession)
		if ours && known && method == "sampling/createMessage" {
			req = &mcp.ServerRequest[*rawParams]{Session: session, Params: &rawParams{raw: raw}}
		}
		return next(ctx, method, req)
	}
}
