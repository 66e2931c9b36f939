package server_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/testkit/receivers"
	"github.com/parley-hq/parley/vault"
)

func parsed(t *testing.T, text string) *config.Config {
	t.Helper()
	cfg, err := config.Parse([]byte(text), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return cfg
}

// What serve refuses though it can be read, check refuses too, in the same words.
func TestCheckRefusesWhatServeRefuses(t *testing.T) {
	const signed = "secrets: [\"a secret of the tests that is long enough\"]\nstore: \"memory:\"\n"
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	for name, text := range map[string]string{
		"a file without a name":        "dev: true\nstore: \"sqlite:\"\n",
		"a file in no directory":       "dev: true\nstore: \"sqlite:/nowhere/at/all/parley.db\"\n",
		"a directory":                  "dev: true\nstore: \"sqlite:" + t.TempDir() + "\"\n",
		"a database with an odd port":  "dev: true\nstore: \"postgres://db.example:port/parley\"\n",
		"a Redis with an odd database": "dev: true\nstore: \"redis://db.example:6379/many\"\n",
		"an agent with an odd name":    "dev: true\nstore: \"memory:\"\nmodels: {m: {kind: demo}}\nagents: {\"odd name\": {model: m}}\n",
		"a sign-in without its client": signed + "auth: {oidc: {issuer: \"https://id.example\"}}\n",
		"a sign-in over plain http":    signed + "auth: {oidc: {issuer: \"http://id.example\", client_id: a, client_secret: b}}\n",
		"a verifier without a URL":     signed + "auth: {verifier: {key: \"" + hmacKey + "\"}}\n",
		"Nango without a key":          "dev: true\nstore: \"memory:\"\nnango: {base_url: \"https://nango.example\"}\n",
	} {
		cfg, err := config.Parse([]byte(text), func(string) (string, bool) { return "", false })
		if err != nil {
			t.Errorf("%s: refused when read, so it shows nothing: %v", name, err)
			continue
		}
		s, serves := server.New(t.Context(), cfg, &server.Options{Logger: quiet})
		if serves == nil {
			t.Errorf("%s: it serves", name)
			s.Close()
			continue
		}
		if !strings.HasPrefix(serves.Error(), "line ") {
			t.Errorf("%s: without its line: %v", name, serves)
		}
		if checks := server.Check(t.Context(), cfg); checks == nil || checks.Error() != serves.Error() {
			t.Errorf("%s: serve says %v, check %v", name, serves, checks)
		}
	}
}

func TestCheckLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	cfg := parsed(t, "dev: true\nstore: \"sqlite:"+filepath.Join(dir, "parley.db")+"\"\nservers: {here: {command: [touch, \""+filepath.Join(dir, "started")+"\"]}}\n")
	if err := server.Check(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "*")); len(found) > 0 {
		t.Errorf("check made %q", found)
	}
}

