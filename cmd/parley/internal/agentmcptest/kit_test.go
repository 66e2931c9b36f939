package agentmcptest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agentmcp"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

const (
	legacy = "2025-11-25"
	modern = "2026-07-28"
)

var (
	quiet   = slog.New(slog.NewTextHandler(io.Discard, nil))
	secrets = []string{"a secret of thirty-two bytes or more"}
	alice   = parley.Principal{Tenant: "default", User: "alice", Method: "test"}
)

func inBothEras(t *testing.T, test func(t *testing.T, era string)) {
	for _, era := range []string{legacy, modern} {
		t.Run(era, func(t *testing.T) { test(t, era) })
	}
}

// script is a model that calls what each line of a message says, a tool and its
// arguments, all at once, and then repeats the results.
type script struct{}

func (script) Generate(_ context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	last := p.Messages[len(p.Messages)-1]
	var reply agent.Reply
	if last.Role == agent.FromTools {
		var all []string
		for _, r := range last.Results {
			all = append(all, r.Text)
		}
		reply.Text = strings.Join(all, " | ")
	} else {
		for i, line := range strings.Split(last.Text, "\n") {
			if tool, args, ok := strings.Cut(line, " {"); ok {
				reply.Calls = append(reply.Calls, agent.ToolCall{ID: fmt.Sprint("c", i), Tool: tool, Args: []byte("{" + args)})
			}
		}
		if reply.Calls == nil {
			reply.Text = "You said: " + last.Text
		}
	}
	if strings.Contains(last.Text, "fall over") {
		return reply, &agent.PublicError{Text: "The model fell over."}
	}
	emit(reply.Text)
	return reply, nil
}

// world are the MCP servers that agents use.
type world struct {
	heard  chan struct{} // a client has heard how far packing is
	store  string
	orders atomic.Int64
	yaml   string
}

type item struct {
	Item string `json:"item"`
}

type trip struct {
	To string `json:"to" form:"title=Where to,minLength=2"`
}

// asks adds a tool that asks with a form.
func asks(asker *mcptool.Asker, s *mcp.Server, name, message string) {
	mcptool.AddTool(asker, s, &mcp.Tool{Name: name, Description: name}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		answer, err := mcptool.Elicit[trip](ctx, call, message, nil)
		if err != nil {
			return "", err
		}
		return name + ": " + string(answer.Action) + " " + answer.Content.To, nil
	})
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{store: "sqlite:" + filepath.Join(t.TempDir(), "parley.db"), heard: make(chan struct{}, 1)}
	serve := func(h http.Handler) string {
		site := httptest.NewServer(h)
		t.Cleanup(func() {
			site.CloseClientConnections()
			site.Close()
		})
		return site.URL
	}
	newAsker := func(ttl time.Duration) *mcptool.Asker {
		asker, err := mcptool.New(parley.New(parley.NewMemoryStore(), nil), &mcptool.Options{Logger: quiet, TTL: ttl})
		if err != nil {
			t.Fatal(err)
		}
		return asker
	}
	plain := func(s *mcp.Server) http.Handler { return mcphttp.New(newAsker(0), s, nil) }
	impl := func(name string) *mcp.Server {
		return mcp.NewServer(&mcp.Implementation{Name: name, Version: "1"}, &mcp.ServerOptions{Logger: quiet})
	}
	shop := impl("shop")
	mcp.AddTool(shop, &mcp.Tool{Name: "order"}, func(_ context.Context, _ *mcp.CallToolRequest, in item) (*mcp.CallToolResult, any, error) {
		w.orders.Add(1)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ordered " + in.Item}}}, nil, nil
	})
	travel, library := impl("travel"), impl("library")
	asker := newAsker(10 * time.Minute)
	asks(asker, travel, "book", "Where would you like to go?")
	asks(asker, library, "look", "On which shelf?")
	mcptool.AddTool(asker, travel, &mcp.Tool{Name: "visit"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		answer, err := mcptool.ElicitURL(ctx, call, "See the map", "https://maps.example/", &mcptool.URLOptions{Consent: true})
		return "visit: " + string(answer.Action), err
	})
	mcp.AddTool(travel, &mcp.Tool{Name: "pack"}, func(ctx context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 3, Total: 10, Message: "packing"})
		select {
		case <-w.heard:
		case <-ctx.Done():
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "packed"}}}, nil, nil
	})
	tracker := impl("tracker")
	mcp.AddTool(tracker, &mcp.Tool{Name: "list_tickets", Description: "Lists the tickets.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "tickets of key " + r.Extra.Header.Get("X-API-Key")}}}, nil, nil
		})
	w.yaml = `dev: true
secrets: ["a secret of thirty-two bytes or more"]
models: {demo: {kind: demo}, script: {kind: demo}}
servers:
  shop: {url: "` + serve(plain(shop)) + `", approve: always}
  travel: {url: "` + serve(mcphttp.New(asker, travel, nil)) + `", approve: never}
  library: {url: "` + serve(mcphttp.New(asker, library, nil)) + `", approve: never}
  tracker: {url: "` + serve(plain(tracker)) + `", auth: {type: api_key, scope: user}}
agents:
  assistant: {model: script, description: Helps with everything., servers: [shop, travel], delegates: [researcher]}
  clerk: {model: demo, servers: [tracker]}
  researcher: {model: script, description: Looks things up., servers: [library, shop]}
`
	return w
}

