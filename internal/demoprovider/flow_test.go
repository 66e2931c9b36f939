package demoprovider_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/oauth2"

	"github.com/parley-hq/parley/internal/demoprovider"
)

func TestAPersonSignsInAndAllowsAndTheApplicationGetsTokens(t *testing.T) {
	for _, path := range []string{"", "/acme", "/tenants/acme"} {
		for name, adapt := range map[string]func(*oauth2.Config){
			"a secret in the header": func(c *oauth2.Config) { c.Endpoint.AuthStyle = oauth2.AuthStyleInHeader },
			"a secret in the body":   func(c *oauth2.Config) { c.Endpoint.AuthStyle = oauth2.AuthStyleInParams },
			"a public client": func(c *oauth2.Config) {
				c.ClientID, c.ClientSecret, c.Endpoint.AuthStyle = "public", "", oauth2.AuthStyleInParams
			},
			"a public client in the header": func(c *oauth2.Config) { c.ClientID, c.ClientSecret = "public", "" },
		} {
			t.Run(name+" at issuer path "+path, func(t *testing.T) {
				f := start(t, func(o *demoprovider.Options) { o.Issuer += path })
				config := f.client("read")
				adapt(config)
				token := f.connect(t, "alice", config)

				want := demoprovider.Info{Active: true, User: "alice", Client: config.ClientID, Scopes: []string{"read"}}
				got := f.introspect(t, token.AccessToken)
				if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(demoprovider.Info{}, "Expires")); diff != "" {
					t.Error(diff)
				}
				if left := time.Until(got.Expires); left <= 4*time.Minute || left > 5*time.Minute {
					t.Errorf("the token is good for another %v, want five minutes", left)
				}
				if token.RefreshToken == "" || token.Type() != "Bearer" || token.ExpiresIn != 300 {
					t.Errorf("got %q for %d s, refresh token: %t", token.Type(), token.ExpiresIn, token.RefreshToken != "")
				}
			})
		}
	}
}

func TestAnIDTokenTellsWhoSignedIn(t *testing.T) {
	for _, path := range []string{"", "/acme"} {
		f := start(t, func(o *demoprovider.Options) { o.Issuer += path })
		ctx := f.ctx(t)
		provider, err := oidc.NewProvider(ctx, f.Issuer())
		if err != nil {
			t.Fatal(err)
		}
		config := f.client("openid", "profile")
		config.Endpoint = provider.Endpoint()
		token := f.connect(t, "bob", config, oidc.Nonce("n-1"))

		raw, _ := token.Extra("id_token").(string)
		id, err := provider.Verifier(&oidc.Config{ClientID: "parley"}).Verify(ctx, raw)
		if err != nil {
			t.Fatal(err)
		}
		var claims struct {
			Name     string `json:"name"`
			AuthTime int64  `json:"auth_time"`
		}
		if err := id.Claims(&claims); err != nil {
			t.Fatal(err)
		}
		if id.Subject != "bob" || id.Nonce != "n-1" || claims.Name != "Bob" || claims.AuthTime == 0 {
			t.Errorf("got %q, %q, %+v", id.Subject, id.Nonce, claims)
		}
		if f.introspect(t, raw).Active {
			t.Error("the ID token passes for an access token")
		}
		info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
		if err != nil {
			t.Fatal(err)
		}
		if info.Subject != "bob" {
			t.Errorf("userinfo is about %q", info.Subject)
		}
	}
}

