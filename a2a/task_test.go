package a2a_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/agent"
)

func TestAFormInterruptsTheTaskAndItsAnswerEndsIt(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(colour))
		c := s.client("alice", way)
		task := c.send(says("Paint it"))
		state(t, task, wire.TaskStateInputRequired)
		q := asks(t, task)
		if q.Mode != elicitation.Form || q.Message != "Which colour?" || q.From != "paint" || !strings.Contains(string(q.RequestedSchema), "minLength") || q.ExpiresAt.IsZero() {
			t.Errorf("%+v", q)
		}
		if text := told(task.Status.Message); !strings.Contains(text, "[paint] Which colour?") || !strings.Contains(text, "- Colour (colour): string") {
			t.Errorf("for people: %s", text)
		}
		if again := c.get(task.ID); again.Status.State != task.Status.State || asks(t, again).ID != q.ID {
			t.Errorf("GetTask: %+v", again.Status)
		}
		task = c.send(to(task, answers(q.ID, elicitation.Accept, `{"colour":"green"}`)))
		state(t, task, wire.TaskStateCompleted)
		if got := result(task); got != "One moment.\n\ntool did it with {\"colour\":\"green\"}" {
			t.Errorf("%q", got)
		}
		if n := s.calls.called(); n != 1 {
			t.Errorf("called %d times", n)
		}
	})
}

func TestAnAnswerThatDoesNotFitIsAskedAgainWithTheSameQuestion(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(colour))
		c := s.client("alice", way)
		task := c.send(says("Paint it"))
		q := asks(t, task)
		again := c.send(to(task, answers(q.ID, elicitation.Accept, `{"colour":"x"}`)))
		state(t, again, wire.TaskStateInputRequired)
		if asks(t, again).ID != q.ID || !strings.Contains(told(again.Status.Message), "Colour must be at least 3 characters long.") {
			t.Errorf("%s", told(again.Status.Message))
		}
		if got := c.get(task.ID); told(got.Status.Message) != told(again.Status.Message) {
			t.Errorf("later: %s", told(got.Status.Message))
		}
		state(t, c.send(to(task, answers(q.ID, elicitation.Accept, `{"colour":"green"}`))), wire.TaskStateCompleted)
	})
}

func TestAQuestionIsDeclinedByMessage(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(colour))
		c := s.client("alice", way)
		task := c.send(says("Paint it"))
		task = c.send(to(task, answers(asks(t, task).ID, elicitation.Decline, "")))
		state(t, task, wire.TaskStateCompleted)
		if !strings.Contains(result(task), "the user said decline") || s.calls.called() != 0 {
			t.Error(result(task), s.calls.called())
		}
	})
}

func TestATextIsTheValueOfTheOneField(t *testing.T) {
	for _, c := range []struct{ schema, text, want string }{
		{string(colour.Schema), "green", `{"colour":"green"}`},
		{`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`, " 7 ", `{"n":7}`},
		{`{"type":"object","properties":{"sure":{"type":"boolean"}},"required":["sure"]}`, "Yes", `{"sure":true}`},
		{`{"type":"object","properties":{"size":{"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}]}}}`, "large", `{"size":"l"}`},
		{`{"type":"object","properties":{"all":{"type":"array","items":{"type":"string","enum":["a","b","c"]}}}}`, "a, c", `{"all":["a","c"]}`},
	} {
		t.Run(c.want, func(t *testing.T) {
			q := colour
			q.Schema = []byte(c.schema)
			s := newSite(t, nil, helper(q))
			client := s.client("alice", "JSON-RPC")
			task := client.send(says("Do it"))
			task = client.send(to(task, says(c.text)))
			state(t, task, wire.TaskStateCompleted)
			if !strings.HasSuffix(result(task), "with "+c.want) {
				t.Error(result(task))
			}
		})
	}
}

func TestATextThatAnswersNoSingleFieldIsAskedAgain(t *testing.T) {
	s := newSite(t, nil, helper(order))
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Order it"))
	q := asks(t, task)
	again := c.send(to(task, says("three, tomorrow")))
	state(t, again, wire.TaskStateInputRequired)
	if asks(t, again).ID != q.ID || !strings.Contains(told(again.Status.Message), "send a data part") {
		t.Error(told(again.Status.Message))
	}
	task = c.send(to(task, answers(q.ID, elicitation.Accept, `{"when":"2026-11-18","count":3}`)))
	state(t, task, wire.TaskStateCompleted)
}

