package gateway

import (
	"context"

	"github.com/parley-hq/parley/tracing"
)

// traced begins the span of a call that takes the short way.
func (g *Gateway) traced(ctx context.Context, t target) (context.Context, *tracing.Live) {
	if g.opts.Tracer == nil {
		return ctx, nil
	}
	ctx, span := tracing.Start(ctx, g.opts.Tracer, "gateway.call", tracing.Server)
	span.Set("toolId", t.Server.Name)
	span.Set("toolName", t.Name)
	return ctx, span
}
