package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
	"github.com/parley-hq/parley/vault"
)

// inside is a service of the operator's network: an MCP server that the
// configuration names. It counts who comes.
type inside struct {
	url string

	mu    sync.Mutex
	calls map[string]int // by path
}

func newInside(t *testing.T) *inside {
	t.Helper()
	in := &inside{}
	s := mcp.NewServer(&mcp.Implementation{Name: "inside", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "look", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "look"}}}, nil
	})
	serve := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in.mu.Lock()
		in.calls[r.URL.Path]++
		in.mu.Unlock()
		serve.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	in.url, in.calls = web.URL, map[string]int{}
	return in
}

// came says how often a path was asked for.
func (in *inside) came(path string) int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.calls[path]
}

// strictly is a server that is not for development, whose configuration names
// a service inside, and its address.
func strictly(t *testing.T, in *inside) (*server.Server, string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(gatewayHead(listener.Addr().String()), "dev: true\n", fmt.Sprintf(`secrets: [%q]
servers: {ours: {url: %q, approve: never}}
gateway: {}
models: {script: {kind: demo}}
agents: {assistant: {model: script, servers: [ours]}}
`, strings.Repeat("s", 40), in.url), 1)
	cfg, err := config.Parse([]byte(text), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(t.Context(), cfg, &server.Options{
		Logger: slog.New(slog.DiscardHandler), Listener: listener, Models: map[string]agent.Model{"script": obedient{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, "http://" + listener.Addr().String()
}

// moves makes a tenant's server whose URL leads inside. A name of the tenant's
// own DNS would pass the API's check and do the same; here the record is
// written directly.
func moves(t *testing.T, s *server.Server, base string, to vault.Server) {
	t.Helper()
	body := fmt.Sprintf(`{"name":%q,"url":"https://mcp.example/","approve":"never","agents":["assistant"]}`, to.Name)
	if status, data := sent(t, http.MethodPost, base+"/api/servers", tenantKeys["acme"], body); status != http.StatusCreated {
		t.Fatalf("%d %s", status, data)
	}
	if err := s.Vault.PutServer(t.Context(), "acme", to); err != nil {
		t.Fatal(err)
	}
}

func TestTheAPITakesNoURLThatLeadsToTheOperatorsHosts(t *testing.T) {
	in := newInside(t)
	_, base := strictly(t, in)
	status, data := sent(t, http.MethodPost, base+"/api/servers", tenantKeys["acme"], fmt.Sprintf(`{"name":"theirs","url":%q}`, in.url+"/theirs"))
	if status != http.StatusUnprocessableEntity || !strings.Contains(string(data), "loopback") {
		t.Errorf("%d %s", status, data)
	}
	if n := in.came("/theirs"); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// By that the operator's win where names of tools meet.
func TestTheGatewayKnowsWhichServersAreATenantsOwn(t *testing.T) {
	in := newInside(t)
	s, base := strictly(t, in)
	if status, data := sent(t, http.MethodPost, base+"/api/servers", tenantKeys["acme"], `{"name":"theirs","url":"https://mcp.example/"}`); status != http.StatusCreated {
		t.Fatalf("%d %s", status, data)
	}
	all, err := s.Behind(t.Context(), "acme")
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	for _, one := range all {
		if one.Own != (one.Name == "theirs") {
			t.Errorf("%s is the tenant's own: %t", one.Name, one.Own)
		}
	}
}

func TestAnAgentDoesNotReachTheOperatorsHostsForATenantsServer(t *testing.T) {
	in := newInside(t)
	s, base := strictly(t, in)
	turn := 0
	says := func(tool string) string {
		turn++
		body := fmt.Sprintf(`{"id":"r%d","agent":"assistant","messages":[{"role":"user","parts":[{"type":"text","text":%q}]}]}`, turn, tool)
		_, data := sent(t, http.MethodPost, base+"/run/api/chat", personOf(t, "acme"), body)
		return string(data)
	}
	if got := says("ours__look"); !strings.Contains(got, "It says: look") {
		t.Fatalf("the operator's own server: %s", got)
	}
	for name, auth := range doors {
		moves(t, s, base, vault.Server{Name: name, URL: in.url + "/" + name, Auth: auth})
		if got := says(name + "__look"); strings.Contains(got, "It says: look") {
			t.Errorf("%s: the tool was called: %s", name, got)
		}
		if n := in.came("/" + name); n != 0 {
			t.Errorf("%s: %d requests came inside", name, n)
		}
	}
}

// doors are servers that take a credential, and that take none.
var doors = map[string]vault.Auth{
	"open":  {},
	"keyed": {Type: vault.APIKey, Token: "key-of-the-tenant"},
}

func TestTheGatewayDoesNotReachTheOperatorsHostsForATenantsServer(t *testing.T) {
	in := newInside(t)
	s, base := strictly(t, in)
	for name, auth := range doors {
		moves(t, s, base, vault.Server{Name: name, URL: in.url + "/" + name, Auth: auth})
	}
	sees(t, base, "a person of acme", personOf(t, "acme"), "ours__look")
	for name := range doors {
		_, data := sent(t, http.MethodPost, base+"/mcp", personOf(t, "acme"),
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`__look","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", name+"__look")
		if strings.Contains(string(data), `"text":"look"`) {
			t.Errorf("%s: the tool was called: %s", name, data)
		}
		if n := in.came("/" + name); n != 0 {
			t.Errorf("%s: %d requests came inside", name, n)
		}
	}
}

// question opens the question for a person's credential.
func question(t *testing.T, s *server.Server, who parley.Principal, name string) parley.ID {
	t.Helper()
	found, err := s.Vault.Server(t.Context(), who.Tenant, name)
	if err != nil {
		t.Fatal(err)
	}
	q, err := s.Hub.Open(t.Context(), s.Vault.Question(&vault.RequiredError{
		Key: vault.Key{Tenant: who.Tenant, Server: name, Scope: vault.User, Owner: who.User}, Server: found, Reason: vault.Missing,
	}, who, ""))
	if err != nil {
		t.Fatal(err)
	}
	return q.ID
}

func TestAuthorizationOfATenantsServerIsNotLookedForAtTheOperatorsHosts(t *testing.T) {
	in := newInside(t)
	s, base := strictly(t, in)
	moves(t, s, base, vault.Server{Name: "board", URL: in.url + "/board", Auth: vault.Auth{Type: vault.MCP, Scope: vault.User}})
	alice := parley.Principal{Tenant: "acme", User: "alice", Method: "test"}
	_, err := s.Vault.Offer(t.Context(), alice, question(t, s, alice, "board"))
	if err == nil {
		t.Error("a connection was offered")
	}
	if n := in.came("/board"); n != 0 {
		t.Errorf("%d requests came inside: %v", n, err)
	}
}

func TestTokensOfATenantsProviderAreNotAskedForAtTheOperatorsHosts(t *testing.T) {
	in := newInside(t)
	s, base := strictly(t, in)
	moves(t, s, base, vault.Server{Name: "board", URL: "https://board.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Provider: "idp"}})
	err := s.Vault.PutProvider(t.Context(), "acme", vault.Provider{
		Name: "idp", AuthURL: "https://idp.example/authorize", TokenURL: in.url + "/token", RevokeURL: in.url + "/revoke", ClientID: "c", ClientSecret: "s",
	})
	if err != nil {
		t.Fatal(err)
	}
	alice := parley.Principal{Tenant: "acme", User: "alice", Method: "test"}
	to, err := s.Vault.Begin(t.Context(), alice, question(t, s, alice, "board"), "idp~acme")
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Vault.Callback(t.Context(), alice, "idp~acme", url.Values{"code": {"c"}, "state": {u.Query().Get("state")}})
	if err == nil {
		t.Error("the account was connected")
	}
	if n := in.came("/token"); n != 0 {
		t.Errorf("%d requests came inside: %v", n, err)
	}
}