func TestHistoryIsInTheOrderInWhichItWasSaid(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(colour))
		c := s.client("alice", way)
		first := says("Paint it")
		task := c.send(first)
		wrong, right := answers(asks(t, task).ID, elicitation.Accept, `{"colour":"x"}`), answers(asks(t, task).ID, elicitation.Accept, `{"colour":"red"}`)
		c.send(to(task, wrong))
		task = c.get(c.send(to(task, right)).ID)
		q := task.History[1].ID
		want := []string{first.ID, q, wrong.ID, q + "-1", right.ID}
		var got []string
		for _, m := range task.History {
			got = append(got, m.ID)
			if m.TaskID != task.ID || m.ContextID != task.ContextID {
				t.Errorf("%s belongs to %s %s", m.ID, m.TaskID, m.ContextID)
			}
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%q, want %q", got, want)
		}
		two := 2
		short, err := c.GetTask(t.Context(), &wire.GetTaskRequest{ID: task.ID, HistoryLength: &two})
		if err != nil || len(short.History) != 2 || short.History[1].ID != right.ID {
			t.Errorf("%+v %v", short, err)
		}
	})
}

func TestCancellingWithdrawsTheQuestion(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(colour))
		c := s.client("alice", way)
		task := c.send(says("Paint it"))
		q := asks(t, task)
		for range 2 {
			canceled, err := c.CancelTask(t.Context(), &wire.CancelTaskRequest{ID: task.ID})
			if err != nil {
				t.Fatal(err)
			}
			state(t, canceled, wire.TaskStateCanceled)
		}
		asked, err := s.hub.Get(t.Context(), alice, parley.ID(q.ID))
		if err != nil || asked.Pending() {
			t.Errorf("%+v %v", asked, err)
		}
		_, err = c.trySend(to(task, answers(q.ID, elicitation.Accept, `{"colour":"red"}`)))
		refused(t, err, wire.ErrUnsupportedOperation, "has ended")
	})
}

func TestATaskThatHasEndedIsNotCanceled(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: script(echo)})
		c := s.client("alice", way)
		task := c.send(says("Hello"))
		state(t, task, wire.TaskStateCompleted)
		_, err := c.CancelTask(t.Context(), &wire.CancelTaskRequest{ID: task.ID})
		refused(t, err, wire.ErrTaskNotCancelable, "ended")
		_, err = c.trySend(to(task, says("More")))
		refused(t, err, wire.ErrUnsupportedOperation, "has ended")
	})
}

