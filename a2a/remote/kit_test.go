package remote_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/taskstore"
	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/a2a/remote"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/sqlitestore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what has to come.
const patience = 60 * time.Second

var (
	alice = parley.Principal{User: "alice", Method: "test"}
	quiet = slog.New(slog.NewTextHandler(io.Discard, nil))
)

// desk is a stock agent of a2a-go that does what a test says.
type desk struct {
	t *testing.T
	// work is one execution: for a new task, or for a message to one that waits.
	work func(ctx context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event))
	// card may change the card before it is served.
	card func(*a2a.AgentCard)
	// front may stand before the agent.
	front func(http.Handler) http.Handler
	// rpc answers in the place of the stock agent, over JSON-RPC.
	rpc func(method string, m *a2a.Message) any

	binding   string // jsonrpc, rest or legacy
	streaming bool
	extension bool
	listing   bool // it lists tasks
	bare      bool // it begins no tasks by itself

	url string

	mu       sync.Mutex
	tasks    []a2a.TaskID // that were begun
	messages []*a2a.Message
	cancels  []a2a.TaskID
	methods  []string // of JSON-RPC, that were called
	handler  a2asrv.RequestHandler
}

func (d *desk) Execute(ctx context.Context, ec *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		d.mu.Lock()
		d.messages = append(d.messages, ec.Message)
		if ec.StoredTask == nil {
			d.tasks = append(d.tasks, ec.TaskID)
		}
		d.mu.Unlock()
		gone := false
		emit := func(e a2a.Event) {
			if !gone && !yield(e, nil) {
				gone = true
			}
		}
		if ec.StoredTask == nil && !d.bare {
			emit(a2a.NewSubmittedTask(ec, ec.Message))
		}
		d.work(ctx, ec, emit)
	}
}

func (d *desk) Cancel(_ context.Context, ec *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		d.mu.Lock()
		d.cancels = append(d.cancels, ec.TaskID)
		d.mu.Unlock()
		yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCanceled, nil), nil)
	}
}

func (d *desk) begun() []a2a.TaskID {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]a2a.TaskID(nil), d.tasks...)
}

func (d *desk) got() []*a2a.Message {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]*a2a.Message(nil), d.messages...)
}

func (d *desk) cancelled() []a2a.TaskID {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]a2a.TaskID(nil), d.cancels...)
}

// asked are the calls of a method.
func (d *desk) asked(method string) (all []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, m := range d.methods {
		if m == method {
			all = append(all, m)
		}
	}
	return all
}

// cancelAtHome cancels the task without us.
func (d *desk) cancelAtHome() {
	d.t.Helper()
	if _, err := d.handler.CancelTask(d.t.Context(), &a2a.CancelTaskRequest{ID: d.one()}); err != nil {
		d.t.Fatal(err)
	}
}

// noting notes which methods are called, and lets rpc answer where that is set.
func (d *desk) noting(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var call struct {
			ID     json.RawMessage
			Method string
			Params struct{ Message *a2a.Message }
		}
		if err == nil {
			_ = json.Unmarshal(body, &call) // others than calls have no method
		}
		d.mu.Lock()
		d.methods = append(d.methods, call.Method)
		d.mu.Unlock()
		if d.rpc == nil {
			r.Body = io.NopCloser(bytes.NewReader(body))
			next.ServeHTTP(w, r)
			return
		}
		result := d.rpc(call.Method, call.Params.Message)
		w.Header().Set("Content-Type", "application/json")
		if raw, ok := result.([]byte); ok {
			_, _ = w.Write(raw)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": call.ID, "result": result})
	})
}

