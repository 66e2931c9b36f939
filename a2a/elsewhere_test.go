package a2a_test

import (
	"errors"
	"strings"
	"testing"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
)

// What a page of an agent elsewhere settles may be an approval: no message settles it, and
// the words do not say that one could.
func TestNoMessageSettlesWhatAPageElsewhereDoes(t *testing.T) {
	there := parley.Request{
		From: "desk", Message: "Allow it?", Trigger: parley.TriggerA2A, Mode: parley.URL, URL: "https://desk.example/answer/1", Labels: map[string]string{"settled_by": "page"},
	}
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(there))
		c := s.client("alice", way)
		task := c.send(says("Go"))
		state(t, task, wire.TaskStateAuthRequired)
		questions, err := elicitation.Questions(task.Status.Message)
		if err != nil || len(questions) != 1 || questions[0].SettledBy != elicitation.SettledByPage {
			t.Fatalf("%+v %v", questions, err)
		}
		for _, action := range []elicitation.Action{elicitation.Accept, elicitation.Decline, elicitation.Cancel} {
			_, err := c.trySend(to(task, answers(questions[0].ID, action, "")))
			if !errors.Is(err, wire.ErrUnsupportedOperation) || !strings.Contains(err.Error(), "signed in, at https://desk.example/answer/1: a message neither approves nor refuses it") {
				t.Errorf("%s: %v", action, err)
			}
		}
	})
}

// What is the person's own word is nobody else's: it is decided on the page, in whatever
// form it was asked.
func TestNoMessageGivesThePersonsOwnWord(t *testing.T) {
	own := map[string]string{parley.LabelPerson: "only"}
	for name, there := range map[string]parley.Request{
		"a form": {From: "desk", Message: "Pay?", Trigger: parley.TriggerA2A, Mode: parley.Form, Schema: []byte(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`), Labels: own},
		"a link": {From: "desk", Message: "Pay?", Trigger: parley.TriggerA2A, Mode: parley.URL, URL: "https://desk.example/pay", Labels: own},
	} {
		t.Run(name, func(t *testing.T) {
			everyWay(t, func(t *testing.T, way string) {
				s := newSite(t, nil, helper(there))
				c := s.client("alice", way)
				task := c.send(says("Go"))
				state(t, task, wire.TaskStateAuthRequired)
				questions, err := elicitation.Questions(task.Status.Message)
				if err != nil || len(questions) != 1 || questions[0].SettledBy != elicitation.SettledByPage || !strings.Contains(questions[0].URL, "/answer/"+questions[0].ID) {
					t.Fatalf("%+v %v", questions, err)
				}
				for _, action := range []elicitation.Action{elicitation.Accept, elicitation.Decline} {
					if _, err := c.trySend(to(task, answers(questions[0].ID, action, ""))); !errors.Is(err, wire.ErrUnsupportedOperation) {
						t.Errorf("%s: %v", action, err)
					}
				}
				after, err := c.trySend(to(task, says("done")))
				if err == nil {
					state(t, after, wire.TaskStateAuthRequired)
				}
			})
		})
	}
}
