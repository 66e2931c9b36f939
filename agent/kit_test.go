package agent_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/tracing"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	alice = parley.Principal{User: "alice", Method: "test"}
	bob   = parley.Principal{User: "bob", Method: "test"}
	quiet = slog.New(slog.NewTextHandler(io.Discard, nil))
)

// script is a model that answers by rule.
type script func(p agent.Prompt) agent.Reply

func (s script) Generate(_ context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	reply := s(p)
	for _, word := range strings.SplitAfter(reply.Text, " ") {
		emit(word)
	}
	return reply, nil
}

// last returns the last message of a prompt.
func last(p agent.Prompt) agent.PromptMessage { return p.Messages[len(p.Messages)-1] }

// callOnce calls the tools in its first step and then repeats their results.
func callOnce(tools ...string) script {
	return func(p agent.Prompt) agent.Reply {
		if last(p).Role != agent.FromTools {
			var r agent.Reply
			for i, tool := range tools {
				r.Calls = append(r.Calls, agent.ToolCall{ID: fmt.Sprintf("m%d", i), Tool: tool, Args: []byte(`{"n":1}`)})
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
	calls []string
}

func (b *box) Name() string { return b.name }

func (b *box) Tools(_ context.Context, who agent.Caller) ([]agent.Tool, error) {
	if b.tools != nil {
		return b.tools(who)
	}
	return []agent.Tool{{Name: "do", Schema: json.RawMessage(`{"type":"object"}`)}}, nil
}

func (b *box) Prepare(_ context.Context, c *agent.Invocation) error {
	if b.prepare != nil {
		return b.prepare(c)
	}
	return nil
}

func (b *box) Call(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
	b.mu.Lock()
	b.calls = append(b.calls, c.ID)
	b.mu.Unlock()
	if b.call != nil {
		return b.call(ctx, c)
	}
	return agent.Result{Text: b.name + " did it"}, nil
}

func (b *box) called() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.calls)
}

// needsAnswer is the Prepare of a box that asks once.
func needsAnswer(c *agent.Invocation) error {
	q, asked := c.Answers["ok"]
	switch {
	case !asked:
		return &agent.Pause{Questions: map[string]parley.Request{"ok": {From: "box", Message: "Go on?"}}}
	case q.Outcome.Action != parley.Accept:
		return &agent.Denied{Reason: "the user said " + string(q.Outcome.Action)}
	}
	return nil
}

// world is a store that several nodes share.
type world struct {
	t     *testing.T
	store *parley.MemoryStore
	keys  *seal.Keyring
	keep  time.Duration // agent.Options.Keep
	roll  *roll         // who attends; nil: the store does not know
	most  agent.Limits
	room  parley.Limits // of the hub
	log   *slog.Logger  // default: quiet
	trace tracing.Tracer
}

func newWorld(t *testing.T) *world {
	keys, err := seal.New([]byte("a secret of thirty-two bytes or more"))
	if err != nil {
		t.Fatal(err)
	}
	return &world{t: t, store: parley.NewMemoryStore(), keys: keys}
}

// node is one process.
type node struct {
	*agent.Runtime
	t    *testing.T
	hub  *parley.Hub
	kill func() // as by kill -9: nothing of it is seen any more
	// dieWhenAsking makes it die when it opens its next question; the result is
	// closed then.
	dieWhenAsking func() <-chan struct{}
	lives         func(saves int) // so long and no longer
	stop          func()          // in good order
	writesSlowly  func(time.Duration)
}

// mortal is a view of the store that dies with its process: what it does after
// that does not happen, and nobody hears of it.
type mortal struct {
	*parley.MemoryStore
	mu       sync.Mutex
	dead     bool
	diesAt   string // Put: the process dies when it opens a question
	diedThen chan struct{}
	saves    int           // until it dies, if that is set
	slow     time.Duration // what it takes to write
}

var errDead = errors.New("this process is dead")

func (m *mortal) alive() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return errDead
	}
	return nil
}

func (m *mortal) Save(ctx context.Context, r parley.Record) (int64, error) {
	if err := m.alive(); err != nil {
		return 0, err
	}
	m.mu.Lock()
	slow := m.slow
	m.mu.Unlock()
	time.Sleep(slow)
	version, err := m.MemoryStore.Save(ctx, r)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.saves--; m.saves == 0 {
		m.dead = true
	}
	return version, err
}

func (m *mortal) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	if err := m.alive(); err != nil {
		return parley.Record{}, err
	}
	return m.MemoryStore.Load(ctx, at)
}

func (m *mortal) Delete(ctx context.Context, at parley.Address, version int64) error {
	if err := m.alive(); err != nil {
		return err
	}
	return m.MemoryStore.Delete(ctx, at, version)
}

func (m *mortal) Put(ctx context.Context, r parley.Request, most int) error {
	m.mu.Lock()
	if m.diesAt == "Put" && !m.dead {
		m.dead = true
		close(m.diedThen)
	}
	m.mu.Unlock()
	if err := m.alive(); err != nil {
		return err
	}
	return m.MemoryStore.Put(ctx, r, most)
}

func (m *mortal) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	if err := m.alive(); err != nil {
		return err
	}
	return m.MemoryStore.Settle(ctx, id, o)
}

func (w *world) node(agents ...*agent.Agent) *node {
	w.t.Helper()
	return w.nodeWith(nil, agents...)
}

