package agentmcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

// ServeHTTP implements http.Handler, for a pattern with the wildcard {agent}.
func (a *Agents) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.entrance.ServeHTTP(w, r) }

// serveNode serves what another node forwards: that one has found out who it is.
func (a *Agents) serveNode(w http.ResponseWriter, r *http.Request) {
	handler, known := a.handlers[r.PathValue("agent")]
	if !known {
		chat.Refuse(w, http.StatusNotFound, "there is no such agent")
		return
	}
	handler.ServeHTTP(w, r)
}

// serveClient serves who can say who they are.
func (a *Agents) serveClient(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("agent")
	who, ok := a.door.Admit(w, r, name)
	if !ok {
		return
	}
	handler, known := a.handlers[name]
	if !known {
		chat.Refuse(w, http.StatusNotFound, fmt.Sprintf("there is no agent %.50q: check the name", name))
		return
	}
	r = r.WithContext(context.WithValue(r.Context(), arrivalKey{}, &arrival{who, r}))
	mcphttp.ServeAs(w, r, tokenOf(who, name), handler)
}

// arrival is a request as it came, with who sent it.
type arrival struct {
	who     parley.Principal
	request *http.Request
}

type arrivalKey struct{}

// recheck reports whether who sent a request would be let in now.
func (a *Agents) recheck(r *http.Request) error {
	came, known := r.Context().Value(arrivalKey{}).(*arrival)
	if !known {
		return nil
	}
	return a.door.Still(came.request, came.who)
}

// tokenOf tells the SDK who sends a request, and to which agent: it binds sessions to
// people by it.
func tokenOf(who parley.Principal, agent string) *auth.TokenInfo {
	return &auth.TokenInfo{
		// With the tenant: two people of the same name do not share sessions.
		UserID: url.PathEscape(who.Tenant) + "/" + url.PathEscape(who.Owner()),
		Extra:  map[string]any{principalKey: who, agentKey: agent},
	}
}

// principalKey and agentKey are where the SDK's TokenInfo has the person and the agent.
const (
	principalKey = "principal"
	agentKey     = "agent"
)

// endpointOf names the agent by whose endpoint a request came. Clients take each for a
// server of its own, and no server of the gateway is called so.
func endpointOf(extra *mcp.RequestExtra) string {
	if extra.TokenInfo == nil {
		return ""
	}
	name, _ := extra.TokenInfo.Extra[agentKey].(string)
	return "agents/" + name
}

// principalOf says on whose behalf a call is made.
func principalOf(extra *mcp.RequestExtra) (parley.Principal, bool) {
	if extra.TokenInfo == nil {
		return parley.Principal{}, false
	}
	said := extra.TokenInfo.Extra[principalKey]
	who, ok := said.(parley.Principal)
	if !ok && said != nil { // as another node wrote it
		raw, err := json.Marshal(said)
		ok = err == nil && json.Unmarshal(raw, &who) == nil
	}
	return who, ok && who.Acts()
}

// actor is on whose behalf a call runs an agent. A program's sessions and calls
// are the program's.
func actor(call *mcptool.Call) parley.Principal {
	who := call.Principal()
	if who.IsPerson() || who.Key == "" {
		return who
	}
	return parley.Principal{Tenant: who.Tenant, Method: "api_key", Kind: parley.KindProgram, Key: who.Key}
}
