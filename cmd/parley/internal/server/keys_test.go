package server_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"github.com/parley-hq/parley/cmd/parley/internal/server"
)

// keyServer publishes a key, and counts who asks for it.
func keyServer(t *testing.T, key *ecdsa.PrivateKey, name string) (url string, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: name, Algorithm: "ES256", Use: "sig"}}})
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// believing is a server that takes tokens whose keys are at a URL.
func believing(t *testing.T, url string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return servedAt(t, listener, `listen: `+listener.Addr().String()+`
store: "memory:"
dev: true
auth: {jwt: {issuer: https://app.example, audience: parley, jwks_url: "`+url+`"}}
models: {demo: {kind: demo}}
agents: {assistant: {model: demo}}
`)
}

func TestForgedTokensUnderAKnownKeyFetchTheKeysOnce(t *testing.T) {
	issuer, forger := newKey(t), newKey(t)
	url, asked := keyServer(t, issuer, "1")
	base := believing(t, url)
	signed := func(key *ecdsa.PrivateKey, name string) string {
		return "Bearer " + token(t, jose.ES256, jose.JSONWebKey{Key: key, KeyID: name}, claims(nil))
	}
	for range 200 {
		if got, body := ask(t, base, signed(forger, "1")); got != http.StatusUnauthorized || !strings.Contains(body, "signature does not hold") {
			t.Fatalf("a forged token: %d %s", got, body)
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("200 forged tokens under a known key: the keys were fetched %d times, want 1", n)
	}
	for range 200 {
		if got, _ := ask(t, base, signed(forger, "other")); got != http.StatusUnauthorized && got != http.StatusTooManyRequests {
			t.Fatalf("a token of an unknown key: %d", got)
		}
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("and 200 under an unknown one: %d times, want 2", n)
	}
	if got, body := ask(t, base, signed(issuer, "1")); got != http.StatusOK {
		t.Errorf("the issuer's own: %d %s", got, body)
	}
}

// Were the digest of nothing configured, nothing would be everybody's key.
func TestAnEmptyTokenIsNobodysKey(t *testing.T) {
	cfg := parsed(t, "dev: true\nstore: \"memory:\"\nauth: {api_keys: [{name: setup, sha256: "+strings.Repeat("0a", 32)+"}]}\n")
	cfg.Auth.APIKeys[0].SHA256 = fmt.Sprintf("%x", sha256.Sum256(nil))
	s, err := server.New(t.Context(), cfg, &server.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, header := range []string{"Bearer ", "Bearer", "bearer "} {
		if w := asksAt(s, surface{http.MethodGet, "/api/servers", ""}, "Authorization", header); w.Code != http.StatusUnauthorized {
			t.Errorf("%q: %d %s", header, w.Code, w.Body)
		}
	}
}
