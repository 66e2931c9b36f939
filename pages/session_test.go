package pages_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/seal"
)

const session = "parley_session"

func TestSessionCookieOnLoopbackIsPlainHTTPOnlyAndLax(t *testing.T) {
	a := devSite(t).browser().post("/login", url.Values{"user": {"alice"}}).leads("/login")
	c := cookieOf(t, a, session)
	if c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" || c.MaxAge != 12*60*60 {
		t.Errorf("cookie %v", c)
	}
	if len(c.Value) < 26 {
		t.Errorf("a key of %d characters", len(c.Value))
	}
}

func TestSessionCookieOverHTTPSHasTheHostPrefix(t *testing.T) {
	v := newVerifier(t)
	c := cookieOf(t, v.signIn(v.site.browser(), pages.Identity{User: "alice"}), "__Host-parley_session")
	if !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
		t.Errorf("cookie %v", c)
	}
}

func cookieOf(t *testing.T, a *answer, name string) *http.Cookie {
	t.Helper()
	for _, c := range a.Cookies() {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no cookie %s in %v", name, a.Header["Set-Cookie"])
	return nil
}

func principal(t *testing.T, s *site, b *browser) (parley.Principal, error) {
	t.Helper()
	r := b.request(http.MethodGet, "/anything", nil)
	for _, c := range b.client.Jar.Cookies(r.URL) {
		r.AddCookie(c)
	}
	return s.Principal(r)
}

func TestPrincipalIsWhoSignedIn(t *testing.T) {
	s := devSite(t)
	got, err := principal(t, s, s.as("alice"))
	if want := (parley.Principal{Tenant: "default", User: "alice", Method: "dev"}); got != want || err != nil {
		t.Errorf("Principal = %+v, %v; want %+v", got, err, want)
	}
	if got, err := principal(t, s, s.browser()); !errors.Is(err, pages.ErrNotSignedIn) || got != (parley.Principal{}) {
		t.Errorf("of nobody: %+v, %v", got, err)
	}
}

func TestForgedCookiesSignNobodyIn(t *testing.T) {
	s := devSite(t)
	real := s.as("alice").cookie(session)
	for name, value := range map[string]string{
		"empty":          "",
		"a user":         "alice",
		"another random": strings.Repeat("A", len(real)),
		"lower case":     strings.ToLower(real),
		"cut":            real[1:],
		"longer":         real + "A",
		"very long":      strings.Repeat("A", 5000),
	} {
		b := s.browser()
		b.setCookie(session, value)
		if got, err := principal(t, s, b); !errors.Is(err, pages.ErrNotSignedIn) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestTheStoreHoldsNoKeyThatSignsIn(t *testing.T) {
	s := devSite(t)
	key := s.as("alice").cookie(session)
	list, err := s.store.Scan(t.Context(), parley.Address{Tenant: "default", Kind: "session"}, "", 10)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d sessions, %v", len(list), err)
	}
	if r := list[0]; r.Key == key || strings.Contains(string(r.Data), key) || !seal.Sealed(r.Data) || r.Owner != "alice" || r.Expires.IsZero() {
		t.Errorf("record %+v", r)
	}
	b := s.browser()
	b.setCookie(session, list[0].Key)
	if _, err := principal(t, s, b); !errors.Is(err, pages.ErrNotSignedIn) {
		t.Errorf("the stored key signs in: %v", err)
	}
}

func TestSessionMovedToAnotherPersonDoesNotOpen(t *testing.T) {
	s := devSite(t)
	alice := s.as("alice")
	list, err := s.store.Scan(t.Context(), parley.Address{Tenant: "default", Kind: "session"}, "", 10)
	if err != nil {
		t.Fatal(err)
	}
	list[0].Owner = "bob"
	if _, err := s.store.Save(t.Context(), list[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := principal(t, s, alice); !errors.Is(err, pages.ErrNotSignedIn) {
		t.Errorf("it opens: %v", err)
	}
	alice.get("/logout").want(http.StatusOK).says("You are signed out")
}

func TestSessionEndsAfterItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, local, func(_ *site, o *pages.Options) { o.SessionTTL = time.Hour })
		q := s.open(parley.Request{Expires: time.Now().Add(24 * time.Hour)})
		alice := s.as("alice")
		key := alice.cookie(session)
		time.Sleep(time.Hour - time.Second)
		alice.get("/answer/" + string(q.ID)).want(http.StatusOK)
		time.Sleep(2 * time.Second)
		alice.setCookie(session, key) // the browser would have dropped it
		alice.get("/answer/" + string(q.ID)).want(http.StatusSeeOther)
	})
}

