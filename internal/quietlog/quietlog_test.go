package quietlog_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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

// A server may change its lists as often as it likes, and each client that hears nothing
// of it would be a line.
func TestNotificationsThatDoNotArriveAreToldOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := quietlog.OfMCP(slog.New(slog.NewTextHandler(&out, nil)))
		for range 200 {
			for _, kind := range []string{"tools", "prompts"} {
				log.With("of", kind).Warn("calling notifications/" + kind + "/list_changed: stream not connected")
			}
			time.Sleep(500 * time.Millisecond)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != 2 {
			t.Fatalf("%d lines: %s", len(lines), out.String())
		}
		for i, want := range []string{"failures=1 ", "failures=241 "} {
			if !strings.Contains(lines[i], `level=WARN msg="MCP notifications not delivered" of=tools method=notifications/tools/list_changed `+want+`err="stream not connected"`) {
				t.Error(lines[i])
			}
		}
	})
}
