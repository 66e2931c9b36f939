package api

import (
	"context"
	"errors"
	"maps"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// providerWire is a provider as it is shown.
type providerWire struct {
	Name        string            `json:"name"`
	Title       string            `json:"title,omitempty"`
	AuthURL     string            `json:"auth_url"`
	TokenURL    string            `json:"token_url"`
	RevokeURL   string            `json:"revoke_url,omitempty"`
	Issuer      string            `json:"issuer,omitempty"`
	RequireIss  bool              `json:"require_iss"`
	ClientID    string            `json:"client_id"`
	HasSecret   bool              `json:"has_secret" doc:"Whether a client secret is stored. It is never shown."`
	SecretIn    string            `json:"secret_in,omitempty" enum:"header,body"`
	Scopes      []string          `json:"scopes" nullable:"false"`
	AuthParams  map[string]string `json:"auth_params,omitempty"`
	Resource    string            `json:"resource,omitempty"`
	RedirectURI string            `json:"redirect_uri" doc:"What has to be registered with the provider, to the letter."`
	Source      string            `json:"source" enum:"configuration,api"`
}

// providerInput is a provider as clients write it.
type providerInput struct {
	Name         string            `json:"name,omitempty" pattern:"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$" doc:"Needed for a new one; otherwise that of the path."`
	Title        string            `json:"title,omitempty" maxLength:"200" pattern:"^[^\\x00-\\x1f\\x7f]*$"`
	AuthURL      string            `json:"auth_url" maxLength:"2048"`
	TokenURL     string            `json:"token_url" maxLength:"2048"`
	RevokeURL    string            `json:"revoke_url,omitempty" maxLength:"2048" doc:"RFC 7009; empty: it offers no revocation."`
	Issuer       string            `json:"issuer,omitempty" maxLength:"2048" doc:"What it calls itself; answers that name another one are refused (RFC 9207)."`
	RequireIss   bool              `json:"require_iss,omitempty" doc:"Refuses answers that name no issuer."`
	ClientID     string            `json:"client_id" maxLength:"2048"`
	ClientSecret *parley.Secret    `json:"client_secret,omitempty" writeOnly:"true" maxLength:"16384" doc:"Left out: as it was; empty: a public client."`
	SecretIn     string            `json:"secret_in,omitempty" enum:"header,body" doc:"Where the secret goes; default: found out by trying."`
	Scopes       []string          `json:"scopes,omitempty" nullable:"false" maxItems:"100"`
	AuthParams   map[string]string `json:"auth_params,omitempty" doc:"Added to the authorization request."`
	Resource     string            `json:"resource,omitempty" maxLength:"2048" doc:"The resource indicator of every request (RFC 8707)."`
}

func (a *API) providerRoutes(to *huma.OpenAPI) {
	const tag, list, one = "providers", "/api/providers", "/api/providers/{name}"
	add(a, to, operation{
		id: "list-providers", tag: tag, summary: "All OAuth providers of the tenant", method: http.MethodGet, path: list, who: administrators,
	}, a.listProviders)
	add(a, to, operation{
		id: "create-provider", tag: tag, summary: "Add an OAuth provider", method: http.MethodPost, path: list, who: administrators,
		status: http.StatusCreated, errors: []int{http.StatusConflict},
	}, a.createProvider)
	add(a, to, operation{
		id: "get-provider", tag: tag, summary: "One OAuth provider", method: http.MethodGet, path: one, who: administrators, errors: []int{http.StatusNotFound},
	}, a.getProvider)
	add(a, to, operation{
		id: "replace-provider", tag: tag, summary: "Replace an OAuth provider", method: http.MethodPut, path: one, who: administrators,
		about:  "What is left out gets its default, but the secret stays. Where it would go to another host, it has to be given again.",
		errors: []int{http.StatusNotFound, http.StatusConflict},
	}, a.replaceProvider)
	add(a, to, operation{
		id: "remove-provider", tag: tag, summary: "Remove an OAuth provider", method: http.MethodDelete, path: one, who: administrators,
		errors: []int{http.StatusNotFound, http.StatusConflict},
	}, a.removeProvider)
}

func (a *API) listProviders(ctx context.Context, c Caller, _ *nothing) (*listAnswer[providerWire], error) {
	all, err := a.vault.Providers(ctx, c.tenant())
	if err != nil {
		return nil, err
	}
	var shown []providerWire
	for _, p := range all {
		shown = append(shown, a.showProvider(p))
	}
	return listed(shown), nil
}

func (a *API) getProvider(ctx context.Context, c Caller, in *named) (*answer[providerWire], error) {
	p, err := a.vault.Provider(ctx, c.tenant(), in.Name)
	if err != nil {
		return nil, err
	}
	return &answer[providerWire]{a.showProvider(p)}, nil
}

func (a *API) createProvider(ctx context.Context, c Caller, in *struct{ Body providerInput }) (*created[providerWire], error) {
	if in.Body.Name == "" {
		return nil, invalid("body.name", "a new provider needs a name")
	}
	var shown *answer[providerWire]
	err := a.change(ctx, c, "api_provider", in.Body.Name, func() error {
		old, err := a.vault.Provider(ctx, c.tenant(), in.Body.Name)
		if err = free(err, old.Tenant); err != nil {
			return err
		}
		shown, err = a.putProvider(ctx, c, in.Body, vault.Provider{})
		return err
	})
	if err != nil {
		return nil, err
	}
	return &created[providerWire]{Location: "/api/providers/" + in.Body.Name, Body: shown.Body}, nil
}

func (a *API) replaceProvider(ctx context.Context, c Caller, in *struct {
	Name string `path:"name" maxLength:"64"`
	Body providerInput
}) (shown *answer[providerWire], err error) {
	err = a.change(ctx, c, "api_provider", in.Name, func() error {
		old, err := a.vault.Provider(ctx, c.tenant(), in.Name)
		if err = owned(err, old.Tenant); err != nil {
			return err
		}
		if in.Body.Name != "" && in.Body.Name != in.Name {
			return invalid("body.name", "a provider keeps its name: remove it and add another")
		}
		in.Body.Name = in.Name
		shown, err = a.putProvider(ctx, c, in.Body, old)
		return err
	})
	return shown, err
}

func (a *API) putProvider(ctx context.Context, c Caller, in providerInput, old vault.Provider) (*answer[providerWire], error) {
	var wrong []*huma.ErrorDetail
	for _, one := range []struct{ member, url string }{{"auth_url", in.AuthURL}, {"token_url", in.TokenURL}, {"revoke_url", in.RevokeURL}} {
		if one.url == "" && one.member == "revoke_url" {
			continue
		}
		if err := a.opts.Outbound.Check(one.url); err != nil {
			wrong = append(wrong, &huma.ErrorDetail{Location: pathOf(one.member), Message: err.Error()})
		}
	}
	if len(wrong) > 0 {
		return nil, problem(http.StatusUnprocessableEntity, invalidSentence, wrong...)
	}
	p := vault.Provider{
		Name: in.Name, Title: in.Title, AuthURL: in.AuthURL, TokenURL: in.TokenURL, RevokeURL: in.RevokeURL, Issuer: in.Issuer, RequireIss: in.RequireIss,
		ClientID: in.ClientID, SecretIn: in.SecretIn, Scopes: in.Scopes, AuthParams: in.AuthParams, Resource: in.Resource,
	}
	same := sameOrigin(p.TokenURL, old.TokenURL) && (p.RevokeURL == "" || sameOrigin(p.RevokeURL, old.RevokeURL) || sameOrigin(p.RevokeURL, old.TokenURL))
	var err error
	if p.ClientSecret, err = kept("body.client_secret", in.ClientSecret, old.ClientSecret, true, same); err != nil {
		return nil, err
	}
	if err := a.vault.PutProvider(ctx, c.tenant(), p); err != nil {
		return nil, err
	}
	return a.getProvider(ctx, c, &named{in.Name})
}

func (a *API) removeProvider(ctx context.Context, c Caller, in *named) (*nothing, error) {
	return nil, a.change(ctx, c, "api_provider", in.Name, func() error { return a.vault.RemoveProvider(ctx, c.tenant(), in.Name) })
}

func (a *API) showProvider(p vault.Provider) providerWire {
	return providerWire{
		Name: p.Name, Title: p.Title, AuthURL: p.AuthURL, TokenURL: p.TokenURL, RevokeURL: p.RevokeURL, Issuer: p.Issuer, RequireIss: p.RequireIss,
		ClientID: p.ClientID, HasSecret: p.ClientSecret != "", SecretIn: p.SecretIn, Scopes: texts(p.Scopes),
		AuthParams: maps.Clone(p.AuthParams), Resource: p.Resource, RedirectURI: a.vault.RedirectURI(p), Source: sourceOf(p.Tenant),
	}
}

func sourceOf(tenant string) string {
	if tenant == "" {
		return "configuration"
	}
	return "api"
}

// owned says why what was looked up is not the tenant's own.
func owned(err error, tenant string) error {
	if err == nil && tenant == "" {
		return vault.ErrConfigured
	}
	return err
}

// free says why a name cannot be given to something new.
func free(err error, tenant string) error {
	switch err = owned(err, tenant); {
	case err == nil:
		return parley.ErrExists
	case errors.Is(err, vault.ErrUnknown):
		return nil
	}
	return err
}
