package demo_test

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/demo"
)

func TestTheStoryGoesAsTold(t *testing.T) {
	logger := slog.New(slog.NewTextHandler(io.Discard, nil))
	if testing.Verbose() {
		logger = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	var told strings.Builder
	if err := demo.Play(t.Context(), t.TempDir(), logger, io.MultiWriter(t.Output(), &told)); err != nil {
		t.Fatal(err)
	}
	// Whatever the banner, the README and the empty chat advertise was said, and asked something.
	readme, err := os.ReadFile("../../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range demo.Sentences() {
		if !strings.Contains(string(readme), fmt.Sprintf("  %-34s %s\n", s.Say, s.Shows)) {
			t.Errorf("the README does not offer %q", s)
		}
		if !strings.Contains(told.String(), "Alice: "+s.Say+"\n  a question from ") {
			t.Errorf("the story does not have %q", s.Say)
		}
	}
}
