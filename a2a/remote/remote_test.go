package remote_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
)

// everyWay runs a test for each way in which stock agents are spoken to.
func everyWay(t *testing.T, test func(t *testing.T, d *desk)) {
	for _, binding := range []string{"jsonrpc", "rest", "legacy"} {
		for name, streaming := range map[string]bool{"streamed": true, "polled": false} {
			t.Run(binding+" "+name, func(t *testing.T) {
				t.Parallel()
				test(t, &desk{binding: binding, streaming: streaming, extension: true})
			})
		}
	}
}

// one checks that there was one task, and that every message was for it.
func (d *desk) one() a2a.TaskID {
	d.t.Helper()
	begun := d.begun()
	if len(begun) != 1 {
		d.t.Fatalf("%d tasks were begun: %v", len(begun), begun)
	}
	for i, m := range d.got()[1:] {
		if m.TaskID != begun[0] {
			d.t.Errorf("message %d was for the task %q", i+1, m.TaskID)
		}
	}
	return begun[0]
}

func TestAFormOfARemoteAgentIsAskedHereAndItsTaskGoesOn(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		d.work = booking
		n := newWorld(t, d).node()
		ref := n.say("Book a trip.")
		q := n.question()
		if q.From != "desk" || q.Trigger != parley.TriggerA2A || q.Message != "Where to?" || q.Mode != parley.Form || q.Session != "c" {
			t.Errorf("asked %+v", q)
		}
		n.answer(q, parley.Accept, `{"city":"Oslo","nights":3}`)
		if got := n.reply(ref); got != `booked: accept {"city":"Oslo","nights":3} done` {
			t.Error(got)
		}
		d.one()
		if got := d.got()[0].Parts[0].Text(); got != "Book a trip." {
			t.Errorf("it was told %q", got)
		}
	})
}

func TestATextIsAskedByOneFieldAndAnsweredByAText(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		d.extension = false
		d.work = func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			if ec.StoredTask == nil {
				emit(asks(ec, a2a.TaskStateInputRequired, "Which city?"))
				return
			}
			done(ec, emit, "to "+ec.Message.Parts[0].Text())
		}
		n := newWorld(t, d).node()
		ref := n.say("Book a trip.")
		q := n.question()
		if q.Message != "Which city?" {
			t.Errorf("asked %q", q.Message)
		}
		n.answer(q, parley.Accept, `{"answer":"Oslo"}`)
		if got := n.reply(ref); got != "to Oslo done" {
			t.Error(got)
		}
		d.one()
	})
}

func TestDecliningIsAMessage(t *testing.T) {
	for name, extension := range map[string]bool{"as data": true, "as text": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &desk{streaming: true, extension: extension}
			d.work = func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
				switch {
				case ec.StoredTask == nil && extension:
					emit(asks(ec, a2a.TaskStateInputRequired, "Where to?", where))
				case ec.StoredTask == nil:
					emit(asks(ec, a2a.TaskStateInputRequired, "Where to?"))
				default:
					raw, _ := json.Marshal(ec.Message.Parts)
					done(ec, emit, string(raw))
				}
			}
			n := newWorld(t, d).node()
			ref := n.say("Book a trip.")
			n.answer(n.question(), parley.Decline, "")
			want := `[{"text":"The user declined."}] done`
			if extension {
				want = `[{"data":{"action":"decline","elicitationId":"there-1"},"mediaType":"application/json"}] done`
			}
			if got := n.reply(ref); got != want {
				t.Error(got)
			}
			d.one()
		})
	}
}

func TestWhoDoesNotChooseCancelsATaskThatKnowsNoBetterWord(t *testing.T) {
	d := &desk{work: func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
		emit(asks(ec, a2a.TaskStateInputRequired, "Where to?"))
	}}
	n := newWorld(t, d).node()
	ref := n.say("Book a trip.")
	n.answer(n.question(), parley.Cancel, "")
	if got := n.reply(ref); got != "Not done: desk asked the user something, and they did not want to choose. The task was cancelled. done" {
		t.Error(got)
	}
	if task := d.one(); len(d.cancelled()) != 1 || d.cancelled()[0] != task {
		t.Errorf("cancelled %v", d.cancelled())
	}
}

