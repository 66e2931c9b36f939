package remote_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
)

var whom = elicitation.Question{ID: "there-2", Mode: elicitation.Form, Message: "For whom?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)}

// asking is the question among those that are open that has these words.
func asking(t *testing.T, list []parley.Request, message string) parley.Request {
	t.Helper()
	for _, q := range list {
		if q.Message == message {
			return q
		}
	}
	t.Fatalf("nobody asks %q: %v", message, list)
	return parley.Request{}
}

// Of several questions a no is told at once, and the others stay open.
func TestANoDoesNotWaitForTheOtherAnswers(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		d.work = func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			answers, _ := elicitation.Answers(ec.Message)
			switch {
			case len(answers) == 0:
				emit(asks(ec, a2a.TaskStateInputRequired, "Two things.", where, whom))
			case answers[0].ID == where.ID:
				emit(asks(ec, a2a.TaskStateInputRequired, "One thing.", whom))
			default:
				done(ec, emit, "for "+string(answers[0].Content))
			}
		}
		n := newWorld(t, d).node()
		ref := n.say("Book a trip.")
		list := n.questions(2)
		n.answer(asking(t, list, "Where to?"), parley.Decline, "")
		n.until("the agent hears the no", func() bool { return len(d.got()) == 2 })
		if answers, err := elicitation.Answers(d.got()[1]); err != nil || len(answers) != 1 || answers[0].Action != elicitation.Decline || answers[0].ID != where.ID {
			t.Errorf("it was told %+v, %v", answers, err)
		}
		other := asking(t, n.questions(1), "For whom?")
		if other.ID != asking(t, list, "For whom?").ID {
			t.Error("the other question was asked anew")
		}
		n.answer(other, parley.Accept, `{"name":"Ada"}`)
		if got := n.reply(ref); got != `for {"name":"Ada"} done` {
			t.Error(got)
		}
		d.one()
		if len(d.cancelled()) != 0 {
			t.Error("the task was cancelled")
		}
	})
}

// Where a no ends the task the other questions are over with it.
func TestANoThatEndsTheTaskWithdrawsTheOtherQuestions(t *testing.T) {
	page := allow
	page.ID = "there-3"
	d := &desk{extension: true, work: func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
		emit(asks(ec, a2a.TaskStateInputRequired, "Two things.", where, page))
	}}
	n := newWorld(t, d).node()
	ref := n.say("Book a trip.")
	n.answer(asking(t, n.questions(2), page.Message), parley.Decline, "")
	if got := n.reply(ref); got != declinedAndCancelled {
		t.Error(got)
	}
	n.questions(0)
	if len(d.cancelled()) != 1 {
		t.Error("its task was left to wait")
	}
}

var link = elicitation.Question{ID: "there-1", Mode: elicitation.URL, Message: "Sign in there.", URL: "https://travel.example/connect"}

// An agent that asks for a visit again, though it was told of one, is asked for again at
// once: there is no time that it would be waited for.
func TestALinkThatIsAskedForAgainIsAskedAgain(t *testing.T) {
	for name, inData := range map[string]bool{"as data": true, "in words": false} {
		for how, streaming := range map[string]bool{"streamed": true, "polled": false} {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				h := &hand{state: a2a.TaskStateAuthRequired}
				ask := func() {
					m := a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart("Sign in at https://travel.example/connect ."))
					if inData {
						elicitation.Ask(m, link)
					}
					h.question = plain(m)
				}
				ask()
				h.answers = func(*a2a.Message) any {
					if ask(); len(h.told) == 2 {
						h.state, h.question = a2a.TaskStateCompleted, a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart("Thank you."))
					}
					return a2a.StreamResponse{Event: h.task()}
				}
				w := newWorld(t, &desk{streaming: streaming, extension: inData, rpc: h.rpc})
				if inData {
					w.opts.Visit = 2 * patience
				}
				n := w.node()
				ref := n.say("Book a trip.")
				first := n.question()
				n.answer(first, parley.Accept, "")
				var second parley.Request
				n.until("it is asked again", func() bool {
					list, err := n.hub.List(t.Context(), alice, parley.Query{Pending: true})
					if err == nil && len(list) == 1 && list[0].ID != first.ID {
						second = list[0]
					}
					return second.ID != ""
				})
				n.answer(second, parley.Accept, "")
				if got := n.reply(ref); got != "Thank you. done" {
					t.Error(got)
				}
			})
		}
	}
}

