package mcpcall

import (
	"context"

	"github.com/parley-hq/parley/tracing"
)

// traced is where a request of a call in ctx belongs, and its span if somebody is told
// of it.
func (g *Calls) traced(ctx context.Context, t Target) (tracing.Context, *tracing.Live) {
	if g.opts.Tracer == nil {
		return tracing.From(ctx), nil
	}
	_, span := tracing.Start(ctx, g.opts.Tracer, "mcp.request", tracing.Client)
	span.Set("mcp.method.name", t.Method)
	span.Set("toolId", t.Server.Name)
	if t.Method == "tools/call" { // others have a URI, which may say a lot
		span.Set("toolName", t.Name)
	}
	return span.Context(), span
}

// told ends the span of a request, with what was wrong. The first word counts. The
// caller holds mu.
func (f *Request) told(wrong string) {
	if f.span == nil {
		return
	}
	f.span.Fail(wrong)
	f.span.End()
	f.span = nil
}
