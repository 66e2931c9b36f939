package vault_test

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// web is a network of handlers by host, without sockets: it works in a
// synctest bubble, and it counts.
type web struct {
	mu    sync.Mutex
	hosts map[string]http.Handler
	seen  map[string]int // by host and path
}

func newWeb() *web { return &web{hosts: map[string]http.Handler{}, seen: map[string]int{}} }

func (w *web) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	handler, ok := w.hosts[r.URL.Host]
	w.seen[r.URL.Host+r.URL.Path]++
	w.mu.Unlock()
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("dial %s: no such host", r.URL.Host)
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, r)
	return recorder.Result(), nil
}

func (w *web) count(path string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen[path]
}

func (w *web) requests() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, count := range w.seen {
		n += count
	}
	return n
}

// authServer is an authorization server that rotates refresh tokens and
// revokes the family when an old one comes back.
type authServer struct {
	issuer, client, secret string
	ttl                    time.Duration

	mu       sync.Mutex
	codes    map[string]url.Values // what the code was asked for with
	refresh  map[string]bool       // valid refresh tokens
	used     map[string]bool       // rotated ones
	grants   map[string]int        // token requests that succeeded, by grant type
	last     url.Values            // the last token request
	revoked  []string
	tokens   []string
	during   func() // while a token request is being answered
	status   int    // answers every token request with this
	code     string // and this error code
	noRotate bool
}

func newAuthServer(host string) *authServer {
	return &authServer{
		issuer: "https://" + host, client: "parley-" + host, secret: "client-secret-of-" + host, ttl: time.Hour,
		codes: map[string]url.Values{}, refresh: map[string]bool{}, used: map[string]bool{}, grants: map[string]int{},
	}
}

// authorize is what the person's browser does at the provider: it consents and
// is sent back. The result is the query of the callback.
func (a *authServer) authorize(t testing.TB, authURL string) url.Values {
	t.Helper()
	u, err := url.Parse(authURL)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	if q.Get("code_challenge_method") != "S256" || q.Get("code_challenge") == "" {
		t.Fatalf("the authorization request has no S256 challenge: %s", authURL)
	}
	if q.Get("client_id") != a.client {
		t.Fatalf("client_id is %q, want %q", q.Get("client_id"), a.client)
	}
	code := "code-" + rand.Text()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.codes[code] = q
	return url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {a.issuer}}
}

