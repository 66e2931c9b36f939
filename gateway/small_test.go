package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

func TestANumberThatNoProgramReadsIsRefusedAsSuch(t *testing.T) {
	s := newShop(t, legacy)
	for _, rule := range []permit.Rule{permit.Never, permit.Always} {
		h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: rule}}, nil)
		awaitUp(t, h, "shop")
		v := visit(t, h.url, "alice", legacy, agreeing)
		const name, meta = `"name":"shop__buy"`, `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
		for era, sent := range map[string][]string{
			legacy: {"", "Mcp-Protocol-Version", legacy, "Mcp-Session-Id", v.ID()},
			modern: {meta, "Mcp-Protocol-Version", modern, "Mcp-Method", "tools/call", "Mcp-Name", "shop__buy"},
		} {
			for _, number := range []string{"1e400", "-1e400", "1e999999999"} {
				status, got := sendRaw(t, h.url, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{`+name+`,"arguments":{"amount":{"of":`+number+`}}`+sent[0]+`}}`, sent[1:]...)
				got = lastData(got)
				if status != http.StatusOK || !strings.Contains(got, `"id":3`) || !strings.Contains(got, `"code":-32602`) || !strings.Contains(got, "amount.of") {
					t.Errorf("%s, %s, %s: %d %s", rule, era, number, status, got)
				}
			}
		}
	}
	if s.done.Load() != 0 {
		t.Errorf("%d were carried out", s.done.Load())
	}
}

