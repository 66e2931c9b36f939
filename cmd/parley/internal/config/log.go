package config

import (
	"io"
	"log/slog"
	"slices"
)

// Log is what the server says of its work, on standard error.
type Log struct {
	Format string `yaml:"format"` // text | json; default text
	Level  string `yaml:"level"`  // debug | info | warn | error; default info
	Access bool   `yaml:"access"` // a line for each request; default none
}

var logLevels = map[string]slog.Level{"": slog.LevelInfo, "debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}

// Logger writes to out as the configuration says.
func (l Log) Logger(out io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: logLevels[l.Level]}
	if l.Format == "json" {
		return slog.New(slog.NewJSONHandler(out, opts))
	}
	return slog.New(slog.NewTextHandler(out, opts))
}

func (l Log) problems(bad func(string, ...any)) {
	if !slices.Contains([]string{"", "text", "json"}, l.Format) {
		bad("log.format: %.40q; use text or json", l.Format)
	}
	if _, ok := logLevels[l.Level]; !ok {
		bad("log.level: %.40q; use debug, info, warn or error", l.Level)
	}
	if l.Access && logLevels[l.Level] > slog.LevelInfo {
		bad("log.access: its lines are of level info, and log.level leaves these out")
	}
}
