package slackapp_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/slackapp"
	"github.com/parley-hq/parley/vault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must happen.
const patience = time.Minute

var quiet = slog.New(slog.DiscardHandler)

// office is a Slack with a workspace where the app is installed, and processes that serve
// it over one store.
type office struct {
	t       *testing.T
	slack   *fakeslack.Slack
	acme    *fakeslack.Workspace
	ann     *fakeslack.User
	bob     *fakeslack.User
	general *fakeslack.Channel
	token   string
	store   *parley.MemoryStore
	keys    *seal.Keyring
	site    *httptest.Server
	served  atomic.Pointer[node] // who takes requests
	opts    slackapp.Options
	model   *script
	desk    *desk // nil: nobody is told of questions
}

// node is one process.
type node struct {
	hub  *parley.Hub
	runs *agent.Runtime
	app  *slackapp.App
	life *mortal
	stop func()

	permits *permit.Permits // where there is a desk
	outbox  *notify.Outbox
}

func openOffice(t *testing.T, fake *fakeslack.Options, change ...func(*office)) *office {
	t.Helper()
	o := &office{t: t, store: parley.NewMemoryStore(), model: &script{}}
	var err error
	if o.keys, err = seal.New([]byte("a secret of tests, 32 bytes long")); err != nil {
		t.Fatal(err)
	}
	o.slack = fakeslack.New(fake)
	t.Cleanup(o.slack.Close)
	o.site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.served.Load().app.Handler(nil).ServeHTTP(w, r)
	}))
	t.Cleanup(o.site.Close)
	o.slack.SetURLs(o.site.URL+slackapp.EventsPath, o.site.URL+slackapp.InteractionsPath)
	o.acme = o.slack.AddWorkspace("Acme")
	o.ann, o.bob, o.general = o.acme.AddUser("ann"), o.acme.AddUser("bob"), o.acme.AddChannel("general")
	o.token = o.acme.Install().AccessToken
	o.opts = slackapp.Options{
		PublicURL: "https://parley.example", SigningSecret: parley.Secret(o.slack.SigningSecret()), BotToken: parley.Secret(o.token),
		APIURL: o.slack.API(), Agent: "helper", Lease: time.Second, Logger: quiet,
	}
	for _, f := range change {
		f(o)
	}
	o.serve(o.begin())
	return o
}

// serve has a node take requests.
func (o *office) serve(n *node) { o.served.Store(n) }

// begin begins a process.
func (o *office) begin() *node {
	o.t.Helper()
	n := o.make()
	n.start(o.t)
	return n
}

// start has a process do what is to be done.
func (n *node) start(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { _ = n.hub.Run(ctx) })
	all.Go(func() { _ = n.runs.Run(ctx) })
	all.Go(func() { _ = n.app.Run(ctx) })
	if n.outbox != nil {
		all.Go(func() { _ = n.outbox.Run(ctx) })
	}
	n.stop = sync.OnceFunc(func() {
		cancel()
		all.Wait()
		n.life.to.CloseIdleConnections()
	})
	t.Cleanup(n.stop)
}

// make makes a process, which does nothing yet.
func (o *office) make() *node {
	o.t.Helper()
	n := &node{life: &mortal{MemoryStore: o.store, to: &http.Transport{}, died: make(chan struct{})}}
	n.hub = parley.New(n.life, &parley.Options{Sealer: o.keys, Logger: quiet, Hooks: n.hooks()})
	var err error
	if n.runs, err = agent.New(n.hub, n.life, o.keys, &agent.Options{
		Agents: []*agent.Agent{{Name: "helper", Model: o.model, Toolboxes: []agent.Toolbox{asker{}}}, {Name: "other", Model: o.model}},
		Lease:  time.Second, Logger: quiet,
	}); err != nil {
		o.t.Fatal(err)
	}
	opts := o.opts
	opts.Client = &http.Client{Transport: n.life}
	if opts.Tokens, err = vault.New(n.hub, n.life, o.keys, &vault.Options{PublicURL: "https://parley.example", Logger: quiet}); err != nil {
		o.t.Fatal(err)
	}
	o.desk.equip(o, n, &opts)
	if n.app, err = slackapp.New(n.hub, n.runs, n.life, o.keys, &opts); err != nil {
		o.t.Fatal(err)
	}
	n.outbox = o.desk.outbox(o, n)
	return n
}

