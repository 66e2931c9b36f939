package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

func helper(model agent.Model, boxes ...agent.Toolbox) *agent.Agent {
	return &agent.Agent{Name: "helper", Model: model, Toolboxes: boxes}
}

func TestATurnIsToldFromItsStartToEveryFollower(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "tracker"}
		n := w.node(helper(callOnce("tracker__do"), b))
		ref := n.say("c", "hello")
		first := n.follow(ref).rest()
		want := []string{
			"started", "step_started", "called tracker__do tracker", "succeeded tracker did it", "step_finished",
			"step_started", "text_started", "text_delta tracker did it", "text_finished", "step_finished", "finished done",
		}
		if diff := cmp.Diff(want, first); diff != "" {
			t.Errorf("live: %s", diff)
		}
		if diff := cmp.Diff(want, n.follow(ref).rest()); diff != "" {
			t.Errorf("replay on the same node: %s", diff)
		}
		if diff := cmp.Diff(want, w.node(helper(callOnce(), b)).follow(ref).rest()); diff != "" {
			t.Errorf("replay on another node: %s", diff)
		}
	})
}

func TestARunWaitsForThePersonAndGoesOnWhereItStopped(t *testing.T) {
	for _, action := range []parley.Action{parley.Accept, parley.Decline, parley.Cancel} {
		inABubble(t, func(t *testing.T, w *world) {
			b := &box{name: "tracker", prepare: needsAnswer}
			n := w.node(helper(callOnce("tracker__do"), b))
			s := n.follow(n.say("c", "hello"))
			q := s.until(agent.Asked).Question
			if q.To != "alice" || q.Session != "c" || q.From != "box" || !q.Pending() {
				t.Errorf("asked %+v", q)
			}
			time.Sleep(5 * time.Minute)
			if b.called() != 0 {
				t.Fatal("the tool was called before the answer")
			}
			n.answer(q, action)
			if e := s.until(agent.Answered); e.Question.Outcome.Action != action {
				t.Errorf("answered %+v", e.Question.Outcome)
			}
			want, calls := "tracker did it done", 1
			if action != parley.Accept {
				want, calls = "the user said "+string(action)+" done", 0
			}
			if got := s.reply(); got != want || b.called() != calls {
				t.Errorf("%s: %q after %d calls", action, got, b.called())
			}
		})
	}
}

func TestAQuestionThatNobodyAnswersExpiresAndTheTurnGoesOn(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		n := w.node(helper(callOnce("tracker__do"), &box{name: "tracker", prepare: needsAnswer}))
		start := time.Now()
		if got := n.follow(n.say("c", "hello")).reply(); got != "the user said expire done" {
			t.Errorf("got %q", got)
		}
		if took := time.Since(start); took < 10*time.Minute || took > 10*time.Minute+10*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

func TestTheAnswerOnAnotherNodeContinuesTheRun(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		a := helper(callOnce("tracker__do"), &box{name: "tracker", prepare: needsAnswer})
		first, second := w.node(a), w.node(a)
		s := first.follow(first.say("c", "hello"))
		q := s.until(agent.Asked).Question
		start := time.Now()
		second.answer(q, parley.Accept)
		if got := s.reply(); got != "tracker did it done" {
			t.Errorf("got %q", got)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("took %v", took)
		}
	})
}

func TestARunThatWaitsCostsNothingButItsRecord(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		w.most = agent.Limits{PerPerson: -1}
		n := w.node(helper(callOnce("tracker__do"), &box{name: "tracker", prepare: needsAnswer}))
		for range 50 {
			n.say("c", "hello")
		}
		time.Sleep(time.Minute)
		leases, err := w.store.Scan(t.Context(), parley.Address{Tenant: "-runs", Kind: "run_lease"}, "", 0)
		if err != nil || len(leases) != 0 {
			t.Errorf("%d runs that wait have a lease, %v", len(leases), err)
		}
	})
}

