package stores_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/interop/kit"
	"github.com/parley-hq/parley/seal"
)

// partVariable tells a process that a test started what to do.
const partVariable = "PARLEY_INTEROP_PART"

// play does what the test that started this process wants.
func play(part string) int {
	parts := map[string]func(ctx context.Context, hub *parley.Hub, in *bufio.Scanner, out *json.Encoder) error{
		"answer each":  answerEach,
		"answer twice": answerAll,
		"refresh":      refreshTogether,
	}
	if err := runPart(parts[part]); err != nil {
		fmt.Fprintln(os.Stderr, part+":", err)
		return 1
	}
	return 0
}

func runPart(part func(context.Context, *parley.Hub, *bufio.Scanner, *json.Encoder) error) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	store, err := backend.Open(ctx, os.Getenv("PARLEY_INTEROP_STORE"), &backend.Options{Space: os.Getenv("PARLEY_INTEROP_SPACE")})
	if err != nil {
		return err
	}
	defer store.Close()
	hub, err := newHub(store)
	if err != nil {
		return err
	}
	return part(ctx, hub, bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout))
}

func newHub(store parley.Store) (*parley.Hub, error) {
	keyring, err := seal.New([]byte(kit.Secret))
	if err != nil {
		return nil, err
	}
	return parley.New(store, &parley.Options{
		Sealer:   keyring,
		Logger:   slog.New(slog.NewTextHandler(io.Discard, nil)),
		Patience: 2 * time.Minute,
		TTL:      time.Hour,
		Limits:   parley.Limits{Pending: 1 << 20},
	}), nil
}

// process is another process that plays a part: a line in, lines out.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// start starts this test binary again to play part on the same data.
func start(t *testing.T, part, store, space string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: exec.CommandContext(t.Context(), self)}
	p.cmd.Env = append(os.Environ(), partVariable+"="+part, "PARLEY_INTEROP_STORE="+store, "PARLEY_INTEROP_SPACE="+space)
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewScanner(out)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.in.Close()
		if err := p.cmd.Wait(); err != nil && t.Context().Err() == nil {
			t.Errorf("%s: %v", part, err)
		}
	})
	return p
}

func (p *process) send(t *testing.T, line string) {
	t.Helper()
	if _, err := fmt.Fprintln(p.in, line); err != nil {
		t.Fatal(err)
	}
}

// receive reads one line into v and reports whether there was one.
func (p *process) receive(t *testing.T, v any) bool {
	t.Helper()
	if !p.out.Scan() {
		return false
	}
	if err := json.Unmarshal(p.out.Bytes(), v); err != nil {
		t.Errorf("line %q: %v", p.out.Bytes(), err)
		return false
	}
	return true
}

// opened is a hub on the data that other processes share; it runs until the
// test ends.
func opened(t *testing.T, store, space string) (*parley.Hub, backend.Store) {
	t.Helper()
	s, err := backend.Open(t.Context(), store, &backend.Options{Space: space})
	if err != nil {
		t.Fatal(err)
	}
	hub, err := newHub(s)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- hub.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-done
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return hub, s
}

func question() parley.Request {
	return parley.Request{
		To: "alice", From: "suite", Message: "Go on?",
		Schema: json.RawMessage(`{"type":"object","properties":{"confirmed":{"type":"boolean"}},"required":["confirmed"]}`),
	}
}
