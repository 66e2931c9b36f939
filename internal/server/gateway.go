package server

import (
	"context"
	"net/http"
	"slices"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/internal/config"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

// openGateway makes the gateway, if one is configured.
func (s *Server) openGateway(context.Context) (err error) {
	c := s.cfg.Gateway
	if c == nil {
		return nil
	}
	opts := gateway.Options{
		Catalogue: s.catalogue(c), Vault: s.Vault, Permits: s.Permits, Records: s.store, Keys: s.keys, Secrets: s.cfg.Secrets, Client: s.stream,
		Fallback: mcptool.Fallback(c.Fallback), Approvals: mcptool.Fallback(c.Approvals), Expose: gateway.Expose(c.Expose),
		Verify: s.identity.token, Anonymous: s.cfg.Dev, Scopes: c.Scopes, Issuers: c.Issuers, PublicURL: s.cfg.PublicURL,
		URL: s.cfg.Advertise + "/mcp", TTL: s.opts.TTL, Origins: s.cfg.Origins, Logger: s.opts.Logger,
	}
	if len(opts.Issuers) == 0 && s.cfg.Auth.JWT != nil {
		opts.Issuers = []string{s.cfg.Auth.JWT.Issuer}
	}
	if s.Gateway, err = gateway.New(s.Hub, opts); err != nil {
		return err
	}
	s.closers = append(s.closers, s.Gateway.Close)
	return nil
}

func (s *Server) mountGateway(mux *http.ServeMux) {
	if s.Gateway == nil {
		return
	}
	mux.Handle("/mcp", s.Gateway)
	mux.Handle(gateway.MetadataPath, s.Gateway.Metadata())
	mux.Handle("/.well-known/oauth-protected-resource", s.Gateway.Metadata())
}

// servers is the gateway's catalogue: the servers of the configuration that it
// names, or all.
type servers struct{ fixed []gateway.Server }

func (s *Server) catalogue(c *config.Gateway) *servers {
	all := &servers{}
	names := c.Servers
	if len(names) == 0 {
		names = config.Keys(s.cfg.Servers)
	}
	for _, name := range names {
		if slices.ContainsFunc(all.fixed, func(g gateway.Server) bool { return g.Name == name }) {
			continue
		}
		conf := s.cfg.Servers[name]
		v := mcpServer(name, conf)
		all.fixed = append(all.fixed, gateway.Server{
			Name: name, Title: conf.Title, URL: conf.URL, Command: conf.Command, Env: conf.Env,
			Guarded: guarded(v), Personal: guarded(v) && v.Auth.Scope == vault.User, Approve: permit.Rule(conf.Approve),
		})
	}
	return all
}

func guarded(v vault.Server) bool { return v.Auth.Type != "" && v.Auth.Type != vault.None }

// Servers implements gateway.Catalogue.
func (a *servers) Servers(context.Context, string) ([]gateway.Server, error) { return a.fixed, nil }
