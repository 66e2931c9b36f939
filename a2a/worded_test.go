package a2a_test

import (
	"context"
	"strings"
	"testing"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/agent"
)

// sure is a form without fields: there is nothing but yes and no.
var sure = parley.Request{From: "shop", Message: "Shall it be sent?", Trigger: parley.TriggerMCP, Schema: []byte(`{"type":"object","properties":{}}`)}

// A client that does not know the extension can go on from every question that a message
// settles, and is told how.
func TestATextConfirmsWhereThereIsNothingToEnter(t *testing.T) {
	for name, q := range map[string]parley.Request{"a page to be visited": visit, "a form without fields": sure} {
		t.Run(name, func(t *testing.T) {
			for _, text := range []string{"done", "Done.", " OK ", "yes!"} {
				s := newSite(t, nil, helper(q))
				c := s.client("alice", "JSON-RPC")
				task := c.send(says("Go"))
				if !strings.Contains(told(task.Status.Message), `Say "done"`) {
					t.Error(told(task.Status.Message))
				}
				state(t, c.send(to(task, says(text))), wire.TaskStateCompleted)
				if s.calls.called() != 1 {
					t.Error("it was not done")
				}
			}
			s := newSite(t, nil, helper(q))
			c := s.client("alice", "JSON-RPC")
			task := c.send(says("Go"))
			for _, text := range []string{"no", "not done", "I would rather not: ok?", "cancel"} {
				again := c.send(to(task, says(text)))
				if asks(t, again).ID != asks(t, task).ID || !strings.Contains(told(again.Status.Message), `say "done"`) {
					t.Errorf("%s: %s", text, told(again.Status.Message))
				}
			}
			if s.calls.called() != 0 {
				t.Error("it was done")
			}
		})
	}
}

// No word gives what only the person gives, on a page.
func TestATextSettlesNothingThatAPageSettles(t *testing.T) {
	for name, q := range map[string]parley.Request{"approval": mayI, "credential": connect} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, nil, helper(q))
			c := s.client("alice", "JSON-RPC")
			task := c.send(says("Go"))
			for _, text := range []string{"done", "yes", "allow_once"} {
				again := c.send(to(task, says(text)))
				state(t, again, wire.TaskStateAuthRequired)
				if !strings.Contains(told(again.Status.Message), "A message does not settle this") || strings.Contains(told(again.Status.Message), `"done"`) {
					t.Error(told(again.Status.Message))
				}
			}
			if now, err := s.hub.Get(t.Context(), alice, parley.ID(asks(t, task).ID)); err != nil || !now.Pending() || s.calls.called() != 0 {
				t.Errorf("%+v %v", now, err)
			}
		})
	}
}

func TestATextToSeveralQuestionsIsToldThatItIsNoAnswer(t *testing.T) {
	s := newSite(t, nil, helper(colour, visit))
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Go"))
	again := c.send(to(task, says("done")))
	if !strings.Contains(told(again.Status.Message), "which question it answers") {
		t.Error(told(again.Status.Message))
	}
}

// Whoever mistakes a name means something by it, and would not hear that it is left out.
func TestAFieldThatTheFormDoesNotHaveIsAskedAgainByItsName(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		q := colour
		q.Schema = []byte(`{"type":"object","properties":{"colour":{"type":"string"},"class":{"type":"string","default":"eco"}},"required":["colour"]}`)
		s := newSite(t, nil, helper(q))
		c := s.client("alice", way)
		task := c.send(says("Book"))
		again := c.send(to(task, answers(asks(t, task).ID, elicitation.Accept, `{"colour":"red","Class":"biz"}`)))
		state(t, again, wire.TaskStateInputRequired)
		if !strings.Contains(told(again.Status.Message), "Class is not in this form") || s.calls.called() != 0 {
			t.Error(told(again.Status.Message))
		}
		done := c.send(to(task, answers(asks(t, task).ID, elicitation.Accept, `{"colour":"red","class":"biz"}`)))
		if !strings.Contains(result(done), `"class":"biz"`) {
			t.Error(result(done))
		}
	})
}

func TestContentForAPageIsRefused(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(visit))
		c := s.client("alice", way)
		task := c.send(says("Go"))
		for _, content := range []string{`{"a":1}`, `{}`} {
			_, err := c.trySend(to(task, answers(asks(t, task).ID, elicitation.Accept, content)))
			refused(t, err, wire.ErrInvalidParams, "which has no form")
		}
		state(t, c.send(to(task, answers(asks(t, task).ID, elicitation.Accept, ""))), wire.TaskStateCompleted)
	})
}

// The words of others stand among ours: nothing in them turns or hides what is around it.
func TestTheTextOfAQuestionAndOfAFailureHidesNothing(t *testing.T) {
	q := colour
	q.Message = "Which \u202eruoloc\u202c?\nNow."
	s := newSite(t, nil, helper(q))
	task := s.client("alice", "JSON-RPC").send(says("Go"))
	if text := told(task.Status.Message); strings.ContainsAny(text, "\u202e\x1b") || !strings.Contains(text, `Which \u202eruoloc`) || !strings.Contains(text, "\n") {
		t.Errorf("%q", text)
	}
	if asks(t, task).Message != q.Message {
		t.Error("as data it is what was asked")
	}
	s = newSite(t, nil, &agent.Agent{Name: "helper", Model: broken("It broke.\n\x1b[2J\u202e")})
	task = s.client("alice", "JSON-RPC").send(says("Go"))
	state(t, task, wire.TaskStateFailed)
	if text := told(task.Status.Message); text != "It broke.\n\\u001b[2J\\u202e" {
		t.Errorf("%q", text)
	}
}

// broken is a model that fails with these words.
type broken string

func (b broken) Generate(context.Context, agent.Prompt, func(string)) (agent.Reply, error) {
	return agent.Reply{}, &agent.PublicError{Text: string(b)}
}
