package pages

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"golang.org/x/oauth2"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/loopback"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/pages/jwks"
)

// OIDCOptions is the sign-in at an OpenID Connect provider. The redirect URI to
// register there is the public URL with /login/callback.
type OIDCOptions struct {
	Issuer       string
	ClientID     string
	ClientSecret parley.Secret // empty: a public client
	Scopes       []string      // besides openid; default profile and email
	TenantClaim  string        // the claim that names the tenant; default "tenant". Without it the tenant is "default"

	// TenantRequired refuses people whose ID token has no tenant.
	TenantRequired bool
	// Qualified makes a person's user the QualifiedName of their sub, for sites
	// whose other surfaces know people of another issuer. Default: the sub.
	Qualified bool

	// TrustPrompt takes a sign-in that the provider was told to ask for (prompt=login)
	// as the person's proof where the ID token has no auth_time. The browser carries
	// that wish, so whoever sits at somebody's browser can leave it out. Default: only
	// auth_time proves it.
	TrustPrompt bool

	// Client makes every request to the provider. Default: the outbound client,
	// to public addresses only, and to this machine when the issuer is there.
	Client *http.Client
}

// OIDC returns a sign-in at an OpenID Connect provider: authorization code with
// PKCE, state and nonce. A person's user is the provider's sub.
//
// The provider is looked up when somebody first signs in, and again for as long
// as that fails; whoever signs in meanwhile gets a page that says so.
func OIDC(opts *OIDCOptions) SignIn {
	s := &oidcSignIn{opts: *opts}
	s.opts.TenantClaim = cmp.Or(s.opts.TenantClaim, "tenant")
	if s.opts.Scopes == nil {
		s.opts.Scopes = []string{"profile", "email"}
	}
	if s.opts.Client == nil {
		u, err := url.Parse(s.opts.Issuer)
		s.opts.Client = outbound.Client(&outbound.Options{Loopback: err == nil && loopback.Host(u.Hostname())})
	}
	return s
}

type oidcSignIn struct {
	opts OIDCOptions

	mu     sync.Mutex
	found  *oidcProvider // nil until the provider was looked up
	lookup *lookup       // the one that is under way; nil: none
}

// lookup is one way to the provider, for all who wait for it.
type lookup struct {
	done  chan struct{} // closed when found or err is set
	found *oidcProvider
	err   error
}

// oidcProvider is a provider that was looked up.
type oidcProvider struct {
	*oidc.Provider
	metadata struct {
		NamesItself bool     `json:"authorization_response_iss_parameter_supported"` // iss in every answer (RFC 9207)
		SecretIn    []string `json:"token_endpoint_auth_methods_supported"`
		KeysAt      string   `json:"jwks_uri"`
		Algorithms  []string `json:"id_token_signing_alg_values_supported"`
	}
	keys *jwks.Set
}

// verifier reads ID tokens of the provider for a client. The library's own key
// set would ask the provider for its keys with each token that does not hold.
func (p *oidcProvider) verifier(issuer, client string) *oidc.IDTokenVerifier {
	var algorithms []string // none: the library's default, RS256
	for _, alg := range p.metadata.Algorithms {
		if slices.Contains(jwks.Algorithms, jose.SignatureAlgorithm(alg)) {
			algorithms = append(algorithms, alg)
		}
	}
	return oidc.NewVerifier(issuer, p.keys, &oidc.Config{ClientID: client, SupportedSigningAlgs: algorithms})
}

// discoveryTime is how long a provider may take to answer before the person is
// told that it does not.
const discoveryTime = 10 * time.Second

func (s *oidcSignIn) method() string { return "oidc" }
func (s *oidcSignIn) path() string   { return callbackPath }

func (s *oidcSignIn) check(*url.URL) error {
	u, err := url.Parse(s.opts.Issuer)
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !loopback.Host(u.Hostname())) {
		return errors.New("pages: the issuer is not an https URL; http is for loopback addresses") // it may have a password
	}
	if s.opts.ClientID == "" {
		return errors.New("pages: the OpenID Connect sign-in needs a client id")
	}
	return nil
}

func (s *oidcSignIn) begin(ctx context.Context, public *url.URL, a attempt) (string, error) {
	provider, err := s.provider(ctx)
	if err != nil {
		return "", err
	}
	options := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(a.Verifier), oidc.Nonce(a.Nonce)}
	if a.Switch {
		// With max_age a provider has to say when it asked: what was wished for, the
		// browser could have taken out.
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	return s.config(provider, public).AuthCodeURL(a.State, options...), nil
}

