package pages_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
)

const verifierURL = "https://app.example/verify?via=parley"

var sharedKey = []byte("shared with the host application")

// verifierSite is a site that asks the host application who somebody is.
type verifierSite struct {
	t    *testing.T
	site *site
	opts *pages.VerifierOptions
}

func newVerifier(t *testing.T) *verifierSite {
	v := &verifierSite{t: t, opts: &pages.VerifierOptions{URL: verifierURL, Key: sharedKey}}
	v.site = newSite(t, secure, func(_ *site, o *pages.Options) { o.SignIn = pages.Verifier(v.opts) })
	return v
}

// challenge begins a sign-in and returns what the host application gets.
func (v *verifierSite) challenge(b *browser, path string) string {
	v.t.Helper()
	location := b.get(path).want(http.StatusSeeOther).Header.Get("Location")
	u, err := url.Parse(location)
	if err != nil || !strings.HasPrefix(location, verifierURL+"&challenge=") {
		v.t.Fatalf("leads to %s, %v", location, err)
	}
	return u.Query().Get("challenge")
}

// signIn does all of it as the host application of this person would.
func (v *verifierSite) signIn(b *browser, who pages.Identity) *answer {
	v.t.Helper()
	return b.get(v.answer(v.challenge(b, "/login"), who))
}

// answer is where the host application sends the browser.
func (v *verifierSite) answer(challenge string, who pages.Identity) string {
	v.t.Helper()
	c, err := pages.VerifyChallenge(v.opts, secure, challenge)
	if err != nil {
		v.t.Fatal(err)
	}
	to, err := pages.SignAnswer(v.opts, c, who)
	if err != nil {
		v.t.Fatal(err)
	}
	return to
}

func TestVerifierSignsIn(t *testing.T) {
	v := newVerifier(t)
	b := v.site.browser()
	to := v.answer(v.challenge(b, "/login?next=/answer/x"), pages.Identity{User: "u-17", Tenant: "acme", Name: "Alice"})
	if !strings.HasPrefix(to, secure+"/login/verified?answer=") {
		t.Fatalf("the answer goes to %s", to)
	}
	b.get(to).leads("/answer/x")
	got, err := principal(t, v.site, b)
	if want := (parley.Principal{Tenant: "acme", User: "u-17", Method: "verifier"}); got != want || err != nil {
		t.Errorf("Principal = %+v, %v; want %+v", got, err, want)
	}
	b.get("/login").want(http.StatusOK).says("Alice (u-17)")
}

func TestVerifierWireFormatIsAsDocumented(t *testing.T) {
	v := newVerifier(t)
	raw := v.challenge(v.site.browser(), "/login")
	header, claims := opened(t, raw)
	if _, asked := claims["switch"]; asked {
		t.Error("nobody asked for another account")
	}
	if c, err := pages.VerifyChallenge(v.opts, secure, v.challenge(v.site.browser(), "/login?switch=1")); err != nil || !c.Switch {
		t.Errorf("asked for another account: %+v, %v", c, err)
	}
	if header["alg"] != "HS256" || header["typ"] != "parley-challenge+jwt" {
		t.Errorf("challenge header %v", header)
	}
	if claims["iss"] != secure || claims["aud"] != verifierURL || claims["return_to"] != secure+"/login/verified" ||
		claims["exp"].(float64)-claims["iat"].(float64) != 300 || len(claims["jti"].(string)) < 26 {
		t.Errorf("challenge claims %v", claims)
	}
	u, _ := url.Parse(v.answer(raw, pages.Identity{User: "u", Tenant: "acme"}))
	header, answered := opened(t, u.Query().Get("answer"))
	if header["alg"] != "HS256" || header["typ"] != "parley-answer+jwt" {
		t.Errorf("answer header %v", header)
	}
	if answered["iss"] != verifierURL || answered["aud"] != secure || answered["sub"] != "u" || answered["tenant"] != "acme" ||
		answered["nonce"] != claims["jti"] || answered["exp"].(float64)-answered["iat"].(float64) != 120 {
		t.Errorf("answer claims %v", answered)
	}
}

// opened reads a token without checking it.
func opened(t *testing.T, raw string) (header, claims map[string]any) {
	t.Helper()
	token, err := jwt.ParseSigned(raw, []jose.SignatureAlgorithm{jose.HS256})
	if err != nil {
		t.Fatal(err)
	}
	if err := token.Claims(sharedKey, &claims); err != nil {
		t.Fatal(err)
	}
	return map[string]any{"alg": token.Headers[0].Algorithm, "typ": token.Headers[0].ExtraHeaders["typ"]}, claims
}

