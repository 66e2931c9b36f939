package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley/api"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/vault"
)

// openGateway makes the gateway, if one is configured.
func (s *Server) openGateway(context.Context) (err error) {
	c := s.cfg.Gateway
	if c == nil {
		return nil
	}
	s.behind = s.catalogue(c)
	opts := gateway.Options{
		Catalogue: s.behind, Vault: s.Vault, Permits: s.Permits, Records: s.store, Keys: s.keys, Secrets: s.cfg.Secrets, Client: s.stream.For(outbound.Stranger),
		Fallback: mcptool.Fallback(c.Fallback), Approvals: mcptool.Fallback(c.Approvals), Expose: gateway.Expose(c.Expose),
		NoSignIn: !s.cfg.SignIn(), Refused: s.appRefusals(),
		Verify: s.identity.tokenAt(s.cfg.PublicURL), Anonymous: s.cfg.Dev, Scopes: c.Scopes, Issuers: s.issuers(), PublicURL: s.cfg.PublicURL,
		Node: s.node, TTL: s.opts.TTL, Origins: s.cfg.Origins, Programs: s.programs, Logger: s.opts.Logger,
		CallTime: s.cfg.Limits.Call(), MaxSessions: s.cfg.Limits.Sessions, MaxLeft: s.cfg.Limits.SessionsLeft, Calls: s.calls, Record: s.Audit.Record, Tracer: s.tracer(),
	}
	if c.Ask != nil {
		opts.Ask = &gateway.Ask{Questions: s.asked, People: c.Ask.People, Groups: c.Ask.Groups}
	}
	if s.Gateway, err = gateway.New(s.Hub, &opts); err != nil {
		return err
	}
	s.closers = append(s.closers, s.Gateway.Close)
	return nil
}

// modelChannels are the surfaces on which a model could approve: apps inside MCP
// clients are one, unless the operator trusts the clients to keep their tools from it.
func modelChannels(cfg *config.Config) []string {
	if cfg.Gateway != nil && cfg.Gateway.Approvals == string(mcptool.App) {
		return nil
	}
	return []string{mcptool.ViaApp}
}

// issuers are where clients get tokens for MCP.
func (s *Server) issuers() []string {
	if c := s.cfg.Gateway; c != nil && len(c.Issuers) > 0 {
		return c.Issuers
	}
	if s.cfg.Auth.JWT != nil {
		return []string{s.cfg.Auth.JWT.Issuer}
	}
	return nil
}

// neededScopes are what a token needs for MCP.
func (s *Server) neededScopes() []string {
	if s.cfg.Gateway == nil {
		return nil
	}
	return s.cfg.Gateway.Scopes
}

func (s *Server) mountGateway(mux *http.ServeMux) {
	mux.HandleFunc(gateway.Path+"/", s.noEndpoint)
	if s.Gateway == nil {
		mux.HandleFunc(gateway.Path, s.noEndpoint)
		return
	}
	mux.Handle(gateway.Path, s.Gateway)
	mux.Handle(gateway.MetadataPath, s.Gateway.Metadata())
	mux.Handle(gateway.ServerPath, s.Gateway)
	mux.Handle(gateway.ServerMetadataPath, s.Gateway.Metadata())
	mux.Handle("/.well-known/oauth-protected-resource", s.Gateway.Metadata())
}

// noEndpoint is for programs whose address is almost one of ours: a page would tell
// them nothing.
func (s *Server) noEndpoint(w http.ResponseWriter, r *http.Request) {
	var at []string
	if s.Gateway != nil {
		at = append(at, gateway.Path, gateway.Path+"/servers/NAME")
	}
	if s.offered != nil {
		at = append(at, gateway.Path+"/agents/NAME")
	}
	http.Error(w, fmt.Sprintf("nothing is at %q. MCP is served at: %s", r.URL.Path, cmp.Or(strings.Join(at, ", "), "no path")), http.StatusNotFound)
}

// catalogue is the gateway's: the servers of the configuration that it names, or
// all, and those of the management API.
type catalogue struct {
	cfg     *config.Config
	named   map[string]bool // of the configuration; nil: all
	servers *api.Servers
	ways    *outbound.Clients // by who wrote the server's URL

	mu    sync.Mutex
	known map[string]listed // by tenant
}

// listed is a list for a moment: it is looked at for each call.
type listed struct {
	servers []gateway.Server
	changes int64 // how many there were when it was made
	until   time.Time
}

// catalogueFresh is how long a list of servers is believed. What is changed
// through another node is seen after that.
const catalogueFresh = time.Second

func (s *Server) catalogue(c *config.Gateway) *catalogue {
	a := &catalogue{cfg: s.cfg, servers: s.servers, ways: s.stream, known: map[string]listed{}}
	for _, name := range c.Servers {
		if a.named == nil {
			a.named = map[string]bool{}
		}
		a.named[name] = true
	}
	return a
}

// Servers implements gateway.Catalogue.
func (a *catalogue) Servers(ctx context.Context, tenant string) ([]gateway.Server, error) {
	a.mu.Lock()
	known := a.known[tenant]
	a.mu.Unlock()
	changes := a.servers.Changes()
	if known.changes == changes && time.Now().Before(known.until) {
		return known.servers, nil
	}
	all, err := a.servers.List(ctx, tenant)
	if err != nil {
		return nil, err
	}
	list := make([]gateway.Server, 0, len(all))
	for _, one := range all {
		if one.Enabled && a.has(one) {
			list = append(list, a.convert(one))
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.known) > 1000 {
		clear(a.known)
	}
	a.known[tenant] = listed{list, changes, time.Now().Add(catalogueFresh)}
	return list, nil
}

// has reports whether the gateway offers a server, once that is enabled.
func (a *catalogue) has(one api.Server) bool {
	if one.Protocol == vault.A2A {
		return false // an agent elsewhere
	}
	return !one.Configured || a.named == nil || a.named[one.Name]
}

func (a *catalogue) convert(one api.Server) gateway.Server {
	needs := one.Auth.Type != "" && one.Auth.Type != vault.None
	g := gateway.Server{
		Name: one.Name, Title: one.Title, URL: one.URL, Client: a.ways.For(one.Namer()), Guarded: needs, Personal: needs && one.Auth.Scope == vault.User, Approve: one.Approve,
		Own: !one.Configured,
	}
	if one.Configured {
		g.Command, g.Env = a.cfg.Servers[one.Name].Command, a.cfg.Servers[one.Name].Env
	}
	return g
}
