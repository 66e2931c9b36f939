package demoprovider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// routes puts our own pages and checks around the library's endpoints.
func (p *Provider) routes(endpoints http.Handler) (http.Handler, error) {
	metadata, err := p.metadata(endpoints)
	if err != nil {
		return nil, err
	}
	library := http.StripPrefix(p.path, endpoints)
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
	mux.HandleFunc("GET "+p.path+"/{$}", p.about)
	mux.HandleFunc("GET "+p.path+stylesURL, p.pages.serveStyles)
	for _, at := range []string{authorizeURL, authorizeURL + "/", "/jwks", "/userinfo"} {
		mux.Handle(p.path+at, library)
	}
	mux.Handle("POST "+p.path+tokenURL, p.withCredentials(library))
	mux.Handle("POST "+p.path+revokeURL, p.withCredentials(library))
	if p.opts.Registration {
		mux.Handle("POST "+p.path+registerURL, register(library))
		mux.Handle(p.path+registerURL+"/", library)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		p.pages.message(w, http.StatusNotFound, "Not found", "There is no such page here.")
	})
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

// withCredentials prepares what clients send with their secret.
func (p *Provider) withCredentials(library http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			http.Error(w, "The body is not a form.", http.StatusBadRequest)
			return
		}
		p.credentials(r)
		library.ServeHTTP(w, r)
	})
}

func register(library http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, "The body could not be read.", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(assumeNative(body)))
		library.ServeHTTP(w, r)
	})
}

// metadata asks the library for its discovery document once and adds that this
// is a demo. The library serves it at one of the addresses that exist.
func (p *Provider) metadata(library http.Handler) (http.Handler, error) {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "/.well-known/openid-configuration"+p.path, nil)
	if err != nil {
		return nil, err
	}
	answer := &captured{header: http.Header{}, status: http.StatusOK}
	library.ServeHTTP(answer, r)
	var fields map[string]any
	if err := json.Unmarshal(answer.body.Bytes(), &fields); err != nil || answer.status != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("the discovery document has status %d", answer.status), err)
	}
	fields["service_documentation"] = p.opts.Issuer + "/"
	fields["demo"] = banner
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

// captured is a response that nobody sends.
type captured struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *captured) Header() http.Header         { return c.header }
func (c *captured) WriteHeader(status int)      { c.status = status }
func (c *captured) Write(b []byte) (int, error) { return c.body.Write(b) }