// kill ends a process between two lines: nothing that it does from now on reaches anybody.
func (n *node) kill() {
	n.life.dead.Store(true)
	n.stop()
}

// mortal is what a process reaches of the world: nothing, once it is dead.
type mortal struct {
	*parley.MemoryStore
	to    *http.Transport
	dead  atomic.Bool
	steps atomic.Int64 // that it has done
	dies  int64        // before that step; 0: never
	died  chan struct{}
	scans atomic.Int64           // of jobs
	after atomic.Pointer[string] // a method of Slack's: it dies when that is done
}

// Scan implements parley.Records.
func (m *mortal) Scan(ctx context.Context, from parley.Address, after string, limit int) ([]parley.Record, error) {
	if from.Kind == "slack_job" {
		m.scans.Add(1)
	}
	return m.MemoryStore.Scan(ctx, from, after, limit)
}

// step is a line between which and the next the process may die.
func (m *mortal) step() bool {
	if m.dies > 0 && m.steps.Add(1) == m.dies {
		m.dead.Store(true)
		close(m.died)
	}
	return m.dead.Load()
}

var errDead = errors.New("this process is dead")

func (m *mortal) Save(ctx context.Context, r parley.Record) (int64, error) {
	if m.step() {
		return 0, errDead
	}
	version, err := m.MemoryStore.Save(ctx, r)
	if m.step() {
		return 0, errDead
	}
	return version, err
}

func (m *mortal) Delete(ctx context.Context, at parley.Address, version int64) error {
	if m.dead.Load() {
		return errDead
	}
	return m.MemoryStore.Delete(ctx, at, version)
}

func (m *mortal) Put(ctx context.Context, r parley.Request, most int) error {
	if m.dead.Load() {
		return errDead
	}
	return m.MemoryStore.Put(ctx, r, most)
}

func (m *mortal) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	if m.dead.Load() {
		return errDead
	}
	return m.MemoryStore.Settle(ctx, id, o)
}

// RoundTrip implements http.RoundTripper.
func (m *mortal) RoundTrip(r *http.Request) (*http.Response, error) {
	if m.step() {
		return nil, errDead
	}
	res, err := m.to.RoundTrip(r)
	if after := m.after.Load(); after != nil && path.Base(r.URL.Path) == *after && m.dead.CompareAndSwap(false, true) {
		close(m.died)
	}
	if m.step() {
		if err == nil {
			_ = res.Body.Close()
		}
		return nil, errDead
	}
	return res, err
}

// script is a model that does what it is told.
type script struct {
	mu    sync.Mutex
	holds map[string]chan struct{} // by word, what the model waits for
}

// hold has the model wait before it says a word.
func (s *script) hold(word string) (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holds == nil {
		s.holds = map[string]chan struct{}{}
	}
	c := make(chan struct{})
	s.holds[word] = c
	return sync.OnceFunc(func() { close(c) })
}

// Generate says what it was told after "say", word by word. "ask" asks the person, and then
// says what was answered; "fail" fails.
func (s *script) Generate(ctx context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	last := p.Messages[len(p.Messages)-1]
	if last.Role == agent.FromTools {
		return s.say(ctx, "You said "+last.Results[0].Text, emit)
	}
	verb, rest, _ := strings.Cut(last.Text, " ")
	switch verb {
	case "ask":
		emit("Let me ask.")
		return agent.Reply{Text: "Let me ask.", Calls: []agent.ToolCall{{ID: "1", Tool: p.Tools[0].Name, Args: []byte(`{}`)}}}, nil
	case "fail":
		return agent.Reply{}, &agent.PublicError{Text: "The model is on holiday."}
	}
	return s.say(ctx, rest, emit)
}

func (s *script) say(ctx context.Context, text string, emit func(string)) (agent.Reply, error) {
	for _, word := range strings.SplitAfter(text, " ") {
		s.mu.Lock()
		held := s.holds[strings.TrimSpace(word)]
		s.mu.Unlock()
		if held != nil {
			select {
			case <-held:
			case <-ctx.Done():
				return agent.Reply{}, context.Cause(ctx)
			}
		}
		emit(word)
	}
	return agent.Reply{Text: text}, nil
}

// asker is a toolbox whose tool asks the person.
type asker struct{}

func (asker) Name() string { return "asker" }

func (asker) Tools(context.Context, agent.Caller) ([]agent.Tool, error) {
	return []agent.Tool{{Name: "ask", Schema: json.RawMessage(`{"type":"object"}`)}}, nil
}