// serve starts the desk and returns where it is.
func (d *desk) serve(t *testing.T) string {
	t.Helper()
	d.t = t
	store := taskstore.NewInMemory(&taskstore.InMemoryStoreConfig{TimeProvider: time.Now, Authenticator: func(context.Context) (string, error) {
		if d.listing {
			return "somebody", nil
		}
		return "", nil
	}})
	handler := a2asrv.NewHandler(d, a2asrv.WithTaskStore(store), a2asrv.WithLogger(quiet))
	d.handler = handler
	mux := http.NewServeMux()
	var inner http.Handler = mux
	if d.front != nil {
		inner = d.front(mux)
	}
	srv := httptest.NewServer(inner)
	t.Cleanup(srv.Close)
	d.url = srv.URL
	card := &a2a.AgentCard{
		Name: "Desk", Description: "A travel desk", Version: "1", DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"},
		Capabilities: a2a.AgentCapabilities{Streaming: d.streaming}, Skills: []a2a.AgentSkill{},
	}
	if d.extension {
		card.Capabilities.Extensions = []a2a.AgentExtension{{URI: elicitation.URI}}
	}
	face := &a2a.AgentInterface{URL: srv.URL + "/rpc", ProtocolBinding: a2a.TransportProtocolJSONRPC, ProtocolVersion: a2a.Version}
	switch d.binding {
	case "rest":
		face.URL, face.ProtocolBinding = srv.URL+"/rest", a2a.TransportProtocolHTTPJSON
		mux.Handle("/rest/", http.StripPrefix("/rest", a2asrv.NewRESTHandler(handler)))
	case "legacy":
		face.ProtocolVersion = a2av0.Version
		mux.Handle("/rpc", a2av0.NewJSONRPCHandler(handler))
	default:
		mux.Handle("/rpc", d.noting(a2asrv.NewJSONRPCHandler(handler)))
	}
	card.SupportedInterfaces = []*a2a.AgentInterface{face}
	if d.card != nil {
		d.card(card)
	}
	if d.binding == "legacy" {
		mux.Handle(a2asrv.WellKnownAgentCardPath, a2asrv.NewAgentCardHandler(a2av0.NewStaticAgentCardProducer(card)))
	} else {
		mux.Handle(a2asrv.WellKnownAgentCardPath, a2asrv.NewStaticAgentCardHandler(card))
	}
	return srv.URL
}

// asks makes a status that asks by the extension.
func asks(ec *a2asrv.ExecutorContext, state a2a.TaskState, text string, questions ...elicitation.Question) a2a.Event {
	m := a2a.NewMessageForTask(a2a.MessageRoleAgent, ec, a2a.NewTextPart(text))
	for _, q := range questions {
		elicitation.Ask(m, q)
	}
	return a2a.NewStatusUpdateEvent(ec, state, plain(m))
}

// plain has only what every store copies: maps, lists and texts.
func plain(m *a2a.Message) *a2a.Message {
	raw, err := json.Marshal(m)
	var again a2a.Message
	if err == nil {
		err = json.Unmarshal(raw, &again)
	}
	if err != nil {
		panic(err)
	}
	return &again
}

// done are the last events of a task.
func done(ec *a2asrv.ExecutorContext, emit func(a2a.Event), text string) {
	emit(a2a.NewArtifactEvent(ec, a2a.NewTextPart(text)))
	emit(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCompleted, nil))
}

var where = elicitation.Question{
	ID: "there-1", Mode: elicitation.Form, Message: "Where to?",
	RequestedSchema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string","title":"City"},"nights":{"type":"integer","minimum":1}},"required":["city","nights"]}`),
}

// booking asks by the extension where to, and books.
func booking(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
	if ec.StoredTask == nil {
		emit(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateWorking, nil))
		emit(asks(ec, a2a.TaskStateInputRequired, "Where to?", where))
		return
	}
	answers, err := elicitation.Answers(ec.Message)
	if err != nil || len(answers) != 1 || answers[0].ID != where.ID {
		emit(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateFailed, a2a.NewMessageForTask(a2a.MessageRoleAgent, ec, a2a.NewTextPart("that is no answer"))))
		return
	}
	done(ec, emit, "booked: "+string(answers[0].Action)+" "+string(answers[0].Content))
}

