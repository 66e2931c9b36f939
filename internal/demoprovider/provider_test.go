package demoprovider_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/oauth2"

	"github.com/parley-hq/parley/internal/demoprovider"
)

func TestAnIssuerThatIsNotLoopbackIsRefused(t *testing.T) {
	for _, issuer := range []string{
		"", "https://acme.example", "http://192.168.1.2:9000", "http://0.0.0.0:9000", "http://[::]:9000",
		"http://127.0.0.1.evil.example", "http://localhost.evil.example", "ftp://127.0.0.1", "127.0.0.1:9000",
		"http://user@evil.example@127.0.0.1.example", "http://2130706433",
	} {
		if _, err := demoprovider.New(&demoprovider.Options{Issuer: issuer}); err == nil {
			t.Errorf("%q was taken", issuer)
		} else if !errors.Is(err, demoprovider.ErrNotLoopback) && !strings.Contains(err.Error(), "not a URL") {
			t.Errorf("%q: got %v", issuer, err)
		}
	}
	for _, issuer := range []string{
		"http://127.0.0.1:9000", "http://127.8.9.10", "https://localhost:9000", "http://acme.localhost", "http://[::1]:9000/acme",
	} {
		if _, err := demoprovider.New(&demoprovider.Options{Issuer: issuer}); err != nil {
			t.Errorf("%q: %v", issuer, err)
		}
	}
	if _, err := demoprovider.New(nil); !errors.Is(err, demoprovider.ErrNotLoopback) {
		t.Errorf("no options: got %v", err)
	}
}

