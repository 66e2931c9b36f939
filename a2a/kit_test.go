package a2a_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	wire "github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/permit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const patience = time.Minute // for what must happen

var quiet = slog.New(slog.DiscardHandler)

// script is a model that answers by rule.
type script func(p agent.Prompt) agent.Reply

func (s script) Generate(_ context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	reply := s(p)
	if reply.Text == "(broken)" {
		return agent.Reply{}, &agent.PublicError{Text: "The model is out of order."}
	}
	emit(reply.Text)
	return reply, nil
}

func last(p agent.Prompt) agent.PromptMessage { return p.Messages[len(p.Messages)-1] }

// calls says something, calls the tools, and then repeats their results.
func calls(tools ...string) script {
	return func(p agent.Prompt) agent.Reply {
		if last(p).Role != agent.FromTools {
			r := agent.Reply{Text: "One moment."}
			for i, tool := range tools {
				r.Calls = append(r.Calls, agent.ToolCall{ID: fmt.Sprintf("m%d", i), Tool: tool, Args: []byte(`{"n":7}`)})
			}
			return r
		}
		var texts []string
		for _, result := range last(p).Results {
			texts = append(texts, result.Text)
		}
		return agent.Reply{Text: strings.Join(texts, " | ")}
	}
}

// echo repeats what it is told.
func echo(p agent.Prompt) agent.Reply { return agent.Reply{Text: "You said: " + last(p).Text} }

// box is a toolbox with one tool.
type box struct {
	name    string
	prepare func(*agent.Invocation) error
	call    func(context.Context, *agent.Invocation) (agent.Result, error)

	mu    sync.Mutex
	count int
}

func (b *box) Name() string { return b.name }

func (b *box) Tools(context.Context, agent.Caller) ([]agent.Tool, error) {
	return []agent.Tool{{Name: "do", Title: "Do it", Schema: json.RawMessage(`{"type":"object"}`)}}, nil
}

func (b *box) Prepare(_ context.Context, c *agent.Invocation) error {
	if b.prepare == nil {
		return nil
	}
	return b.prepare(c)
}

func (b *box) Call(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
	b.mu.Lock()
	b.count++
	b.mu.Unlock()
	if b.call != nil {
		return b.call(ctx, c)
	}
	text := b.name + " did it"
	for _, q := range c.Answers {
		if len(q.Outcome.Content) > 0 {
			text += " with " + string(q.Outcome.Content)
		}
	}
	return agent.Result{Text: text}, nil
}

func (b *box) called() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count
}

// asking is the Prepare of a box with questions before each call.
func asking(all ...parley.Request) func(*agent.Invocation) error {
	return func(c *agent.Invocation) error {
		pause := &agent.Pause{Questions: map[string]parley.Request{}}
		for i, q := range all {
			key := fmt.Sprint(i)
			asked, ok := c.Answers[key]
			switch {
			case !ok:
				pause.Questions[key] = q
			case asked.Outcome.Action != parley.Accept:
				return &agent.Denied{Reason: "Not done: the user said " + string(asked.Outcome.Action) + "."}
			}
		}
		if len(pause.Questions) > 0 {
			return pause
		}
		return nil
	}
}

var (
	colour = parley.Request{
		From: "paint", Message: "Which colour?", Trigger: parley.TriggerMCP,
		Schema: json.RawMessage(`{"type":"object","properties":{"colour":{"type":"string","title":"Colour","minLength":3}},"required":["colour"]}`),
	}
	order = parley.Request{
		From: "shop", Message: "How many, and when?", Trigger: parley.TriggerMCP,
		Schema: json.RawMessage(`{"type":"object","properties":{"when":{"type":"string","format":"date"},"count":{"type":"integer","minimum":1}},"required":["when","count"]}`),
	}
	mayI = parley.Request{
		From: "bank", Message: "May it call bank__do?", Trigger: parley.TriggerApproval,
		Labels: map[string]string{"server": "bank", "tool": "do", "digest": "d", "call": "x"},
		Schema: json.RawMessage(`{"type":"object","properties":{"decision":{"type":"string","oneOf":[{"const":"allow_once","title":"Allow once"},` +
			`{"const":"always_allow","title":"Always"},{"const":"deny","title":"Deny"}]}},"required":["decision"]}`),
	}
	connect = parley.Request{
		From: "drive", Message: "Connect your account.", Trigger: parley.TriggerCredential, Mode: parley.URL,
		URL: "https://parley.example/auth/connect?elicitation_id=x", Labels: map[string]string{"server": "drive", "scope": "user"},
	}
	visit = parley.Request{From: "terms", Message: "Read the terms.", Trigger: parley.TriggerMCP, Mode: parley.URL, URL: "https://terms.example/now"}
)

