package vault

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/parley-hq/parley/outbound"
)

// client returns x/oauth2's view of a provider. It is kept, because it
// remembers how the provider wants to be told the secret.
func (v *Vault) client(p Provider, scopes []string) *oauth2.Config {
	style := map[string]oauth2.AuthStyle{"header": oauth2.AuthStyleInHeader, "body": oauth2.AuthStyleInParams}[p.SecretIn]
	if p.ClientSecret == "" {
		style = oauth2.AuthStyleInParams // a public client has nothing to put into a header
	}
	what := fmt.Sprintf("%q", []string{p.Slug(), p.AuthURL, p.TokenURL, p.ClientID, p.ClientSecret.Reveal(), v.RedirectURI(p), strings.Join(scopes, " ")})
	v.mu.Lock()
	defer v.mu.Unlock()
	c, ok := v.clients[what]
	if !ok {
		c = &oauth2.Config{
			ClientID: p.ClientID, ClientSecret: p.ClientSecret.Reveal(), RedirectURL: v.RedirectURI(p), Scopes: scopes,
			Endpoint: oauth2.Endpoint{AuthURL: p.AuthURL, TokenURL: p.TokenURL, AuthStyle: style},
		}
		if len(v.clients) >= maxClients {
			clear(v.clients)
		}
		v.clients[what] = c
	}
	return c
}

// maxClients is how many are kept: tenants and servers name as many as they like.
const maxClients = 1000

// tokenTimeout is how long a token request may take. The lease on a refresh
// lasts longer, so that whoever holds it is done or dead when it ends.
const tokenTimeout = 20 * time.Second

// exchange turns a code into a token.
func (v *Vault) exchange(ctx context.Context, p Provider, f flow, code string) (*oauth2.Token, error) {
	ctx, stop := context.WithTimeout(v.web(ctx, p), tokenTimeout)
	defer stop()
	options := []oauth2.AuthCodeOption{oauth2.VerifierOption(f.Verifier)}
	if p.Resource != "" {
		options = append(options, oauth2.SetAuthURLParam("resource", p.Resource))
	}
	token, err := v.client(p, f.Scopes).Exchange(ctx, code, options...)
	return checked(p, token, err)
}

// renew asks for a new token. It returns a *ProviderError when that failed.
func (v *Vault) renew(ctx context.Context, p Provider, scopes []string, refresh string) (*oauth2.Token, error) {
	ctx, stop := context.WithTimeout(v.web(ctx, p), tokenTimeout)
	defer stop()
	c := v.client(p, scopes)
	if p.Resource == "" {
		token, err := c.TokenSource(ctx, &oauth2.Token{RefreshToken: refresh}).Token()
		return checked(p, token, err)
	}
	// The library's refresh has no room for the resource indicator; its exchange
	// lets every parameter be set.
	bare := *c
	bare.RedirectURL = ""
	token, err := bare.Exchange(ctx, "", oauth2.SetAuthURLParam("grant_type", "refresh_token"),
		oauth2.SetAuthURLParam("refresh_token", refresh), oauth2.SetAuthURLParam("resource", p.Resource))
	return checked(p, token, err)
}

// checked is the token that a provider gave, or a *ProviderError. One that no request could
// carry is none: the account would be connected, and each call fail as if its server were
// away.
func checked(p Provider, token *oauth2.Token, err error) (*oauth2.Token, error) {
	if err != nil {
		return nil, providerError(p, err)
	}
	if err := validKey(token.AccessToken); err != nil {
		return nil, &ProviderError{Provider: p.Label(), cause: fmt.Errorf("the access token cannot be sent: %w", err)}
	}
	return token, nil
}

// providerError makes of what x/oauth2 reports something that can be shown and
// logged: its own errors hold what the provider sent.
func providerError(p Provider, err error) error {
	if err == nil {
		return nil
	}
	e := &ProviderError{Provider: p.Label()}
	var answer *oauth2.RetrieveError
	if !errors.As(err, &answer) {
		// It was not reached, or sent what is no token. The text may hold a part
		// of the answer; only what the transport says is safe.
		e.Temporary, e.cause = !errors.Is(err, outbound.ErrForbidden), transportError(err)
		if e.cause == nil {
			e.Temporary, e.cause = false, errors.New("the token response cannot be read")
		}
		return e
	}
	status := 0
	if answer.Response != nil {
		status = answer.Response.StatusCode
	}
	e.Code = oauthCode(answer.ErrorCode)
	e.Temporary = temporary(answer.ErrorCode) || status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
	e.cause = fmt.Errorf("token endpoint: status %d, error %q", status, e.Code)
	return e
}

// temporary are the codes of RFC 6749 that another try may mend.
func temporary(code string) bool {
	return code == "temporarily_unavailable" || code == "server_error"
}

var codeForm = regexp.MustCompile(`^[a-z0-9_.-]{1,60}$`)

// oauthCode keeps codes that look like one: they are shown and logged.
func oauthCode(code string) string {
	if code == "" || codeForm.MatchString(code) {
		return code
	}
	return "unknown_error"
}

// take puts a token into a stored connection. A provider that sends no new
// refresh token means that the old one stays.
func (s *stored) take(t *oauth2.Token) {
	s.Secret, s.Expires = t.AccessToken, t.Expiry.UTC().Truncate(time.Millisecond)
	if t.Expiry.IsZero() {
		s.Expires = time.Time{}
	}
	if t.RefreshToken != "" {
		s.Refresh = t.RefreshToken
	}
}

// grantedScopes is what the provider says it granted, or what was asked for.
func grantedScopes(t *oauth2.Token, asked []string) []string {
	if granted, ok := t.Extra("scope").(string); ok && granted != "" {
		return strings.Fields(granted)
	}
	return slices.Clone(asked)
}
