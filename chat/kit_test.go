package chat_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	alice = parley.Principal{User: "alice", Method: "test"}
	quiet = slog.New(slog.DiscardHandler)
)

// inABubble runs a test where time passes as soon as everybody waits for it.
func inABubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, test)
}

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

// writer is a model that writes word by word, as it is let.
type writer struct {
	words []string
	next  chan struct{}
}

func (w writer) Generate(ctx context.Context, _ agent.Prompt, emit func(string)) (agent.Reply, error) {
	for _, word := range w.words {
		select {
		case <-w.next:
			emit(word)
		case <-ctx.Done():
			return agent.Reply{}, ctx.Err()
		}
	}
	return agent.Reply{Text: strings.Join(w.words, "")}, nil
}

func last(p agent.Prompt) agent.PromptMessage { return p.Messages[len(p.Messages)-1] }

// says is a model with one sentence.
func says(text string) script {
	return func(agent.Prompt) agent.Reply { return agent.Reply{Text: text} }
}

// calls says something, calls the tools, and then repeats their results.
func calls(tools ...string) script {
	return func(p agent.Prompt) agent.Reply {
		if last(p).Role != agent.FromTools {
			r := agent.Reply{Text: "One moment."}
			for i, tool := range tools {
				r.Calls = append(r.Calls, agent.ToolCall{ID: fmt.Sprintf("m%d", i), Tool: tool, Args: []byte(`{"n": 7, "a": "b"}`)})
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

// box is a toolbox that does what a test says.
type box struct {
	name    string
	tools   func(agent.Caller) ([]agent.Tool, error)
	prepare func(*agent.Invocation) error
	call    func(context.Context, *agent.Invocation) (agent.Result, error)

	mu    sync.Mutex
	count int
}

func (b *box) Name() string { return b.name }

func (b *box) Tools(_ context.Context, who agent.Caller) ([]agent.Tool, error) {
	if b.tools != nil {
		return b.tools(who)
	}
	return []agent.Tool{{Name: "do", Title: "Do it", Schema: json.RawMessage(`{"type":"object"}`)}}, nil
}

func (b *box) Prepare(_ context.Context, c *agent.Invocation) error {
	if b.prepare != nil {
		return b.prepare(c)
	}
	return nil
}

func (b *box) Call(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
	b.mu.Lock()
	b.count++
	b.mu.Unlock()
	if b.call != nil {
		return b.call(ctx, c)
	}
	return agent.Result{Text: b.name + " did it"}, nil
}

func (b *box) called() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count
}

// asking is the Prepare of a box that has one question before each call.
func asking(q parley.Request) func(*agent.Invocation) error {
	return func(c *agent.Invocation) error {
		asked, ok := c.Answers["q"]
		switch {
		case !ok:
			return &agent.Pause{Questions: map[string]parley.Request{"q": q}}
		case asked.Outcome.Action != parley.Accept:
			return &agent.Denied{Reason: "Not done: the user said " + string(asked.Outcome.Action) + "."}
		case strings.Contains(string(asked.Outcome.Content), "deny"):
			return &agent.Denied{Reason: "Not done: the user denied it."}
		}
		return nil
	}
}

var (
	colour = parley.Request{
		From: "paint", Message: "Which colour?", Trigger: parley.TriggerMCP,
		Schema: json.RawMessage(`{"type":"object","properties":{"colour":{"type":"string","minLength":3}},"required":["colour"]}`),
	}
	mayI = parley.Request{
		From: "bank", Message: "May it call bank__do?", Trigger: parley.TriggerApproval,
		Labels: map[string]string{"server": "bank", "tool": "do", "digest": "d", "call": "x"},
		Schema: json.RawMessage(`{"type":"object","properties":{"decision":{"type":"string","oneOf":[{"const":"allow_once","title":"Allow once"},` +
			`{"const":"always_allow","title":"Always"},{"const":"deny","title":"Deny"}]}},"required":["decision"]}`),
	}
	connect = parley.Request{
		From: "drive", Message: "Drive requires authentication. Connect your account to continue.", Trigger: parley.TriggerCredential,
		Mode: parley.URL, URL: "https://parley.example/auth/connect?elicitation_id=x",
		Labels: map[string]string{"server": "drive", "scope": "user", "owner": "alice", "reason": "missing"},
	}
)

// painter has a tool that asks which colour.
func painter() *agent.Agent {
	return &agent.Agent{Name: "helper", Model: calls("paint__do"), Toolboxes: []agent.Toolbox{&box{name: "paint", prepare: asking(colour)}}}
}

// site is a server, and the network to it.
type site struct {
	t     *testing.T
	hub   *parley.Hub
	rt    *agent.Runtime
	store *flaky
	dial  *http.Client
	log   *logged
	notes *transcript // nil: nothing is written down

	active atomic.Int64 // requests that are being served
}

// whoAsks takes the user's name for a token.
func whoAsks(r *http.Request) (parley.Principal, error) {
	name, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if cookie, err := r.Cookie("user"); !ok && err == nil {
		name, ok = cookie.Value, true
	}
	switch {
	case !ok:
		return parley.Principal{}, fmt.Errorf("no token: %w", chat.ErrUnauthenticated)
	case name == "service":
		return parley.Principal{Method: "key"}, nil
	case strings.HasPrefix(name, "program:"):
		return parley.Principal{Method: "key", Kind: parley.KindProgram, Key: strings.TrimPrefix(name, "program:")}, nil
	case name == "down":
		return parley.Principal{}, errors.New("the store at 10.0.0.7 is down")
	}
	return parley.Principal{User: name, Method: "test"}, nil
}

func newSite(t *testing.T, opts *chat.Options, agents ...*agent.Agent) *site {
	t.Helper()
	return openSite(t, opts, agent.Limits{}, agents)
}

// newBounded is a site where so much may be in progress.
func newBounded(t *testing.T, most agent.Limits, agents ...*agent.Agent) *site {
	t.Helper()
	return openSite(t, nil, most, agents)
}

func openSite(t *testing.T, opts *chat.Options, most agent.Limits, agents []*agent.Agent) *site {
	t.Helper()
	s := &site{t: t, store: &flaky{MemoryStore: parley.NewMemoryStore()}, log: &logged{}}
	s.hub = parley.New(s.store, &parley.Options{Logger: quiet, Hooks: []parley.Hook{
		parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return s.rt.Settled(ctx, a) }),
	}})
	var err error
	if s.rt, err = agent.New(s.hub, s.store, nil, &agent.Options{Agents: agents, Limits: most, Logger: quiet}); err != nil {
		t.Fatal(err)
	}
	full := chat.Options{}
	if opts != nil {
		full = *opts
	}
	full.PublicURL = cmp.Or(full.PublicURL, "https://parley.example")
	if full.Principal == nil {
		full.Principal = whoAsks
	}
	if full.Logger == nil {
		full.Logger = slog.New(slog.NewTextHandler(s.log, nil))
	}
	surface, err := chat.New(s.rt, s.hub, &full)
	if err != nil {
		t.Fatal(err)
	}
	s.serve(surface)
	return s
}

// serve runs everything until the test ends.
func (s *site) serve(h http.Handler) {
	ctx, cancel := context.WithCancel(context.Background())
	net := &wires{conns: make(chan net.Conn), done: make(chan struct{})}
	counted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.active.Add(1)
		defer s.active.Add(-1)
		h.ServeHTTP(w, r)
	})
	server := &http.Server{Handler: counted, WriteTimeout: 5 * time.Second, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0)}
	transport := &http.Transport{DialContext: net.dial, DisableCompression: true}
	s.dial = &http.Client{Transport: transport}
	var all sync.WaitGroup
	all.Go(func() { _ = s.hub.Run(ctx) })
	all.Go(func() { _ = s.rt.Run(ctx) })
	all.Go(func() { _ = server.Serve(net) })
	s.t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		cancel()
		all.Wait()
		time.Sleep(time.Second) // of the bubble's: a server lingers on connections that it closed
	})
}

