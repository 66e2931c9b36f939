package demoprovider_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/oauth2"

	"github.com/parley-hq/parley/internal/demoprovider"
)

func TestAWrongVerifierIsRefused(t *testing.T) {
	f := start(t, nil)
	config := f.client("read")
	for name, verifier := range map[string]string{"another": oauth2.GenerateVerifier(), "short": "x", "none": ""} {
		code, right := f.code(t, "alice", config)
		_, err := config.Exchange(f.ctx(t), code, oauth2.VerifierOption(verifier))
		if got := errorCode(t, err); got != "invalid_grant" {
			t.Errorf("%s: got %s", name, got)
		}
		_, err = config.Exchange(f.ctx(t), code, oauth2.VerifierOption(right))
		if got := errorCode(t, err); got != "invalid_grant" {
			t.Errorf("%s: the code lives on: %s", name, got)
		}
	}
}

func TestACodeIsForItsClientAndItsRedirectURI(t *testing.T) {
	f := start(t, nil)
	for name, change := range map[string]func(*oauth2.Config){
		"another client":       func(c *oauth2.Config) { c.ClientID, c.ClientSecret = "public", "" },
		"another redirect URI": func(c *oauth2.Config) { c.RedirectURL = "http://127.0.0.1:8420/other" },
	} {
		config := f.client("read")
		code, verifier := f.code(t, "alice", config)
		change(config)
		_, err := config.Exchange(f.ctx(t), code, oauth2.VerifierOption(verifier))
		if got := errorCode(t, err); got != "invalid_grant" {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

func TestACodeUsedTwiceRevokesWhatItGave(t *testing.T) {
	f := start(t, nil)
	config := f.client("read")
	code, verifier := f.code(t, "alice", config)
	token, err := config.Exchange(f.ctx(t), code, oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err = config.Exchange(f.ctx(t), code, oauth2.VerifierOption(verifier))
		if got := errorCode(t, err); got != "invalid_grant" {
			t.Errorf("got %s", got)
		}
	}
	if f.introspect(t, token.AccessToken).Active {
		t.Error("the access token of the first use is still good")
	}
	if _, err := f.refresh(t, config, token.RefreshToken); errorCode(t, err) != "invalid_grant" {
		t.Errorf("the refresh token of the first use: %v", err)
	}
}

func TestARefreshTokenRotatesAndAnOldOneRevokesTheFamily(t *testing.T) {
	f := start(t, nil)
	config := f.client("read", "openid")
	first := f.connect(t, "alice", config, oauth2.SetAuthURLParam("resource", tracker))
	second, err := f.refresh(t, config, first.RefreshToken)
	if err != nil {
		t.Fatal(err)
	}
	third, err := f.refresh(t, config, second.RefreshToken)
	if err != nil {
		t.Fatal(err)
	}
	if first.RefreshToken == second.RefreshToken || second.RefreshToken == third.RefreshToken || third.RefreshToken == "" {
		t.Error("the refresh token did not change")
	}
	info := f.introspect(t, third.AccessToken)
	if diff := cmp.Diff([]string{tracker}, info.Audience); diff != "" || info.User != "alice" || !info.Active {
		t.Errorf("after two refreshes: %+v", info)
	}

	if _, err := f.refresh(t, config, first.RefreshToken); errorCode(t, err) != "invalid_grant" {
		t.Errorf("the first refresh token: %v", err)
	}
	if _, err := f.refresh(t, config, third.RefreshToken); errorCode(t, err) != "invalid_grant" {
		t.Errorf("the newest refresh token after a replay: %v", err)
	}
	for _, token := range []*oauth2.Token{first, second, third} {
		if f.introspect(t, token.AccessToken).Active {
			t.Error("an access token of the family is still good after a replay")
		}
	}
}

func TestOneOfManyRefreshesAtOnceWins(t *testing.T) {
	f := inMemory(t)
	config := f.client("read")
	other := f.connect(t, "alice", config)
	for range 10 {
		token := f.connect(t, "alice", config)
		var good, refused atomic.Int32
		atOnce(4, func() {
			if _, err := f.refresh(t, config, token.RefreshToken); err == nil {
				good.Add(1)
			} else if errorCode(t, err) == "invalid_grant" {
				refused.Add(1)
			}
		})
		if good.Load() != 1 || refused.Load() != 3 {
			t.Fatalf("%d won and %d were refused, of 4", good.Load(), refused.Load())
		}
	}
	if got := f.TokenRequests("refresh_token"); got != 40 {
		t.Errorf("counted %d refreshes", got)
	}
	if _, err := f.refresh(t, config, other.RefreshToken); err != nil {
		t.Errorf("another grant suffered: %v", err)
	}
}

func TestOneOfManyExchangesOfACodeWins(t *testing.T) {
	f := inMemory(t)
	config := f.client("read")
	for range 10 {
		code, verifier := f.code(t, "alice", config)
		var good atomic.Int32
		atOnce(4, func() {
			if _, err := config.Exchange(f.ctx(t), code, oauth2.VerifierOption(verifier)); err == nil {
				good.Add(1)
			}
		})
		if good.Load() != 1 {
			t.Fatalf("%d of 4 got tokens", good.Load())
		}
	}
}

func TestARevokedTokenEndsItsGrantAndNoOther(t *testing.T) {
	f := start(t, nil)
	config := f.client("read")
	for name, pick := range map[string]func(*oauth2.Token) string{
		"access token":  func(t *oauth2.Token) string { return t.AccessToken },
		"refresh token": func(t *oauth2.Token) string { return t.RefreshToken },
	} {
		t.Run(name, func(t *testing.T) {
			token, other := f.connect(t, "alice", config), f.connect(t, "alice", config)
			form := url.Values{"token": {pick(token)}, "client_id": {"parley"}, "client_secret": {secret}}

			stolen := url.Values{"token": {pick(token)}, "client_id": {"public"}}
			if status, _ := f.post(t, "/revoke", stolen); status == http.StatusOK || !f.introspect(t, token.AccessToken).Active {
				t.Errorf("another client revoked it: %d", status)
			}
			if status, body := f.post(t, "/revoke", form); status != http.StatusOK {
				t.Fatalf("got %d: %s", status, body)
			}
			if f.introspect(t, token.AccessToken).Active {
				t.Error("the access token is still good")
			}
			if _, err := f.refresh(t, config, token.RefreshToken); errorCode(t, err) != "invalid_grant" {
				t.Errorf("the refresh token: %v", err)
			}
			if !f.introspect(t, other.AccessToken).Active {
				t.Error("another grant of the same person is gone too")
			}
		})
	}
}

func TestRevokeTakesAwayWhatOnePersonGranted(t *testing.T) {
	f := start(t, nil)
	config := f.client("read")
	alice, again, bob := f.connect(t, "alice", config), f.connect(t, "alice", config), f.connect(t, "bob", config)
	if n := f.Revoke("alice"); n != 2 {
		t.Errorf("revoked %d grants, want 2", n)
	}
	if n := f.Revoke("alice"); n != 0 {
		t.Errorf("revoked %d grants again", n)
	}
	if f.introspect(t, alice.AccessToken).Active || f.introspect(t, again.AccessToken).Active {
		t.Error("a token of Alice is still good")
	}
	if _, err := f.refresh(t, config, alice.RefreshToken); errorCode(t, err) != "invalid_grant" {
		t.Errorf("got %v", err)
	}
	if !f.introspect(t, bob.AccessToken).Active {
		t.Error("Bob's token is gone too")
	}
}

func TestAResourceBecomesTheAudience(t *testing.T) {
	f := start(t, nil)
	config := f.client("read")
	resource := oauth2.SetAuthURLParam("resource", tracker)
	token := f.connect(t, "alice", config, resource)
	if diff := cmp.Diff([]string{tracker}, f.introspect(t, token.AccessToken).Audience); diff != "" {
		t.Error(diff)
	}
	code, verifier := f.code(t, "alice", config, resource)
	_, err := config.Exchange(f.ctx(t), code, oauth2.VerifierOption(verifier),
		oauth2.SetAuthURLParam("resource", "http://127.0.0.1:9200/mcp"))
	if got := errorCode(t, err); got != "invalid_target" {
		t.Errorf("a resource that was not granted: %s", got)
	}

	b := f.visitor(t)
	b.open(config.AuthCodeURL(state, resource, oauth2.S256ChallengeOption(verifier)))
	b.press("user", "alice")
	b.stayed(http.StatusOK, "<code>"+tracker+"</code>")
}

func TestAWrongClientSecretIsInvalidClient(t *testing.T) {
	f := start(t, nil)
	config := f.client("read")
	code, verifier := f.code(t, "alice", config)
	for _, style := range []oauth2.AuthStyle{oauth2.AuthStyleInHeader, oauth2.AuthStyleInParams} {
		for _, wrong := range []string{"guess", ""} {
			bad := f.client("read")
			bad.ClientSecret, bad.Endpoint.AuthStyle = wrong, style
			_, err := bad.Exchange(f.ctx(t), code, oauth2.VerifierOption(verifier))
			if got := errorCode(t, err); got != "invalid_client" {
				t.Errorf("style %d, secret %q: got %s", style, wrong, got)
			}
		}
	}
	if _, err := config.Exchange(f.ctx(t), code, oauth2.VerifierOption(verifier)); err != nil {
		t.Errorf("the code did not survive a stranger's guesses: %v", err)
	}
}

func TestOnlyAccessTokensAreActive(t *testing.T) {
	f, other := start(t, nil), start(t, nil)
	token := f.connect(t, "alice", f.client("read"))
	foreign := other.connect(t, "alice", other.client("read"))
	last := token.AccessToken[len(token.AccessToken)-10:]
	for name, bad := range map[string]string{
		"a refresh token":     token.RefreshToken,
		"another provider's":  foreign.AccessToken,
		"a changed signature": strings.TrimSuffix(token.AccessToken, last) + strings.Map(swapCase, last),
		"none":                "",
		"dots":                "..",
		"garbage":             "a.b.c",
	} {
		if diff := cmp.Diff(demoprovider.Info{}, f.introspect(t, bad)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if _, err := f.refresh(t, f.client("read"), token.RefreshToken); err != nil {
		t.Errorf("looking at a refresh token used it up: %v", err)
	}
}

func swapCase(r rune) rune {
	if s := string(r); s == strings.ToLower(s) {
		return []rune(strings.ToUpper(s))[0]
	}
	return []rune(strings.ToLower(string(r)))[0]
}

func TestTokensAndLoginsGrowOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := options("http://127.0.0.1:9000")
		opts.AccessTTL = 2 * time.Second
		p := newProvider(t, opts)
		f := &fixture{Provider: p, transport: inProcess{p}}
		config := f.client("read")
		token := f.connect(t, "alice", config)
		code, verifier := f.code(t, "alice", config)
		b := f.visitor(t)
		authorize := func() {
			b.open(config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("max_age", "3600")))
		}
		authorize()
		b.press("user", "alice")
		b.stayed(http.StatusOK, "Signed in as <strong>alice</strong>")
		stale := b.forms

		time.Sleep(time.Second)
		if !f.introspect(t, token.AccessToken).Active {
			t.Error("the token has expired a second early")
		}
		time.Sleep(2 * time.Second)
		if f.introspect(t, token.AccessToken).Active {
			t.Error("the token has not expired")
		}
		if _, err := f.refresh(t, config, token.RefreshToken); err != nil {
			t.Errorf("the refresh token: %v", err)
		}

		time.Sleep(time.Hour - 10*time.Second)
		authorize()
		b.stayed(http.StatusOK, "Signed in as <strong>alice</strong>")
		time.Sleep(time.Minute)
		authorize()
		b.stayed(http.StatusOK, "Pick a user")

		if _, err := config.Exchange(f.ctx(t), code, oauth2.VerifierOption(verifier)); errorCode(t, err) != "invalid_grant" {
			t.Errorf("an old code: %v", err)
		}
		b.forms = stale
		b.press("step", "allow")
		b.stayed(http.StatusBadRequest, "Nothing was granted")
	})
}

func TestAnHTTPSIssuerHasASecureCookie(t *testing.T) {
	server := httptest.NewUnstartedServer(nil)
	p := newProvider(t, options("https://"+server.Listener.Addr().String()))
	server.Config.Handler = p
	server.StartTLS()
	t.Cleanup(server.Close)
	f := &fixture{Provider: p, transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs},
	}}
	t.Cleanup(f.transport.(*http.Transport).CloseIdleConnections)

	b := f.visitor(t)
	b.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	b.open(f.client("read").AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
	b.press("user", "alice")
	cookie := b.header.Get("Set-Cookie")
	for _, want := range []string{"; Secure", "; HttpOnly", "; SameSite=Lax", "; Path=/"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie is not %q", want)
		}
	}
}
