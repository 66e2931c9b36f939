package keychain_test

import (
	"errors"
	"testing"

	"github.com/zalando/go-keyring"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
	"github.com/parley-hq/parley/vault/keychain"
)

func TestAKeyInTheKeychainDoesNotFollowItsServersURL(t *testing.T) {
	keyring.MockInit()
	keys, err := seal.New([]byte("a secret of thirty-two bytes or more"))
	if err != nil {
		t.Fatal(err)
	}
	store := parley.NewMemoryStore()
	hub := parley.New(store, nil)
	open := func(url string) *vault.Vault {
		t.Helper()
		server := func(name string, scope vault.Scope) vault.Server {
			return vault.Server{Name: name, URL: url, Auth: vault.Auth{Type: vault.APIKey, Scope: scope, Source: "keychain"}}
		}
		v, err := vault.New(hub, store, keys, &vault.Options{
			Lent:    map[string]vault.SourceTerms{"keychain": {Tenants: []string{"*"}, Integrations: []string{"*"}}},
			Sources: map[string]vault.Source{"keychain": keychain.New()},
			Servers: []vault.Server{server("tracker", vault.User), server("shared", vault.Platform)},
		})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, entry := range []string{"default/user/alice/tracker", "default/platform//shared"} {
		if err := keyring.Set("parley", entry, "entered-by-hand"); err != nil {
			t.Fatal(err)
		}
	}
	v, need := open("https://tracker.example/mcp"), vault.Need{Server: "tracker", User: "alice"}
	_, err = v.Credential(t.Context(), need)
	var required *vault.RequiredError
	if !errors.As(err, &required) {
		t.Fatalf("nobody agreed to a place for it: %v", err)
	}
	if _, err := v.Credential(t.Context(), vault.Need{Server: "shared"}); err != nil {
		t.Errorf("the platform's: %v", err)
	}
	q, err := hub.Open(t.Context(), v.Question(required, parley.Principal{User: "alice", Method: "test"}, ""))
	if err != nil {
		t.Fatal(err)
	}
	if err := v.EnterKey(t.Context(), parley.Principal{User: "alice", Method: "test"}, q.ID, "key-of-alice"); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Credential(t.Context(), need); err != nil {
		t.Error(err)
	}
	if _, err := open("https://evil.example/mcp").Credential(t.Context(), need); !errors.Is(err, vault.ErrRequired) {
		t.Errorf("after the server moved: %v", err)
	}
}
