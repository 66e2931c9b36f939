package gateway

import (
	"context"

	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/tracing"
)

// traced begins the span of a call that takes the short way, or of a completion.
func (g *Gateway) traced(ctx context.Context, name string, t target) (context.Context, *tracing.Live) {
	if g.opts.Tracer == nil {
		return ctx, nil
	}
	ctx, span := tracing.Start(ctx, g.opts.Tracer, name, tracing.Server)
	span.Set("toolId", t.Server.Name)
	if t.Name != "" {
		span.Set("toolName", t.Name)
	}
	if g.opts.Node != nil {
		span.Set("parley.node", g.opts.Node.ID())
	}
	return ctx, span
}

// endedWith says how a call ended by its response.
func endedWith(span *tracing.Live, m mcpclient.Message) {
	switch {
	case span == nil:
	case m.Error != nil:
		span.Set("outcome", "failed")
		span.Fail("failed")
	case mcpcall.ResultFailed(m.Result):
		span.Set("outcome", "failed")
		span.Fail("tool error")
	default:
		span.Set("outcome", "done")
	}
}
