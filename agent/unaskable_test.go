package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/form"
)

var nestedForm = []byte(`{"type":"object","properties":{"x":{"type":"object"}}}`)

func TestAQuestionThatCannotBeShownIsAnErrorForWhoAsksIt(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		var refused error
		b := &box{name: "tracker", call: func(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
			_, refused = c.Ask(ctx, "q", parley.Request{From: "tracker", Message: "Which?", Schema: nestedForm})
			return agent.Result{Text: "went on"}, nil
		}}
		n := w.node(helper(callOnce("tracker__do"), b))
		if got := n.follow(n.say("c", "x")).reply(); got != "went on done" {
			t.Errorf("got %q", got)
		}
		if !errors.Is(refused, agent.ErrUnaskable) || !errors.Is(refused, form.ErrNested) {
			t.Errorf("who asks was told %v", refused)
		}
	})
}

func TestACallThatPausesForWhatCannotBeShownEndsWithTheReason(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "tracker", call: func(context.Context, *agent.Invocation) (agent.Result, error) {
			return agent.Result{}, &agent.Pause{Questions: map[string]parley.Request{"q": {From: "tracker", Message: "Which?", Schema: nestedForm}}}
		}}
		n := w.node(helper(callOnce("tracker__do"), b))
		got := n.follow(n.say("c", "x")).reply()
		if !strings.Contains(got, "tracker asks a question that cannot be shown; the call was given up: properties.x: nested objects are not allowed") || b.called() != 1 {
			t.Errorf("got %q after %d calls", got, b.called())
		}
	})
}

func TestACallWhoseQuestionIsOneTooManyEndsWithTheReason(t *testing.T) {
	for name, c := range map[string]struct {
		room   parley.Limits
		circle string
		want   string
	}{
		"a model's":  {parley.Limits{PendingOfModels: 3}, "a2a/c", "too many questions that agents brought about wait for this person already"},
		"a person's": {parley.Limits{Pending: 3}, "", "too many questions wait for them already"},
	} {
		t.Run(name, func(t *testing.T) {
			inABubble(t, func(t *testing.T, w *world) {
				w.room = c.room
				b := &box{name: "box", prepare: needsAnswer}
				n := w.node(helper(callOnce("box__do", "box__do", "box__do", "box__do", "box__do"), b))
				ref, refused := n.begin(alice, agent.Message{Conversation: "c", ID: "m", Text: "Go", CanAsk: true, Circle: c.circle})
				if refused != "" {
					t.Fatal(refused)
				}
				s := n.follow(ref)
				var asked []*parley.Request
				for failed := 0; len(asked) < 3 || failed < 2; {
					switch e := s.next(); e.Type {
					case agent.Asked:
						asked = append(asked, e.Question)
					case agent.Failed:
						failed++
						if !strings.Contains(e.Result.Text, "Not done: this call needs the user, and "+c.want) || strings.Contains(e.Result.Text, "Limits") {
							t.Errorf("%q", e.Result.Text)
						}
					case agent.Finished:
						t.Fatalf("it ends, %d were asked", len(asked))
					}
				}
				if c.circle != "" { // there is room for what is the person's own
					own := n.follow(n.say("own", "Go"))
					q := own.until(agent.Asked).Question
					n.answer(q, parley.Accept)
				}
				for _, q := range asked {
					n.answer(q, parley.Accept)
				}
				s.until(agent.Finished)
			})
		})
	}
}

func TestAQuestionInLineThatIsOneTooManyIsAnErrorForWhoAsksIt(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		w.room = parley.Limits{Pending: 1}
		if _, err := w.node().hub.Open(t.Context(), parley.Request{To: "alice", Message: "First?"}); err != nil {
			t.Fatal(err)
		}
		var refused error
		b := &box{name: "tracker", call: func(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
			_, refused = c.Ask(ctx, "q", parley.Request{From: "tracker", Message: "Which?"})
			return agent.Result{Text: "went on"}, nil
		}}
		n := w.node(helper(callOnce("tracker__do"), b))
		n.follow(n.say("c", "x")).reply()
		if !errors.Is(refused, agent.ErrUnaskable) || !strings.Contains(refused.Error(), "too many questions wait") {
			t.Errorf("who asks was told %v", refused)
		}
	})
}

func TestACallThatIsTakenUpWhenItsQuestionIsOneTooManyEndsOnce(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		w.room = parley.Limits{Pending: 1}
		b := &box{name: "box", prepare: needsAnswer}
		first := w.node(helper(callOnce("box__do"), b))
		died := first.dieWhenAsking()
		ref := first.say("c", "Go")
		<-died
		first.kill()
		n := w.node(helper(callOnce("box__do"), b))
		if _, err := n.hub.Open(t.Context(), parley.Request{To: "alice", Message: "First?"}); err != nil {
			t.Fatal(err)
		}
		s := n.follow(ref)
		for ended := 0; ; {
			switch e := s.next(); e.Type {
			case agent.Failed, agent.Refused, agent.Succeeded:
				if ended++; ended > 1 || !strings.Contains(e.Result.Text, "too many questions wait for them already") {
					t.Errorf("%d: %+v", ended, e.Result)
				}
			case agent.Finished:
				if ended != 1 {
					t.Errorf("it ended %d times", ended)
				}
				return
			}
		}
	})
}
