package mcptool_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// eras are the protocol versions that the Go client speaks.
var eras = []string{"2025-06-18", "2025-11-25", "2026-07-28"}

const modern = "2026-07-28"

// site is an MCP server on HTTP whose tools ask.
type site struct {
	asker  *mcptool.Asker
	hub    *parley.Hub
	store  *parley.MemoryStore
	server *mcp.Server
	http   *httptest.Server
}

func newAsker(t testing.TB, hub *parley.Hub, opts *mcptool.Options) *mcptool.Asker {
	t.Helper()
	asker, err := mcptool.New(hub, opts)
	if err != nil {
		t.Fatal(err)
	}
	return asker
}

// newSite starts a server. Requests with "Authorization: Bearer NAME" are NAME's.
func newSite(t *testing.T, opts mcptool.Options) *site {
	t.Helper()
	store := parley.NewMemoryStore()
	return newSiteOn(t, store, opts)
}

func newSiteOn(t *testing.T, store *parley.MemoryStore, opts mcptool.Options) *site {
	t.Helper()
	return newSiteWith(t, store, opts, nil)
}

func newSiteWith(t *testing.T, store *parley.MemoryStore, opts mcptool.Options, handling *mcphttp.Options) *site {
	t.Helper()
	s := newSiteOver(t, store, opts, handling)
	s.store = store
	return s
}

// newSiteOver starts a server on any store.
func newSiteOver(t *testing.T, store parley.Store, opts mcptool.Options, handling *mcphttp.Options) *site {
	t.Helper()
	opts.Logger = quiet
	s := &site{hub: parley.New(store, &parley.Options{Logger: quiet})}
	s.asker = newAsker(t, s.hub, &opts)
	s.server = mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Logger: quiet})
	handler := mcphttp.New(s.asker, s.server, handling)
	verify := auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)(handler)
	s.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			verify.ServeHTTP(w, r)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { _ = s.hub.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		wg.Wait()
		s.http.CloseClientConnections()
		s.http.Close()
		for session := range s.server.Sessions() {
			session.Close() // of clients that left without a word
		}
	})
	return s
}

// person answers questions that a client shows.
type person func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error)

// clientOptions configures connect.
type clientOptions struct {
	era    string
	user   string // of the bearer token; empty for none
	person person // nil: the client cannot ask
	manual bool   // input_required results come back as they are
	forms  bool   // the client can show forms only
	apps   any    // what it declares of io.modelcontextprotocol/ui, if anything

	wire func(http.RoundTripper) http.RoundTripper // what is in between
}

type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.next.RoundTrip(r)
}

func (s *site) connect(t *testing.T, o clientOptions) *mcp.ClientSession {
	t.Helper()
	opts := &mcp.ClientOptions{Logger: quiet, MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: o.manual}}
	if o.person != nil {
		opts.ElicitationHandler = func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return o.person(ctx, req.Params)
		}
		opts.Capabilities = &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{
			Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{},
		}}
		if o.forms {
			opts.Capabilities.Elicitation.URL = nil
		}
	}
	if o.apps != nil {
		if opts.Capabilities == nil {
			opts.Capabilities = &mcp.ClientCapabilities{}
		}
		opts.Capabilities.Extensions = map[string]any{"io.modelcontextprotocol/ui": o.apps}
	}
	base := &http.Transport{}
	t.Cleanup(base.CloseIdleConnections)
	var transport http.RoundTripper = base
	if o.wire != nil {
		transport = o.wire(base)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, opts)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: s.http.URL, HTTPClient: &http.Client{Transport: bearer{o.user, transport}}, MaxRetries: -1,
	}, &mcp.ClientSessionOptions{ProtocolVersion: o.era})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func call(t *testing.T, c *mcp.ClientSession, name string, arguments any) *mcp.CallToolResult {
	t.Helper()
	result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return result
}

// structured decodes the structured content of a result. Older clients get what is
// no object as a member of one.
func structured[T any](t *testing.T, r *mcp.CallToolResult) T {
	t.Helper()
	var v T
	if r.IsError {
		t.Fatalf("error result: %s", text(r))
	}
	raw, err := json.Marshal(r.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, &v)
	}
	var member struct{ Result *T }
	if err != nil && json.Unmarshal(raw, &member) == nil && member.Result != nil {
		return *member.Result
	}
	if err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return v
}

func text(r *mcp.CallToolResult) string {
	for _, c := range r.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			return c.Text
		}
	}
	return ""
}

// accept answers every question with the same content.
func accept(content map[string]any) person {
	return func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: "accept", Content: content}, nil
	}
}

func say(action string) person {
	return func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: action}, nil
	}
}
