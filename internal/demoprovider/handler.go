package demoprovider

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"

	"github.com/parley-hq/parley/internal/loopback"
)

const (
	maxBody      = 64 << 10
	authorizeURL = "/authorize"
	tokenURL     = "/token"
	revokeURL    = "/revoke"
	registerURL  = "/register"
	stylesURL    = "/style.css"
)

// Paths returns the patterns at which to mount the provider on a mux that it
// shares with others. Discovery of an issuer with a path starts at the root
// (RFC 8414, section 3).
func (p *Provider) Paths() []string {
	if p.path == "" {
		return []string{"/"}
	}
	return []string{
		p.path, p.path + "/",
		"/.well-known/oauth-authorization-server" + p.path,
		"/.well-known/openid-configuration" + p.path,
	}
}

// ServeHTTP answers requests that were made to a loopback name; others come by
// way of a name that somebody points here.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if !loopback.Host(host) {
		p.pages.message(w, http.StatusForbidden, "Not from here", "The demo provider answers on loopback addresses only.")
		return
	}
	// Bodies are read before anything else: only then does a server notice that
	// the client has gone away while the provider is stalled.
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		p.pages.message(w, http.StatusRequestEntityTooLarge, "Too much", "The request could not be read, or it is too large.")
		return
	}
	r = r.WithContext(r.Context()) // a copy: the caller's request stays as it is
	r.Body = io.NopCloser(bytes.NewReader(body))
	if r.Method == http.MethodPost && r.URL.Path == p.path+tokenURL {
		_ = r.ParseForm() // a body that is no form has no grant type
		p.faults.countToken(r.PostForm.Get("grant_type"))
	}
	if p.faults.failing(w, r) {
		return
	}
	p.handler.ServeHTTP(w, r)
}

func (p *Provider) routes() (http.Handler, error) {
	metadata, err := p.metadata()
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	for _, at := range []string{
		"/.well-known/oauth-authorization-server" + p.path, // RFC 8414
		"/.well-known/openid-configuration" + p.path,       // RFC 8414, section 5
	} {
		mux.Handle("GET "+at, metadata)
	}
	if p.path != "" {
		mux.Handle("GET "+p.path+"/.well-known/openid-configuration", metadata) // OpenID Connect Discovery
		mux.HandleFunc("GET "+p.path, p.about)
	}
	for pattern, handle := range map[string]http.HandlerFunc{
		"GET " + p.path + "/{$}":                    p.about,
		"GET " + p.path + stylesURL:                 p.pages.serveStyles,
		"GET " + p.path + authorizeURL:              p.authorize,
		"POST " + p.path + authorizeURL:             p.authorize,
		"GET " + p.path + authorizeURL + "/{flow}":  p.visitFlow,
		"POST " + p.path + authorizeURL + "/{flow}": p.visitFlow,
		"POST " + p.path + tokenURL:                 p.takeToken,
		"POST " + p.path + revokeURL:                p.revoke,
		"GET " + p.path + "/userinfo":               p.userInfo,
		"POST " + p.path + "/userinfo":              p.userInfo,
		"GET " + p.path + "/jwks":                   func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, p.signer.public()) },
		"/": func(w http.ResponseWriter, _ *http.Request) {
			p.pages.message(w, http.StatusNotFound, "Not found", "There is no such page here.")
		},
	} {
		mux.HandleFunc(pattern, handle)
	}
	if p.opts.Registration {
		mux.HandleFunc("POST "+p.path+registerURL, p.register)
		mux.HandleFunc("GET "+p.path+registerURL+"/{client}", p.manageRegistration)
		mux.HandleFunc("DELETE "+p.path+registerURL+"/{client}", p.manageRegistration)
	}
	return p.sameOrigin(mux), nil
}

// sameOrigin refuses what other sites make a browser send. Starting an
// authorization is what other sites are for.
func (p *Provider) sameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.AddInsecureBypassPattern("POST " + p.path + authorizeURL)
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		p.pages.message(w, http.StatusForbidden, "Not from here", "Another site sent this. Start again from the application.")
	}))
	return protection.Handler(next)
}

var (
	grantTypes  = []string{"authorization_code", "refresh_token"}
	authMethods = []string{"client_secret_basic", "client_secret_post", "none"}
)

// metadata is the discovery document, which says that this is a demo.
func (p *Provider) metadata() (http.Handler, error) {
	at := p.opts.Issuer
	fields := map[string]any{
		"issuer":                                         at,
		"authorization_endpoint":                         at + authorizeURL,
		"token_endpoint":                                 at + tokenURL,
		"revocation_endpoint":                            at + revokeURL,
		"userinfo_endpoint":                              at + "/userinfo",
		"jwks_uri":                                       at + "/jwks",
		"response_types_supported":                       []string{"code"},
		"response_modes_supported":                       []string{"query"},
		"grant_types_supported":                          grantTypes,
		"code_challenge_methods_supported":               []string{"S256"},
		"token_endpoint_auth_methods_supported":          authMethods,
		"revocation_endpoint_auth_methods_supported":     authMethods,
		"scopes_supported":                               p.scopeNames(),
		"claims_supported":                               []string{"sub", "name", "preferred_username", "auth_time"},
		"subject_types_supported":                        []string{"public"},
		"id_token_signing_alg_values_supported":          []string{"ES256"},
		"authorization_response_iss_parameter_supported": true,
		"service_documentation":                          at + "/",
		"demo":                                           banner,
	}
	if p.opts.Registration {
		fields["registration_endpoint"] = at + registerURL
	}
	document, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = w.Write(document)
	}), nil
}
