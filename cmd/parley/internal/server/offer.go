package server

import (
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agentmcp"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

// offer makes tools of the agents.
func (s *Server) offer() (*agentmcp.Agents, error) {
	fallback := mcptool.Page
	if s.cfg.Gateway != nil && s.cfg.Gateway.Fallback != "" {
		fallback = mcptool.Fallback(s.cfg.Gateway.Fallback)
	}
	return agentmcp.New(s.Agents, s.Hub, &agentmcp.Options{
		Principal: s.agentCaller, Scopes: s.neededScopes(), PublicURL: s.cfg.PublicURL,
		Asker: mcptool.Options{
			SignIn: gateway.SignIn, Fallback: fallback, Records: s.store, Secrets: s.cfg.Secrets, Calls: s.calls,
			PageURL: func(id parley.ID) string { return s.cfg.PublicURL + "/answer/" + string(id) },
			Node:    s.node,
		},
		Handler: mcphttp.Options{
			TrustedOrigins: s.cfg.Origins, MaxSessions: s.cfg.Limits.Sessions, MaxLeft: s.cfg.Limits.SessionsLeft,
		}, Logger: s.opts.Logger,
	})
}

// agentCaller is who sends a request to an agent. A token may be for the agent,
// or for the gateway, instead of the configured audience.
func (s *Server) agentCaller(r *http.Request) (parley.Principal, error) {
	who, claims, err := s.identity.of(r, s.cfg.PublicURL+gateway.Path, s.cfg.PublicURL+r.URL.Path)
	if err != nil || claims == nil {
		return who, err // whoever is signed in has no scopes
	}
	has := scopes(claims)
	for _, scope := range s.neededScopes() {
		if !slices.Contains(has, scope) {
			return who, agentmcp.ErrScope
		}
	}
	return who, nil
}

// agentMetadata describes an agent to clients, as the gateway's does the gateway.
func (s *Server) agentMetadata(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("agent")
	if s.Agents.Agents()[name] == nil {
		http.NotFound(w, r)
		return
	}
	auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
		Resource: s.cfg.PublicURL + strings.Replace(agentmcp.Path, "{agent}", name, 1), AuthorizationServers: s.issuers(),
		ScopesSupported: s.neededScopes(), BearerMethodsSupported: []string{"header"}, ResourceName: name,
	}).ServeHTTP(w, r)
}