// nodeWith is a node whose hub has these hooks too.
func (w *world) nodeWith(hooks []parley.Hook, agents ...*agent.Agent) *node {
	w.t.Helper()
	store := &mortal{MemoryStore: w.store}
	var records parley.Records = store
	if w.roll != nil {
		records = attended{store, w.roll}
	}
	n := w.nodeOn(store, records, hooks, agents...)
	n.dieWhenAsking = func() <-chan struct{} {
		store.mu.Lock()
		defer store.mu.Unlock()
		store.diesAt, store.diedThen = "Put", make(chan struct{})
		return store.diedThen
	}
	n.lives = func(saves int) {
		store.mu.Lock()
		defer store.mu.Unlock()
		store.saves, store.dead = saves, saves == 0
	}
	n.writesSlowly = func(slow time.Duration) {
		store.mu.Lock()
		defer store.mu.Unlock()
		store.slow = slow
	}
	n.kill = func() {
		store.mu.Lock()
		store.dead = true
		store.mu.Unlock()
		n.stop()
	}
	return n
}

// nodeOn is a node with a view of its own of the store.
func (w *world) nodeOn(store parley.Store, records parley.Records, hooks []parley.Hook, agents ...*agent.Agent) *node {
	w.t.Helper()
	n := &node{t: w.t}
	n.hub = parley.New(store, &parley.Options{Logger: quiet, Limits: w.room, Patience: time.Millisecond, Hooks: append(hooks,
		parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return n.Settled(ctx, a) }),
	)})
	rt, err := agent.New(n.hub, records, w.keys, &agent.Options{Keep: w.keep, Limits: w.most, Agents: agents, Tracer: w.trace, Logger: cmp.Or(w.log, quiet)})
	if err != nil {
		w.t.Fatal(err)
	}
	n.Runtime = rt
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { _ = n.hub.Run(ctx) })
	all.Go(func() { _ = rt.Run(ctx) })
	n.stop = sync.OnceFunc(func() { cancel(); all.Wait() })
	w.t.Cleanup(n.stop)
	return n
}

// say starts a run of the agent "helper".
func (n *node) say(conversation, text string) agent.Ref {
	n.t.Helper()
	ref, err := n.Start(n.t.Context(), alice, agent.Message{Agent: "helper", Conversation: conversation, Text: text, CanAsk: true})
	if err != nil {
		n.t.Fatal(err)
	}
	return ref
}

// story reads a run to its end, or to an event that the test wants to see.
type story struct {
	t *testing.T
	f *agent.Follower
}

func (n *node) follow(ref agent.Ref) *story {
	f := n.Follow(alice, ref)
	n.t.Cleanup(f.Close)
	return &story{n.t, f}
}

// until reads to the next event of a type and returns it.
func (s *story) until(want agent.EventType) agent.Event {
	s.t.Helper()
	for {
		e := s.next()
		if e.Type == want {
			return e
		}
		if e.Type == agent.Finished {
			s.t.Fatalf("finished (%s %s) without %s", e.Reason, e.Text, want)
		}
	}
}

func (s *story) next() agent.Event {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Hour)
	defer cancel()
	e, err := s.f.Next(ctx)
	if err != nil {
		s.t.Fatalf("after an hour: %v", err)
	}
	return e
}

// rest returns what is still told, one line each.
func (s *story) rest() []string {
	s.t.Helper()
	var all []string
	for {
		e := s.next()
		if n := len(all); e.Type == agent.TextDelta && n > 0 && strings.HasPrefix(all[n-1], "text_delta ") {
			all[n-1] += e.Text // how a text is cut depends on when one comes
		} else {
			all = append(all, line(e))
		}
		if e.Type == agent.Finished {
			if _, err := s.f.Next(s.t.Context()); !errors.Is(err, io.EOF) {
				s.t.Errorf("after the end: %v", err)
			}
			return all
		}
	}
}

func line(e agent.Event) string {
	text := string(e.Type)
	for _, part := range []string{e.Agent, e.Tool, e.Box, e.Text, string(e.Reason)} {
		if part != "" {
			text += " " + part
		}
	}
	if e.Result != nil {
		text += " " + e.Result.Text
	}
	if e.Question != nil {
		text += " " + e.Question.Message
		if e.Question.Outcome != nil {
			text += " " + string(e.Question.Outcome.Action)
		}
	}
	return text
}

// answer answers a question as Alice.
func (n *node) answer(q *parley.Request, a parley.Action) {
	n.t.Helper()
	if err := n.hub.Answer(n.t.Context(), alice, q.ID, parley.Answer{Action: a, Content: json.RawMessage(`{}`), Via: "test"}); err != nil {
		n.t.Fatal(err)
	}
}

// reply is what the agent said in the end.
func (s *story) reply() string {
	s.t.Helper()
	var said string
	for {
		e := s.next()
		switch e.Type {
		case agent.TextStarted:
			said = ""
		case agent.TextDelta:
			said += e.Text
		case agent.Finished:
			return strings.TrimSpace(said + " " + string(e.Reason))
		}
	}
}

func inABubble(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, newWorld(t)) })
}

// sealed is the store as nodes see it.
func (w *world) sealed() parley.Records { return seal.Records(w.store, w.keys, nil) }
