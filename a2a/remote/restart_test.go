package remote_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley"
)

func TestAQuestionOutlivesItsProcess(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		d.work = booking
		w := newWorld(t, d)
		first := w.node()
		ref := first.say("Book a trip.")
		q := first.question()
		first.kill()
		next := w.node()
		if same := next.question(); same.ID != q.ID {
			t.Errorf("%s is asked in the place of %s", same.ID, q.ID)
		}
		next.answer(q, parley.Accept, `{"city":"Oslo","nights":3}`)
		if got := next.reply(ref); got != `booked: accept {"city":"Oslo","nights":3} done` {
			t.Error(got)
		}
		d.one()
	})
}

// The task of a process that died is looked after by those that are left.
func TestATaskThatMovesOnIsSeenByTheNextProcess(t *testing.T) {
	d := &desk{work: booking, extension: true, streaming: true}
	w := newWorld(t, d)
	first := w.node()
	ref := first.say("Book a trip.")
	first.question()
	first.kill()
	d.cancelAtHome()
	next := w.node()
	if got := next.reply(ref); got != "desk did not finish: the task was cancelled there. done" {
		t.Error(got)
	}
	next.questions(0)
}

// held holds the answers to messages back, once each is with the agent.
type held struct {
	mu      sync.Mutex
	arrived chan struct{}
	goOn    chan struct{}
	before  bool // it does not even get there
	skip    int  // messages that pass
	once    sync.Once
}

func (h *held) front(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		mine := r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/rest/message:") && h.arrived != nil
		if mine && h.skip > 0 {
			h.skip--
			mine = false
		}
		defer h.let()
		arrived := h.arrived
		if mine {
			h.arrived = nil
		}
		h.mu.Unlock()
		if !mine {
			next.ServeHTTP(w, r)
			return
		}
		if !h.before {
			// The agent works on, whatever becomes of who asked.
			next.ServeHTTP(&unheard{header: http.Header{}}, r.WithContext(context.WithoutCancel(r.Context())))
		}
		close(arrived)
		<-h.goOn
		panic(http.ErrAbortHandler)
	})
}

// let lets go of what is held.
func (h *held) let() { h.once.Do(func() { close(h.goOn) }) }

// unheard takes what is said to nobody.
type unheard struct{ header http.Header }

func (u *unheard) Header() http.Header         { return u.header }
func (u *unheard) Write(p []byte) (int, error) { return len(p), nil }
func (u *unheard) WriteHeader(int)             {}
func (u *unheard) Flush()                      {}

func newHeld(skip int, before bool) *held {
	h := &held{arrived: make(chan struct{}), goOn: make(chan struct{}), skip: skip, before: before}

	return h
}

// A message that was under way when its process died is found at the other side, and
// never sent a second time.
func TestAMessageThatWasUnderWayBecomesOneTask(t *testing.T) {
	for name, streaming := range map[string]bool{"streamed": true, "polled": false} {
		t.Run(name, func(t *testing.T) {
			h := newHeld(0, false)
			defer h.let()
			arrived := h.arrived
			d := &desk{work: booking, binding: "rest", extension: true, listing: true, streaming: streaming, front: h.front}
			w := newWorld(t, d)
			first := w.node()
			ref := first.say("Book a trip.")
			<-arrived
			first.kill()
			next := w.node()
			next.answer(next.question(), parley.Accept, `{"city":"Oslo","nights":3}`)
			if got := next.reply(ref); got != `booked: accept {"city":"Oslo","nights":3} done` {
				t.Error(got)
			}
			d.one()
		})
	}
}

// Where nobody can say whether it arrived, that is what is said.
func TestAMessageOfWhichNothingIsKnownIsNotSentAgain(t *testing.T) {
	h := newHeld(0, false)
	defer h.let()
	arrived := h.arrived
	d := &desk{work: booking, binding: "rest", extension: true, front: h.front}
	w := newWorld(t, d)
	first := w.node()
	ref := first.say("Book a trip.")
	<-arrived
	first.kill()
	if got := w.node().reply(ref); got != "desk went away during the call: whether it was carried out is not known. Find out before you call it again. done" {
		t.Error(got)
	}
	d.one()
}

