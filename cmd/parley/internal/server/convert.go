package server

import (
	"context"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/vault"
	"github.com/parley-hq/parley/vault/keychain"
	"github.com/parley-hq/parley/vault/nango"
)

// sources are the other places that keep credentials.
func (s *Server) sources() (map[string]vault.Source, error) {
	all := map[string]vault.Source{}
	if s.cfg.Dev {
		all["keychain"] = keychain.New()
	}
	if c := s.cfg.Nango; c != nil {
		source, err := nango.New(&nango.Options{
			APIKey: c.APIKey, BaseURL: c.BaseURL, WebhookKey: c.WebhookKey, Client: s.client.For(outbound.Operator), Records: s.store, Keys: s.keys, Logger: s.opts.Logger,
			Connected: func(ctx context.Context, at vault.Place, question parley.ID) error {
				return s.Vault.Connected(ctx, at.Key, question)
			},
		})
		if err != nil {
			return nil, err
		}
		s.nango = source
		all["nango"] = source
	}
	return all, nil
}