func (asker) Prepare(context.Context, *agent.Invocation) error { return nil }

func (asker) Call(_ context.Context, c *agent.Invocation) (agent.Result, error) {
	if out, ok := c.Answers["q"]; ok {
		return agent.Result{Text: string(out.Outcome.Action)}, nil
	}
	return agent.Result{}, &agent.Pause{Questions: map[string]parley.Request{"q": {From: "asker", Message: "Go on?"}}}
}

func (o *office) within() context.Context {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), patience)
	o.t.Cleanup(cancel)
	return ctx
}

// alice is who ann is here, bert is bob.
var (
	alice = parley.Principal{Tenant: "default", User: "alice", Method: "dev"}
	bert  = parley.Principal{Tenant: "default", User: "bert", Method: "dev"}
)

// token waits for the link that a person is given, and returns its token.
func (o *office) linkFor(in *fakeslack.Channel, who *fakeslack.User) string {
	o.t.Helper()
	m, err := in.WaitForSeen(o.within(), who, func(m fakeslack.Message) bool { return m.Has("parley_link") })
	if err != nil {
		o.t.Fatalf("no link: %v", err)
	}
	u, err := url.Parse(m.Button("parley_link")["url"].(string))
	if err != nil || !strings.HasPrefix(u.String(), "https://parley.example/slack/link?") {
		o.t.Fatalf("%v, %v", u, err)
	}
	return u.Query().Get("token")
}

// link links ann to alice, by a message of hers to the app alone.
func (o *office) link() {
	o.t.Helper()
	o.linkAs(o.ann, alice)
}

func (o *office) linkAs(user *fakeslack.User, who parley.Principal) {
	o.t.Helper()
	user.Say(user.DM(), "say linked "+user.Name)
	token := o.linkFor(user.DM(), user)
	if err := o.served.Load().app.Decide(o.t.Context(), token, who, true); err != nil {
		o.t.Fatal(err)
	}
	o.waitFor(user.DM(), "linked "+user.Name)
}

// waitFor waits for a finished message of the app's with these words.
func (o *office) waitFor(in *fakeslack.Channel, words string) fakeslack.Message {
	o.t.Helper()
	m, err := in.WaitFor(o.within(), func(m fakeslack.Message) bool {
		return m.FromApp && !m.Streaming && !m.Has("parley_stop") && strings.Contains(m.Words(), words)
	})
	if err != nil {
		var all []string
		for _, m := range in.Messages() {
			all = append(all, m.Words())
		}
		o.t.Fatalf("nobody said %q, but %q: %v", words, all, err)
	}
	return m
}

// said is what the app said in a thread.
func (o *office) said(in *fakeslack.Channel, ts string) (all []string) {
	for _, m := range in.Thread(ts) {
		if m.FromApp {
			all = append(all, m.Words())
		}
	}
	return all
}

// waitForJobs waits until nothing is left to do.
func (o *office) waitForJobs() { o.waitForNo(parley.Address{Tenant: "default", Kind: "slack_job"}) }

// waitForTellings waits until everybody was told how all that was asked has ended.
func (o *office) waitForTellings() { o.waitForNo(parley.Address{Kind: "notify_notice"}) }

func (o *office) waitForNo(of parley.Address) {
	o.t.Helper()
	for ctx := o.within(); ; {
		left, err := o.store.Scan(ctx, of, "", 1)
		if err != nil {
			o.t.Fatal(err)
		}
		if len(left) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// question waits for a question to alice.
func (o *office) question(n *node) parley.Request {
	o.t.Helper()
	for ctx := o.within(); ; {
		all, err := n.hub.List(ctx, alice, parley.Query{Pending: true})
		if err != nil {
			o.t.Fatal(err)
		}
		if len(all) > 0 {
			return all[0]
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// waitForParked waits until nobody works on the only job there is.
func (o *office) waitForParked() {
	o.t.Helper()
	records := seal.Records(o.store, o.keys, nil)
	for ctx := o.within(); ; {
		left, err := records.Scan(ctx, parley.Address{Tenant: "default", Kind: "slack_job"}, "", 2)
		if err != nil {
			o.t.Fatal(err)
		}
		var j struct {
			By   string    `json:"by"`
			Next time.Time `json:"next"`
		}
		if len(left) == 1 && json.Unmarshal(left[0].Data, &j) == nil && j.By == "" && j.Next.After(time.Now()) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
