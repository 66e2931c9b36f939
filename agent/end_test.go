package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// asking is a call whose server asks while it is under way, as an older one does.
// It ends with the answer, or with what ends it.
func asking(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
	o, err := c.Ask(ctx, "line", parley.Request{From: "tracker", Message: "Sure?"})
	if err != nil {
		return agent.Result{}, err
	}
	return agent.Result{Text: "the user said " + string(o.Action)}, nil
}

func helperWith(b *box, more ...*box) *agent.Agent {
	all := []agent.Toolbox{b}
	for _, other := range more {
		all = append(all, other)
	}
	return &agent.Agent{Name: "helper", Model: callOnce("tracker__do"), Toolboxes: all}
}

// outcome is how a question of Alice's stands.
func (n *node) outcome(id parley.ID) parley.Outcome {
	n.t.Helper()
	q, err := n.hub.Get(n.t.Context(), alice, id)
	if err != nil {
		n.t.Fatal(err)
	}
	if q.Pending() {
		return parley.Outcome{}
	}
	return *q.Outcome
}

func TestAStopEndsACallWhoseServerAsks(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		n := w.node(helperWith(&box{name: "tracker", call: asking}))
		ref := n.say("c", "go")
		s := n.follow(ref)
		q := s.until(agent.Asked).Question
		asked := time.Now()
		if err := n.Stop(t.Context(), alice, "c"); err != nil {
			t.Fatal(err)
		}
		if o := n.outcome(q.ID); o.Action != parley.Cancel || !strings.Contains(o.Reason, "stopped") {
			t.Errorf("when Stop has returned the question is %+v", o)
		}
		rest := s.rest()
		if last := rest[len(rest)-1]; last != "finished stopped" {
			t.Errorf("it ends with %q", rest)
		}
		if !slices.ContainsFunc(rest, func(l string) bool { return strings.Contains(l, "conversation was stopped") }) {
			t.Errorf("nobody is told why the call ended: %q", rest)
		}
		if d := time.Since(asked); d != 0 {
			t.Errorf("that took %s", d)
		}
	})
}

func TestAStopAtAnotherNodeEndsACall(t *testing.T) {
	hangs := func(ctx context.Context, _ *agent.Invocation) (agent.Result, error) {
		<-ctx.Done()
		return agent.Result{}, context.Cause(ctx)
	}
	for name, call := range map[string]func(context.Context, *agent.Invocation) (agent.Result, error){
		"whose server asks": asking, "whose server says nothing": hangs,
	} {
		t.Run(name, func(t *testing.T) {
			inABubble(t, func(t *testing.T, w *world) {
				helper := helperWith(&box{name: "tracker", call: call})
				first, second := w.node(helper), w.node(helper)
				ref := first.say("c", "go")
				s := first.follow(ref)
				s.until(agent.Called)
				synctest.Wait()
				stopped := time.Now()
				if err := second.Stop(t.Context(), alice, "c"); err != nil {
					t.Fatal(err)
				}
				rest := s.rest()
				if last := rest[len(rest)-1]; last != "finished stopped" {
					t.Errorf("it ends with %q", rest)
				}
				if d := time.Since(stopped); d > 2*time.Second { // virtual: looks, not load
					t.Errorf("that took %s", d)
				}
				open, err := w.store.List(t.Context(), parley.Query{Pending: true})
				if err != nil || len(open) != 0 {
					t.Errorf("open questions: %+v, %v", open, err)
				}
			})
		})
	}
}

func TestAServerThatDiesWhileItAsksTakesItsQuestionAlong(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		die := make(chan struct{})
		n := w.node(helperWith(&box{name: "tracker", call: func(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
			line, cut := context.WithCancel(ctx)
			defer cut()
			over := make(chan struct{})
			go func() {
				defer close(over)
				if _, err := c.Ask(line, "line", parley.Request{From: "tracker", Message: "Sure?"}); err == nil {
					t.Error("a question that nobody answered has an answer")
				}
			}()
			<-die
			cut()
			<-over
			return agent.Result{}, &agent.PublicError{Text: "tracker went away", Cause: errors.New("gone")}
		}}))
		s := n.follow(n.say("c", "go"))
		q := s.until(agent.Asked).Question
		close(die)
		rest := s.rest()
		if o := n.outcome(q.ID); o.Action != parley.Cancel {
			t.Errorf("the question is %+v", o)
		}
		at := slices.Index(rest, "answered tracker__do tracker Sure? cancel")
		failed := slices.Index(rest, "failed tracker went away")
		if at < 0 || failed < at {
			t.Errorf("what followers are told: %q", rest)
		}
	})
}

