package demo_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/demo"
)

func TestTheStoryGoesAsTold(t *testing.T) {
	logger := slog.New(slog.NewTextHandler(io.Discard, nil))
	if testing.Verbose() {
		logger = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	var told strings.Builder
	if err := demo.Play(t.Context(), &demo.Options{Dir: t.TempDir(), Logger: logger}, io.MultiWriter(t.Output(), &told)); err != nil {
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

func TestTheStoryIsPlayedWhereItIsToldTo(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	opts := &demo.Options{Addr: taken.Addr().String(), Dir: t.TempDir(), Logger: slog.New(slog.DiscardHandler)}
	if err := demo.Play(t.Context(), opts, io.Discard); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("at an address that is taken: %v", err)
	}
}
