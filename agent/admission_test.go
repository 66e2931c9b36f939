package agent_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// slow is a model that answers when it is let.
type slow chan struct{}

func (s slow) Generate(ctx context.Context, _ agent.Prompt, emit func(string)) (agent.Reply, error) {
	select {
	case <-s:
		emit("Done.")
		return agent.Reply{Text: "Done."}, nil
	case <-ctx.Done():
		return agent.Reply{}, ctx.Err()
	}
}

// begin starts a turn, and says who has too many if it is not let in.
func (n *node) begin(p parley.Principal, m agent.Message) (agent.Ref, agent.Whose) {
	n.t.Helper()
	m.Agent = "helper"
	ref, err := n.Start(n.t.Context(), p, m)
	var busy *agent.BusyError
	if err != nil && !errors.As(err, &busy) {
		n.t.Fatal(err)
	}
	if busy != nil {
		if busy.After <= 0 {
			n.t.Error("it does not say when to try again")
		}
		return ref, busy.Whose
	}
	return ref, ""
}

func TestWhatIsInProgressIsBoundedByPersonTenantAndNode(t *testing.T) {
	bobElsewhere := parley.Principal{User: "bob", Tenant: "other", Method: "test"}
	carolElsewhere := parley.Principal{User: "carol", Tenant: "other", Method: "test"}
	for _, tc := range []struct {
		name string
		most agent.Limits
		who  []parley.Principal
		want agent.Whose // of the last
	}{
		{"a person", agent.Limits{PerPerson: 2}, []parley.Principal{alice, alice, bob, alice}, agent.ThePersons},
		{"a person of the same name elsewhere", agent.Limits{PerPerson: 1}, []parley.Principal{bob, bobElsewhere}, ""},
		{"a tenant", agent.Limits{PerTenant: 2}, []parley.Principal{alice, bob, bobElsewhere, alice}, agent.TheTenants},
		{"the node", agent.Limits{InAll: 3}, []parley.Principal{alice, bob, bobElsewhere, carolElsewhere}, agent.Everybodys},
		{"no limit", agent.Limits{InAll: -1, PerTenant: -1, PerPerson: -1}, []parley.Principal{alice, alice, alice, alice}, ""},
	} {
		inABubble(t, func(t *testing.T, w *world) {
			w.most = tc.most
			model := make(slow)
			defer close(model)
			n := w.node(&agent.Agent{Name: "helper", Model: model})
			for i, who := range tc.who {
				_, refused := n.begin(who, agent.Message{Conversation: fmt.Sprint("c", i), Text: "Go"})
				if want := tc.want; i == len(tc.who)-1 && refused != want || i < len(tc.who)-1 && refused != "" {
					t.Errorf("%s: turn %d: refused for %q", tc.name, i, refused)
				}
				synctest.Wait()
			}
			let := len(tc.who)
			if tc.want != "" {
				let--
			}
			if got := n.InProgress(); got != let {
				t.Errorf("%s: %d in progress of %d that were let in", tc.name, got, let)
			}
		})
	}
}

func TestThereIsRoomAgainWhenATurnEndsOrWaitsForAPerson(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		w.most = agent.Limits{PerPerson: 1}
		n := w.node(&agent.Agent{Name: "helper", Model: callOnce("box__do"), Toolboxes: []agent.Toolbox{&box{name: "box", prepare: needsAnswer}}})
		var questions []*parley.Request
		var stories []*story
		for i := range 3 {
			ref, refused := n.begin(alice, agent.Message{Conversation: fmt.Sprint("c", i), Text: "Go", CanAsk: true})
			if refused != "" {
				t.Fatalf("turn %d is refused though the others only wait", i)
			}
			s := n.follow(ref)
			questions, stories = append(questions, s.until(agent.Asked).Question), append(stories, s)
			synctest.Wait()
			if n := n.InProgress(); n != 0 {
				t.Errorf("%d are in progress, though all wait", n)
			}
		}
		for _, q := range questions {
			if q.Labels[parley.LabelAgent] != "helper" || q.Labels[parley.LabelTool] != "do" { // what the log says
				t.Errorf("labels %q", q.Labels)
			}
		}
		for _, q := range questions { // what was begun goes on, all of it at once
			n.answer(q, parley.Accept)
		}
		for _, s := range stories {
			s.until(agent.Finished)
		}
		synctest.Wait()
		if _, refused := n.begin(alice, agent.Message{Conversation: "c9", Text: "Go", CanAsk: true}); refused != "" {
			t.Error("nothing is in progress, and a turn is refused")
		}
	})
}

