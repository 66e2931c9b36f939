package pages_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
)

// Whoever signs in cannot do anything about a registration that is wrong, and is
// not told to try.
func TestOIDCARegistrationThatIsWrongIsTheOperators(t *testing.T) {
	for name, change := range map[string]func(*idp){
		"the secret":       func(p *idp) { p.secret = "another" },
		"the client":       func(p *idp) { p.answers["error"], p.answers["code"] = "unauthorized_client", "" },
		"the scopes":       func(p *idp) { p.answers["error"], p.answers["code"] = "invalid_scope", "" },
		"the redirect URI": func(p *idp) { p.answers["error"], p.answers["code"] = "invalid_request", "" },
	} {
		s, p := oidcSite(t, nil)
		b := s.browser()
		p.set(func() { change(p) })
		b.get(back(b, "/login")).want(http.StatusBadGateway).says("Sign-in is not set up correctly", "Tell the administrator").lacks("Sign in again")
		if log := s.log.String(); !strings.Contains(log, "auth.oidc") || !strings.Contains(log, "client_secret") {
			t.Errorf("%s: the log does not say what to look at:\n%s", name, log)
		}
	}
	s, p := oidcSite(t, nil)
	b := s.browser()
	p.set(func() { p.answers["error"], p.answers["code"] = "temporarily_unavailable", "" })
	b.get(back(b, "/login")).want(http.StatusBadGateway).says("Try again in a minute")
}

func TestOIDCDecliningThereIsSaidAndCanBeTriedAgain(t *testing.T) {
	s, p := oidcSite(t, nil)
	b := s.browser()
	p.set(func() { p.answers["error"], p.answers["code"] = "access_denied", "" })
	a := b.get(back(b, "/login?next=/answer/x")).want(http.StatusForbidden).says("You were not signed in", "declined")
	if to := attr(a.one("a", "class=button primary"), "href"); to != "/login?next=%2Fanswer%2Fx" {
		t.Errorf("it is tried again at %s", to)
	}
}

func TestOIDCAsksForEachScopeOnce(t *testing.T) {
	s, p := oidcSite(t, func(o *pages.OIDCOptions) { o.Scopes = []string{"openid", "profile", "email", "profile"} })
	b := s.browser()
	back(b, "/login")
	if got := p.asked[0].Get("scope"); got != "openid profile email" {
		t.Errorf("scope = %q", got)
	}
}

// Saying no at the provider is an answer, and nothing went wrong.
func TestDecliningAtTheProviderIsAnAnswer(t *testing.T) {
	v := newVaultSite(t)
	q := v.askAlice("tracker")
	b := v.as("alice")
	v.acme.set(func() { v.acme.answers["error"], v.acme.answers["code"] = "access_denied", "" })
	a := b.get(v.consent(b, "acme", q)).want(http.StatusOK).says("Not connected", "You declined at Acme", "ask for it again where you came from")
	if got := attr(a.one("main"), "data-action"); got != string(parley.Decline) {
		t.Errorf("the window that opened this is told %q", got)
	}
}

// Who signs in without wanting to go anywhere learns who they are and where they
// could go.
func TestSigningInWithoutAPlaceToGoLeadsSomewhere(t *testing.T) {
	s := newSite(t, local, func(_ *site, o *pages.Options) { o.Home = pages.Link{Path: "/", Text: "Talk with the assistant"} })
	b := s.as("alice")
	a := b.get("/login").want(http.StatusOK).says("You are signed in", "alice", "Talk with the assistant", "Sign out", "Use another account")
	if to := attr(a.one("a", "class=button primary"), "href"); to != "/" {
		t.Errorf("it leads to %q", to)
	}
	b = newSite(t, local, nil).as("alice")
	b.get("/login").want(http.StatusOK).says("You are signed in", "alice", "Sign out", "link that you were given").lacks("Talk with")
	b.get("/logout").want(http.StatusOK).says("Sign out?")
}
