package vault_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/storetest"
	"github.com/parley-hq/parley/vault"
)

func TestTheClientDocumentSaysWhoWeAre(t *testing.T) {
	m := newMCPWorld(t, nil)
	own := vault.Server{Name: "wall", URL: board, Auth: vault.Auth{Type: vault.MCP, Scope: vault.User}}
	if err := m.PutServer(t.Context(), "acme corp", own); err != nil {
		t.Fatal(err)
	}
	for slug, path := range map[string]string{
		"mcp.board":          "mcp.board",
		"mcp.wall~acme corp": "mcp.wall~acme%20corp",
	} {
		t.Run(slug, func(t *testing.T) {
			data, err := m.ClientDocument(t.Context(), slug)
			if err != nil {
				t.Fatal(err)
			}
			var got document
			if err := json.Unmarshal(data, &got); err != nil {
				t.Fatal(err)
			}
			want := document{
				"client_id": "https://parley.example/oauth/client/" + path, "client_name": "Parley", "client_uri": "https://parley.example",
				"redirect_uris": []any{"https://parley.example/oauth/callback/" + path}, "application_type": "web",
				"grant_types": []any{"authorization_code", "refresh_token"}, "response_types": []any{"code"},
				"token_endpoint_auth_method": "none",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The document is at the URL that we call ourselves, and names the redirect URI
// that we use.
func TestTheClientDocumentFitsTheAuthorizationRequest(t *testing.T) {
	m := newMCPWorld(t, nil)
	m.id.change(document{"client_id_metadata_document_supported": true})
	to, _ := m.sentTo(m.Vault)
	data, err := m.ClientDocument(t.Context(), boardSlug)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		ID        string   `json:"client_id"`
		Redirects []string `json:"redirect_uris"`
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	asked := query(t, to)
	if got.ID != asked.Get("client_id") || len(got.Redirects) != 1 || got.Redirects[0] != asked.Get("redirect_uri") {
		t.Errorf("the document says %+v, the request %v", got, asked)
	}
}

func TestThereIsNoClientDocumentForOthers(t *testing.T) {
	m := newMCPWorld(t, nil)
	if err := m.PutServer(t.Context(), "acme", vault.Server{Name: "wall", URL: board, Auth: vault.Auth{Type: vault.OAuth2, Provider: "own"}}); err != nil {
		t.Fatal(err)
	}
	for _, slug := range []string{
		"", "mcp.", "mcp.~", "board", "acme", "mcp.unknown", "mcp.tracker", "mcp.keyed", // no MCP authorization
		"mcp.board~", "mcp.board~acme", "mcp.wall~acme", "mcp.board~default", "mcp.wall", // not that tenant's
	} {
		if _, err := m.ClientDocument(t.Context(), slug); !errors.Is(err, vault.ErrUnknown) {
			t.Errorf("%q: got %v", slug, err)
		}
	}
}

// Anybody may ask for any slug. Not every store takes every character.
func TestAMalformedSlugDoesNotReachTheStore(t *testing.T) {
	m := newMCPWorld(t, nil)
	v, err := vault.New(m.hub, storetest.Faulty(m.store, storetest.Faults{Load: storetest.Fault{Before: 1}}), m.keys, &m.opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.ClientDocument(t.Context(), "mcp.wall~acme"); !errors.Is(err, storetest.ErrInjected) {
		t.Errorf("got %v", err)
	}
	for _, slug := range []string{
		"mcp.wall~a\x00", "mcp.wall~\xff", "mcp.wall~a\n", "mcp.wall~", "mcp.../wall~acme", "MCP.wall~acme", "mcp.~acme", "mcp.wall.~acme",
	} {
		if _, err := v.ClientDocument(t.Context(), slug); !errors.Is(err, vault.ErrUnknown) {
			t.Errorf("%q: got %v", slug, err)
		}
	}
}
