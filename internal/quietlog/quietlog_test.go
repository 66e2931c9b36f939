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
