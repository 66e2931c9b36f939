package remote_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/remote"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/seal"
)

// ownWorld is a world whose desk is a tenant's own.
func ownWorld(t *testing.T, d *desk) *world {
	t.Helper()
	w := newWorld(t, d)
	w.own, w.opts.Tenant = true, "a tenant/of many"
	return w
}

// An agent that is no agent of the runtime is told the task, asks, and goes on with the
// same task after its process has died.
func TestAQuestionOfATenantsAgentOutlivesItsProcess(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		d.work = booking
		w := ownWorld(t, d)
		first := w.node()
		ref := first.say("Book a trip.")
		q := first.question()
		if q.From != "desk" || q.Message != "Where to?" {
			t.Errorf("asked %+v", q)
		}
		first.kill()
		next := w.node()
		if same := next.question(); same.ID != q.ID {
			t.Errorf("%s is asked in the place of %s", same.ID, q.ID)
		}
		next.answer(q, parley.Accept, `{"city":"Oslo","nights":3}`)
		if got := next.reply(ref); got != `booked: accept {"city":"Oslo","nights":3} done` {
			t.Error(got)
		}
		d.one()
		if got := d.got(); len(got) != 2 || got[0].Parts[0].Text() != "Book a trip." {
			t.Errorf("it got %d messages: %+v", len(got), got[0])
		}
	})
}

// The task is looked after by a process that never spoke to the agent.
func TestATaskOfATenantsAgentThatMovesOnIsSeenByTheNextProcess(t *testing.T) {
	d := &desk{work: booking, extension: true, streaming: true}
	w := ownWorld(t, d)
	first := w.node()
	ref := first.say("Book a trip.")
	first.question()
	first.kill()
	d.cancelAtHome()
	next := w.node()
	if got := next.reply(ref); got != "desk did not finish: the task was cancelled there. done" {
		t.Error(got)
	}
	next.questions(0)
	next.until("nothing is looked after", func() bool { return len(w.waits(next)) == 0 })
}

// waits are the keys of what is looked after, of tenants' agents.
func (w *world) waits(n *node) (keys []string) {
	w.t.Helper()
	records := seal.Records(n.hub.Records(), w.keys, nil)
	for r, err := range parley.Each(w.t.Context(), records, parley.Address{Tenant: "-a2a", Kind: "a2a_wait_own"}, "") {
		if err != nil {
			w.t.Fatal(err)
		}
		keys = append(keys, r.Key)
	}
	return keys
}

// An agent that was removed is asked no more, and whoever answers is told.
func TestAnAnswerToAnAgentThatWasRemovedIsNotSent(t *testing.T) {
	d := &desk{work: booking, extension: true}
	w := ownWorld(t, d)
	n := w.node()
	ref := n.say("Book a trip.")
	q := n.question()
	if keys := w.waits(n); len(keys) != 1 || keys[0] != "a%20tenant%2Fof%20many/desk/"+string(q.ID) {
		t.Errorf("looked after: %v", keys)
	}
	w.gone.Store(true)
	n.answer(q, parley.Accept, `{"city":"Oslo","nights":3}`)
	if got := n.reply(ref); got != "desk is no longer there. done" {
		t.Error(got)
	}
	if len(d.got()) != 1 {
		t.Error("it was told the answer")
	}
	n.until("nothing is looked after", func() bool { return len(w.waits(n)) == 0 })
}

// A call that was begun with one kind of credential does not go on with another.
func TestAnAnswerDoesNotGoThroughAnotherDoor(t *testing.T) {
	for before, after := range map[string]string{"bearer|user": "bearer|platform", "": "bearer|user", "oauth2|user": ""} {
		t.Run(before+" to "+after, func(t *testing.T) {
			d := &desk{work: booking, extension: true}
			w := ownWorld(t, d)
			w.opts.Door = before
			first := w.node()
			ref := first.say("Book a trip.")
			q := first.question()
			first.kill()
			w.opts.Door = after
			d.cancelAtHome()
			asked := len(d.asked("GetTask"))
			next := w.node()
			next.answer(q, parley.Accept, `{"city":"Oslo","nights":3}`)
			if got := next.reply(ref); got != "desk takes another credential by now than when this task was begun, so nothing was sent there. Begin it anew. done" {
				t.Error(got)
			}
			if len(d.got()) != 1 || len(d.asked("GetTask")) != asked {
				t.Error("it was spoken to with another credential")
			}
		})
	}
}

