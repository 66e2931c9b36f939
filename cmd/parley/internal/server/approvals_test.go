package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/agent"
)

// orders is a server of 2026-07-28 whose tool asks before it does anything, and
// counts what it did.
func orders(t *testing.T) (url string, done *atomic.Int64) {
	t.Helper()
	done = &atomic.Int64{}
	s := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "order", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.Params.RequestState == "" {
			return &mcp.CallToolResult{RequestState: "asked", InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{
				Message: "Which size?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"size":{"type":"string"}}}`),
			}}}, nil
		}
		done.Add(1)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ordered"}}}, nil
	})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL, done
}

// An agent's call was let through and its server asked. What the person answers
// goes to that server, not to one that has its name by then.
func TestAnAgentsCallDoesNotGoOnAtAnotherPlace(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := servedWith(t, listener, gatewayHead(listener.Addr().String())+"models: {script: {kind: demo}}\nagents: {assistant: {model: script}}\n",
		map[string]agent.Model{"script": obedient{}})
	before, doneBefore := orders(t)
	after, doneAfter := orders(t)
	manage := func(method, path, body string) {
		t.Helper()
		if status, data := sent(t, method, base+path, tenantKeys["acme"], body); status >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, status, data)
		}
	}
	alice := personOf(t, "acme")
	manage(http.MethodPost, "/api/servers", fmt.Sprintf(`{"name":"board","url":%q,"approve":"never","agents":["assistant"]}`, before))
	turn := func(n int, meanwhile func()) string {
		said := make(chan string, 1)
		body := fmt.Sprintf(`{"id":"c%d","agent":"assistant","messages":[{"role":"user","parts":[{"type":"text","text":"board__order"}]}]}`, n)
		go func() {
			_, data := sent(t, http.MethodPost, base+"/run/api/chat", alice, body, "x-supports-elicitation", "true")
			said <- string(data)
		}()
		var list struct {
			Items []struct{ ID string } `json:"items"`
		}
		for len(list.Items) == 0 {
			time.Sleep(10 * time.Millisecond)
			_, data := sent(t, http.MethodGet, base+"/api/elicitations?state=pending", alice, "")
			if err := json.Unmarshal(data, &list); err != nil {
				t.Fatalf("%v: %s", err, data)
			}
		}
		meanwhile()
		answer := fmt.Sprintf(`{"conversationId":"c%d","elicitationId":%q,"action":"accept","content":{"size":"L"}}`, n, list.Items[0].ID)
		if status, data := sent(t, http.MethodPost, base+"/run/api/elicitation-responses", alice, answer); status != http.StatusOK {
			t.Fatalf("%d %s", status, data)
		}
		return <-said
	}
	if got := turn(1, func() {}); !strings.Contains(got, "It says: ordered") || doneBefore.Load() != 1 {
		t.Fatalf("at its own place: %s", got)
	}
	got := turn(2, func() { manage(http.MethodPatch, "/api/servers/board", fmt.Sprintf(`{"url":%q}`, after)) })
	if !strings.Contains(got, "board has changed since this call was begun") {
		t.Errorf("at another place: %s", got)
	}
	if doneBefore.Load() != 1 || doneAfter.Load() != 0 {
		t.Errorf("%d calls before, %d after", doneBefore.Load(), doneAfter.Load())
	}
}

// An agent over MCP is called by a model. What that has, the person's token too,
// does not approve what it asked for: the page does, where somebody signs in.
func TestATokenDoesNotApproveWhatAModelAskedAnAgentFor(t *testing.T) {
	url, done := orders(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := servedWith(t, listener, gatewayHead(listener.Addr().String())+"models: {script: {kind: demo}}\n"+
		"servers: {board: {url: "+url+", approve: always}}\nagents: {assistant: {model: script, servers: [board]}}\n",
		map[string]agent.Model{"script": obedient{}})
	alice := personOf(t, "acme")
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"assistant","arguments":{"message":"board__order","conversation":"mine"},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	_, said := sent(t, http.MethodPost, base+"/mcp/agents/assistant", alice, call, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "assistant")
	var list struct {
		Items []struct{ ID string } `json:"items"`
	}
	_, data := sent(t, http.MethodGet, base+"/api/elicitations?state=pending", alice, "")
	if err := json.Unmarshal(data, &list); err != nil || len(list.Items) != 1 {
		t.Fatalf("%s, after %s", data, said)
	}
	id := list.Items[0].ID
	for path, body := range map[string]string{
		"/run/api/elicitation-responses": fmt.Sprintf(`{"conversationId":"mine","elicitationId":%q,"action":"accept","content":{"decision":"allow_once"}}`, id),
		"/run/api/chat":                  fmt.Sprintf(`{"id":"mine","conversationId":"mine","messages":[{"role":"user","parts":[{"type":"data-elicitation-response","data":{"elicitationId":%q,"action":"accept","content":{"decision":"allow_once"}}}]}]}`, id),
	} {
		status, data := sent(t, http.MethodPost, base+path, alice, body)
		if !strings.Contains(string(data), "give this approval on its page") {
			t.Errorf("%s: %d %s", path, status, data)
		}
	}
	_, data = sent(t, http.MethodGet, base+"/api/elicitations?state=pending", alice, "")
	if err := json.Unmarshal(data, &list); err != nil || len(list.Items) != 1 || done.Load() != 0 {
		t.Errorf("%s; %d orders", data, done.Load())
	}
}
