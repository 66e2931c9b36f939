package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/api"
	"github.com/parley-hq/parley/asking"
	"github.com/parley-hq/parley/audit"
	"github.com/parley-hq/parley/login"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// secret is in every secret that these tests use. No answer may hold it.
const secret = "s3cr3t"

// callers are who can send requests, by their token.
var callers = map[string]api.Caller{
	"key":      {Principal: parley.Principal{Tenant: "acme", Method: "api_key"}, Admin: true},
	"ada":      {Principal: parley.Principal{Tenant: "acme", User: "ada", Method: "jwt"}, Admin: true},
	"alice":    {Principal: parley.Principal{Tenant: "acme", User: "alice", Method: "jwt"}},
	"bob":      {Principal: parley.Principal{Tenant: "acme", User: "bob", Method: "jwt"}},
	"program":  {Principal: parley.Principal{Tenant: "acme", Method: "api_key"}},
	"impostor": {Principal: parley.Principal{Tenant: "acme", User: "mcp-session:" + secret, Method: "jwt"}},
	"rival":    {Principal: parley.Principal{Tenant: "globex", Method: "api_key"}, Admin: true},
	"ci": {
		Principal: parley.Principal{Tenant: "acme", Method: "api_key", Kind: parley.KindProgram, Key: "ci"},
		MayAsk:    []string{"alice", "bob", "group:oncall"},
	},
	"cd": {Principal: parley.Principal{Tenant: "acme", Method: "api_key", Kind: parley.KindProgram, Key: "cd"}, MayAsk: []string{"*"}},
	"ops": { // manages its tenant, and asks nobody
		Principal: parley.Principal{Tenant: "acme", Method: "api_key", Kind: parley.KindProgram, Key: "ops"}, Admin: true,
	},
	"namesake": { // another tenant's person of the same name
		Principal: parley.Principal{Tenant: "globex", User: "alice", Method: "jwt"},
	},
}

func identify(r *http.Request) (api.Caller, error) {
	name, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if cookie, err := r.Cookie("session"); err == nil && name == "" {
		name = cookie.Value
	}
	if name == "broken" {
		return api.Caller{}, errors.New("the key set is at " + secret)
	}
	c, ok := callers[name]
	if !ok {
		return api.Caller{}, fmt.Errorf("%w: whatever was wrong", api.ErrUnauthenticated)
	}
	return c, nil
}

// world is an API with everything around it. Its providers answer without a
// network.
type world struct {
	audit *audit.Log
	*api.API
	t       testing.TB
	store   *parley.MemoryStore
	records *faulty
	hub     *parley.Hub
	vault   *vault.Vault
	permits *permit.Permits
	logins  *login.Logins
	runs    *agent.Runtime
	log     *bytes.Buffer

	revocation int // status that providers answer revocations with
}