// Nobody is told a password of the store, by whatever way it came to be in its URL.
func TestNoErrorOfTheStoreHasItsPassword(t *testing.T) {
	for _, store := range []string{
		"postgres://parley:hunter2@127.0.0.1:1/parley?connect_timeout=1", "postgres://127.0.0.1:1/parley?user=a&password=hunter2&connect_timeout=1",
		"postgres://parley:hunter2@127.0.0.1:port/parley", "postgres://parley:hunt%zzer2@db/parley", "postgres:host=db password=hunter2", "postgresql://parley:hunter2@127.0.0.1:1/x?sslmode=odd&sslpassword=hunter2",
		"redis://:hunter2@127.0.0.1:1", "redis://parley:hunter2@127.0.0.1:1/odd", "rediss://:hunter2@127.0.0.1:1?password=hunter2", "redis://:hunt er2@127.0.0.1:1",
		"sqlite:/nowhere/at/all/parley.db?key=hunter2",
		"postgres://parley:secret@hunter2@127.0.0.1:1/parley", "postgres://parley:12/hunter2@127.0.0.1:1/parley", "postgres://parley:a@hunter2/b@127.0.0.1:1/parley",
		"postgres://parley:a@hunter2?b=c@127.0.0.1:1/parley", "postgres://parley:a@b?hunter2@127.0.0.1:1/parley", "postgres://parley:a@hunter2#b@127.0.0.1:1/parley",
		"redis://:a@hunter2@127.0.0.1:1", "redis://hunter2:12#b@127.0.0.1:1", "redis://hunter2:12/3#b@127.0.0.1:1", "redis://hunter2:12/0?b@127.0.0.1:1", "redis://:a@hunter2/0?b@127.0.0.1:1",
	} {
		_, reached := backend.Reach(t.Context(), store)
		for name, err := range map[string]error{"check": backend.Check(store), "reach": reached} {
			if err != nil && strings.Contains(err.Error(), "hunt") && !strings.HasPrefix(store, "sqlite:") { // a file's name is no secret
				t.Errorf("%s: %s says %v", store, name, err)
			}
		}
		if reached == nil {
			t.Errorf("%s is there", store)
		}
	}
}

// What check says is to be registered is what providers are sent.
func TestTheRedirectURIsThatCheckPrintsAreThoseThatAreUsed(t *testing.T) {
	cfg := parsed(t, "dev: true\nstore: \"memory:\"\nproviders: {acme: {auth_url: \"https://acme.example/a\", token_url: \"https://acme.example/t\", client_id: x, client_secret: y}}\n"+
		"servers: {wiki: {url: \"https://wiki.example/mcp\", auth: {type: mcp, scope: user, client_id: z, issuer: \"https://id.example\"}}}\n")
	s, err := server.New(t.Context(), cfg, &server.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	said := cfg.Explain()
	for _, want := range []string{
		"register with provider acme: redirect URI " + s.Vault.RedirectURI(vault.Provider{Name: "acme"}) + "\n",
		"register with https://id.example, for server wiki: redirect URI " + s.Vault.RedirectURI(vault.Provider{Name: "mcp.wiki"}) + "\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %s", want, said)
		}
	}
}

// tried is what came of each, by its key.
func tried(t *testing.T, text string) map[string]server.Trial {
	t.Helper()
	all := map[string]server.Trial{}
	if err := server.Try(t.Context(), parsed(t, text), func(one server.Trial) { all[one.What] = one }); err != nil {
		t.Fatal(err)
	}
	return all
}

const webhookSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="

