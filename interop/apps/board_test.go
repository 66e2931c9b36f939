package apps_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// board is the page of another server's app. A test has it call tools.
const board = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Board</title><p id="said">Board</p><script>
let last = 0;
const calls = new Map();
const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const request = (method, params) => new Promise((done) => { calls.set(++last, done); post({ id: last, method, params }); });
addEventListener("message", ({ source, data }) => { if (source === parent && !data.method) calls.get(data.id)?.(data); });
const tool = (name, args) => request("tools/call", { name, arguments: args });
request("ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: "board", version: "1" }, appCapabilities: {} }).then(() => {
  post({ method: "ui/notifications/initialized", params: {} });
  said.textContent = "Board is there";
});
</script></html>`

// startBoard serves the server of that app until the test ends.
func startBoard(t *testing.T) string {
	t.Helper()
	const uri, mime = "ui://board/main.html", "text/html;profile=mcp-app"
	server := mcp.NewServer(&mcp.Implementation{Name: "board", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "board", InputSchema: map[string]any{"type": "object"}, Meta: mcp.Meta{"ui": map[string]any{"resourceUri": uri}}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "drawn"}}}, nil
		})
	server.AddResource(&mcp.Resource{Name: "board", URI: uri, MIMEType: mime}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: mime, Text: board}}}, nil
	})
	at := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(func() {
		for session := range server.Sessions() { // a gateway keeps them
			_ = session.Close()
		}
		at.CloseClientConnections()
		at.Close()
	})
	return at.URL
}