// world is what the processes of a test share.
type world struct {
	t    *testing.T
	file string
	keys *seal.Keyring
	desk *desk
	opts remote.Options // further ones
	own  bool           // the desk is a tenant's, and a toolbox of the helper
	gone atomic.Bool    // own: it was removed
}

func newWorld(t *testing.T, d *desk) *world {
	t.Helper()
	keys, err := seal.New([]byte("a secret of thirty-two bytes or more"))
	if err != nil {
		t.Fatal(err)
	}
	d.serve(t)
	return &world{t: t, file: filepath.Join(t.TempDir(), "parley.db"), keys: keys, desk: d}
}

// mortal is a store that is cut off when its process dies.
type mortal struct {
	*sqlitestore.Store
	dead atomic.Bool
}

var errDead = errors.New("this process is dead")

func (m *mortal) Save(ctx context.Context, r parley.Record) (int64, error) {
	if m.dead.Load() {
		return 0, errDead
	}
	return m.Store.Save(ctx, r)
}

func (m *mortal) Delete(ctx context.Context, at parley.Address, version int64) error {
	if m.dead.Load() {
		return errDead
	}
	return m.Store.Delete(ctx, at, version)
}

func (m *mortal) Put(ctx context.Context, r parley.Request, most int) error {
	if m.dead.Load() {
		return errDead
	}
	return m.Store.Put(ctx, r, most)
}

func (m *mortal) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	if m.dead.Load() {
		return errDead
	}
	return m.Store.Settle(ctx, id, o)
}

// node is one process.
type node struct {
	*agent.Runtime
	t    *testing.T
	hub  *parley.Hub
	kill func() // as by kill -9: nothing that it does is seen any more
	cut  func() // the same, and it does not know yet

	records parley.Records
}

// asked is a model that hands what it is told to the desk, and says what came back.
type asked struct{}

func (asked) Generate(_ context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	last := p.Messages[len(p.Messages)-1]
	if last.Role == agent.FromTools {
		emit(last.Results[0].Text)
		return agent.Reply{Text: last.Results[0].Text}, nil
	}
	args, _ := json.Marshal(map[string]string{"task": last.Text})
	return agent.Reply{Calls: []agent.ToolCall{{ID: "1", Tool: "delegate_to_desk", Args: args}}}, nil
}

func (w *world) node() *node {
	w.t.Helper()
	inner, err := sqlitestore.Open(w.t.Context(), w.file, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	store := &mortal{Store: inner}
	n := &node{t: w.t, records: store}
	n.hub = parley.New(store, &parley.Options{Logger: quiet, Patience: time.Millisecond, Sealer: w.keys, Hooks: []parley.Hook{
		parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return n.Settled(ctx, a) }),
	}})
	transport := &http.Transport{}
	opts := w.opts
	opts.Name, opts.URL, opts.Hub, opts.Records, opts.Logger = "desk", w.desk.url, n.hub, seal.Records(store, w.keys, nil), quiet
	opts.Look = max(opts.Look, 20*time.Millisecond)
	if opts.Visit == 0 {
		opts.Visit = 200 * time.Millisecond
	}
	opts.Cards, opts.Base = transport, transport
	there, err := remote.New(&opts)
	if err != nil {
		w.t.Fatal(err)
	}
	agents, look := []*agent.Agent{{Name: "helper", Model: asked{}, Delegates: []string{"desk"}}, there.Agent()}, there.Run
	if w.own {
		agents = []*agent.Agent{{Name: "helper", Model: asked{}, ExtraToolboxes: func(context.Context, agent.Caller) ([]agent.Toolbox, error) {
			if w.gone.Load() {
				return nil, nil
			}
			return []agent.Toolbox{there.Delegate()}, nil
		}}}
		look = remote.Lookout{Hub: n.hub, Records: opts.Records, Look: opts.Look, Find: func(_ context.Context, tenant, name string) (*remote.Remote, error) {
			if tenant != opts.Tenant || name != "desk" || w.gone.Load() {
				return nil, nil
			}
			return there, nil
		}}.Run
	}
	n.Runtime, err = agent.New(n.hub, store, w.keys, &agent.Options{Agents: agents, Lease: time.Second, Grace: -1, Tracer: deaf{}, Logger: quiet})
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { _ = n.hub.Run(ctx) })
	all.Go(func() { _ = n.Runtime.Run(ctx) })
	all.Go(func() { _ = look(ctx) })
	stop := sync.OnceFunc(func() {
		cancel()
		all.Wait()
		transport.CloseIdleConnections()
		inner.Close()
	})
	n.cut = func() { store.dead.Store(true) }
	n.kill = func() {
		n.cut()
		stop()
	}
	w.t.Cleanup(stop)
	return n
}

