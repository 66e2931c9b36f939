package pages_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/passkey"
)

const issuer = "https://id.example"

// oidcSite is a site where people sign in at a provider.
func oidcSite(t *testing.T, change func(*pages.OIDCOptions)) (*site, *idp) {
	p := newIDP(t, issuer)
	s := newSite(t, secure, func(s *site, o *pages.Options) {
		opts := &pages.OIDCOptions{Issuer: issuer, ClientID: p.client, ClientSecret: parley.Secret(p.secret), Client: &http.Client{Transport: s.web}}
		if change != nil {
			change(opts)
		}
		o.SignIn = pages.OIDC(opts)
	})
	s.web.serve("id.example", p)
	return s, p
}

// back goes to the provider and returns where that sends the browser.
func back(b *browser, path string) string {
	b.t.Helper()
	a := b.get(path).want(http.StatusSeeOther)
	return b.get(a.Header.Get("Location")).want(http.StatusFound).Header.Get("Location")
}

func TestOIDCSignsIn(t *testing.T) {
	s, p := oidcSite(t, nil)
	p.claims = map[string]any{"sub": "u-17", "email": "alice@example.com"}
	b := s.browser()
	to := back(b, "/login?next=/answer/x")
	if !strings.HasPrefix(to, secure+"/login/callback?") {
		t.Fatalf("the provider sends to %s", to)
	}
	b.get(to).leads("/answer/x")
	got, err := principal(t, s, b)
	if want := (parley.Principal{Tenant: "default", User: "u-17", Method: "oidc"}); got != want || err != nil {
		t.Errorf("Principal = %+v, %v; want %+v", got, err, want)
	}
	b.get("/login").want(http.StatusOK).says("alice@example.com (u-17)")
	asked := p.asked[0]
	for name, want := range map[string]string{
		"response_type": "code", "client_id": "parley", "redirect_uri": secure + "/login/callback", "scope": "openid profile email",
		"code_challenge_method": "S256", "prompt": "",
	} {
		if asked.Get(name) != want {
			t.Errorf("%s = %q, want %q", name, asked.Get(name), want)
		}
	}
	if asked.Get("nonce") == "" || asked.Get("state") == "" || asked.Get("nonce") == asked.Get("state") {
		t.Errorf("nonce and state: %v", asked)
	}
}

func TestOIDCTenantIsAClaim(t *testing.T) {
	for claim, change := range map[string]func(*pages.OIDCOptions){
		"tenant": nil, "org": func(o *pages.OIDCOptions) { o.TenantClaim = "org" },
	} {
		s, p := oidcSite(t, change)
		p.claims = map[string]any{"sub": "alice", claim: "acme"}
		b := s.browser()
		b.get(back(b, "/login")).leads("/login")
		if who, err := principal(t, s, b); err != nil || who.Tenant != "acme" {
			t.Errorf("%s: %+v, %v", claim, who, err)
		}
	}
}

func TestOIDCSendsTheSecretWhereTheProviderWantsIt(t *testing.T) {
	for method, inBody := range map[string]bool{"client_secret_basic": false, "client_secret_post": true} {
		s, p := oidcSite(t, nil)
		p.meta["token_endpoint_auth_methods_supported"] = []string{method}
		p.token = func(w http.ResponseWriter, r *http.Request) {
			if _, _, basic := r.BasicAuth(); basic == inBody || (r.FormValue("client_secret") == p.secret) != inBody {
				t.Errorf("%s: in the header %t, in the body %q", method, basic, r.FormValue("client_secret"))
			}
			r.SetBasicAuth(p.client, p.secret)
			p.exchange(w, r)
		}
		b := s.browser()
		b.get(back(b, "/login")).leads("/login")
	}
}

func TestOIDCAsksAgainWhenSwitchingAccounts(t *testing.T) {
	s, p := oidcSite(t, nil)
	b := s.browser()
	b.get(back(b, "/login")).leads("/login")
	b.get(back(b, "/login?switch=1"))
	if got := p.asked[1].Get("prompt"); got != "login" {
		t.Errorf("prompt = %q", got)
	}
}

