package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// SignIn is what a caller is told who is not known, and has to be.
const SignIn = "sign in with a token of yours; parley mcp takes it from PARLEY_TOKEN, and at a development server --user NAME is enough"

// Path is where a gateway is served.
const Path = "/mcp"

// MetadataPath is where clients look for what this resource wants of them (RFC
// 9728).
const MetadataPath = "/.well-known/oauth-protected-resource" + Path

// Resource is what a token must be for: this endpoint.
func (g *Gateway) Resource() string { return g.resourceOf("") }

// maxServerName is how long the name of a server is at most.
const maxServerName = 64

// Metadata describes this resource to clients, and that of a server at
// ServerMetadataPath: of any name, since nobody has said yet whose servers are meant.
func (g *Gateway) Metadata() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		server := r.PathValue("server")
		if len(server) > maxServerName {
			http.NotFound(w, r)
			return
		}
		name := "Parley gateway"
		if server != "" && appHost(server) == server { // of what anybody may write into a path only plain names are repeated
			name = server + ", by Parley"
		}
		auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
			Resource: g.resourceOf(server), AuthorizationServers: g.opts.Issuers, ScopesSupported: g.opts.Scopes,
			BearerMethodsSupported: []string{"header"}, ResourceName: name,
		}).ServeHTTP(w, r)
	})
}

// guard lets in who has a token that is good here. It is passed on to nobody:
// other nodes of this gateway are told who it is, and requests to servers are made
// anew.
func (g *Gateway) guard(next http.Handler) http.Handler {
	next = g.readable(next)
	if g.opts.Verify == nil {
		return next
	}
	known := func(metadata string) http.Handler {
		opts := &auth.RequireBearerTokenOptions{Scopes: g.opts.Scopes}
		if u, err := url.Parse(g.opts.PublicURL); err == nil && u.Host != "" {
			opts.ResourceMetadataURL = g.opts.PublicURL + metadata
		}
		return auth.RequireBearerToken(g.verify, opts)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w.(*challenge).ResponseWriter, r)
		}))
	}
	knownToAll := known(MetadataPath)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.opts.Anonymous && strings.TrimSpace(r.Header.Get("Authorization")) == "" {
			next.ServeHTTP(w, r)
			return
		}
		c := &challenge{ResponseWriter: w, sent: r.Header.Get("Authorization") != ""}
		guarded := knownToAll
		if server := onlyServer(r.Context()); server != "" {
			guarded = known(strings.Replace(ServerMetadataPath, "{server}", url.PathEscape(server), 1))
		}
		guarded.ServeHTTP(c, r.WithContext(context.WithValue(r.Context(), challengeKey{}, c)))
	})
}

// challenge says in a refusal what is wrong with the token (RFC 6750): clients
// ask for another one by it.
type challenge struct {
	http.ResponseWriter
	sent bool  // a token was
	err  error // of the token; nil: it has none, or nobody has looked
}

type challengeKey struct{}

func (c *challenge) WriteHeader(status int) {
	wrong := map[int]string{http.StatusForbidden: `error="insufficient_scope"`, http.StatusUnauthorized: `error="invalid_token"`}[status]
	if said := parley.CredentialChallenge(c.err); said != "" && status == http.StatusUnauthorized {
		wrong = said
	}
	if told := c.Header().Get("WWW-Authenticate"); told != "" && wrong != "" && c.sent {
		c.Header().Set("WWW-Authenticate", told+", "+wrong)
	}
	if status == http.StatusInternalServerError { // what would say whose the token is was away
		status = http.StatusServiceUnavailable
	}
	c.ResponseWriter.WriteHeader(status)
}

// verify is Options.Verify, and refuses tokens that name nobody who can be.
func (g *Gateway) verify(ctx context.Context, token string, r *http.Request) (*auth.TokenInfo, error) {
	info, err := g.opts.Verify(ctx, token, r)
	if err == nil {
		if _, err = fromToken(info); err != nil {
			g.opts.Logger.WarnContext(ctx, "token refused", "err", err)
			err = fmt.Errorf("%w: %w", auth.ErrInvalidToken, err)
		}
	}
	if err == nil {
		return info, nil
	}
	if c, ok := ctx.Value(challengeKey{}).(*challenge); ok {
		c.err = err
	}
	return nil, g.explainToken(ctx, err)
}

// explainToken gives an error of a token the words that its client is told: the
// SDK sends the text of whatever it gets.
func (g *Gateway) explainToken(ctx context.Context, err error) error {
	switch fault := parley.CredentialFault(err); {
	case fault != "":
		return &refusedToken{"this token is not accepted: " + fault}
	case errors.Is(err, auth.ErrInvalidToken), errors.Is(err, auth.ErrOAuth):
		return err
	}
	if ctx.Err() == nil {
		g.opts.Logger.ErrorContext(ctx, "token not verified", "err", err)
	}
	return errors.New("this token cannot be checked just now: something is wrong on our side. Try again in a minute")
}

// refusedToken is auth.ErrInvalidToken in words of its own.
type refusedToken struct{ text string }

func (e *refusedToken) Error() string { return e.text }

func (e *refusedToken) Is(target error) bool { return target == auth.ErrInvalidToken }

// readable refuses the same tokens where somebody else has verified them, in
// front of this gateway.
func (g *Gateway) readable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := fromToken(auth.TokenInfoFromContext(r.Context())); err != nil {
			g.opts.Logger.WarnContext(r.Context(), "token refused", "err", err)
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// fromToken is whose a token is. A program's has no user. The error is a
// *parley.ClaimError.
func fromToken(info *auth.TokenInfo) (parley.Principal, error) {
	if info == nil {
		return parley.Principal{Tenant: parley.DefaultTenant, Kind: parley.KindCall}, nil
	}
	user, named := info.Extra["user"] // UserID tells sessions apart, and may be more than a name
	if !named {
		user = info.UserID
	}
	if user != "" {
		return mcptool.PersonOf(info, user)
	}
	tenant, err := parley.Claims{}.TenantOf(info.Extra)
	key, _ := info.Extra["key"].(string)
	return parley.Principal{Tenant: tenant, Method: "token", Kind: parley.KindProgram, Key: cmp.Or(key, info.UserID, unnamedKey)}, err
}

// unnamedKey is the key of programs whose tokens name none: what they begin is told
// by it from what nobody in particular has begun.
const unnamedKey = "(unnamed)"

// callerOfToken is whose a token is that readable has let through. Should another
// come, it is of a kind that owns nothing.
func callerOfToken(info *auth.TokenInfo) parley.Principal {
	who, err := fromToken(info)
	if err != nil {
		return parley.Principal{Kind: "unreadable"}
	}
	return who
}

// principalOf is who the token says.
func principalOf(extra *mcp.RequestExtra) (parley.Principal, bool) {
	return callerOfToken(extra.TokenInfo), true
}
