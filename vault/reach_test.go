package vault_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// way is one of the vault's two ways out. It remembers what was asked for by it.
type way struct {
	http.RoundTripper
	mu   sync.Mutex
	seen []string
}

func (w *way) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.seen = append(w.seen, r.URL.Host+r.URL.Path)
	w.mu.Unlock()
	return w.RoundTripper.RoundTrip(r)
}

// took returns what was asked for since the last time, each once.
func (w *way) took() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := slices.Compact(slices.Sorted(slices.Values(w.seen)))
	w.seen = nil
	return all
}

// twoWays makes the ways out of a vault two that can be told apart.
func twoWays(o *vault.Options) (operator, stranger *way) {
	operator, stranger = &way{RoundTripper: o.Client.Transport}, &way{RoundTripper: o.Client.Transport}
	o.Client, o.TenantClient = &http.Client{Transport: operator}, &http.Client{Transport: stranger}
	return operator, stranger
}

func wantWays(t testing.TB, what string, operator, stranger *way, byOperator, byStranger []string) {
	t.Helper()
	if diff := cmp.Diff(byOperator, operator.took()); diff != "" {
		t.Errorf("%s, the operator's way: %s", what, diff)
	}
	if diff := cmp.Diff(byStranger, stranger.took()); diff != "" {
		t.Errorf("%s, the way of everybody else: %s", what, diff)
	}
}

var rival = parley.Principal{Tenant: "globex", User: "alice", Method: "test"}

// use sends a request to a server with the credential of p.
func (w *world) use(p parley.Principal, server, to string) {
	w.t.Helper()
	client := &http.Client{Transport: &vault.Transport{Vault: w.Vault, Need: vault.Need{Tenant: p.Tenant, Server: server, User: p.User}}}
	answer, err := client.Get(to)
	if err != nil {
		w.t.Fatal(err)
	}
	answer.Body.Close()
}

func TestWhatATenantNamesIsReachedByTheWayForStrangers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var operator, stranger *way
		w := newWorld(t, func(o *vault.Options) { operator, stranger = twoWays(o) })
		ok := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
		w.web.hosts["tracker.example"], w.web.hosts["crm.example"] = ok, ok

		if err := w.PutProvider(t.Context(), "globex", w.other.provider("idp")); err != nil {
			t.Fatal(err)
		}
		if err := w.PutServer(t.Context(), "globex", vault.Server{
			Name: "crm", URL: "https://crm.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Provider: "idp"},
		}); err != nil {
			t.Fatal(err)
		}
		w.connect(alice, "tracker", w.acme, "acme")
		wantWays(t, "a code for the operator's server", operator, stranger, []string{"acme.example/token"}, nil)
		w.connect(rival, "crm", w.other, "idp~globex")
		wantWays(t, "a code for a tenant's", operator, stranger, nil, []string{"other.example/token"})

		time.Sleep(2 * time.Hour)
		w.use(alice, "tracker", "https://tracker.example/mcp")
		wantWays(t, "a refresh and a call of the operator's", operator, stranger, []string{"acme.example/token", "tracker.example/mcp"}, nil)
		w.use(rival, "crm", "https://crm.example/mcp")
		wantWays(t, "a refresh and a call of a tenant's", operator, stranger, nil, []string{"crm.example/mcp", "other.example/token"})

		for _, p := range []parley.Principal{alice, rival} {
			server := map[string]string{"": "tracker", "globex": "crm"}[p.Tenant]
			if err := w.Disconnect(t.Context(), vault.Key{Tenant: p.Tenant, Server: server, Scope: vault.User, Owner: p.User}); err != nil {
				t.Error(err)
			}
		}
		wantWays(t, "revocation", operator, stranger, []string{"acme.example/revoke"}, []string{"other.example/revoke"})
	})
}

func TestWhatATenantsServerLeadsToIsReachedByTheWayForStrangers(t *testing.T) {
	var operator, stranger *way
	m := newMCPWorld(t, func(o *vault.Options) {
		operator, stranger = twoWays(o)
		o.Servers = slices.DeleteFunc(o.Servers, func(s vault.Server) bool { return s.Name == "board" })
	})
	m.board.pages[boardPath] = document{"resource": board, "authorization_servers": []string{"https://id.example"}}
	if err := m.PutServer(t.Context(), "globex", vault.Server{
		Name: "board", Title: "Board", URL: board, Auth: vault.Auth{Type: vault.MCP, Scope: vault.User},
	}); err != nil {
		t.Fatal(err)
	}
	const slug = boardSlug + "~globex"
	q := m.ask(rival, "board")
	to, err := m.Begin(t.Context(), rival, q.ID, slug)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Callback(t.Context(), rival, slug, m.id.consent(t, to)); err != nil {
		t.Fatal(err)
	}
	wantWays(t, "discovery, registration and the code", operator, stranger, nil,
		[]string{"board.example" + boardPath, "board.example/mcp", "id.example" + issuerPlace, "id.example/register", "id.example/token"})
}

// A server that the operator chose is not the operator: where it leads to is
// not what the operator wrote.
func TestWhatAServerOfTheConfigurationLeadsToIsReachedByTheWayForStrangers(t *testing.T) {
	for name, c := range map[string]struct {
		auth               vault.Auth
		operator, stranger []string
	}{
		"that names its issuer": {vault.Auth{Type: vault.MCP, Scope: vault.User},
			[]string{"board.example" + boardPath, "board.example/mcp"}, []string{"id.example" + issuerPlace, "id.example/register", "id.example/token"}},
		"whose issuer the operator wrote": {vault.Auth{Type: vault.MCP, Scope: vault.User, Issuer: "https://id.example", ClientID: "ours", ClientSecret: "s"},
			[]string{"board.example" + boardPath, "board.example/mcp", "id.example" + issuerPlace, "id.example/token"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var operator, stranger *way
			m := newMCPWorld(t, func(o *vault.Options) {
				operator, stranger = twoWays(o)
				configured(func(s *vault.Server) { s.Auth = c.auth })(o)
			})
			m.id.known("ours", "s", "client_secret_basic")
			m.connectBoard()
			wantWays(t, "connecting", operator, stranger, c.operator, c.stranger)
		})
	}
}

func TestNoWayForStrangersIsMadeOfTheOperatorsOwn(t *testing.T) {
	w := newWorld(t, func(o *vault.Options) { o.TenantClient = nil })
	if err := w.PutServer(t.Context(), "globex", vault.Server{Name: "crm", Title: "Board", URL: "http://127.0.0.1:9/mcp", Auth: vault.Auth{Type: vault.MCP, Scope: vault.User}}); err != nil {
		t.Fatal(err)
	}
	_, err := w.Offer(t.Context(), rival, w.ask(rival, "crm").ID)
	if err == nil || w.web.requests() != 0 {
		t.Errorf("%v after %d requests", err, w.web.requests())
	}
	if err != nil && strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("people read %v", err)
	}
}