// asked is a request to the site.
type asked struct {
	method, path, body string
	header             map[string]string
	user               string // default alice; "-" is nobody
}

func (s *site) do(a asked) *http.Response {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, cmp.Or(a.method, http.MethodPost), "http://parley.example"+a.path, strings.NewReader(a.body))
	if err != nil {
		s.t.Fatal(err)
	}
	if a.user != "-" {
		r.Header.Set("Authorization", "Bearer "+cmp.Or(a.user, "alice"))
	}
	if a.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for key, value := range a.header {
		r.Header.Set(key, value)
		if value == "" {
			r.Header.Del(key)
		}
	}
	s.notes.client(a)
	resp, err := s.dial.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// ask makes a request and returns the whole answer.
func (s *site) ask(a asked) (status int, body string) {
	s.t.Helper()
	resp := s.do(a)
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	s.notes.answer(resp, raw)
	return resp.StatusCode, strings.TrimSpace(string(raw))
}

// shows are the headers of a client that shows questions.
var shows = map[string]string{"x-supports-elicitation": "true"}

func with(headers ...string) map[string]string {
	all := map[string]string{"x-supports-elicitation": "true"}
	for i := 0; i < len(headers); i += 2 {
		all[headers[i]] = headers[i+1]
	}
	return all
}

