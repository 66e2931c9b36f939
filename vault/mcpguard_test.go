package vault_test

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/vault"
)

// A server that the operator trusts names a service of this machine that
// nobody was to reach. Requests are real, and go through the real guard.
func TestAServerCannotSendUsToPlacesThatAreNotOpenToUs(t *testing.T) {
	const secret = "/latest/meta-data"
	describe := func(self string, servers ...string) document {
		return document{"resource": self + "/mcp", "authorization_servers": servers}
	}
	challenge := func(url string) func(self, victim string, s *resourceServer) {
		return func(self, victim string, s *resourceServer) {
			s.challenges = []string{`Bearer resource_metadata="` + strings.ReplaceAll(url, "VICTIM", victim) + `"`}
		}
	}
	for name, test := range map[string]struct {
		change    func(self, victim string, s *resourceServer)
		forbidden bool // the guard stopped it; else we did before
		reason    string
	}{
		"by its challenge":              {challenge("VICTIM" + secret), true, "loopback"},
		"by its challenge, to a cloud":  {challenge("http://169.254.169.254" + secret), false, "not https"},
		"by its challenge, by https":    {challenge("https://169.254.169.254" + secret), false, "non-public"},
		"by its challenge, inside":      {challenge("https://10.1.2.3" + secret), false, "non-public"},
		"by its challenge, in IPv6":     {challenge("https://[fd00::1]" + secret), false, "non-public"},
		"by its challenge, in disguise": {challenge("https://2130706433" + secret), false, "unusual form"},
		"by its challenge, to a file":   {challenge("file:///etc/passwd"), false, "scheme"},
		"by its challenge, to no URL":   {challenge("gopher://VICTIM/"), false, "refused"},
		"by a redirect": {func(self, victim string, s *resourceServer) {
			s.pages = map[string]any{boardPath: http.RedirectHandler(victim+secret, http.StatusFound)}
		}, true, "loopback"},
		"by two redirects": {func(self, victim string, s *resourceServer) {
			s.pages = map[string]any{
				boardPath: http.RedirectHandler(self+"/on", http.StatusFound),
				"/on":     http.RedirectHandler(victim+secret, http.StatusFound),
			}
		}, true, "loopback"},
		"by a redirect to a file": {func(self, victim string, s *resourceServer) {
			s.pages = map[string]any{boardPath: http.RedirectHandler("file:///etc/passwd", http.StatusFound)}
		}, true, "scheme"},
		"by its authorization server": {func(self, victim string, s *resourceServer) {
			s.pages = map[string]any{boardPath: describe(self, victim)}
		}, true, "loopback"},
		"by a redirect of its authorization server": {func(self, victim string, s *resourceServer) {
			s.pages = map[string]any{boardPath: describe(self, self), issuerPlace: http.RedirectHandler(victim+secret, http.StatusFound)}
		}, true, "loopback"},
		"by its registration": {func(self, victim string, s *resourceServer) {
			s.pages = map[string]any{boardPath: describe(self, self), issuerPlace: issuerAt(self, document{"registration_endpoint": victim + "/register"})}
		}, true, "loopback"},
		"by a redirect of its own": {func(self, victim string, s *resourceServer) {
			s.status, s.location = http.StatusFound, victim+secret
		}, false, "sends us on"},
	} {
		t.Run(name, func(t *testing.T) {
			var reached atomic.Int32
			victim := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				reached.Add(1)
				serve(w, document{"issuer": "http://" + r.Host})
			}))
			defer victim.Close()
			server := &resourceServer{status: http.StatusUnauthorized}
			self := httptest.NewServer(server)
			defer self.Close()
			test.change(self.URL, victim.URL, server)

			client := outbound.Client(&outbound.Options{Trusted: []string{strings.TrimPrefix(self.URL, "http://")}})
			defer client.CloseIdleConnections()
			m := newMCPWorld(t, func(o *vault.Options) {
				o.Client, o.TenantClient = client, nil
				configured(func(s *vault.Server) { s.URL = self.URL + "/mcp" })(o)
			})
			_, err := m.offer()
			e := refused(t, err, false)
			if !strings.Contains(e.Error(), test.reason) {
				t.Errorf("administrators read: %v", e)
			}
			if errors.Is(err, outbound.ErrForbidden) != test.forbidden {
				t.Errorf("stopped by the guard is not %v: %v", test.forbidden, e)
			}
			if n := reached.Load(); n != 0 {
				t.Errorf("the victim was reached %d times", n)
			}
		})
	}
}

// A code, and a secret with it, would go to the token endpoint.
func TestACodeIsNotTakenToAPlaceThatIsNotOpenToUs(t *testing.T) {
	var reached atomic.Int32
	victim := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer victim.Close()
	server := &resourceServer{status: http.StatusUnauthorized}
	self := httptest.NewServer(server)
	defer self.Close()
	server.pages = map[string]any{
		boardPath:   document{"resource": self.URL + "/mcp", "authorization_servers": []string{self.URL}},
		issuerPlace: issuerAt(self.URL, document{"token_endpoint": victim.URL + "/token"}),
	}
	client := outbound.Client(&outbound.Options{Trusted: []string{strings.TrimPrefix(self.URL, "http://")}})
	defer client.CloseIdleConnections()
	m := newMCPWorld(t, func(o *vault.Options) {
		o.Client, o.TenantClient = client, nil
		configured(func(s *vault.Server) {
			s.URL, s.Auth.ClientID, s.Auth.ClientSecret, s.Auth.Issuer = self.URL+"/mcp", "us", "our-secret", self.URL
		})(o)
	})
	to, _ := m.sentTo(m.Vault)
	_, err := m.Callback(t.Context(), alice, boardSlug, url.Values{"state": {query(t, to).Get("state")}, "code": {"a-code"}})
	if !errors.Is(err, outbound.ErrForbidden) {
		t.Errorf("got %v", err)
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("the victim was reached %d times", n)
	}
}

// issuerAt describes a loopback authorization server.
func issuerAt(base string, change document) document {
	d := document{
		"issuer": base, "authorization_endpoint": base + "/authorize", "token_endpoint": base + "/token",
		"registration_endpoint": base + "/register", "code_challenge_methods_supported": []string{"S256"},
	}
	maps.Copy(d, change)
	return d
}

func TestTheGuardCountsTheBytesOfADocument(t *testing.T) {
	server := &resourceServer{status: http.StatusUnauthorized}
	self := httptest.NewServer(server)
	defer self.Close()
	server.pages = map[string]any{boardPath: document{"resource": self.URL + "/mcp", "padding": strings.Repeat("x", 10<<20)}}
	client := outbound.Client(&outbound.Options{Loopback: true})
	defer client.CloseIdleConnections()
	m := newMCPWorld(t, func(o *vault.Options) {
		o.Client, o.TenantClient = client, nil
		configured(func(s *vault.Server) { s.URL = self.URL + "/mcp" })(o)
	})
	_, err := m.offer()
	refused(t, err, false)
	if !errors.Is(err, outbound.ErrTooLarge) {
		t.Errorf("got %v", fmt.Sprint(errors.Unwrap(err)))
	}
}