func TestOIDCRefusesAnswersThatDoNotHold(t *testing.T) {
	stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer := func(alg jose.SignatureAlgorithm, key any) jose.Signer {
		s, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: jose.JSONWebKey{Key: key, KeyID: "1"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for name, c := range map[string]struct {
		change func(*idp)
		tokens int // token requests that it takes to find out
	}{
		"another nonce":       {func(p *idp) { p.claims["nonce"] = "x" }, 1},
		"no nonce":            {func(p *idp) { p.claims["nonce"] = nil }, 1},
		"another audience":    {func(p *idp) { p.claims["aud"] = "other" }, 1},
		"another party":       {func(p *idp) { p.claims["aud"] = []string{"parley", "other"}; p.claims["azp"] = "other" }, 1},
		"two audiences":       {func(p *idp) { p.claims["aud"] = []string{"parley", "other"} }, 1},
		"another issuer":      {func(p *idp) { p.claims["iss"] = "https://evil.example" }, 1},
		"expired":             {func(p *idp) { p.claims["exp"] = time.Now().Add(-time.Hour).Unix() }, 1},
		"nobody":              {func(p *idp) { p.claims["sub"] = "" }, 1},
		"a session":           {func(p *idp) { p.claims["sub"] = "mcp-session:x" }, 1},
		"another key":         {func(p *idp) { p.signer = signer(jose.ES256, stranger) }, 1},
		"the client's secret": {func(p *idp) { p.signer = signer(jose.HS256, []byte(strings.Repeat("k", 32))) }, 1},
		"iss of another":      {func(p *idp) { p.answers["iss"] = "https://evil.example" }, 0},
		"no iss though promised": {func(p *idp) {
			p.meta["authorization_response_iss_parameter_supported"] = true
			p.answers["iss"] = ""
		}, 0},
		"declined":      {func(p *idp) { p.answers["error"] = "access_denied" }, 0},
		"failed":        {func(p *idp) { p.answers["error"] = "<script>alert(1)</script>" }, 0},
		"another code":  {func(p *idp) { p.answers["code"] = "x" }, 1},
		"no code":       {func(p *idp) { p.answers["code"] = "" }, 0},
		"another state": {func(p *idp) { p.answers["state"] = strings.Repeat("A", 26) }, 0},
		"no state":      {func(p *idp) { p.answers["state"] = "" }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, p := oidcSite(t, nil)
			p.set(func() { c.change(p) })
			b := s.browser()
			to := back(b, "/login?next=/answer/x")
			a := b.get(to)
			if a.StatusCode != http.StatusForbidden && a.StatusCode != http.StatusBadRequest {
				t.Errorf("status %d", a.StatusCode)
			}
			a.lacks("alert(1)", "secret words")
			a.one("a", "class=button primary")
			if who, err := principal(t, s, b); !errors.Is(err, pages.ErrNotSignedIn) {
				t.Errorf("signed in as %+v, %v", who, err)
			}
			if got := s.web.count("id.example/token"); got != c.tokens {
				t.Errorf("%d token requests, want %d", got, c.tokens)
			}
			code, _ := url.Parse(to)
			for _, secret := range []string{code.Query().Get("code"), p.secret, "secret words"} {
				if len(secret) > 1 && strings.Contains(s.log.String(), secret) {
					t.Errorf("the log has %q:\n%s", secret, s.log)
				}
			}
			b.get(to).want(http.StatusBadRequest) // whatever it was, it was used up
			if got := s.web.count("id.example/token"); got != c.tokens {
				t.Errorf("the replay reached the provider")
			}
		})
	}
}

func TestOIDCCallbackWithoutTheBrowsersCookieIsRefused(t *testing.T) {
	s, _ := oidcSite(t, nil)
	mallory, victim, busy := s.browser(), s.browser(), s.browser()
	to := back(mallory, "/login")
	back(busy, "/login")
	for _, b := range []*browser{victim, busy} {
		b.get(to).want(http.StatusBadRequest).says("not started in this browser")
		if _, err := principal(t, s, b); !errors.Is(err, pages.ErrNotSignedIn) {
			t.Errorf("signed in: %v", err)
		}
	}
	if got := s.web.count("id.example/token"); got != 0 {
		t.Errorf("%d token requests", got)
	}
	mallory.get(to).leads("/login")
}

func TestOIDCStateCountsOnce(t *testing.T) {
	s, _ := oidcSite(t, nil)
	b := s.browser()
	to := back(b, "/login")
	b.get(to).leads("/login")
	b.get(to).want(http.StatusBadRequest).says("used already")
	if got := s.web.count("id.example/token"); got != 1 {
		t.Errorf("%d token requests", got)
	}
}

func TestOIDCProviderThatIsDownStopsNobodyForLong(t *testing.T) {
	s, p := oidcSite(t, nil)
	p.set(func() { p.down = true })
	b := s.browser()
	b.get("/login").want(http.StatusBadGateway).says("cannot be reached", "Try again").lacks("out of order")
	b.get("/login").want(http.StatusBadGateway)
	p.set(func() { p.down = false })
	to := back(b, "/login")
	if got := s.web.count("id.example/.well-known/openid-configuration"); got != 3 {
		t.Errorf("looked up %d times", got)
	}
	p.set(func() { p.down = true })
	b.get(to).want(http.StatusBadGateway).says("cannot be reached")
	p.set(func() { p.down = false })
	b.get(back(b, "/login")).leads("/login")
	if got := s.web.count("id.example/.well-known/openid-configuration"); got != 3 {
		t.Errorf("looked up %d times, though it was known", got)
	}
}

func TestOIDCProviderMustBeWhoItIsConfiguredToBe(t *testing.T) {
	for name, meta := range map[string]map[string]any{
		"another issuer":   {"issuer": "https://evil.example"},
		"a script":         {"authorization_endpoint": "javascript:alert(1)"},
		"a user name":      {"authorization_endpoint": "https://id.example@evil.example/"},
		"a confusing host": {"authorization_endpoint": "https://аррӏе.com/authorize"},
	} {
		s, p := oidcSite(t, nil)
		p.meta = meta
		if a := s.browser().get("/login").want(http.StatusBadGateway); a.Header.Get("Location") != "" {
			t.Errorf("%s: leads to %s", name, a.Header.Get("Location"))
		}
	}
}

func TestOIDCTokenEndpointMayAnswerAnything(t *testing.T) {
	for name, c := range map[string]struct {
		token http.HandlerFunc
		want  int
	}{
		"nothing":     {func(http.ResponseWriter, *http.Request) {}, http.StatusBadGateway},
		"text":        {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, http.StatusBadGateway},
		"an error":    {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "x", http.StatusInternalServerError) }, http.StatusBadGateway},
		"no id token": {func(w http.ResponseWriter, _ *http.Request) { writeToken(w, `{"access_token":"a"}`) }, http.StatusForbidden},
		"a number":    {func(w http.ResponseWriter, _ *http.Request) { writeToken(w, `{"access_token":"a","id_token":1}`) }, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			s, p := oidcSite(t, nil)
			p.token = c.token
			b := s.browser()
			b.get(back(b, "/login")).want(c.want)
			if _, err := principal(t, s, b); !errors.Is(err, pages.ErrNotSignedIn) {
				t.Error("signed in")
			}
		})
	}
}

