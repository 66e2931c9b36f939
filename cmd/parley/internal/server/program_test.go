package server_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// programKeys are keys of programs with their tenants. Two of acme's keys are of
// one program, which is changing its key.
var programKeys = []struct{ key, name, tenant string }{
	{"key-of-ci", "ci", "acme"}, {"next-key-of-ci", "ci", "acme"}, {"key-of-deploy", "deploy", "acme"}, {"key-of-globex", "ci", "globex"},
	{"key-without-a-name", "", "acme"}, {"other-key-without-a-name", "", "acme"},
}

// asking is an MCP server with one tool that asks before it acts; acted counts.
func asking(t *testing.T) (url string, acted *atomic.Int64) {
	t.Helper()
	acted = &atomic.Int64{}
	s := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "buy", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.Params.RequestState == "" {
			return &mcp.CallToolResult{RequestState: "asked", InputRequests: mcp.InputRequestMap{
				"q": &mcp.ElicitParams{Mode: "form", Message: "Which size?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"size":{"type":"string"}}}`)},
			}}, nil
		}
		acted.Add(1)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "bought"}}}, nil
	})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL, acted
}

// withPrograms is a gateway in front of a shop, for programs.
func withPrograms(t *testing.T, shop string) string {
	t.Helper()
	text := "listen: ADDRESS\nstore: \"memory:\"\ndev: true\nauth:\n  api_keys:\n"
	for _, one := range programKeys {
		text += fmt.Sprintf("  - {name: %q, sha256: \"%x\", tenant: %q}\n", one.name, sha256.Sum256([]byte(one.key)), one.tenant)
	}
	return listening(t, text+"servers: {shop: {url: "+shop+", approve: never}}\ngateway: {}\n")
}

var stateOf = regexp.MustCompile(`"requestState":"([^"]+)"`)

// buys calls the shop's tool: with a state and an answer, or from its start.
func buys(t *testing.T, base, key, state string) (int, string) {
	t.Helper()
	params := map[string]any{"name": "shop__buy", "arguments": map[string]any{}, "_meta": map[string]any{
		"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": map[string]any{"elicitation": map[string]any{"form": map[string]any{}}},
	}}
	if state != "" {
		params["requestState"] = state
		params["inputResponses"] = map[string]any{"r1.q": map[string]any{"action": "accept", "content": map[string]any{"size": "M"}}}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
	if err != nil {
		t.Fatal(err)
	}
	status, said := sent(t, http.MethodPost, base+"/mcp", key, string(body), "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "shop__buy")
	return status, string(said)
}

// asked is the state of a call that waits for an answer.
func asked(t *testing.T, base, key string) string {
	t.Helper()
	status, said := buys(t, base, key, "")
	found := stateOf.FindStringSubmatch(said)
	if found == nil {
		t.Fatalf("%s: status %d: %s", key, status, said)
	}
	return found[1]
}

func TestAProgramCannotGoOnWithTheCallOfAnother(t *testing.T) {
	shop, acted := asking(t)
	base := withPrograms(t, shop)
	for name, c := range map[string]struct{ owner, thief string }{
		"of another tenant":           {"key-of-ci", "key-of-globex"},
		"with another key":            {"key-of-ci", "key-of-deploy"},
		"with a key without a name":   {"key-of-ci", "key-without-a-name"},
		"neither key has a name":      {"key-without-a-name", "other-key-without-a-name"},
		"nobody":                      {"key-of-ci", ""},
		"a program, of nobody's":      {"", "key-of-globex"},
		"the owner of another's":      {"key-of-globex", "key-of-ci"},
		"another key of its tenant's": {"key-of-deploy", "key-of-ci"},
	} {
		state, before := asked(t, base, c.owner), acted.Load()
		if _, said := buys(t, base, c.thief, state); !strings.Contains(said, `"code":-32602`) || !strings.Contains(said, "somebody else's") {
			t.Errorf("%s: %s", name, said)
		}
		if acted.Load() != before {
			t.Errorf("%s: the server acted", name)
		}
		if _, said := buys(t, base, c.owner, state); !strings.Contains(said, "bought") || acted.Load() != before+1 {
			t.Errorf("%s: the owner cannot go on: %s", name, said)
		}
	}
}

func TestAProgramGoesOnWithItsNextKey(t *testing.T) {
	shop, _ := asking(t)
	base := withPrograms(t, shop)
	if _, said := buys(t, base, "next-key-of-ci", asked(t, base, "key-of-ci")); !strings.Contains(said, "bought") {
		t.Errorf("got %s", said)
	}
}

func TestAProgramCannotUseTheSessionOfAnother(t *testing.T) {
	shop, _ := asking(t)
	base := withPrograms(t, shop)
	begin := func(key string) string {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/mcp", strings.NewReader(
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Close = true
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", "Bearer "+key)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer.Header.Get("Mcp-Session-Id")
	}
	session := begin("key-of-ci")
	for key, want := range map[string]int{
		"key-of-ci": http.StatusOK, "next-key-of-ci": http.StatusOK, "key-of-deploy": http.StatusForbidden, "key-of-globex": http.StatusForbidden,
		"key-without-a-name": http.StatusForbidden, "": http.StatusForbidden,
	} {
		status, said := sent(t, http.MethodPost, base+"/mcp", key, `{"jsonrpc":"2.0","id":2,"method":"ping"}`, "Mcp-Session-Id", session, "Mcp-Protocol-Version", "2025-11-25")
		if status != want {
			t.Errorf("%q: status %d: %s", key, status, said)
		}
	}
}
