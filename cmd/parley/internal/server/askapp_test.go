package server_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// withToken sends a bearer token with each request.
type withToken string

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(w))
	r.Close = true
	return http.DefaultTransport.RoundTrip(r)
}

// appHost is a client that cannot ask and shows apps. What it returns calls a tool, reads
// the result's _meta and returns its text.
func appHost(t *testing.T, endpoint string) (call func(tool string, arguments, meta any) string) {
	t.Helper()
	bearer := token(t, jose.HS256, []byte(hmacKey), claims(nil))
	client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{
		Extensions: map[string]any{"io.modelcontextprotocol/ui": map[string]any{"mimeTypes": []string{"text/html;profile=mcp-app"}}},
	}})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: endpoint, HTTPClient: &http.Client{Transport: withToken(bearer)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return func(tool string, arguments, meta any) string {
		t.Helper()
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		raw, _ := json.Marshal(r.Meta)
		if meta != nil && json.Unmarshal(raw, meta) != nil {
			t.Fatalf("%s: %s", tool, raw)
		}
		return r.Content[0].(*mcp.TextContent).Text
	}
}

// An agent's endpoint is a server of its own to its clients: what others asked is not
// there, and what it asks is nowhere else.
func TestAQuestionIsForTheAppsOfTheAgentThatAsks(t *testing.T) {
	base := withGateway(t, `
models: {demo: {kind: demo}}
servers: {shop: {url: "`+toolServer(t, "buy")+`", approve: always}}
agents: {assistant: {model: demo}, other: {model: demo}}
gateway: {approvals: app}
`)
	gateway, assistant, other := appHost(t, base+"/mcp"), appHost(t, base+"/mcp/agents/assistant"), appHost(t, base+"/mcp/agents/other")
	var pending struct{ ElicitationPending struct{ ElicitID string } }
	if text := gateway("shop__buy", nil, &pending); !strings.Contains(text, "showQuestion") {
		t.Fatal(text)
	}
	id := map[string]any{"elicitId": pending.ElicitationPending.ElicitID}
	for name, call := range map[string]func(tool string, arguments, meta any) string{"assistant": assistant, "other": other} {
		for _, named := range []map[string]any{{}, id} {
			var shown struct {
				Ask struct{ State, Nonce string } `json:"parley/ask"`
			}
			if call("parley_open", named, &shown); shown.Ask.State != "none" || shown.Ask.Nonce != "" {
				t.Errorf("%s opens %+v by %v", name, shown.Ask, named)
			}
		}
	}
	var shown struct {
		Ask struct{ State, Nonce string } `json:"parley/ask"`
	}
	if gateway("parley_open", id, &shown); shown.Ask.State != "pending" || shown.Ask.Nonce == "" {
		t.Errorf("where it was asked it is %+v", shown.Ask)
	}
}

// A client that cannot ask and shows apps has its questions there without a word in the
// configuration; approvals only with one.
func TestAnAppApprovesOnlyWhereTheConfigurationSaysSo(t *testing.T) {
	for settings, where := range map[string]string{"{}": "page", "{approvals: app}": "here"} {
		base := withGateway(t, `
servers: {shop: {url: "`+toolServer(t, "buy")+`", approve: always}}
gateway: `+settings+"\n")
		call := appHost(t, base+"/mcp")
		var pending struct{ ElicitationPending struct{ ElicitID string } }
		if text := call("shop__buy", nil, &pending); !strings.Contains(text, "showQuestion") {
			t.Fatalf("%s: %q", settings, text)
		}
		id := map[string]any{"elicitId": pending.ElicitationPending.ElicitID}
		var shown struct {
			Ask struct{ Answer, Nonce, Page, State string } `json:"parley/ask"`
		}
		call("parley_open", id, &shown)
		if ask := shown.Ask; ask.Answer != where || (ask.Nonce != "") != (where == "here") || ask.Page != base+"/answer/"+pending.ElicitationPending.ElicitID {
			t.Fatalf("%s: %+v", settings, ask)
		}
		call("parley_answer", map[string]any{
			"elicitId": id["elicitId"], "nonce": shown.Ask.Nonce, "action": "accept", "content": map[string]any{"decision": "allow_once"},
		}, &shown)
		if want := map[string]string{"page": "pending", "here": "settled"}[where]; shown.Ask.State != want {
			t.Fatalf("%s: %+v, want %s", settings, shown.Ask, want)
		}
		if where == "here" {
			if text := call("waitForElicitationResult", id, nil); text != "buy" {
				t.Errorf("%s: %q", settings, text)
			}
		}
	}
}
