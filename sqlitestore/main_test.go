package sqlitestore_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/sqlitestore"
)

// roleVariable makes the test binary another process of the same program: the
// role, and the database it plays it on.
const roleVariable = "SQLITESTORE_TEST_ROLE"

var roles = map[string]func(context.Context, *sqlitestore.Store) error{
	"rest":   rest,
	"write":  writeUntilKilled,
	"settle": settleAll,
	"watch":  reportHints,
	"attend": attendUntilKilled,
}

func TestMain(m *testing.M) {
	if role, path, ok := strings.Cut(os.Getenv(roleVariable), " "); ok {
		if err := play(roles[role], path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

func play(role func(context.Context, *sqlitestore.Store) error, path string) error {
	ctx := context.Background()
	s, err := sqlitestore.Open(ctx, path, nil)
	if err != nil {
		return err
	}
	if err := role(ctx, s); err != nil {
		return err
	}
	return s.Close()
}

// rest does nothing: opening and closing is the test.
func rest(context.Context, *sqlitestore.Store) error { return nil }

// process is another process that plays a role.
type process struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// start begins a role on the database at path. The process ends with the test
// at the latest.
func start(t *testing.T, role, path string) *process {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), roleVariable+"="+role+" "+path)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			cmd.Process.Kill()
			cmd.Wait()
		}
	})
	return &process{cmd, in, bufio.NewScanner(out)}
}

// line returns the next line that the process printed.
func (p *process) line(t *testing.T) string {
	t.Helper()
	if !p.out.Scan() {
		t.Fatal("the other process ended early: ", p.out.Err())
	}
	return p.out.Text()
}

// finish waits for the end of the process and returns the rest of its lines.
func (p *process) finish(t *testing.T) (lines []string) {
	t.Helper()
	for p.out.Scan() {
		lines = append(lines, p.out.Text())
	}
	if err := p.Wait(); err != nil {
		t.Fatal("the other process: ", err)
	}
	return lines
}

func fresh(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "parley.db")
}

func open(t *testing.T, path string, opts *sqlitestore.Options) *sqlitestore.Store {
	t.Helper()
	s, err := sqlitestore.Open(t.Context(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error("close: ", err)
		}
	})
	return s
}

// raw opens the file behind the store's back.
func raw(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func question(to string) parley.Request {
	now := time.Now().UTC().Truncate(time.Millisecond)
	return parley.Request{
		ID: parley.NewID(), Tenant: "acme", To: to, From: "mail", Mode: parley.Form, Message: "Send it?",
		Schema: []byte(`{"type":"object"}`), Trigger: parley.TriggerTool, Session: "s-" + to,
		Created: now, Expires: now.Add(time.Hour),
	}
}

func put(t *testing.T, s *sqlitestore.Store, r parley.Request) parley.ID {
	t.Helper()
	if err := s.Put(t.Context(), r, 0); err != nil {
		t.Fatal(err)
	}
	return r.ID
}

func yes(by string) parley.Outcome {
	return parley.Outcome{Action: parley.Accept, Content: []byte(`{"ok":true}`), By: by, Via: "test", At: time.Now()}
}
