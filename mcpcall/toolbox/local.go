package toolbox

import (
	"cmp"
	"context"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// onBehalf is the server's end of a connection in this process. It says of each
// request whose it is, as a verified token does over HTTP: a call that waits for
// its person is gone on with on whatever connection is free by then, and a
// server takes it for somebody else's if it knows people by connections alone.
type onBehalf struct {
	mcp.Transport
	who agent.Caller
}

func (t onBehalf) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return personal{c, t.who}, nil
}

type personal struct {
	mcp.Connection
	who agent.Caller
}

func (c personal) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && c.who.IsPerson() {
		r.Extra = &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{UserID: c.who.User, Extra: map[string]any{"tenant": cmp.Or(c.who.Tenant, parley.DefaultTenant)}}}
	}
	return m, err
}
