package vault

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/loopback"
)

const clientName = "Parley"

// The ways to authenticate at a token endpoint that we know, the best first:
// what is registered with a secret is worth nothing to whoever sees its id.
var authMethods = []string{"client_secret_basic", "client_secret_post", "none"}

// identify makes us a client of p: the one that the administrator registered,
// or one by the document at our own URL, or one that we register.
func (v *Vault) identify(ctx context.Context, server Server, md oauthex.AuthServerMeta, p Provider) (Provider, error) {
	auth, methods := server.Auth, md.TokenEndpointAuthMethodsSupported
	switch {
	case auth.ClientID != "": // of this issuer, or the server's description was refused
		p.ClientID, p.ClientSecret, p.SecretIn = auth.ClientID, auth.ClientSecret, secretIn(methods)
		return p, nil
	case md.ClientIDMetadataDocumentSupported && v.public() &&
		(len(methods) == 0 || slices.Contains(methods, "none") || md.RegistrationEndpoint == ""):
		p.ClientID = v.clientURL(p)
		return p, nil
	case md.RegistrationEndpoint != "":
		return v.registered(ctx, server, md, p)
	}
	return p, v.unidentified(ctx, server, &Problem{
		URL: shown(md.Issuer), Field: "registration_endpoint",
		Reason: "is missing, and " + v.undocumented(md) + ": register this application there with the redirect URI " +
			v.RedirectURI(p) + " and configure auth.issuer, auth.client_id and auth.client_secret",
	})
}

func (v *Vault) undocumented(md oauthex.AuthServerMeta) string {
	if md.ClientIDMetadataDocumentSupported {
		return "client_id_metadata_document_supported needs a public_url with https that is not this machine"
	}
	return "client_id_metadata_document_supported is not true"
}

func (v *Vault) unidentified(ctx context.Context, server Server, p *Problem) error {
	return v.undiscovered(ctx, server, &DiscoveryError{Server: server.Name, Problems: []*Problem{p}})
}

// secretIn is where a secret goes that we were given. A server that takes it
// both ways may insist on the one that the client was registered with.
func secretIn(methods []string) string {
	header, body := slices.Contains(methods, "client_secret_basic"), slices.Contains(methods, "client_secret_post")
	switch {
	case header && !body:
		return "header"
	case body && !header:
		return "body"
	}
	return ""
}

// registration is a client that an authorization server made for us.
type registration struct {
	Issuer   string    `json:"issuer"`
	Redirect string    `json:"redirect"`
	ClientID string    `json:"client_id"`
	Secret   string    `json:"secret,omitempty"`
	Method   string    `json:"method"`
	Expires  time.Time `json:"expires,omitzero"`
}

func (r registration) provider(p Provider) Provider {
	p.ClientID, p.ClientSecret = r.ClientID, parley.Secret(r.Secret)
	p.SecretIn = map[string]string{"client_secret_basic": "header", "client_secret_post": "body"}[r.Method]
	return p
}

const clientKind = "client"

// clientAddress binds a registration to the issuer that made it and to the
// redirect URI that it was made with, which names the server and its owner.
func (v *Vault) clientAddress(p Provider) parley.Address {
	digest := sha256.Sum256(fmt.Appendf(nil, "%q", []string{p.Issuer, v.RedirectURI(p)}))
	return parley.Address{Tenant: tenantOf(p.Tenant), Kind: clientKind, Key: p.server + "/" + hex.EncodeToString(digest[:])}
}

// registered returns the provider with the client that is registered there, and
// registers one if there is none, or none any more.
func (v *Vault) registered(ctx context.Context, server Server, md oauthex.AuthServerMeta, p Provider) (Provider, error) {
	at := v.clientAddress(p)
	r, _, err := v.loadClient(ctx, at)
	if !errors.Is(err, parley.ErrNotFound) {
		return r.provider(p), err
	}
	result := v.discoveries.registrations.DoChan(at.Tenant+"\x00"+at.Key, func() (any, error) {
		detached, stop := context.WithTimeout(context.WithoutCancel(ctx), discoveryTimeout)
		defer stop()
		return v.registerOnce(detached, server, md, p)
	})
	select {
	case <-ctx.Done():
		return p, ctx.Err()
	case done := <-result:
		return done.Val.(registration).provider(p), done.Err
	}
}

// registerOnce registers and keeps the result, unless somebody else was faster:
// then everybody uses theirs, and ours is never used.
func (v *Vault) registerOnce(ctx context.Context, server Server, md oauthex.AuthServerMeta, p Provider) (registration, error) {
	at := v.clientAddress(p)
	r, _, err := v.loadClient(ctx, at)
	if !errors.Is(err, parley.ErrNotFound) {
		return r, err
	}
	fresh, problem := v.register(ctx, md, p.named(), v.RedirectURI(p))
	if problem != nil {
		return registration{}, v.unidentified(ctx, server, problem)
	}
	data, err := json.Marshal(fresh)
	if err != nil {
		return registration{}, err
	}
	err = persistent.Do(ctx, func() error {
		_, err := v.records.Save(ctx, parley.Record{Address: at, Data: data, Expires: fresh.Expires})
		if err != nil && !errors.Is(err, parley.ErrExists) {
			return err
		}
		r, _, err = v.loadClient(ctx, at) // whoever made it, ours after a lost reply too
		return err
	})
	if err == nil && r.ClientID == fresh.ClientID {
		v.opts.Logger.InfoContext(ctx, "registered as a client", "server", server.Name, "issuer", md.Issuer)
	}
	return r, err
}

