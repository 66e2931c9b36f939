package remote_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
)

const declinedAndCancelled = "Not done: desk asked the user something, and the user declined. The task was cancelled. done"

var allow = elicitation.Question{ID: "there-1", Mode: elicitation.URL, Message: "Allow this call?", URL: "https://travel.example/answer/1", SettledBy: elicitation.SettledByPage}

// What the person declines here nobody allows there any more: the page there would take
// no message.
func TestWhatIsDeclinedHereIsCancelledWhereAPageWouldSettleIt(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		allowed := make(chan struct{})
		var ran sync.Map
		d.work = func(ctx context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			emit(asks(ec, a2a.TaskStateAuthRequired, "Allow this call?", allow))
			select {
			case <-ctx.Done():
			case <-allowed:
				if ctx.Err() == nil {
					ran.Store("ran", true)
					done(ec, emit, "wiped")
				}
			}
		}
		n := newWorld(t, d).node()
		ref := n.say("Wipe it.")
		n.answer(n.question(), parley.Decline, "")
		if got := n.reply(ref); got != declinedAndCancelled {
			t.Error(got)
		}
		close(allowed)
		if task := d.one(); len(d.cancelled()) != 1 || d.cancelled()[0] != task {
			t.Errorf("cancelled %v", d.cancelled())
		}
		if len(d.got()) != 1 {
			t.Error("it was sent a message that no page takes")
		}
		if _, so := ran.Load("ran"); so {
			t.Error("what was declined was done")
		}
	})
}

// A page's question that nobody answers here does not stay open there either.
func TestAPageThatNobodyAnswersInTimeIsCancelled(t *testing.T) {
	d := &desk{extension: true, work: func(ctx context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
		soon := allow
		soon.ExpiresAt = time.Now().Add(time.Second)
		emit(asks(ec, a2a.TaskStateAuthRequired, "Allow this call?", soon))
		<-ctx.Done()
	}}
	n := newWorld(t, d).node()
	if got := n.reply(n.say("Wipe it.")); got != "Not done: desk asked the user something, and they did not answer in time. The task was cancelled. done" {
		t.Error(got)
	}
	if len(d.cancelled()) != 1 {
		t.Error("its task was left to wait")
	}
}

// hand is an agent written by hand: it says to an answer what it will, in the state that
// it asks in.
type hand struct {
	mu        sync.Mutex
	question  *a2a.Message
	state     a2a.TaskState
	answers   func(*a2a.Message) any // nil: it asks the same again
	uncancels bool                   // it does not cancel
	cancels   func()                 // is called when it cancels
	cancelled bool
	told      []*a2a.Message
}

func (h *hand) task() *a2a.Task {
	task := &a2a.Task{ID: "t1", ContextID: "c1", Status: a2a.TaskStatus{State: h.state, Message: h.question}}
	if h.cancelled {
		task.Status = a2a.TaskStatus{State: a2a.TaskStateCanceled}
	}
	return task
}

func (h *hand) rpc(method string, m *a2a.Message) any {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case method == "SendMessage" || method == "SendStreamingMessage":
		if m.TaskID != "" {
			h.told = append(h.told, m)
			if h.answers != nil {
				return h.answers(m)
			}
		}
		return a2a.StreamResponse{Event: h.task()}
	case method == "CancelTask" && h.uncancels:
		return []byte(`{"jsonrpc":"2.0","id":"1","error":{"code":-32002,"message":"no"}}`)
	case method == "CancelTask":
		h.cancelled = true
		if h.cancels != nil {
			h.cancels()
		}
	}
	return h.task()
}

func (h *hand) heard() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.told)
}

