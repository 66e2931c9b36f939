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

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/agent"
)

// obedient is a model that calls the tool that it is told, and repeats what came.
type obedient struct{}

func (obedient) Generate(_ context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	last := p.Messages[len(p.Messages)-1]
	if last.Role == agent.FromUser {
		return agent.Reply{Calls: []agent.ToolCall{{ID: "c", Tool: last.Text}}}, nil
	}
	text := "It says: " + last.Results[0].Text
	emit(text)
	return agent.Reply{Text: text}, nil
}

// What document 003 sets up by an API, and what the chat makes of it.
func TestAServerOfTheAPIIsGivenToAnAgent(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := servedWith(t, listener, gatewayHead(listener.Addr().String())+"models: {script: {kind: demo}}\nagents: {assistant: {model: script}, other: {model: script}}\n",
		map[string]agent.Model{"script": obedient{}})
	manage := func(want int, method, path, body string) string {
		t.Helper()
		status, data := sent(t, method, base+path, tenantKeys["acme"], body)
		if status != want {
			t.Fatalf("%s %s: %d %s", method, path, status, data)
		}
		return string(data)
	}
	turn := 0
	says := func(tenant, to, tool, want string) {
		t.Helper()
		turn++
		body := fmt.Sprintf(`{"id":"c%d","agent":%q,"messages":[{"role":"user","parts":[{"type":"text","text":%q}]}]}`, turn, to, tool)
		if _, data := sent(t, http.MethodPost, base+"/run/api/chat", personOf(t, tenant), body); !strings.Contains(string(data), want) {
			t.Errorf("%s of %s: no %q in %s", to, tenant, want, data)
		}
	}
	const nothing = "no tool"
	says("acme", "assistant", "board__look", nothing)
	manage(http.StatusCreated, http.MethodPost, "/api/servers", fmt.Sprintf(`{"name":"board","url":%q,"approve":"never","agents":["assistant"]}`, toolServer(t, "look")))
	says("acme", "assistant", "board__look", "It says: look")
	says("acme", "other", "board__look", nothing)
	says("globex", "assistant", "board__look", nothing)
	if got := manage(http.StatusOK, http.MethodGet, "/api/servers/board/checklist?agent=assistant", ""); !strings.Contains(got, `"detail":"The agent assistant has the server."`) {
		t.Error(got)
	}
	if got := manage(http.StatusOK, http.MethodGet, "/api/servers/board/checklist?agent=other", ""); !strings.Contains(got, `Add \"other\" to agents with PATCH /api/servers/board.`) {
		t.Error(got)
	}

	manage(http.StatusOK, http.MethodPatch, "/api/servers/board", `{"approve":"refuse"}`)
	says("acme", "assistant", "board__look", "never allowed")
	manage(http.StatusOK, http.MethodPatch, "/api/servers/board", fmt.Sprintf(`{"approve":"never","url":%q}`, toolServer(t, "see")))
	says("acme", "assistant", "board__see", "It says: see")

	// From now on each person needs an account of their own, and is asked for it.
	manage(http.StatusCreated, http.MethodPost, "/api/providers", `{"name":"acme","auth_url":"https://acme.example/a","token_url":"https://acme.example/t","client_id":"c","client_secret":"s"}`)
	manage(http.StatusOK, http.MethodPatch, "/api/servers/board", `{"auth_type":"oauth2","auth_scope":"user","auth":{"provider":"acme"}}`)
	says("acme", "assistant", "board", "data-tool-auth-required")

	manage(http.StatusOK, http.MethodPatch, "/api/servers/board", `{"auth":{"type":"none","scope":null,"provider":null},"agents":null}`)
	says("acme", "assistant", "board__see", nothing)
	manage(http.StatusOK, http.MethodPatch, "/api/servers/board", `{"agents":["assistant","other"],"enabled":false}`)
	says("acme", "other", "board__see", nothing)
	manage(http.StatusOK, http.MethodPatch, "/api/servers/board", `{"enabled":true}`)
	says("acme", "other", "board__see", "It says: see")
	manage(http.StatusNoContent, http.MethodDelete, "/api/servers/board", "")
	says("acme", "other", "board__see", nothing)
}

// What another tenant has, and has not, is nothing to a call that is under way.
func TestACallOfOneTenantGoesOnWhileAnotherTenantIsServed(t *testing.T) {
	begun, goOn := make(chan struct{}, 10), make(chan struct{})
	var calls atomic.Int64
	behind := mcp.NewServer(&mcp.Implementation{Name: "slow", Version: "1"}, nil)
	behind.AddTool(&mcp.Tool{Name: "look", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		calls.Add(1)
		begun <- struct{}{}
		select {
		case <-goOn:
		case <-ctx.Done():
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "seen"}}}, nil
	})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return behind }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := servedWith(t, listener, gatewayHead(listener.Addr().String())+"models: {script: {kind: demo}}\nagents: {assistant: {model: script}}\n",
		map[string]agent.Model{"script": obedient{}})
	if status, said := sent(t, http.MethodPost, base+"/api/servers", tenantKeys["acme"],
		fmt.Sprintf(`{"name":"board","url":%q,"approve":"never","agents":["assistant"]}`, web.URL)); status != http.StatusCreated {
		t.Fatalf("%d %s", status, said)
	}
	const turn = `{"id":"c","messages":[{"role":"user","parts":[{"type":"text","text":"board__look"}]}]}`
	said := make(chan string, 1)
	go func() {
		var data []byte
		defer func() { said <- string(data) }()
		_, data = sent(t, http.MethodPost, base+"/run/api/chat", personOf(t, "acme"), turn)
	}()
	<-begun
	if _, data := sent(t, http.MethodPost, base+"/run/api/chat", personOf(t, "globex"), turn); !strings.Contains(string(data), "no tool") {
		t.Errorf("globex, which has no servers: %s", data)
	}
	close(goOn)
	if got := <-said; !strings.Contains(got, "It says: seen") || calls.Load() != 1 {
		t.Errorf("acme, after %d calls: %s", calls.Load(), got)
	}
}
