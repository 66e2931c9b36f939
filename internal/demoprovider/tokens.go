package demoprovider

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/luikyv/go-oidc/pkg/goidc"
)

const signingAlg = goidc.SigAlgES256

// Info is what the provider knows about an access token.
type Info struct {
	// Active is false for a token that is unknown, expired or revoked, and then
	// nothing else is set.
	Active bool
	// User is the person who granted it: `sub`.
	User string
	// Client is the id of the application that it was granted to.
	Client string
	Scopes []string
	// Audience are the resources that it is good for. A resource server must
	// find itself here.
	Audience []string
	Expires  time.Time
}

// Introspect says what an access token is good for. Other tokens, such as
// refresh and ID tokens, are never active. A token that is not good for
// anything is not an error. [Provider.Fail] does not concern it.
func (p *Provider) Introspect(ctx context.Context, token string) (Info, error) {
	// The library would report a refresh token as active.
	if strings.Count(token, ".") != 2 {
		return Info{}, nil
	}
	found, _, err := p.library.Introspect(ctx, token)
	if err != nil {
		return Info{}, fmt.Errorf("demoprovider: introspect: %w", err)
	}
	if !found.IsActive {
		return Info{}, nil
	}
	return Info{
		Active:   true,
		User:     found.Subject,
		Client:   found.ClientID,
		Scopes:   strings.Fields(found.Scopes),
		Audience: found.ResourceAudiences,
		Expires:  time.Unix(int64(found.ExpiresAt), 0),
	}, nil
}

// Revoke takes away everything that a person has granted, as if they had done
// so at the service, and returns how many grants that were.
func (p *Provider) Revoke(user string) int {
	return p.grants.revokeUser(user)
}

// signingKeys makes the key of this provider. ES256, not the RS256 that OpenID
// Connect asks of everybody: an RSA key would take longer than most tests.
func signingKeys() (goidc.JWKSFunc, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	set := goidc.JSONWebKeySet{Keys: []goidc.JSONWebKey{{
		Key: key, KeyID: rand.Text(), Algorithm: string(signingAlg), Use: string(goidc.KeyUsageSignature),
	}}}
	return func(context.Context) (goidc.JSONWebKeySet, error) { return set, nil }, nil
}

func (p *Provider) tokenOptions(context.Context, *goidc.Grant, *goidc.Client) goidc.TokenOptions {
	return goidc.NewJWTTokenOptions(signingAlg, int(p.opts.AccessTTL/time.Second))
}

// newRefreshToken has no dots, so that it cannot be taken for an access token.
func newRefreshToken(context.Context) string {
	return "demo_refresh_" + rand.Text()
}

// claims are what ID tokens and userinfo say besides `sub`.
func claims(_ context.Context, grant *goidc.Grant) map[string]any {
	out := map[string]any{
		goidc.ClaimName:              displayName(grant.Subject),
		goidc.ClaimPreferredUsername: grant.Subject,
	}
	if since, ok := grant.Store[storeSignedIn].(int64); ok {
		out[goidc.ClaimAuthTime] = since
	}
	return out
}

func anyClient(context.Context, *goidc.Client) bool { return true }

// noClient refuses to fetch anything: a registration may name URLs, and the
// provider is no proxy to them.
func noClient(context.Context) *http.Client {
	return &http.Client{Transport: refusing{}}
}

type refusing struct{}

func (refusing) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
	return nil, errors.New("the demo provider makes no requests")
}

// noAssertions refuses what no client of the provider can use.
func noAssertions(context.Context, string) error {
	return errors.New("the demo provider takes no signed assertions")
}
