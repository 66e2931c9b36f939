package gateway

//lint:file-ignore SA1019 clients and servers still have roots, sampling and logging, which 2026-07-28 deprecates

import (
	"cmp"
	"encoding/json"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

// Names of package mcpcall, as they are called here.
type (
	person  = mcpcall.Person
	target  = mcpcall.Target
	request = mcpcall.Request
	failure = mcpcall.Failure
)

var failed = mcpcall.Failed

// gatewayAgent is as whom the gateway takes credentials that belong to agents.
const gatewayAgent = "gateway"

// requester is who makes a request that the SDK has read.
func requester(req mcp.Request) person {
	who, _ := principalOf(cmp.Or(req.GetExtra(), &mcp.RequestExtra{}))
	p := inSession(who, req.GetSession().ID())
	if extra := req.GetExtra(); extra != nil {
		p.Endpoint = endpointOf(extra)
	}
	if r, ok := req.(interface {
		ClientCapabilities() *mcp.ClientCapabilities
	}); ok {
		p.Able = abilitiesOf(p.Session, r.ClientCapabilities())
	}
	return p
}

// callerOf is who sends r.
func callerOf(r *http.Request, peer mcphttp.Peer) person {
	who := inSession(callerOfToken(auth.TokenInfoFromContext(r.Context())), peer.Session)
	who.Able, who.Endpoint = abilitiesOf(peer.Session, peer.Capabilities), onlyServer(r.Context())
	return who
}

func inSession(who parley.Principal, session string) person {
	if who.User == "" && session != "" {
		who = mcptool.OfSession(who, session)
	}
	return person{Principal: who, Session: session, Agent: gatewayAgent}
}

// callerOfMessage is who sends a message of r, with what they say in it.
func (g *Gateway) callerOfMessage(r *http.Request, peer mcphttp.Peer, params json.RawMessage) person {
	who := callerOf(r, peer)
	if who.Session != "" {
		who.Level = g.clients.level(who.Session)
		return who
	}
	if meta, ok := mcpclient.Member(params, "_meta"); ok {
		level, _ := mcpclient.Member(meta, mcp.MetaKeyLogLevel)
		_ = json.Unmarshal(level, &who.Level)
	}
	return checked(who)
}

// callerOfCall is who makes a call that mcptool runs.
func (g *Gateway) callerOfCall(call *mcptool.Call) person {
	who := person{Principal: call.Principal(), Session: call.Session(), Endpoint: call.Endpoint(), Agent: gatewayAgent, Client: cmp.Or(call.ClientName(), "an MCP client"), Level: call.LogLevel(), Able: abilitiesOf(call.Session(), call.Capabilities())}
	if who.Session != "" {
		who.Level = g.clients.level(who.Session)
	}
	return checked(who)
}

// checked leaves out what is not of the protocol.
func checked(p person) person {
	if severity(p.Level) < 0 {
		p.Level = ""
	}
	return p
}