// A task that was begun with one kind of credential is not looked after with another.
func TestATaskIsNotLookedAfterThroughAnotherDoor(t *testing.T) {
	d := &desk{work: booking, extension: true}
	w := ownWorld(t, d)
	first := w.node()
	first.say("Book a trip.")
	q := first.question()
	first.until("it is looked after", func() bool { return len(d.asked("GetTask")) > 0 })
	first.kill()
	w.opts.Door = "bearer|user"
	d.cancelAtHome()
	before := len(d.asked("GetTask"))
	next := w.node()
	began := w.looks(next)
	next.until("it was looked for twice", func() bool { return w.looks(next) >= began+2 })
	if n := len(d.asked("GetTask")) - before; n != 0 {
		t.Errorf("it was asked %d times with another credential", n)
	}
	if still := next.question(); still.ID != q.ID {
		t.Errorf("%s is asked in the place of %s", still.ID, q.ID)
	}
}

// looks is the version of the record of the only question: it grows with each look.
func (w *world) looks(n *node) int64 {
	w.t.Helper()
	for r, err := range parley.Each(w.t.Context(), seal.Records(n.hub.Records(), w.keys, nil), parley.Address{Tenant: "-a2a", Kind: "a2a_wait_own"}, "") {
		if err != nil {
			w.t.Fatal(err)
		}
		return r.Version
	}
	w.t.Fatal("nothing is looked after")
	return 0
}

// leave allows what it is told, and counts how often that is used up.
type leave struct {
	mu     sync.Mutex
	denied bool
	used   int
	spent  map[string]bool // the calls that used it up
	kept   []byte          // of the state of the last invocation
}

func (l *leave) Clear(_ context.Context, c *agent.Invocation) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	q, asked := c.Answers["approval-"+c.ID]
	switch {
	case l.denied:
		return &agent.Denied{Reason: "It is never allowed."}
	case !asked:
		return &agent.Pause{State: []byte(`{"journal":{"call":1}}`), Questions: map[string]parley.Request{"approval-" + c.ID: {From: "desk", Message: "May it?", Trigger: parley.TriggerApproval}}}
	case q.Outcome.Action != parley.Accept:
		return &agent.Denied{Reason: "The person denied this call."}
	}
	l.kept = c.State
	return nil
}

func (l *leave) Admit(ctx context.Context, c *agent.Invocation) error {
	if err := l.Clear(ctx, c); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.spent[c.ID] {
		return &agent.PublicError{Text: "This call may have been made already."}
	}
	if l.spent == nil {
		l.spent = map[string]bool{}
	}
	l.used++
	l.spent[c.ID] = true
	return nil
}

// A task that has to be allowed is sent when it is, which is used up once, whatever dies
// afterwards.
func TestATaskThatIsAllowedUsesThatUpOnce(t *testing.T) {
	h := newHeld(0, false)
	defer h.let()
	arrived := h.arrived
	d := &desk{work: booking, binding: "rest", extension: true, listing: true, front: h.front}
	w := ownWorld(t, d)
	rules := &leave{}
	w.opts.Leave = rules
	first := w.node()
	ref := first.say("Book a trip.")
	q := first.asks("May it?")
	if len(d.got()) != 0 {
		t.Error("it has the task before that is allowed")
	}
	first.answer(q, parley.Accept, "")
	<-arrived
	first.kill()
	next := w.node()
	next.answer(next.asks("Where to?"), parley.Accept, `{"city":"Oslo","nights":3}`)
	if got := next.reply(ref); got != `booked: accept {"city":"Oslo","nights":3} done` {
		t.Error(got)
	}
	if d.one(); rules.used != 1 || !json.Valid(rules.kept) || !strings.Contains(string(rules.kept), `"journal"`) {
		t.Errorf("used up %d times, with %s", rules.used, rules.kept)
	}
}

// Somebody whose credential the agent does not take gives another one. What was allowed
// was used up for nothing, and for another account: it is allowed anew, as with MCP.
func TestATaskThatIsAllowedIsAllowedAnewForAnotherCredential(t *testing.T) {
	good := &sync.Map{}
	good.Store("Bearer two", true)
	d := &desk{work: booking, extension: true, front: guarded(good)}
	w := ownWorld(t, d)
	base := &http.Transport{}
	t.Cleanup(base.CloseIdleConnections)
	key, rules := &purse{base: base, key: "one"}, &leave{}
	w.opts.Access, w.opts.Leave = key, rules
	n := w.node()
	ref := n.say("Book a trip.")
	n.answer(n.asks("May it?"), parley.Accept, "")
	q := n.asks("Connect desk.")
	key.set("two")
	n.answer(q, parley.Accept, "{}")
	again := n.asks("May it?")
	n.kill()
	n = w.node()
	n.answer(again, parley.Accept, "")
	n.answer(n.asks("Where to?"), parley.Accept, `{"city":"Oslo","nights":3}`)
	if got := n.reply(ref); got != `booked: accept {"city":"Oslo","nights":3} done` || rules.used != 2 {
		t.Errorf("used up %d times: %s", rules.used, got)
	}
	d.one()
}

