package vault_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// document is JSON that a test can change before it is served.
type document map[string]any

// resourceServer is a server that refuses everybody and says who gives out tokens.
type resourceServer struct {
	mu         sync.Mutex
	status     int
	challenges []string       // WWW-Authenticate
	location   string         // Location
	pages      map[string]any // by path: a document, or text that is no JSON
	probes     []http.Header
	bodies     []string
}

func (s *resourceServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if page, ok := s.pages[r.URL.Path]; ok && r.Method == http.MethodGet {
		if handler, ok := page.(http.Handler); ok {
			handler.ServeHTTP(w, r)
			return
		}
		serve(w, page)
		return
	}
	if strings.HasPrefix(r.URL.Path, "/.well-known/") || r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	body, _ := io.ReadAll(r.Body)
	s.probes, s.bodies = append(s.probes, r.Header.Clone()), append(s.bodies, string(body))
	for _, one := range s.challenges {
		w.Header().Add("WWW-Authenticate", one)
	}
	if s.location != "" {
		w.Header().Set("Location", s.location)
	}
	w.WriteHeader(s.status)
}

func (s *resourceServer) set(change func(*resourceServer)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s)
}

func (s *resourceServer) probed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.probes)
}

// serve answers with a document, a text, or a status and nothing.
func serve(w http.ResponseWriter, page any) {
	switch page := page.(type) {
	case int:
		w.WriteHeader(page)
	case string:
		fmt.Fprint(w, page)
	default:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(page)
	}
}

// issuer is an authorization server as MCP wants it. It is strict about how
// its clients authenticate.
type issuer struct {
	*authServer // its codes and tokens

	at       sync.Mutex
	metadata document
	pages    map[string]any // by path; the metadata is at its usual place besides
	clients  map[string]document
	asked    []document // registrations
	shown    []string   // how token requests authenticated
	answer   func(client document) (int, any)
}

func newIssuer(host string) *issuer {
	base := "https://" + host
	i := &issuer{
		authServer: newAuthServer(host), pages: map[string]any{}, clients: map[string]document{},
		metadata: document{
			"issuer": base, "authorization_endpoint": base + "/authorize", "token_endpoint": base + "/token",
			"revocation_endpoint": base + "/revoke", "registration_endpoint": base + "/register",
			"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"},
			"authorization_response_iss_parameter_supported": true,
		},
	}
	return i
}

const issuerPlace = "/.well-known/oauth-authorization-server"

func (i *issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.at.Lock()
	page, ok := i.pages[r.URL.Path]
	if !ok && r.URL.Path == issuerPlace && i.metadata != nil {
		page, ok = maps.Clone(i.metadata), true
	}
	i.at.Unlock()
	switch {
	case ok:
		serve(w, page)
	case r.URL.Path == "/register":
		i.register(w, r)
	case r.URL.Path == "/token" && i.authenticates(r):
		i.authServer.mu.Lock()
		defer i.authServer.mu.Unlock()
		i.token(w, r.PostForm)
	case r.URL.Path == "/revoke" && i.authenticates(r):
		i.authServer.mu.Lock()
		defer i.authServer.mu.Unlock()
		i.revoked = append(i.revoked, r.PostForm.Get("token"))
	case r.URL.Path == "/token", r.URL.Path == "/revoke":
		fail(w, http.StatusUnauthorized, "invalid_client")
	default:
		http.NotFound(w, r)
	}
}

func (i *issuer) register(w http.ResponseWriter, r *http.Request) {
	var asked document
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	given := maps.Clone(asked)
	given["client_id"] = "registered-" + rand.Text()
	if asked["token_endpoint_auth_method"] != "none" {
		given["client_secret"], given["client_secret_expires_at"] = "issued-secret-"+rand.Text(), 0
	}
	i.at.Lock()
	i.asked = append(i.asked, asked)
	answer := i.answer
	i.at.Unlock()
	status, body := http.StatusCreated, any(given)
	if answer != nil {
		status, body = answer(given)
	}
	i.at.Lock()
	i.clients[given["client_id"].(string)] = given
	i.at.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// authenticates demands the method that the client was registered with.
func (i *issuer) authenticates(r *http.Request) bool {
	if r.ParseForm() != nil {
		return false
	}
	id, secret, method := r.PostForm.Get("client_id"), r.PostForm.Get("client_secret"), "none"
	if user, password, ok := r.BasicAuth(); ok {
		id, _ = url.QueryUnescape(user)
		secret, _ = url.QueryUnescape(password)
		method = "client_secret_basic"
	} else if secret != "" {
		method = "client_secret_post"
	}
	i.at.Lock()
	defer i.at.Unlock()
	i.shown = append(i.shown, method)
	client, ok := i.clients[id]
	if !ok || client["token_endpoint_auth_method"] != method {
		return false
	}
	return method == "none" || client["client_secret"] == secret
}

// consent is what the person's browser does there.
func (i *issuer) consent(t testing.TB, to string) url.Values {
	t.Helper()
	q := query(t, to)
	if !strings.HasPrefix(to, i.issuer+"/") {
		t.Fatalf("the person is sent to %s", to)
	}
	if q.Get("code_challenge_method") != "S256" {
		t.Fatalf("no S256 challenge in %s", to)
	}
	code := "code-" + rand.Text()
	i.authServer.mu.Lock()
	defer i.authServer.mu.Unlock()
	i.codes[code] = q
	return url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {i.issuer}}
}

