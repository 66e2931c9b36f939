package demoprovider

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
)

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
func (p *Provider) Introspect(_ context.Context, token string) (Info, error) {
	said, ok := p.signer.read(accessToken, token)
	if !ok || !time.Now().Before(time.Unix(said.Expires, 0)) {
		return Info{}, nil
	}
	if _, ok := p.grants.get(said.Grant); !ok {
		return Info{}, nil
	}
	return Info{
		Active: true, User: said.Subject, Client: said.Client, Scopes: strings.Fields(said.Scope), Audience: said.Audience,
		Expires: time.Unix(said.Expires, 0),
	}, nil
}

// Revoke takes away everything that a person has granted, as if they had done
// so at the service, and returns how many grants that were.
func (p *Provider) Revoke(user string) int {
	return p.grants.revokeUser(user)
}

// The kinds of tokens, as their headers say them (RFC 9068, section 2.1).
const (
	accessToken = jose.ContentType("at+jwt")
	idToken     = jose.ContentType("JWT")
)

// claims are what tokens say.
type claims struct {
	Issuer   string   `json:"iss"`
	Subject  string   `json:"sub"`
	Audience []string `json:"aud,omitempty"`
	Issued   int64    `json:"iat"`
	Expires  int64    `json:"exp"`
	Client   string   `json:"client_id,omitempty"`
	Scope    string   `json:"scope,omitempty"`
	Grant    string   `json:"grant,omitempty"`
	Nonce    string   `json:"nonce,omitempty"`
	AuthTime int64    `json:"auth_time,omitempty"`
	Name     string   `json:"name,omitempty"`
	Username string   `json:"preferred_username,omitempty"`
}

// signer makes tokens and knows them again. ES256, not the RS256 that OpenID
// Connect asks of everybody: an RSA key would take longer than most tests.
type signer struct{ key jose.JSONWebKey }

func newSigner() (*signer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	return &signer{jose.JSONWebKey{Key: key, KeyID: rand.Text(), Algorithm: string(jose.ES256), Use: "sig"}}, nil
}

func (s *signer) public() jose.JSONWebKeySet {
	return jose.JSONWebKeySet{Keys: []jose.JSONWebKey{s.key.Public()}}
}

func (s *signer) sign(kind jose.ContentType, c claims) (string, error) {
	payload, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: s.key}, (&jose.SignerOptions{}).WithType(kind))
	if err != nil {
		return "", err
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		return "", err
	}
	return signed.CompactSerialize()
}

// read returns what a token of ours says, of that kind alone.
func (s *signer) read(kind jose.ContentType, token string) (c claims, ok bool) {
	signed, err := jose.ParseSignedCompact(token, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil || signed.Signatures[0].Protected.ExtraHeaders[jose.HeaderType] != string(kind) {
		return c, false
	}
	payload, err := signed.Verify(s.key.Public())
	if err != nil || json.Unmarshal(payload, &c) != nil {
		return claims{}, false
	}
	return c, true
}
