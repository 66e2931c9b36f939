package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/internal/demoprovider"
)

// wareServer is MCP servers behind a gateway that write down everything that
// they are sent, and what they carried out:
//
//	/legacy/mcp  up to 2025-11-25; its questions wait on the open call
//	/modern/mcp  2026-07-28
//	/mine/mcp    both, and everybody needs a token of the provider at /acme
type wareServer struct {
	url      string
	provider *demoprovider.Provider
	servers  []*mcp.Server

	mu       sync.Mutex
	seen     []string       // every request, whole
	bearers  map[string]int // tokens that came to /mine
	refused  int            // requests to /mine with a token that is not good
	closed   bool           // /mine takes no token at all
	began    map[string]int // by tool
	done     map[string]int
	released chan struct{} // ends questions that wait
}

func newWareServer(t *testing.T, callback string) *wareServer {
	t.Helper()
	mux := http.NewServeMux()
	ws := &wareServer{bearers: map[string]int{}, began: map[string]int{}, done: map[string]int{}, released: make(chan struct{})}
	web := httptest.NewServer(ws.recorded(mux))
	ws.url = web.URL
	t.Cleanup(func() {
		close(ws.released)
		for _, s := range ws.servers {
			for session := range s.Sessions() {
				_ = session.Close() // of nodes that were killed
			}
		}
		web.CloseClientConnections()
		web.Close()
	})
	var err error
	ws.provider, err = demoprovider.New(&demoprovider.Options{
		Issuer:  web.URL + "/acme",
		Clients: []demoprovider.Client{{ID: "parley", Secret: "a-client-secret", RedirectURIs: []string{callback}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range ws.provider.Paths() {
		mux.Handle(path, ws.provider)
	}
	stateless := &mcp.StreamableHTTPOptions{Stateless: true}
	serve := func(path string, opts *mcp.StreamableHTTPOptions, versions ...string) {
		s := ws.server(versions...)
		mux.Handle("/"+path+"/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, opts))
	}
	serve("legacy", nil, "2025-11-25", "2025-06-18")
	serve("modern", stateless, "2026-07-28")
	mine := ws.server()
	mux.Handle("/mine/mcp", auth.RequireBearerToken(ws.verify, nil)(
		mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return mine }, stateless)))
	return ws
}

// recorded writes every request down.
func (ws *wareServer) recorded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // its client is gone
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		var whole strings.Builder
		fmt.Fprintf(&whole, "%s %s\n", r.Method, r.RequestURI)
		_ = r.Header.Write(&whole)
		whole.Write(body)
		ws.mu.Lock()
		ws.seen = append(ws.seen, whole.String())
		ws.mu.Unlock()
		next.ServeHTTP(w, r)
	})
}

// verify knows the tokens of the provider.
func (ws *wareServer) verify(ctx context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	info, err := ws.provider.Introspect(ctx, token)
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.bearers[token]++
	if err != nil || !info.Active || ws.closed {
		ws.refused++
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{UserID: info.User, Expiration: info.Expires}, nil
}

var anyObject = json.RawMessage(`{"type":"object"}`)

func (ws *wareServer) server(versions ...string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "wares", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: versions})
	ws.servers = append(ws.servers, s)
	s.AddTool(&mcp.Tool{Name: "look", InputSchema: anyObject, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, ws.tool("look"))
	s.AddTool(&mcp.Tool{Name: "buy", InputSchema: json.RawMessage(`{"type":"object","properties":{"amount":{"type":"integer"}},"required":["amount"]}`)}, ws.tool("buy"))
	s.AddTool(&mcp.Tool{Name: "order", InputSchema: anyObject}, ws.asking("order"))
	s.AddTool(&mcp.Tool{Name: "reorder", InputSchema: anyObject, Annotations: &mcp.ToolAnnotations{IdempotentHint: true}}, ws.asking("reorder"))
	return s
}

func (ws *wareServer) count(in map[string]int, tool string) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	in[tool]++
}

// tool says what it was called with, and by whom.
func (ws *wareServer) tool(name string) mcp.ToolHandler {
	return func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ws.count(ws.began, name)
		who := ""
		if r.Extra.TokenInfo != nil {
			who = " for " + r.Extra.TokenInfo.UserID
		}
		ws.count(ws.done, name)
		return wareText("%s%s: %s", name, who, r.Params.Arguments), nil
	}
}

func wareText(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

// asking asks for a size, in the way of the era.
func (ws *wareServer) asking(name string) mcp.ToolHandler {
	question := &mcp.ElicitParams{
		Message:         "Which size?",
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{"size":{"type":"string"}},"required":["size"]}`),
	}
	finish := func(given *mcp.ElicitResult) (*mcp.CallToolResult, error) {
		ws.count(ws.done, name)
		return wareText("%s: %s %v", name, given.Action, given.Content["size"]), nil
	}
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.ProtocolVersion() >= "2026-07-28" {
			if r.Params.RequestState == "" {
				ws.count(ws.began, name)
				return &mcp.CallToolResult{RequestState: "asked", InputRequests: mcp.InputRequestMap{"size": question}}, nil
			}
			given, ok := r.Params.InputResponses["size"].(*mcp.ElicitResult)
			if !ok {
				return nil, errors.New("no answer")
			}
			return finish(given)
		}
		ws.count(ws.began, name)
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		go func() {
			select {
			case <-ws.released:
				stop()
			case <-ctx.Done():
			}
		}()
		given, err := r.Session.Elicit(ctx, question)
		if err != nil {
			return nil, err
		}
		return finish(given)
	}
}

// carriedOut checks what was carried out since the last time.
func (ws *wareServer) carriedOut(t *testing.T, want map[string]int) {
	t.Helper()
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if diff := cmp.Diff(want, ws.done); diff != "" {
		t.Errorf("carried out (-want +got):\n%s", diff)
	}
	clear(ws.done)
}

// begun is how often a tool was called so far.
func (ws *wareServer) begun(tool string) int {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return ws.began[tool]
}

// sawNone checks that no request had one of the tokens in it, nor the part of
// one that nobody could guess, and that nobody's credential came to the servers
// that take none.
func (ws *wareServer) sawNone(t *testing.T, tokens []string) {
	t.Helper()
	for _, request := range ws.leaks(append(tokens, adminKey)) {
		t.Errorf("a client's credential came to a server:\n%s", request)
	}
}

func (ws *wareServer) leaks(tokens []string) (found []string) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for _, request := range ws.seen {
		line, _, _ := strings.Cut(request, "\n")
		open := strings.Contains(line, " /legacy/") || strings.Contains(line, " /modern/")
		if open && (strings.Contains(request, "\nAuthorization:") || strings.Contains(request, "\nCookie:")) || slices.ContainsFunc(tokens, func(token string) bool {
			return strings.Contains(request, token[strings.LastIndex(token, ".")+1:])
		}) {
			found = append(found, request)
		}
	}
	return found
}

// untouched checks that nobody has sent the personal server anything.
func (ws *wareServer) untouched(t *testing.T) {
	t.Helper()
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for _, request := range ws.seen {
		if strings.Contains(request[:strings.Index(request, "\n")], " /mine/") {
			t.Errorf("the server was bothered:\n%s", request)
		}
	}
}