// stream is an answer with events. They are taken off the wire as they come.
type stream struct {
	t     *testing.T
	resp  *http.Response
	lines chan string
	notes *transcript
}

func (s *site) stream(a asked) *stream {
	s.t.Helper()
	resp := s.do(a)
	if resp.StatusCode != http.StatusOK {
		raw, _ := io.ReadAll(resp.Body)
		s.t.Fatalf("%s %s: %d %s", a.method, a.path, resp.StatusCode, raw)
	}
	s.notes.answer(resp, nil)
	one := &stream{t: s.t, resp: resp, lines: make(chan string, 10_000), notes: s.notes}
	go func() {
		defer close(one.lines)
		for in := bufio.NewScanner(resp.Body); in.Scan(); {
			if in.Text() != "" {
				one.lines <- in.Text()
			}
		}
	}()
	return one
}

// line returns the next line of the stream; false at its end.
func (s *stream) line() (string, bool) {
	s.t.Helper()
	line, ok := <-s.lines
	if ok {
		s.notes.begin("server, stream", s)
		s.notes.line(line)
	}
	return line, ok
}

// until reads to the next line that has a text in it.
func (s *stream) until(text string) string {
	s.t.Helper()
	for {
		line, ok := s.line()
		if !ok {
			s.t.Fatalf("the stream ended without %s", text)
		}
		if strings.Contains(line, text) {
			return line
		}
	}
}

// rest returns the lines that are left.
func (s *stream) rest() []string {
	s.t.Helper()
	var all []string
	for {
		line, ok := s.line()
		if !ok {
			return all
		}
		all = append(all, line)
	}
}

func (s *stream) leave() { s.resp.Body.Close() }

// question reads to the next question and returns its id.
func (s *stream) question() string {
	s.t.Helper()
	line := s.until("elicitationId")
	_, after, _ := strings.Cut(line, `"elicitationId":"`)
	id, _, _ := strings.Cut(after, `"`)
	return id
}

// turn is the body of a message.
func turn(conversation, id, said string) string {
	body, _ := json.Marshal(map[string]any{
		"id": conversation, "trigger": "submit-message",
		"messages": []any{map[string]any{"id": id, "role": "user", "parts": []any{map[string]any{"type": "text", "text": said}}}},
	})
	return string(body)
}

// respond answers a question at its endpoint.
func (s *site) respond(conversation, id, action, content string) (int, string) {
	s.t.Helper()
	body := fmt.Sprintf(`{"conversationId":%q,"elicitationId":%q,"action":%q,"content":%s}`, conversation, id, action, cmp.Or(content, "null"))
	return s.ask(asked{path: "/run/api/elicitation-responses", body: body})
}

// settle answers a question on another surface.
func (s *site) settle(id string, a parley.Answer) {
	s.t.Helper()
	a.Via = cmp.Or(a.Via, "page")
	if err := s.hub.Answer(s.t.Context(), alice, parley.ID(id), a); err != nil {
		s.t.Fatal(err)
	}
}

// runs counts the runs of a conversation of Alice's.
func (s *site) runs(conversation string) int {
	s.t.Helper()
	all, err := s.rt.History(s.t.Context(), alice, conversation)
	if err != nil {
		s.t.Fatal(err)
	}
	return len(all)
}
