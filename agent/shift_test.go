package agent_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// waits starts a turn and reads it until its person is asked.
func (n *node) waits(conversation string) (*story, *parley.Request) {
	n.t.Helper()
	ref, refused := n.begin(alice, agent.Message{Conversation: conversation, Text: "Go", CanAsk: true})
	if refused != "" {
		n.t.Fatalf("the turn in %s is refused (%s)", conversation, refused)
	}
	s := n.follow(ref)
	q := s.until(agent.Asked).Question
	synctest.Wait()
	return s, q
}

func TestATurnWhoseServerWaitsForThePersonOnItsConnectionIsNotInProgress(t *testing.T) {
	for _, most := range []agent.Limits{{PerPerson: 1}, {PerTenant: 1}, {InAll: 1}} {
		inABubble(t, func(t *testing.T, w *world) {
			w.most = most
			held := &box{name: "box", call: asking}
			n := w.node(&agent.Agent{Name: "helper", Model: callOnce("box__do"), Toolboxes: []agent.Toolbox{held}})
			var stories []*story
			var questions []*parley.Request
			for i := range 3 {
				s, q := n.waits(fmt.Sprint("c", i))
				stories, questions = append(stories, s), append(questions, q)
			}
			for _, q := range questions { // all go on at once, however few may be in progress
				n.answer(q, parley.Accept)
			}
			for _, s := range stories {
				if said := s.reply(); said != "the user said accept done" {
					t.Errorf("%+v: the agent said %q", most, said)
				}
			}
			synctest.Wait()
			if got := held.called(); got != 3 {
				t.Errorf("%+v: the server was called %d times for 3 turns", most, got)
			}
			n.waits("c9")
		})
	}
}

func TestATurnThatGoesOnAfterItsAnswerIsInProgressAgain(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		w.most = agent.Limits{PerPerson: 1}
		works := make(chan struct{})
		held := &box{name: "box", call: func(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
			result, err := asking(ctx, c)
			<-works
			return result, err
		}}
		n := w.node(&agent.Agent{Name: "helper", Model: callOnce("box__do"), Toolboxes: []agent.Toolbox{held}})
		s, q := n.waits("c1")
		n.answer(q, parley.Accept)
		synctest.Wait()
		if _, refused := n.begin(alice, agent.Message{Conversation: "c2", Text: "Go"}); refused != agent.ThePersons {
			t.Errorf("while the server works on the answer another turn is refused for %q", refused)
		}
		close(works)
		s.until(agent.Finished)
		synctest.Wait()
		n.waits("c3")
	})
}

func TestATurnIsInProgressAsLongAsOneOfItsCallsIs(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		w.most = agent.Limits{PerPerson: 1}
		works := make(chan struct{})
		boxes := []agent.Toolbox{
			&box{name: "asks", call: asking},
			&box{name: "parks", prepare: needsAnswer},
			&box{name: "works", call: func(context.Context, *agent.Invocation) (agent.Result, error) {
				<-works
				return agent.Result{Text: "worked"}, nil
			}},
		}
		n := w.node(&agent.Agent{Name: "helper", Model: callOnce("asks__do", "parks__do", "works__do"), Toolboxes: boxes})
		ref, _ := n.begin(alice, agent.Message{Conversation: "c1", Text: "Go", CanAsk: true})
		s := n.follow(ref)
		questions := []*parley.Request{s.until(agent.Asked).Question, s.until(agent.Asked).Question}
		synctest.Wait()
		if _, refused := n.begin(alice, agent.Message{Conversation: "c2", Text: "Go"}); refused != agent.ThePersons {
			t.Errorf("while one of the calls works another turn is refused for %q", refused)
		}
		close(works)
		synctest.Wait()
		other, _ := n.begin(alice, agent.Message{Conversation: "c3", Text: "Go"})
		if other.Run == "" {
			t.Fatal("all calls wait for people, and another turn is refused")
		}
		n.follow(other).until(agent.Finished)
		for _, q := range questions {
			n.answer(q, parley.Accept)
		}
		if said := s.reply(); said != "the user said accept | parks did it | worked done" {
			t.Errorf("the agent said %q", said)
		}
	})
}

func TestATurnThatIsStoppedWhileItsServerAsksLeavesItsPlaceOnce(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		w.most = agent.Limits{PerPerson: 2}
		// Two questions at once, and the call ends with both open.
		held := &box{name: "box", call: func(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
			for _, key := range []string{"a", "b"} {
				go func() { _, _ = c.Ask(ctx, key, parley.Request{From: "tracker", Message: key}) }()
			}
			<-ctx.Done()
			return agent.Result{}, ctx.Err()
		}}
		n := w.node(&agent.Agent{Name: "helper", Model: callOnce("box__do"), Toolboxes: []agent.Toolbox{held}})
		for i := range 4 {
			conversation := fmt.Sprint("c", i)
			s, _ := n.waits(conversation)
			if err := n.Stop(t.Context(), alice, conversation); err != nil {
				t.Fatal(err)
			}
			s.until(agent.Finished)
			synctest.Wait()
		}
		// What is counted is what there is: two places, and no third.
		works := make(chan struct{})
		defer close(works)
		held.call = func(context.Context, *agent.Invocation) (agent.Result, error) { <-works; return agent.Result{}, nil }
		for i, want := range []agent.Whose{"", "", agent.ThePersons} {
			if _, refused := n.begin(alice, agent.Message{Conversation: fmt.Sprint("d", i), Text: "Go"}); refused != want {
				t.Errorf("turn %d: refused for %q, want %q", i, refused, want)
			}
			synctest.Wait()
		}
	})
}
