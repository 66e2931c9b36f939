package gateway

//lint:file-ignore SA1019 clients and servers still have roots, sampling and logging, which 2026-07-28 deprecates

import (
	"cmp"
	"encoding/json"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
)

// person is on whose behalf a request comes, in which session, and what their
// client wants besides.
type person struct {
	parley.Principal
	session string
	level   string    // from which on log messages are passed on; empty: see log
	able    abilities // of their client
}

func (p person) lend(method string) bool { return p.able.lend(method) }

// requester is who makes a request that the SDK has read.
func requester(req mcp.Request) person {
	who, _ := principalOf(cmp.Or(req.GetExtra(), &mcp.RequestExtra{}))
	p := inSession(who, req.GetSession().ID())
	if session, ok := req.GetSession().(*mcp.ServerSession); ok && session.InitializeParams() != nil {
		p.able = abilitiesOf(p.session, session.InitializeParams().Capabilities)
	}
	return p
}

// callerOf is who sends r.
func callerOf(r *http.Request, peer mcptool.Peer) person {
	who := inSession(callerOfToken(auth.TokenInfoFromContext(r.Context())), peer.Session)
	who.able = abilitiesOf(peer.Session, peer.Capabilities)
	return who
}

func inSession(who parley.Principal, session string) person {
	if who.User == "" && session != "" {
		who = mcptool.OfSession(who, session)
	}
	return person{Principal: who, session: session}
}

// callerOfMessage is who sends a message of r, with what they say in it.
func (g *Gateway) callerOfMessage(r *http.Request, peer mcptool.Peer, params json.RawMessage) person {
	who := callerOf(r, peer)
	if who.session != "" {
		who.level = g.clients.level(who.session)
		return who
	}
	if meta, ok := mcpclient.Member(params, "_meta"); ok {
		level, _ := mcpclient.Member(meta, mcp.MetaKeyLogLevel)
		_ = json.Unmarshal(level, &who.level)
	}
	return who.checked()
}

// callerOfCall is who makes a call that mcptool runs.
func (g *Gateway) callerOfCall(call *mcptool.Call) person {
	who := person{Principal: call.Principal(), session: call.Session(), level: call.LogLevel(), able: abilitiesOf(call.Session(), call.Capabilities())}
	if who.session != "" {
		who.level = g.clients.level(who.session)
	}
	return who.checked()
}

// checked leaves out what is not of the protocol.
func (p person) checked() person {
	if severity(p.level) < 0 {
		p.level = ""
	}
	return p
}
