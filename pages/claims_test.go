package pages_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
)

// notNames are what cannot be the name of a person or a tenant.
var notNames = map[string]any{
	"a number": 7, "a list": []string{"acme"}, "an object": map[string]any{"id": "acme"}, "true": true, "null": json.RawMessage("null"), "nothing": "", "a space": " ",
	"spaces around": " acme ", "a line break": "ac\nme", "something that cannot be seen": "ac\u200bme", "600 bytes": strings.Repeat("x", 600),
	"a session's name": "mcp-session:x", "a call's name": "mcp-call:x",
}

// notSignedIn checks that an answer of the sign-in was refused, and that the log
// says which claim it was.
func notSignedIn(t *testing.T, s *site, b *browser, a *answer, claim string) {
	t.Helper()
	if a.want(http.StatusForbidden).says("That did not sign you in"); !strings.Contains(s.log.String(), "level=WARN") || !strings.Contains(s.log.String(), claim) {
		t.Errorf("the log says %s", s.log)
	}
	if who, err := principal(t, s, b); !errors.Is(err, pages.ErrNotSignedIn) {
		t.Errorf("signed in as %+v, %v", who, err)
	}
}

func TestOIDCRefusesAClaimThatIsNoName(t *testing.T) {
	for _, claim := range []string{"org", "sub"} {
		for what, value := range notNames {
			t.Run(claim+" is "+what, func(t *testing.T) {
				s, p := oidcSite(t, func(o *pages.OIDCOptions) { o.TenantClaim = "org" })
				p.set(func() { p.claims = map[string]any{"sub": "alice", "org": "acme"}; p.claims[claim] = value })
				b := s.browser()
				a := b.get(back(b, "/login"))
				named := claim
				if _, text := value.(string); claim == "sub" && !text {
					named = "" // the library reads it first
				}
				notSignedIn(t, s, b, a, named)
			})
		}
	}
}

func TestTheVerifierRefusesAClaimThatIsNoName(t *testing.T) {
	for _, claim := range []string{"tenant", "sub"} {
		for what, value := range notNames {
			t.Run(claim+" is "+what, func(t *testing.T) {
				v := newVerifier(t)
				b := v.site.browser()
				notSignedIn(t, v.site, b, b.get(v.forged(b, claim, value)), "")
			})
		}
	}
}

// forged is where a host application leads that says something of its own.
func (v *verifierSite) forged(b *browser, claim string, value any) string {
	v.t.Helper()
	_, asked := opened(v.t, v.challenge(b, "/login"))
	now := time.Now().Unix()
	said := map[string]any{"iss": verifierURL, "aud": secure, "sub": "mallory", "nonce": asked["jti"], "iat": now, "exp": now + 60}
	if claim != "" {
		said[claim] = value
	}
	return "/login/verified?" + url.Values{"answer": {signed(v.t, sharedKey, jose.HS256, "parley-answer+jwt", said)}}.Encode()
}

func TestATenantMayBeRequiredToSignIn(t *testing.T) {
	t.Run("OIDC", func(t *testing.T) {
		s, p := oidcSite(t, func(o *pages.OIDCOptions) { o.TenantRequired = true })
		b := s.browser()
		notSignedIn(t, s, b, b.get(back(b, "/login")), "tenant")
		p.set(func() { p.claims["tenant"] = "acme" })
		b.get(back(b, "/login")).leads("/login")
		if who, err := principal(t, s, b); err != nil || who.Tenant != "acme" {
			t.Errorf("%+v, %v", who, err)
		}
	})
	t.Run("verifier", func(t *testing.T) {
		v := newVerifier(t)
		v.site = newSite(t, secure, func(_ *site, o *pages.Options) {
			o.SignIn = pages.Verifier(&pages.VerifierOptions{URL: verifierURL, Key: sharedKey, TenantRequired: true})
		})
		b := v.site.browser()
		notSignedIn(t, v.site, b, b.get(v.forged(b, "", nil)), "tenant")
		b.get(v.forged(b, "tenant", "acme")).leads("/login")
	})
}

func TestPeopleOfAQualifiedSignInAreKnownByTheirIssuerToo(t *testing.T) {
	s, p := oidcSite(t, func(o *pages.OIDCOptions) { o.Qualified = true })
	p.set(func() { p.claims = map[string]any{"sub": "alice"} })
	q := s.open(parley.Request{To: "alice", Message: "for the other alice"})
	b := s.browser()
	b.get(back(b, "/login")).leads("/login")
	if who, err := principal(t, s, b); err != nil || who.User != issuer+"#alice" || who.User != pages.QualifiedName(issuer, "alice") {
		t.Errorf("%+v, %v", who, err)
	}
	b.get("/answer/" + string(q.ID)).want(http.StatusNotFound).lacks("for the other alice")
}
