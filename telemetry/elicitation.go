package telemetry

import (
	"context"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/tracing"
)

// The spans of questions, by how they ended.
const (
	spanRequested = "elicitation.requested"
	spanCompleted = "elicitation.completed"
	spanDeclined  = "elicitation.declined"
	spanCancelled = "elicitation.cancelled"
	spanTimeout   = "elicitation.timeout"
)

// Hooks tell of the questions of a hub: one span when a question is opened, and one,
// as long as it was open, when it ends, wherever that is. Where it belongs is written
// on the question itself, before anybody can answer it.
func (t *Traces) Hooks() []parley.Hook {
	return []parley.Hook{
		parley.Before(parley.OpeningStore, func(ctx context.Context, o *parley.Opening) error {
			t.mark(ctx, &o.Request)
			return nil
		}),
		parley.After(parley.OpeningFinish, func(_ context.Context, o *parley.Opening) error {
			t.requested(o.Request)
			return nil
		}),
		parley.After(parley.AnsweringFinish, func(_ context.Context, a *parley.Answering) error {
			t.settled(a.Request, a.Outcome)
			return nil
		}),
	}
}

// mark writes on a question where it belongs.
func (t *Traces) mark(ctx context.Context, r *parley.Request) {
	if _, known := originOf(*r); known && !tracing.From(ctx).Valid() {
		return
	}
	text, err := t.Origin(ctx).MarshalText()
	if err != nil {
		return
	}
	if r.Labels == nil {
		r.Labels = map[string]string{}
	}
	r.Labels[parley.LabelTrace] = string(text)
}

// originOf is what a question is a part of.
func originOf(r parley.Request) (tracing.Context, bool) {
	var c tracing.Context
	err := c.UnmarshalText([]byte(r.Labels[parley.LabelTrace]))
	return c, err == nil && c.Valid()
}

// requestedAs is the span of a question that was opened.
func requestedAs(origin tracing.Context, r parley.Request) tracing.Context {
	return origin.Child(spanRequested, string(r.ID))
}

func (t *Traces) requested(r parley.Request) {
	origin, ok := originOf(r)
	if !ok {
		return
	}
	t.Ended(tracing.Span{
		Name: spanRequested, Context: requestedAs(origin, r), Parent: origin, Start: r.Created, End: r.Created, Attributes: about(r),
	})
}

func (t *Traces) settled(r parley.Request, o parley.Outcome) {
	origin, ok := originOf(r)
	if !ok {
		return
	}
	name := spanCancelled
	switch o.Ended() {
	case parley.Answered:
		name = spanCompleted
	case parley.Declined:
		name = spanDeclined
	case parley.Expired:
		name = spanTimeout
	}
	_, outcome, _ := strings.Cut(name, ".")
	t.Ended(tracing.Span{
		Name: name, Context: origin.Child(name, string(r.ID)), Parent: origin, Links: []tracing.Context{requestedAs(origin, r)}, Start: r.Created, End: o.At,
		Attributes: append(about(r), tracing.Attribute{Key: "outcome", Value: outcome}, tracing.Attribute{Key: "duration", Value: max(0, o.At.Sub(r.Created)).Seconds()},
			tracing.Attribute{Key: "parley.end", Value: string(o.Ended())}, tracing.Attribute{Key: "parley.via", Value: o.Via}),
	})
}

// about is what a span says of a question, by the names that the document has: ids and
// names, never what is asked or answered.
func about(r parley.Request) []tracing.Attribute {
	all := []tracing.Attribute{
		{Key: "elicitationId", Value: string(r.ID)}, {Key: "trigger", Value: r.Trigger}, {Key: "userId", Value: r.To},
		{Key: "toolId", Value: r.From}, {Key: "parley.tenant", Value: r.Tenant}, {Key: "parley.mode", Value: string(r.Mode)},
	}
	if tool := r.Labels[parley.LabelTool]; tool != "" {
		all = append(all, tracing.Attribute{Key: "toolName", Value: tool})
	}
	if name := r.Labels[parley.LabelAgent]; name != "" {
		all = append(all, tracing.Attribute{Key: "parley.agent", Value: name})
	}
	if r.Trigger == parley.TriggerCredential { // whose it will be: a person's, an agent's or everybody's
		all = append(all, tracing.Attribute{Key: "credentialType", Value: r.Labels["scope"]})
	}
	return all
}

func shortened(text string) string {
	if len(text) <= mostText {
		return strings.ToValidUTF8(text, "")
	}
	return strings.ToValidUTF8(text[:mostText], "") + "…"
}
