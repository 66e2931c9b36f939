package permit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/storetest"
)

// hooked is a process whose hub has the hooks of permit.
func hooked(t testing.TB, store storetest.Backend, opts *permit.Options) *site {
	t.Helper()
	var s *site
	s = newSiteOn(t, store, opts, &parley.Options{Hooks: []parley.Hook{
		permit.Guard(),
		parley.After(parley.AnsweringValidate, func(ctx context.Context, a *parley.Answering) error { return s.Weigh(ctx, a) }),
		parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return s.Settled(ctx, a) }),
		parley.After(parley.OpeningStore, func(ctx context.Context, o *parley.Opening) error { return s.Opened(ctx, o) }),
	}})
	return s
}

// await asks for a call and opens the question that waits.
func (s *site) await(t testing.TB, c permit.Call) parley.Request {
	t.Helper()
	d, q, err := s.Await(t.Context(), permit.Never, c)
	if err != nil || !d.Ask() || q.ID == "" {
		t.Fatalf("Await = %+v, %+v, %v", d, q, err)
	}
	if q, err = s.hub.Open(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	return q
}

// asked returns the open question to an approver.
func (s *site) asked(t testing.TB, approver string) parley.Request {
	t.Helper()
	list, err := s.hub.List(t.Context(), parley.Principal{User: approver}, parley.Query{Pending: true})
	if err != nil || len(list) != 1 {
		t.Fatalf("%s is asked %d questions, %v", approver, len(list), err)
	}
	return list[0]
}

func (s *site) outcome(t testing.TB, q parley.Request) *parley.Outcome {
	t.Helper()
	q, err := s.hub.Get(t.Context(), parley.Principal{User: q.To}, q.ID)
	if err != nil {
		t.Fatal(err)
	}
	return q.Outcome
}

// wantEnd checks how a question was ended by the program.
func (s *site) wantEnd(t testing.TB, q parley.Request, action parley.Action, reason string) {
	t.Helper()
	o := s.outcome(t, q)
	if o == nil || o.Action != action || !strings.Contains(o.Reason, reason) || o.By != "" {
		t.Errorf("the question to %s: %+v; want %s, %q", q.To, o, action, reason)
	}
}

func TestTheAskerWaitsUntilTheApproversHaveDecided(t *testing.T) {
	s := hooked(t, parley.NewMemoryStore(), quorum(2, "bob", "carol", "dave"))
	wait := s.await(t, transfer())
	if !strings.HasPrefix(wait.Message, "Waiting for 2 of bob, carol and dave to allow this call.\n\nRule: transfers\nService: bank\n") ||
		!strings.Contains(wait.Message, `"amount": 100`) || !wait.OnlyTells() || wait.To != "alice" || wait.Session != "chat-1" {
		t.Errorf("%+v", wait)
	}
	if _, again, err := s.Await(t.Context(), permit.Never, transfer()); err != nil || again.ID != wait.ID {
		t.Errorf("%+v, %v: the same call waits twice", again, err)
	}
	yes := parley.Answer{Action: parley.Accept, Via: "chat"}
	wantError(t, s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, wait.ID, yes), permit.ErrNotYours)
	model := parley.Answer{Action: parley.Decline, Via: "mcp-model"}
	wantError(t, s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, wait.ID, model), permit.ErrModel)

	s.answer(t, s.asked(t, "bob"), says(permit.AllowOnce))
	if o := s.outcome(t, wait); o != nil {
		t.Errorf("%+v: one of two is enough", o)
	}
	dave := s.asked(t, "dave")
	s.answer(t, s.asked(t, "carol"), says(permit.AllowOnce))
	s.wantEnd(t, wait, parley.Accept, "bob and carol allowed it")
	s.wantEnd(t, dave, parley.Cancel, "withdrawn: bob and carol allowed it")
	if d, _, err := s.Await(t.Context(), permit.Never, transfer()); err != nil || d.Status != permit.Granted {
		t.Errorf("%+v, %v", d, err)
	}
	s.wantExecuted(t, transfer())
}