func (s *oidcSignIn) finish(ctx context.Context, public *url.URL, query url.Values, claim func(string) (attempt, error)) (person, error) {
	a, err := claim(query.Get("state"))
	if err != nil {
		return person{}, err
	}
	provider, err := s.provider(ctx)
	if err != nil {
		return person{}, err
	}
	// Before anything else: an answer of another provider must not reach the
	// token endpoint of this one.
	if iss := query["iss"]; len(iss) > 1 || len(iss) == 1 && iss[0] != s.opts.Issuer || len(iss) == 0 && provider.metadata.NamesItself {
		return person{}, unverified(errors.New("the answer names another issuer, or none"))
	}
	if code := query.Get("error"); code != "" {
		return person{}, s.denied(code)
	}
	if query.Get("code") == "" {
		return person{}, unverified(errors.New("the answer has no code"))
	}
	ctx, cancel := context.WithTimeout(s.web(ctx), discoveryTime)
	defer cancel()
	token, err := s.config(provider, public).Exchange(ctx, query.Get("code"), oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return person{}, s.exchangeFailed(err)
	}
	raw, _ := token.Extra("id_token").(string)
	return s.identify(ctx, provider, raw, a)
}

// identify reads the ID token.
func (s *oidcSignIn) identify(ctx context.Context, provider *oidcProvider, raw string, a attempt) (person, error) {
	token, err := provider.verifier(s.opts.Issuer, s.opts.ClientID).Verify(ctx, raw)
	if err != nil {
		return person{}, unverified(err)
	}
	if subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(a.Nonce)) != 1 {
		return person{}, unverified(errors.New("the ID token has another nonce"))
	}
	var claims map[string]any
	if err := token.Claims(&claims); err != nil {
		return person{}, unverified(err)
	}
	text := func(name string) string {
		value, _ := claims[name].(string)
		return value
	}
	if azp := text("azp"); azp != s.opts.ClientID && (azp != "" || len(token.Audience) > 1) {
		return person{}, unverified(errors.New("the ID token was issued to another client"))
	}
	who, err := parley.Claims{Tenant: s.opts.TenantClaim, Required: s.opts.TenantRequired}.Person(claims, s.method())
	if err != nil {
		return person{}, unusable(err)
	}
	if s.opts.Qualified {
		who.User = QualifiedName(s.opts.Issuer, who.User)
	}
	found := person{Tenant: who.Tenant, User: who.User, Name: cmp.Or(text("preferred_username"), text("email"), text("name"))}
	if verified, _ := claims["email_verified"].(bool); verified {
		found.Email = text("email")
	}
	if at, known := claims["auth_time"].(float64); known {
		found.Proved = time.Unix(int64(at), 0)
	} else if a.Switch && s.opts.TrustPrompt { // it does not say when it asked
		found.Proved = time.Now()
	}
	return found, nil
}

// QualifiedName is a person's user where OIDCOptions.Qualified is set: no other
// issuer can have named them so.
func QualifiedName(issuer, sub string) string { return issuer + "#" + sub }

// provider looks the provider up, once it works only once. Those who come
// meanwhile wait for the same answer: how many want to sign in does not decide
// how often a provider is asked that is down.
func (s *oidcSignIn) provider(ctx context.Context) (*oidcProvider, error) {
	s.mu.Lock()
	if s.found != nil {
		defer s.mu.Unlock()
		return s.found, nil
	}
	current := s.lookup
	if current == nil {
		current = &lookup{done: make(chan struct{})}
		s.lookup = current
		go s.look(context.WithoutCancel(ctx), current)
	}
	s.mu.Unlock()
	select {
	case <-current.done:
		return current.found, current.err
	case <-ctx.Done():
		return nil, signInDown(context.Cause(ctx))
	}
}