// The process dies while the question waits; the answer comes to another one.
func TestAKilledNodesWaitingRunIsContinuedByAnother(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "tracker", prepare: needsAnswer}
		a := helper(callOnce("tracker__do"), b)
		first := w.node(a)
		ref := first.say("c", "hello")
		q := first.follow(ref).until(agent.Asked).Question
		first.kill()
		second := w.node(a)
		second.answer(q, parley.Accept)
		if got := second.follow(ref).reply(); got != "tracker did it done" || b.called() != 1 {
			t.Errorf("got %q after %d calls", got, b.called())
		}
	})
}

// The question is written down, and the process dies before it is opened.
func TestAQuestionThatWasWrittenDownIsOpenedByTheNextProcess(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "tracker", prepare: needsAnswer}
		a := helper(callOnce("tracker__do"), b)
		first := w.node(a)
		died := first.dieWhenAsking()
		ref := first.say("c", "hello")
		<-died
		first.kill()
		second := w.node(a)
		s := second.follow(ref)
		second.answer(s.until(agent.Asked).Question, parley.Accept)
		if got := s.reply(); got != "tracker did it done" || b.called() != 1 {
			t.Errorf("got %q after %d calls", got, b.called())
		}
	})
}

// The process dies at every point of the run in turn; the run always ends, and
// the tool is never called twice.
func TestARunSurvivesADeathAtAnyOfItsSteps(t *testing.T) {
	for at := range 30 {
		inABubble(t, func(t *testing.T, w *world) {
			b := &box{name: "tracker", prepare: needsAnswer}
			a := helper(callOnce("tracker__do"), b)
			first := w.node(a)
			ref, err := first.Start(t.Context(), alice, agent.Message{Agent: "helper", Conversation: "c", Text: "x", CanAsk: true})
			if err != nil {
				t.Fatal(err)
			}
			seen, start := 0, time.Now()
			f := first.Follow(alice, ref)
			for seen < at {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				e, err := f.Next(ctx)
				cancel()
				if err != nil {
					break
				}
				seen++
				if e.Type == agent.Asked {
					first.answer(e.Question, parley.Accept)
				}
			}
			f.Close()
			first.kill()
			second := w.node(a)
			s := second.follow(ref)
			var told []string
			for {
				e := s.next()
				told = append(told, line(e))
				if e.Type == agent.Asked {
					_ = second.hub.Answer(t.Context(), alice, e.Question.ID, parley.Answer{Action: parley.Accept})
				}
				if e.Type == agent.Finished {
					if e.Reason != agent.Done {
						t.Errorf("at %d: %s %s", at, e.Reason, e.Text)
					}
					break
				}
			}
			if b.called() != 1 {
				t.Errorf("at %d: the tool was called %d times after %v: %q", at, b.called(), time.Since(start), told)
			}
			questions, err := w.store.List(t.Context(), parley.Query{})
			if err != nil || len(questions) != 1 {
				t.Errorf("at %d: the person was asked %d times, %v", at, len(questions), err)
			}
		})
	}
}

func TestACallThatHadStartedIsNotRepeatedUnlessItIsHarmless(t *testing.T) {
	yes := true
	for name, c := range map[string]struct {
		tool  agent.Tool
		calls int
		says  string
	}{
		"anything":   {agent.Tool{Name: "do"}, 1, "unknown"},
		"read-only":  {agent.Tool{Name: "do", ReadOnly: &yes}, 2, "tracker did it"},
		"idempotent": {agent.Tool{Name: "do", Idempotent: &yes}, 2, "tracker did it"},
	} {
		t.Run(name, func(t *testing.T) {
			inABubble(t, func(t *testing.T, w *world) {
				hanging := true
				b := &box{name: "tracker", tools: func(agent.Caller) ([]agent.Tool, error) { return []agent.Tool{c.tool}, nil }}
				b.call = func(ctx context.Context, _ *agent.Invocation) (agent.Result, error) {
					if hanging {
						<-ctx.Done()
						return agent.Result{}, ctx.Err()
					}
					return agent.Result{Text: "tracker did it"}, nil
				}
				a := helper(callOnce("tracker__do"), b)
				first := w.node(a)
				ref := first.say("c", "hello")
				synctest.Wait()
				first.kill()
				hanging = false
				start := time.Now()
				got := w.node(a).follow(ref).reply()
				if !strings.Contains(got, c.says) || b.called() != c.calls {
					t.Errorf("%q after %d calls", got, b.called())
				}
				if took := time.Since(start); took > 13*time.Second {
					t.Errorf("another node went on after %v; a lease has 10 s", took)
				}
			})
		})
	}
}

