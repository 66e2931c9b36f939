package jwks_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-jose/go-jose/v4"
	"go.uber.org/goleak"

	"github.com/parley-hq/parley/pages/jwks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// issuer publishes keys without a socket, counts who asks, and can be told to
// misbehave.
type issuer struct {
	mu    sync.Mutex
	keys  []jose.JSONWebKey
	asked int
	hang  bool
	body  string // instead of the keys
}

func (i *issuer) RoundTrip(r *http.Request) (*http.Response, error) {
	i.mu.Lock()
	i.asked++
	hang, body, set := i.hang, i.body, jose.JSONWebKeySet{Keys: i.keys}
	i.mu.Unlock()
	if hang {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	status := http.StatusOK
	if body == "down" {
		status = http.StatusServiceUnavailable
	} else if body == "" {
		raw, err := json.Marshal(set)
		if err != nil {
			return nil, err
		}
		body = string(raw)
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

func (i *issuer) set(change func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	change()
}

func (i *issuer) wantAsked(t *testing.T, n int) {
	t.Helper()
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.asked != n {
		t.Fatalf("the issuer was asked %d times, want %d", i.asked, n)
	}
}

func (i *issuer) open() *jwks.Set {
	return jwks.New("https://id.example/keys", &jwks.Options{Client: &http.Client{Transport: i}, Logger: slog.New(slog.DiscardHandler)})
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func public(key *ecdsa.PrivateKey, name string) jose.JSONWebKey {
	return jose.JSONWebKey{Key: key.Public(), KeyID: name, Algorithm: "ES256", Use: "sig"}
}

func signed(t *testing.T, alg jose.SignatureAlgorithm, key any, name string) string {
	t.Helper()
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: jose.JSONWebKey{Key: key, KeyID: name}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	object, err := s.Sign([]byte(`{"sub":"alice"}`))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := object.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func wantErr(t *testing.T, s *jwks.Set, token string, want error) {
	t.Helper()
	payload, err := s.VerifySignature(t.Context(), token)
	if !errors.Is(err, want) || want == nil && string(payload) != `{"sub":"alice"}` {
		t.Fatalf("VerifySignature = %s, %v; want %v", payload, err, want)
	}
}

func TestASignatureThatDoesNotHoldFetchesNothing(t *testing.T) {
	key, forger := newKey(t), newKey(t)
	i := &issuer{keys: []jose.JSONWebKey{public(key, "1")}}
	s := i.open()
	wantErr(t, s, signed(t, jose.ES256, key, "1"), nil)
	for range 100 {
		wantErr(t, s, signed(t, jose.ES256, forger, "1"), jwks.ErrSignature)
	}
	i.wantAsked(t, 1)
}

func TestAnUnknownKeyFetchesOnceAnInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		old, fresh := newKey(t), newKey(t)
		i := &issuer{keys: []jose.JSONWebKey{public(old, "1")}}
		s := i.open()
		wantErr(t, s, signed(t, jose.ES256, old, "1"), nil)
		for range 100 {
			wantErr(t, s, signed(t, jose.ES256, fresh, "2"), jwks.ErrSignature)
		}
		i.wantAsked(t, 2) // the first was no refetch
		i.set(func() { i.keys = []jose.JSONWebKey{public(fresh, "2")} })
		time.Sleep(59 * time.Second)
		wantErr(t, s, signed(t, jose.ES256, fresh, "2"), jwks.ErrSignature)
		time.Sleep(time.Second)
		wantErr(t, s, signed(t, jose.ES256, fresh, "2"), nil)
		wantErr(t, s, signed(t, jose.ES256, old, "1"), jwks.ErrSignature) // it is gone
		i.wantAsked(t, 3)
	})
}

func TestARotatedKeyIsFoundAtOnce(t *testing.T) {
	old, fresh := newKey(t), newKey(t)
	i := &issuer{keys: []jose.JSONWebKey{public(old, "1")}}
	s := i.open()
	wantErr(t, s, signed(t, jose.ES256, old, "1"), nil)
	i.set(func() { i.keys = append(i.keys, public(fresh, "2")) })
	wantErr(t, s, signed(t, jose.ES256, fresh, "2"), nil)
	wantErr(t, s, signed(t, jose.ES256, old, "1"), nil)
	i.wantAsked(t, 2)
}

func TestATokenWithoutAKeysNameIsTriedWithEach(t *testing.T) {
	key, other, forger := newKey(t), newKey(t), newKey(t)
	i := &issuer{keys: []jose.JSONWebKey{public(other, "1"), public(key, "2")}}
	s := i.open()
	wantErr(t, s, signed(t, jose.ES256, key, ""), nil)
	for range 100 {
		wantErr(t, s, signed(t, jose.ES256, forger, ""), jwks.ErrSignature)
	}
	i.wantAsked(t, 2)
}

func TestAnIssuerThatHangsHoldsNobodyForLongAndIsAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		key := newKey(t)
		i := &issuer{keys: []jose.JSONWebKey{public(key, "1")}, hang: true}
		s := i.open()
		began := time.Now()
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if _, err := s.VerifySignature(t.Context(), signed(t, jose.ES256, key, "1")); !errors.Is(err, jwks.ErrUnavailable) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if waited := time.Since(began); waited != 5*time.Second {
			t.Errorf("they waited for %v", waited)
		}
		i.wantAsked(t, 1)

		leaving, leave := context.WithCancel(t.Context())
		leave()
		if _, err := s.VerifySignature(leaving, signed(t, jose.ES256, key, "1")); !errors.Is(err, context.Canceled) {
			t.Errorf("who left: %v", err)
		}
		wantErr(t, s, signed(t, jose.ES256, key, "1"), jwks.ErrUnavailable) // the second time
		began = time.Now()
		for range 100 {
			wantErr(t, s, signed(t, jose.ES256, key, "1"), jwks.ErrUnavailable)
		}
		if waited := time.Since(began); waited != 0 {
			t.Errorf("after that they waited for %v", waited)
		}
		i.wantAsked(t, 2)
		i.set(func() { i.hang = false })
		time.Sleep(time.Minute)
		wantErr(t, s, signed(t, jose.ES256, key, "1"), nil)
	})
}