// A stream on which an agent only repeats what was answered is not listened to for ever.
func TestAStreamThatIsHeldOpenWithAnAnsweredLinkIsLeft(t *testing.T) {
	m := a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart("Sign in there."))
	elicitation.Ask(m, link)
	h := &hand{question: plain(m), state: a2a.TaskStateAuthRequired}
	d := &desk{streaming: true, extension: true, rpc: h.rpc}
	d.front = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			var call struct {
				ID     json.RawMessage
				Params struct{ Message *a2a.Message }
			}
			if err == nil {
				_ = json.Unmarshal(body, &call) // others than calls have none
			}
			if m := call.Params.Message; m == nil || m.TaskID == "" {
				r.Body = io.NopCloser(bytes.NewReader(body))
				next.ServeHTTP(w, r)
				return
			}
			h.mu.Lock()
			raw, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": call.ID, "result": a2a.StreamResponse{Event: h.task()}})
			h.mu.Unlock()
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: %s\n\n", raw)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
	}
	n := newWorld(t, d).node()
	n.say("Book a trip.")
	first := n.question()
	n.answer(first, parley.Accept, "")
	n.until("it is asked again", func() bool {
		list, err := n.hub.List(t.Context(), alice, parley.Query{Pending: true})
		return err == nil && len(list) == 1 && list[0].ID != first.ID
	})
}

// One that waits for a visit that it does not see asks for it again after a while.
func TestAVisitThatAnAgentDoesNotSeeIsAskedForAgainUpToALimit(t *testing.T) {
	for name, question := range map[string]*elicitation.Question{"as data": &link, "in words": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart("Authorize it."))
			if question != nil {
				elicitation.Ask(m, *question)
			}
			h := &hand{question: plain(m), state: a2a.TaskStateAuthRequired}
			d := &desk{extension: true, rpc: h.rpc}
			w := newWorld(t, d)
			w.opts.Visit = 1 // no time at all
			n := w.node()
			ref := n.say("Book a trip.")
			last := parley.ID("")
			for range 20 {
				var q parley.Request
				n.until("it is asked again", func() bool {
					list, err := n.hub.List(t.Context(), alice, parley.Query{Pending: true})
					if err == nil && len(list) == 1 && list[0].ID != last {
						q = list[0]
					}
					return q.ID != ""
				})
				last = q.ID
				content := ""
				if q.Mode == parley.Form {
					content = "{}"
				}
				n.answer(q, parley.Accept, content)
			}
			if got := n.reply(ref); !strings.HasPrefix(got, "desk asked more than 20 times in one task") {
				t.Error(got)
			}
		})
	}
}

// A question that says something else by now is asked anew: a yes to the one is none to
// the other.
func TestAQuestionThatIsSwappedIsAskedAnew(t *testing.T) {
	tea := elicitation.Question{ID: "there-1", Mode: elicitation.Form, Message: "Do you like tea?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"yes":{"type":"boolean"}},"required":["yes"]}`)}
	money := tea
	money.Message = "Transfer all money?"
	status := func(q elicitation.Question) *a2a.Message {
		m := a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart(q.Message))
		m.ID = "the same"
		elicitation.Ask(m, q)
		return plain(m)
	}
	for name, look := range map[string]bool{"seen while it is open": true, "seen before the answer is sent": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := &hand{question: status(tea), state: a2a.TaskStateInputRequired}
			h.answers = func(m *a2a.Message) any {
				h.state = a2a.TaskStateCompleted
				h.question = a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart("as you like"))
				return a2a.StreamResponse{Event: h.task()}
			}
			d := &desk{extension: true, rpc: h.rpc}
			w := newWorld(t, d)
			if !look {
				w.opts.Look = patience // nobody looks meanwhile
			}
			n := w.node()
			ref := n.say("Hello.")
			first := n.asks(tea.Message)
			h.mu.Lock()
			h.question = status(money)
			h.mu.Unlock()
			if !look {
				n.answer(first, parley.Accept, `{"yes":true}`)
			}
			second := n.asks(money.Message)
			if h.heard() != 0 {
				t.Fatal("the yes to the one was sent for the other")
			}
			n.answer(second, parley.Accept, `{"yes":false}`)
			if got := n.reply(ref); got != "as you like done" {
				t.Error(got)
			}
			if answers, err := elicitation.Answers(h.told[0]); err != nil || len(h.told) != 1 || string(answers[0].Content) != `{"yes":false}` {
				t.Errorf("%v %v", answers, err)
			}
		})
	}
}

// A link that is swapped was not followed: nobody is said to have been there.
func TestALinkThatIsSwappedIsTakenBack(t *testing.T) {
	status := func(url string) *a2a.Message {
		m := a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart("Sign in there."))
		q := link
		q.URL = url
		elicitation.Ask(m, q)
		return plain(m)
	}
	h := &hand{question: status(link.URL), state: a2a.TaskStateAuthRequired}
	n := newWorld(t, &desk{extension: true, rpc: h.rpc}).node()
	n.say("Hello.")
	first := n.question()
	h.mu.Lock()
	h.question = status("https://travel.example/elsewhere")
	h.mu.Unlock()
	n.until("it is asked anew", func() bool {
		list, err := n.hub.List(t.Context(), alice, parley.Query{Pending: true})
		return err == nil && len(list) == 1 && list[0].URL == "https://travel.example/elsewhere"
	})
	if now, err := n.hub.Get(t.Context(), alice, first.ID); err != nil || now.Outcome == nil || now.Outcome.Action != parley.Cancel {
		t.Errorf("%+v %v", now.Outcome, err)
	}
	if h.heard() != 0 {
		t.Error("the agent was told of a visit")
	}
}