func TestEverybodyWhomTheConfigurationNamesIsTried(t *testing.T) {
	shop := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, nil)
	mcp.AddTool(shop, &mcp.Tool{Name: "order"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return shop }, nil))
	mux.HandleFunc("/guarded", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	mux.HandleFunc("/v1/models", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer right" && r.Header.Get("X-Api-Key") != "right" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	mux.HandleFunc("/hook", func(http.ResponseWriter, *http.Request) { t.Error("a webhook was called") })
	mux.HandleFunc("/connections", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer right" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	mux.HandleFunc("/authorize", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) })
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"keys":[{}]}`) })
	web := httptest.NewServer(mux)
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		for session := range shop.Sessions() {
			_ = session.Close()
		}
	})
	at := web.URL
	office := receivers.NewPostOffice(t)
	all := tried(t, `
dev: true
store: "sqlite:`+filepath.Join(t.TempDir(), "parley.db")+`"
auth: {jwt: {issuer: https://a.example, audience: p, jwks_url: "`+at+`/keys"}}
models:
  good: {kind: openai, model: x, base_url: "`+at+`/v1", api_key: right}
  bad: {kind: anthropic, model: x, base_url: "`+at+`", api_key: hidden-key}
  own: {kind: demo}
providers:
  acme: {auth_url: "`+at+`/authorize", token_url: "`+at+`/no-such", client_id: x, client_secret: y}
servers:
  shop: {url: "`+at+`/mcp"}
  guarded: {url: "`+at+`/guarded", auth: {type: mcp, scope: user}}
  surprised: {url: "`+at+`/guarded"}
  gone: {url: "http://127.0.0.1:1/mcp?key=hidden-key"}
  program: {command: [/no/such/program, hidden-key]}
agents:
  far: {a2a: "`+at+`/far"}
nango: {base_url: "`+at+`", api_key: hidden-key}
channels:
  smtp: {host: 127.0.0.1, port: `+strconv.Itoa(office.Port)+`, tls: none, from: parley@example.com}
  webhooks:
  - {name: there, url: "`+at+`/hook?key=hidden-key", secret: "`+webhookSecret+`"}
  - {name: gone, url: "http://127.0.0.1:1/hook?key=hidden-key", secret: "`+webhookSecret+`"}
rules:
  - {name: a, server: shop, tool: order, approve: always}
  - {name: b, server: shop, tool: "delete_*", approve: refuse}
`)
	for what, fine := range map[string]bool{
		"store": true, "auth.jwt.jwks_url": true, "models.good": true, "models.bad": false, "models.own": true, "providers.acme.auth_url": true, "providers.acme.token_url": false,
		"servers.shop": true, "servers.guarded": true, "servers.surprised": false, "servers.gone": false, "servers.program": false, "agents.far": false,
		"channels.smtp": true, "channels.webhooks[0]": true, "channels.webhooks[1]": false, "nango": false,
	} {
		one, ok := all[what]
		if !ok || (one.Err == nil) != fine || fine == (one.Says == "") {
			t.Errorf("%s: %v %+v", what, ok, one)
		}
		if one.Err != nil && strings.Contains(one.Err.Error(), "hidden") {
			t.Errorf("%s: a secret is told: %v", what, one.Err)
		}
		delete(all, what)
		if want := `rules[1].tool: no tool of shop fits "delete_*"`; what == "servers.shop" && (len(one.Warnings) != 1 || one.Warnings[0] != want) {
			t.Errorf("warnings %q", one.Warnings)
		}
	}
	if len(all) > 0 {
		t.Errorf("tried too: %v", all)
	}
	if len(office.Letters) > 0 {
		t.Error("a letter was sent")
	}
}

// Without dev too: an address is tried because the configuration names it, wherever it is.
func TestAVerifierOnThisMachineIsTried(t *testing.T) {
	var asked atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/verify" {
			asked.Add(1)
		}
		w.WriteHeader(http.StatusBadRequest) // it wants a challenge
	}))
	t.Cleanup(web.Close)
	const text = "secrets: [\"a secret of the tests that is long enough\"]\nstore: \"memory:\"\n"
	one := tried(t, text+"auth: {verifier: {url: \""+web.URL+"/verify\", key: \""+hmacKey+"\"}}\n")["auth.verifier"]
	if one.Err != nil || one.Says != "it answers" || asked.Load() != 1 {
		t.Errorf("%+v, asked %d times", one, asked.Load())
	}
	one = tried(t, text+"auth: {verifier: {url: \"http://127.0.0.1:1/verify\", key: \""+hmacKey+"\"}}\n")["auth.verifier"]
	if one.Err == nil || !strings.Contains(one.Err.Error(), "connection refused") {
		t.Errorf("where nobody listens: %+v", one)
	}
}

// A server that wants the site's key is looked at with the one that is stored, which stays as
// it is. Where that is not there, or does not help, nobody may believe that rules were looked at.
func TestRulesAreLookedAtWithTheStoredKeyOrSaidNotToBe(t *testing.T) {
	tracker := mcp.NewServer(&mcp.Implementation{Name: "tracker", Version: "1"}, nil)
	mcp.AddTool(tracker, &mcp.Tool{Name: "delete_issue"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return tracker }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer right" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	const found = `rules[1].tool: no tool of tracker fits "delte_*"`
	unseen := func(why string) string {
		return "rules[0].tool, rules[1].tool: not looked at, whether a tool of tracker fits: " + why
	}
	for name, c := range map[string]struct {
		auth, agent, key string // key: what is stored
		fails            bool
		warning          string
	}{
		"the site's key":             {"{type: bearer, scope: platform}", "", "right", false, found},
		"an agent's key":             {"{type: bearer, scope: mentor}", "helper", "right", false, found},
		"a key of the configuration": {"{type: bearer, scope: platform, token: right}", "", "", false, found},
		"a key that is refused":      {"{type: bearer, scope: platform}", "", "wrong", true, unseen("its tools were not listed")},
		"no key":                     {"{type: bearer, scope: platform}", "", "", false, unseen("credential required: tracker (missing): to be connected by an administrator")},
		"people's own keys":          {"{type: bearer, scope: user}", "", "", false, unseen("each person has their own credential for it")},
	} {
		text := "dev: true\nstore: \"sqlite:" + filepath.Join(t.TempDir(), "parley.db") + "\"\nservers: {tracker: {url: \"" + web.URL + "\", auth: " + c.auth + "}}\n" +
			"models: {m: {kind: demo}}\nagents: {helper: {model: m}}\n" +
			"rules:\n  - {name: a, server: tracker, tool: \"delete_*\", approve: always}\n  - {name: b, server: tracker, tool: \"delte_*\", approve: always}\n"
		s, err := server.New(t.Context(), parsed(t, text), &server.Options{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		if c.key != "" {
			err = s.Vault.Provide(t.Context(), vault.Need{Server: "tracker", Agent: c.agent}, c.key)
		}
		if err := errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the first try has changed nothing
			got := tried(t, text)["servers.tracker"]
			if (got.Err != nil) != c.fails || len(got.Warnings) != 1 || got.Warnings[0] != c.warning {
				t.Errorf("%s: %+v", name, got)
			}
		}
	}
}

// A store that is not there yet is not made to look for a key in it.
func TestTryingServersMakesNoStore(t *testing.T) {
	dir := t.TempDir()
	all := tried(t, "dev: true\nstore: \"sqlite:"+filepath.Join(dir, "parley.db")+"\"\nservers: {gone: {url: \"http://127.0.0.1:1/mcp\", auth: {type: bearer, scope: platform}}}\n")
	if all["servers.gone"].Err == nil {
		t.Errorf("%+v", all)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "*")); len(found) > 0 {
		t.Errorf("made %q", found)
	}
}

func TestAModelThatItsProviderDoesNotListIsWarnedOf(t *testing.T) {
	list := ""
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, list) }))
	t.Cleanup(web.Close)
	for said, warned := range map[string]bool{
		`{"data":[{"id":"gpt-55"},{"id":"gpt-5-mini"}]}`: true,
		`{"data":[{"id":"gpt-4"},{"id":"gpt-5"}]}`:       false,
		`{"data":[{"id":"models/gpt-5"}]}`:               false,
		`{"data":[{"id":"gpt-5-20260801"}]}`:             false,
		`{"data":[{"id":"gpt-4"}],"has_more":true}`:      false,
		`{"data":[]}`: false,
		`no list`:     false,
	} {
		list = said
		all := tried(t, "dev: true\nstore: \"memory:\"\nmodels:\n  a: {kind: openai, model: gpt-5, base_url: \""+web.URL+"\", api_key: k}\n  b: {kind: anthropic, model: gpt-5, base_url: \""+web.URL+"\", api_key: k}\n")
		for _, name := range []string{"models.a", "models.b"} {
			if one := all[name]; one.Err != nil || (len(one.Warnings) == 1) != warned || warned && !strings.HasPrefix(one.Warnings[0], name+`.model: "gpt-5" is not in the list`) {
				t.Errorf("%s: %s: %+v", said, name, one)
			}
		}
	}
}
