package quietlog_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/quietlog"
)

func TestEverydayWorkIsForDebugging(t *testing.T) {
	for level, want := range map[slog.Level]string{slog.LevelInfo: "level=WARN msg=broken", slog.LevelDebug: "level=DEBUG msg=connected"} {
		var out bytes.Buffer
		log := quietlog.Of(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: level}))).With("of", "sdk").WithGroup("g")
		log.Info("connected")
		log.Warn("broken")
		if got := out.String(); !strings.Contains(got, want) || !strings.Contains(got, "broken") || strings.Contains(got, "INFO") || level == slog.LevelInfo && strings.Contains(got, "connected") {
			t.Errorf("at %v: %s", level, got)
		}
	}
}

func TestWhatVariesInAMessageOfTheSDKIsAnAttribute(t *testing.T) {
	var out bytes.Buffer
	log := quietlog.OfMCP(slog.New(slog.NewTextHandler(&out, nil))).With("of", "sdk")
	for say, want := range map[string]string{
		"calling tools/call: tool \"x\": not there":        `level=WARN msg="MCP request failed" of=sdk method=tools/call err="tool \"x\": not there" n=1`,
		`AddTool: invalid tool name "a b": it has a blank`: `level=WARN msg=AddTool of=sdk err="invalid tool name \"a b\": it has a blank" n=1`,
		"duplicate initialize request":                     `level=WARN msg="duplicate initialize request" of=sdk n=1`,
	} {
		out.Reset()
		log.Warn(say, "n", 1)
		log.Info("calling ping: nothing")
		if _, got, _ := strings.Cut(strings.TrimSpace(out.String()), " "); got != want {
			t.Errorf("%s: %s", say, got)
		}
	}
}
