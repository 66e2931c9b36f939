package agent

import (
	"context"
	"strconv"
	"time"

	"github.com/parley-hq/parley/tracing"
)

// trail is the way of a run: where it belongs in a trace, and at which nodes it was. A
// run is told in parts: each is what one process did with it, until it waited, ended,
// or was left. The spans of a part are made of the run's record when the part is over,
// so what a process that died had done is told by who takes the run up.
type trail struct {
	Origin tracing.Context `json:"origin,omitzero"` // what the run is a part of; zero: it is told in no trace
	Part   int             `json:"part,omitempty"`  // the one that is under way, or was last, from 1
	Node   string          `json:"node,omitempty"`  // whose it is
	From   time.Time       `json:"from,omitzero"`   // when it began
	Log    int             `json:"log,omitempty"`   // how much of the run's log is of parts before it
	Last   int             `json:"last,omitempty"`  // the part before it in which something happened
	Stays  []Stay          `json:"stays,omitempty"`
}

// Trace is the id of the trace that a run is told in; empty: it is told in none.
func (r *Run) Trace() string {
	if r.Trail == nil || !r.Trail.Origin.Sampled {
		return ""
	}
	return r.Trail.Origin.TraceID()
}

// trail is that of a run that begins in ctx.
func (rt *Runtime) trail(ctx context.Context) *trail {
	return &trail{Origin: tracing.Origin(ctx, rt.opts.Tracer)}
}

// The spans of a run, by what they are of: every process knows their ids.

func (r *Run) partSpan(part int) tracing.Context {
	return r.span("part", strconv.Itoa(part))
}

func (r *Run) stepSpan(step int) tracing.Context {
	return r.span("step", strconv.Itoa(step))
}

func (r *Run) callSpan(call string) tracing.Context { return r.span("call", call) }

func (r *Run) span(what, which string) tracing.Context {
	if r.Trail == nil {
		return tracing.Context{}
	}
	return r.Trail.Origin.Child("run", r.Ref.Run, what, which)
}

// beginPart begins a part of the run, and returns ctx in it. The part of a process
// that left the run without a word is told first.
func (d *driver) beginPart(ctx context.Context) context.Context {
	r := d.run
	if r.Trail == nil {
		return ctx // it is older than trails
	}
	t := *r.Trail
	left := t.Part > 0 && r.Status == Working
	if left && t.Node != d.rt.node.ID() {
		d.rt.tell(r, "left")
	}
	if !left || t.Node != d.rt.node.ID() {
		now := time.Now().UTC()
		t.Stays = r.takenUp(d.rt.node.ID(), now)
		if len(r.Log) > t.Log {
			t.Last = t.Part
		}
		t.Part, t.Node, t.From, t.Log = t.Part+1, d.rt.node.ID(), now, len(r.Log)
		if t.Part == 1 {
			t.From, t.Log = r.Created, 0
		}
		d.mu.Lock()
		r.Trail = &t // it is saved with what happens next
		d.mu.Unlock()
	}
	if span := r.partSpan(t.Part); span.Valid() {
		return tracing.With(ctx, span)
	}
	return ctx
}

// endPart tells of the part that is over.
func (d *driver) endPart() {
	d.mu.Lock()
	defer d.mu.Unlock()
	how := string(d.run.Reason)
	if d.run.Status == Waiting {
		how = string(Waiting)
	}
	d.rt.tell(d.run, how)
}

// tell tells of the last part of a run, and of what ended in it. One in which nothing
// happened is not told: the run was woken for nothing.
func (rt *Runtime) tell(r *Run, how string) {
	t := r.Trail
	if rt.opts.Tracer == nil || t == nil || t.Part == 0 || !t.Origin.Sampled || len(r.Log) <= t.Log {
		return
	}
	part := tracing.Span{
		Name: "agent.run", Context: r.partSpan(t.Part), Parent: t.Origin, Start: t.From, End: r.Updated,
		Attributes: []tracing.Attribute{
			{Key: "gen_ai.agent.name", Value: r.Agent}, {Key: "parley.run", Value: r.Ref.Run}, {Key: "parley.part", Value: t.Part},
			{Key: "parley.node", Value: t.Node}, {Key: "outcome", Value: how}, {Key: "userId", Value: r.Ref.User}, {Key: "parley.tenant", Value: r.Ref.Tenant},
		},
	}
	if t.Last > 0 {
		part.Parent, part.Links = r.partSpan(1), []tracing.Context{r.partSpan(t.Last)}
	}
	if how == string(Broken) || how == "left" {
		part.Failed = how
	}
	rt.opts.Tracer.Ended(part)
	for _, s := range r.Timeline() {
		switch {
		case s.Kind == ModelSpan && s.ended > t.Log:
			rt.opts.Tracer.Ended(r.toldStep(s, rt.agents[r.Agent]))
		case s.Kind == CallSpan && s.ended > t.Log:
			rt.opts.Tracer.Ended(r.toldCall(s))
		}
	}
}

// toldStep is the span of a message of the model.
func (r *Run) toldStep(s Span, of *Agent) tracing.Span {
	told := tracing.Span{
		Name: "model.message", Context: r.stepSpan(s.Step), Parent: r.partSpan(r.Trail.Part), Kind: tracing.Client, Start: s.From, End: s.To,
		Attributes: []tracing.Attribute{{Key: "gen_ai.agent.name", Value: r.Agent}, {Key: "parley.step", Value: s.Step}},
	}
	if of != nil && of.ModelName != "" {
		told.Attributes = append(told.Attributes, tracing.Attribute{Key: "gen_ai.request.model", Value: of.ModelName})
	}
	return told
}

// toldCall is the span of a call, which may have begun parts ago.
func (r *Run) toldCall(s Span) tracing.Span {
	told := tracing.Span{
		Name: "tool.call", Context: r.callSpan(s.Call), Parent: r.partSpan(1), Start: s.From, End: s.To,
		Attributes: []tracing.Attribute{{Key: "toolId", Value: s.Box}, {Key: "toolName", Value: s.Tool}, {Key: "parley.call", Value: s.Call}, {Key: "outcome", Value: string(s.How)}},
	}
	if c := r.Calls[s.Call]; c != nil {
		told.Parent = r.partSpan(max(1, c.Part))
		if c.Kind == toDelegate {
			told.Attributes = append(told.Attributes, tracing.Attribute{Key: "parley.delegate", Value: c.Box})
		}
	}
	if s.How != Succeeded {
		told.Failed = string(s.How)
	}
	return told
}
