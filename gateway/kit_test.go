package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/internal/crew"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
)

const (
	legacy = "2025-11-25"
	modern = "2026-07-28"
)

type nothing struct{}

// shop is a server that is not ours: it counts what it did.
type shop struct {
	*mcp.Server
	done    atomic.Int64 // calls carried out to their end
	visits  atomic.Int64
	url     string
	handler http.Handler
	life    crew.Life // of questions: the SDK waits for them
}

func said(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

// newShop serves a shop over HTTP to one era.
func newShop(t *testing.T, era string) *shop {
	s := &shop{Server: mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, nil), life: crew.Begin(context.Background())}
	s.addTools()
	handler := http.Handler(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.Server }, &mcp.StreamableHTTPOptions{Stateless: era == modern}))
	s.url, s.handler = serve(t, handler), handler
	t.Cleanup(func() {
		s.life.End()
		for session := range s.Sessions() {
			_ = session.Close()
		}
	})
	return s
}

func serve(t testing.TB, handler http.Handler) string {
	web := httptest.NewServer(handler)
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return web.URL
}

// wireMessage is a message of the gateway's, as a server gets it.
type wireMessage struct {
	ID     json.RawMessage
	Method string
	Params map[string]json.RawMessage
}

// scripted is a server that answers methods with these results, by hand: the SDK
// would not write some of them.
func scripted(t testing.TB, results map[string]string) string {
	return scriptedBy(t, func(m wireMessage) string { return results[m.Method] })
}

// scriptedBy is a server whose results depend on the whole message. An empty one
// means that there is no such method.
func scriptedBy(t testing.TB, result func(wireMessage) string) string {
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m wireMessage
		_ = json.NewDecoder(r.Body).Decode(&m)
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
			return
		}
		if text := result(m); text != "" {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, text)
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
	}))
}

// sendRaw sends a message of Alice's as it is, with these further headers.
func sendRaw(t testing.TB, url, message string, headers ...string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	headers = append([]string{"Authorization", "Bearer token-of-alice", "Content-Type", "application/json", "Accept", "application/json, text/event-stream"}, headers...)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(raw)
}

var sizeForm = json.RawMessage(`{"type":"object","properties":{"size":{"type":"string"},"amount":{"type":"integer"}},"required":["size"]}`)

func (s *shop) addTools() {
	yes := true
	mcp.AddTool(s.Server, &mcp.Tool{Name: "echo", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, func(_ context.Context, r *mcp.CallToolRequest, in struct {
		Text string `json:"text"`
	}) (*mcp.CallToolResult, any, error) {
		s.done.Add(1)
		return said("%s", in.Text), nil, nil
	})
	s.AddTool(&mcp.Tool{Name: "order", InputSchema: json.RawMessage(`{"type":"object"}`)}, s.ask("Which size?"))
	s.AddTool(&mcp.Tool{Name: "reorder", InputSchema: json.RawMessage(`{"type":"object"}`), Annotations: &mcp.ToolAnnotations{IdempotentHint: yes}}, s.ask("Which size?"))
	s.AddTool(&mcp.Tool{Name: "twice", InputSchema: json.RawMessage(`{"type":"object"}`)}, s.ask("First?", "Second?"))
	s.AddTool(&mcp.Tool{Name: "look", InputSchema: json.RawMessage(`{"type":"object"}`)}, s.ask("https://shop.example/look"))
	s.AddTool(&mcp.Tool{Name: "buy", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.done.Add(1)
		return said("bought %s", r.Params.Arguments), nil
	})
	mcp.AddTool(s.Server, &mcp.Tool{Name: "visit"}, func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
		if s.visits.Add(1) <= 2 {
			return nil, nil, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{{Mode: "url", Message: "Log in", URL: "https://shop.example/login", ElicitationID: "e1"}})
		}
		s.done.Add(1)
		return said("welcome"), nil, nil
	})
	s.AddPrompt(&mcp.Prompt{Name: "greet", Arguments: []*mcp.PromptArgument{{Name: "who"}}}, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "Greet " + r.Params.Arguments["who"]}}}}, nil
	})
	s.AddResource(&mcp.Resource{Name: "menu", URI: "shop://menu"}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: "tea"}}}, nil
	})
}

