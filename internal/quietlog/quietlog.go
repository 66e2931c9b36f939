// Package quietlog makes what a library says of its everyday work a matter for
// debugging.
package quietlog

import (
	"context"
	"log/slog"
)

// Of returns a logger that has warnings and errors as they are, and tells the rest at
// level debug.
func Of(logger *slog.Logger) *slog.Logger {
	return slog.New(handler{logger.Handler()})
}

type handler struct{ slog.Handler }

func demoted(level slog.Level) slog.Level {
	if level < slog.LevelWarn {
		return min(level, slog.LevelDebug)
	}
	return level
}

func (h handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.Handler.Enabled(ctx, demoted(level))
}

func (h handler) Handle(ctx context.Context, r slog.Record) error {
	r.Level = demoted(r.Level)
	return h.Handler.Handle(ctx, r)
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attrs)}
}

func (h handler) WithGroup(name string) slog.Handler { return handler{h.Handler.WithGroup(name)} }