func TestAStoppedNodeLetsItsRunsGoAtOnce(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		yes := true
		b := &box{name: "tracker", tools: func(agent.Caller) ([]agent.Tool, error) {
			return []agent.Tool{{Name: "do", ReadOnly: &yes}}, nil
		}}
		first := true
		b.call = func(ctx context.Context, _ *agent.Invocation) (agent.Result, error) {
			if first {
				<-ctx.Done()
				return agent.Result{}, ctx.Err()
			}
			return agent.Result{Text: "done at last"}, nil
		}
		a := helper(callOnce("tracker__do"), b)
		n := w.node(a)
		ref := n.say("c", "x")
		synctest.Wait()
		n.stop()
		first = false
		start := time.Now()
		if got := w.node(a).follow(ref).reply(); got != "done at last done" {
			t.Errorf("got %q", got)
		}
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

func TestWithoutAClientThatAsksThereIsNoQuestionAndNoWait(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "tracker", prepare: needsAnswer}
		n := w.node(helper(callOnce("tracker__do"), b))
		ref, err := n.Start(t.Context(), alice, agent.Message{Agent: "helper", Conversation: "c", Text: "x"})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		s := n.follow(ref)
		if e := s.until(agent.Withheld); e.Question.Message != "Go on?" || e.Box != "tracker" {
			t.Errorf("withheld %+v", e)
		}
		if got := s.reply(); !strings.Contains(got, "[box] Go on?") {
			t.Errorf("the model was told %q", got)
		}
		if time.Since(start) > time.Second || b.called() != 0 {
			t.Errorf("took %v, %d calls", time.Since(start), b.called())
		}
		if list, _ := w.store.List(t.Context(), parley.Query{}); len(list) != 0 {
			t.Errorf("%d questions", len(list))
		}
	})
}

func TestCallsOfOneStepGoOnSideBySide(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		slow := &box{name: "slow", call: func(context.Context, *agent.Invocation) (agent.Result, error) {
			time.Sleep(time.Second)
			return agent.Result{Text: "slow"}, nil
		}}
		asks := &box{name: "asks", prepare: needsAnswer}
		n := w.node(helper(callOnce("slow__do", "asks__do", "slow__do", "asks__do"), slow, asks))
		start := time.Now()
		s := n.follow(n.say("c", "x"))
		questions := []*parley.Request{s.until(agent.Asked).Question, s.until(agent.Asked).Question}
		n.answer(questions[1], parley.Decline)
		n.answer(questions[0], parley.Accept)
		got := s.reply()
		if took := time.Since(start); took > 1500*time.Millisecond {
			t.Errorf("took %v", took)
		}
		if strings.Count(got, "slow") != 2 || strings.Count(got, "asks did it") != 1 || strings.Count(got, "declin") != 1 {
			t.Errorf("got %q", got)
		}
	})
}

func TestACallThatPausesInTheMiddleGoesOnWithItsState(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "tracker"}
		b.call = func(_ context.Context, c *agent.Invocation) (agent.Result, error) {
			switch string(c.State) {
			case "":
				return agent.Result{}, &agent.Pause{State: []byte("one"), Questions: map[string]parley.Request{"a": {Message: "First?"}}}
			case "one":
				return agent.Result{}, &agent.Pause{State: []byte("two"), Questions: map[string]parley.Request{"b": {Message: "Second?"}}}
			}
			return agent.Result{Text: string(c.State) + string(c.Answers["a"].Outcome.Action) + string(c.Answers["b"].Outcome.Action)}, nil
		}
		a := helper(callOnce("tracker__do"), b)
		first := w.node(a)
		ref := first.say("c", "x")
		first.answer(first.follow(ref).until(agent.Asked).Question, parley.Accept)
		s := first.follow(ref)
		s.until(agent.Asked)
		q := s.until(agent.Asked).Question
		first.kill() // between two rounds
		second := w.node(a)
		second.answer(q, parley.Decline)
		if got := second.follow(ref).reply(); got != "twoacceptdecline done" {
			t.Errorf("got %q", got)
		}
	})
}