func (n *node) say(text string) agent.Ref {
	n.t.Helper()
	ref, err := n.Start(n.t.Context(), alice, agent.Message{Agent: "helper", Conversation: "c", Text: text, CanAsk: true})
	if err != nil {
		n.t.Fatal(err)
	}
	return ref
}

// question waits until alice is asked something.
func (n *node) question() parley.Request {
	n.t.Helper()
	return n.questions(1)[0]
}

func (n *node) questions(many int) (list []parley.Request) {
	n.t.Helper()
	n.until("there are questions", func() bool {
		var err error
		list, err = n.hub.List(n.t.Context(), alice, parley.Query{Pending: true})
		return err == nil && len(list) == many
	})
	return list
}

// keptTask reports whether the record of the desk's run knows the task.
func (n *node) keptTask(ref agent.Ref) bool {
	runs, err := n.Find(n.t.Context(), alice, "c", ref.Run)
	if err != nil {
		return false
	}
	for _, c := range runs.Calls {
		child, err := n.Runtime.Find(n.t.Context(), alice, c.Child.Conversation, c.Child.Run)
		if err != nil {
			return false
		}
		for _, own := range child.Calls {
			return strings.Contains(string(own.Pause), `"task":`)
		}
	}
	return false
}

// until waits until something is so.
func (n *node) until(what string, so func() bool) {
	n.t.Helper()
	for end := time.Now().Add(patience); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			n.t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

func (n *node) answer(q parley.Request, action parley.Action, content string) {
	n.t.Helper()
	a := parley.Answer{Action: action, Via: "test"}
	if content != "" {
		a.Content = json.RawMessage(content)
	}
	if err := n.hub.Answer(n.t.Context(), alice, q.ID, a); err != nil {
		n.t.Fatal(err)
	}
}

// reply is what the helper says in the end.
func (n *node) reply(ref agent.Ref) string {
	n.t.Helper()
	f := n.Follow(alice, ref)
	defer f.Close()
	ctx, cancel := context.WithTimeout(n.t.Context(), patience)
	defer cancel()
	said := ""
	for {
		e, err := f.Next(ctx)
		if err != nil {
			n.t.Fatalf("after %v: %v; it said %q", patience, err, said)
		}
		switch {
		case e.Agent != "": // of the desk's own run
		case e.Type == agent.TextDelta:
			said += e.Text
		case e.Type == agent.Finished:
			return strings.TrimSpace(said + " " + string(e.Reason))
		}
	}
}

// StartUnasked starts a run of a client that shows no questions.
func (n *node) StartUnasked(text string) (agent.Ref, error) {
	return n.Start(n.t.Context(), alice, agent.Message{Agent: "helper", Conversation: "c", Text: text})
}

// asks waits until something is asked.
func (n *node) asks(message string) (q parley.Request) {
	n.t.Helper()
	n.until("it asks "+message, func() bool {
		list, err := n.hub.List(n.t.Context(), alice, parley.Query{Pending: true})
		if err == nil && len(list) == 1 && list[0].Message == message {
			q = list[0]
		}
		return q.ID != ""
	})
	return q
}
