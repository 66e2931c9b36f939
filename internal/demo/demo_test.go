package demo_test

import (
	"io"
	"log/slog"
	"testing"

	"github.com/parley-hq/parley/internal/demo"
)

func TestTheStoryGoesAsTold(t *testing.T) {
	logger := slog.New(slog.NewTextHandler(io.Discard, nil))
	if testing.Verbose() {
		logger = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	if err := demo.Play(t.Context(), t.TempDir(), logger, t.Output()); err != nil {
		t.Fatal(err)
	}
}
