package pages_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/demoprovider"
	chromium "github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/vault"
)

// On a provider that is not of our making.
func TestChromiumSignsInAtAnOpenIDProvider(t *testing.T) {
	server, identity := listen(t, nil), listen(t, nil)
	provider, err := demoprovider.New(&demoprovider.Options{Issuer: identity.URL, Clients: []demoprovider.Client{
		{ID: "parley", Secret: "demo-secret", RedirectURIs: []string{server.URL + "/login/callback"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	identity.Config.Handler = provider
	s := newSite(t, server.URL, func(_ *site, o *pages.Options) {
		o.SignIn = pages.OIDC(&pages.OIDCOptions{Issuer: identity.URL, ClientID: "parley", ClientSecret: "demo-secret", Scopes: []string{"profile"}})
	})
	server.Config.Handler = s
	q := s.open(parley.Request{From: "planner", Message: "Only for Alice"})
	person := chromium.Start(t).Person(t)
	person.Open(server.URL + path(q))
	person.Follow("bob")
	person.Follow("Allow")
	person.WaitFor("This question is for somebody else or does not exist.")
	person.Screenshot("somebody else")
	person.Follow("Use another account")
	person.WaitForURL(identity.URL)
	person.Follow("alice")
	person.Follow("Allow")
	person.WaitFor("Only for Alice")
	if got := person.URL(); got != server.URL+path(q) {
		t.Errorf("the address is %s", got)
	}
	person.Follow("Send answer")
	person.WaitFor("Your answer was taken")
	person.Follow("Sign out")
	person.WaitFor("Nobody is signed in in this browser.")
	if o := s.get(q.ID, "alice").Outcome; o == nil || o.By != "alice" {
		t.Errorf("outcome %+v", o)
	}
}

// farShelf sends people to a page of its own.
type farShelf struct {
	*shelf
	page *httptest.Server
}

func (f farShelf) Connect(context.Context, vault.Place, string) (string, error) {
	return strings.Replace(f.page.URL, "127.0.0.1", "localhost", 1) + "/connect", nil
}

func TestChromiumWaitsUntilTheSourceHasIt(t *testing.T) {
	source := farShelf{shelf: &shelf{}}
	source.page = listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/done" {
			source.mu.Lock()
			source.have = true
			source.mu.Unlock()
		}
		_, _ = w.Write([]byte(`<!doctype html><html lang="en"><title>Shelf</title><link rel="icon" href="data:,"><h1>` + r.URL.Path + `</h1><a href="/done">Put it on the shelf</a>`))
	}))
	server := listen(t, nil)
	var v *vault.Vault
	s := newSite(t, server.URL, func(s *site, o *pages.Options) {
		var err error
		v, err = vault.New(s.hub, s.store, s.keys, &vault.Options{
			PublicURL: server.URL, Logger: o.Logger, Sources: map[string]vault.Source{"shelf": source},
			Servers: []vault.Server{{Name: "mail", Title: "Mail", URL: "https://mail.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Source: "shelf"}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		o.Connections = v
	})
	server.Config.Handler = s
	q := (&vaultSite{site: s, vault: v}).askAlice("mail")
	alice := chromium.Start(t).Person(t)
	alice.Open(q.URL)
	alice.Follow("alice")
	alice.WaitFor("Connect Mail")
	window := alice.Popup(func() { alice.Click("#main .primary") })
	window.WaitFor("/connect")
	alice.WaitFor("Waiting until you have finished in the other window")
	window.Follow("Put it on the shelf")
	alice.WaitFor("Your account is connected")
	if o := s.get(q.ID, "alice").Outcome; o == nil || o.Action != parley.Accept {
		t.Errorf("outcome %+v", o)
	}
}
