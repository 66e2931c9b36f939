package remote_test

import (
	"context"
	"strings"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
)

// A credential that comes out of band: the agent goes on by itself, and nobody has to
// say so here.
func TestATaskThatIsAuthorizedElsewhereGoesOnByItself(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		connected := make(chan struct{})
		d.work = func(ctx context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			emit(asks(ec, a2a.TaskStateAuthRequired, "Connect your account.", elicitation.Question{
				ID: "there-1", Mode: elicitation.URL, Message: "Connect your account.", URL: "https://travel.example/connect", SettledBy: elicitation.SettledByPage,
			}))
			select {
			case <-connected:
				done(ec, emit, "booked with your account")
			case <-ctx.Done():
			}
		}
		n := newWorld(t, d).node()
		ref := n.say("Book a trip.")
		q := n.question()
		if q.Mode != parley.URL || q.URL != "https://travel.example/connect" || q.From != "desk" || q.Labels["settled_by"] != "page" {
			t.Errorf("asked %+v", q)
		}
		close(connected)
		if got := n.reply(ref); got != "booked with your account done" {
			t.Error(got)
		}
		d.one()
		settled, err := n.hub.Get(t.Context(), alice, q.ID)
		if err != nil || settled.Pending() || settled.Outcome.Action != parley.Accept || settled.Outcome.By != "" {
			t.Errorf("%+v %v", settled.Outcome, err)
		}
	})
}

// What an agent marks as the person's to authorize nobody gives in their place, however it is
// put.
func TestWhatIsToBeAuthorizedIsThePersonsOwnWord(t *testing.T) {
	link := elicitation.Question{ID: "q", Mode: elicitation.URL, Message: "Pay?", URL: "https://travel.example/pay", SettledBy: "Human"}
	sure := elicitation.Question{ID: "q", Mode: elicitation.Form, Message: "Pay?", RequestedSchema: []byte(`{"type":"object","properties":{"ok":{"type":"boolean"}}}`)}
	for name, c := range map[string]struct {
		text      string
		questions []elicitation.Question
	}{
		"words":                     {"Confirm the payment.", nil},
		"words with a link":         {"Confirm the payment. The terms: https://travel.example/terms", nil},
		"a form":                    {"Pay?", []elicitation.Question{sure}},
		"a link that others settle": {"Pay?", []elicitation.Question{link}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &desk{extension: true, work: func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
				emit(asks(ec, a2a.TaskStateAuthRequired, c.text, c.questions...))
			}}
			n := newWorld(t, d).node()
			n.say("Book a trip.")
			q := n.question()
			if q.Trigger != parley.TriggerApproval && q.Labels[parley.LabelPerson] == "" && q.Labels["settled_by"] != "page" {
				t.Errorf("%+v", q)
			}
			if err := n.Stop(t.Context(), alice, "c"); err != nil {
				t.Fatal(err)
			}
			n.until("the task is cancelled", func() bool { return len(d.cancelled()) == 1 })
		})
	}
}

// Stock agents of a2a-go take no message while they wait for somebody's visit: what
// the person did is seen by the task.
func TestAVisitIsNotLostOnAnAgentThatTakesNoMessage(t *testing.T) {
	connected := make(chan struct{})
	d := &desk{streaming: true, work: func(ctx context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
		emit(asks(ec, a2a.TaskStateAuthRequired, "Sign in at https://travel.example/sign-in?state=1."))
		select {
		case <-connected:
			done(ec, emit, "signed in")
		case <-ctx.Done():
		}
	}}
	n := newWorld(t, d).node()
	ref := n.say("Book a trip.")
	q := n.question()
	if q.Mode != parley.URL || q.URL != "https://travel.example/sign-in?state=1" {
		t.Errorf("asked %+v", q)
	}
	n.answer(q, parley.Accept, "")
	n.until("the visit is told and refused", func() bool { return len(d.asked("SendStreamingMessage")) == 2 })
	close(connected)
	if got := n.reply(ref); got != "signed in done" {
		t.Error(got)
	}
	d.one()
}