// ask is a tool that asks one question after the other, in the way of the
// client's era, and then does its work.
func (s *shop) ask(questions ...string) mcp.ToolHandler {
	params := func(i int) *mcp.ElicitParams {
		if strings.HasPrefix(questions[i], "https://") {
			return &mcp.ElicitParams{Mode: "url", Message: "Look here", URL: questions[i]}
		}
		return &mcp.ElicitParams{Message: questions[i], RequestedSchema: sizeForm}
	}
	finish := func(answers []string) *mcp.CallToolResult {
		s.done.Add(1)
		return said("%s", strings.Join(answers, "; "))
	}
	show := func(r *mcp.ElicitResult) string {
		content, _ := json.Marshal(r.Content)
		return r.Action + " " + string(content)
	}
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var answers []string
		if r.ProtocolVersion() >= modern {
			if r.Params.RequestState != "" {
				_ = json.Unmarshal([]byte(r.Params.RequestState), &answers)
				given, ok := r.Params.InputResponses["q"].(*mcp.ElicitResult)
				if !ok {
					return nil, errors.New("no answer")
				}
				answers = append(answers, show(given))
			}
			if len(answers) == len(questions) {
				return finish(answers), nil
			}
			state, _ := json.Marshal(answers)
			if answers == nil {
				state = []byte("[]")
			}
			return &mcp.CallToolResult{RequestState: string(state), InputRequests: mcp.InputRequestMap{"q": params(len(answers))}}, nil
		}
		for i := range questions {
			p := params(i)
			if p.Mode == "url" {
				p.ElicitationID = fmt.Sprint("x", i)
			}
			ctx, stop := context.WithCancel(ctx)
			context.AfterFunc(s.life.Context(), stop)
			given, err := r.Session.Elicit(ctx, p)
			stop()
			if err != nil {
				return nil, err
			}
			answers = append(answers, show(given))
		}
		return finish(answers), nil
	}
}

// catalogue is a fixed list of servers.
type catalogue []gateway.Server

func (c catalogue) Servers(context.Context, string) ([]gateway.Server, error) { return c, nil }

// tokens are people by what they send.
func tokens(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	user, ok := strings.CutPrefix(token, "token-of-")
	if !ok {
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{UserID: user, Expiration: time.Now().Add(time.Hour), Scopes: []string{"mcp"}}, nil
}

// house is a gateway with what it needs.
type house struct {
	*gateway.Gateway
	hub     *parley.Hub
	store   *parley.MemoryStore
	permits *permit.Permits
	url     string
	posts   atomic.Int32 // that are not over
	calls   *mcptool.Calls
}

func newKeys(t testing.TB) *seal.Keyring {
	keys, err := seal.New([]byte("a secret of the tests that is long enough"))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// newHouse serves a gateway over the shop. change may change its options.
func newHouse(t *testing.T, servers catalogue, change func(*gateway.Options)) *house {
	return newNode(t, parley.NewMemoryStore(), servers, nil, change)
}

func newNode(t *testing.T, store *parley.MemoryStore, servers catalogue, approvals *permit.Options, change func(*gateway.Options)) *house {
	t.Helper()
	h := newNodeOn(t, store, servers, approvals, change)
	h.store = store
	return h
}

// everything is a store of questions and of records.
type everything interface {
	parley.Store
	parley.Records
}

func newNodeOn(t testing.TB, store everything, servers catalogue, approvals *permit.Options, change func(*gateway.Options)) *house {
	t.Helper()
	h := &house{calls: mcptool.NewCalls(&mcptool.CallsOptions{PerPerson: mostCalls})}
	h.hub = parley.New(store, &parley.Options{
		Hooks: []parley.Hook{
			permit.Guard(), gateway.Guard(func() *gateway.Gateway { return h.Gateway }),
			parley.After(parley.OpeningStore, func(ctx context.Context, o *parley.Opening) error { return h.permits.Opened(ctx, o) }),
			parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return h.permits.Settled(ctx, a) }),
		},
		Limits: parley.Limits{CallBytes: 256 << 10},
	})
	var err error
	if h.permits, err = permit.New(h.hub, store, newKeys(t), approvals); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	for _, at := range []string{"/", gateway.ServerPath} {
		mux.HandleFunc(at, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				h.posts.Add(1)
				defer h.posts.Add(-1)
			}
			h.ServeHTTP(w, r)
		})
	}
	web := httptest.NewUnstartedServer(mux)
	h.url = "http://" + web.Listener.Addr().String()
	opts := gateway.Options{
		Catalogue: servers, Permits: h.permits, Keys: newKeys(t), Secrets: []string{"0123456789abcdef0123456789abcdef"},
		Verify: tokens, PublicURL: "https://parley.example", URL: h.url, Logger: slog.New(slog.DiscardHandler),
		ListTimeout: time.Minute,  // machines are slow
		Fallback:    mcptool.Deny, // lists show what the servers offer, and nothing to wait with
		Calls:       h.calls,
	}
	if change != nil {
		change(&opts)
	}
	if h.Gateway, err = gateway.New(h.hub, &opts); err != nil {
		t.Fatal(err)
	}
	web.Start()
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = h.hub.Run(ctx) })
	running.Go(func() { _ = h.Run(ctx) })
	for range 1000 { // others take a node that nobody knows yet for one that has died
		if h.Ready() {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Cleanup(func() {
		stop()
		web.CloseClientConnections()
		web.Close()
		if err := h.Close(); err != nil {
			t.Log("closing:", err)
		}
		running.Wait()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return h
}

// mostCalls is how many calls a person may have in progress at a house.
const mostCalls = 512

// busy reports whether the node works on a call of theirs, with or without its client.
func (h *house) busy(who parley.Principal) bool {
	end, err := h.calls.Begin(who, (mostCalls-1)*64<<10) // it counts as all that they may have
	if err == nil {
		end()
	}
	return err != nil
}

// at is the endpoint of one server.
func (h *house) at(server string) string { return h.url + "/mcp/servers/" + url.PathEscape(server) }

// visitor is a client of the gateway's, with its person.
type visitor struct {
	*mcp.ClientSession
	mu    sync.Mutex
	asked []string
}

func (v *visitor) questions() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]string(nil), v.asked...)
}

