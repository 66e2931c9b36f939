package pages_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// idp is an OpenID Connect provider that signs everybody in as one person, and
// can be told to misbehave.
type idp struct {
	t              testing.TB
	issuer         string
	client, secret string
	key            *ecdsa.PrivateKey

	mu      sync.Mutex
	down    bool
	codes   map[string]url.Values // what each was asked for with
	asked   []url.Values          // authorization requests
	answers map[string]string     // extra parameters of the answer; "" takes one away
	claims  map[string]any        // of the ID token; nil takes one away
	meta    map[string]any        // of the discovery document
	signer  jose.Signer           // default: the published key
	token   http.HandlerFunc      // instead of the token endpoint
}

func newIDP(t testing.TB, issuer string) *idp {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &idp{
		t: t, issuer: issuer, client: "parley", secret: "client-secret-value", key: key, codes: map[string]url.Values{},
		answers: map[string]string{}, claims: map[string]any{"sub": "alice"}, meta: map[string]any{},
	}
}

func (p *idp) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down {
		http.Error(w, "out of order", http.StatusServiceUnavailable)
		return
	}
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		meta := map[string]any{
			"issuer": p.issuer, "authorization_endpoint": p.issuer + "/authorize", "token_endpoint": p.issuer + "/token",
			"jwks_uri": p.issuer + "/keys", "id_token_signing_alg_values_supported": []string{"ES256"},
		}
		for name, value := range p.meta {
			meta[name] = value
		}
		p.send(w, meta)
	case "/keys":
		p.send(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: "1", Algorithm: "ES256", Use: "sig"}}})
	case "/authorize":
		p.authorize(w, r)
	case "/token":
		if p.token != nil {
			p.token(w, r)
			return
		}
		p.exchange(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (p *idp) send(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		p.t.Error(err)
	}
}

func (p *idp) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	p.asked = append(p.asked, q)
	code := "code-" + rand.Text()
	p.codes[code] = q
	answer := url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {p.issuer}}
	for name, value := range p.answers {
		if answer.Set(name, value); value == "" {
			answer.Del(name)
		}
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+answer.Encode(), http.StatusFound)
}

func (p *idp) exchange(w http.ResponseWriter, r *http.Request) {
	fail := func(code string) {
		w.WriteHeader(http.StatusBadRequest)
		p.send(w, map[string]string{"error": code, "error_description": "secret words " + r.FormValue("code")})
	}
	user, password, _ := r.BasicAuth()
	asked, known := p.codes[r.FormValue("code")]
	delete(p.codes, r.FormValue("code"))
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	switch {
	case user != p.client || password != p.secret:
		fail("invalid_client")
	case !known, r.FormValue("redirect_uri") != asked.Get("redirect_uri"),
		asked.Get("code_challenge_method") != "S256", base64.RawURLEncoding.EncodeToString(sum[:]) != asked.Get("code_challenge"):
		fail("invalid_grant")
	default:
		p.send(w, map[string]any{
			"access_token": "at-" + rand.Text(), "token_type": "Bearer", "expires_in": 60, "id_token": p.idToken(asked.Get("nonce")),
		})
	}
}

func (p *idp) idToken(nonce string) string {
	claims := map[string]any{
		"iss": p.issuer, "aud": p.client, "nonce": nonce, "iat": time.Now().Unix(), "exp": time.Now().Add(time.Minute).Unix(),
	}
	for name, value := range p.claims {
		if claims[name] = value; value == nil {
			delete(claims, name)
		}
	}
	signer := p.signer
	if signer == nil {
		var err error
		signer, err = jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: p.key, KeyID: "1"}}, nil)
		if err != nil {
			p.t.Error(err)
			return ""
		}
	}
	raw, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		p.t.Error(err)
	}
	return raw
}

// set changes how the provider behaves.
func (p *idp) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}
