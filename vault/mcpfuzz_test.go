package vault_test

import (
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/vault"
)

// Whatever a server and its authorization server say: either it is refused, or
// people are sent to an https page on another machine to ask for a token for
// this server.
func FuzzWhatStrangersSay(f *testing.F) {
	const (
		resource = `{"resource":"https://board.example/mcp","authorization_servers":["https://id.example"],"scopes_supported":["read"]}`
		issuer   = `{"issuer":"https://id.example","authorization_endpoint":"https://id.example/authorize","token_endpoint":"https://id.example/token",` +
			`"registration_endpoint":"https://id.example/register","code_challenge_methods_supported":["S256"],"scopes_supported":["offline_access"]}`
		client = `{"client_id":"us","client_secret":"s","client_secret_expires_at":0,"redirect_uris":["https://parley.example/oauth/callback/mcp.board"]}`
	)
	f.Add(`Bearer resource_metadata="https://board.example/about", scope="read"`, resource, issuer, client)
	f.Add(`Bearer`, resource, strings.ReplaceAll(issuer, "id.example/authorize", "127.0.0.1/authorize"), client)
	f.Add(`Bearer error="x", error_description="a \"b\", c", DPoP algs="ES256"`, strings.ReplaceAll(resource, "/mcp", ""), issuer, `{"client_id":"us"}`)
	f.Add(`, ,"=`, `[]`, `{"issuer":null}`, `null`)
	f.Add(`Basic YTpi, Bearer scope="\"`, `{"Resource":"https://board.example/mcp"}`, issuer+issuer, `{"client_id":"us","client_secret_expires_at":1e99}`)
	f.Fuzz(func(t *testing.T, challenge, resource, issuer, client string) {
		m := newMCPWorld(t, func(o *vault.Options) { o.Logger = slog.New(slog.DiscardHandler) })
		say := func(text string) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(text))
			}
		}
		m.board.set(func(s *resourceServer) {
			s.challenges = []string{challenge}
			s.pages = map[string]any{"/about": say(resource), boardPath: say(resource), boardRoot: say(resource)}
		})
		names := http.NewServeMux()
		names.HandleFunc("/", say(issuer))
		names.HandleFunc("/register", say(client))
		m.web.hosts["id.example"] = names
		q := m.ask(alice, "board")
		to, err := m.Begin(t.Context(), alice, q.ID, boardSlug)
		if err != nil {
			return
		}
		u, err := url.Parse(to)
		if err != nil || u.Scheme != "https" || u.User != nil || slices.Contains([]string{"", "localhost", "127.0.0.1", "::1"}, u.Hostname()) {
			t.Errorf("people are sent to %q", to)
		}
		if got := u.Query()["resource"]; len(got) != 1 || !strings.HasPrefix(got[0], "https://board.example") || !strings.HasPrefix(board+"/", got[0]) {
			t.Errorf("the token is for %q", got)
		}
		if got := u.Query(); got.Get("client_id") == "" || got.Get("code_challenge_method") != "S256" || got.Get("redirect_uri") != "https://parley.example/oauth/callback/mcp.board" {
			t.Errorf("the request is %q", to)
		}
	})
}