// helper is an agent whose tools ask these.
func helper(all ...parley.Request) *agent.Agent {
	return &agent.Agent{Name: "helper", Description: "Helps.", Model: calls("tool__do"), Toolboxes: []agent.Toolbox{&box{name: "tool", prepare: asking(all...)}}}
}

// site is a server.
type site struct {
	t      *testing.T
	store  *parley.MemoryStore
	hub    *parley.Hub
	rt     *agent.Runtime
	agents *a2a.Agents
	web    *httptest.Server
	calls  *box
}

func whoAsks(r *http.Request) (parley.Principal, error) {
	name, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case !ok, name == "nobody":
		return parley.Principal{}, fmt.Errorf("no token: %w", chat.ErrUnauthenticated)
	case name == "narrow":
		return parley.Principal{}, chat.ErrScope
	case name == "down":
		return parley.Principal{}, errors.New("the store at 10.0.0.7 is down")
	case strings.HasPrefix(name, "program:"):
		return parley.Principal{Method: "key", Kind: parley.KindProgram, Key: strings.TrimPrefix(name, "program:")}, nil
	}
	user, tenant, _ := strings.Cut(name, "@")
	return parley.Principal{User: user, Tenant: cmp.Or(tenant, "default"), Method: "jwt"}, nil
}

var alice = parley.Principal{User: "alice", Tenant: "default", Method: "oidc"}

func newSite(t *testing.T, opts *a2a.Options, agents ...*agent.Agent) *site {
	t.Helper()
	return openSite(t, parley.NewMemoryStore(), opts, agents...)
}

// openSite is a server over a store, which others may have too.
func openSite(t *testing.T, store *parley.MemoryStore, opts *a2a.Options, agents ...*agent.Agent) *site {
	t.Helper()
	return openSiteOver(t, store, store, opts, agents...)
}

// openSiteOver is one whose runs are in records.
func openSiteOver(t *testing.T, store *parley.MemoryStore, records parley.Records, opts *a2a.Options, agents ...*agent.Agent) *site {
	t.Helper()
	s := &site{t: t, store: store}
	for _, one := range agents {
		for _, b := range one.Toolboxes {
			s.calls, _ = b.(*box)
		}
	}
	s.hub = parley.New(s.store, &parley.Options{Logger: quiet, Hooks: []parley.Hook{
		permit.Guard(),
		parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return s.rt.Settled(ctx, a) }),
	}})
	var err error
	if s.rt, err = agent.New(s.hub, records, nil, &agent.Options{Agents: agents, Tracer: deaf{}, Logger: quiet}); err != nil {
		t.Fatal(err)
	}
	full := a2a.Options{}
	if opts != nil {
		full = *opts
	}
	full.PublicURL = cmp.Or(full.PublicURL, "https://parley.example")
	full.Logger = quiet
	if full.Principal == nil {
		full.Principal = whoAsks
	}
	if s.agents, err = a2a.New(s.rt, s.hub, s.store, &full); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle(a2a.Path, s.agents)
	mux.Handle(a2a.PathBelow, s.agents)
	mux.Handle(a2a.RootCardPath, s.agents.RootCard())
	s.web = httptest.NewServer(mux)
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { _ = s.hub.Run(ctx) })
	all.Go(func() { _ = s.rt.Run(ctx) })
	all.Go(func() { _ = s.agents.Run(ctx) })
	t.Cleanup(func() {
		s.web.CloseClientConnections()
		s.web.Close()
		stop()
		all.Wait()
	})
	return s
}

// as sends the token of somebody with every request.
type as struct {
	user string
	next http.RoundTripper
}

func (a as) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+a.user)
	return a.next.RoundTrip(r)
}

// ways are the transports, with the versions.
var ways = map[string]*wire.AgentInterface{
	"JSON-RPC":     {ProtocolBinding: wire.TransportProtocolJSONRPC, ProtocolVersion: wire.Version},
	"REST":         {ProtocolBinding: wire.TransportProtocolHTTPJSON, ProtocolVersion: wire.Version},
	"JSON-RPC 0.3": {ProtocolBinding: wire.TransportProtocolJSONRPC, ProtocolVersion: a2av0.Version},
	"REST 0.3":     {ProtocolBinding: wire.TransportProtocolHTTPJSON, ProtocolVersion: a2av0.Version},
}

