package permit

import (
	"cmp"
	"context"
	"time"

	"github.com/parley-hq/parley"
)

// logSaid tells the operator what a person said about a call: who, which tool, for
// whom, how long it took. What nobody said is the end of a question and no more.
func (p *Permits) logSaid(ctx context.Context, a *parley.Answering) {
	q, o := a.Request, a.Outcome
	if q.Trigger != parley.TriggerApproval || o.By == "" {
		return
	}
	q.Outcome = &o
	decision := p.hear(q).choice
	if decision == Refuse {
		if chosen, _ := Decided(q); chosen == AskBack {
			decision = chosen
		}
	}
	message := "approval given"
	if decision == Refuse || decision == AskBack {
		message = "approval denied"
	}
	var signed []any
	if SignedBy(q) != nil {
		signed = []any{"signed", SignPasskey}
	}
	p.opts.Logger.InfoContext(ctx, message, append([]any{"id", q.ID, "tenant", q.Tenant, "user", o.By, "for", cmp.Or(q.Labels[LabelAsker], q.To),
		"service", q.From, "tool", q.Labels[LabelTool], "agent", q.Labels[parley.LabelAgent],
		"decision", decision, "rule", cmp.Or(q.Labels[LabelRule], q.Labels[parley.LabelSign]), "via", o.Via, "waited", o.At.Sub(q.Created).Round(time.Millisecond).String()}, signed...)...)
}

// logDecided tells the operator what approvers have decided together: once, by the process
// that wrote it down. What each of them said has a line of its own.
func (p *Permits) logDecided(ctx context.Context, o owner, e entry) {
	yes, no := e.Quorum.Asked.Words()
	p.opts.Logger.InfoContext(ctx, "approvers decided", "tenant", o.tenant, "for", o.user, "service", e.Server, "tool", e.Tool, "effect", e.Effect,
		"allowed", len(yes), "denied", len(no), "needed", e.Quorum.Approvers.Need, "approvers", len(e.Quorum.Asked.Voices()))
}
