package remote_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley"
)

// outage is an agent that is away at times, with its card.
type outage struct{ away, came atomic.Int64 } // how many requests it does not hear yet; how many came

func (o *outage) front(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.came.Add(1)
		if o.away.Add(-1) >= 0 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// A process that has never read the card goes on with a task although the agent is away
// for a moment: the person has answered, and is not asked again.
func TestATaskGoesOnAfterItsAgentWasAwayForTheNextProcess(t *testing.T) {
	for name, world := range map[string]func(*testing.T, *desk) *world{"the operator's": newWorld, "a tenant's": ownWorld} {
		t.Run(name, func(t *testing.T) {
			o := &outage{}
			d := &desk{work: booking, extension: true, front: o.front}
			w := world(t, d)
			first := w.node()
			ref := first.say("Book a trip.")
			q := first.question()
			first.kill()
			o.away.Store(5)
			next := w.node()
			next.answer(q, parley.Accept, `{"city":"Oslo","nights":3}`)
			if got := next.reply(ref); got != `booked: accept {"city":"Oslo","nights":3} done` {
				t.Error(got)
			}
			d.one()
			if got := d.got(); len(got) != 2 || o.away.Load() > 0 {
				t.Errorf("it got %d messages", len(got))
			}
		})
	}
}

// Of a task that was begun nobody says that it was not sent, whatever the card says now.
func TestATaskThatWasBegunIsNotSaidToBeUnsent(t *testing.T) {
	d := &desk{work: booking, extension: true}
	var broken atomic.Bool
	d.front = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if broken.Load() {
				_, _ = w.Write([]byte("no card"))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	w := ownWorld(t, d)
	first := w.node()
	ref := first.say("Book a trip.")
	q := first.question()
	first.kill()
	broken.Store(true)
	next := w.node()
	next.answer(q, parley.Accept, `{"city":"Oslo","nights":3}`)
	got := next.reply(ref)
	if strings.Contains(got, "not sent") || !strings.HasPrefix(got, "desk has a card that cannot be read (") || !strings.HasSuffix(got, "): what became of this task is not known. Find out before you begin it again. done") {
		t.Error(got)
	}
}

// Whether a message arrived is found out although the agent was away when the next process
// came.
func TestAMessageThatWasUnderWayIsFoundAfterItsAgentWasAway(t *testing.T) {
	h, o := newHeld(0, false), &outage{}
	defer h.let()
	arrived := h.arrived
	d := &desk{work: booking, binding: "rest", extension: true, listing: true, front: func(next http.Handler) http.Handler { return o.front(h.front(next)) }}
	w := newWorld(t, d)
	first := w.node()
	ref := first.say("Book a trip.")
	<-arrived
	first.kill()
	o.away.Store(3)
	next := w.node()
	next.answer(next.question(), parley.Accept, `{"city":"Oslo","nights":3}`)
	if got := next.reply(ref); got != `booked: accept {"city":"Oslo","nights":3} done` || o.away.Load() > 0 {
		t.Error(got)
	}
	d.one()
}