// change makes the server serve other metadata; nil removes a field.
func (i *issuer) change(fields document) {
	i.at.Lock()
	defer i.at.Unlock()
	for name, value := range fields {
		if i.metadata[name] = value; value == nil {
			delete(i.metadata, name)
		}
	}
}

func (i *issuer) registrations() []document {
	i.at.Lock()
	defer i.at.Unlock()
	return slices.Clone(i.asked)
}

// known makes a client that nobody registered here.
func (i *issuer) known(id, secret, method string) {
	i.at.Lock()
	defer i.at.Unlock()
	i.clients[id] = document{"client_secret": secret, "token_endpoint_auth_method": method}
}

func query(t testing.TB, to string) url.Values {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query()
}

const (
	board     = "https://board.example/mcp"
	boardRoot = "/.well-known/oauth-protected-resource"
	boardPath = boardRoot + "/mcp"
	boardSlug = "mcp.board"
)

// mcpWorld has a server "board" that names the authorization server id.
type mcpWorld struct {
	*world
	board *resourceServer
	id    *issuer
	logs  *lockedBuffer
}

func newMCPWorld(t testing.TB, change func(*vault.Options)) *mcpWorld {
	t.Helper()
	m := &mcpWorld{id: newIssuer("id.example"), logs: &lockedBuffer{}}
	m.board = &resourceServer{status: http.StatusUnauthorized, pages: map[string]any{
		boardPath: document{"resource": board, "authorization_servers": []string{"https://id.example"}},
	}}
	m.world = newWorld(t, func(o *vault.Options) {
		o.Servers = append(o.Servers, vault.Server{
			Name: "board", Title: "Board", URL: board, Auth: vault.Auth{Type: vault.MCP, Scope: vault.User},
		})
		o.Logger = slog.New(slog.NewTextHandler(m.logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
		if change != nil {
			change(o)
		}
	})
	m.web.hosts["board.example"], m.web.hosts["id.example"] = m.board, m.id
	return m
}

// configured changes the server "board".
func configured(change func(*vault.Server)) func(*vault.Options) {
	return func(o *vault.Options) {
		for i := range o.Servers {
			if o.Servers[i].Name == "board" {
				change(&o.Servers[i])
			}
		}
	}
}

// ask opens the question that a missing credential leads to, whatever else the
// error says.
func (m *mcpWorld) ask(p parley.Principal, server string) parley.Request {
	m.t.Helper()
	_, err := m.Credential(m.t.Context(), vault.Need{Tenant: p.Tenant, Server: server, User: p.User})
	var missing *vault.RequiredError
	if !errors.As(err, &missing) {
		m.t.Fatalf("got %v, want a *RequiredError", err)
	}
	q, err := m.hub.Open(m.t.Context(), m.Question(missing, p, "conversation"))
	if err != nil {
		m.t.Fatal(err)
	}
	return q
}

// offer opens a question for alice and looks at its page.
func (m *mcpWorld) offer() (vault.Offer, error) {
	m.t.Helper()
	return m.Offer(m.t.Context(), alice, m.ask(alice, "board").ID)
}

// sentTo is where alice is sent to connect the board, by v.
func (m *mcpWorld) sentTo(v *vault.Vault) (string, parley.Request) {
	m.t.Helper()
	q := m.ask(alice, "board")
	to, err := v.Begin(m.t.Context(), alice, q.ID, boardSlug)
	if err != nil {
		m.t.Fatalf("begin: %v", err)
	}
	return to, q
}

// connectBoard takes alice through all of it.
func (m *mcpWorld) connectBoard() {
	m.t.Helper()
	to, _ := m.sentTo(m.Vault)
	if _, err := m.Callback(m.t.Context(), alice, boardSlug, m.id.consent(m.t, to)); err != nil {
		m.t.Fatalf("callback: %v", err)
	}
}

func (m *mcpWorld) disconnectBoard(v *vault.Vault) {
	m.t.Helper()
	if err := v.Disconnect(m.t.Context(), vault.Key{Server: "board", Scope: vault.User, Owner: "alice"}); err != nil {
		m.t.Fatal(err)
	}
}

func (m *mcpWorld) boardToken() (string, error) {
	m.t.Helper()
	cred, err := m.Credential(m.t.Context(), needs("board"))
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(sent(m.t, cred, board).Get("Authorization"), "Bearer "), nil
}

// refused checks an error that a person and an administrator read, and returns
// what is meant for the latter.
func refused(t testing.TB, err error, temporary bool) *vault.DiscoveryError {
	t.Helper()
	var forPeople *vault.ProviderError
	var forAdmins *vault.DiscoveryError
	if !errors.As(err, &forPeople) || !errors.As(err, &forAdmins) {
		t.Fatalf("got %v (%T), want a *ProviderError with a *DiscoveryError", err, err)
	}
	if forPeople.Temporary != temporary {
		t.Errorf("temporary is %v: %v", forPeople.Temporary, forAdmins)
	}
	if forPeople.Provider != "Board" || strings.Contains(forPeople.Error(), "http") {
		t.Errorf("people read %q", forPeople.Error())
	}
	if forAdmins.Server != "board" {
		t.Errorf("administrators read %q", forAdmins.Error())
	}
	return forAdmins
}

// hasProblem finds what an administrator should read.
func hasProblem(t testing.TB, e *vault.DiscoveryError, url, field, reason string) {
	t.Helper()
	for _, p := range e.Problems {
		if p.URL == url && p.Field == field && strings.Contains(p.Reason, reason) {
			return
		}
	}
	t.Errorf("no problem with %s of %s that says %q in: %v", field, url, reason, e)
}

// lockedBuffer is a log that many write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
