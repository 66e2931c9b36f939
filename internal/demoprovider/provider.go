package demoprovider

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/luikyv/go-oidc/pkg/goidc"
	"github.com/luikyv/go-oidc/pkg/provider"
)

// Provider is the demonstration provider. Make one with [New] and serve it.
type Provider struct {
	opts    Options
	path    string // of the issuer, "" or "/acme"
	library *provider.Provider
	handler http.Handler
	pages   *pages
	visits  *visits
	grants  *grants
	faults  *faults
}

// New makes a provider with a new signing key. It starts nothing: serve the
// Provider with [http.Serve] or mount it at its [Provider.Paths].
func New(opts *Options) (*Provider, error) {
	o := opts.withDefaults()
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("demoprovider: %w", err)
	}
	issuer, err := parseIssuer(o.Issuer)
	if err != nil {
		return nil, fmt.Errorf("demoprovider: %w", err)
	}
	p := &Provider{
		opts:   o,
		path:   issuer.Path,
		visits: newVisits(o.Issuer, issuer.Path, issuer.Scheme == "https"),
		grants: newGrants(),
		faults: newFaults(),
	}
	if p.pages, err = newPages(o.Title, issuer.Path); err != nil {
		return nil, fmt.Errorf("demoprovider: the pages: %w", err)
	}
	if p.library, err = p.newLibrary(); err != nil {
		return nil, fmt.Errorf("demoprovider: %w", err)
	}
	if p.handler, err = p.routes(p.library.Handler()); err != nil {
		return nil, fmt.Errorf("demoprovider: %w", err)
	}
	return p, nil
}

// Issuer returns the issuer, as it is in tokens and in the metadata.
func (p *Provider) Issuer() string { return p.opts.Issuer }

// newLibrary configures the protocol. What is not named here is not offered.
func (p *Provider) newLibrary() (*provider.Provider, error) {
	keys, err := signingKeys()
	if err != nil {
		return nil, err
	}
	code := provider.AuthCodeGrantConfig{
		Manager: struct {
			*flows
			*grants
		}{newFlows(), p.grants},
		ResponseTypes: []goidc.ResponseType{goidc.ResponseTypeCode},
	}
	options := []provider.Option{
		provider.WithAuthCodeGrant(code,
			provider.WithPKCE([]goidc.CodeChallengeMethod{goidc.CodeChallengeMethodSHA256}, provider.WithPKCERequired()),
			provider.WithIssuerResponseParameter(),
			provider.WithAuthPolicies(p.policy())),
		provider.WithRefreshTokenGrant(p.grants,
			provider.WithRefreshTokenRotation(), provider.WithRefreshTokenFunc(newRefreshToken)),
		provider.WithTokenRevocation(anyClient, provider.WithTokenRevocationRevokeGrantOnAccessToken()),
		provider.WithTokenOptions(p.tokenOptions),
		provider.WithIDTokenClaims(claims),
		provider.WithUserInfoClaims(claims),
		provider.WithClaims("sub", "name", "preferred_username", "auth_time"),
		provider.WithScopes(p.scopes()...),
		provider.WithSecretBasicAuthn(), provider.WithSecretPostAuthn(), provider.WithNoneAuthn(),
		provider.WithDefaultAuthn(goidc.AuthnMethodSecretBasic), // RFC 7591's default
		provider.WithLocalhostRedirectURIs(),
		provider.WithHTTPClientFunc(noClient),
		provider.WithJTIConsumer(noAssertions),
		provider.WithErrorRenderer(p.renderError),
		provider.WithErrorHandler(p.logError),
	}
	if len(p.opts.Clients) > 0 {
		options = append(options, provider.WithStaticClients(p.knownClients()...))
	}
	if len(p.opts.Resources) > 0 {
		options = append(options, provider.WithResourceIndicators(p.opts.Resources))
	}
	if p.opts.Registration {
		options = append(options, provider.WithDCR(newRegistered(),
			provider.WithDCRClientHandler(p.checkRegistration)))
	}
	return provider.New(provider.Config{
		Issuer: p.opts.Issuer, Manager: p.grants, JWKS: keys, IDTokenAlgs: []goidc.SignatureAlgorithm{signingAlg},
	}, options...)
}

// scopeNames lists the scopes in the order of the alphabet.
func (p *Provider) scopeNames() []string {
	return slices.Sorted(maps.Keys(p.opts.Scopes))
}

func (p *Provider) scopes() []goidc.Scope {
	var scopes []goidc.Scope
	for _, name := range p.scopeNames() {
		scopes = append(scopes, goidc.NewScope(name))
	}
	return scopes
}

// asError finds the error that a client may see.
func asError(err error) goidc.Error {
	var known goidc.Error
	if errors.As(err, &known) {
		return known
	}
	return goidc.NewError(goidc.ErrorCodeInternalError, "something went wrong")
}
