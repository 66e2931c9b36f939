package serve_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/internal/demoprovider"
)

// ticketServer is an MCP server that takes a person's own token and counts:
// requests with one, requests without, and calls.
type ticketServer struct {
	url string

	mu      sync.Mutex
	good    int // requests with a token that the provider knows
	refused int // requests with another one
	bare    int // requests without a credential
	calls   map[string]int
	held    chan struct{} // not nil: the next call says that it began by closing it, and stays until release
	release chan struct{}
}

// newTicketServer starts the server and its provider. When the test ends it must
// not have seen one request without a credential.
func newTicketServer(t *testing.T, callback string) *ticketServer {
	t.Helper()
	mux := http.NewServeMux()
	web := httptest.NewServer(mux)
	ts := &ticketServer{url: web.URL, calls: map[string]int{}, release: make(chan struct{})}
	t.Cleanup(func() {
		ts.check(t)
		close(ts.release)
		web.CloseClientConnections()
		web.Close()
	})
	provider, err := demoprovider.New(&demoprovider.Options{
		Issuer:  web.URL + "/acme",
		Clients: []demoprovider.Client{{ID: "parley", Secret: "a-client-secret", RedirectURIs: []string{callback}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range provider.Paths() {
		mux.Handle(path, provider)
	}
	mux.Handle("/mcp", ts.door(provider))
	return ts
}

// door lets requests with a person's token in, and counts all.
func (ts *ticketServer) door(provider *demoprovider.Provider) http.Handler {
	verify := func(ctx context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		info, err := provider.Introspect(ctx, token)
		ts.mu.Lock()
		defer ts.mu.Unlock()
		if err != nil || !info.Active {
			ts.refused++
			return nil, auth.ErrInvalidToken
		}
		ts.good++
		return &auth.TokenInfo{UserID: info.User, Expiration: info.Expires}, nil
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "tracker", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{
		Name: "list_tickets", Description: "Lists the user's tickets.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, ts.tool("list_tickets", "Ticket 7: the coffee machine"))
	mcp.AddTool(s, &mcp.Tool{Name: "close_ticket", Description: "Closes one ticket."}, ts.tool("close_ticket", "The ticket is closed."))
	inside := auth.RequireBearerToken(verify, nil)(mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" {
			ts.mu.Lock()
			ts.bare++
			ts.mu.Unlock()
		}
		inside.ServeHTTP(w, r)
	})
}

// tool returns a tool that says the same each time, and whose it is.
func (ts *ticketServer) tool(name, says string) mcp.ToolHandlerFor[struct{}, any] {
	return func(_ context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		ts.mu.Lock()
		ts.calls[name]++
		held := ts.held
		ts.held = nil
		ts.mu.Unlock()
		if held != nil {
			close(held)
			<-ts.release
		}
		text := says + " (of " + r.Extra.TokenInfo.UserID + ")"
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	}
}

// hold makes the next call stay for as long as the test runs. The channel is
// closed when the call has begun.
func (ts *ticketServer) hold() <-chan struct{} {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.held = make(chan struct{})
	return ts.held
}

// called checks which tools were called, and how often, since the last time.
func (ts *ticketServer) called(t *testing.T, want map[string]int) {
	t.Helper()
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if diff := cmp.Diff(want, ts.calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	clear(ts.calls)
}

// check checks that there was no request without a good credential, and then,
// with one, that it would have been counted.
func (ts *ticketServer) check(t *testing.T) {
	t.Helper()
	ts.mu.Lock()
	if ts.bare != 0 || ts.refused != 0 || ts.good == 0 {
		t.Errorf("the server saw %d requests without a credential, %d with a bad one and %d with a good one; want 0, 0 and some",
			ts.bare, ts.refused, ts.good)
	}
	t.Logf("the server saw %d requests, %d of them without a credential", ts.good+ts.refused+ts.bare, ts.bare)
	before := ts.bare
	ts.mu.Unlock()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Post(ts.url+"/mcp", "application/json", http.NoBody)
	if err != nil {
		t.Error(err)
		return
	}
	answer.Body.Close()
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.bare != before+1 || answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("a request without a credential: %s, and %d were counted; want 401 and one more than %d", answer.Status, ts.bare, before)
	}
}