func TestADenialEndsTheWaiting(t *testing.T) {
	s := hooked(t, parley.NewMemoryStore(), quorum(2, "bob", "carol"))
	wait := s.await(t, transfer())
	carol := s.asked(t, "carol")
	s.answer(t, s.asked(t, "bob"), says(permit.Refuse))
	s.wantEnd(t, wait, parley.Decline, "bob denied it")
	s.wantEnd(t, carol, parley.Cancel, "bob denied it")
	if d, _, err := s.Await(t.Context(), permit.Never, transfer()); err != nil || d.Status != permit.Denied {
		t.Errorf("%+v, %v", d, err)
	}
	s.wantRefused(t, transfer(), permit.Denied)
}

func TestWhoTakesTheirCallBackClosesTheQuestionsOfTheApprovers(t *testing.T) {
	s := hooked(t, parley.NewMemoryStore(), quorum(1, "bob", "carol"))
	wait := s.await(t, transfer())
	bob, carol := s.asked(t, "bob"), s.asked(t, "carol")
	if err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, wait.ID, parley.Answer{Action: parley.Decline, Via: "chat"}); err != nil {
		t.Fatal(err)
	}
	for _, q := range []parley.Request{bob, carol} {
		s.wantEnd(t, q, parley.Cancel, "taken back")
	}
	s.wantRefused(t, transfer(), permit.Required)
	// So does the program, when its run is stopped.
	other := s.await(t, with(transfer(), func(c *permit.Call) { c.ID = "2" }))
	bob = s.asked(t, "bob")
	if err := s.hub.Cancel(t.Context(), other.ID, "the conversation was stopped"); err != nil {
		t.Fatal(err)
	}
	s.wantEnd(t, bob, parley.Cancel, "taken back")
}

func TestAnotherConversationWaitsForTheSameApproversAndOneCallIsMade(t *testing.T) {
	s := hooked(t, parley.NewMemoryStore(), quorum(1, "bob", "carol"))
	second := with(transfer(), func(c *permit.Call) { c.ID, c.Session = "run-2/call-1", "chat-2" })
	third := with(transfer(), func(c *permit.Call) { c.ID, c.Session = "run-3/call-1", "chat-3" })
	one, two, three := s.await(t, transfer()), s.await(t, second), s.await(t, third)
	if asked := s.questions(t, "bob", "carol"); len(asked["bob"]) != 1 || len(asked["carol"]) != 1 {
		t.Errorf("asked %v", asked)
	}
	// One of them goes: the others wait on.
	if err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, three.ID, parley.Answer{Action: parley.Decline, Via: "chat"}); err != nil {
		t.Fatal(err)
	}
	s.answer(t, s.asked(t, "bob"), says(permit.AllowOnce))
	s.wantEnd(t, one, parley.Accept, "bob allowed it")
	s.wantEnd(t, two, parley.Accept, "bob allowed it")
	s.wantExecuted(t, second)
	s.wantRefused(t, transfer(), permit.Required)
	next := s.await(t, transfer())
	if next.ID == one.ID {
		t.Error("it waits for what was used up")
	}
	s.answer(t, s.asked(t, "carol"), says(permit.AllowOnce))
	s.wantEnd(t, next, parley.Accept, "carol allowed it")
	s.wantExecuted(t, transfer())
	if n := s.server.count(); n != 2 {
		t.Errorf("executed %d times", n)
	}
}