// signed makes a token of any kind.
func signed(t *testing.T, key []byte, alg jose.SignatureAlgorithm, typ string, claims map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, (&jose.SignerOptions{}).WithType(jose.ContentType(typ)))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestVerifierRefusesAnswersThatDoNotHold(t *testing.T) {
	const typ = "parley-answer+jwt"
	hs512 := []byte(strings.Repeat("k", 64))
	good := func(nonce string) map[string]any {
		now := time.Now().Unix()
		return map[string]any{"iss": verifierURL, "aud": secure, "sub": "mallory", "nonce": nonce, "iat": now, "exp": now + 60}
	}
	with := func(name string, value any) func(*testing.T, string) string {
		return func(t *testing.T, nonce string) string {
			claims := good(nonce)
			if claims[name] = value; value == nil {
				delete(claims, name)
			}
			return signed(t, sharedKey, jose.HS256, typ, claims)
		}
	}
	for name, forge := range map[string]func(*testing.T, string) string{
		"wrong issuer":      with("iss", "https://evil.example"),
		"no issuer":         with("iss", nil),
		"wrong audience":    with("aud", "https://other.example"),
		"no audience":       with("aud", nil),
		"expired":           with("exp", time.Now().Add(-time.Minute).Unix()),
		"no expiry":         with("exp", nil),
		"valid for an hour": with("exp", time.Now().Add(time.Hour).Unix()),
		"issued in future":  with("iat", time.Now().Add(time.Hour).Unix()),
		"no issue time":     with("iat", nil),
		"another nonce":     with("nonce", strings.Repeat("A", 26)),
		"no nonce":          with("nonce", nil),
		"nobody":            with("sub", ""),
		"a session":         with("sub", "mcp-session:x"),
		"another key":       func(t *testing.T, n string) string { return signed(t, secret, jose.HS256, typ, good(n)) },
		"another algorithm": func(t *testing.T, n string) string { return signed(t, hs512, jose.HS512, typ, good(n)) },
		"challenge's type": func(t *testing.T, n string) string {
			return signed(t, sharedKey, jose.HS256, "parley-challenge+jwt", good(n))
		},
		"plain JWT": func(t *testing.T, n string) string { return signed(t, sharedKey, jose.HS256, "JWT", good(n)) },
		"empty":     func(*testing.T, string) string { return "" },
		"no token":  func(*testing.T, string) string { return "a.b.c" },
		"very long": func(*testing.T, string) string { return strings.Repeat("a", 20000) },
		"signature cut": func(t *testing.T, n string) string {
			s := signed(t, sharedKey, jose.HS256, typ, good(n))
			return s[:len(s)-2]
		},
		"signature taken off": func(t *testing.T, n string) string {
			s := signed(t, sharedKey, jose.HS256, typ, good(n))
			return s[:strings.LastIndex(s, ".")+1]
		},
		"algorithm none": func(t *testing.T, n string) string {
			s := signed(t, sharedKey, jose.HS256, typ, good(n))
			return "eyJhbGciOiJub25lIiwidHlwIjoicGFybGV5LWFuc3dlcitqd3QifQ" + s[strings.Index(s, "."):strings.LastIndex(s, ".")+1]
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVerifier(t)
			b := v.site.browser()
			_, claims := opened(t, v.challenge(b, "/login"))
			a := b.get("/login/verified?" + url.Values{"answer": {forge(t, claims["jti"].(string))}}.Encode())
			if a.StatusCode != http.StatusForbidden && a.StatusCode != http.StatusBadRequest {
				t.Errorf("status %d", a.StatusCode)
			}
			if who, err := principal(t, v.site, b); !errors.Is(err, pages.ErrNotSignedIn) {
				t.Errorf("signed in as %+v, %v", who, err)
			}
		})
	}
}

func TestChallengeDoesNotPassForAnAnswer(t *testing.T) {
	v := newVerifier(t)
	b := v.site.browser()
	raw := v.challenge(b, "/login")
	b.get("/login/verified?answer=" + raw).want(http.StatusForbidden).says("could not be verified")
	b.get(v.answer(raw, pages.Identity{User: "alice"})).leads("/login") // and it was not used up
}

func TestVerifierAnswerCountsOnce(t *testing.T) {
	v := newVerifier(t)
	b := v.site.browser()
	to := v.answer(v.challenge(b, "/login"), pages.Identity{User: "alice"})
	b.get(to).leads("/login")
	b.post("/logout", nil).want(http.StatusSeeOther)
	b.get(to).want(http.StatusBadRequest).says("used already")
	if _, err := principal(t, v.site, b); !errors.Is(err, pages.ErrNotSignedIn) {
		t.Errorf("a replay signs in: %v", err)
	}
}

func TestSignInFinishesOnlyInTheBrowserThatBeganIt(t *testing.T) {
	v := newVerifier(t)
	mallory, victim, busy := v.site.browser(), v.site.browser(), v.site.browser()
	to := v.answer(v.challenge(mallory, "/login"), pages.Identity{User: "mallory"})
	v.challenge(busy, "/login") // has a cookie of its own
	for _, b := range []*browser{victim, busy} {
		b.get(to).want(http.StatusBadRequest).says("not started in this browser")
		if who, err := principal(t, v.site, b); !errors.Is(err, pages.ErrNotSignedIn) {
			t.Errorf("signed in as %+v", who)
		}
	}
	mallory.get(to).leads("/login") // they did not use it up
}

