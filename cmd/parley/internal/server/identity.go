package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/json" // which refuses a name that is there twice
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/login"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/pages/jwks"
)

// identity says who sends a request: by a bearer token, an API key or the
// session cookie, and by nothing else.
type identity struct {
	auth   config.Auth
	keys   *jwks.Set // of auth.jwt.jwks_url
	pages  *pages.Pages
	logins *login.Logins            // of programs of people; nil: there are none
	api    map[string]config.APIKey // by digest
	apart  string                   // begins the names of people who sign in, where they are other people than the tokens'
	logger *slog.Logger

	reached func(ctx context.Context, who parley.Principal, email string) // told of verified addresses; nil: nobody is

	administers func(parley.Principal) bool // says of somebody with a session whether they manage their tenant

	dev bool // whoever says who they are is believed, as at /login
}

// DevToken is the bearer token of somebody at a server for development, which
// believes it as its sign-in page believes a name.
func DevToken(user string) string { return devToken + user }

const devToken = "dev-user:"

func newIdentity(believed config.Auth, keys *jwks.Options, site *pages.Pages) *identity {
	i := &identity{auth: believed, pages: site, api: map[string]config.APIKey{}}
	if believed.JWT != nil && believed.JWT.JWKSURL != "" {
		i.keys = jwks.New(believed.JWT.JWKSURL, keys)
	}
	for _, key := range believed.APIKeys {
		i.api[strings.ToLower(key.SHA256)] = key
	}
	return i
}

// principal is who sends r. A wrong token is an error even where there is a
// cookie.
func (i *identity) principal(r *http.Request) (parley.Principal, error) {
	who, _, err := i.of(r)
	return who, err
}

// of is who sends r, and what their token says. One for a resource of these is
// taken like one for the configured audience.
func (i *identity) of(r *http.Request, resources ...string) (parley.Principal, map[string]any, error) {
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, token, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") { // in any letters: RFC 9110, section 11.1
			return parley.Principal{}, nil, fmt.Errorf("%w: use a bearer token", chat.ErrUnauthenticated)
		}
		return i.read(r.Context(), token, resources...)
	}
	p, err := i.pages.Principal(r)
	if errors.Is(err, pages.ErrNotSignedIn) {
		return parley.Principal{}, nil, fmt.Errorf("%w: %w", chat.ErrUnauthenticated, err)
	}
	return p, nil, err
}

// read says whose a bearer token is, and what else it says.
func (i *identity) read(ctx context.Context, token string, resources ...string) (parley.Principal, map[string]any, error) {
	if known, ok := foundOut(ctx, token, resources); ok {
		return known.who, known.claims, known.err
	}
	if user, says := strings.CutPrefix(token, devToken); says && i.dev {
		who := parley.Principal{Tenant: parley.DefaultTenant, User: user, Method: "dev"}
		if !parley.ValidName(user) || who.Validate() != nil {
			return parley.Principal{}, nil, fmt.Errorf("%w: %.100q cannot be the name of a user", chat.ErrUnauthenticated, user)
		}
		return who, nil, nil
	}
	if token == "" { // nobody's key, whatever the configuration has
		return parley.Principal{}, nil, fmt.Errorf("%w: %w", chat.ErrUnauthenticated, errUnknownToken)
	}
	digest := sha256.Sum256([]byte(token))
	known := hex.EncodeToString(digest[:])
	for want, key := range i.api {
		if subtle.ConstantTimeCompare([]byte(want), []byte(known)) == 1 {
			return programOf(key), nil, nil
		}
	}
	if strings.HasPrefix(token, login.Prefix) && i.logins != nil {
		who, err := i.loggedIn(ctx, token, slices.ContainsFunc(resources, isMCP))
		return who, nil, err
	}
	if i.auth.JWT == nil || strings.Count(token, ".") != 2 {
		return parley.Principal{}, nil, fmt.Errorf("%w: %w", chat.ErrUnauthenticated, errUnknownToken)
	}
	payload, err := i.verify(ctx, token, resources)
	if errors.Is(err, jwks.ErrUnavailable) || ctx.Err() != nil {
		return parley.Principal{}, nil, err // it may be good: nobody knows
	}
	var who parley.Principal
	if err == nil {
		who, err = i.person(ctx, payload)
	}
	var claim *parley.ClaimError
	if errors.As(err, &claim) {
		i.logger.WarnContext(ctx, "token refused", "issuer", i.auth.JWT.Issuer, "err", err)
	}
	if err != nil {
		return parley.Principal{}, nil, fmt.Errorf("%w: %w", chat.ErrUnauthenticated, err)
	}
	return who, payload, nil
}

// tokenAt reads bearer tokens for the gateway. It tells clients that its endpoint is a
// resource, and they ask for tokens that are for this (RFC 8707). A program's key
// is nobody's.
func (i *identity) tokenAt(public string) auth.TokenVerifier {
	return func(ctx context.Context, token string, r *http.Request) (*auth.TokenInfo, error) {
		return i.token(ctx, token, resourcesAt(public, r.URL.Path)...)
	}
}

func (i *identity) token(ctx context.Context, token string, resources ...string) (*auth.TokenInfo, error) {
	who, all, err := i.read(ctx, token, resources...)
	if errors.Is(err, chat.ErrUnauthenticated) {
		return nil, fmt.Errorf("%w: %w", auth.ErrInvalidToken, err)
	}
	if err != nil {
		return nil, err
	}
	info := tokenInfo(who)
	info.Scopes, info.Expiration = scopes(all), time.Now().Add(time.Hour)
	if until, ok := all["exp"].(float64); ok {
		info.Expiration = time.Unix(int64(until), 0).Add(leeway) // the SDK compares it once more
	}
	return info, nil
}