// The process dies after an approver's answer is stored and before anything follows
// from it; another finds it.
func TestAnAnswerWhoseProcessDiedIsFound(t *testing.T) {
	onEveryStore(t, func(t *testing.T, one, two *site) {
		opts := quorum(1, "bob", "carol")
		opts.SweepEvery, opts.Logger = 10*time.Millisecond, quiet
		dying, living := one.again(t, opts), hooked(t, two.store, opts) // the first has no hooks: it never gets to them
		wait := dying.await(t, transfer())
		carol := living.asked(t, "carol")
		dying.answer(t, living.asked(t, "bob"), says(permit.AllowOnce))
		if o := living.outcome(t, wait); o != nil {
			t.Fatalf("%+v: nobody should have noticed", o)
		}
		ctx, stop := context.WithCancel(t.Context())
		over := make(chan error, 1)
		go func() { over <- living.Run(ctx) }()
		if o, err := living.hub.Wait(t.Context(), wait.ID); err != nil || o.Action != parley.Accept || o.Reason != "bob allowed it" {
			t.Errorf("%+v, %v", o, err)
		}
		if o, err := living.hub.Wait(t.Context(), carol.ID); err != nil || o.Action != parley.Cancel {
			t.Errorf("%+v, %v", o, err)
		}
		stop()
		<-over
		living.wantExecuted(t, transfer())
	})
}

// The decision is there before the question that waits for it is open.
func TestAQuestionThatIsOpenedAfterTheDecisionIsSettled(t *testing.T) {
	for _, alive := range []bool{true, false} {
		t.Run(fmt.Sprint(alive), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opts := quorum(1, "bob")
				opts.Logger = quiet
				living := hooked(t, parley.NewMemoryStore(), opts)
				opening := living
				if !alive { // it dies right after it has opened the question
					opening = living.again(t, opts)
				}
				_, q, err := opening.Await(t.Context(), permit.Never, transfer())
				if err != nil {
					t.Fatal(err)
				}
				living.answer(t, living.asked(t, "bob"), says(permit.Refuse))
				if q, err = opening.hub.Open(t.Context(), q); err != nil {
					t.Fatal(err)
				}
				if !alive {
					ctx, stop := context.WithCancel(t.Context())
					go living.Run(ctx)
					synctest.Wait()
					stop()
				}
				living.wantEnd(t, q, parley.Decline, "bob denied it")
				wait, err := living.store.Scan(t.Context(), parley.Address{Tenant: "-approvals", Kind: "permission_waiting"}, "", 0)
				if err != nil || len(wait) != 0 {
					t.Errorf("still listed: %v, %v", wait, err)
				}
			})
		})
	}
}

func TestApproversHaveAsLongAsTheirRuleSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := quorum(1, "bob")
		opts.Conditions[0].TTL = 72 * time.Hour
		s := hooked(t, parley.NewMemoryStore(), opts)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go s.hub.Run(ctx)
		wait := s.await(t, transfer())
		if later := wait.Expires.Sub(s.asked(t, "bob").Expires); later <= 0 || later > 10*time.Second {
			t.Errorf("the person reads a time that is %v behind the approver's", later)
		}
		time.Sleep(71 * time.Hour)
		if o := s.outcome(t, wait); o != nil {
			t.Fatalf("%+v", o)
		}
		time.Sleep(61 * time.Minute)
		s.wantEnd(t, wait, parley.Decline, "too few approvers answered in time")
		stop()
		synctest.Wait()
	})
	for _, wrong := range []time.Duration{-1, 400 * 24 * time.Hour} {
		err := permit.Condition{Name: "x", Approve: permit.Always, TTL: wrong}.Validate()
		if wantError(t, err, permit.ErrCondition); !strings.Contains(err.Error(), "366 days at most") {
			t.Error(err)
		}
	}
}

// The question that waits is not what the approvers have time for.
func TestACallWhoseWaitingExpiredWaitsAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := quorum(1, "bob")
		opts.Conditions[0].TTL = 72 * time.Hour
		s := hooked(t, parley.NewMemoryStore(), opts)
		_, q, err := s.Await(t.Context(), permit.Never, transfer())
		if err != nil {
			t.Fatal(err)
		}
		q.Expires = time.Now().Add(time.Hour)
		if q, err = s.hub.Open(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		if o, err := s.hub.Wait(t.Context(), q.ID); err != nil || o.Action != parley.Expire {
			t.Fatalf("%+v, %v", o, err)
		}
		next := s.await(t, transfer())
		if next.ID == q.ID {
			t.Error("it waits for what is over")
		}
		s.answer(t, s.asked(t, "bob"), says(permit.AllowOnce))
		s.wantEnd(t, next, parley.Accept, "bob allowed it")
	})
}