// An answer that was under way is given once: whether it arrived is looked up.
func TestAnAnswerThatWasUnderWayIsGivenOnce(t *testing.T) {
	for name, before := range map[string]bool{"it arrived": false, "it did not": true} {
		for how, streaming := range map[string]bool{"streamed": true, "polled": false} {
			t.Run(name+", "+how, func(t *testing.T) {
				h := newHeld(1, before)
				defer h.let()
				arrived := h.arrived
				d := &desk{work: booking, binding: "rest", extension: true, streaming: streaming, front: h.front}
				w := newWorld(t, d)
				first := w.node()
				ref := first.say("Book a trip.")
				first.answer(first.question(), parley.Accept, `{"city":"Oslo","nights":3}`)
				<-arrived
				first.kill()
				if got := w.node().reply(ref); got != `booked: accept {"city":"Oslo","nights":3} done` {
					t.Error(got)
				}
				d.one()
				if got := d.got(); len(got) != 2 {
					t.Errorf("it got %d messages", len(got))
				}
			})
		}
	}
}

// The connection breaks, and we live on.
func TestAConnectionThatBreaksLosesNothing(t *testing.T) {
	for name, skip := range map[string]int{"with the task": 0, "with the answer": 1} {
		for how, streaming := range map[string]bool{"streamed": true, "polled": false} {
			t.Run(name+", "+how, func(t *testing.T) {
				h := newHeld(skip, false)
				h.let()
				d := &desk{work: booking, binding: "rest", extension: true, listing: true, streaming: streaming, front: h.front}
				n := newWorld(t, d).node()
				ref := n.say("Book a trip.")
				n.answer(n.question(), parley.Accept, `{"city":"Oslo","nights":3}`)
				if got := n.reply(ref); got != `booked: accept {"city":"Oslo","nights":3} done` {
					t.Error(got)
				}
				d.one()
				if got := d.got(); len(got) != 2 {
					t.Errorf("it got %d messages", len(got))
				}
			})
		}
	}
}

// While an agent works its task is followed by whoever is left.
func TestATaskThatIsWorkedOnIsFollowedByTheNextProcess(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		finish := make(chan struct{})
		d.work = func(ctx context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			emit(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateWorking, nil))
			select {
			case <-finish:
				done(ec, emit, "worked")
			case <-ctx.Done():
			}
		}
		w := newWorld(t, d)
		first := w.node()
		ref := first.say("Book a trip.")
		first.until("it works", func() bool { return len(d.begun()) == 1 })
		first.until("its id is written down", func() bool { return first.keptTask(ref) })
		first.kill()
		next := w.node()
		close(finish)
		if got := next.reply(ref); got != "worked done" {
			t.Error(got)
		}
		d.one()
	})
}

// An answer that arrived, and after which the agent asks the same again, is not given a
// second time by the next process: the person is asked.
func TestAnAnswerThatArrivedIsNotTheAnswerToTheNextQuestion(t *testing.T) {
	for how, streaming := range map[string]bool{"streamed": true, "polled": false} {
		t.Run(how, func(t *testing.T) {
			h := newHeld(1, false)
			defer h.let()
			arrived := h.arrived
			d := &desk{binding: "rest", extension: true, streaming: streaming, front: h.front}
			d.work = func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
				if len(d.got()) == 3 {
					done(ec, emit, "booked at last")
					return
				}
				emit(asks(ec, a2a.TaskStateInputRequired, "Where to?", where))
			}
			w := newWorld(t, d)
			first := w.node()
			ref := first.say("Book a trip.")
			q := first.question()
			first.answer(q, parley.Accept, `{"city":"Atlantis","nights":3}`)
			<-arrived
			first.kill()
			next := w.node()
			again := next.question()
			if again.ID == q.ID || len(d.got()) != 2 {
				t.Errorf("%s after %s; the agent got %d messages", again.ID, q.ID, len(d.got()))
			}
			next.answer(again, parley.Accept, `{"city":"Rome","nights":3}`)
			if got := next.reply(ref); got != "booked at last done" {
				t.Error(got)
			}
			d.one()
		})
	}
}

// An answer goes to where the question came from: not to another agent that has its name
// by now.
func TestAnAnswerDoesNotGoToAnAgentThatTookTheName(t *testing.T) {
	d, other := &desk{work: booking, extension: true}, &desk{work: booking, extension: true}
	w := newWorld(t, d)
	first := w.node()
	ref := first.say("Book a trip.")
	q := first.question()
	first.kill()
	other.serve(t)
	w.desk = other
	next := w.node()
	next.answer(q, parley.Accept, `{"city":"Oslo","nights":3}`)
	if got := next.reply(ref); got != "desk is elsewhere by now than when this task was begun, so nothing was sent there. Begin it anew. done" {
		t.Error(got)
	}
	if len(other.got()) > 0 || len(d.got()) != 1 {
		t.Error("somebody was told the answer")
	}
}