func TestExecuteToolSaysWhatIsWrongWithAnArgument(t *testing.T) {
	s := newShop(t, legacy)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, func(o *gateway.Options) { o.Expose = gateway.Execute })
	v := visit(t, h.url, "alice", legacy, agreeing)
	_, got := sendRaw(t, h.url, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"execute_tool","arguments":{"name":"shop__buy","arguments":{"amount":1e400}}}}`,
		"Mcp-Protocol-Version", legacy, "Mcp-Session-Id", v.ID())
	if !strings.Contains(got, "amount") || !strings.Contains(got, "-32602") {
		t.Errorf("got %s", got)
	}
}

func TestANumberOfAServersThatNoProgramReadsDoesNotHideItsResult(t *testing.T) {
	url := scripted(t, map[string]string{
		"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"count","version":"1"}}`,
		"tools/list": `{"tools":[{"name":"count","inputSchema":{"type":"object"}}]}`,
		"tools/call": `{"content":[{"type":"text","text":"many"}],"structuredContent":{"n":1e400},"_meta":{"stars":1e400}}`,
	})
	for tool, expose := range map[string]gateway.Expose{"count__count": gateway.Tools, "execute_tool": gateway.Execute} {
		h := newHouse(t, catalogue{{Name: "count", URL: url, Approve: permit.Never}}, func(o *gateway.Options) { o.Expose = expose })
		awaitUp(t, h, "count")
		v := visit(t, h.url, "alice", legacy, agreeing)
		_, got := sendRaw(t, h.url, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"`+tool+`","arguments":{"name":"count__count"}}}`,
			"Mcp-Protocol-Version", legacy, "Mcp-Session-Id", v.ID())
		if !strings.Contains(got, `"many"`) || !strings.Contains(got, `1e400`) {
			t.Errorf("%s: got %s", tool, got)
		}
	}
}

// sessionsOfKeys is a server that knows whose a session is by the key that began
// it, as many do, and says so.
func sessionsOfKeys(t *testing.T) string {
	whose := sync.Map{} // by session
	server := mcp.NewServer(&mcp.Implementation{Name: "safe", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "whose", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		began, _ := whose.LoadOrStore(r.Session.ID(), r.Extra.Header.Get("X-API-Key"))
		return said("%v", began), nil
	})
	t.Cleanup(func() {
		for session := range server.Sessions() {
			_ = session.Close()
		}
	})
	return serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
}

func TestAfterAChangeOfAccountTheOldSessionIsNotUsedOn(t *testing.T) {
	url := sessionsOfKeys(t)
	store := parley.NewMemoryStore()
	v, err := vault.New(parley.New(store, nil), store, newKeys(t), &vault.Options{
		PublicURL: "https://parley.example",
		Servers:   []vault.Server{{Name: "safe", URL: url, Auth: vault.Auth{Type: vault.APIKey, Scope: vault.User}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	h := newHouse(t, catalogue{{Name: "safe", URL: url, Approve: permit.Never, Guarded: true, Personal: true}}, func(o *gateway.Options) { o.Vault = v })
	for _, era := range []string{legacy, modern} {
		var client *visitor
		for _, key := range []string{"key-of-work", "key-of-home", "key-of-home"} {
			if err := v.Provide(t.Context(), vault.Need{Server: "safe", User: "alice"}, key); err != nil {
				t.Fatal(err)
			}
			if client == nil {
				client = visit(t, h.url, "alice", era, agreeing)
			}
			if got, err := client.call(t, "safe__whose", map[string]any{}); err != nil || got != key {
				t.Errorf("%s: the session is of %q, %v; want %s", era, got, err, key)
			}
		}
	}
}

// A key of the site's that the server refuses is there: who calls is not told that it is not.
func TestAKeyOfTheSiteThatIsRefusedIsSaidToBe(t *testing.T) {
	var refuses atomic.Bool
	behind, err := url.Parse(sessionsOfKeys(t))
	if err != nil {
		t.Fatal(err)
	}
	through := httputil.NewSingleHostReverseProxy(behind)
	at := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuses.Load() {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		through.ServeHTTP(w, r)
	}))
	store := parley.NewMemoryStore()
	v, err := vault.New(parley.New(store, nil), store, newKeys(t), &vault.Options{
		PublicURL: "https://parley.example", Logger: slog.New(slog.DiscardHandler),
		Servers: []vault.Server{{Name: "safe", URL: at, Auth: vault.Auth{Type: vault.APIKey, Scope: vault.Platform}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	h := newHouse(t, catalogue{{Name: "safe", URL: at, Approve: permit.Never, Guarded: true}}, func(o *gateway.Options) { o.Vault = v })
	for _, era := range []string{legacy, modern} {
		refuses.Store(false)
		if err := v.Provide(t.Context(), vault.Need{Server: "safe"}, "key-of-the-site"); err != nil {
			t.Fatal(err)
		}
		client := visit(t, h.url, "alice", era, agreeing)
		if got, err := client.call(t, "safe__whose", map[string]any{}); err != nil || got != "key-of-the-site" {
			t.Fatalf("%s: %q, %v", era, got, err)
		}
		refuses.Store(true)
		for range 2 {
			if got, err := client.call(t, "safe__whose", map[string]any{}); !strings.Contains(fmt.Sprint(got, err), "safe refuses the credential that it is given here, and you cannot give another: ask who runs this gateway.") {
				t.Errorf("%s: %q, %v", era, got, err)
			}
		}
	}
}

// What a server asks in a way that the protocol does not have is no form.
func TestAnUnknownModeIsRefusedToTheServer(t *testing.T) {
	s := newShop(t, legacy)
	answered := make(chan error, 1)
	s.AddTool(&mcp.Tool{Name: "sing", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		// The SDK would not ask so: as if it were another server's.
		s.AddSendingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if p, ok := req.GetParams().(*mcp.ElicitParams); ok {
					p.Mode = "song"
				}
				return next(ctx, method, req)
			}
		})
		_, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Sing?", RequestedSchema: sizeForm})
		answered <- err
		return said("sung"), nil
	})
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
	v := visit(t, h.url, "alice", legacy, agreeing)
	if got, err := v.call(t, "shop__sing", nil); err != nil || got != "sung" {
		t.Errorf("%q, %v", got, err)
	}
	if err := <-answered; codeOf(err) != -32602 || len(v.questions()) != 0 {
		t.Errorf("the server heard %v, the person %q", err, v.questions())
	}
}