func TestKnownKeysVerifyWhileTheIssuerIsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		key := newKey(t)
		i := &issuer{keys: []jose.JSONWebKey{public(key, "1")}}
		s := i.open()
		wantErr(t, s, signed(t, jose.ES256, key, "1"), nil)
		i.set(func() { i.hang = true })
		asking := make(chan error)
		go func() {
			_, err := s.VerifySignature(t.Context(), signed(t, jose.ES256, key, "other"))
			asking <- err
		}()
		synctest.Wait()
		wantErr(t, s, signed(t, jose.ES256, key, "1"), nil)
		if err := <-asking; !errors.Is(err, jwks.ErrUnavailable) {
			t.Error(err)
		}
		time.Sleep(24 * time.Hour)
		began := time.Now()
		wantErr(t, s, signed(t, jose.ES256, key, "1"), nil)
		if waited := time.Since(began); waited != 0 {
			t.Errorf("it waited for %v", waited)
		}
		time.Sleep(5 * time.Second) // the fetch in the background gives up
	})
}

func TestAKeyThatWasTakenBackIsNotBelievedForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		leaked, fresh := newKey(t), newKey(t)
		i := &issuer{keys: []jose.JSONWebKey{public(leaked, "1")}}
		s := i.open()
		wantErr(t, s, signed(t, jose.ES256, leaked, "1"), nil)
		i.set(func() { i.keys = []jose.JSONWebKey{public(fresh, "2")} })
		time.Sleep(time.Hour + time.Second)
		wantErr(t, s, signed(t, jose.ES256, leaked, "1"), nil) // nobody waits for the new ones
		synctest.Wait()
		wantErr(t, s, signed(t, jose.ES256, leaked, "1"), jwks.ErrSignature)
	})
}

func TestOnlyPublicKeysVerify(t *testing.T) {
	key := newKey(t)
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	secret := []byte("a secret that somebody has published")
	i := &issuer{keys: []jose.JSONWebKey{
		public(key, "1"), {Key: secret, KeyID: "secret"}, {Key: newKey(t).Public(), KeyID: "enc", Use: "enc"},
	}}
	s := i.open()
	good := strings.Split(signed(t, jose.ES256, key, "1"), ".")
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","kid":"1"}`))
	for name, token := range map[string]string{
		"not signed":                  none + "." + good[1] + ".",
		"with the public key as hmac": signed(t, jose.HS256, der, "1"),
		"with a published secret":     signed(t, jose.HS256, secret, "secret"),
		"nothing":                     "",
		"no token":                    "a.b.c",
		"as JSON":                     `{"payload":"` + good[1] + `","protected":"` + good[0] + `","signature":"` + good[2] + `"}`,
		"very long":                   strings.Repeat("a", 1<<20),
	} {
		if _, err := s.VerifySignature(t.Context(), token); !errors.Is(err, jwks.ErrSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
	i.wantAsked(t, 0)
	wantErr(t, s, signed(t, jose.ES256, newKey(t), "enc"), jwks.ErrSignature)
	wantErr(t, s, strings.Join(good, "."), nil)
}

func TestDocumentsThatAreNoKeySetsAreRefused(t *testing.T) {
	key := newKey(t)
	many := make([]jose.JSONWebKey, 65)
	for n := range many {
		many[n] = public(key, "1")
	}
	crowd, err := json.Marshal(jose.JSONWebKeySet{Keys: many})
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{
		"down": "down", "text": "<html>", "no keys": `{"keys":[]}`, "strange keys": `{"keys":[{"kty":"X"},{"kty":"oct","k":"c2VjcmV0"}]}`,
		"too long": `{"keys":[],"x":"` + strings.Repeat("x", 256<<10) + `"}`, "too many": string(crowd),
	} {
		i := &issuer{body: body}
		if _, err := i.open().VerifySignature(t.Context(), signed(t, jose.ES256, key, "1")); !errors.Is(err, jwks.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