// node is a process of a server whose agents are offered over MCP.
type node struct {
	*server.Server
	world *world
	url   string
	die   func() // for the other nodes; its clients do not notice
	stop  func()
}

func (w *world) node(t *testing.T, opts mcptool.Options) *node {
	t.Helper()
	site := httptest.NewUnstartedServer(nil)
	base := "http://" + site.Listener.Addr().String()
	cfg, err := config.Parse([]byte("listen: "+site.Listener.Addr().String()+"\nstore: "+w.store+"\npublic_url: "+base+"\n"+w.yaml), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(t.Context(), cfg, &server.Options{Logger: quiet, Models: map[string]agent.Model{"script": script{}}})
	if err != nil {
		t.Fatal(err)
	}
	opts.PageURL = func(id parley.ID) string { return base + "/answer/" + string(id) }
	opts.Fallback = cmp.Or(opts.Fallback, mcptool.Deny)
	opts.Secrets = secrets
	opts.URL = base + "/mcp/agents/assistant"
	agents, err := agentmcp.New(s.Agents, s.Hub, &agentmcp.Options{Principal: principal, PublicURL: base, Asker: opts, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp/agents/{agent}", agents)
	site.Config.Handler = mux
	site.Start()
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for _, run := range []func(context.Context) error{s.Hub.Run, s.Agents.Run, agents.Run} {
		all.Go(func() { _ = run(ctx) })
	}
	n := &node{Server: s, world: w, url: base}
	n.die = func() {
		cancel()
		all.Wait()
	}
	n.stop = sync.OnceFunc(func() {
		n.die()
		site.CloseClientConnections()
		site.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(n.stop)
	return n
}

// principal knows people by "Authorization: Bearer NAME" or "TENANT:NAME".
func principal(r *http.Request) (parley.Principal, error) {
	name, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return parley.Principal{}, chat.ErrUnauthenticated
	}
	if name == "a-service" {
		return parley.Principal{Tenant: "default", Method: "test"}, nil
	}
	if key, ok := strings.CutPrefix(name, "key-of-"); ok {
		return parley.Principal{Tenant: "default", Kind: parley.KindProgram, Key: key, Method: "api_key"}, nil
	}
	p := parley.Principal{Tenant: "default", User: name, Method: "test"}
	if tenant, user, ok := strings.Cut(name, ":"); ok {
		p.Tenant, p.User = tenant, user
	}
	return p, nil
}

// person answers what a client shows.
type person func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error)

type clientOptions struct {
	era    string
	user   string                       // default alice
	agent  string                       // default assistant
	person person                       // nil: the client cannot ask
	can    *mcp.ElicitationCapabilities // what it asks; default forms and URLs
	manual bool                         // input_required results come back as they are
	told   func(*mcp.ProgressNotificationParams)
}

type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}

func (n *node) connect(t *testing.T, o clientOptions) *mcp.ClientSession {
	t.Helper()
	opts := &mcp.ClientOptions{Logger: quiet, MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: o.manual}}
	if o.person != nil {
		opts.ElicitationHandler = func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return o.person(ctx, req.Params)
		}
		opts.Capabilities = &mcp.ClientCapabilities{Elicitation: cmp.Or(o.can, &mcp.ElicitationCapabilities{
			Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{},
		})}
	}
	if o.told != nil {
		opts.ProgressNotificationHandler = func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { o.told(req.Params) }
	}
	if o.user == "" {
		o.user = "alice"
	}
	if o.agent == "" {
		o.agent = "assistant"
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, opts).Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: n.url + "/mcp/agents/" + o.agent, HTTPClient: &http.Client{Transport: bearer{o.user, transport}}, MaxRetries: -1,
	}, &mcp.ClientSessionOptions{ProtocolVersion: o.era})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// say says something to an agent and returns what comes back.
func say(t *testing.T, c *mcp.ClientSession, message string) *mcp.CallToolResult {
	t.Helper()
	r, err := c.CallTool(t.Context(), saying(message))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func saying(message string) *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: "assistant", Arguments: map[string]any{"message": message}}
}