func TestATaskThatIsNotAllowedIsNotSent(t *testing.T) {
	for name, want := range map[string]string{"by a rule": "It is never allowed. done", "by the person": "The person denied this call. done"} {
		t.Run(name, func(t *testing.T) {
			d := &desk{work: booking, extension: true}
			w := ownWorld(t, d)
			w.opts.Leave = &leave{denied: name == "by a rule"}
			n := w.node()
			ref := n.say("Book a trip.")
			if name == "by the person" {
				n.answer(n.asks("May it?"), parley.Decline, "")
			}
			if got := n.reply(ref); got != want {
				t.Error(got)
			}
			if len(d.got()) != 0 {
				t.Error("it has the task")
			}
		})
	}
}

// models see what the card says the agent is for, and nobody sees more of it than that.
func TestADelegateIsDescribedByItsCard(t *testing.T) {
	d := &desk{work: booking, extension: true, card: func(c *a2a.AgentCard) { c.Description = "Books trips. " + strings.Repeat("ü", 1000) }}
	w := ownWorld(t, d)
	there := w.alone(t)
	tools, err := there.Delegate().Tools(t.Context(), agent.Caller{Principal: alice})
	if err != nil || len(tools) != 1 || tools[0].Name != "task" || !strings.HasPrefix(tools[0].Description, "Hands a task to the agent desk and returns its answer. Books trips. ü") ||
		len(tools[0].Description) > 700 || strings.ToValidUTF8(tools[0].Description, "") != tools[0].Description || !strings.Contains(string(tools[0].Schema), `"task"`) {
		t.Errorf("%+v, %v", tools, err)
	}
}

// alone is the desk, without a process around it.
func (w *world) alone(t *testing.T) *remote.Remote {
	t.Helper()
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{Logger: quiet})
	opts := w.opts
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	opts.Name, opts.URL, opts.Hub, opts.Records, opts.Cards, opts.Base = "desk", w.desk.url, hub, hub.Records(), transport, transport
	there, err := remote.New(&opts)
	if err != nil {
		t.Fatal(err)
	}
	return there
}

// How an agent is says its card, or why that cannot be used.
func TestHowAnAgentIsSaysItsCard(t *testing.T) {
	for name, c := range map[string]struct {
		card  func(*a2a.AgentCard)
		front func(http.Handler) http.Handler
		want  string
	}{
		"as it should be": {},
		"elsewhere": {card: func(c *a2a.AgentCard) { c.SupportedInterfaces[0].URL = "https://evil.example/rpc" },
			want: "desk has a card that sends its callers to another host (evil.example). If that is right, tell the administrator to name that host."},
		"guarded": {card: func(c *a2a.AgentCard) {
			c.SecurityRequirements = []a2a.SecurityRequirements{{"oauth": nil}}
		}, want: "desk asks in its card for a credential (oauth), and none is set up for it here. Tell the administrator to set auth with PATCH /api/servers/desk."},
		"not there": {front: func(http.Handler) http.Handler { return http.NotFoundHandler() }, want: "desk answers with HTTP status 404."},
		"large": {front: func(http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 1<<20)) })
		}, want: "desk has a card of more than 256 KiB, which is not taken."},
		"a redirect": {front: func(http.Handler) http.Handler {
			return http.RedirectHandler("https://evil.example/", http.StatusFound)
		}, want: "desk answers with HTTP status 302."},
	} {
		t.Run(name, func(t *testing.T) {
			w := ownWorld(t, &desk{work: booking, extension: true, card: c.card, front: c.front})
			there := w.alone(t)
			since, problem := there.Status(t.Context())
			got := ""
			if problem != nil {
				got = problem.Error()
			}
			if got != c.want || since.IsZero() {
				t.Errorf("since %v: %q", since, got)
			}
			if again, _ := there.Status(t.Context()); !again.Equal(since) {
				t.Errorf("since %v, and then since %v", since, again)
			}
		})
	}
}
