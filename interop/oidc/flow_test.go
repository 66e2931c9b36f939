package oidc_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/oauth2"

	"github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/interop/kit"
)

// plainClient is an application with a client of the provider's, and with a
// library for OAuth, nothing of ours.
type plainClient struct {
	config   oauth2.Config
	redirect string
	provider *oidc.Provider
}

// startPlain starts a provider with a client, and the application. They are
// different sites to a browser.
func startPlain(t *testing.T, options kit.Fields) (*oidcProvider, plainClient) {
	t.Helper()
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<!doctype html><title>Application</title><p>Back again.</p>")
	}))
	t.Cleanup(app.Close)
	c := plainClient{redirect: app.URL + "/callback"}
	options["host"] = "localhost"
	options["clients"] = []kit.Fields{
		{"client_id": "app", "client_secret": "the app's secret", "redirect_uris": []string{c.redirect}},
	}
	p := startProvider(t, options)
	var err error
	if c.provider, err = oidc.NewProvider(t.Context(), p.Issuer); err != nil {
		t.Fatal(err)
	}
	c.config = oauth2.Config{
		ClientID: "app", ClientSecret: "the app's secret", Endpoint: c.provider.Endpoint(), RedirectURL: c.redirect,
		Scopes: []string{"openid", "read"},
	}
	return p, c
}

// consent lets a person sign in and consent, and returns what the application
// gets.
func (c plainClient) consent(p *browser.Person, name string, options ...oauth2.AuthCodeOption) url.Values {
	p.Open(c.config.AuthCodeURL("the state", options...))
	p.WaitFor("Sign-in")
	p.Fill("login", name)
	p.Fill("password", "whatever "+name+" typed")
	p.Screenshot("sign-in")
	p.Follow("Sign-in")
	p.WaitFor("Authorize")
	p.Screenshot("consent")
	p.Follow("Continue")
	return c.back(p)
}

// back waits until the person is sent back, and returns with what.
func (c plainClient) back(p *browser.Person) url.Values {
	u, _ := url.Parse(p.WaitForURL(c.redirect))
	p.WaitFor("Back again.")
	return u.Query()
}

func TestAThirdPartyProviderInChromium(t *testing.T) {
	kit.NeedNode(t)
	chromium := browser.Start(t)

	t.Run("a person signs in and consents, and tokens rotate", func(t *testing.T) {
		t.Parallel()
		p, c := startPlain(t, kit.Fields{"accessTokenTTL": 90})
		verifier := oauth2.GenerateVerifier()
		got := c.consent(chromium.Person(t), "alice", oauth2.S256ChallengeOption(verifier))
		code := got.Get("code")
		if diff := cmp.Diff(url.Values{"state": {"the state"}, "iss": {p.Issuer}, "code": {code}}, got); diff != "" || code == "" {
			t.Error(diff)
		}
		first, err := c.config.Exchange(t.Context(), code, oauth2.VerifierOption(verifier))
		if err != nil {
			t.Fatal(err)
		}
		if first.ExpiresIn != 90 {
			t.Errorf("expires in %d s, want 90", first.ExpiresIn)
		}
		identity := first.Extra("id_token").(string)
		id, err := c.provider.Verifier(&oidc.Config{ClientID: "app"}).Verify(t.Context(), identity)
		if err != nil || id.Subject != "alice" {
			t.Errorf("id token of %+v, %v", id, err)
		}
		second := c.refresh(t, first.RefreshToken, "")
		if second.RefreshToken == first.RefreshToken || second.AccessToken == first.AccessToken {
			t.Error("the tokens did not rotate")
		}
		c.refresh(t, first.RefreshToken, "invalid_grant")
		c.refresh(t, second.RefreshToken, "invalid_grant") // whoever used the old one may be a thief

		if diff := cmp.Diff(map[string]int{"authorization_code": 1, "refresh_token": 3}, p.grants()); diff != "" {
			t.Error(diff)
		}
		want := map[string]string{
			code: "code", verifier: "code_verifier", identity: "id_token", "the app's secret": "client_secret",
			first.AccessToken: "access_token", first.RefreshToken: "refresh_token",
			second.AccessToken: "access_token", second.RefreshToken: "refresh_token",
			"whatever alice typed": "password",
		}
		want[second.Extra("id_token").(string)] = "id_token" // the same as the first within a second
		if diff := cmp.Diff(want, p.secrets()); diff != "" {
			t.Error(diff)
		}
	})

	t.Run("a person cancels", func(t *testing.T) {
		t.Parallel()
		p, c := startPlain(t, kit.Fields{})
		bob := chromium.Person(t)
		bob.Open(c.config.AuthCodeURL("the state", oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
		bob.WaitFor("Sign-in")
		bob.Follow("[ Cancel ]")
		if got := c.back(bob); got.Get("error") != "access_denied" || got.Get("iss") != p.Issuer || got.Has("code") {
			t.Errorf("got %v", got)
		}
	})

	t.Run("the provider refuses a client without PKCE, and another redirect", func(t *testing.T) {
		t.Parallel()
		_, c := startPlain(t, kit.Fields{})
		bob := chromium.Person(t)
		bob.Open(c.config.AuthCodeURL("the state"))
		if got := c.back(bob); got.Get("error") != "invalid_request" || got.Has("code") {
			t.Errorf("got %v", got)
		}
		c.config.RedirectURL += "/other"
		bob.Open(c.config.AuthCodeURL("the state", oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
		bob.WaitFor("invalid_redirect_uri")
	})
}

// refresh uses a refresh token; the provider answers with the error, if any.
func (c plainClient) refresh(t *testing.T, token, want string) *oauth2.Token {
	t.Helper()
	expired := &oauth2.Token{RefreshToken: token, Expiry: time.Unix(1, 0)}
	fresh, err := c.config.TokenSource(t.Context(), expired).Token()
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.ErrorCode == want {
		return nil
	}
	if err != nil || want != "" {
		t.Fatalf("refresh: %v, want %q", err, want)
	}
	return fresh
}
