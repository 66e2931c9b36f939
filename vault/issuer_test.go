package vault_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/vault"
)

func TestWhereAnIssuerDescribesItself(t *testing.T) {
	const oauth, openid = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	for name, test := range map[string]struct {
		issuer string
		order  []string
	}{
		"without a path":           {"https://id.example", []string{oauth, openid}},
		"with a slash":             {"https://id.example/", []string{oauth, openid}},
		"with a path":              {"https://id.example/tenant", []string{oauth + "/tenant", openid + "/tenant", "/tenant" + openid}},
		"with a path and a slash":  {"https://id.example/tenant/", []string{oauth + "/tenant", openid + "/tenant", "/tenant" + openid}},
		"with a path of two parts": {"https://id.example/a/b", []string{oauth + "/a/b", openid + "/a/b", "/a/b" + openid}},
	} {
		for found, at := range test.order {
			t.Run(fmt.Sprint(name, " ", found), func(t *testing.T) {
				m := newMCPWorld(t, nil)
				m.board.set(func(s *resourceServer) {
					s.pages[boardPath].(document)["authorization_servers"] = []string{test.issuer}
				})
				described := maps.Clone(m.id.metadata)
				described["issuer"] = test.issuer
				m.id.metadata, m.id.pages = nil, map[string]any{at: described}
				offer, err := m.offer()
				if err != nil {
					t.Fatal(err)
				}
				if offer.Provider != "id.example" {
					t.Errorf("people see %q", offer.Provider)
				}
				got := map[string]int{}
				for i, page := range test.order {
					if n := m.web.count("id.example" + page); n != 0 {
						got[page] = n
					}
					if i <= found && m.web.count("id.example"+page) != 1 {
						t.Errorf("%s was asked for %d times", page, m.web.count("id.example"+page))
					}
				}
				if len(got) != found+1 {
					t.Errorf("asked for %v", got)
				}
			})
		}
	}
}

// What an issuer calls itself is what its answers are compared with, to the
// letter.
func TestAnIssuerSpellsItsOwnName(t *testing.T) {
	m := newMCPWorld(t, nil)
	m.id.change(document{"issuer": "https://id.example/"})
	to, _ := m.sentTo(m.Vault)
	answer := m.id.consent(t, to)
	if _, err := m.Callback(t.Context(), alice, boardSlug, answer); !errors.Is(err, vault.ErrIssuer) {
		t.Errorf("without the slash: got %v", err)
	}
	to, _ = m.sentTo(m.Vault)
	answer = m.id.consent(t, to)
	answer.Set("iss", "https://id.example/")
	if _, err := m.Callback(t.Context(), alice, boardSlug, answer); err != nil {
		t.Errorf("with the slash: got %v", err)
	}
}