func writeToken(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, body)
}

func TestOIDCOptionsAreChecked(t *testing.T) {
	s := devSite(t)
	for _, o := range []pages.OIDCOptions{
		{ClientID: "x"}, {Issuer: "id.example", ClientID: "x"}, {Issuer: "http://id.example", ClientID: "x"}, {Issuer: issuer},
	} {
		if _, err := pages.New(s.hub, &pages.Options{PublicURL: secure, Records: s.store, Keys: s.keys, SignIn: pages.OIDC(&o)}); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}

// By default the guarded client is used: it reaches an issuer on this machine
// because that is configured, and nothing else here.
func TestOIDCDialsNobodyItShouldNot(t *testing.T) {
	var provider *idp
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { provider.ServeHTTP(w, r) }))
	defer server.Close()
	provider = newIDP(t, server.URL)
	signIn := func(issuer string) *browser {
		return newSite(t, local, func(_ *site, o *pages.Options) {
			o.SignIn = pages.OIDC(&pages.OIDCOptions{Issuer: issuer, ClientID: provider.client, ClientSecret: parley.Secret(provider.secret)})
		}).browser()
	}
	signIn(server.URL).get("/login").want(http.StatusSeeOther)
	signIn("https://10.0.0.1").get("/login").want(http.StatusBadGateway)
	signIn("https://169.254.169.254").get("/login").want(http.StatusBadGateway)
}

// What the provider was told to do went by the browser, which can leave it out: only what
// the provider says proves that it asked.
func TestOnlyAuthTimeProvesThatSomebodySignedInAnew(t *testing.T) {
	for name, c := range map[string]struct {
		authTime any
		trust    bool
		fresh    bool
	}{
		"the provider says that it asked":        {time.Now().Unix(), false, true},
		"it asked an hour ago":                   {time.Now().Add(-time.Hour).Unix(), false, false},
		"an hour ago, and its prompt is trusted": {time.Now().Add(-time.Hour).Unix(), true, false},
		"it says nothing":                        {nil, false, false},
		"nothing, and its prompt is trusted":     {nil, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := newIDP(t, issuer)
			s := newSite(t, secure, func(s *site, o *pages.Options) {
				o.SignIn = pages.OIDC(&pages.OIDCOptions{
					Issuer: issuer, ClientID: p.client, ClientSecret: parley.Secret(p.secret), TrustPrompt: c.trust, Client: &http.Client{Transport: s.web},
				})
				var err error
				if o.Passkeys, err = passkey.New(parley.NewMemoryStore(), &passkey.Options{PublicURL: secure}); err != nil {
					t.Fatal(err)
				}
			})
			s.web.serve("id.example", p)
			p.claims = map[string]any{"sub": "alice", "auth_time": c.authTime}
			b := s.browser()
			b.get(back(b, "/login?switch=1"))
			if asked := p.asked[0]; asked.Get("prompt") != "login" || asked.Get("max_age") != "0" {
				t.Errorf("the provider was asked %v", asked)
			}
			page := b.get("/inbox/passkeys").want(http.StatusOK)
			if c.fresh {
				page.says("Add a passkey").lacks("sign in again", "auth_time")
				return
			}
			page.says("sign in again").lacks("Add a passkey")
			if c.authTime == nil {
				page.says("does not say when people prove who they are")
			}
		})
	}
}
