package server_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
)

// tenantKeys are programs' keys, by their tenant.
var tenantKeys = map[string]string{"": "key-of-the-default-tenant", "acme": "key-of-acme", "globex": "key-of-globex"}

// gatewayHead is a configuration for development with people and programs of
// several tenants.
func gatewayHead(address string) string {
	text := fmt.Sprintf(`
listen: %q
store: "memory:"
dev: true
auth:
  jwt: {issuer: "https://app.example", audience: parley, hmac_key: %q, tenant_claim: org}
  api_keys:
`, address, hmacKey)
	for tenant, key := range tenantKeys {
		digest := sha256.Sum256([]byte(key))
		text += fmt.Sprintf("  - {name: %q, sha256: %s, tenant: %q}\n", strings.TrimSpace("of "+tenant), hex.EncodeToString(digest[:]), tenant)
	}
	return text
}

// withGateway is a server with a gateway, or with what more says instead.
func withGateway(t *testing.T, more string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return servedAt(t, listener, gatewayHead(listener.Addr().String())+more)
}

// toolServer is an MCP server with one tool.
func toolServer(t *testing.T, tool string) string {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "tools", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: tool, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: tool}}}, nil
	})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL
}

// sent sends a request and returns the answer's status and body.
func sent(t *testing.T, method, address, bearer, body string, more ...string) (int, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Close = true
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	for i := 0; i+1 < len(more); i += 2 {
		r.Header.Set(more[i], more[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, data
}

// toolsOf are the names of the tools that somebody sees.
func toolsOf(t *testing.T, base, bearer string) []string {
	t.Helper()
	return toolsAt(t, base+"/mcp", bearer)
}

// toolsAt are those that they see at an endpoint.
func toolsAt(t *testing.T, endpoint, bearer string) []string {
	t.Helper()
	status, data := sent(t, http.MethodPost, endpoint, bearer,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}}}}}}`,
		"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list")
	var list struct {
		Result *struct {
			Tools []struct{ Name string }
		}
	}
	if err := json.Unmarshal(data, &list); err != nil || list.Result == nil {
		t.Fatalf("tools/list: %d %s: %v", status, data, err)
	}
	names := []string{}
	for _, tool := range list.Result.Tools {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	return names
}

// sees waits until somebody sees these tools and no others.
func sees(t *testing.T, base, who, bearer string, want ...string) {
	t.Helper()
	var got []string
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if got = toolsOf(t, base, bearer); slices.Equal(got, want) {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("%s sees %q, not %q", who, got, want)
			return
		}
	}
}

func personOf(t *testing.T, tenant string) string {
	t.Helper()
	return token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) {
		if tenant != "" {
			m["org"] = tenant
		}
	}))
}

func TestEveryTenantHasItsOwnServersAtTheGateway(t *testing.T) {
	base := withGateway(t, fmt.Sprintf("servers: {all: {url: %q, approve: never}}\ngateway: {}\n", toolServer(t, "shared")))
	for tenant, key := range tenantKeys {
		body := fmt.Sprintf(`{"name":"own","url":%q,"approve":"never"}`, toolServer(t, "of-"+tenant))
		if status, data := sent(t, http.MethodPost, base+"/api/servers", key, body); status != http.StatusCreated {
			t.Fatalf("%s: %d %s", tenant, status, data)
		}
	}
	for tenant := range tenantKeys {
		sees(t, base, "a person of "+tenant, personOf(t, tenant), "all__shared", "own__of-"+tenant)
	}
	sees(t, base, "nobody in particular", "", "all__shared", "own__of-")
}

func TestAProgramUsesTheServersOfItsTenant(t *testing.T) {
	base := withGateway(t, "gateway: {}\n")
	for tenant, key := range tenantKeys {
		body := fmt.Sprintf(`{"name":"own","url":%q,"approve":"never"}`, toolServer(t, "of-"+tenant))
		if status, data := sent(t, http.MethodPost, base+"/api/servers", key, body); status != http.StatusCreated {
			t.Fatalf("%s: %d %s", tenant, status, data)
		}
	}
	sees(t, base, "a person of acme", personOf(t, "acme"), "own__of-acme")
	if got := toolsOf(t, base, tenantKeys["acme"]); !slices.Equal(got, []string{"own__of-acme"}) {
		t.Errorf("a program of acme sees %q", got)
	}
}

// An account that is not theirs is nothing that a person could connect.
func TestAPersonIsOfferedToConnectWhatIsTheirOwn(t *testing.T) {
	base := withGateway(t, `providers: {acme: {auth_url: "https://acme.example/a", token_url: "https://acme.example/t", client_id: x}}
