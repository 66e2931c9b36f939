package gateway_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// workshop is a server that offers to each session what that has made.
func workshop(t *testing.T) gateway.Server {
	url := serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server {
		server := mcp.NewServer(&mcp.Implementation{Name: "workshop", Version: "1"}, nil)
		server.AddResource(&mcp.Resource{Name: "plan", URI: "work:plan"}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: "plan"}}}, nil
		})
		server.AddTool(&mcp.Tool{Name: "make", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			server.AddResource(&mcp.Resource{Name: "chair", URI: "work:chair"}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: "a chair"}}}, nil
			})
			server.AddTool(&mcp.Tool{Name: "sit", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return said("comfortable"), nil
			})
			return said("made"), nil
		})
		t.Cleanup(func() {
			for session := range server.Sessions() {
				_ = session.Close()
			}
		})
		return server
	}, nil))
	return gateway.Server{Name: "workshop", URL: url, Approve: permit.Never}
}

func listsOf(t *testing.T, v *mcp.ClientSession) (names []string) {
	t.Helper()
	for r, err := range v.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, r.URI)
	}
	for tool, err := range v.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	return names
}

func TestWhatAServerOffersToASessionIsListedThereAndNowhereElse(t *testing.T) {
	h := newHouse(t, catalogue{workshop(t)}, nil)
	everybody := []string{"work:plan", "workshop__make"}
	mine := []string{"work:chair", "work:plan", "workshop__make", "workshop__sit"}
	changed := make(chan string, 100)
	client := mcp.NewClient(&mcp.Implementation{Name: "maker", Version: "1"}, &mcp.ClientOptions{
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { changed <- "resources" },
		ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) { changed <- "tools" },
	})
	awaitUp(t, h, "workshop")
	v, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: h.url, HTTPClient: &http.Client{Transport: bearer{"token-of-alice"}}}, &mcp.ClientSessionOptions{ProtocolVersion: legacy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	other := visit(t, h.url, "alice", legacy, nil)
	if got := listsOf(t, v); !slices.Equal(got, everybody) {
		t.Fatalf("at first %q", got)
	}
	if _, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: "workshop__make"}); err != nil {
		t.Fatal(err)
	}
	for !slices.Equal(listsOf(t, v), mine) {
		next(t, changed, 1) // told that there is more to see
	}
	read, err := v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "work:chair"})
	if err != nil || read.Contents[0].Text != "a chair" {
		t.Errorf("read %+v, %v", read, err)
	}
	sat, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: "workshop__sit"})
	if err != nil || sat.IsError || sat.Content[0].(*mcp.TextContent).Text != "comfortable" {
		t.Errorf("sat %+v, %v", sat, err)
	}
	for whose, s := range map[string]*mcp.ClientSession{"another session": other.ClientSession, "somebody else": visit(t, h.url, "bob", modern, nil).ClientSession} {
		if got := listsOf(t, s); !slices.Equal(got, everybody) {
			t.Errorf("%s sees %q", whose, got)
		}
	}
}

// A client of 2026-07-28 has no session here, but has one at an older server.
func TestAClientWithoutASessionHearsThatItIsOfferedMore(t *testing.T) {
	h := newHouse(t, catalogue{workshop(t)}, nil)
	awaitUp(t, h, "workshop")
	changed := make(chan struct{}, 100)
	client := mcp.NewClient(&mcp.Implementation{Name: "maker", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
	})
	v, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: h.url, HTTPClient: &http.Client{Transport: bearer{"token-of-alice"}}}, &mcp.ClientSessionOptions{ProtocolVersion: modern})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	if _, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: "workshop__make"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the client is told", func() bool { return len(changed) > 0 })
	eventually(t, "the client sees more", func() bool { return slices.Contains(listsOf(t, v), "workshop__sit") })
}
