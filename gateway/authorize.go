package gateway

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/parley-hq/parley/mcptool"
)

// Path is where a gateway is served.
const Path = "/mcp"

// MetadataPath is where clients look for what this resource wants of them (RFC
// 9728).
const MetadataPath = "/.well-known/oauth-protected-resource" + Path

// Resource is what a token must be for: this endpoint.
func (g *Gateway) Resource() string { return g.opts.PublicURL + Path }

// Metadata describes this resource to clients.
func (g *Gateway) Metadata() http.Handler {
	return auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
		Resource: g.Resource(), AuthorizationServers: g.opts.Issuers, ScopesSupported: g.opts.Scopes,
		BearerMethodsSupported: []string{"header"}, ResourceName: "Parley gateway",
	})
}

// guard lets in who has a token that is good here. It is passed on to nobody:
// other nodes of this gateway are told who it is, and requests to servers are made
// anew.
func (g *Gateway) guard(next http.Handler) http.Handler {
	if g.opts.Verify == nil {
		return next
	}
	opts := &auth.RequireBearerTokenOptions{Scopes: g.opts.Scopes}
	if u, err := url.Parse(g.opts.PublicURL); err == nil && u.Host != "" {
		opts.ResourceMetadataURL = g.opts.PublicURL + MetadataPath
	}
	known := auth.RequireBearerToken(g.opts.Verify, opts)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w.(*challenge).ResponseWriter, r)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if mcptool.IsProbe(r) || g.opts.Anonymous && strings.TrimSpace(r.Header.Get("Authorization")) == "" {
			next.ServeHTTP(w, r)
			return
		}
		known.ServeHTTP(&challenge{w, r.Header.Get("Authorization") != ""}, r)
	})
}

// challenge says in a refusal what is wrong with the token (RFC 6750): clients
// ask for another one by it.
type challenge struct {
	http.ResponseWriter
	sent bool // a token was
}

func (c *challenge) WriteHeader(status int) {
	reason := map[int]string{http.StatusForbidden: "insufficient_scope", http.StatusUnauthorized: "invalid_token"}[status]
	if told := c.Header().Get("WWW-Authenticate"); told != "" && reason != "" && c.sent {
		c.Header().Set("WWW-Authenticate", told+`, error="`+reason+`"`)
	}
	c.ResponseWriter.WriteHeader(status)
}