servers:
  mine: {url: "https://mine.example/mcp", auth: {type: oauth2, scope: user, provider: acme}}
  platform: {url: "https://platform.example/mcp", auth: {type: oauth2, scope: platform, provider: acme}}
  agents: {url: "https://agents.example/mcp", auth: {type: oauth2, scope: mentor, provider: acme}}
gateway: {}
`)
	sees(t, base, "alice", personOf(t, ""), "mine__connect")
	if tools := toolsAt(t, base+"/mcp/servers/mine", personOf(t, "")); !slices.Equal(tools, []string{"connect"}) {
		t.Errorf("at its own endpoint it has %q", tools)
	}
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"connect","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}}}}}}`
	_, said := sent(t, http.MethodPost, base+"/mcp/servers/mine", personOf(t, ""), call, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "connect")
	if !strings.Contains(string(said), `"input_required"`) {
		t.Errorf("nobody is asked to connect: %s", said)
	}
}

func TestAChangeOfAServerHoldsForTheNextCall(t *testing.T) {
	base, key, alice := withGateway(t, "gateway: {}\n"), tenantKeys[""], personOf(t, "")
	one := base + "/api/servers/one"
	if status, data := sent(t, http.MethodPost, base+"/api/servers", key, fmt.Sprintf(`{"name":"one","url":%q,"approve":"never"}`, toolServer(t, "a"))); status != http.StatusCreated {
		t.Fatalf("%d %s", status, data)
	}
	call := func() string {
		_, data := sent(t, http.MethodPost, base+"/mcp", alice,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"one__a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "one__a")
		return string(data)
	}
	sees(t, base, "Alice", alice, "one__a")
	for _, c := range []struct{ method, change, want string }{
		{http.MethodPatch, `{"approve":"refuse"}`, "never allowed"},
		{http.MethodPatch, `{"approve":"never"}`, `"text":"a"`},
		{http.MethodPatch, `{"enabled":false}`, "unknown tool"},
		{http.MethodPatch, `{"enabled":true}`, `"text":"a"`},
		{http.MethodDelete, "", "unknown tool"},
	} {
		_ = call() // the list of servers is at hand
		if status, data := sent(t, c.method, one, key, c.change); status >= 300 {
			t.Fatalf("%s: %d %s", c.change, status, data)
		}
		if got := call(); !strings.Contains(got, c.want) {
			t.Errorf("after %s %s: %s", c.method, c.change, got)
		}
	}
}

func TestATokenThatIsRefusedIsToldWhyInOurWords(t *testing.T) {
	base := withGateway(t, "gateway: {}\n")
	for want, change := range map[string]func(map[string]any){
		"has expired":      func(m map[string]any) { m["exp"] = time.Now().Add(-time.Hour).Unix() },
		"not valid yet":    func(m map[string]any) { m["nbf"] = time.Now().Add(time.Hour).Unix() },
		"another issuer":   func(m map[string]any) { m["iss"] = "https://evil.example" },
		"another audience": func(m map[string]any) { m["aud"] = "other" },
	} {
		status, data := sent(t, http.MethodPost, base+"/mcp", token(t, jose.HS256, []byte(hmacKey), claims(change)), "{}")
		if said := string(data); status != http.StatusUnauthorized || !strings.Contains(said, want) || strings.Contains(said, "jose") {
			t.Errorf("%s: %d %s", want, status, said)
		}
	}
}

func TestTheGatewayHasTheServersThatItNames(t *testing.T) {
	base := withGateway(t, fmt.Sprintf("servers: {one: {url: %q}, two: {url: %q}}\ngateway: {servers: [two]}\n", toolServer(t, "a"), toolServer(t, "b")))
	sees(t, base, "alice", personOf(t, ""), "two__b")
	if status, data := sent(t, http.MethodPost, base+"/api/servers", tenantKeys[""], fmt.Sprintf(`{"name":"three","url":%q}`, toolServer(t, "c"))); status != http.StatusCreated {
		t.Fatalf("%d %s", status, data)
	}
	sees(t, base, "alice", personOf(t, ""), "three__c", "two__b")
}

func TestWithoutAGatewayThereIsNone(t *testing.T) {
	base := withGateway(t, "models: {demo: {kind: demo}}\nagents: {assistant: {model: demo}}\n")
	for _, path := range []string{"/mcp", "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"} {
		if status, data := sent(t, http.MethodGet, base+path, personOf(t, ""), ""); status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, status, data)
		}
	}
	if status, data := sent(t, http.MethodGet, base+"/api/permissions", personOf(t, ""), ""); status != http.StatusOK {
		t.Errorf("the management API: %d %s", status, data)
	}
}

