package gateway_test

//lint:file-ignore SA1019 clients and servers still have roots, sampling and logging, which 2026-07-28 deprecates

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// borrower is a server that works with what its client lends: it asks for the
// roots and for a text, in the way of its era, and says what it got.
func borrower(t *testing.T, era string) (gateway.Server, <-chan string) {
	heard := make(chan string, 10)
	server := mcp.NewServer(&mcp.Implementation{Name: "borrower", Version: "1"}, &mcp.ServerOptions{
		RootsListChangedHandler: func(_ context.Context, r *mcp.RootsListChangedRequest) { heard <- "roots changed" },
	})
	show := func(roots *mcp.ListRootsResult, text *mcp.CreateMessageWithToolsResult) *mcp.CallToolResult {
		return said("%s: %s", roots.Roots[0].URI, text.Content[0].(*mcp.TextContent).Text)
	}
	ask := &mcp.CreateMessageParams{MaxTokens: 10, SystemPrompt: "rhyme", Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "moon"}}}}
	server.AddTool(&mcp.Tool{Name: "borrow", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.ProtocolVersion() < modern {
			roots, err := r.Session.ListRoots(ctx, nil)
			if err != nil {
				return nil, err
			}
			text, err := r.Session.CreateMessage(ctx, ask)
			if err != nil {
				return nil, err
			}
			return show(roots, &mcp.CreateMessageWithToolsResult{Content: []mcp.Content{text.Content}}), nil
		}
		roots, _ := r.Params.InputResponses["roots"].(*mcp.ListRootsResult)
		text, _ := r.Params.InputResponses["text"].(*mcp.CreateMessageWithToolsResult)
		if roots == nil || text == nil {
			return &mcp.CallToolResult{RequestState: "1", InputRequests: mcp.InputRequestMap{"roots": &mcp.ListRootsParams{}, "text": ask}}, nil
		}
		return show(roots, text), nil
	})
	url := serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: era == modern}))
	t.Cleanup(func() {
		for session := range server.Sessions() {
			_ = session.Close()
		}
	})
	return gateway.Server{Name: "borrower", URL: url, Approve: permit.Never}, heard
}

// lender is a client that has a folder, and a model that says what rhyme does.
func lender(t *testing.T, url, era string, rhyme func(string) (string, error)) (*mcp.Client, *mcp.ClientSession) {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "lender", Version: "1"}, &mcp.ClientOptions{
		CreateMessageHandler: func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			text, err := rhyme(r.Params.SystemPrompt + " " + r.Params.Messages[0].Content.(*mcp.TextContent).Text)
			return &mcp.CreateMessageResult{Model: "m", Role: "assistant", Content: &mcp.TextContent{Text: text}}, err
		},
	})
	client.AddRoots(&mcp.Root{URI: "file:///home/alice", Name: "home"})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer{"token-of-alice"}}}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return client, session
}

func textOf(t *testing.T, v *mcp.ClientSession, tool string) string {
	t.Helper()
	result, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
	if err != nil {
		return "error: " + err.Error()
	}
	return result.Content[0].(*mcp.TextContent).Text
}

func TestAServerIsLentTheClientsRootsAndModel(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		t.Run("server "+era, func(t *testing.T) {
			s, _ := borrower(t, era)
			h := newHouse(t, catalogue{s}, nil)
			var asked []string
			_, v := lender(t, h.url, legacy, func(of string) (string, error) {
				asked = append(asked, of)
				return "June", nil
			})
			if got := textOf(t, v, "borrower__borrow"); got != "file:///home/alice: June" {
				t.Errorf("the server got %s", got)
			}
			if !slices.Equal(asked, []string{"rhyme moon"}) {
				t.Errorf("the model was asked %q", asked)
			}
		})
	}
}

func TestAModelThatRefusesIsTheServersToHearOf(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		s, _ := borrower(t, era)
		h := newHouse(t, catalogue{s}, nil)
		_, v := lender(t, h.url, legacy, func(string) (string, error) {
			return "", &jsonrpc.Error{Code: -1, Message: "the user said no"}
		})
		if got := textOf(t, v, "borrower__borrow"); !strings.Contains(got, "the user said no") {
			t.Errorf("%s: %s", era, got)
		}
	}
}

func TestWhatAClientDoesNotLendIsNotAskedFor(t *testing.T) {
	for _, server := range []string{legacy, modern} {
		for _, era := range []string{legacy, modern} {
			s, _ := borrower(t, server)
			h := newHouse(t, catalogue{s}, nil)
			text, err := visit(t, h.url, "alice", era, nil).call(t, "borrower__borrow", nil)
			// What an older server makes of its -32601 is its own affair.
			if err == nil && !strings.Contains(text, `does not offer (\"roots/list\")`) && !strings.Contains(text, `does not offer ("roots/list")`) {
				t.Errorf("client %s, server %s: %q, %v", era, server, text, err)
			}
		}
	}
}

func TestAServerHearsThatTheClientsRootsHaveChanged(t *testing.T) {
	s, heard := borrower(t, legacy)
	h := newHouse(t, catalogue{s}, nil)
	client, v := lender(t, h.url, legacy, func(string) (string, error) { return "June", nil })
	if got := textOf(t, v, "borrower__borrow"); got != "file:///home/alice: June" {
		t.Fatal(got)
	}
	client.RemoveRoots("file:///home/alice")
	client.AddRoots(&mcp.Root{URI: "file:///home/bob", Name: "home"})
	next(t, heard, 1)
	if got := textOf(t, v, "borrower__borrow"); got != "file:///home/bob: June" {
		t.Errorf("the server got %s", got)
	}
}

// A server may offer a tool only to clients that lend it what the tool needs.
func TestAToolForClientsThatLendIsListedToThemAlone(t *testing.T) {
	url := serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server {
		server := mcp.NewServer(&mcp.Implementation{Name: "shy", Version: "1"}, &mcp.ServerOptions{
			HasTools: true,
		})
		server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if session, ok := req.GetSession().(*mcp.ServerSession); ok && method == "tools/list" && session.InitializeParams().Capabilities.Sampling != nil {
					return &mcp.ListToolsResult{Tools: []*mcp.Tool{{Name: "rhyme", InputSchema: json.RawMessage(`{"type":"object"}`)}}}, nil
				}
				return next(ctx, method, req)
			}
		})
		t.Cleanup(func() {
			for session := range server.Sessions() {
				_ = session.Close()
			}
		})
		return server
	}, nil))
	h := newHouse(t, catalogue{{Name: "shy", URL: url}}, nil)
	_, v := lender(t, h.url, legacy, nil)
	if got := listsOf(t, v); !slices.Equal(got, []string{"shy__rhyme"}) {
		t.Errorf("who lends sees %q", got)
	}
	if got := listsOf(t, visit(t, h.url, "alice", legacy, nil).ClientSession); len(got) != 0 {
		t.Errorf("who does not sees %q", got)
	}
	// One of 2026-07-28 has no stream to be asked on, whatever it says that it can do.
	_, later := lender(t, h.url, modern, nil)
	if got := listsOf(t, later); len(got) != 0 {
		t.Errorf("a client of 2026-07-28 sees %q", got)
	}
}