func TestAStopCancelsTheTask(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		d.work = booking
		n := newWorld(t, d).node()
		ref := n.say("Book a trip.")
		n.question()
		if err := n.Stop(t.Context(), alice, "c"); err != nil {
			t.Fatal(err)
		}
		n.reply(ref)
		n.until("the task is cancelled", func() bool { return len(d.cancelled()) == 1 })
		if d.cancelled()[0] != d.one() {
			t.Error(d.cancelled())
		}
		n.questions(0)
	})
}

// An answer that the agent does not take is asked for again, in the same task.
func TestAnAgentMayAskAgain(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		again := where
		d.work = func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			answers, _ := elicitation.Answers(ec.Message)
			if len(answers) == 1 && string(answers[0].Content) == `{"city":"Rome","nights":1}` {
				done(ec, emit, "booked Rome")
				return
			}
			emit(asks(ec, a2a.TaskStateInputRequired, "Where to?", again))
		}
		n := newWorld(t, d).node()
		ref := n.say("Book a trip.")
		first := n.question()
		n.answer(first, parley.Accept, `{"city":"Atlantis","nights":1}`)
		var second parley.Request
		n.until("it is asked again", func() bool {
			list, err := n.hub.List(t.Context(), alice, parley.Query{Pending: true})
			if err == nil && len(list) == 1 && list[0].ID != first.ID {
				second = list[0]
			}
			return second.ID != ""
		})
		n.answer(second, parley.Accept, `{"city":"Rome","nights":1}`)
		if got := n.reply(ref); got != "booked Rome done" {
			t.Error(got)
		}
		d.one()
	})
}

func TestSeveralQuestionsAreAnsweredByOneMessage(t *testing.T) {
	other := elicitation.Question{ID: "there-2", Mode: elicitation.Form, Message: "For whom?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)}
	d := &desk{streaming: true, extension: true, work: func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
		if ec.StoredTask == nil {
			emit(asks(ec, a2a.TaskStateInputRequired, "Two things.", where, other))
			return
		}
		raw, _ := json.Marshal(ec.Message.Parts)
		done(ec, emit, string(raw))
	}}
	n := newWorld(t, d).node()
	ref := n.say("Book a trip.")
	for _, q := range n.questions(2) {
		content := `{"city":"Oslo","nights":3}`
		if q.Message == "For whom?" {
			content = `{"name":"Ada"}`
		}
		n.answer(q, parley.Accept, content)
	}
	want := `[{"data":{"action":"accept","content":{"city":"Oslo","nights":3},"elicitationId":"there-1"},"mediaType":"application/json"},` +
		`{"data":{"action":"accept","content":{"name":"Ada"},"elicitationId":"there-2"},"mediaType":"application/json"}] done`
	if got := n.reply(ref); got != want {
		t.Error(got)
	}
	d.one()
}

func TestATaskThatIsRefusedSaysWhy(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		d.work = func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			emit(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateRejected, a2a.NewMessageForTask(a2a.MessageRoleAgent, ec, a2a.NewTextPart("we are closed"))))
		}
		n := newWorld(t, d).node()
		if got := n.reply(n.say("Book a trip.")); got != "desk refused the task. we are closed done" {
			t.Error(got)
		}
	})
}

// An agent may answer without a task.
func TestAMessageIsAnAnswer(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		d.bare = true
		d.work = func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			emit(a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart("Ask at the counter.")))
		}
		n := newWorld(t, d).node()
		if got := n.reply(n.say("Book a trip.")); got != "Ask at the counter. done" {
			t.Error(got)
		}
	})
}

// What a task says in the end and what it made are both told.
func TestNeitherTheLastWordNorTheArtifactsAreDropped(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		d.work = func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			emit(a2a.NewArtifactEvent(ec, a2a.NewTextPart("a ticket"), a2a.NewDataPart(map[string]any{"seat": "12A"})))
			emit(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCompleted, a2a.NewMessageForTask(a2a.MessageRoleAgent, ec, a2a.NewTextPart("Have a good trip."))))
		}
		n := newWorld(t, d).node()
		if got := n.reply(n.say("Book a trip.")); got != "Have a good trip.\na ticket\n{\"seat\":\"12A\"} done" {
			t.Error(got)
		}
	})
}