// bearer sends a token with each request.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

// visit connects a client of an era. answer is what its person says; nil: it
// cannot ask.
func visit(t *testing.T, url, user, era string, answer func(*mcp.ElicitParams) *mcp.ElicitResult) *visitor {
	t.Helper()
	return visitAble(t, url, user, era, answer, nil)
}

// visitAble is visit for a client with these extensions.
func visitAble(t *testing.T, url, user, era string, answer func(*mcp.ElicitParams) *mcp.ElicitResult, extensions map[string]any) *visitor {
	t.Helper()
	v := &visitor{}
	opts := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{Extensions: extensions}}
	if answer != nil {
		opts.Capabilities.Elicitation = &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}
		opts.ElicitationHandler = func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			v.mu.Lock()
			v.asked = append(v.asked, strings.TrimSpace(r.Params.Message+" "+r.Params.URL))
			v.mu.Unlock()
			return answer(r.Params), nil
		}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "visitor", Version: "1"}, opts)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer{"token-of-" + user}}}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	v.ClientSession = session
	t.Cleanup(func() { _ = session.Close() })
	return v
}

func (v *visitor) call(t *testing.T, name string, arguments any) (string, error) {
	t.Helper()
	result, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return "", err
	}
	var texts []string
	if result.IsError {
		texts = append(texts, "ERROR")
	}
	for _, c := range result.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	return strings.Join(texts, " "), nil
}

// agreeing fills in every form and goes everywhere.
func agreeing(p *mcp.ElicitParams) *mcp.ElicitResult {
	if p.Mode == "url" {
		return &mcp.ElicitResult{Action: "accept"}
	}
	if strings.Contains(p.Message, "Allow this call?") {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "allow_once"}}
	}
	return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"size": "L", "amount": 2}}
}

func refusing(action string) func(*mcp.ElicitParams) *mcp.ElicitResult {
	return func(*mcp.ElicitParams) *mcp.ElicitResult { return &mcp.ElicitResult{Action: action} }
}

// codeOf is the code of a protocol's error.
func codeOf(err error) int64 {
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		return wire.Code
	}
	return 0
}