// Whoever is almost right is told where it is, in words that a program shows.
func TestAnAddressThatIsAlmostOneOfMCPsIsToldTheRightOnes(t *testing.T) {
	const agents = "models: {demo: {kind: demo}}\nagents: {assistant: {model: demo}}\n"
	for more, want := range map[string]string{
		"":                       "no path",
		agents:                   "/mcp/agents/NAME",
		"gateway: {}\n":          "/mcp, /mcp/servers/NAME",
		agents + "gateway: {}\n": "/mcp, /mcp/servers/NAME, /mcp/agents/NAME",
	} {
		base := withGateway(t, more)
		for _, path := range []string{"/mcp/", "/mcp/servers", "/mcp/servers/", "/mcp/agents/", "/mcp/agents/assistant/"} {
			status, data := sent(t, http.MethodPost, base+path, personOf(t, ""), "{}")
			if said := string(data); status != http.StatusNotFound || said != fmt.Sprintf("nothing is at %q. MCP is served at: %s\n", path, want) {
				t.Errorf("%q %s: %d %s", more, path, status, said)
			}
		}
	}
	if status, data := sent(t, http.MethodPost, withGateway(t, agents)+"/mcp", personOf(t, ""), "{}"); status != http.StatusNotFound || !strings.Contains(string(data), `at "/mcp".`) {
		t.Errorf("without a gateway: %d %s", status, data)
	}
}

func TestARuleThatCannotBeReadIsNamed(t *testing.T) {
	for rule, want := range map[string]string{
		`{name: sums, when: "args.amount >", approve: always}`: `rules[0].when: the rule "sums": `,
		`{name: sums, when: "args.amount", approve: always}`:   `rules[0].when: the rule "sums": `,
		`{name: sums, approve: sometimes}`:                     `rules[0].approve: the rule "sums": `,
		`{name: sums, approvers: "two of [a, b]"}`:             "rules[0].approvers",
		`{name: sums, approvers: "3 of [a, b]"}`:               "rules[0].approvers",
		`{name: sums, approvers: "1 of [a]", approve: never}`:  `rules[0].approve: the rule "sums": `,
		`{name: sums, tool: "[a-z]*", approve: always}`:        `rules[0].tool: the rule "sums": `,
	} {
		cfg, err := config.Parse([]byte("dev: true\nstore: \"memory:\"\nrules: ["+rule+"]\n"), func(string) (string, bool) { return "", false })
		if err == nil {
			var s *server.Server
			if s, err = server.New(t.Context(), cfg, &server.Options{Logger: slog.New(slog.DiscardHandler)}); err == nil {
				_ = s.Close()
			}
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want it to name %s", rule, err, want)
		}
	}
}

