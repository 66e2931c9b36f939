package a2a_test

import (
	"strings"
	"testing"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
)

// Whoever did not hear that an answer was taken sends it again, and most answers end the
// task. Another answer comes too late.
func TestTheSameAnswerAgainIsTakenAsGivenAfterTheTaskHasEnded(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(colour))
		c := s.client("alice", way)
		task := c.send(says("Paint it"))
		q := asks(t, task)
		state(t, c.send(to(task, answers(q.ID, elicitation.Accept, `{"colour":"red"}`))), wire.TaskStateCompleted)
		again := c.send(to(task, answers(q.ID, elicitation.Accept, `{"colour":"red"}`)))
		state(t, again, wire.TaskStateCompleted)
		if n := len(again.History); n != 3 {
			t.Errorf("the history has %d messages", n)
		}
		for _, other := range []*wire.Message{answers(q.ID, elicitation.Accept, `{"colour":"blue"}`), answers(q.ID, elicitation.Decline, "")} {
			_, err := c.trySend(to(task, other))
			refused(t, err, wire.ErrUnsupportedOperation, "the first answer counts")
		}
		_, err := c.trySend(to(task, answers("none", elicitation.Decline, "")))
		refused(t, err, wire.ErrInvalidParams, "asked nothing")
		state(t, c.send(to(task, says("red"))), wire.TaskStateCompleted)
		_, err = c.trySend(to(task, says("blue")))
		refused(t, err, wire.ErrUnsupportedOperation, "has ended")
	})
}

// A page gave it, or another person's client: it is not this one's answer.
func TestTheAnswerOfAnotherSurfaceIsNotRepeated(t *testing.T) {
	s := newSite(t, nil, helper(colour))
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Paint it"))
	q := asks(t, task)
	s.page(q.ID, parley.Answer{Action: parley.Decline})
	c.until(task.ID, wire.TaskStateCompleted)
	_, err := c.trySend(to(task, answers(q.ID, elicitation.Accept, `{"colour":"red"}`)))
	refused(t, err, wire.ErrUnsupportedOperation, "the first answer counts")
}

// Who repeats guesses would know by the one that is taken what the person said.
func TestNoGuessTellsWhatThePersonAnsweredElsewhere(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(colour, order))
		c := s.client("alice", way)
		task := c.send(says("Paint it"))
		all, err := elicitation.Questions(task.Status.Message)
		if err != nil || len(all) != 2 {
			t.Fatal(all, err)
		}
		painted, ordered := all[0], all[1]
		if painted.From != "paint" {
			painted, ordered = ordered, painted
		}
		s.page(painted.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"colour":"red"}`)})
		guess := func() {
			t.Helper()
			for _, content := range []string{`{"colour":"red"}`, `{"colour":"blue"}`} {
				_, err := c.trySend(to(task, answers(painted.ID, elicitation.Accept, content)))
				refused(t, err, wire.ErrUnsupportedOperation, "the first answer counts")
			}
		}
		guess()
		state(t, c.send(to(task, answers(ordered.ID, elicitation.Accept, `{"when":"2026-01-01","count":2}`))), wire.TaskStateCompleted)
		guess()
		state(t, c.send(to(task, answers(ordered.ID, elicitation.Accept, `{"when":"2026-01-01","count":2}`))), wire.TaskStateCompleted)
	})
}

// What the person said on the page is not repeated by who may not say it.
func TestAnApprovalThatWasGivenIsNotRepeatedByAMessage(t *testing.T) {
	s := newSite(t, nil, helper(mayI))
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Pay"))
	q := asks(t, task)
	s.page(q.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"decision":"allow_once"}`)})
	c.until(task.ID, wire.TaskStateCompleted)
	_, err := c.trySend(to(task, answers(q.ID, elicitation.Accept, `{"decision":"allow_once"}`)))
	refused(t, err, wire.ErrUnsupportedOperation, "decided by the person")
}

// A client that counts its messages from 1 in every process sends other words by an id that
// was used.
func TestOtherWordsByTheSameIDAreAnotherAnswer(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(colour))
		c := s.client("alice", way)
		first := says("Paint it")
		first.ID = "1"
		task := c.send(first)
		q := asks(t, task)
		with := func(m *wire.Message) *wire.Message {
			m.ID = "1" // of the message that began the task, too
			return to(task, m)
		}
		again := c.send(with(answers(q.ID, elicitation.Accept, `{"colour":"x"}`)))
		state(t, again, wire.TaskStateInputRequired)
		if !strings.Contains(told(again.Status.Message), "at least 3 characters") {
			t.Error("it was not read:", told(again.Status.Message))
		}
		done := c.send(with(answers(q.ID, elicitation.Accept, `{"colour":"red"}`)))
		state(t, done, wire.TaskStateCompleted)
		if !strings.Contains(result(done), `{"colour":"red"}`) || len(done.History) != 5 {
			t.Errorf("%s, %d messages", result(done), len(done.History))
		}
		state(t, c.send(with(answers(q.ID, elicitation.Accept, `{"colour":"red"}`))), wire.TaskStateCompleted)
		for _, other := range []*wire.Message{answers(q.ID, elicitation.Accept, `{"colour":"blue"}`), answers(q.ID, elicitation.Decline, "")} {
			_, err := c.trySend(with(other))
			refused(t, err, wire.ErrUnsupportedOperation, "the first answer counts")
		}
		_, err := c.trySend(with(says("blue")))
		refused(t, err, wire.ErrUnsupportedOperation, "has ended")
	})
}

// A call that is made again asks again: nobody has answered the question before.
func TestWhoAnswersAQuestionThatWasWithdrawnIsToldSo(t *testing.T) {
	s := newSite(t, nil, helper(colour, connect))
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Go"))
	all, err := elicitation.Questions(task.Status.Message)
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	gone := all[0]
	if gone.Mode != elicitation.Form {
		gone = all[1]
	}
	if err := s.hub.Cancel(t.Context(), parley.ID(gone.ID), "the call is made again"); err != nil {
		t.Fatal(err)
	}
	_, err = c.trySend(to(task, answers(gone.ID, elicitation.Accept, `{"colour":"red"}`)))
	refused(t, err, wire.ErrUnsupportedOperation, "withdrawn before anybody answered it, and the task asks another one now")
	if _, err := c.CancelTask(t.Context(), &wire.CancelTaskRequest{ID: task.ID}); err != nil {
		t.Fatal(err)
	}
	_, err = c.trySend(to(task, answers(gone.ID, elicitation.Accept, `{"colour":"red"}`)))
	refused(t, err, wire.ErrUnsupportedOperation, "has ended")
}
