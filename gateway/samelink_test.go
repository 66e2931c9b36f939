package gateway_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// doorkeeper is a server that lets each session in after its person has been at a
// page.
func doorkeeper(t *testing.T) string {
	_, url := newDoorkeeper(t)
	return url
}

func newDoorkeeper(t *testing.T) (server *mcp.Server, url string) {
	sent := sync.Map{}
	server = mcp.NewServer(&mcp.Implementation{Name: "door", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "enter", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if _, been := sent.LoadOrStore(r.Session.ID(), true); !been {
			return nil, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{{Mode: "url", Message: "Ring", URL: "https://door.example/bell", ElicitationID: r.Session.ID()}})
		}
		return said("welcome"), nil
	})
	t.Cleanup(func() {
		for session := range server.Sessions() {
			_ = session.Close()
		}
	})
	return server, serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
}

func TestAnAnonymousCallerIsSentToAPageOnce(t *testing.T) {
	for _, expose := range []gateway.Expose{gateway.Tools, gateway.Execute} { // by the shortcut, and without it
		h := newHouse(t, catalogue{{Name: "door", URL: doorkeeper(t), Approve: permit.Never}}, func(o *gateway.Options) { o.Anonymous, o.Expose = true, expose })
		awaitUp(t, h, "door")
		var pages []string
		client := mcp.NewClient(&mcp.Implementation{Name: "somebody", Version: "1"}, &mcp.ClientOptions{
			Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}},
			ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				pages = append(pages, r.Params.URL)
				return &mcp.ElicitResult{Action: "accept"}, nil
			},
		})
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: h.url}, &mcp.ClientSessionOptions{ProtocolVersion: modern})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = session.Close() })
		params := &mcp.CallToolParams{Name: "door__enter"}
		if expose == gateway.Execute {
			params = &mcp.CallToolParams{Name: "execute_tool", Arguments: map[string]any{"name": "door__enter"}}
		}
		result, err := session.CallTool(t.Context(), params)
		if err != nil || result.IsError {
			t.Fatalf("%s: %+v, %v", expose, result, err)
		}
		if !slices.Equal(pages, []string{"https://door.example/bell"}) {
			t.Errorf("%s: sent to %q", expose, pages)
		}
	}
}