// scopes are what a token is good for. Some issuers call the claim scp, which counts where
// there is no scope, and only there.
func scopes(claims map[string]any) []string {
	claim, ok := claims["scope"]
	if !ok {
		claim = claims["scp"]
	}
	switch scope := claim.(type) {
	case string:
		return strings.Fields(scope)
	case []any:
		var all []string
		for _, s := range scope {
			if text, ok := s.(string); ok {
				all = append(all, text)
			}
		}
		return all
	}
	return nil
}

// leeway is how far clocks may be apart, wherever a token is looked at.
const leeway = 30 * time.Second

// What is wrong with a token, in words for whoever sent it.
var (
	errUnknownToken = &parley.CredentialError{Reason: "it is neither a token of an issuer that this server trusts nor a key that it knows"}
	errUnreadable   = &parley.CredentialError{Reason: "the token cannot be read"}
	errSignature    = &parley.CredentialError{Reason: "the token's signature does not hold"}
	errEndless      = &parley.CredentialError{Reason: "the token has no exp: it would never expire"}
	errExpired      = &parley.CredentialError{Reason: "the token has expired"}
	errNotYet       = &parley.CredentialError{Reason: "the token is not valid yet"}
	errIssuer       = &parley.CredentialError{Reason: "the token is of another issuer"}
)

// errAudience names the audiences that would do.
func errAudience(audiences []string) error {
	var quoted []string
	for _, one := range audiences {
		if name := strconv.Quote(one); !slices.Contains(quoted, name) {
			quoted = append(quoted, name)
		}
	}
	return &parley.CredentialError{Reason: "the token is for another audience: ask its issuer for one for " + strings.Join(quoted, " or ")}
}

// verify checks a token's signature, issuer, audience and times.
func (i *identity) verify(ctx context.Context, token string, resources []string) (map[string]any, error) {
	payload, err := i.signed(ctx, token)
	if err != nil {
		return nil, err
	}
	all, standard, err := claims(payload)
	if err != nil {
		return nil, err
	}
	if standard.Expiry == nil {
		return nil, errEndless
	}
	audience := append(jwt.Audience{i.auth.JWT.Audience}, resources...)
	err = standard.ValidateWithLeeway(jwt.Expected{Issuer: i.auth.JWT.Issuer, AnyAudience: audience, Time: time.Now()}, leeway)
	for _, known := range []struct{ is, say error }{
		{jwt.ErrExpired, errExpired},
		{jwt.ErrNotValidYet, errNotYet},
		{jwt.ErrIssuedInTheFuture, errNotYet},
		{jwt.ErrInvalidIssuer, errIssuer},
		{jwt.ErrInvalidAudience, errAudience(audience)},
	} {
		if errors.Is(err, known.is) {
			return nil, known.say
		}
	}
	return all, err
}

// signed is what a token says, once its signature holds.
func (i *identity) signed(ctx context.Context, token string) ([]byte, error) {
	if i.keys != nil {
		payload, err := i.keys.VerifySignature(ctx, token)
		if errors.Is(err, jwks.ErrSignature) {
			return nil, errSignature
		}
		return payload, err
	}
	parsed, err := jose.ParseSignedCompact(token, []jose.SignatureAlgorithm{jose.HS256, jose.HS384, jose.HS512})
	if err != nil {
		return nil, errUnreadable
	}
	payload, err := parsed.Verify([]byte(i.auth.JWT.HMACKey))
	if err != nil {
		return nil, errSignature
	}
	return payload, nil
}

// claims reads what a token says. A *parley.ClaimError names the claim that is not what
// it has to be. Names are taken letter by letter, and none is there twice.
func claims(payload []byte) (all map[string]any, standard jwt.Claims, err error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(payload, &raw); err != nil {
		return nil, standard, errRepeated(payload)
	}
	for _, one := range []struct {
		name, want string
		into       any
	}{
		{"iss", "is not a text", &standard.Issuer},
		{"sub", "is not a text", &standard.Subject},
		{"aud", "is neither a text nor a list of texts", &standard.Audience},
		{"exp", "is not a time in seconds", &standard.Expiry},
		{"nbf", "is not a time in seconds", &standard.NotBefore},
		{"iat", "is not a time in seconds", &standard.IssuedAt},
		{"jti", "is not a text", &standard.ID},
	} {
		if text, ok := raw[one.name]; ok && json.Unmarshal(text, one.into) != nil {
			return nil, standard, &parley.ClaimError{Claim: one.name, Reason: one.want}
		}
	}
	if err := json.Unmarshal(payload, &all); err != nil {
		return nil, standard, errRepeated(payload)
	}
	return all, standard, nil
}

// errRepeated names the first claim that a token has twice. Others say only that they
// cannot be read.
func errRepeated(payload []byte) error {
	read := stdjson.NewDecoder(bytes.NewReader(payload))
	if first, err := read.Token(); err != nil || first != stdjson.Delim('{') {
		return errUnreadable
	}
	for seen := map[any]bool{}; read.More(); {
		name, err := read.Token()
		var value stdjson.RawMessage
		if err != nil || read.Decode(&value) != nil {
			return errUnreadable
		}
		if seen[name] {
			return &parley.ClaimError{Claim: fmt.Sprintf("%.100v", name), Reason: "is there twice"}
		}
		seen[name] = true
	}
	return errUnreadable
}