func text(r *mcp.CallToolResult) string {
	var all []string
	for _, c := range r.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			all = append(all, c.Text)
		}
	}
	return strings.Join(all, "\n")
}

func output(t *testing.T, r *mcp.CallToolResult) (o agentmcp.Output) {
	t.Helper()
	raw, err := json.Marshal(r.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, &o)
	}
	if err != nil || o.Conversation == "" {
		t.Fatalf("no output in %s: %v", raw, err)
	}
	return o
}

// shown is a client's screen: what it was asked, and the answer to all of it.
type shown struct {
	mu     sync.Mutex
	asked  []*mcp.ElicitParams
	answer func(*mcp.ElicitParams) *mcp.ElicitResult
}

func (s *shown) person(_ context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, p)
	return s.answer(p), nil
}

func (s *shown) all() []*mcp.ElicitParams {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*mcp.ElicitParams(nil), s.asked...)
}

func accepts(content map[string]any) func(*mcp.ElicitParams) *mcp.ElicitResult {
	return func(*mcp.ElicitParams) *mcp.ElicitResult {
		return &mcp.ElicitResult{Action: "accept", Content: content}
	}
}

// questions returns everything that alice was ever asked.
func (n *node) questions(t *testing.T) []parley.Request {
	t.Helper()
	all, err := n.Hub.List(t.Context(), alice, parley.Query{})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// open waits until alice has so many open questions, and returns them.
func (n *node) open(t *testing.T, count int) (open []parley.Request) {
	t.Helper()
	soon(t, fmt.Sprint(count, " open questions"), func() bool {
		var err error
		open, err = n.Hub.List(t.Context(), alice, parley.Query{Pending: true})
		return err == nil && len(open) == count
	})
	return open
}

func soon(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

// waiting waits until the run that asked a question has nothing else to do.
func (n *node) waiting(t *testing.T, q parley.Request) {
	t.Helper()
	soon(t, "the run waits", func() bool {
		runs, err := n.Agents.History(t.Context(), alice, q.Session)
		return err == nil && len(runs) == 1 && runs[0].Status == agent.Waiting
	})
}

// dying are records of a process that dies before a certain write.
type dying struct {
	parley.Records
	mu    sync.Mutex
	after int
}

func (d *dying) alive() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.after--; d.after < 0 {
		return errors.New("the process is dead")
	}
	return nil
}

func (d *dying) Save(ctx context.Context, r parley.Record) (int64, error) {
	if err := d.alive(); err != nil {
		return 0, err
	}
	return d.Records.Save(ctx, r)
}

func (d *dying) Delete(ctx context.Context, at parley.Address, version int64) error {
	if err := d.alive(); err != nil {
		return err
	}
	return d.Records.Delete(ctx, at, version)
}

// dying is a node beside n that never said that it lives, so that it is dead to
// the others whenever it stops writing.
func (n *node) dying(t *testing.T, records *dying) *node {
	t.Helper()
	agents, err := agentmcp.New(n.Agents, n.Hub, &agentmcp.Options{
		Principal: principal, Asker: mcptool.Options{Records: records, Secrets: secrets}, Logger: quiet,
	})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp/agents/{agent}", agents)
	site := httptest.NewServer(mux)
	t.Cleanup(func() {
		site.CloseClientConnections()
		site.Close()
	})
	return &node{Server: n.Server, world: n.world, url: site.URL}
}

// rpc sends a request of 2026-07-28 by a client that knows tasks.
func (n *node) rpc(t *testing.T, method string, params map[string]any) (result map[string]any) {
	t.Helper()
	params = maps.Clone(params)
	params["_meta"] = map[string]any{
		mcp.MetaKeyProtocolVersion: modern, mcp.MetaKeyClientInfo: map[string]any{"name": "c", "version": "1"},
		mcp.MetaKeyClientCapabilities: json.RawMessage(`{"elicitation":{"form":{},"url":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`),
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, n.url+"/mcp/agents/assistant", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Close = true
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer alice",
		"Mcp-Protocol-Version": modern, "Mcp-Method": method,
	} {
		r.Header.Set(name, value)
	}
	if name, ok := params["name"].(string); ok {
		r.Header.Set("Mcp-Name", name)
	}
	if name, ok := params["taskId"].(string); ok {
		r.Header.Set("Mcp-Name", name)
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
	if _, data, ok := bytes.Cut(raw, []byte("data: ")); ok {
		raw = data
	}
	var message struct {
		Result map[string]any `json:"result"`
		Error  any            `json:"error"`
	}
	if err := json.Unmarshal(raw, &message); err != nil || message.Error != nil {
		t.Fatalf("%s: %v %s", method, err, raw)
	}
	return message.Result
}