// Agents that wait for a word are told it. Stock a2a-go never gets there from
// auth-required, so the state is that of an agent written by hand.
func TestAnAuthorizationWithoutAnAddressIsConfirmedByAWord(t *testing.T) {
	for name, want := range map[parley.Action]string{parley.Accept: "it was told: Done. done", parley.Decline: "it was told: The user declined. done"} {
		t.Run(string(name), func(t *testing.T) {
			t.Parallel()
			d := &desk{}
			d.rpc = func(method string, m *a2a.Message) any {
				task := a2a.Task{ID: "t1", ContextID: "c1", Status: a2a.TaskStatus{State: a2a.TaskStateAuthRequired, Message: &a2a.Message{ID: "m1", Role: a2a.MessageRoleAgent, Parts: a2a.ContentParts{a2a.NewTextPart("Confirm it in the app on your phone.")}}}}
				if method == "SendMessage" && m.TaskID == "" {
					return a2a.StreamResponse{Event: &task}
				}
				if method == "SendMessage" {
					task.Status = a2a.TaskStatus{State: a2a.TaskStateCompleted, Message: &a2a.Message{ID: "m2", Role: a2a.MessageRoleAgent, Parts: a2a.ContentParts{a2a.NewTextPart("it was told: " + m.Parts[0].Text())}}}
					return a2a.StreamResponse{Event: &task}
				}
				return task
			}
			n := newWorld(t, d).node()
			ref := n.say("Book a trip.")
			q := n.question()
			if q.Mode != parley.Form || q.Message != "Confirm it in the app on your phone." || q.Trigger != parley.TriggerApproval {
				t.Errorf("asked %+v", q)
			}
			content := ""
			if name == parley.Accept {
				content = "{}"
			}
			n.answer(q, name, content)
			if got := n.reply(ref); got != want {
				t.Error(got)
			}
		})
	}
}

// A link that nobody is led to, by http to another machine, is read.
func TestAnAuthorizationWithALinkThatIsNotFollowedIsAskedInWords(t *testing.T) {
	d := &desk{work: func(ctx context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
		emit(asks(ec, a2a.TaskStateAuthRequired, "Sign in at http://travel.example/sign-in."))
		<-ctx.Done()
	}}
	n := newWorld(t, d).node()
	n.say("Book a trip.")
	if q := n.question(); q.Mode != parley.Form || q.Message != "Sign in at http://travel.example/sign-in." {
		t.Errorf("asked %+v", q)
	}
	if err := n.Stop(t.Context(), alice, "c"); err != nil {
		t.Fatal(err)
	}
	n.until("the task is cancelled", func() bool { return len(d.cancelled()) == 1 })
}

// Somebody else ended the task while the person was asked.
func TestAQuestionOfATaskThatMovedOnIsWithdrawn(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		d.work = booking
		n := newWorld(t, d).node()
		ref := n.say("Book a trip.")
		q := n.question()
		d.cancelAtHome()
		if got := n.reply(ref); got != "desk did not finish: the task was cancelled there. done" {
			t.Error(got)
		}
		settled, err := n.hub.Get(t.Context(), alice, q.ID)
		if err != nil || settled.Pending() || settled.Outcome.Action != parley.Cancel || settled.Outcome.By != "" {
			t.Errorf("%+v %v", settled.Outcome, err)
		}
	})
}

// Our own pages are trusted: an agent elsewhere sends nobody there.
func TestAnAgentElsewhereDoesNotSendPeopleToOurPages(t *testing.T) {
	d := &desk{extension: true, work: func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
		emit(asks(ec, a2a.TaskStateInputRequired, "Go there.", elicitation.Question{ID: "1", Mode: elicitation.URL, Message: "Go there.", URL: "https://parley.example/auth/connect?x=1"}))
	}}
	w := newWorld(t, d)
	w.opts.PublicURL = "https://parley.example"
	n := w.node()
	if got := n.reply(n.say("Book a trip.")); got != "desk sends people to pages that are not its own; the task was given up. done" {
		t.Error(got)
	}
	if len(d.cancelled()) != 1 {
		t.Error("its task was left to wait")
	}
}

// The hosted page would not show such a link, so clients are not sent it either.
func TestALinkThatLooksLikeAnotherIsNotPassedOn(t *testing.T) {
	for _, to := range []string{"https://travel.example/\u202egpj", "https://travel.example/a\u3164", "https://xn--80ak6aa92e.com/"} {
		d := &desk{extension: true, work: func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			emit(asks(ec, a2a.TaskStateInputRequired, "Go there.", elicitation.Question{ID: "1", Mode: elicitation.URL, Message: "Go there.", URL: to}))
		}}
		n := newWorld(t, d).node()
		if got := n.reply(n.say("Book a trip.")); !strings.Contains(got, "was given up") || strings.Contains(got, to) {
			t.Errorf("%+q: %q", to, got)
		}
		if len(d.cancelled()) != 1 {
			t.Error("its task was left to wait")
		}
	}
}
