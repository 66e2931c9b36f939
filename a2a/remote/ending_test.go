package remote_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
)

const away = 1 << 30 // requests

// ending reports whether it is written down that a task is to be cancelled.
func (n *node) ending() bool {
	for _, kind := range []string{"a2a_wait", "a2a_wait_own"} {
		for record, err := range parley.Each(n.t.Context(), n.records, parley.Address{Tenant: "-a2a", Kind: kind}, "") {
			if err == nil && strings.Contains(record.Key, "/end-") {
				return true
			}
		}
	}
	return false
}

// What nobody wants any more is not done by an agent that did not hear it: it is told when
// it is back, also by another process than the one that was to tell it.
func TestATaskThatNobodyWantsIsCancelledOnceItsAgentIsBack(t *testing.T) {
	for name, world := range map[string]func(*testing.T, *desk) *world{"the operator's": newWorld, "a tenant's": ownWorld} {
		for what, dies := range map[string]bool{"stopped": false, "stopped, and the process died": true, "declined": false, "declined, and the process died": true} {
			t.Run(name+", "+what, func(t *testing.T) {
				t.Parallel()
				o := &outage{}
				d := &desk{extension: true, front: o.front, work: func(ctx context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
					emit(asks(ec, a2a.TaskStateAuthRequired, "Allow this call?", allow))
					<-ctx.Done()
				}}
				w := world(t, d)
				w.opts.Away, w.opts.Look = 300*time.Millisecond, 100*time.Millisecond
				n := w.node()
				ref := n.say("Wipe it.")
				q := n.question()
				o.away.Store(away)
				if strings.HasPrefix(what, "stopped") {
					if err := n.Stop(t.Context(), alice, "c"); err != nil {
						t.Fatal(err)
					}
					n.reply(ref)
				} else {
					n.answer(q, parley.Decline, "")
					if got := n.reply(ref); !strings.Contains(got, "desk asked the user something, and the user declined") {
						t.Error(got)
					}
				}
				n.until("it is written down", func() bool { return n.ending() })
				if len(d.cancelled()) != 0 {
					t.Fatal("it was not away")
				}
				if dies {
					n.kill()
					n = w.node()
				}
				o.away.Store(0)
				n.until("the task is cancelled", func() bool { return len(d.cancelled()) == 1 })
				if d.cancelled()[0] != d.one() || len(d.got()) != 1 {
					t.Errorf("cancelled %v, sent %d", d.cancelled(), len(d.got()))
				}
				n.until("it is forgotten", func() bool { return !n.ending() })
			})
		}
	}
}

// An agent that says that it cannot be cancelled is not told for days.
func TestAnAgentThatDoesNotCancelIsToldOnce(t *testing.T) {
	h := &hand{state: a2a.TaskStateAuthRequired, uncancels: true, question: &a2a.Message{ID: "m1", Role: a2a.MessageRoleAgent}}
	elicitation.Ask(h.question, allow)
	n := newWorld(t, &desk{extension: true, rpc: h.rpc}).node()
	ref := n.say("Go.")
	n.question()
	if err := n.Stop(t.Context(), alice, "c"); err != nil {
		t.Fatal(err)
	}
	n.reply(ref)
	n.until("it is forgotten", func() bool { return !n.ending() })
}

// Whoever asks the same in the same words once more, in another message, was told no.
func TestANoInWordsStaysOne(t *testing.T) {
	d := &desk{work: func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
		emit(asks(ec, a2a.TaskStateInputRequired, "What?"))
	}}
	w := newWorld(t, d)
	w.opts.Visit = 100 * time.Millisecond
	n := w.node()
	ref := n.say("Book a trip.")
	n.answer(n.question(), parley.Decline, "")
	if got := n.reply(ref); got != declinedAndCancelled {
		t.Error(got)
	}
	if len(d.got()) != 2 || len(d.cancelled()) != 1 {
		t.Errorf("sent %d, cancelled %v", len(d.got()), d.cancelled())
	}
}