func TestANodeThatStopsFinishesTheCallThatIsUnderWay(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "tracker", call: func(ctx context.Context, _ *agent.Invocation) (agent.Result, error) {
			select {
			case <-time.After(300 * time.Millisecond):
				return agent.Result{Text: "tracker did it"}, nil
			case <-ctx.Done():
				return agent.Result{}, context.Cause(ctx)
			}
		}}
		n := w.node(helperWith(b))
		ref := n.say("c", "go")
		n.follow(ref).until(agent.Called)
		synctest.Wait()
		n.stop()
		next := w.node(helperWith(b))
		if got := next.follow(ref).reply(); got != "tracker did it done" {
			t.Errorf("the reply is %q", got)
		}
		if b.called() != 1 {
			t.Errorf("%d calls were made", b.called())
		}
	})
}

func TestANodeThatStopsBeginsNoCall(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		thinking, goOn := make(chan struct{}), make(chan struct{})
		model := script(func(p agent.Prompt) agent.Reply {
			if last(p).Role != agent.FromTools {
				select {
				case <-thinking:
				default:
					close(thinking)
				}
				<-goOn
			}
			return callOnce("tracker__do")(p)
		})
		b := &box{name: "tracker"}
		helper := &agent.Agent{Name: "helper", Model: model, Toolboxes: []agent.Toolbox{b}}
		n := w.node(helper)
		ref := n.say("c", "go")
		<-thinking
		stopped := make(chan struct{})
		go func() { n.stop(); close(stopped) }()
		synctest.Wait()
		close(goOn)
		<-stopped
		if b.called() != 0 {
			t.Error("a node that stops began a call")
		}
		begun := time.Now()
		if got := w.node(helper).follow(ref).reply(); got != "tracker did it done" || b.called() != 1 {
			t.Errorf("the reply is %q after %d calls", got, b.called())
		}
		if d := time.Since(begun); d > time.Second {
			t.Errorf("the next node took %s until it went on", d)
		}
	})
}

func TestANodeThatStopsDoesNotWaitForAPerson(t *testing.T) {
	for name, idempotent := range map[string]bool{"a call that may be made again": true, "a call that may not": false} {
		t.Run(name, func(t *testing.T) {
			inABubble(t, func(t *testing.T, w *world) {
				b := &box{name: "tracker", call: asking, tools: func(agent.Caller) ([]agent.Tool, error) {
					return []agent.Tool{{Name: "do", Idempotent: &idempotent}}, nil
				}}
				n := w.node(helperWith(b))
				ref := n.say("c", "go")
				q := n.follow(ref).until(agent.Asked).Question
				began := time.Now()
				n.stop()
				if d := time.Since(began); d != 0 {
					t.Errorf("it took %s", d)
				}
				if o := n.outcome(q.ID); o.Action != parley.Cancel {
					t.Errorf("the question is %+v", o)
				}
				next := w.node(helperWith(b))
				s := next.follow(ref)
				if !idempotent {
					if got := s.reply(); !strings.Contains(got, "waited for the user") || !strings.HasSuffix(got, "done") || b.called() != 1 {
						t.Errorf("the reply is %q after %d calls", got, b.called())
					}
					return
				}
				s.until(agent.Asked)
				again := s.until(agent.Asked).Question
				next.answer(again, parley.Accept)
				if got := s.reply(); got != "the user said accept done" {
					t.Errorf("the reply is %q", got)
				}
			})
		})
	}
}

func TestWhatCannotFinishInTimeIsHandedOver(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "tracker", call: func(ctx context.Context, _ *agent.Invocation) (agent.Result, error) {
			<-ctx.Done()
			return agent.Result{}, context.Cause(ctx)
		}}
		n := w.node(helperWith(b))
		ref := n.say("c", "go")
		n.follow(ref).until(agent.Called)
		synctest.Wait()
		began := time.Now()
		n.stop()
		if d := time.Since(began); d != 3*time.Second {
			t.Errorf("it had %s", d)
		}
		began = time.Now()
		if got := w.node(helperWith(b)).follow(ref).reply(); !strings.Contains(got, "result of this call is unknown") {
			t.Errorf("the reply is %q", got)
		}
		if d := time.Since(began); d > time.Second {
			t.Errorf("the next node took %s until it went on", d)
		}
	})
}