// An agent that asks what was declined again, or takes no no, does not keep the turn: its
// task is cancelled.
func TestAnAgentThatHearsNoNoIsCancelled(t *testing.T) {
	refuses := func(*a2a.Message) any {
		return []byte(`{"jsonrpc":"2.0","id":"1","error":{"code":-32004,"message":"a message does not refuse it"}}`)
	}
	there := elicitation.Question{ID: "U", Mode: elicitation.URL, Message: "Go there.", URL: "https://travel.example/go"}
	for name, c := range map[string]struct {
		state     a2a.TaskState
		text      string
		questions []elicitation.Question
		answers   func(*a2a.Message) any
	}{
		"a link, again":      {state: a2a.TaskStateAuthRequired, questions: []elicitation.Question{there}},
		"a link, refused":    {state: a2a.TaskStateAuthRequired, questions: []elicitation.Question{there}, answers: refuses},
		"a form, again":      {state: a2a.TaskStateInputRequired, questions: []elicitation.Question{where}},
		"a form, refused":    {state: a2a.TaskStateInputRequired, questions: []elicitation.Question{where}, answers: refuses},
		"in words, again":    {state: a2a.TaskStateAuthRequired, text: "Confirm it in the app."},
		"in words, refused":  {state: a2a.TaskStateAuthRequired, text: "Confirm it in the app.", answers: refuses},
		"a link in words":    {state: a2a.TaskStateAuthRequired, text: "Sign in at https://travel.example/x."},
		"a question, again":  {state: a2a.TaskStateInputRequired, text: "Where to?"},
		"a question, forced": {state: a2a.TaskStateInputRequired, text: "Where to?", answers: refuses},
	} {
		for how, streaming := range map[string]bool{"streamed": true, "polled": false} {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				h := &hand{state: c.state, answers: c.answers, question: &a2a.Message{ID: "m1", Role: a2a.MessageRoleAgent}}
				if c.text != "" {
					h.question.Parts = a2a.ContentParts{a2a.NewTextPart(c.text)}
				}
				for _, q := range c.questions {
					elicitation.Ask(h.question, q)
				}
				d := &desk{streaming: streaming, extension: true, rpc: h.rpc}
				n := newWorld(t, d).node()
				ref := n.say("Book a trip.")
				n.answer(n.question(), parley.Decline, "")
				if got := n.reply(ref); got != declinedAndCancelled {
					t.Error(got)
				}
				if h.heard() != 1 || len(d.asked("CancelTask")) != 1 {
					t.Errorf("told %d times, cancelled %d times", h.heard(), len(d.asked("CancelTask")))
				}
				if sent := len(d.asked("SendMessage")); streaming && sent != 1 {
					t.Errorf("the no went out on a stream, which the agent could hold open: %d messages without one", sent)
				}
				n.questions(0)
			})
		}
	}
}

// An agent that gives no heed to a cancellation is told on.
func TestATaskThatIsNotCancelledIsNotSaidToBe(t *testing.T) {
	h := &hand{state: a2a.TaskStateAuthRequired, uncancels: true, question: &a2a.Message{ID: "m1", Role: a2a.MessageRoleAgent}}
	elicitation.Ask(h.question, allow)
	n := newWorld(t, &desk{extension: true, rpc: h.rpc}).node()
	ref := n.say("Wipe it.")
	n.answer(n.question(), parley.Decline, "")
	if got := n.reply(ref); !strings.HasPrefix(got, "desk asked the user something, and the user declined; but it did not cancel the task: whether it is carried out is not known.") {
		t.Error(got)
	}
}

// What a page settles is not declined by a message, also where the agent would take one.
func TestNoMessageDeclinesWhatAPageSettles(t *testing.T) {
	for _, action := range []parley.Action{parley.Decline, parley.Cancel} {
		h := &hand{state: a2a.TaskStateAuthRequired, question: &a2a.Message{ID: "m1", Role: a2a.MessageRoleAgent}}
		elicitation.Ask(h.question, allow)
		n := newWorld(t, &desk{extension: true, rpc: h.rpc}).node()
		ref := n.say("Wipe it.")
		n.answer(n.question(), action, "")
		if got := n.reply(ref); !strings.HasSuffix(got, "The task was cancelled. done") || h.heard() != 0 || !h.cancelled {
			t.Errorf("%s: %s, told %d times, cancelled: %v", action, got, h.heard(), h.cancelled)
		}
	}
}

// The process dies when the task is cancelled and before that is written down.
func TestADeclineOutlivesTheProcessThatCancelled(t *testing.T) {
	h := &hand{state: a2a.TaskStateAuthRequired, question: &a2a.Message{ID: "m1", Role: a2a.MessageRoleAgent}}
	elicitation.Ask(h.question, allow)
	w := newWorld(t, &desk{extension: true, rpc: h.rpc})
	n := w.node()
	h.cancels = n.cut
	ref := n.say("Wipe it.")
	n.answer(n.question(), parley.Decline, "")
	n.until("it is cancelled", func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.cancelled
	})
	n.kill()
	if got := w.node().reply(ref); got != declinedAndCancelled {
		t.Error(got)
	}
}
