package server

import (
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agentmcp"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

// offer makes tools of the agents.
func (s *Server) offer() (*agentmcp.Agents, error) {
	fallback := mcptool.App
	if s.cfg.Gateway != nil {
		fallback = mcptool.Fallback(s.cfg.Gateway.Clients())
	}
	return agentmcp.New(s.Agents, s.Hub, &agentmcp.Options{
		Principal: s.agentCaller, Scopes: s.neededScopes(), PublicURL: s.cfg.PublicURL,
		Asker: mcptool.Options{
			SignIn: gateway.SignIn, Fallback: fallback, Records: s.store, Secrets: s.cfg.Secrets, Calls: s.calls,
			PageURL: func(id parley.ID) string { return s.cfg.PublicURL + "/answer/" + string(id) },
			Node:    s.node, Tracer: s.tracer(), Refused: s.appRefusals(),
			NoSignIn: !s.cfg.SignIn(),
		},
		Handler: mcphttp.Options{
			TrustedOrigins: s.cfg.Origins, MaxSessions: s.cfg.Limits.Sessions, MaxLeft: s.cfg.Limits.SessionsLeft,
		}, Logger: s.opts.Logger,
	})
}

// agentCaller is who sends a request to an agent. A token may be for the agent,
// or for the gateway, instead of the configured audience.
func (s *Server) agentCaller(r *http.Request) (parley.Principal, error) {
	return s.scoped(r, s.cfg.PublicURL+gateway.Path, s.cfg.PublicURL+r.URL.Path)
}

// scoped is who sends a request to an agent whose tokens are for these resources, with
// the scopes that they need.
func (s *Server) scoped(r *http.Request, resources ...string) (parley.Principal, error) {
	who, claims, err := s.identity.of(r, resources...)
	if err != nil || claims == nil {
		return who, err // keys, logins and whoever is signed in have no scopes
	}
	has := scopes(claims)
	for _, scope := range s.neededScopes() {
		if !slices.Contains(has, scope) {
			return who, chat.ErrScope
		}
	}
	return who, nil
}

// agentMetadata describes an agent to clients, as the gateway's does the gateway.
func (s *Server) agentMetadata(w http.ResponseWriter, r *http.Request) {
	s.describeAgent(w, r, s.cfg.PublicURL+strings.Replace(agentmcp.Path, "{agent}", r.PathValue("agent"), 1))
}

// describeAgent says which tokens an agent takes that is served as a resource.
func (s *Server) describeAgent(w http.ResponseWriter, r *http.Request, resource string) {
	name := r.PathValue("agent")
	if s.Agents.Agents()[name] == nil {
		http.NotFound(w, r)
		return
	}
	auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
		Resource: resource, AuthorizationServers: s.issuers(),
		ScopesSupported: s.neededScopes(), BearerMethodsSupported: []string{"header"}, ResourceName: name,
	}).ServeHTTP(w, r)
}