func TestTwoTabsMaySignInAtOnce(t *testing.T) {
	v := newVerifier(t)
	b := v.site.browser()
	first := v.answer(v.challenge(b, "/login?next=/answer/1"), pages.Identity{User: "alice"})
	second := v.answer(v.challenge(b, "/login?next=/answer/2"), pages.Identity{User: "alice"})
	b.get(first).leads("/answer/1")
	b.get(second).leads("/answer/2")
}

func TestSignInMustFinishInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVerifier(t)
		b := v.site.browser()
		to := v.answer(v.challenge(b, "/login"), pages.Identity{User: "alice"})
		time.Sleep(151 * time.Second) // two minutes, and the clocks may differ by half of one
		b.get(to).want(http.StatusForbidden)

		raw := v.challenge(b, "/login")
		time.Sleep(331 * time.Second)
		if _, err := pages.VerifyChallenge(v.opts, secure, raw); !errors.Is(err, pages.ErrChallenge) {
			t.Errorf("an old challenge: %v", err)
		}
	})
}

func TestHostApplicationRefusesChallengesThatDoNotHold(t *testing.T) {
	v := newVerifier(t)
	raw := v.challenge(v.site.browser(), "/login")
	_, claims := opened(t, raw)
	elsewhere := map[string]any{}
	for k, x := range claims {
		elsewhere[k] = x
	}
	elsewhere["return_to"] = "https://evil.example/login/verified"
	u, _ := url.Parse(v.answer(raw, pages.Identity{User: "u"}))
	for name, c := range map[string]struct {
		opts      pages.VerifierOptions
		site, raw string
	}{
		"another site":     {*v.opts, "https://other.example", raw},
		"another verifier": {pages.VerifierOptions{URL: "https://app.example/other", Key: sharedKey}, secure, raw},
		"another key":      {pages.VerifierOptions{URL: verifierURL, Key: secret}, secure, raw},
		"leads elsewhere":  {*v.opts, secure, signed(t, sharedKey, jose.HS256, "parley-challenge+jwt", elsewhere)},
		"an answer":        {*v.opts, secure, u.Query().Get("answer")},
		"nothing":          {*v.opts, secure, ""},
	} {
		if _, err := pages.VerifyChallenge(&c.opts, c.site, c.raw); !errors.Is(err, pages.ErrChallenge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := pages.VerifyChallenge(v.opts, secure+"/", raw); err != nil {
		t.Errorf("a slash at the end of the public URL: %v", err)
	}
	if _, err := pages.SignAnswer(v.opts, pages.Challenge{Nonce: "x", ReturnTo: secure}, pages.Identity{}); !errors.Is(err, pages.ErrChallenge) {
		t.Errorf("an answer for nobody: %v", err)
	}
	if _, err := pages.SignAnswer(v.opts, pages.Challenge{Site: secure, ReturnTo: secure}, pages.Identity{User: "alice"}); !errors.Is(err, pages.ErrChallenge) {
		t.Errorf("an answer to a challenge that nobody verified: %v", err)
	}
}

func TestWeakSharedKeysAreRefused(t *testing.T) {
	s := devSite(t)
	weak := &pages.VerifierOptions{URL: verifierURL, Key: sharedKey[:31]}
	_, err := pages.New(s.hub, &pages.Options{PublicURL: secure, Records: s.store, Keys: s.keys, SignIn: pages.Verifier(weak)})
	if !errors.Is(err, pages.ErrVerifierKey) {
		t.Errorf("New: %v", err)
	}
	if _, err := pages.VerifyChallenge(weak, secure, ""); !errors.Is(err, pages.ErrVerifierKey) {
		t.Errorf("VerifyChallenge: %v", err)
	}
	if _, err := pages.SignAnswer(weak, pages.Challenge{}, pages.Identity{}); !errors.Is(err, pages.ErrVerifierKey) {
		t.Errorf("SignAnswer: %v", err)
	}
	for _, raw := range []string{"", "http://app.example/verify", "app.example", "javascript:x", "https://u:p@app.example/"} {
		_, err := pages.New(s.hub, &pages.Options{PublicURL: secure, Records: s.store, Keys: s.keys,
			SignIn: pages.Verifier(&pages.VerifierOptions{URL: raw, Key: sharedKey})})
		if err == nil {
			t.Errorf("the verifier %q was accepted", raw)
		}
	}
}

func TestSendingTheSignInFormElsewhereGoesByThePage(t *testing.T) {
	v := newVerifier(t)
	b := v.site.browser()
	b.post("/login", url.Values{"user": {"alice"}, "next": {"/answer/x"}}).forwards("/login?next=%2Fanswer%2Fx")
	if _, err := principal(t, v.site, b); !errors.Is(err, pages.ErrNotSignedIn) {
		t.Errorf("the picker's field signs in: %v", err)
	}
}
