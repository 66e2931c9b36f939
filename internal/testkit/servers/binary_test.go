package servers_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/testkit/servers"
)

// roleVariable makes this test binary play another one, for tests of what happens when it ends.
const roleVariable = "PARLEY_SERVERS_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "orphan":
		startOrphans()
	case "leak":
		go func() { select {} }()
	}
	os.Exit(servers.Main(m))
}

// startOrphans starts servers, says where they are, and waits to be killed.
func startOrphans() {
	for _, start := range []func(context.Context, *servers.Options) (*servers.Server, error){
		servers.StartRedis, servers.StartPostgres,
	} {
		s, err := start(context.Background(), nil)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(s.URL)
	}
	select {}
}

func TestAKilledTestBinaryLeavesNoServerBehind(t *testing.T) {
	skipWithoutServers(t)
	temp := publicTempDir(t)
	cmd := thisBinary(t, "orphan")
	cmd.Env = append(cmd.Env, "TMPDIR="+temp)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	var urls []string
	for len(urls) < 2 && lines.Scan() {
		urls = append(urls, lines.Text())
		if !answers(lines.Text()) {
			t.Errorf("%s does not answer", lines.Text())
		}
	}
	if files, err := os.ReadDir(temp); len(files) != 2 {
		t.Errorf("got %v, %v; want a directory for each server", files, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()

	// They are nobody's children now: there is nothing to wait on, so look.
	deadline := time.Now().Add(30 * time.Second)
	for {
		files, err := os.ReadDir(temp)
		if err == nil && len(files) == 0 && !answers(urls[0]) && !answers(urls[1]) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("remaining: %v, %v; %s: %v; %s: %v", files, err, urls[0], answers(urls[0]), urls[1], answers(urls[1]))
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestMainFailsIfAGoroutineIsLeftBehind(t *testing.T) {
	for role, want := range map[string]string{"": "PASS", "leak": "goroutines left behind"} {
		cmd := thisBinary(t, role)
		cmd.Args = append(cmd.Args, "-test.run=^$")
		out, err := cmd.CombinedOutput()
		if (err != nil) != (role == "leak") || !bytes.Contains(out, []byte(want)) {
			t.Errorf("role %q: %v\n%s", role, err, out)
		}
	}
}

func TestPostgresStartsThoughTheTemporaryDirectoryIsPrivate(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // which only we may enter
	if s := servers.OwnPostgres(t, nil); !answers(s.URL) {
		t.Errorf("%s does not answer", s.URL)
	}
}

func thisBinary(t *testing.T, role string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	return cmd
}

// publicTempDir is a temporary directory that the server's user may enter, unlike that of t.
func publicTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "parley-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func skipWithoutServers(t *testing.T) {
	t.Helper()
	servers.OwnRedis(t, nil).Close()
	servers.OwnPostgres(t, nil).Close()
}
