package terminal

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/permit"
)

// showQuestion shows a question, or how it ended.
func (t *turn) showQuestion(c chunk) {
	var q question
	if json.Unmarshal(c.Data, &q) != nil || q.ID == "" {
		return
	}
	settled, known := t.questions[q.ID]
	t.questions[q.ID] = q.Outcome != nil
	switch {
	case q.Outcome != nil && !settled:
		t.settle(q)
	case q.Outcome == nil && !known:
		d, err := newDialog(q)
		if err != nil {
			t.line(fmt.Sprintf("[%s] %s\n  This form is not one that can be filled in here. It waits at %s/answer/%s", q.service(), indent(q.words()), t.server.base, word(q.ID)))
			return
		}
		t.open = append(t.open, d)
		if len(t.open) == 1 {
			t.line(d.headingLine())
		}
	}
}

// settle takes a question away that has an outcome, and says so unless that is
// what the person answered here.
func (t *turn) settle(q question) {
	is := func(d *dialog) bool { return d.ID == q.ID }
	first := len(t.open) > 0 && is(t.open[0])
	if t.again != nil && t.again.ID == q.ID {
		t.again = nil
	}
	t.open, t.left = slices.DeleteFunc(t.open, is), slices.DeleteFunc(t.left, is)
	if !t.answered[q.ID] {
		t.line(fmt.Sprintf("[%s] %s", q.service(), outcomeText(q)))
	}
	if first {
		t.showNext()
	}
}

// outcomeText is how a question ended that was not answered here: where, or why if no
// person settled it.
func outcomeText(q question) string {
	if q.Outcome.By == "" && q.Outcome.Via == "" && q.Outcome.Reason != "" {
		return whyText(q)
	}
	done, known := actions[q.Outcome.Action]
	switch {
	case !known:
		done = word(q.Outcome.Action)
	case q.Outcome.Action == "decline" && q.Context.Trigger == parley.TriggerApprovers:
		done = "taken back"
	}
	if said, ok := decisions[q.Outcome.Decision]; ok && q.Outcome.Action == "accept" {
		done = said
	}
	switch via := q.Outcome.Via; {
	case q.Outcome.Action != "accept" && q.Outcome.Action != "decline", via == "":
		return done
	case places[via] != "":
		return done + places[via]
	default:
		return done + " by " + word(via)
	}
}

// whyText is how a question ended that no person settled. What a call of the person's own
// waited for is settled by those who were asked, and their word is the reason.
func whyText(q question) string {
	done, known := actions[q.Outcome.Action]
	switch {
	case q.Outcome.Action == "expire":
		return done
	case q.Outcome.Reason == permit.TooFewAnswered:
		done = "expired"
	case q.Context.Trigger == parley.TriggerApprovers && q.Outcome.Action != "cancel":
		done = "closed"
	case !known:
		done = word(q.Outcome.Action)
	}
	return done + ": " + cut(legible.Line(strings.TrimPrefix(q.Outcome.Reason, "withdrawn: ")), 200)
}

// actions are how questions ended, decisions how approvals did, and places where
// questions are answered.
var (
	actions = map[string]string{
		"accept": "answered", "decline": "declined", "cancel": "no longer asked", "expire": "expired: nobody answered in time",
	}
	decisions = map[string]string{
		"allow_once": "allowed once", "always_allow": "allowed for good", "deny": "denied", "changed": "allowed with changes", "asked_back": "asked back",
	}
	places = map[string]string{"page": " on the hosted page", "chat": " in a chat", "inbox": " in the inbox", "terminal": " in a terminal"}
)

// showNext shows the question that is asked next.
func (t *turn) showNext() {
	if len(t.open) > 0 {
		t.line(t.open[0].headingLine())
	}
}

// reopen asks again what the person left open.
func (t *turn) reopen() {
	t.open, t.left = t.left, nil
	t.showNext()
}

// wants is the prompt for what the person may enter now, if anything.
func (t *turn) wants() string {
	switch {
	case t.stopped, t.again != nil && t.echo: // a line of a file is for the prompt that comes
		return ""
	case t.again != nil:
		return againPrompt
	case len(t.open) > 0:
		return t.open[0].prompt()
	case len(t.left) > 0:
		return waitingPrompt
	}
	return ""
}

// take takes a line that was wanted.
func (t *turn) take(ctx context.Context, in entered) error {
	switch {
	case t.again != nil && in.end:
		t.line("  " + t.again.known() + fmt.Sprintf("; the question waits at %s/answer/%s", t.server.base, word(t.again.ID)))
		return errLeave
	case t.again != nil:
		t.line("  This was not sent: your answer is still on its way.")
		return nil
	}
	if len(t.open) == 0 {
		switch {
		case in.end:
			return errLeave
		case in.text == "a":
			t.reopen()
		default:
			t.next = in.text
		}
		return nil
	}
	d := t.open[0]
	if in.end {
		t.leaveOpen(d)
		return nil
	}
	next, wrong := d.take(in.text)
	if wrong != "" {
		t.line("  " + wrong)
	}
	switch next {
	case ready:
		return t.send(ctx, d, "accept")
	case decline:
		return t.send(ctx, d, "decline")
	case leave:
		t.leaveOpen(d)
	}
	return nil
}

// leaveOpen lets a question wait: it can be answered elsewhere, and later here.
func (t *turn) leaveOpen(d *dialog) {
	d.restart()
	t.open, t.left = t.open[1:], append(t.left, d)
	t.line(fmt.Sprintf("  Left open; it waits at %s/answer/%s", t.server.base, word(d.ID)))
	t.showNext()
}
