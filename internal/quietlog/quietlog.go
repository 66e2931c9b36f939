// Package quietlog makes what a library says of its everyday work a matter for
// debugging, and what varies in its messages attributes.
package quietlog

import (
	"context"
	"errors"
	"log/slog"
	"strings"
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

// OfMCP is Of for the SDK of MCP, which writes methods, names and errors into its
// messages: a message stays the same whatever happened, and the rest is an attribute. Of
// notifications that do not arrive it tells once a minute: there is one for each change of
// a list and each client, and a server decides how often it changes.
func OfMCP(logger *slog.Logger) *slog.Logger {
	return slog.New(constant{Of(logger).Handler(), &Trouble{}})
}

type constant struct {
	slog.Handler
	untold *Trouble
}

func (h constant) Handle(ctx context.Context, r slog.Record) error {
	message, rest, varies := strings.Cut(r.Message, ": ")
	if !varies {
		return h.Handler.Handle(ctx, r)
	}
	if method, ok := strings.CutPrefix(message, "calling notifications/"); ok && r.Level >= slog.LevelWarn {
		h.untold.Note(context.WithoutCancel(ctx), slog.New(h.Handler).With("method", "notifications/"+method), "MCP notifications not delivered", errors.New(rest))
		return nil
	}
	told := slog.NewRecord(r.Time, r.Level, message, r.PC)
	if method, ok := strings.CutPrefix(message, "calling "); ok {
		told.Message = "MCP request failed"
		told.AddAttrs(slog.String("method", method))
	}
	told.AddAttrs(slog.String("err", rest))
	r.Attrs(func(a slog.Attr) bool { told.AddAttrs(a); return true })
	return h.Handler.Handle(ctx, told)
}

func (h constant) WithAttrs(attrs []slog.Attr) slog.Handler {
	return constant{h.Handler.WithAttrs(attrs), h.untold}
}

func (h constant) WithGroup(name string) slog.Handler {
	return constant{h.Handler.WithGroup(name), h.untold}
}