// everyWay runs a test by each transport.
func everyWay(t *testing.T, test func(t *testing.T, way string)) {
	t.Helper()
	for way := range ways {
		t.Run(way, func(t *testing.T) { test(t, way) })
	}
}

// client is one of somebody's.
type client struct {
	*a2aclient.Client
	t *testing.T
}

func (s *site) client(user, way string) *client {
	s.t.Helper()
	endpoint := *ways[way]
	endpoint.URL = s.web.URL + "/a2a/helper"
	h := &http.Client{Transport: as{user, http.DefaultTransport}}
	s.t.Cleanup(h.CloseIdleConnections)
	c, err := a2aclient.NewFromEndpoints(s.t.Context(), []*wire.AgentInterface{&endpoint},
		a2aclient.WithJSONRPCTransport(h), a2aclient.WithRESTTransport(h),
		a2aclient.WithCompatTransport(a2av0.Version, wire.TransportProtocolJSONRPC, a2av0.NewJSONRPCTransportFactory(a2av0.JSONRPCTransportConfig{Client: h})),
		a2aclient.WithCompatTransport(a2av0.Version, wire.TransportProtocolHTTPJSON, a2av0.NewRESTTransportFactory(a2av0.RESTTransportConfig{Client: h})),
	)
	if err != nil {
		s.t.Fatal(err)
	}
	return &client{c, s.t}
}

// says is a message with a text.
func says(text string) *wire.Message {
	return wire.NewMessage(wire.MessageRoleUser, wire.NewTextPart(text))
}

// to is a message to a task.
func to(t *wire.Task, m *wire.Message) *wire.Message {
	m.TaskID = t.ID
	return m
}

// answers is a message that answers a question.
func answers(id string, action elicitation.Action, content string) *wire.Message {
	m := wire.NewMessage(wire.MessageRoleUser)
	elicitation.Reply(m, elicitation.Answer{ID: id, Action: action, Content: json.RawMessage(content)})
	return m
}

func (c *client) trySend(m *wire.Message) (*wire.Task, error) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	result, err := c.SendMessage(ctx, &wire.SendMessageRequest{Message: m})
	if err != nil {
		return nil, err
	}
	return result.(*wire.Task), nil
}

func (c *client) send(m *wire.Message) *wire.Task {
	c.t.Helper()
	t, err := c.trySend(m)
	if err != nil {
		c.t.Fatal(err)
	}
	return t
}

func (c *client) get(id wire.TaskID) *wire.Task {
	c.t.Helper()
	t, err := c.GetTask(c.t.Context(), &wire.GetTaskRequest{ID: id})
	if err != nil {
		c.t.Fatal(err)
	}
	return t
}

// refused wants an error of a kind, with words.
func refused(t *testing.T, err error, kind error, words string) {
	t.Helper()
	if !errors.Is(err, kind) || !strings.Contains(fmt.Sprint(err), words) {
		t.Errorf("%v, want %v with %q", err, kind, words)
	}
}

func state(t *testing.T, task *wire.Task, want wire.TaskState) {
	t.Helper()
	if task.Status.State != want {
		t.Fatalf("the task is %s, want %s: %s", task.Status.State, want, told(task.Status.Message))
	}
}

// asks is the one question of a task.
func asks(t *testing.T, task *wire.Task) elicitation.Question {
	t.Helper()
	all, err := elicitation.Questions(task.Status.Message)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d questions in %s: %v", len(all), told(task.Status.Message), err)
	}
	return all[0]
}

// told is what a message says in words.
func told(m *wire.Message) string {
	if m == nil {
		return ""
	}
	var all []string
	for _, p := range m.Parts {
		if text := p.Text(); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n")
}

// result is the text that a task has brought.
func result(task *wire.Task) string {
	var all []string
	for _, a := range task.Artifacts {
		for _, p := range a.Parts {
			all = append(all, p.Text())
		}
	}
	return strings.Join(all, "\n")
}

// page answers a question where its person is signed in.
func (s *site) page(id string, a parley.Answer) {
	s.t.Helper()
	a.Via = "page"
	if err := s.hub.Answer(s.t.Context(), alice, parley.ID(id), a); err != nil {
		s.t.Fatal(err)
	}
}

// raw sends a request by hand.
func (s *site) raw(method, path, user, body string, header ...string) (*http.Response, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.web.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if user != "" {
		r.Header.Set("Authorization", "Bearer "+user)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	resp, err := s.web.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp, string(text)
}