func TestAServerThatWaitsOnItsConnectionIsAnsweredInLine(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "tracker", call: func(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
			o, err := c.Ask(ctx, "q", parley.Request{From: "tracker", Message: "Which?"})
			return agent.Result{Text: "it was " + string(o.Action)}, err
		}}
		n := w.node(helper(callOnce("tracker__do"), b))
		s := n.follow(n.say("c", "x"))
		q := s.until(agent.Asked).Question
		time.Sleep(3 * time.Minute) // several leases
		n.answer(q, parley.Accept)
		if got := s.reply(); got != "it was accept done" || b.called() != 1 {
			t.Errorf("got %q after %d calls", got, b.called())
		}
	})
}

func TestARunOfASessionIsNothingToAPersonOfItsName(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		n := w.node(helper(callOnce("tracker__do"), &box{name: "tracker", prepare: needsAnswer}))
		session := parley.SessionPrincipal("", "x")
		ref, err := n.Start(t.Context(), session, agent.Message{Agent: "helper", Conversation: "c", Text: "secret", CanAsk: true})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		thief := parley.Principal{User: session.User}
		if _, err := n.History(t.Context(), thief, "c"); !errors.Is(err, agent.ErrNoPerson) {
			t.Errorf("history: %v", err)
		}
		f := n.Follow(thief, ref)
		defer f.Close()
		if _, err := f.Next(t.Context()); !errors.Is(err, parley.ErrNotFound) {
			t.Errorf("follow: %v", err)
		}
		own := n.Follow(session, ref)
		defer own.Close()
		if _, err := own.Next(t.Context()); err != nil {
			t.Errorf("the session itself: %v", err)
		}
	})
}

func TestNobodyReachesAnothersConversation(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		n := w.node(helper(callOnce("tracker__do"), &box{name: "tracker", prepare: needsAnswer}))
		ref := n.say("c", "secret")
		synctest.Wait()
		if _, err := n.Current(t.Context(), bob, "c"); !errors.Is(err, agent.ErrNoRun) {
			t.Errorf("current: %v", err)
		}
		if runs, err := n.History(t.Context(), bob, "c"); err != nil || len(runs) > 0 {
			t.Errorf("history: %d, %v", len(runs), err)
		}
		if err := n.Stop(t.Context(), bob, "c"); !errors.Is(err, agent.ErrNoRun) {
			t.Errorf("stop: %v", err)
		}
		for _, other := range []parley.Principal{bob, {Tenant: "acme", User: alice.User}} {
			f := n.Follow(other, ref)
			defer f.Close()
			if _, err := f.Next(t.Context()); !errors.Is(err, parley.ErrNotFound) {
				t.Errorf("follow as %+v: %v", other, err)
			}
		}
		if _, err := n.History(t.Context(), parley.Principal{}, "c"); !errors.Is(err, agent.ErrNoPerson) {
			t.Errorf("history of nobody: %v", err)
		}
		if _, err := n.Known(t.Context(), parley.Principal{}, "c"); !errors.Is(err, agent.ErrNoPerson) {
			t.Errorf("what is known to nobody: %v", err)
		}
		if _, err := n.Find(t.Context(), parley.Principal{}, "c", ref.Run); !errors.Is(err, agent.ErrNoPerson) {
			t.Errorf("a run, for nobody: %v", err)
		}
		for _, other := range []parley.Principal{bob, {Tenant: "acme", User: alice.User}} {
			if known, err := n.Known(t.Context(), other, "c"); known || err != nil {
				t.Errorf("known to %+v: %t, %v", other, known, err)
			}
			if r, err := n.Find(t.Context(), other, "c", ref.Run); !errors.Is(err, parley.ErrNotFound) {
				t.Errorf("found by %+v: %v, %v", other, r, err)
			}
		}
		if _, err := n.Start(t.Context(), parley.Principal{User: "mcp-session:x"}, agent.Message{Agent: "helper", Conversation: "c"}); !errors.Is(err, agent.ErrNoPerson) {
			t.Errorf("a person named like a session: %v", err)
		}
		if _, err := n.Start(t.Context(), parley.Principal{}, agent.Message{Agent: "helper", Conversation: "c"}); !errors.Is(err, agent.ErrNoPerson) {
			t.Errorf("nobody: %v", err)
		}
		if _, err := n.Start(t.Context(), alice, agent.Message{Agent: "nobody", Conversation: "c"}); !errors.Is(err, agent.ErrUnknownAgent) {
			t.Errorf("unknown agent: %v", err)
		}
		if _, err := n.Start(t.Context(), alice, agent.Message{Agent: "helper", Conversation: "c\x00d"}); !errors.Is(err, parley.ErrInvalid) {
			t.Errorf("a conversation of a delegate: %v", err)
		}
	})
}