func TestThePanelSaysWhoHasAnswered(t *testing.T) {
	s := hooked(t, parley.NewMemoryStore(), quorum(2, "bob", "carol", "dave"))
	wait := s.await(t, transfer())
	s.answer(t, s.asked(t, "carol"), says(permit.Refuse))
	panel, err := s.Panel(t.Context(), wait)
	if err != nil || panel.Need != 2 || len(panel.People) != 3 || len(panel.Open()) != 2 {
		t.Fatalf("%+v, %v", panel, err)
	}
	if one := panel.People[1]; one.Name != "carol" || one.Said != permit.Refuse || one.At.IsZero() {
		t.Errorf("%+v", one)
	}
	if one := panel.People[0]; one.Name != "bob" || one.Said != "" || !one.At.IsZero() {
		t.Errorf("%+v", one)
	}
	if panel, err := s.Panel(t.Context(), s.asked(t, "bob")); err != nil || panel.Need != 2 || len(panel.People) != 3 {
		t.Errorf("%+v, %v: of a question to an approver", panel, err)
	}
	forged := s.asked(t, "bob")
	forged.ID = parley.NewID()
	if panel, err := s.Panel(t.Context(), forged); err != nil || len(panel.People) != 0 {
		t.Errorf("%+v, %v: of a question that waits for nobody", panel, err)
	}
}

func TestOneMoreApproverCanBeAsked(t *testing.T) {
	s := hooked(t, parley.NewMemoryStore(), quorum(1, "bob"))
	wait := s.await(t, transfer())
	bob := s.asked(t, "bob")
	for range 2 {
		if err := s.AskAlso(t.Context(), bob, "erin"); err != nil {
			t.Fatal(err)
		}
	}
	erin := s.asked(t, "erin")
	if erin.Message != bob.Message {
		t.Errorf("%q", erin.Message)
	}
	wantError(t, s.AskAlso(t.Context(), bob, "alice"), parley.ErrNotFound)
	wantError(t, s.AskAlso(t.Context(), wait, "frank"), parley.ErrNotFound)
	for name, forge := range map[string]func(*parley.Request){
		"other words":       func(q *parley.Request) { q.Message = "Allow lunch?" },
		"another question":  func(q *parley.Request) { q.ID = parley.NewID() },
		"another person":    func(q *parley.Request) { q.To = "mallory" },
		"another gathering": func(q *parley.Request) { q.Labels[permit.LabelQuorum] += "9" },
		"another asker":     func(q *parley.Request) { q.Labels[permit.LabelAsker] = "dave" },
		"another tenant":    func(q *parley.Request) { q.Tenant = "other" },
	} {
		forged := bob.Clone()
		forge(&forged)
		if err := s.AskAlso(t.Context(), forged, "frank"); !errors.Is(err, parley.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(pendingOf(t, s, "frank")); n != 0 {
		t.Errorf("frank is asked %d questions", n)
	}
	s.gather(t, transfer(), permit.Required)
	s.answer(t, erin, says(permit.AllowOnce))
	s.wantEnd(t, wait, parley.Accept, "erin allowed it")
	s.wantEnd(t, bob, parley.Cancel, "erin allowed it")
	if err := s.AskAlso(t.Context(), bob, "frank"); !errors.Is(err, parley.ErrSettled) || strings.Contains(err.Error(), "store") {
		t.Errorf("%v; want that it is decided, at once", err)
	}
	s.wantExecuted(t, transfer())
}
