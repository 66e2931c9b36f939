package gateway_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/parley-hq/parley/interop/kit"
)

// matrixServer is a server of the matrix.
type matrixServer struct {
	name    string // in the configuration: the gateway's tools begin with it
	title   string // in the table
	legacy  bool   // it speaks revisions up to 2025-11-25
	modern  bool   // it speaks 2026-07-28
	url     string // or
	command []string

	// withdraws: when the server waits no longer it takes its question back.
	withdraws bool
	// scenario returns what a case is with this server, or why there is none.
	scenario func(name, token string) (scenario, string)
	// counts returns what became of the calls so far, or of those of a token.
	counts func(t *testing.T, token string) tally
}

// tally is what a server did.
type tally struct {
	Began int // how often a tool was entered
	Done  int // how often one came to its end, and not by a no
}

// startServers starts every server of the matrix until the test ends.
func startServers(t *testing.T) []*matrixServer {
	t.Helper()
	ours := startUpstream(t)
	return append(startFixtures(t, ours), startEverything(t, ours)...)
}

// startFixtures starts the servers of the matrix that are ours; those on the
// go-sdk run at ours already.
func startFixtures(t *testing.T, ours string) []*matrixServer {
	t.Helper()
	twos := startServer2(t)
	all := []*matrixServer{
		{name: "golegacy", title: "go-sdk, 2025-11-25", legacy: true, url: ours + "/legacy/mcp", withdraws: true},
		{name: "gomodern", title: "go-sdk, 2026-07-28", modern: true, url: ours + "/modern/mcp"},
		{name: "tsboth", title: "TypeScript 2.4, both", legacy: true, modern: true, url: twos + "/both/mcp"},
		{name: "tsmodern", title: "TypeScript 2.4, 2026-07-28", modern: true, url: twos + "/modern/mcp"},
	}
	for _, s := range all {
		base := s.url[:strings.LastIndex(s.url[:len(s.url)-len("/mcp")], "/")]
		s.counts = func(t *testing.T, token string) tally { return countAt(t, base, token) }
		s.scenario = fixtureScenarios(base, s.legacy && !s.modern)
	}
	return all
}

// startProgram starts a server until the test ends and returns the address that
// it prints.
func startProgram(t *testing.T, stop os.Signal, env []string, command ...string) *kit.Output {
	t.Helper()
	said := &kit.Output{}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = said, said
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if stop != nil {
			_ = cmd.Process.Signal(stop)
		}
		killer := time.AfterFunc(kit.Patience, func() { _ = cmd.Process.Kill() })
		defer killer.Stop()
		if err := cmd.Wait(); err != nil { // a data race ends with an error, too
			t.Errorf("%s: %v\n%s", strings.Join(command, " "), err, said.String())
		}
	})
	return said
}

func startUpstream(t *testing.T) string {
	t.Helper()
	return runUpstream(t, buildUpstream(t))
}

func buildUpstream(t *testing.T) string {
	t.Helper()
	return kit.Build(t, "./upstream")
}

// runUpstream runs it until the test ends, and returns where.
func runUpstream(t *testing.T, program string, flags ...string) string {
	t.Helper()
	// A question is taken back before its call ends. By default the go-sdk does
	// both at once, and where the call ends first the other is lost.
	said := startProgram(t, syscall.SIGTERM, []string{"MCPGODEBUG=blockingcancelnotify=1"}, append([]string{program}, flags...)...)
	return strings.TrimPrefix(said.Line(t, "listening on "), "listening on ")
}

func startServer2(t *testing.T) string {
	t.Helper()
	said := startProgram(t, nil, nil, "node", "npm/server2.mjs")
	return strings.TrimPrefix(said.Line(t, "listening on "), "listening on ")
}

// startEverything starts the reference server over HTTP, and says how it is
// started over stdio. Its questions lead to pages at base.
func startEverything(t *testing.T, base string) []*matrixServer {
	t.Helper()
	script, err := filepath.Abs("npm/everything.mjs")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	onStdio, onHTTP := filepath.Join(dir, "stdio"), filepath.Join(dir, "http")
	address := kit.FreeAddresses(t, 1)[0]
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	said := startProgram(t, syscall.SIGINT, []string{"PORT=" + port}, "node", script, onHTTP, "streamableHttp")
	said.Line(t, "MCP Streamable HTTP Server listening")
	return []*matrixServer{
		{
			name: "everything", title: "server-everything, stdio", legacy: true, command: []string{"node", script, onStdio, "stdio"},
			scenario: everythingScenarios(base), counts: func(t *testing.T, _ string) tally { return countIn(t, onStdio) },
		},
		{
			name: "everythinghttp", title: "server-everything, HTTP", legacy: true, url: "http://" + address + "/mcp",
			scenario: everythingScenarios(base), counts: func(t *testing.T, _ string) tally { return countIn(t, onHTTP) },
		},
	}
}

// countAt asks a fixture what became of the calls of a token.
func countAt(t *testing.T, base, token string) (c tally) {
	t.Helper()
	raw := exchange(t, http.MethodGet, base+"/count?token="+token)
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return c
}

// countIn counts what the reference server wrote down.
func countIn(t *testing.T, file string) tally {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	text := "\n" + string(raw)
	return tally{Began: strings.Count(text, "\nbegan "), Done: strings.Count(text, "\ndone ")}
}

// exchange sends a request without a body to a server of the matrix.
func exchange(t *testing.T, method, url string) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Close = true
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %s, %v", method, url, answer.Status, err)
	}
	return raw
}
