package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/parley-hq/parley"
)

// ErrNotRevoked is returned when a connection is gone here but its provider
// could not be told.
var ErrNotRevoked = errors.New("disconnected here, but the provider could not be told: revoke the access there as well")

// Disconnect forgets a connection, and has its provider revoke it if it can.
// Nobody is given the credential from the moment it is called. parley.ErrNotFound
// when there is none; ErrNotRevoked when only the provider is left.
func (v *Vault) Disconnect(ctx context.Context, key Key) error {
	key.Tenant = tenantOf(key.Tenant)
	server, err := v.Server(ctx, key.Tenant, key.Server)
	if err != nil && !errors.Is(err, ErrUnknown) {
		return err
	}
	s, err := v.load(ctx, key)
	if err != nil && !errors.Is(err, parley.ErrNotFound) {
		return err
	}
	if s.Source != "" || server.Auth.Source != "" {
		err := v.forget(ctx, server, key, s)
		if err == nil || errors.Is(err, ErrNotRevoked) {
			v.logDisconnected(ctx, key, err == nil)
		}
		return err
	}
	err = persistent.Do(ctx, func() error {
		var err error
		s, err = v.update(ctx, key, func(now *stored) bool {
			if now.version == 0 {
				return false
			}
			now.Status, now.Lease = Retired, nil
			return true
		})
		return err
	})
	if err != nil {
		return err
	}
	if s.Status == "" {
		return fmt.Errorf("%v: %w", key, parley.ErrNotFound)
	}
	revoked := v.revoke(ctx, server, key, s)
	if err := v.records.Delete(ctx, key.address(), 0); err != nil && !errors.Is(err, parley.ErrNotFound) {
		return err
	}
	if err := v.forgetUse(ctx, key); err != nil {
		v.opts.Logger.WarnContext(ctx, "last use of a connection not forgotten", "server", key.Server, "err", err)
	}
	v.logDisconnected(ctx, key, revoked == nil)
	return revoked
}

// revoke tells the provider, if there is one that wants to know (RFC 7009).
func (v *Vault) revoke(ctx context.Context, server Server, key Key, s stored) error {
	if s.Provider == "" || server.Name == "" {
		return nil
	}
	p, err := v.issuerOf(ctx, server, key, s)
	if err != nil {
		v.opts.Logger.WarnContext(ctx, "token not revoked", "server", key.Server, "err", err)
		return fmt.Errorf("%v: %w", key, ErrNotRevoked)
	}
	if p.RevokeURL == "" {
		return nil
	}
	if !s.leads(p, p.RevokeURL) {
		v.opts.Logger.WarnContext(ctx, "token not revoked: the revocation endpoint has another origin now", "server", key.Server, "provider", p.Slug())
		return fmt.Errorf("%v: %w", key, ErrNotRevoked)
	}
	// The refresh token takes the access tokens with it; not every provider
	// follows, so both are named.
	for _, t := range []struct{ hint, token string }{{"refresh_token", s.Refresh}, {"access_token", s.Secret}} {
		if t.token == "" {
			continue
		}
		if err := v.revokeToken(ctx, p, t.hint, t.token); err != nil {
			v.opts.Logger.WarnContext(ctx, "token not revoked", "server", key.Server, "provider", p.Slug(), "err", err)
			return fmt.Errorf("%v: %w", key, ErrNotRevoked)
		}
	}
	return nil
}

func (v *Vault) revokeToken(ctx context.Context, p Provider, hint, token string) error {
	ctx, stop := context.WithTimeout(ctx, tokenTimeout)
	defer stop()
	body := url.Values{"token": {token}, "token_type_hint": {hint}}
	inHeader := p.ClientSecret != "" && p.SecretIn != "body"
	if !inHeader {
		body.Set("client_id", p.ClientID)
		if p.ClientSecret != "" {
			body.Set("client_secret", p.ClientSecret.Reveal())
		}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.RevokeURL, strings.NewReader(body.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if inHeader {
		r.SetBasicAuth(url.QueryEscape(p.ClientID), url.QueryEscape(p.ClientSecret.Reveal()))
	}
	answer, err := v.reach(p.named()).Do(r)
	if err != nil {
		return transportError(err)
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection can be used again
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("revocation endpoint: status %d", answer.StatusCode)
	}
	return nil
}