func newWorld(t testing.TB, change func(*api.Options)) *world {
	t.Helper()
	w := &world{t: t, store: parley.NewMemoryStore(), log: &bytes.Buffer{}, revocation: http.StatusOK}
	logger := slog.New(slog.NewTextHandler(w.log, nil))
	keys, err := seal.New([]byte("a secret of tests, 32 bytes long"))
	if err != nil {
		t.Fatal(err)
	}
	var asked *asking.Questions
	if w.audit, err = audit.New(w.store, keys, &audit.Options{Name: "parley.example", Logger: logger}); err != nil {
		t.Fatal(err)
	}
	w.hub = parley.New(w.store, &parley.Options{Sealer: keys, Logger: logger, Patience: 1, Hooks: append(w.audit.Hooks(),
		parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return asked.Settled(ctx, a) }),
		parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return w.runs.Settled(ctx, a) }),
	)})
	w.audit.Reads(w.hub)
	asked = asking.New(w.hub, w.store, &asking.Options{Groups: map[string][]string{"oncall": {"alice", "bob"}}, Logger: logger})
	w.records = &faulty{Records: w.store}
	w.vault, err = vault.New(w.hub, w.records, keys, &vault.Options{
		PublicURL: "https://parley.example", Client: &http.Client{Transport: w}, TenantClient: &http.Client{Transport: w}, Logger: logger,
		Sources: map[string]vault.Source{"nango": elsewhere{}},
		Providers: []vault.Provider{{
			Name: "corp", AuthURL: "https://corp.example/authorize", TokenURL: "https://corp.example/token", RevokeURL: "https://corp.example/revoke",
			ClientID: "parley", ClientSecret: secret + "-corp", Scopes: []string{"read"},
			Tenants: []string{"acme"}, AllowedScopes: []string{"read", "files", "a", "b"},
		}},
		Services: []vault.Service{{Name: "mail", Provider: "corp"}},
		Servers: []vault.Server{
			{Name: "tracker", Title: "Tracker", URL: "https://tracker.example/mcp?key=" + secret, Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Provider: "corp"}},
			{Name: "notes", URL: "https://notes.example/mcp", Auth: vault.Auth{Type: vault.APIKey, Scope: vault.User}},
			{Name: "shell"},
			{Name: "weather", URL: "https://weather.example/mcp", Auth: vault.Auth{Type: vault.APIKey, Token: secret + "-weather"}},
			{Name: "desk", URL: "https://desk.example/mcp", Auth: vault.Auth{Type: vault.Bearer, Scope: vault.Mentor}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.permits, err = permit.New(w.hub, w.store, keys, &permit.Options{
		Conditions: []permit.Condition{{Name: "house", Tool: "delete*", Approve: permit.Forbid}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.runs, err = agent.New(w.hub, w.store, keys, &agent.Options{
		Agents: []*agent.Agent{{Name: "payer", Model: payer{}, Toolboxes: []agent.Toolbox{counter{w.permits}}}}, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	outbox, err := notify.New(w.hub, w.store, keys, &notify.Options{
		Push: &notify.Push{Subject: "mailto:ops@parley.example"}, Channels: []notify.Choice{{Channel: notify.WebPush, After: 30 * time.Second}},
		People: []notify.Known{{Tenant: "acme", User: "alice", Email: "alice@acme.example", Deputy: "bob"}}, Logger: logger,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.logins = login.New(w.store, nil)
	opts := &api.Options{
		Caller: identify, Logins: w.logins, Logger: logger, Asking: asked, PublicURL: "https://parley.example", Notices: outbox, Runs: w.runs, Audit: w.audit,
		Servers: api.NewServers(w.vault, w.records, map[string]permit.Rule{"tracker": permit.Always}),
	}
	if change != nil {
		change(opts)
	}
	if w.API, err = api.New(w.hub, w.vault, w.permits, w.records, opts); err != nil {
		t.Fatal(err)
	}
	return w
}

// elsewhere is a source that has no credentials.
type elsewhere struct{}

func (elsewhere) Fetch(context.Context, vault.Place) (vault.Secret, error) {
	return vault.Secret{}, vault.ErrNoCredential
}

// RoundTrip is the providers: they issue tokens to anybody.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) {
	out := httptest.NewRecorder()
	switch r.URL.Path {
	case "/token":
		out.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(out, `{"access_token":"%s-access","refresh_token":"%s-refresh","token_type":"Bearer","expires_in":3600}`, secret, secret)
	case "/revoke":
		out.WriteHeader(w.revocation)
	case "/named": // an MCP server that names its authorization server
		out.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/named"`)
		out.WriteHeader(http.StatusUnauthorized)
	case "/.well-known/oauth-protected-resource/named":
		out.Header().Set("Content-Type", "application/json")
		fmt.Fprint(out, `{"resource":"https://mcp.example/named","authorization_servers":["https://id.example"]}`)
	case "/.well-known/oauth-authorization-server":
		out.Header().Set("Content-Type", "application/json")
		fmt.Fprint(out, `{"issuer":"https://id.example","authorization_endpoint":"https://id.example/a","token_endpoint":"https://id.example/t",
			"response_types_supported":["code"],"code_challenge_methods_supported":["S256"],"registration_endpoint":"https://id.example/r"}`)
	default:
		return nil, fmt.Errorf("dial %s: no such host", r.URL.Host)
	}
	response := out.Result()
	response.Request = r
	return response, nil
}

// faulty records fail when they are told to.
type faulty struct {
	parley.Records
	fail error
}

func (f *faulty) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	if f.fail != nil {
		return parley.Record{}, f.fail
	}
	return f.Records.Load(ctx, at)
}

// reply is what came back.
type reply struct {
	t      testing.TB
	what   string
	status int
	header http.Header
	body   []byte
}

// do sends a request as somebody. Whatever comes back fits its description and
// holds no secret.
func (w *world) do(who, method, path, body string) reply {
	w.t.Helper()
	r := httptest.NewRequest(method, "https://parley.example"+path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if who != "" {
		r.Header.Set("Authorization", "Bearer "+who)
	}
	return w.send(r)
}

func (w *world) send(r *http.Request) reply {
	w.t.Helper()
	out := httptest.NewRecorder()
	w.ServeHTTP(out, r)
	answer := reply{t: w.t, what: r.Method + " " + r.URL.RequestURI(), status: out.Code, header: out.Header(), body: out.Body.Bytes()}
	if all := fmt.Sprint(answer.header) + string(answer.body); strings.Contains(all, secret) {
		w.t.Errorf("%s: a secret came out: %s", answer.what, all)
	}
	if r.URL.Path != "/api/openapi.json" {
		conforms(w.t, r, answer)
	}
	return answer
}

func (r reply) want(status int) reply {
	r.t.Helper()
	if r.status != status {
		r.t.Fatalf("%s: status %d, not %d: %s", r.what, r.status, status, r.body)
	}
	return r
}

// refused wants a problem with a status, whose text holds some words.
func (r reply) refused(status int, words ...string) reply {
	r.t.Helper()
	r.want(status)
	if got := r.header.Get("Content-Type"); got != "application/problem+json" {
		r.t.Errorf("%s: content type %s", r.what, got)
	}
	for _, word := range words {
		if !strings.Contains(string(r.body), word) {
			r.t.Errorf("%s: %q is not in %s", r.what, word, r.body)
		}
	}
	return r
}

// at returns a member of the answer by its path, such as items.0.name.
func (r reply) at(path string) any {
	r.t.Helper()
	var value any
	if err := json.Unmarshal(r.body, &value); err != nil {
		r.t.Fatalf("%s: %v: %s", r.what, err, r.body)
	}
	for _, step := range strings.Split(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			var i int
			if _, err := fmt.Sscan(step, &i); err != nil || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

func (r reply) is(path string, want any) reply {
	r.t.Helper()
	if got := r.at(path); !reflect.DeepEqual(got, want) {
		r.t.Errorf("%s: %s is %v, not %v: %s", r.what, path, got, want, r.body)
	}
	return r
}

// names lists a member of every item.
func (r reply) names(member string) string {
	r.t.Helper()
	items, _ := r.at("items").([]any)
	var all []string
	for _, one := range items {
		all = append(all, fmt.Sprint(one.(map[string]any)[member]))
	}
	return strings.Join(all, " ")
}

// ask opens a question to somebody of acme's.
func (w *world) ask(to, message string) parley.ID {
	w.t.Helper()
	return w.open(parley.Request{
		Tenant: "acme", To: to, From: "tracker", Message: message,
		Schema: json.RawMessage(`{"type":"object","properties":{"colour":{"type":"string"}}}`),
	})
}

func (w *world) open(r parley.Request) parley.ID {
	w.t.Helper()
	opened, err := w.hub.Open(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return opened.ID
}

func (w *world) answer(to string, id parley.ID, content string) {
	w.t.Helper()
	err := w.hub.Answer(w.t.Context(), callers[to].Principal, id, parley.Answer{Action: parley.Accept, Content: json.RawMessage(content), Via: "chat"})
	if err != nil {
		w.t.Fatal(err)
	}
}

// decided has somebody say something about a call, and returns its permission.
func (w *world) decided(user, choice string) string {
	w.t.Helper()
	return w.decidedWith(user, `{"decision":"`+choice+`"}`)
}

func (w *world) decidedWith(user, answer string) string {
	w.t.Helper()
	call := permit.Call{Tenant: "acme", User: user, Session: "chat", Server: "tracker", Tool: "close", ID: answer, Args: json.RawMessage(`{"id":7}`)}
	q, err := w.permits.Question(call)
	if err != nil {
		w.t.Fatal(err)
	}
	id := w.open(q)
	w.answer(user, id, answer)
	if _, err := w.permits.Record(w.t.Context(), call, id); err != nil {
		w.t.Fatal(err)
	}
	all, err := w.permits.List(w.t.Context(), "acme", user)
	if err != nil || len(all) == 0 {
		w.t.Fatalf("%v, %v", all, err)
	}
	return all[len(all)-1].ID
}

// provide stores somebody's key for the server notes.
func (w *world) provide(tenant, user string) {
	w.t.Helper()
	if err := w.vault.Provide(w.t.Context(), vault.Need{Tenant: tenant, Server: "notes", User: user}, secret+"-of-"+user); err != nil {
		w.t.Fatal(err)
	}
}

// connect takes somebody through the consent of the tracker's provider.
func (w *world) connect(user string) {
	w.t.Helper()
	ctx, p := w.t.Context(), callers[user].Principal
	var required *vault.RequiredError
	if _, err := w.vault.Credential(ctx, vault.Need{Tenant: p.Tenant, Server: "tracker", User: p.User}); !errors.As(err, &required) {
		w.t.Fatal(err)
	}
	id := w.open(w.vault.Question(required, p, "chat"))
	to, err := w.vault.Begin(ctx, p, id, "corp")
	if err != nil {
		w.t.Fatal(err)
	}
	u, err := url.Parse(to)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.vault.Callback(ctx, p, "corp", url.Values{"code": {"c"}, "state": {u.Query().Get("state")}}); err != nil {
		w.t.Fatal(err)
	}
}