// look carries a lookup out. It is no caller's: who leaves does not end it.
func (s *oidcSignIn) look(ctx context.Context, l *lookup) {
	ctx, cancel := context.WithTimeout(s.web(ctx), discoveryTime)
	defer cancel()
	defer close(l.done)
	l.found, l.err = s.discover(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found, s.lookup = l.found, nil
}

func (s *oidcSignIn) discover(ctx context.Context) (*oidcProvider, error) {
	discovered, err := oidc.NewProvider(ctx, s.opts.Issuer)
	if err != nil {
		return nil, signInDown(fmt.Errorf("looking up the provider: %.300s", err.Error())) // it may quote a whole page
	}
	found := &oidcProvider{Provider: discovered}
	if err := discovered.Claims(&found.metadata); err != nil {
		return nil, signInDown(err)
	}
	if _, err := outbound.DomainOf(discovered.Endpoint().AuthURL); err != nil {
		return nil, signInDown(fmt.Errorf("its authorization endpoint: %w", err))
	}
	// What goes wrong there is in the page's log line.
	found.keys = jwks.New(found.metadata.KeysAt, &jwks.Options{Client: s.opts.Client, Logger: slog.New(slog.DiscardHandler)})
	return found, nil
}

func (s *oidcSignIn) config(provider *oidcProvider, public *url.URL) *oauth2.Config {
	endpoint := provider.Endpoint()
	// Said rather than found out by trying: a code is sent once.
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if methods := provider.metadata.SecretIn; s.opts.ClientSecret == "" ||
		len(methods) > 0 && !slices.Contains(methods, "client_secret_basic") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return &oauth2.Config{
		ClientID: s.opts.ClientID, ClientSecret: s.opts.ClientSecret.Reveal(), Endpoint: endpoint,
		RedirectURL: public.String() + callbackPath,
		Scopes:      scopesOf(s.opts.Scopes),
	}
}

// scopesOf is what is asked for, each once: some providers refuse a scope that
// comes twice.
func scopesOf(besides []string) []string {
	all := []string{oidc.ScopeOpenID}
	for _, scope := range besides {
		if !slices.Contains(all, scope) {
			all = append(all, scope)
		}
	}
	return all
}

// web makes the libraries use the guarded client.
func (s *oidcSignIn) web(ctx context.Context) context.Context {
	return oidc.ClientContext(ctx, s.opts.Client)
}

// exchangeFailed leaves out what the provider sent along: it may repeat the
// code or the secret.
func (s *oidcSignIn) exchangeFailed(err error) error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		return signInDown(errors.New("the token endpoint cannot be reached, or its answer cannot be read"))
	}
	cause := fmt.Errorf("the token endpoint answered %s, error %.40q", refused.Response.Status, refused.ErrorCode)
	switch {
	case refused.Response.StatusCode >= http.StatusInternalServerError:
		return signInDown(cause)
	case refused.Response.StatusCode == http.StatusUnauthorized, misconfigured(refused.ErrorCode):
		return s.notSetUp(cause)
	}
	return unverified(cause)
}

func signInDown(cause error) error {
	return &refusal{
		status: http.StatusBadGateway, heading: "Sign-in does not work just now", cause: cause,
		sentence: "The sign-in service cannot be reached, or does not answer as it should. Try again in a minute.",
	}
}

func unverified(cause error) error {
	return &refusal{
		status: http.StatusForbidden, heading: "That did not sign you in", cause: cause,
		sentence: "What the sign-in service answered could not be verified. Sign in again; if it happens again, tell the administrator.",
	}
}

// misconfigured reports whether a provider's error is about how this site is
// registered there: nobody who signs in can do anything about it.
func misconfigured(code string) bool {
	return slices.Contains([]string{
		"invalid_client", "unauthorized_client", "invalid_request", "invalid_scope", "unsupported_response_type", "unsupported_grant_type",
	}, code)
}

// notSetUp is the operator's fault, and says so: in the log with what to look at.
func (s *oidcSignIn) notSetUp(cause error) error {
	return &refusal{
		status: http.StatusBadGateway, heading: "Sign-in is not set up correctly",
		sentence: "The sign-in service does not accept how this site is registered there. You can do nothing about it. Tell the administrator; the log says more.",
		cause: fmt.Errorf("%w: check auth.oidc, its client_id %.100q, client_secret, scopes, and the redirect URI that is registered at %s",
			cause, s.opts.ClientID, s.opts.Issuer),
	}
}

// denied leaves out the provider's own words: they come with the address, which
// anybody can write.
func (s *oidcSignIn) denied(code string) error {
	cause := fmt.Errorf("error %.40q", code)
	switch {
	case code == "access_denied":
		return &refusal{
			status: http.StatusForbidden, heading: "You were not signed in", cause: cause,
			sentence: "The sign-in was declined there, by you or by the sign-in service. Nothing else has happened. Sign in again if you did not mean to.",
		}
	case code == "server_error", code == "temporarily_unavailable":
		return signInDown(cause)
	case misconfigured(code):
		return s.notSetUp(cause)
	}
	return &refusal{
		status: http.StatusForbidden, heading: "That did not sign you in", cause: cause,
		sentence: "The sign-in service did not sign you in. Try again; if it happens again, tell the administrator.",
	}
}