// The gateway's own list may be a second old; what an administrator is told
// about a server that was just added, or is disabled, is not.
func TestTheChecklistKnowsWhatTheGatewayHasAtOnce(t *testing.T) {
	base := withGateway(t, "gateway: {}\n")
	const used = `"item":"attached","ok":true`
	for _, name := range []string{"one", "two", "three"} {
		body := fmt.Sprintf(`{"name":%q,"url":"https://mcp.example/","enabled":%t}`, name, name != "three")
		if status, data := sent(t, http.MethodPost, base+"/api/servers", tenantKeys[""], body); status != http.StatusCreated {
			t.Fatalf("%d %s", status, data)
		}
		if status, data := sent(t, http.MethodGet, base+"/api/servers/"+name+"/checklist", tenantKeys[""], ""); status != http.StatusOK || !strings.Contains(string(data), used) {
			t.Errorf("%d %s", status, data)
		}
	}
	base = withGateway(t, "") // without a gateway
	sent(t, http.MethodPost, base+"/api/servers", tenantKeys[""], `{"name":"one","url":"https://mcp.example/"}`)
	if _, data := sent(t, http.MethodGet, base+"/api/servers/one/checklist", tenantKeys[""], ""); !strings.Contains(string(data), "add gateway: {} to the configuration") {
		t.Errorf("%s", data)
	}
}

// The gateway's metadata names it as a resource, so tokens that clients get by it
// are for that.
func TestATokenMayBeForTheGatewayItself(t *testing.T) {
	base := withGateway(t, "gateway: {scopes: [use]}\n")
	for name, c := range map[string]struct {
		change func(map[string]any)
		want   int
	}{
		"the configured audience": {func(m map[string]any) { m["scope"] = "use" }, http.StatusOK},
		"this gateway":            {func(m map[string]any) { m["scope"], m["aud"] = "use", base+"/mcp" }, http.StatusOK},
		"one of several":          {func(m map[string]any) { m["scope"], m["aud"] = "use", []string{"x", base + "/mcp"} }, http.StatusOK},
		"scopes by another name":  {func(m map[string]any) { m["scp"] = []string{"use"} }, http.StatusOK},
		"another gateway":         {func(m map[string]any) { m["scope"], m["aud"] = "use", "https://other.example/mcp" }, http.StatusUnauthorized},
		"the site":                {func(m map[string]any) { m["scope"], m["aud"] = "use", base }, http.StatusUnauthorized},
		"no audience":             {func(m map[string]any) { m["scope"] = "use"; delete(m, "aud") }, http.StatusUnauthorized},
		"scope counts before scp": {func(m map[string]any) { m["scope"], m["scp"] = "other", "use" }, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			bearer := token(t, jose.HS256, []byte(hmacKey), claims(c.change))
			status, said := sent(t, http.MethodPost, base+"/mcp", bearer, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
			if status != c.want {
				t.Errorf("%d %s", status, said)
			}
		})
	}
	bearer := token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) { m["aud"] = base + "/mcp" }))
	if status, said := sent(t, http.MethodGet, base+"/api/permissions", bearer, ""); status != http.StatusUnauthorized {
		t.Errorf("elsewhere: %d %s", status, said)
	}
}