func TestAnIssuerThatCannotBeUsed(t *testing.T) {
	for name, test := range map[string]struct {
		change        document
		field, reason string
	}{
		"claims to be another":          {document{"issuer": "https://honest.example"}, "issuer", `is "https://honest.example", not "https://id.example"`},
		"claims to be below":            {document{"issuer": "https://id.example/tenant"}, "issuer", "not"},
		"claims to be nobody":           {document{"issuer": nil}, "issuer", `is ""`},
		"without PKCE":                  {document{"code_challenge_methods_supported": nil}, "", "PKCE"},
		"with plain PKCE":               {document{"code_challenge_methods_supported": []string{"plain"}}, "code_challenge_methods_supported", "lacks S256"},
		"without a page for people":     {document{"authorization_endpoint": nil}, "authorization_endpoint", "missing"},
		"without tokens":                {document{"token_endpoint": nil}, "token_endpoint", "missing"},
		"with scripts":                  {document{"authorization_endpoint": "javascript:alert(1)"}, "", "authorization_endpoint"},
		"with a file":                   {document{"token_endpoint": "file:///etc/passwd"}, "", "token_endpoint"},
		"with a file on this machine":   {document{"token_endpoint": "file://localhost/etc/passwd"}, "token_endpoint", "scheme"},
		"by plain http":                 {document{"token_endpoint": "http://id.example/token"}, "", "token_endpoint"},
		"by plain http, to revoke":      {document{"revocation_endpoint": "http://id.example/revoke"}, "revocation_endpoint", "not https"},
		"on this machine":               {document{"token_endpoint": "https://127.0.0.1/token"}, "token_endpoint", "this machine"},
		"on this machine, for people":   {document{"authorization_endpoint": "http://localhost:8080/authorize"}, "authorization_endpoint", "this machine"},
		"on this machine, to register":  {document{"registration_endpoint": "http://[::1]:8080/register"}, "registration_endpoint", "this machine"},
		"inside":                        {document{"token_endpoint": "https://169.254.169.254/token"}, "", "token_endpoint"},
		"with a person in front":        {document{"authorization_endpoint": "https://id.example@rogue.example/authorize"}, "authorization_endpoint", "user name"},
		"with a look-alike":             {document{"authorization_endpoint": "https://іd.example/authorize"}, "authorization_endpoint", "misleading"},
		"with a fragment":               {document{"authorization_endpoint": "https://id.example/authorize#x"}, "authorization_endpoint", "fragment"},
		"with another type of endpoint": {document{"token_endpoint": 7}, "", "token_endpoint"},
		"too large":                     {document{"padding": strings.Repeat("x", 1<<20)}, "", "too large"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMCPWorld(t, nil)
			m.id.change(test.change)
			_, err := m.offer()
			e := refused(t, err, false)
			first := e.Problems[0]
			if first.URL != "https://id.example"+issuerPlace || first.Field != test.field || !strings.Contains(first.Reason, test.reason) {
				t.Errorf("administrators read: %v", e)
			}
			if n := len(m.id.registrations()); n != 0 {
				t.Errorf("%d registrations there", n)
			}
			if name == "too large" && !errors.Is(err, outbound.ErrTooLarge) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAnIssuerThatIsDownMayComeBack(t *testing.T) {
	m := newMCPWorld(t, nil)
	m.id.metadata, m.id.pages = nil, map[string]any{issuerPlace: 502}
	_, err := m.offer()
	hasProblem(t, refused(t, err, true), "https://id.example"+issuerPlace, "", "status 502")
	delete(m.web.hosts, "id.example")
	_, err = m.offer()
	hasProblem(t, refused(t, err, true), "https://id.example"+issuerPlace, "", "no such host")
}

func TestTheIssuerIsTheFirstOrTheOneWeAreRegisteredWith(t *testing.T) {
	servers := []string{"https://other-id.example", "https://id.example"}
	for name, test := range map[string]struct {
		auth vault.Auth
		want string
	}{
		"the first":          {want: "other-id.example"},
		"ours":               {vault.Auth{ClientID: "us", Issuer: "https://id.example"}, "id.example"},
		"ours, with a slash": {vault.Auth{ClientID: "us", Issuer: "https://id.example/"}, "id.example"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMCPWorld(t, configured(func(s *vault.Server) { s.Auth.ClientID, s.Auth.Issuer = test.auth.ClientID, test.auth.Issuer }))
			m.web.hosts["other-id.example"] = newIssuer("other-id.example")
			m.board.set(func(s *resourceServer) { s.pages[boardPath].(document)["authorization_servers"] = servers })
			offer, err := m.offer()
			if err != nil {
				t.Fatal(err)
			}
			if offer.Provider != test.want {
				t.Errorf("people are sent to %s", offer.Provider)
			}
		})
	}
	t.Run("never another with our credentials", func(t *testing.T) {
		m := newMCPWorld(t, configured(func(s *vault.Server) {
			s.Auth.ClientID, s.Auth.ClientSecret, s.Auth.Issuer = "us", "our-secret", "https://elsewhere.example"
		}))
		_, err := m.offer()
		hasProblem(t, refused(t, err, false), board, "authorization_servers", `registered with "https://elsewhere.example"`)
		if m.web.count("id.example"+issuerPlace) != 0 {
			t.Error("the other one was asked")
		}
	})
}

func TestAPreRegisteredClientShowsItsSecretAsTheServerWants(t *testing.T) {
	for name, test := range map[string]struct {
		secret    string
		supported []string
		method    string   // what the client is registered for there
		want      []string // how token requests authenticate
	}{
		"in the header":                 {"our-secret", []string{"client_secret_basic"}, "client_secret_basic", []string{"client_secret_basic"}},
		"in the body":                   {"our-secret", []string{"client_secret_post", "none"}, "client_secret_post", []string{"client_secret_post"}},
		"found out":                     {"our-secret", []string{"client_secret_basic", "client_secret_post"}, "client_secret_post", []string{"client_secret_basic", "client_secret_post"}},
		"found out, being told nothing": {"our-secret", nil, "client_secret_basic", []string{"client_secret_basic"}},
		"without one":                   {"", []string{"client_secret_basic", "none"}, "none", []string{"none"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMCPWorld(t, configured(func(s *vault.Server) {
				s.Auth.ClientID, s.Auth.ClientSecret, s.Auth.Issuer = "us", parley.Secret(test.secret), "https://id.example"
			}))
			m.id.change(document{"token_endpoint_auth_methods_supported": test.supported, "client_id_metadata_document_supported": true})
			m.id.known("us", test.secret, test.method)
			to, _ := m.sentTo(m.Vault)
			if got := query(t, to).Get("client_id"); got != "us" {
				t.Errorf("client_id is %q", got)
			}
			if _, err := m.Callback(t.Context(), alice, boardSlug, m.id.consent(t, to)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, m.id.shown); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if n := len(m.id.registrations()); n != 0 {
				t.Errorf("%d registrations", n)
			}
		})
	}
}
