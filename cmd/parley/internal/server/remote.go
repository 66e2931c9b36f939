package server

import (
	"cmp"

	"github.com/parley-hq/parley/a2a/remote"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/mcpcall/toolbox"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

// remote is an agent of the configuration that is elsewhere.
func (s *Server) remote(name string, c config.Agent) (*remote.Remote, error) {
	way := s.stream.For(outbound.Operator).Transport
	var access remote.Access
	if auth := vault.AuthType(c.Auth.Type); auth != "" && auth != vault.None {
		access = &toolbox.Account{Name: name, Title: c.Title, Vault: s.Vault, Base: way, Unready: chat.NoOAuthURL, Unprovided: chat.NoConnectedService}
	}
	there, err := remote.New(&remote.Options{
		Name: name, Title: c.Title, Description: cmp.Or(c.Description, "It is an agent of others."), URL: c.A2A, TTL: config.Lasts(c.TTL),
		Access: access, Base: way, Cards: s.client.For(outbound.Operator).Transport,
		Hub: s.Hub, Records: seal.Records(s.store, s.keys, nil), PublicURL: s.cfg.PublicURL, CallTime: s.cfg.Limits.Call(), Logger: s.opts.Logger,
	})
	if err == nil {
		s.remotes = append(s.remotes, there)
	}
	return there, err
}
