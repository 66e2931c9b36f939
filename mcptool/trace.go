package mcptool

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/tracing"
)

// Traced is ctx in the trace that a client's request says it belongs to: in its _meta,
// else by its headers. What is strange is ignored, and baggage is not read.
func Traced(ctx context.Context, meta json.RawMessage, header http.Header) context.Context {
	if raw, ok := mcpclient.Member(meta, mcpclient.MetaTraceparent); ok {
		state, _ := mcpclient.Member(meta, mcpclient.MetaTracestate)
		return inTrace(ctx, text(raw), text(state), header)
	}
	return inTrace(ctx, "", "", header)
}

// text is what a JSON string says; empty: it is none.
func text(raw json.RawMessage) (said string) {
	_ = json.Unmarshal(raw, &said)
	return said
}

func inTrace(ctx context.Context, parent, state string, header http.Header) context.Context {
	if c, ok := tracing.Parse(parent, state); ok {
		return tracing.With(ctx, c)
	}
	if tracing.From(ctx).Valid() {
		return ctx
	}
	return tracing.With(ctx, tracing.OfHeader(header))
}

// traced is Traced for a request that the SDK has read. One that a shortcut hands over
// says in its header what it is a part of.
func (a *Asker) traced(ctx context.Context, req serverRequest) context.Context {
	var header http.Header
	if extra := req.GetExtra(); extra != nil {
		header = extra.Header
	}
	if c := tracing.OfHeader(header); c.Valid() && a.opts.Begun(header) {
		return tracing.With(ctx, c)
	}
	var meta mcp.Meta
	if p := req.GetParams(); p != nil {
		meta = p.GetMeta()
	}
	parent, _ := meta[mcpclient.MetaTraceparent].(string)
	state, _ := meta[mcpclient.MetaTracestate].(string)
	return inTrace(ctx, parent, state, header)
}

// trail is where a call belongs in a trace, in its journal: whoever goes on with the
// call does so in the same trace.
type trail struct {
	Origin tracing.Context `json:"origin"`        // what the call is a part of
	Last   tracing.Context `json:"last,omitzero"` // what was done of it last
}

// spanNames are what the spans of calls are called, by their methods.
var spanNames = map[string]string{"tools/call": "mcp.call", "prompts/get": "mcp.prompt", "resources/read": "mcp.resource"}

// beginSpan begins the span of what this process does of a call, and returns ctx in it. A
// call that was left goes on in its own trace, and its span says with which it goes on;
// of the trace that its client has now there is a link.
func (r *run) beginSpan(ctx context.Context, name string) (context.Context, *tracing.Live) {
	tracer := r.asker.opts.Tracer
	if tracer == nil {
		return ctx, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now, origin := tracing.From(ctx), tracer.Origin(ctx)
	var before *trail
	if r.page != nil && r.page.Trail != nil {
		before = r.page.Trail
		origin = before.Origin
	}
	ctx, span := tracing.Start(tracing.With(ctx, origin), tracer, name, tracing.Server)
	span.Set("mcp.method.name", r.target.Method)
	switch r.target.Method {
	case "tools/call":
		span.Set("toolName", r.target.Name)
	case "prompts/get":
		span.Set("gen_ai.prompt.name", r.target.Name)
	} // a resource has a URI, which may say a lot
	span.Set("parley.node", r.asker.node.ID())
	if before != nil {
		span.Link(before.Last)
		if now.Valid() && now.Trace != origin.Trace {
			span.Link(now)
		}
	}
	r.trail = &trail{Origin: origin, Last: span.Context()}
	if r.page != nil {
		r.page.Trail = r.trail // it is written with what is written next
	}
	r.span = span
	return ctx, span
}

// tookUp notes that the call goes on with an earlier one, whose trace is another. The
// caller holds mu.
func (r *run) tookUp(p *page) {
	if r.trail == nil || p == nil {
		return
	}
	if p.Trail != nil {
		r.span.Link(p.Trail.Last)
	}
	p.Trail = r.trail
}

// ToolID says whose the tool, prompt or resource is, in the name that spans have for it:
// a Relay knows, and the last word counts. Default: the service that asks.
func (c *Call) ToolID(server string) {
	c.run.mu.Lock()
	defer c.run.mu.Unlock()
	c.run.toolID = server
}

// endSpan ends what this process does of a call: it is done, has failed, or waits for
// somebody.
func (r *run) endSpan(span *tracing.Live, waits, failed bool, err error) {
	if span == nil {
		return
	}
	r.mu.Lock()
	server := r.toolID
	r.mu.Unlock()
	if server == "" {
		server = r.asker.service()
	}
	if server != "" {
		span.Set("toolId", server)
	}
	outcome := "done"
	switch {
	case err != nil:
		outcome = "failed"
		span.Fail("failed")
	case failed:
		outcome = "failed"
		span.Fail("tool error")
	case waits:
		outcome = "waiting"
	}
	span.Set("outcome", outcome)
	span.End()
}

// endToolSpan is endSpan for a call of a tool.
func (r *run) endToolSpan(span *tracing.Live, result *mcp.CallToolResult, err error) {
	r.endSpan(span, result != nil && result.RequestState != "", result != nil && result.IsError, err)
}
