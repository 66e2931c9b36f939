package parley

import (
	"context"
	"strings"
	"time"
)

// mostLogged is how much of a name is logged that others chose.
const mostLogged = 128

// logOpened tells the operator of a question: who is asked by whom and why, never
// what.
func (h *Hub) logOpened(ctx context.Context, r Request) {
	h.opts.Logger.InfoContext(ctx, "question opened", append(logged(r), "expires", r.Expires)...)
}

// logSettled tells the operator how a question ended, and how long it took.
func (h *Hub) logSettled(ctx context.Context, r Request, o Outcome) {
	attrs := append(logged(r), "waited", o.At.Sub(r.Created).Round(time.Millisecond).String())
	if o.Via != "" {
		attrs = append(attrs, "via", o.Via)
	}
	message := "question " + string(o.Ended())
	h.opts.Logger.InfoContext(ctx, message, attrs...)
}

// logged is what the log says of a question: names and times. What is asked and
// answered is nobody's business there, nor are the reasons of programs.
func logged(r Request) []any {
	attrs := []any{"id", r.ID, "tenant", r.Tenant, "user", r.To, "service", shortened(r.From), "trigger", shortened(r.Trigger)}
	for _, label := range []string{LabelTool, LabelAgent} {
		if name := r.Labels[label]; name != "" {
			attrs = append(attrs, label, shortened(name))
		}
	}
	return attrs
}

func shortened(name string) string {
	if len(name) <= mostLogged {
		return name
	}
	return strings.ToValidUTF8(name[:mostLogged], "") + "…"
}

// End is how a question ended, in a word for operators.
type End string

// The ends. An action alone does not tell whether a person dismissed a question or
// its program withdrew it.
const (
	Answered   End = "answered"
	Declined   End = "declined"
	Dismissed  End = "dismissed" // by the person, without a decision
	Expired    End = "expired"
	Withdrawn  End = "withdrawn"  // by the program that asked
	Superseded End = "superseded" // by a newer question of the session
)

// superseded is the reason of an outcome that a newer question made.
const superseded = "superseded"

// Ended says how the question with this outcome ended.
func (o Outcome) Ended() End {
	switch {
	case o.Action == Accept:
		return Answered
	case o.Action == Decline:
		return Declined
	case o.Action == Expire:
		return Expired
	case o.By != "":
		return Dismissed
	case o.Reason == superseded:
		return Superseded
	}
	return Withdrawn
}
