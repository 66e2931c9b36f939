package server_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/agent"
)

// inLine is a server up to 2025-11-25 whose tool asks on the open call.
func inLine(t *testing.T) string {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "old", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "book", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		answer, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Which seat?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"seat":{"type":"string"}}}`)})
		if err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "the seat was: " + answer.Action}}}, nil
	})
	old := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") == "2026-07-28" { // as a server that does not know it
			http.Error(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Bad Request: Unsupported protocol version"}}`, http.StatusBadRequest)
			return
		}
		old.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL
}

// programChat is a server whose agent has tools that need nobody, and tools that
// need a person in each of the ways that there are. made counts the calls of the
// approved one, acted those of the one that asks.
func programChat(t *testing.T) (base string, acted *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	shop, acted := asking(t)
	text := fmt.Sprintf("listen: %q\nstore: \"memory:\"\ndev: true\nauth:\n  jwt: {issuer: \"https://app.example\", audience: parley, hmac_key: %q, tenant_claim: org}\n  api_keys:\n", listener.Addr().String(), hmacKey)
	for _, one := range programKeys {
		text += fmt.Sprintf("  - {name: %q, sha256: \"%x\", tenant: %q}\n", one.name, sha256.Sum256([]byte(one.key)), one.tenant)
	}
	text += fmt.Sprintf(`
models: {script: {kind: demo}, clerk: {kind: demo}}
servers:
  plain: {url: %q, approve: never}
  shop: {url: %q, approve: never}
  old: {url: %q, approve: never}
  bank: {url: %q, approve: always}
  mine: {title: My Files, url: %q, approve: never, auth: {type: bearer, scope: user}}
  vault: {url: %q, approve: never}
rules:
- {name: two, server: vault, approve: always, approvers: "2 of [bob, carol]"}
agents: {assistant: {model: script, servers: [plain, shop, old, bank, mine, vault], delegates: [clerk]}, clerk: {model: clerk, servers: [bank]}}
`, toolServer(t, "look"), shop, inLine(t), toolServer(t, "pay"), toolServer(t, "read"), toolServer(t, "open"))
	return servedWith(t, listener, text, map[string]agent.Model{"script": obedient{}, "clerk": clerk{}}), acted
}

// inChat says something in every kind of chat there is, and returns what came by each.
func inChat(t *testing.T, base, key, conversation, says string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, one := range map[string]struct{ path, body string }{
		"UI messages":         {"/run/api/chat", `{"conversationId":%q,"messages":[{"role":"user","parts":[{"type":"text","text":%q}]}]}`},
		"UI messages, whole":  {"/run/api/chat", `{"conversationId":%q,"stream":false,"messages":[{"role":"user","parts":[{"type":"text","text":%q}]}]}`},
		"OpenAI's API":        {"/run/v1/chat/completions", `{"conversationId":%q,"model":"assistant","stream":true,"messages":[{"role":"user","content":%q}]}`},
		"OpenAI's API, whole": {"/run/v1/chat/completions", `{"conversationId":%q,"model":"assistant","messages":[{"role":"user","content":%q}]}`},
		"events":              {"/run/sse", `{"session_id":%q,"message":%q}`},
	} {
		status, data := sent(t, http.MethodPost, base+one.path, key, fmt.Sprintf(one.body, conversation+" by "+name, says), "x-supports-elicitation", "true")
		if status != http.StatusOK {
			t.Fatalf("%s: %d %s", name, status, data)
		}
		all[name] = string(data)
	}
	return all
}

func TestAProgramRunsAnAgentWhoseToolsNeedNobody(t *testing.T) {
	base, _ := programChat(t)
	for name, got := range inChat(t, base, "key-of-ci", "c", "plain__look") {
		if !strings.Contains(got, "It says: look") {
			t.Errorf("%s: %s", name, got)
		}
	}
	if status, data := sent(t, http.MethodGet, base+"/run/v1/models", "key-of-ci", ""); status != http.StatusOK || !strings.Contains(string(data), "assistant") {
		t.Errorf("models: %d %s", status, data)
	}
}

func TestWhatNeedsAPersonIsAnImmediateErrorForAProgram(t *testing.T) {
	base, acted := programChat(t)
	for name, c := range map[string]struct{ says, want string }{
		"a form, by a new server":  {"shop__buy", "It says: This call needs a person, and this conversation is a program's: nobody can be asked. It asks: [shop] Which size? Do not repeat the call."},
		"a form, by an old server": {"old__book", "nobody can be asked. It asked: [old] Which seat? Do not repeat the call."},
		"an approval":              {"bank__pay", "It says: This call needs a person's approval, and a program makes it: nobody can be asked. Do not repeat the call."},
		"an approval of others'":   {"vault__open", "It says: This call needs a person's approval, and a program makes it"},
		"a delegate's approval":    {"delegate_to_clerk", "It says: It says: This call needs a person's approval, and a program makes it"},
		"a person's account":       {"mine", "nobody can be asked. It asks: [My Files] My Files takes a person's own account. Do not repeat the call."},
	} {
		for by, got := range inChat(t, base, "key-of-ci", name, c.says) {
			if !strings.Contains(got, c.want) {
				t.Errorf("%s, %s: %s", name, by, got)
			}
			if strings.Contains(got, "elicitation-request") || strings.Contains(got, "auth-required") || strings.Contains(got, "oauth_required") {
				t.Errorf("%s, %s: somebody is asked: %s", name, by, got)
			}
		}
	}
	if _, data := sent(t, http.MethodGet, base+"/api/elicitations?state=pending", "key-of-ci", ""); strings.Contains(string(data), `"id"`) {
		t.Errorf("questions are open: %s", data)
	}
	if acted.Load() != 0 {
		t.Errorf("%d calls were carried out", acted.Load())
	}
}

func TestAConversationOfAProgramIsItsOwn(t *testing.T) {
	base, _ := programChat(t)
	say := `{"conversationId":"plans","messages":[{"id":"m1","role":"user","parts":[{"type":"text","text":"plain__look"}]}]}`
	if status, data := sent(t, http.MethodPost, base+"/run/api/chat", "key-of-ci", say); status != http.StatusOK {
		t.Fatalf("%d %s", status, data)
	}
	sees := func(bearer string) bool {
		status, data := sent(t, http.MethodGet, base+"/run/api/chat/plans", bearer, "")
		if status != http.StatusOK {
			t.Fatalf("%d %s", status, data)
		}
		return strings.Contains(string(data), "plain__look")
	}
	for name, c := range map[string]struct {
		bearer string
		want   bool
	}{
		"the program":                   {"key-of-ci", true},
		"with its next key":             {"next-key-of-ci", true},
		"another program of its tenant": {"key-of-deploy", false},
		"one of its name elsewhere":     {"key-of-globex", false},
		"a program without a name":      {"key-without-a-name", false},
		"a person of its tenant":        {personOf(t, "acme"), false},
	} {
		if sees(c.bearer) != c.want {
			t.Errorf("%s: sees it: %v", name, !c.want)
		}
	}
	// Nobody is called like a program.
	if status, data := sent(t, http.MethodGet, base+"/run/api/chat/plans", "dev-user:parley-program:ci", ""); status != http.StatusUnauthorized {
		t.Errorf("%d %s", status, data)
	}
}
