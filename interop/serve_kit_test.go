package interop_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
)

// buildParley builds the program as this test was built: with the race
// detector, if that is on.
func buildParley(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "parley")
	args := []string{"build", "-o", program}
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		args = append(args, "-race")
	}
	if out, err := exec.CommandContext(t.Context(), "go", append(args, "../cmd/parley")...).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

// givenAddresses are those that freeAddresses has returned. A node that was
// killed has not given up its own: it is started again.
var givenAddresses sync.Map

// freeAddresses returns addresses on which nobody listens, of ports that no
// system gives to those who do not ask for one: theirs could be taken before the
// node starts, or while it is dead.
func freeAddresses(t *testing.T, n int) (all []string) {
	t.Helper()
	for range 1000 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20000+rand.IntN(12000)))
		if err != nil {
			continue
		}
		defer l.Close()
		address := l.Addr().String()
		if _, given := givenAddresses.LoadOrStore(address, true); given {
			continue
		}
		if all = append(all, address); len(all) == n {
			return all
		}
	}
	t.Fatal("no port is free")
	return nil
}

// site is nodes that share a store, the service that their agent uses, and the
// person who talks to it.
type site struct {
	program string
	url     string // of the store
	store   backend.Store
	public  string // where people go
	tickets *ticketServer
	person  *visitor
}

// newSite makes a site without nodes; people go to the one at address public.
func newSite(t *testing.T, program, store, public string) *site {
	t.Helper()
	s := &site{program: program, url: store, public: "http://" + public, person: newVisitor(t)}
	s.tickets = newTicketServer(t, s.public+"/oauth/callback/acme")
	var err error
	if s.store, err = backend.Open(t.Context(), store, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.store.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *site) configuration(address string) string {
	return fmt.Sprintf(`
listen: %[1]q
public_url: %[2]q
store: %[3]q
dev: true
secrets: [%[4]q]
models:
  demo: {kind: demo}
providers:
  acme:
    issuer: %[5]s/acme
    require_iss: true
    auth_url: %[5]s/acme/authorize
    token_url: %[5]s/acme/token
    client_id: parley
    client_secret: a-client-secret
    scopes: [read, write]
servers:
  tracker: {url: "%[5]s/mcp", auth: {type: oauth2, scope: user, provider: acme}, approve: never}
agents:
  assistant: {model: demo, servers: [tracker]}
`, address, s.public, s.url, secret, s.tickets.url)
}

// node is a process that runs `parley serve`.
type node struct {
	url    string
	cmd    *exec.Cmd
	said   output
	ended  chan struct{} // closed after err is set
	err    error
	killed bool
}

// start starts a node and waits until it serves. It runs until the test ends,
// unless it is killed.
func (s *site) start(t *testing.T, address string) *node {
	t.Helper()
	file := filepath.Join(t.TempDir(), "parley.yaml")
	if err := os.WriteFile(file, []byte(s.configuration(address)), 0o600); err != nil {
		t.Fatal(err)
	}
	n := &node{url: "http://" + address, cmd: exec.Command(s.program, "serve", "-c", file), ended: make(chan struct{})}
	n.cmd.Stdout, n.cmd.Stderr = &n.said, &n.said
	if err := n.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		n.err = n.cmd.Wait()
		close(n.ended)
	}()
	t.Cleanup(func() { n.end(t) })
	eventually(t, "the node serves", func() bool {
		select {
		case <-n.ended:
			t.Fatalf("the node ended: %v\n%s", n.err, n.said.String())
		default:
		}
		answer, err := s.person.Browser.Get(n.url + "/readyz")
		if err != nil {
			return false
		}
		answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	return n
}

// kill is kill -9.
func (n *node) kill(t *testing.T) {
	t.Helper()
	n.killed = true
	if err := n.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-n.ended
	if status, ok := n.cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Fatalf("the node ended before it was killed: %v\n%s", n.err, n.said.String())
	}
}

func (n *node) end(t *testing.T) {
	if !n.killed {
		_ = n.cmd.Process.Signal(syscall.SIGTERM)
		killer := time.AfterFunc(patience, func() { _ = n.cmd.Process.Kill() })
		<-n.ended
		killer.Stop()
		if n.err != nil { // a data race ends with an error, too
			t.Errorf("the node at %s: %v", n.url, n.err)
		}
	}
	if t.Failed() {
		t.Logf("the node at %s wrote:\n%s", n.url, n.said.String())
	}
}

// parked waits until the run waits and nobody has it: from then on the first
// node that hears of the answer goes on with it.
func (s *site) parked(t *testing.T) {
	t.Helper()
	count := func(kind string) int {
		found, err := s.store.Scan(t.Context(), parley.Address{Tenant: "-runs", Kind: kind}, "", 10)
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	eventually(t, "the run is parked", func() bool { return count("run_parked") == 1 && count("run_lease") == 0 })
}

// asked checks how many questions there have ever been, and that none is open.
func (s *site) asked(t *testing.T, want int) {
	t.Helper()
	all, err := s.store.List(t.Context(), parley.Query{})
	if err != nil || len(all) != want {
		t.Errorf("%d questions were asked, %v; want %d", len(all), err, want)
	}
	for _, q := range all {
		if q.Pending() || q.Outcome.Action != parley.Accept {
			t.Errorf("question %s: outcome %+v", q.ID, q.Outcome)
		}
	}
}

// eventually waits for what must happen.
func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !happened(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it did not come to this: %s", what)
		}
	}
}
