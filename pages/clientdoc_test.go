package pages_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/vault"
)

func TestAuthorizationServersLearnWhoWeAre(t *testing.T) {
	s := newSite(t, secure, func(s *site, o *pages.Options) {
		v, err := vault.New(s.hub, s.store, s.keys, &vault.Options{
			PublicURL: secure, Client: &http.Client{Transport: newWeb()},
			Servers: []vault.Server{
				{Name: "tracker", URL: "https://tracker.example/mcp", Auth: vault.Auth{Type: vault.MCP, Scope: vault.User}},
				{Name: "keyed", URL: "https://keyed.example/mcp", Auth: vault.Auth{Type: vault.APIKey, Scope: vault.User}},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		o.Connections = v
		o.SignIn = pages.OIDC(&pages.OIDCOptions{Issuer: "https://id.example", ClientID: "x"})
	})
	b := s.browser() // nobody is signed in
	a := b.get("/oauth/client/mcp.tracker").want(http.StatusOK)
	var document struct {
		ClientID     string   `json:"client_id"`
		RedirectURIs []string `json:"redirect_uris"`
	}
	if err := json.Unmarshal([]byte(a.body), &document); err != nil {
		t.Fatal(err)
	}
	if document.ClientID != secure+"/oauth/client/mcp.tracker" || len(document.RedirectURIs) != 1 || document.RedirectURIs[0] != secure+"/oauth/callback/mcp.tracker" {
		t.Errorf("%+v", document)
	}
	if kind := a.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
		t.Errorf("it is %s", kind)
	}
	for _, slug := range []string{"mcp.keyed", "mcp.nobody", "acme"} {
		b.get("/oauth/client/" + slug).want(http.StatusNotFound)
	}
}