func TestOptionsThatCannotWorkAreRefused(t *testing.T) {
	const issuer = "http://127.0.0.1:9000"
	good := demoprovider.Client{ID: "a", RedirectURIs: []string{callback}}
	for want, opts := range map[string]demoprovider.Options{
		"slash at the end":         {Issuer: issuer + "/"},
		"a plain path":             {Issuer: issuer + "/a/../b"},
		"scheme, host":             {Issuer: issuer + "/a?b=c"},
		"without a slash":          {Issuer: issuer + "/{a}"},
		"whole seconds":            {Issuer: issuer, AccessTTL: 1500 * time.Millisecond},
		"of 1ms":                   {Issuer: issuer, AccessTTL: time.Millisecond},
		"of -1m0s":                 {Issuer: issuer, AccessTTL: -time.Minute},
		`user name "a b"`:          {Issuer: issuer, Users: []string{"a b"}},
		`scope "a b"`:              {Issuer: issuer, Scopes: map[string]string{"a b": "x"}},
		`client id "" is`:          {Issuer: issuer, Clients: []demoprovider.Client{{RedirectURIs: []string{callback}}}},
		`"a" is empty or`:          {Issuer: issuer, Clients: []demoprovider.Client{good, good}},
		`"a" has no redirect URI`:  {Issuer: issuer, Clients: []demoprovider.Client{{ID: "a"}}},
		`the redirect URI "/here"`: {Issuer: issuer, Clients: []demoprovider.Client{{ID: "a", RedirectURIs: []string{"/here"}}}},
	} {
		if _, err := demoprovider.New(&opts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

func TestMetadataIsWhereClientsLook(t *testing.T) {
	for path, places := range map[string][]string{
		"": {"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"},
		"/acme": {
			"/.well-known/oauth-authorization-server/acme", "/.well-known/openid-configuration/acme",
			"/acme/.well-known/openid-configuration",
		},
	} {
		f := start(t, func(o *demoprovider.Options) { o.Issuer, o.Registration = o.Issuer+path, true })
		root := strings.TrimSuffix(f.Issuer(), path)
		for _, place := range places {
			b := f.visitor(t)
			b.open(root + place)
			var got struct {
				Issuer        string   `json:"issuer"`
				Authorization string   `json:"authorization_endpoint"`
				Token         string   `json:"token_endpoint"`
				Revocation    string   `json:"revocation_endpoint"`
				Registration  string   `json:"registration_endpoint"`
				Challenges    []string `json:"code_challenge_methods_supported"`
				Grants        []string `json:"grant_types_supported"`
				Responses     []string `json:"response_types_supported"`
				Scopes        []string `json:"scopes_supported"`
				Iss           bool     `json:"authorization_response_iss_parameter_supported"`
				Documentation string   `json:"service_documentation"`
				Demo          string   `json:"demo"`
			}
			if err := json.Unmarshal([]byte(b.body), &got); err != nil {
				t.Fatalf("%s: %v in %s", place, err, b.body)
			}
			want := got
			want.Issuer = f.Issuer()
			want.Authorization = f.Issuer() + "/authorize"
			want.Token = f.Issuer() + "/token"
			want.Revocation = f.Issuer() + "/revoke"
			want.Registration = f.Issuer() + "/register"
			want.Challenges = []string{"S256"}
			want.Grants = []string{"authorization_code", "refresh_token"}
			want.Responses = []string{"code"}
			want.Scopes = []string{"offline_access", "openid", "profile", "read", "write"}
			want.Iss = true
			want.Documentation = f.Issuer() + "/"
			want.Demo = "Demo provider - not a real service"
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", place, diff)
			}
			b.open(got.Documentation)
			b.stayed(http.StatusOK, "A provider for demonstrations")
		}
	}
}

func TestEveryPageSaysThatItIsADemoAndCannotBeFramed(t *testing.T) {
	f := start(t, func(o *demoprovider.Options) { o.Title, o.Issuer = "Widgets & Co", o.Issuer+"/w" })
	b := f.visitor(t)
	check := func(name string) {
		t.Helper()
		csp := b.header.Get("Content-Security-Policy")
		if !strings.Contains(csp, "default-src 'none'") || !strings.Contains(csp, "frame-ancestors 'none'") || strings.Contains(csp, "script") {
			t.Errorf("%s: the policy is %q", name, csp)
		}
		// A browser would apply form-action to the way back to the application.
		if strings.Contains(csp, "form-action") {
			t.Errorf("%s: the policy names form-action", name)
		}
		if !strings.Contains(b.body, "Demo provider - not a real service") || !strings.Contains(b.body, "Widgets &amp; Co") {
			t.Errorf("%s is not marked:\n%s", name, b.body)
		}
		if strings.Contains(b.body, "<script") || strings.Contains(b.body, "style=") || strings.Contains(b.body, "onclick") {
			t.Errorf("%s has script or style that the policy stops", name)
		}
	}
	config := f.client("read", "write", "openid")
	b.open(config.AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
	check("the login page")
	action := b.forms[0].action
	b.send(action, url.Values{"step": {"login"}, "user": {"?"}}, "same-origin")
	check("the login page with a problem")
	b.send(action, url.Values{"step": {"login"}, "user": {"alice"}}, "same-origin")
	check("the consent page")
	for _, want := range []string{"<strong>Parley</strong>", "Create and change issues", "Know who you are", "<strong>alice</strong>", "http://127.0.0.1:8420<"} {
		b.stayed(http.StatusOK, want)
	}
	b.open(f.Issuer() + "/")
	check("the page about it")
	b.open(f.Issuer())
	check("the page about it without a slash")
	b.open(f.Issuer() + "/nowhere")
	check("the page for what is not there")
	b.open(f.Issuer() + "/authorize/nothing")
	check("the error page")
	b.open(f.Issuer() + "/style.css")
	if b.header.Get("Content-Type") != "text/css; charset=utf-8" || !strings.Contains(b.body, "prefers-color-scheme: dark") {
		t.Errorf("the style sheet is %s:\n%s", b.header.Get("Content-Type"), b.body)
	}
}

func TestANameThatIsNotLoopbackIsRefused(t *testing.T) {
	f := start(t, nil)
	for host, want := range map[string]int{"evil.example": 403, "192.168.1.2:9000": 403, "localhost:9000": 200, "[::1]:9000": 200} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.Issuer()+"/.well-known/openid-configuration", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		resp, err := (&http.Client{Transport: f.transport}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if body := read(t, resp); resp.StatusCode != want {
			t.Errorf("%s: got %d: %s", host, resp.StatusCode, body)
		}
	}
}

func TestAnOverlongRequestIsRefused(t *testing.T) {
	f := start(t, withRegistration)
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {strings.Repeat("x", 100_000)}}
	if status, _ := f.post(t, "/token", form); status != http.StatusRequestEntityTooLarge {
		t.Errorf("got %d", status)
	}
}

func TestTheLogHoldsNoSecret(t *testing.T) {
	var log bytes.Buffer
	f := start(t, func(o *demoprovider.Options) {
		o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	config := f.client("read", "openid")
	code, verifier := f.code(t, "alice", config)
	token, err := config.Exchange(f.ctx(t), code, oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatal(err)
	}
	second, err := f.refresh(t, config, token.RefreshToken)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := config.Exchange(f.ctx(t), code, oauth2.VerifierOption(verifier)); err == nil {
		t.Error("a code was good twice")
	}
	if _, err := f.refresh(t, config, token.RefreshToken); err == nil {
		t.Error("a refresh token was good twice")
	}
	config.ClientSecret = "a-wrong-guess"
	if _, err := f.refresh(t, config, second.RefreshToken); err == nil {
		t.Error("a guess was good")
	}
	text := log.String()
	if !strings.Contains(text, "invalid_grant") || !strings.Contains(text, "invalid_client") {
		t.Errorf("the log does not tell of refusals:\n%s", text)
	}
	for _, value := range []string{
		code, verifier, secret, "a-wrong-guess", token.AccessToken, token.RefreshToken, second.AccessToken, second.RefreshToken,
	} {
		if strings.Contains(text, value) {
			t.Errorf("the log holds a secret:\n%s", text)
		}
	}
}