func TestDenyGoesBackAsAccessDenied(t *testing.T) {
	f := start(t, nil)
	b := f.visitor(t)
	b.open(f.client("read").AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
	b.press("user", "alice")
	b.press("step", "deny")
	if got := b.arrived("error"); got != "access_denied" {
		t.Errorf("got %s", got)
	}
	if b.url.Query().Has("code") {
		t.Error("a denial comes with a code")
	}
}

func TestAWrongRedirectURIOrClientIsRefusedOnAPage(t *testing.T) {
	f := start(t, nil)
	for name, change := range map[string]func(*oauth2.Config){
		"another host":     func(c *oauth2.Config) { c.RedirectURL = "https://evil.example/callback" },
		"another port":     func(c *oauth2.Config) { c.RedirectURL = "http://127.0.0.1:8421/oauth/callback/acme" },
		"another path":     func(c *oauth2.Config) { c.RedirectURL = callback + "/more" },
		"a query":          func(c *oauth2.Config) { c.RedirectURL = callback + "?x=1" },
		"none":             func(c *oauth2.Config) { c.RedirectURL = "" },
		"an unknown id":    func(c *oauth2.Config) { c.ClientID = "nobody" },
		"an id with marks": func(c *oauth2.Config) { c.ClientID = "<script>" },
	} {
		t.Run(name, func(t *testing.T) {
			config := f.client("read")
			change(config)
			b := f.visitor(t)
			b.open(config.AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
			if b.header.Get("Location") != "" || b.status < 400 {
				t.Errorf("got status %d to %q", b.status, b.header.Get("Location"))
			}
			b.stayed(b.status, "Nothing was granted")
		})
	}
}

func TestARequestThatIsNotAllowedGoesBackWithItsError(t *testing.T) {
	f := start(t, nil)
	with := oauth2.SetAuthURLParam
	good := oauth2.S256ChallengeOption(oauth2.GenerateVerifier())
	for name, c := range map[string]struct {
		scope string
		more  []oauth2.AuthCodeOption
		want  string
	}{
		"no PKCE": {"read", nil, "invalid_request"},
		"plain PKCE": {"read", []oauth2.AuthCodeOption{
			with("code_challenge", strings.Repeat("x", 43)), with("code_challenge_method", "plain"),
		}, "invalid_request"},
		"implicit":         {"read", []oauth2.AuthCodeOption{good, with("response_type", "token")}, "invalid_request"},
		"an unknown scope": {"admin", []oauth2.AuthCodeOption{good}, "invalid_scope"},
		"other resource":   {"read", []oauth2.AuthCodeOption{good, with("resource", "https://evil.example")}, "invalid_target"},
		"prompt=none":      {"read", []oauth2.AuthCodeOption{good, with("prompt", "none")}, "login_required"},
	} {
		t.Run(name, func(t *testing.T) {
			b := f.visitor(t)
			b.open(f.client(c.scope).AuthCodeURL(state, c.more...))
			if got := b.arrived("error"); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestASecondAuthorizationAsksForConsentOnly(t *testing.T) {
	f := start(t, nil)
	b := f.visitor(t)
	authorize := func(more ...oauth2.AuthCodeOption) {
		b.open(f.client("read").AuthCodeURL(state, append(more, oauth2.S256ChallengeOption(oauth2.GenerateVerifier()))...))
	}
	authorize()
	b.press("user", "alice")
	b.press("step", "allow")
	b.arrived("code")

	authorize()
	b.stayed(http.StatusOK, "Signed in as <strong>alice</strong>")

	authorize(oauth2.SetAuthURLParam("prompt", "none"))
	if got := b.arrived("error"); got != "consent_required" {
		t.Errorf("prompt=none: got %s", got)
	}
	for _, prompt := range []string{"login", "select_account", "login consent"} {
		authorize(oauth2.SetAuthURLParam("prompt", prompt))
		b.press("user", "bob")
		b.stayed(http.StatusOK, "Signed in as <strong>bob</strong>")
	}
}

func TestAnotherBrowserHasNoPartInASession(t *testing.T) {
	f := start(t, nil)
	address := f.client("read").AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier()))
	alice := f.visitor(t)
	alice.open(address + "&prompt=login")
	alice.press("user", "alice")
	alice.stayed(http.StatusOK, "Signed in as <strong>alice</strong>")
	form := alice.forms[len(alice.forms)-1]

	bob := f.visitor(t)
	bob.open(address)
	bob.press("user", "bob")
	bob.open(f.Issuer() + form.action)
	bob.stayed(http.StatusOK, "Pick a user") // the login that Alice's request asked for was hers

	stranger := f.visitor(t)
	stranger.send(form.action, url.Values{"step": {"allow"}}, "same-origin")
	stranger.stayed(http.StatusOK, "Pick a user")
	stranger.press("user", "carol")
	stranger.stayed(http.StatusOK, "Signed in as <strong>carol</strong>")

	// What Alice was about to allow has become a question to somebody else.
	alice.press("step", "allow")
	alice.stayed(http.StatusOK, "Pick a user")
}

func TestConsentCountsForThePersonWhoSawIt(t *testing.T) {
	f := start(t, nil)
	config := f.client("read")
	verifier := oauth2.GenerateVerifier()
	b := f.visitor(t)
	b.open(config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)))
	b.press("user", "alice")
	asAlice := b.forms

	// In another tab the same browser becomes Bob.
	b.open(config.AuthCodeURL("other", oauth2.S256ChallengeOption(verifier)))
	b.press("step", "switch")
	b.press("user", "bob")

	b.forms = asAlice
	b.press("step", "allow")
	b.stayed(http.StatusOK, "Signed in as <strong>bob</strong>")
	b.press("step", "allow")
	token, err := config.Exchange(f.ctx(t), b.arrived("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatal(err)
	}
	if got := f.introspect(t, token.AccessToken).User; got != "bob" {
		t.Errorf("the grant is %s's", got)
	}
}

func TestAnyNameMayBeTypedIfItIsAName(t *testing.T) {
	f := start(t, nil)
	b := f.visitor(t)
	b.open(f.client("read").AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier()),
		oauth2.SetAuthURLParam("login_hint", `dana"><i>`)))
	if strings.Contains(b.body, "<i>") || !strings.Contains(b.body, "No password is needed") {
		t.Errorf("the login page is:\n%s", b.body)
	}
	form := b.forms[slices.IndexFunc(b.forms, func(f pageForm) bool { return slices.Contains(f.inputs, "user") })]
	for _, bad := range []string{"", "  ", "<script>", "a b", strings.Repeat("x", 65), "\xff"} {
		b.send(form.action, url.Values{"step": {"login"}, "user": {bad}}, "same-origin")
		b.stayed(http.StatusUnprocessableEntity, "A name has 1 to 64 letters")
	}
	b.send(form.action, url.Values{"step": {"login"}, "user": {`a"b`}}, "same-origin")
	b.stayed(http.StatusUnprocessableEntity, `value="a&#34;b"`)
	b.send(form.action, url.Values{"step": {"login"}, "user": {" dana@example.com "}}, "same-origin")
	b.stayed(http.StatusOK, "Signed in as <strong>dana@example.com</strong>")
}

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	f := start(t, nil)
	b := f.visitor(t)
	b.open(f.client("read").AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
	b.press("user", "alice")
	consent := b.forms
	action := consent[len(consent)-1].action
	for _, site := range []string{"cross-site", "same-site"} {
		for _, step := range []string{"allow", "deny", "switch"} {
			b.send(action, url.Values{"step": {step}}, site)
			b.stayed(http.StatusForbidden, "Another site sent this.")
		}
	}
	b.forms = consent // nothing has happened: Alice is still asked
	b.press("step", "allow")
	b.arrived("code")
}

func TestAPostedAuthorizationRequestCannotBringItsOwnAnswer(t *testing.T) {
	f := start(t, nil)
	b := f.visitor(t)
	address, err := url.Parse(f.client("read").AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
	if err != nil {
		t.Fatal(err)
	}
	b.open(address.String())
	b.press("user", "alice")

	for _, answer := range []url.Values{
		{"step": {"allow"}}, {"step": {"switch"}}, {"step": {"login"}, "user": {"mallory"}},
	} {
		fields := address.Query()
		maps.Copy(fields, answer)
		b.send("/authorize", fields, "cross-site")
		b.stayed(http.StatusOK, "Signed in as <strong>alice</strong>")
	}
}

func TestANewLoginEndsTheOneBefore(t *testing.T) {
	f := start(t, nil)
	b := f.visitor(t)
	address := f.client("read").AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier()))
	home, err := url.Parse(f.Issuer())
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range []string{"alice", "bob"} {
		b.open(address + "&prompt=login")
		old := f.visitor(t)
		old.http.Jar.SetCookies(home, b.http.Jar.Cookies(home))
		b.press("user", user)
		old.open(address)
		old.stayed(http.StatusOK, "Pick a user")
	}
	old := f.visitor(t)
	old.http.Jar.SetCookies(home, b.http.Jar.Cookies(home))
	b.press("step", "switch")
	b.stayed(http.StatusOK, "Pick a user")
	old.open(address)
	old.stayed(http.StatusOK, "Pick a user")
}

func TestARequestIsAnsweredOnce(t *testing.T) {
	f := inMemory(t)
	config := f.client("read")
	for range 10 {
		b := f.visitor(t)
		b.open(config.AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
		b.press("user", "alice")
		action := b.forms[len(b.forms)-1].action
		var codes atomic.Int32
		atOnce(4, func() {
			tab := f.visitor(t)
			tab.http.Jar = b.http.Jar
			tab.send(action, url.Values{"step": {"allow"}}, "same-origin")
			if tab.url.Query().Has("code") {
				codes.Add(1)
			}
		})
		if codes.Load() != 1 {
			t.Fatalf("one consent gave %d codes", codes.Load())
		}
		b.send(action, url.Values{"step": {"deny"}}, "same-origin")
		b.stayed(http.StatusBadRequest, "Nothing was granted")
		b.open(f.Issuer() + action)
		b.stayed(http.StatusBadRequest, "Nothing was granted")
	}
}
