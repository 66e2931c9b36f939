package terminal

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// outgoing is an answer that the server has not confirmed. It is sent again as it is: the
// server takes the same answer to the same question once.
type outgoing struct {
	*dialog
	action  string
	failed  int  // how often
	unknown bool // the server may have it
	pause   time.Duration
	due     <-chan time.Time
}

// againPrompt stands where a person types while an answer is on its way.
const againPrompt = "  (your answer is sent again; Ctrl-C stops that) "

// temporary reports whether the same may work in a moment.
func temporary(err error) bool {
	var refused *refusal
	return !errors.As(err, &refused) || refused.status >= http.StatusInternalServerError || refused.status == http.StatusTooManyRequests
}

// reason is why something did not work, for brackets.
func reason(err error) string {
	var away *unreachable
	if errors.As(err, &away) {
		return "nobody answers at " + away.base
	}
	var refused *refusal
	switch {
	case !errors.As(err, &refused):
		return "the connection broke"
	case refused.Text+refused.Detail == "":
		return refused.Error()
	}
	return "the server says: " + strings.TrimSuffix(word(refused.Error()), ".")
}

// send sends an answer. What the server does not take is asked again.
func (t *turn) send(ctx context.Context, d *dialog, action string) error {
	return t.attempt(ctx, &outgoing{dialog: d, action: action})
}

// attempt sends an answer once. Ctrl-C ends it.
func (t *turn) attempt(ctx context.Context, o *outgoing) error {
	t.again = nil
	var content any
	if o.action == "accept" && o.Mode != "url" {
		content = o.values
	}
	sending, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	sent := make(chan error, 1)
	go func() { sent <- t.server.answer(sending, t.id, o.ID, o.action, content) }()
	var err error
	interrupted := false
	select {
	case err = <-sent:
	case <-t.interrupts:
		interrupted = true
		cancel()
		err = <-sent
	}
	if ctx.Err() != nil {
		return errLeave
	}
	if err := t.sent(o, err); err != nil || !interrupted {
		return err
	}
	return t.interrupted(ctx)
}

// sent goes on with what became of an answer.
func (t *turn) sent(o *outgoing, err error) error {
	var refused *refusal
	switch {
	case err == nil:
		t.answered[o.ID] = true
		if o.failed > 0 {
			t.line("  Sent.")
		}
	case temporary(err):
		t.hold(o, err)
		return nil
	case errors.As(err, &refused) && len(refused.Fields) > 0:
		for _, said := range o.correct(refused) {
			t.line("  " + said)
		}
		return nil
	case errors.As(err, &refused) && refused.status == http.StatusUnauthorized:
		return err
	case errors.As(err, &refused) && (refused.status == http.StatusNotFound || refused.status == http.StatusGone):
		t.line("  " + refused.Error())
	default: // a conflict is settled by the stream, or waits for an earlier question
		t.line("  It was not taken: " + clean(err.Error()))
		t.leaveOpen(o.dialog)
		return nil
	}
	t.open = t.open[1:]
	t.showNext()
	return nil
}

// hold keeps an answer that the server did not confirm, to send it again, and asks anew
// when that was tried for long.
func (t *turn) hold(o *outgoing, err error) {
	o.failed++
	var away *unreachable
	reached := !errors.As(err, &away)
	if o.failed == 1 || reached && !o.unknown {
		o.unknown = reached
		t.line(fmt.Sprintf("  %s (%s). The same answer is sent again, and counts once; Ctrl-C stops that.", o.known(), reason(err)))
	}
	if o.failed > attempts {
		t.askAnew(o)
		return
	}
	o.pause = min(max(2*o.pause, firstPause), maxPause)
	o.due = time.After(o.pause)
	t.again = o
}

// known is what is known of an answer that is not confirmed.
func (o *outgoing) known() string {
	if o.unknown {
		return "Whether the server has your answer is not known"
	}
	return "Your answer is not sent"
}

// askAnew gives an answer up and asks its question again.
func (t *turn) askAnew(o *outgoing) {
	t.again = nil
	said := "  " + o.known() + ", and it is not sent again. The question is asked anew"
	if o.unknown {
		said += "; the first answer that the server has counts"
	}
	t.line(said + ".")
	o.restart()
	t.showNext()
}

// resend is when an answer is to be sent again; nil: there is none.
func (t *turn) resend() <-chan time.Time {
	if t.again == nil {
		return nil
	}
	return t.again.due
}

// interrupted is a Ctrl-C: it stops the turn, and the answer that is sent again. Where the
// turn cannot be stopped its question is asked anew.
func (t *turn) interrupted(ctx context.Context) error {
	err := t.interrupt(ctx)
	o := t.again
	if t.again = nil; err == nil && o != nil && !t.stopped {
		t.askAnew(o)
	}
	return err
}

// troubled goes on with a stream that broke: what is open stays open. A turn without an open
// question is given up in the end.
func (t *turn) troubled(one told) error {
	if one.failed > attempts && len(t.open)+len(t.left) == 0 {
		return fmt.Errorf("the connection to %s was lost; what runs there goes on: %w", t.server.base, one.trouble)
	}
	var refused *refusal
	if !t.trouble && (one.failed > 1 || errors.As(one.trouble, &refused)) { // a connection that breaks is there again at once
		t.trouble = true
		said := "The turn cannot be followed just now"
		if one.unsent {
			said = "The server has not taken your message"
		}
		t.line("! " + said + " (" + reason(one.trouble) + "). This tries again; Ctrl-C stops it.")
	}
	return nil
}

// restored says that a trouble is over, and shows the question that is asked.
func (t *turn) restored() {
	if !t.trouble {
		return
	}
	t.trouble = false
	t.line("The server is there again.")
	if t.again == nil && !t.stopped {
		t.showNext()
	}
}