func TestStoppingWithdrawsTheQuestionsAndEndsTheRun(t *testing.T) {
	for name, prepare := range map[string]func(*agent.Invocation) error{"waiting": needsAnswer, "working": nil} {
		t.Run(name, func(t *testing.T) {
			inABubble(t, func(t *testing.T, w *world) {
				b := &box{name: "tracker", prepare: prepare, call: func(ctx context.Context, _ *agent.Invocation) (agent.Result, error) {
					<-ctx.Done()
					return agent.Result{}, ctx.Err()
				}}
				a := helper(callOnce("tracker__do"), b)
				first, second := w.node(a), w.node(a)
				s := first.follow(first.say("c", "x"))
				synctest.Wait()
				if err := second.Stop(t.Context(), alice, "c"); err != nil {
					t.Fatal(err)
				}
				if name == "working" { // the node that works on it hears of it at its next step, or here
					if err := first.Stop(t.Context(), alice, "c"); err != nil {
						t.Fatal(err)
					}
				}
				if got := s.reply(); got != "stopped" {
					t.Errorf("got %q", got)
				}
				open, _ := w.store.List(t.Context(), parley.Query{Pending: true})
				if len(open) != 0 {
					t.Errorf("%d questions are open", len(open))
				}
				if err := first.Stop(t.Context(), alice, "c"); !errors.Is(err, agent.ErrNoRun) {
					t.Errorf("again: %v", err)
				}
			})
		})
	}
}

// Another run of the conversation goes on.
func TestStoppingOneRunLeavesTheOthers(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		n := w.node(helper(callOnce("tracker__do"), &box{name: "tracker", prepare: needsAnswer}))
		stopped, left := n.say("c", "x"), n.say("c", "y")
		s := n.follow(stopped)
		synctest.Wait()
		if err := n.StopRun(t.Context(), alice, "c", stopped.Run); err != nil {
			t.Fatal(err)
		}
		if got := s.reply(); got != "stopped" {
			t.Errorf("got %q", got)
		}
		if run, err := n.Find(t.Context(), alice, "c", left.Run); err != nil || run.Status != agent.Waiting {
			t.Errorf("%+v %v", run.Status, err)
		}
		for run, want := range map[string]error{stopped.Run: agent.ErrNoRun, "nothing": parley.ErrNotFound} {
			if err := n.StopRun(t.Context(), alice, "c", run); !errors.Is(err, want) {
				t.Errorf("%s: %v", run, err)
			}
		}
		if err := n.StopRun(t.Context(), parley.Principal{User: "bob", Method: "test"}, "c", left.Run); !errors.Is(err, parley.ErrNotFound) {
			t.Errorf("somebody else: %v", err)
		}
	})
}