func TestARefusedMessageLeavesNothingAndItsRepetitionIsLetIn(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		w.most = agent.Limits{InAll: 1}
		model := make(slow)
		n := w.node(&agent.Agent{Name: "helper", Model: model})
		first, _ := n.begin(alice, agent.Message{Conversation: "c", ID: "m1", Text: "One"})
		synctest.Wait()
		before, err := w.store.Scan(t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: "run_message"}, "", 100)
		if err != nil {
			t.Fatal(err)
		}
		if _, refused := n.begin(alice, agent.Message{Conversation: "c", ID: "m2", Text: "Two"}); refused != agent.Everybodys {
			t.Fatalf("refused for %q", refused)
		}
		after, err := w.store.Scan(t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: "run_message"}, "", 100)
		if err != nil || len(after) != len(before) {
			t.Errorf("a refused message was written down: %d records, %v", len(after), err)
		}
		if same, refused := n.begin(alice, agent.Message{Conversation: "c", ID: "m1", Text: "One"}); refused != "" || same != first {
			t.Errorf("the message that is in progress, sent again: %v, %q", same, refused)
		}
		model <- struct{}{}
		n.follow(first).until(agent.Finished)
		synctest.Wait()
		if _, refused := n.begin(alice, agent.Message{Conversation: "c", ID: "m2", Text: "Two"}); refused != "" {
			t.Errorf("refused for %q", refused)
		}
		close(model)
	})
}

// What models bring about in the person's name waits for the person, and so much of it may.
func TestAMessageOfAModelIsRefusedWhileTooMuchWaitsForItsPerson(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		w.most = agent.Limits{Unanswered: 2, PerPerson: 3}
		n := w.node(&agent.Agent{Name: "helper", Model: callOnce("box__do"), Toolboxes: []agent.Toolbox{&box{name: "box", prepare: needsAnswer}}})
		say := func(who parley.Principal, conversation, circle string) (*story, agent.Whose) {
			ref, refused := n.begin(who, agent.Message{Conversation: conversation, ID: "m", Text: "Go", CanAsk: true, Circle: circle})
			if refused != "" {
				return nil, refused
			}
			return n.follow(ref), ""
		}
		own, _ := say(alice, "own", "") // which the person began
		own.until(agent.Asked)
		first, _ := say(alice, "c1", "a2a/c1")
		asked := first.until(agent.Asked).Question
		second, refused := say(alice, "c2", "a2a/c2")
		if refused != "" {
			t.Fatalf("the second is refused for %q", refused)
		}
		second.until(agent.Asked)
		for range 4 { // what is refused is not in progress
			if _, refused := say(alice, "c3", "a2a/c3"); refused != agent.Unanswered {
				t.Errorf("the third is refused for %q", refused)
			}
		}
		if _, refused := say(alice, "c1", "a2a/c1"); refused != "" {
			t.Errorf("a message that was let in before, sent again, is refused for %q", refused)
		}
		for _, other := range []struct {
			who    parley.Principal
			circle string
		}{{bob, "a2a/c3"}, {alice, ""}} {
			if _, refused := n.begin(other.who, agent.Message{Conversation: "other", Text: "Go", CanAsk: true, Circle: other.circle}); refused != "" {
				t.Errorf("%+v is refused for %q", other, refused)
			}
			synctest.Wait()
		}
		n.answer(asked, parley.Decline)
		first.until(agent.Finished)
		synctest.Wait()
		if s, refused := say(alice, "c3", "a2a/c3"); refused != "" {
			t.Errorf("one is answered, and the next refused for %q", refused)
		} else {
			s.until(agent.Asked)
		}
	})
}
