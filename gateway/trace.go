package gateway

import (
	"context"

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
	return ctx, span
}