func (v *Vault) loadClient(ctx context.Context, at parley.Address) (registration, int64, error) {
	record, err := v.records.Load(ctx, at)
	if err != nil {
		return registration{}, 0, err
	}
	var r registration
	err = json.Unmarshal(record.Data, &r)
	return r, record.Version, err
}

// register asks the authorization server for a client (RFC 7591).
func (v *Vault) register(ctx context.Context, md oauthex.AuthServerMeta, of named, redirect string) (registration, *Problem) {
	method, ok := authMethod(md.TokenEndpointAuthMethodsSupported)
	if !ok {
		return registration{}, &Problem{
			URL: shown(md.Issuer), Field: "token_endpoint_auth_methods_supported", Reason: fmt.Sprintf("has none of %q", authMethods),
		}
	}
	out := v.reach(of)
	web := &recorder{base: out.Transport}
	client := web.client(out)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := oauthex.RegisterClient(ctx, md.RegistrationEndpoint, v.application(redirect, method), client)
	if err != nil {
		return registration{}, refusedRegistration(web, md.RegistrationEndpoint, err)
	}
	r := registration{
		Issuer: md.Issuer, Redirect: redirect,
		ClientID: answer.ClientID, Method: agreedMethod(method, answer), Expires: answer.ClientSecretExpiresAt.UTC(),
	}
	if r.Method != "none" {
		r.Secret = answer.ClientSecret
	}
	if field, why := v.unusableRegistration(r, answer.RedirectURIs); why != "" {
		return registration{}, &Problem{URL: shown(md.RegistrationEndpoint), Field: field, Reason: shortened(why)}
	}
	return r, nil
}

// agreedMethod is what the server made of the method that we asked for. One
// that does not say kept to it, or, with a secret that we did not ask for, to
// the default.
func agreedMethod(asked string, answer *oauthex.ClientRegistrationResponse) string {
	switch {
	case answer.TokenEndpointAuthMethod != "":
		return answer.TokenEndpointAuthMethod
	case asked == "none" && answer.ClientSecret != "":
		return "client_secret_basic"
	}
	return asked
}

func (v *Vault) unusableRegistration(r registration, redirects []string) (field, why string) {
	switch {
	case !slices.Contains(authMethods, r.Method):
		return "token_endpoint_auth_method", fmt.Sprintf("is %q, which is not supported", r.Method)
	case r.Method != "none" && r.Secret == "":
		return "client_secret", "is missing"
	case len(redirects) > 0 && !slices.Contains(redirects, r.Redirect):
		return "redirect_uris", fmt.Sprintf("lacks %q", r.Redirect)
	case !r.Expires.IsZero() && !v.now().Before(r.Expires):
		return "client_secret_expires_at", "is past"
	}
	return "", ""
}

// application is how we introduce ourselves. It names no scopes: a server may
// ask for more of them later.
func (v *Vault) application(redirect, method string) *oauthex.ClientRegistrationMetadata {
	a := &oauthex.ClientRegistrationMetadata{
		ClientName: clientName, RedirectURIs: []string{redirect}, TokenEndpointAuthMethod: method,
		GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"},
		ApplicationType: "web",
	}
	if u, err := url.Parse(redirect); err == nil && loopback.Host(u.Hostname()) {
		a.ApplicationType = "native" // others may not be sent back to this machine
	}
	if v.public() {
		a.ClientURI = v.opts.PublicURL
	}
	return a
}

// authMethod chooses from what a server supports; one that does not say
// supports the header (RFC 8414).
func authMethod(supported []string) (string, bool) {
	if len(supported) == 0 {
		return authMethods[0], true
	}
	i := slices.IndexFunc(authMethods, func(m string) bool { return slices.Contains(supported, m) })
	if i < 0 {
		return "", false
	}
	return authMethods[i], true
}

// refusedRegistration never quotes the SDK's error: it can hold all that the
// server sent, a secret with it.
func refusedRegistration(web *recorder, endpoint string, err error) *Problem {
	var refused *oauthex.ClientRegistrationError
	if errors.As(err, &refused) {
		code := oauthCode(refused.ErrorCode)
		return &Problem{
			URL: shown(endpoint), code: code,
			Reason: shortened(fmt.Sprintf("refuses to register us: %s, %q", code, refused.ErrorDescription)),
		}
	}
	problem := web.problem(endpoint, errors.New("the registration cannot be understood"))
	if status := web.last.status; status == http.StatusUnauthorized || status == http.StatusForbidden {
		problem.Reason += ": it registers nobody unknown: register this application there and configure auth.issuer and auth.client_id"
	} else if status == http.StatusOK || status == http.StatusCreated {
		problem.Reason, problem.absent = "the registration cannot be understood", false
	}
	return problem
}

// forgetClient drops a registration that its server does not know any more, so
// that the next attempt registers anew. Other clients are none of ours to drop.
func (v *Vault) forgetClient(ctx context.Context, p Provider, because error) {
	var failed *ProviderError
	if p.server == "" || !errors.As(because, &failed) || failed.Code != "invalid_client" {
		return
	}
	at := v.clientAddress(p)
	r, version, err := v.loadClient(ctx, at)
	if errors.Is(err, parley.ErrNotFound) || err == nil && r.ClientID != p.ClientID {
		return
	}
	if err == nil {
		err = v.records.Delete(ctx, at, version)
	}
	if err != nil && !errors.Is(err, parley.ErrNotFound) && !errors.Is(err, parley.ErrConflict) {
		v.opts.Logger.WarnContext(ctx, "refused registration not dropped", "server", p.server, "issuer", p.Issuer, "err", err)
		return
	}
	v.opts.Logger.InfoContext(ctx, "refused registration dropped", "server", p.server, "issuer", p.Issuer)
}
