package mcpbridge_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcpbridge"
)

var quiet = slog.New(slog.DiscardHandler)

const (
	legacy = "2025-11-25"
	modern = "2026-07-28"
)

// site is an MCP server of both eras. Its handler can be replaced, as by a
// restart.
type site struct {
	server *mcp.Server

	mu      sync.Mutex
	handler http.Handler
	seen    []*http.Request // without bodies

	listening chan struct{} // has an element for each stream for news that was opened
}

// flushWatcher tells when a response begins.
type flushWatcher struct {
	http.ResponseWriter
	begun func()
}

func (w *flushWatcher) Flush() {
	_ = http.NewResponseController(w.ResponseWriter).Flush()
	w.begun()
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{listening: make(chan struct{}, 100), server: mcp.NewServer(&mcp.Implementation{Name: "site", Version: "1"}, &mcp.ServerOptions{
		Logger: quiet, SubscribeHandler: func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})}
	s.restart()
	t.Cleanup(s.dropSessions)
	return s
}

func (s *site) dropSessions() {
	for session := range s.server.Sessions() {
		session.Close()
	}
}

// restart makes the server forget its sessions.
func (s *site) restart() {
	get := func(*http.Request) *mcp.Server { return s.server }
	stateful := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Logger: quiet})
	stateless := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		Logger: quiet, Stateless: true, PropagateRequestCancellation: true,
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= modern {
			stateless.ServeHTTP(w, r)
			return
		}
		stateful.ServeHTTP(w, r)
	})
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	h := s.handler
	s.seen = append(s.seen, r.Clone(context.Background()))
	s.mu.Unlock()
	if r.Method == http.MethodGet || r.Header.Get("Mcp-Method") == "subscriptions/listen" {
		w = &flushWatcher{w, sync.OnceFunc(func() { s.listening <- struct{}{} })}
	}
	h.ServeHTTP(w, r)
}

// requests returns the requests so far that were made with a method.
func (s *site) requests(method string) []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []*http.Request
	for _, r := range s.seen {
		if r.Method == method {
			found = append(found, r)
		}
	}
	return found
}

// begun returns the sessions that were used.
func (s *site) begun() map[string]bool {
	found := map[string]bool{}
	for _, r := range s.requests(http.MethodPost) {
		if id := r.Header.Get("Mcp-Session-Id"); id != "" {
			found[id] = true
		}
	}
	return found
}

// ways are the two ways to a server.
var ways = map[string]func(*testing.T, http.Handler) *mcpbridge.Options{
	"over HTTP":  overHTTP,
	"in process": inProcess,
}

func overHTTP(t *testing.T, h http.Handler) *mcpbridge.Options {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return &mcpbridge.Options{URL: server.URL + "/mcp", Logger: quiet}
}

func inProcess(_ *testing.T, h http.Handler) *mcpbridge.Options {
	return &mcpbridge.Options{
		URL: "http://parley.internal/mcp", Logger: quiet,
		Client: &http.Client{Transport: mcpbridge.HandlerTransport(h)},
	}
}

// everywhere runs a test over both ways.
func everywhere(t *testing.T, test func(t *testing.T, way func(*testing.T, http.Handler) *mcpbridge.Options)) {
	t.Helper()
	for name, way := range ways {
		t.Run(name, func(t *testing.T) { test(t, way) })
	}
}

// connect starts a bridge and a client of an era on its lines. When the client
// closes, the bridge must end without an error.
func connect(t *testing.T, opts *mcpbridge.Options, era string, client *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	if client == nil {
		client = &mcp.ClientOptions{}
	}
	client.Logger = quiet
	in, toBridge := io.Pipe()
	fromBridge, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- mcpbridge.Run(context.Background(), in, out, opts)
		out.Close()
	}()
	transport := &mcp.IOTransport{Reader: fromBridge, Writer: toBridge}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, client).
		Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	if got := session.InitializeResult().ProtocolVersion; got != era {
		t.Fatalf("the client speaks %s, want %s", got, era)
	}
	t.Cleanup(func() {
		session.Close()
		if err := <-ended; err != nil {
			t.Errorf("the bridge ended with %v", err)
		}
	})
	return session
}

// talk is a bridge with bare lines on both sides.
type talk struct {
	t     *testing.T
	in    *io.PipeWriter
	out   *bufio.Scanner
	ended chan error
}

func newTalk(t *testing.T, opts *mcpbridge.Options) *talk {
	t.Helper()
	in, toBridge := io.Pipe()
	fromBridge, out := io.Pipe()
	k := &talk{t: t, in: toBridge, out: bufio.NewScanner(fromBridge), ended: make(chan error, 1)}
	k.out.Buffer(nil, 1<<26)
	go func() {
		err := mcpbridge.Run(context.Background(), in, out, opts)
		out.Close()
		in.CloseWithError(io.ErrClosedPipe)
		k.ended <- err
	}()
	t.Cleanup(func() {
		toBridge.Close()
		for k.out.Scan() {
		}
	})
	return k
}

func (k *talk) say(line string) {
	k.t.Helper()
	if _, err := io.WriteString(k.in, line+"\n"); err != nil {
		k.t.Fatal(err)
	}
}

// answer is a line of the bridge.
type answer struct {
	ID     any             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (k *talk) hear() answer {
	k.t.Helper()
	if !k.out.Scan() {
		k.t.Fatalf("the bridge ended: %v", k.out.Err())
	}
	var a answer
	if err := json.Unmarshal(k.out.Bytes(), &a); err != nil {
		k.t.Fatalf("%v in %s", err, k.out.Text())
	}
	return a
}

// failure expects an error for an id and returns its text.
func (k *talk) failure(id any, code int) string {
	k.t.Helper()
	a := k.hear()
	if a.Error == nil || a.ID != id || a.Error.Code != code {
		k.t.Fatalf("got %s, want error %d for %v", k.out.Text(), code, id)
	}
	return a.Error.Message
}

// result expects the answer to a request.
func (k *talk) result(id any) json.RawMessage {
	k.t.Helper()
	a := k.hear()
	if a.Result == nil || a.ID != id {
		k.t.Fatalf("got %s, want the answer to %v", k.out.Text(), id)
	}
	return a.Result
}

const (
	initialize  = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// begin opens a session.
func (k *talk) begin() {
	k.t.Helper()
	k.say(initialize)
	k.result("i")
	k.say(initialized)
}

// end closes the input and returns what Run did.
func (k *talk) end() error {
	k.t.Helper()
	k.in.Close()
	for k.out.Scan() {
		k.t.Errorf("a line after the end: %s", k.out.Text())
	}
	return <-k.ended
}

func text(r *mcp.CallToolResult) string {
	for _, c := range r.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			return c.Text
		}
	}
	return ""
}

func say(what string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: what}}}
}

// addTool adds a tool without arguments that answers with text.
func (s *site) addTool(name string, do func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)) {
	s.server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, do)
}

func call(t *testing.T, c *mcp.ClientSession, name string) string {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if r.IsError {
		t.Fatalf("%s: %s", name, text(r))
	}
	return text(r)
}

var errWrite = errors.New("nobody reads")