// A token for the endpoint of one server is good there and nowhere else; one for the
// gateway, or for the configured audience, is good at all of them.
func TestATokenMayBeForTheEndpointOfOneServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := servedAt(t, listener, strings.Replace(gatewayHead(listener.Addr().String()), "dev: true", "dev: true\npublic_url: http://"+listener.Addr().String(), 1)+
		fmt.Sprintf("servers: {a: {url: %q, approve: never}, b: {url: %q, approve: never}}\ngateway: {scopes: [use]}\n", toolServer(t, "one"), toolServer(t, "two")))
	if status, data := sent(t, http.MethodPost, base+"/api/servers", tenantKeys["acme"], fmt.Sprintf(`{"name":"own","url":%q}`, toolServer(t, "three"))); status != http.StatusCreated {
		t.Fatalf("%d %s", status, data)
	}
	const begin = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`
	person := func(audience, tenant, scope string) string {
		return token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) {
			m["scope"], m["aud"] = scope, audience
			if tenant != "" {
				m["org"] = tenant
			}
		}))
	}
	for name, c := range map[string]struct {
		bearer string
		want   map[string]int
	}{
		"the configured audience": {person("parley", "", "use"), map[string]int{"": 200, "/servers/a": 200, "/servers/b": 200, "/servers/own": 404, "/servers/no": 404}},
		"the gateway":             {person(base+"/mcp", "", "use"), map[string]int{"": 200, "/servers/a": 200, "/servers/b": 200, "/servers/own": 404, "/servers/no": 404}},
		"server a":                {person(base+"/mcp/servers/a", "", "use"), map[string]int{"": 401, "/servers/a": 200, "/servers/%61": 200, "/servers/b": 401, "/servers/no": 401}},
		"a tenant":                {person("parley", "acme", "use"), map[string]int{"/servers/a": 200, "/servers/own": 200, "/servers/no": 404}},
		"another tenant":          {person("parley", "globex", "use"), map[string]int{"/servers/a": 200, "/servers/own": 404}},
		"without the scope":       {person("parley", "", "other"), map[string]int{"/servers/a": 403, "/servers/no": 403}},
		"no token of ours":        {"x.y.z", map[string]int{"/servers/a": 401, "/servers/own": 401, "/servers/no": 401}},
	} {
		for at, want := range c.want {
			if status, said := sent(t, http.MethodPost, base+"/mcp"+at, c.bearer, begin); status != want {
				t.Errorf("%s at /mcp%s: %d %s", name, at, status, said)
			}
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/mcp/servers/a", strings.NewReader(begin))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer x.y.z")
	refused, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = refused.Body.Close()
	const metadata = "/.well-known/oauth-protected-resource/mcp/servers/"
	if said := refused.Header.Get("WWW-Authenticate"); !strings.Contains(said, `"`+base+metadata+`a"`) {
		t.Errorf("the challenge is %s", said)
	}
	for _, name := range []string{"a", "own", "no"} { // nobody has said yet who they are
		status, said := sent(t, http.MethodGet, base+metadata+name, "", "")
		if status != http.StatusOK || !strings.Contains(string(said), `"resource":"`+base+"/mcp/servers/"+name+`"`) || !strings.Contains(string(said), "https://app.example") {
			t.Errorf("%s: %d %s", name, status, said)
		}
	}
}

// Where people have tokens and nothing else, the pages say that they cannot be
// used, and the rest works.
func TestTokensAreEnoughToServe(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := servedAt(t, listener, fmt.Sprintf(`listen: %[1]s
public_url: http://%[1]s
store: "memory:"
secrets: ["%s"]
auth: {jwt: {issuer: "https://app.example", audience: parley, hmac_key: "%s"}}
servers: {one: {url: %q, approve: never}}
gateway: {}
`, listener.Addr(), strings.Repeat("s", 40), hmacKey, toolServer(t, "a")))
	sees(t, base, "alice", token(t, jose.HS256, []byte(hmacKey), claims(nil)), "one__a")
	for _, path := range []string{"/login", "/login?next=/answer/x"} {
		if status, said := sent(t, http.MethodGet, base+path, "", ""); status != http.StatusForbidden || !strings.Contains(string(said), "Nobody can sign in here") {
			t.Errorf("%s: %d %s", path, status, said)
		}
	}
	if status, said := sent(t, http.MethodPost, base+"/mcp", "", "{}"); status != http.StatusUnauthorized {
		t.Errorf("without a token: %d %s", status, said)
	}
}
