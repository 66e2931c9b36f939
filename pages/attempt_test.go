package pages_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
)

// counting counts what is stored.
type counting struct {
	parley.Records
	saved atomic.Int64
}

func (c *counting) Save(ctx context.Context, r parley.Record) (int64, error) {
	c.saved.Add(1)
	return c.Records.Save(ctx, r)
}

// counted is a site where people sign in at a provider, and what it stores.
func counted(t *testing.T) (*site, *idp, *counting) {
	p := newIDP(t, issuer)
	records := &counting{}
	s := newSite(t, secure, func(s *site, o *pages.Options) {
		records.Records = s.store
		o.Records = records
		o.SignIn = pages.OIDC(&pages.OIDCOptions{Issuer: issuer, ClientID: p.client, ClientSecret: parley.Secret(p.secret), Client: &http.Client{Transport: s.web}})
	})
	s.web.serve("id.example", p)
	return s, p, records
}

func TestWhoeverOpensTheSignInPageStoresNothing(t *testing.T) {
	s, p, records := counted(t)
	b := s.browser()
	for range 100 {
		s.browser().get("/login").want(http.StatusSeeOther)
		b.get("/login?next=/answer/x").want(http.StatusSeeOther)
		s.browser().get("/login/callback?state=" + strings.Repeat("A", 26) + "&code=x").want(http.StatusBadRequest)
	}
	if n := records.saved.Load(); n != 0 {
		t.Errorf("300 requests of nobody stored %d records", n)
	}
	p.set(func() { p.claims["sub"] = "alice" })
	b.get(back(b, "/login?next=/answer/y")).leads("/answer/y")
	if n := records.saved.Load(); n != 2 { // that the state was used, and the session
		t.Errorf("a sign-in stored %d records", n)
	}
}

func TestABrowserKeepsFewAttemptsToSignIn(t *testing.T) {
	s, _, _ := counted(t)
	b := s.browser()
	var first, last string
	for n := range 20 {
		to := back(b, "/login?next=/answer/x")
		if n == 0 {
			first = to
		}
		last = to
	}
	u, _ := url.Parse(s.url)
	kept := 0
	for _, c := range b.client.Jar.Cookies(u) {
		if strings.Contains(c.Name, "signin") {
			kept++
		}
	}
	if kept > 5 {
		t.Errorf("the browser keeps %d cookies", kept)
	}
	b.get(first).want(http.StatusBadRequest)
	b.get(last).leads("/answer/x")
}

// Whoever copied the cookie and the address cannot use them a second time,
// whatever the browser was told to forget.
func TestACopiedAttemptCountsOnce(t *testing.T) {
	s, _, _ := counted(t)
	b := s.browser()
	to := back(b, "/login")
	u, _ := url.Parse(s.url)
	copied := b.client.Jar.Cookies(u)
	var won atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		thief := s.browser()
		thief.client.Jar.SetCookies(u, copied)
		all.Go(func() {
			if a := thief.get(to); a.StatusCode == http.StatusSeeOther {
				won.Add(1)
			}
		})
	}
	all.Wait()
	if n := won.Load(); n != 1 {
		t.Errorf("%d of 8 have signed in with one attempt", n)
	}
	if n := s.web.count("id.example/token"); n != 1 {
		t.Errorf("%d token requests", n)
	}
}

func TestAnAttemptIsForItsOwnState(t *testing.T) {
	s, _, _ := counted(t)
	b := s.browser()
	first, second := back(b, "/login?next=/answer/1"), back(b, "/login?next=/answer/2")
	u, _ := url.Parse(s.url)
	names := map[string]string{} // by the state's beginning
	for _, c := range b.client.Jar.Cookies(u) {
		if strings.Contains(c.Name, "signin") {
			names[c.Name] = c.Value
		}
	}
	if len(names) != 2 {
		t.Fatalf("%d attempts", len(names))
	}
	var keys, values []string
	for k, v := range names {
		keys, values = append(keys, k), append(values, v)
	}
	b.setCookie(keys[0], values[1])
	b.setCookie(keys[1], values[0])
	for _, to := range []string{first, second} {
		b.get(to).want(http.StatusBadRequest).says("not started in this browser")
	}
	if n := s.web.count("id.example/token"); n != 0 {
		t.Errorf("%d token requests", n)
	}
}

func TestAnAttemptIsOverAfterTenMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, _ := counted(t)
		b := s.browser()
		to := back(b, "/login")
		u, _ := url.Parse(s.url)
		copied := b.client.Jar.Cookies(u)
		time.Sleep(10*time.Minute + time.Second)
		thief := s.browser() // keeps cookies for as long as it likes
		thief.client.Jar.SetCookies(u, copied)
		thief.get(to).want(http.StatusBadRequest).says("took too long")
	})
}

func TestOIDCTokensThatDoNotHoldFetchTheKeysOnce(t *testing.T) {
	stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: stranger, KeyID: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, p, _ := counted(t)
	p.set(func() { p.signer = signer })
	b := s.browser()
	for range 20 {
		b.get(back(b, "/login")).want(http.StatusForbidden)
	}
	if n := s.web.count("id.example/keys"); n != 1 {
		t.Errorf("the keys were fetched %d times", n)
	}
}

func TestAProviderThatHangsIsLookedUpOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, _ := counted(t)
		hang := make(chan struct{})
		s.web.serve("id.example", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			<-hang
			http.Error(w, "out of order", http.StatusServiceUnavailable)
		}))
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() { s.browser().get("/login").want(http.StatusBadGateway).says("cannot be reached") })
		}
		synctest.Wait()
		close(hang)
		all.Wait()
		if n := s.web.count("id.example/.well-known/openid-configuration"); n != 1 {
			t.Errorf("50 people looked the provider up %d times", n)
		}
	})
}