func (a *authServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	during := a.during
	a.mu.Unlock()
	if during != nil {
		during()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := r.ParseForm(); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if user, password, ok := r.BasicAuth(); !ok || user != a.client || password != a.secret {
		if r.PostForm.Get("client_id") != a.client || r.PostForm.Get("client_secret") != a.secret {
			fail(w, http.StatusUnauthorized, "invalid_client")
			return
		}
	}
	if a.status != 0 {
		fail(w, a.status, a.code)
		return
	}
	switch r.URL.Path {
	case "/revoke":
		a.revoked = append(a.revoked, r.PostForm.Get("token"))
		delete(a.refresh, r.PostForm.Get("token"))
	case "/token":
		a.token(w, r.PostForm)
	default:
		http.NotFound(w, r)
	}
}

func (a *authServer) token(w http.ResponseWriter, q url.Values) {
	a.last = q
	grant := q.Get("grant_type")
	switch grant {
	case "authorization_code":
		asked, ok := a.codes[q.Get("code")]
		delete(a.codes, q.Get("code"))
		digest := sha256.Sum256([]byte(q.Get("code_verifier")))
		if !ok || asked.Get("redirect_uri") != q.Get("redirect_uri") ||
			asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(digest[:]) {
			fail(w, http.StatusBadRequest, "invalid_grant")
			return
		}
	case "refresh_token":
		old := q.Get("refresh_token")
		if !a.refresh[old] {
			if a.used[old] {
				clear(a.refresh) // replay: the family is revoked
			}
			fail(w, http.StatusBadRequest, "invalid_grant")
			return
		}
		if !a.noRotate {
			delete(a.refresh, old)
			a.used[old] = true
		}
	}
	a.grants[grant]++
	answer := map[string]any{
		"access_token": "access-" + rand.Text(), "token_type": "Bearer", "expires_in": int(a.ttl.Seconds()),
	}
	if grant != "refresh_token" || !a.noRotate {
		next := "refresh-" + rand.Text()
		a.refresh[next] = true
		answer["refresh_token"] = next
		a.tokens = append(a.tokens, next)
	}
	a.tokens = append(a.tokens, answer["access_token"].(string))
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

func fail(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": code, "error_description": "secret-in-a-description"})
}

func (a *authServer) granted(grant string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.grants[grant]
}

func (a *authServer) set(change func(*authServer)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(a)
}

func (a *authServer) provider(name string) vault.Provider {
	return vault.Provider{
		Name: name, Title: strings.ToUpper(name[:1]) + name[1:], Issuer: a.issuer, SecretIn: "header",
		AuthURL: a.issuer + "/authorize", TokenURL: a.issuer + "/token", RevokeURL: a.issuer + "/revoke",
		ClientID: a.client, ClientSecret: parley.Secret(a.secret), Scopes: []string{"read"},
	}
}

// world is everything a test of the vault needs.
type world struct {
	*vault.Vault
	t     testing.TB
	hub   *parley.Hub
	store *parley.MemoryStore
	keys  *seal.Keyring
	web   *web
	acme  *authServer // behind the server "tracker"
	other *authServer // behind the server "notes"
	opts  vault.Options
}

var (
	alice = parley.Principal{User: "alice", Method: "test"}
	bob   = parley.Principal{User: "bob", Method: "test"}
)

func newWorld(t testing.TB, change func(*vault.Options)) *world {
	t.Helper()
	keys, err := seal.New([]byte("a secret of thirty-two bytes or more"))
	if err != nil {
		t.Fatal(err)
	}
	store := parley.NewMemoryStore()
	w := &world{
		t: t, hub: parley.New(store, nil), store: store, keys: keys, web: newWeb(),
		acme: newAuthServer("acme.example"), other: newAuthServer("other.example"),
	}
	w.web.hosts["acme.example"], w.web.hosts["other.example"] = w.acme, w.other
	w.opts = vault.Options{
		PublicURL: "https://parley.example",
		Client:    &http.Client{Transport: w.web}, TenantClient: &http.Client{Transport: w.web},
		Providers: []vault.Provider{w.acme.provider("acme"), w.other.provider("other")},
		Services:  []vault.Service{{Name: "boards", Provider: "acme", Scopes: []string{"boards.read", "boards.write"}}},
		Servers: []vault.Server{
			{Name: "tracker", Title: "Tracker", URL: "https://tracker.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Provider: "acme"}},
			{Name: "notes", URL: "https://notes.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Provider: "other"}},
			{Name: "boards", URL: "https://boards.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Service: "boards"}},
			{Name: "keyed", URL: "https://keyed.example/mcp", Auth: vault.Auth{Type: vault.APIKey, Scope: vault.User}},
			{Name: "shared", URL: "https://shared.example/mcp", Auth: vault.Auth{Type: vault.Bearer, Scope: vault.Platform}},
			{Name: "coach", URL: "https://coach.example/mcp", Auth: vault.Auth{Type: vault.Bearer, Scope: vault.Mentor}},
			{Name: "open", URL: "https://open.example/mcp"},
		},
	}
	if change != nil {
		change(&w.opts)
	}
	w.Vault = w.another()
	return w
}

// another is a second process over the same store.
func (w *world) another() *vault.Vault {
	w.t.Helper()
	v, err := vault.New(w.hub, w.store, w.keys, &w.opts)
	if err != nil {
		w.t.Fatal(err)
	}
	return v
}

func needs(server string) vault.Need { return vault.Need{Server: server, User: "alice"} }

// ask opens the question that a missing credential leads to.
func (w *world) ask(p parley.Principal, server string) parley.Request {
	w.t.Helper()
	_, err := w.Credential(w.t.Context(), vault.Need{Tenant: p.Tenant, Server: server, User: p.User})
	q, err := w.hub.Open(w.t.Context(), w.Question(required(w.t, err), p, "conversation"))
	if err != nil {
		w.t.Fatal(err)
	}
	return q
}

// connect takes p through the whole flow.
func (w *world) connect(p parley.Principal, server string, at *authServer, slug string) parley.Request {
	w.t.Helper()
	q := w.ask(p, server)
	if _, err := w.Callback(w.t.Context(), p, slug, at.authorize(w.t, w.begin(p, q, slug, w.others(p, q)...))); err != nil {
		w.t.Fatalf("callback: %v", err)
	}
	return q
}

// others are the servers that the question's page names beside its own.
func (w *world) others(p parley.Principal, q parley.Request) []vault.Other {
	w.t.Helper()
	offer, err := w.Offer(w.t.Context(), p, q.ID)
	if err != nil {
		w.t.Fatalf("offer: %v", err)
	}
	return offer.Others
}

func (w *world) begin(p parley.Principal, q parley.Request, slug string, shown ...vault.Other) string {
	w.t.Helper()
	to, err := w.Begin(w.t.Context(), p, q.ID, slug, shown...)
	if err != nil {
		w.t.Fatalf("begin: %v", err)
	}
	return to
}

func (w *world) outcome(id parley.ID) *parley.Outcome {
	w.t.Helper()
	q, err := w.store.Get(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return q.Outcome
}

// sent is the header that a credential puts on a request to its server.
func sent(t testing.TB, c vault.Credential, to string) http.Header {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, to, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(r); err != nil {
		t.Fatal(err)
	}
	return r.Header
}

func required(t testing.TB, err error) *vault.RequiredError {
	t.Helper()
	e, ok := err.(*vault.RequiredError)
	if !ok {
		t.Fatalf("got %v, want a *RequiredError", err)
	}
	return e
}

// rows is everything the store holds, as text.
func (w *world) rows() string {
	w.t.Helper()
	var b strings.Builder
	for _, kind := range []string{"connection", "oauth_flow", "provider", "server", "service", "refusal", "client"} {
		all, err := w.store.Scan(w.t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: kind}, "", 0)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, r := range all {
			fmt.Fprintf(&b, "%s %s %s %s\n", r.Kind, r.Key, r.Owner, r.Data)
		}
	}
	requests, err := w.store.List(w.t.Context(), parley.Query{})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, q := range requests {
		fmt.Fprintf(&b, "%+v %+v\n", q, q.Outcome)
	}
	return b.String()
}

func keys[K ~string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// sealed are the vault's own records.
func sealed(w *world) parley.Records { return seal.Records(w.store, w.keys, nil) }

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
