package apps_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/interop/kit"
)

// drawn is the user interface of every server that startDrawing starts, with its name
// for NAME. It is written by hand: what its button's call returns is what it shows.
const drawn = `<!doctype html><html lang="en"><meta charset="utf-8"><title>NAME</title>
<h1>This is NAME</h1><button id="press">Press</button><p id="result">Nothing yet</p>
<script>
const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
let n = 1;
addEventListener("message", ({ source, data }) => {
  if (source !== parent || data?.id === undefined || data.method) return;
  if (data.id === 1) return send({ method: "ui/notifications/initialized", params: {} });
  document.getElementById("result").textContent = data.result?.content?.[0]?.text ?? "Failed: " + data.error?.message;
});
document.getElementById("press").onclick = () => send({ id: ++n, method: "tools/call", params: { name: "press_NAME", arguments: {} } });
send({ id: 1, method: "ui/initialize", params: { protocolVersion: "2026-01-26", appInfo: { name: "NAME", version: "1" }, appCapabilities: {} } });
</script></html>`

// startDrawing serves a server with a tool that has that user interface, under a URI
// that all of them have, and one that its button calls.
func startDrawing(t *testing.T, name string) string {
	t.Helper()
	const uri = "ui://widget/main.html"
	server := mcp.NewServer(&mcp.Implementation{Name: name, Version: "1"}, nil)
	add := func(tool string, ui map[string]any, says string) {
		server.AddTool(&mcp.Tool{Name: tool, Meta: mcp.Meta{"ui": ui}, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: says}}}, nil
		})
	}
	add("show", map[string]any{"resourceUri": uri}, "shown by "+name)
	add("press_"+name, map[string]any{"visibility": []string{"app"}}, "pressed at "+name)
	server.AddResource(&mcp.Resource{Name: "widget", URI: uri, MIMEType: "text/html;profile=mcp-app"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/html;profile=mcp-app", Text: strings.ReplaceAll(drawn, "NAME", name)}}}, nil
	})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL
}

// Each tool gets the user interface of its own server, though both have the same URI,
// and its button reaches that server.
func serversWithOneURI(t *testing.T, w *world) {
	for _, server := range []string{"alpha", "beta"} {
		w.visits(t, server, func(t *testing.T, c *kit.AppChat, at endpoint) {
			show(t, c, at.front+"show")
			app := c.App(0)
			app.WaitFor("This is " + server)
			app.Click("#press")
			app.WaitFor("pressed at " + server)
		})
	}
	t.Run("both in one conversation", func(t *testing.T) {
		c := w.chat(t, way{bridge: "1.7.5"}, "alice", kit.AppOptions{}).AppChat
		for n, server := range []string{"alpha", "beta"} {
			show(t, c, server+"__show")
			app := c.App(n)
			app.WaitFor("This is " + server)
			app.Click("#press")
			app.WaitFor("pressed at " + server)
		}
	})
}

// A call that an app makes needs the same approval as a model's: the app is told that it
// is asked for, and when it was given, and the button is pressed again, it is made.
func serversGate(t *testing.T, w *world) {
	person := kit.NewVisitor(t)
	person.Send(t, w.site+"/login", url.Values{"user": {"alice"}})
	w.visits(t, "gated", func(t *testing.T, c *kit.AppChat, at endpoint) {
		show(t, c, at.front+"show")
		app := c.App(0)
		app.WaitFor("This is gated")
		for range 2 { // allowed once is good once
			before := len(c.Calls())
			app.Click("#press")
			kit.Eventually(t, "the app is told that somebody is asked", func() bool {
				return len(c.Calls()) > before && strings.Contains(app.Text("#result"), "requires user input")
			})
			person.AnswerOnPage(t, w.site, elicitID(t, made(t, c, "press_gated", before+1)), "Allow once")
			app.Click("#press")
			app.WaitFor("pressed at gated")
		}
	})
}

// elicitID is the question that a call of an app's was answered with.
func elicitID(t *testing.T, call kit.AppCall) string {
	t.Helper()
	var result struct {
		Meta struct {
			Pending struct {
				ElicitID string `json:"elicitId"`
			} `json:"elicitationPending"`
		} `json:"_meta"`
	}
	if err := json.Unmarshal(call.Result, &result); err != nil || result.Meta.Pending.ElicitID == "" {
		t.Fatalf("the app was told %s, %v", call.Result, err)
	}
	return result.Meta.Pending.ElicitID
}