func TestSessionGetsAFreshKeyAtEverySignIn(t *testing.T) {
	s := devSite(t)
	b := s.browser()
	planted := strings.Repeat("A", 26)
	b.setCookie(session, planted)
	b.post("/login", url.Values{"user": {"alice"}}).want(http.StatusSeeOther)
	first := b.cookie(session)
	if first == planted {
		t.Fatal("the planted key was taken over")
	}
	b.post("/login", url.Values{"user": {"alice"}}).want(http.StatusSeeOther)
	if b.cookie(session) == first {
		t.Error("the second sign-in kept the key")
	}
	thief := s.browser()
	for _, key := range []string{planted, first} {
		thief.setCookie(session, key)
		if _, err := principal(t, s, thief); !errors.Is(err, pages.ErrNotSignedIn) {
			t.Errorf("an older key signs in: %v", err)
		}
	}
}

func TestSigningOutEndsTheSessionEverywhere(t *testing.T) {
	s := devSite(t)
	alice, copied, elsewhere := s.as("alice"), s.browser(), s.as("alice")
	copied.setCookie(session, alice.cookie(session))
	alice.get("/logout").want(http.StatusOK).says("Sign out?", "alice")
	if _, err := principal(t, s, copied); err != nil {
		t.Fatalf("the page alone signed out: %v", err)
	}
	alice.follow(alice.post("/logout", nil).leads("/logout")).says("You are signed out")
	if got := alice.cookie(session); got != "" {
		t.Errorf("the browser keeps %q", got)
	}
	if _, err := principal(t, s, copied); !errors.Is(err, pages.ErrNotSignedIn) {
		t.Errorf("the copy lives: %v", err)
	}
	if got, err := principal(t, s, elsewhere); err != nil || got.User != "alice" {
		t.Errorf("her other browser: %+v, %v", got, err)
	}
	alice.post("/logout", nil).leads("/logout") // twice does no harm
}

func TestTwoBrowsersAreTwoPeople(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Message: "Only for Alice"})
	alice, bob := s.as("alice"), s.as("bob")
	for range 2 {
		alice.get("/answer/"+string(q.ID)).want(http.StatusOK).says("Only for Alice", "You are answering as alice")
		bob.get("/answer/" + string(q.ID)).want(http.StatusNotFound).says("bob").lacks("Only for Alice")
	}
}

// brokenRecords fail to load.
type brokenRecords struct{ parley.Records }

var errBroken = errors.New("disk on fire")

func (brokenRecords) Load(context.Context, parley.Address) (parley.Record, error) {
	return parley.Record{}, errBroken
}

func TestFailingStoreIsNotASignedOutPerson(t *testing.T) {
	s := newSite(t, local, func(s *site, o *pages.Options) { o.Records = brokenRecords{s.store} })
	b := s.as("alice")
	if _, err := principal(t, s, b); !errors.Is(err, errBroken) || errors.Is(err, pages.ErrNotSignedIn) {
		t.Errorf("Principal: %v", err)
	}
	q := s.open(parley.Request{})
	for _, path := range []string{"/answer/" + string(q.ID), "/login", "/logout", "/auth/status?elicitation_id=" + string(q.ID)} {
		b.get(path).want(http.StatusServiceUnavailable).lacks("fire")
	}
	if !strings.Contains(s.log.String(), "fire") {
		t.Error("nobody was told why")
	}
}

func TestSecretsAreNotLogged(t *testing.T) {
	s := devSite(t)
	b := s.as("alice")
	q := s.open(parley.Request{})
	b.get("/answer/" + string(q.ID)).want(http.StatusOK)
	b.post("/answer/"+string(q.ID), url.Values{"action": {"decline"}}).want(http.StatusSeeOther)
	key := b.cookie(session)
	b.post("/logout", nil)
	if strings.Contains(s.log.String(), key) {
		t.Errorf("the log has the cookie:\n%s", s.log)
	}
}
