package pages_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

// boardServer is an MCP server that names its authorization server itself.
func boardServer(w http.ResponseWriter, r *http.Request) {
	const self, id = "https://eu.board.example", "https://id.example"
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/.well-known/oauth-protected-resource/mcp":
		fmt.Fprintf(w, `{"resource":%q,"authorization_servers":[%q]}`, self+"/mcp", id)
	case "/.well-known/oauth-authorization-server":
		fmt.Fprintf(w, `{"issuer":%q,"authorization_endpoint":"%s/a","token_endpoint":"%s/t","registration_endpoint":"%s/r","response_types_supported":["code"],"code_challenge_methods_supported":["S256"]}`, id, id, id, id)
	case "/r":
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"client_id":"c","client_secret":"s","token_endpoint_auth_method":"client_secret_basic"}`)
	default:
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
	}
}

func TestThePageAlwaysSaysWhereTheCredentialGoes(t *testing.T) {
	reasons := []vault.Reason{vault.Missing, vault.Expired, vault.Revoked, vault.Rejected, vault.Insufficient}
	v := newVaultSite(t)
	v.web.serve("eu.board.example", http.HandlerFunc(boardServer))
	v.web.serve("id.example", http.HandlerFunc(boardServer))
	b := v.as("alice")
	for server, want := range map[string]string{
		"tracker": "tracker.example (mcp.tracker.example)", "notes": "notes.example",
		"search": "search.example (api.search.example)", "mail": "mail.example", "board": "board.example (eu.board.example)",
		"shared": "shared.example", "agents": "agents.example",
	} {
		found, err := v.vault.Server(t.Context(), "", server)
		if err != nil {
			t.Fatal(err)
		}
		key := vault.Key{Tenant: "default", Server: server, Scope: found.Auth.Scope}
		if key.Scope != vault.Platform {
			key.Owner = "alice"
		}
		for _, why := range reasons {
			q, err := v.hub.Open(t.Context(), v.vault.Question(&vault.RequiredError{Key: key, Server: found, Reason: why, Scopes: []string{"x"}}, parley.Principal{User: "alice"}, ""))
			if err != nil {
				t.Fatal(err)
			}
			b.get(connectPath(q)).want(http.StatusOK).says("The credential goes to " + want)
			if found.Auth.Type == vault.APIKey {
				b.post(connectPath(q), url.Values{"action": {"connect"}, "key": {"no key"}}).
					want(http.StatusUnprocessableEntity).says("This has a character that a key or token cannot have.", "The credential goes to "+want)
			}
		}
	}
}

func TestThePageShowsWhatElseTheProviderIsSent(t *testing.T) {
	v := newVaultSite(t)
	b := v.as("alice")
	b.get(connectPath(v.askAlice("tracker"))).want(http.StatusOK).lacks("Sent along")
	b.get(connectPath(v.askAlice("notes"))).want(http.StatusOK).says("Sent along", "user_scope=<b>everything</b>")
}

func TestAConnectionThatMayNotBeMadeIsNotOffered(t *testing.T) {
	v := newVaultSite(t)
	b := v.as("alice")
	_, err := seal.Records(v.store, v.keys, nil).Save(t.Context(), parley.Record{ // as from before it was checked
		Address: parley.Address{Tenant: "default", Kind: "server", Key: "evil"},
		Data:    []byte(`{"name":"evil","url":"https://evil.example/mcp","auth":{"type":"oauth2","scope":"user","provider":"acme","scopes":["everything"]}}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	q := v.askAlice("evil")
	b.get(connectPath(q)).want(http.StatusForbidden).says("may not use the provider", "tell the administrator").lacks("Connect at")
	b.post(oauthPath("acme", q), agree).want(http.StatusForbidden).lacks("You are being taken")
	if n := v.web.count("login.acme.co.uk/authorize"); n != 0 {
		t.Errorf("the provider was contacted %d times", n)
	}
}