// An approval is the person's: nobody gives it by message.
func TestAnApprovalIsGivenOnItsPageAlone(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(mayI))
		c := s.client("alice", way)
		task := c.send(says("Pay"))
		state(t, task, wire.TaskStateAuthRequired)
		q := asks(t, task)
		if q.Mode != elicitation.URL || q.URL != "https://parley.example/answer/"+q.ID || q.SettledBy != elicitation.SettledByPage || q.RequestedSchema != nil {
			t.Errorf("%+v", q)
		}
		for _, action := range []elicitation.Action{elicitation.Accept, elicitation.Decline, elicitation.Cancel} {
			content := ""
			if action == elicitation.Accept {
				content = `{"decision":"allow_once"}`
			}
			_, err := c.trySend(to(task, answers(q.ID, action, content)))
			refused(t, err, wire.ErrUnsupportedOperation, "decided by the person")
		}
		again := c.send(to(task, says("yes, go ahead")))
		state(t, again, wire.TaskStateAuthRequired)
		if asks(t, again).ID != q.ID || !strings.Contains(told(again.Status.Message), "does not settle this") || s.calls.called() != 0 {
			t.Error(told(again.Status.Message), s.calls.called())
		}
		s.page(q.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"decision":"allow_once"}`)})
		state(t, c.until(task.ID, wire.TaskStateCompleted), wire.TaskStateCompleted)
		if s.calls.called() != 1 {
			t.Error(s.calls.called())
		}
	})
}

// until waits for a state by getting the task.
func (c *client) until(id wire.TaskID, want wire.TaskState) *wire.Task {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	for {
		task, err := c.GetTask(ctx, &wire.GetTaskRequest{ID: id})
		if err != nil {
			c.t.Fatal(err)
		}
		if task.Status.State == want {
			return task
		}
	}
}

func TestACredentialArrivesOutOfBand(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(connect))
		c := s.client("alice", way)
		task := c.send(says("List my files"))
		state(t, task, wire.TaskStateAuthRequired)
		q := asks(t, task)
		if q.URL != connect.URL || q.SettledBy != elicitation.SettledByPage || !strings.Contains(told(task.Status.Message), connect.URL) {
			t.Errorf("%+v", q)
		}
		_, err := c.trySend(to(task, answers(q.ID, elicitation.Accept, "")))
		refused(t, err, wire.ErrUnsupportedOperation, "settled by the person")
		s.page(q.ID, parley.Answer{Action: parley.Accept})
		c.until(task.ID, wire.TaskStateCompleted)
	})
}

func TestAPageThatOnlyWantsAVisitIsAcceptedByMessage(t *testing.T) {
	s := newSite(t, nil, helper(visit))
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Go"))
	state(t, task, wire.TaskStateAuthRequired)
	task = c.send(to(task, answers(asks(t, task).ID, elicitation.Accept, "")))
	state(t, task, wire.TaskStateCompleted)
}

func TestQuestionsThatComeTogetherAreToldTogether(t *testing.T) {
	s := newSite(t, nil, helper(colour, connect))
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Go"))
	state(t, task, wire.TaskStateInputRequired)
	all, err := elicitation.Questions(task.Status.Message)
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	form, page := all[0], all[1]
	if form.Mode != elicitation.Form {
		form, page = page, form
	}
	task = c.send(to(task, answers(form.ID, elicitation.Accept, `{"colour":"red"}`)))
	state(t, task, wire.TaskStateAuthRequired)
	if asks(t, task).ID != page.ID {
		t.Error(task.Status)
	}
	s.page(page.ID, parley.Answer{Action: parley.Accept})
	c.until(task.ID, wire.TaskStateCompleted)
}

func TestOfTwoAnswersAtOnceOneWinsAndTheOtherIsToldSo(t *testing.T) {
	for range 10 {
		s := newSite(t, nil, helper(colour))
		c := s.client("alice", "JSON-RPC")
		task := c.send(says("Paint it"))
		q := asks(t, task)
		var all sync.WaitGroup
		results := make([]error, 2)
		begin := make(chan struct{})
		for i, content := range []string{`{"colour":"red"}`, `{"colour":"green"}`} {
			all.Go(func() {
				<-begin
				_, results[i] = c.trySend(to(task, answers(q.ID, elicitation.Accept, content)))
			})
		}
		close(begin)
		all.Wait()
		if (results[0] == nil) == (results[1] == nil) {
			t.Fatal(results)
		}
		for _, err := range results {
			if err != nil {
				refused(t, err, wire.ErrUnsupportedOperation, "")
			}
		}
		if n := s.calls.called(); n != 1 {
			t.Errorf("called %d times", n)
		}
		if n := len(c.get(task.ID).History); n != 3 {
			t.Errorf("the history has %d messages", n)
		}
	}
}

func TestTheSameMessageAgainIsTheSameTask(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(colour))
		c := s.client("alice", way)
		m := says("Paint it")
		task := c.send(m)
		if again := c.send(m); again.ID != task.ID {
			t.Error("another task")
		}
		other := says("Paint it blue")
		other.ID = m.ID
		if another := c.send(other); another.ID == task.ID {
			t.Error("other words are another task")
		}
		right := to(task, answers(asks(t, task).ID, elicitation.Accept, `{"colour":"red"}`))
		for range 2 {
			state(t, c.send(right), wire.TaskStateCompleted)
		}
		if n := s.calls.called(); n != 1 {
			t.Errorf("called %d times", n)
		}
	})
}

func TestAContextHasTheTurnsBefore(t *testing.T) {
	s := newSite(t, nil, &agent.Agent{Name: "helper", Model: script(func(p agent.Prompt) agent.Reply {
		return agent.Reply{Text: strings.Repeat("+", len(p.Messages))}
	})})
	c := s.client("alice", "JSON-RPC")
	first := c.send(says("One"))
	next := says("Two")
	next.ContextID = first.ContextID
	second := c.send(next)
	if second.ContextID != first.ContextID || second.ID == first.ID || len(result(second)) <= len(result(first)) {
		t.Errorf("%s %s: %q %q", first.ID, second.ID, result(first), result(second))
	}
}
