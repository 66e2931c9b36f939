package pages

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/loopback"
)

// VerifierOptions is the sign-in at the host application, which has signed the
// person in already.
type VerifierOptions struct {
	// URL is the host application's verifier: https, or http on a loopback
	// address. The challenge is added as a parameter.
	URL string
	// Key is shared with the host application: 32 random bytes or more.
	Key []byte
	// TenantRequired refuses answers without a tenant.
	TenantRequired bool
}

// ErrVerifierKey says that a shared key is too short to be safe.
var ErrVerifierKey = errors.New("pages: the key shared with the verifier has fewer than 32 bytes: use 32 random ones or more")

// Verifier returns a sign-in that asks the host application who the person is:
// the browser goes there with a signed challenge and comes back with a signed
// answer. The host application, if it is in Go, uses VerifyChallenge and
// SignAnswer; docs/pages.md has the format for others.
func Verifier(opts *VerifierOptions) SignIn { return verifierSignIn{*opts} }

type verifierSignIn struct{ opts VerifierOptions }

func (verifierSignIn) method() string { return "verifier" }
func (verifierSignIn) path() string   { return verifiedPath }

func (s verifierSignIn) check(*url.URL) error {
	u, err := url.Parse(s.opts.URL)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && (u.Scheme != "http" || !loopback.Host(u.Hostname())) {
		return errors.New("pages: the verifier is not an https URL without a password; http is for loopback addresses")
	}
	return checkKey(s.opts.Key)
}

func checkKey(key []byte) error {
	if len(key) < minKey {
		return ErrVerifierKey
	}
	return nil
}

func (s verifierSignIn) begin(_ context.Context, public *url.URL, a attempt) (string, error) {
	now := time.Now()
	challenge, err := sign(s.opts.Key, challengeType, challengeClaims{
		Claims: jwt.Claims{
			Issuer: public.String(), Audience: jwt.Audience{s.opts.URL}, ID: a.State,
			IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(challengeTTL)),
		},
		ReturnTo: public.String() + verifiedPath, Switch: a.Switch,
	})
	if err != nil {
		return "", err
	}
	return withParameter(s.opts.URL, "challenge", challenge)
}

func (s verifierSignIn) finish(_ context.Context, public *url.URL, query url.Values, claim func(string) (attempt, error)) (person, error) {
	var claims map[string]any
	var registered jwt.Claims
	err := verify(s.opts.Key, answerType, query.Get("answer"), &claims, &registered,
		jwt.Expected{Issuer: s.opts.URL, AnyAudience: jwt.Audience{public.String()}}, answerTTL)
	if err != nil {
		return person{}, unverified(err)
	}
	nonce, _ := claims["nonce"].(string)
	a, err := claim(nonce)
	if err != nil {
		return person{}, err
	}
	who, err := parley.Claims{Required: s.opts.TenantRequired}.Person(claims, s.method())
	if err != nil {
		return person{}, unusable(err)
	}
	name, _ := claims["name"].(string)
	found := person{Tenant: who.Tenant, User: who.User, Name: name}
	if a.Switch { // it was asked to have them sign in anew
		found.Proved = time.Now()
	}
	return found, nil
}
