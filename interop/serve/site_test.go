package serve_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/interop/kit"
)

// site is nodes that share a store, the service that their agent uses, and the
// person who talks to it.
type site struct {
	program string
	url     string // of the store
	store   backend.Store
	public  string // where people go
	tickets *ticketServer
	person  *kit.Visitor
	more    string // of the configuration
}

// newSite makes a site without nodes; people go to the one at address public.
func newSite(t *testing.T, program, store, public string) *site {
	t.Helper()
	s := &site{program: program, url: store, public: "http://" + public, person: kit.NewVisitor(t)}
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

// inSpace is the URL of a store that tests share, with a space of their own.
func inSpace(url, space string) string {
	if strings.Contains(url, "?") {
		return url + "&space=" + space
	}
	return url + "?space=" + space
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
`, address, s.public, s.url, kit.Secret, s.tickets.url) + s.more
}

// start starts a node and waits until it serves. It runs until the test ends,
// unless it is killed.
func (s *site) start(t *testing.T, address string) *kit.Node {
	t.Helper()
	file := filepath.Join(t.TempDir(), "parley.yaml")
	if err := os.WriteFile(file, []byte(s.configuration(address)), 0o600); err != nil {
		t.Fatal(err)
	}
	n := &kit.Node{Url: "http://" + address, Cmd: exec.Command(s.program, "serve", "-c", file), Ended: make(chan struct{})}
	n.Run(t)
	return n
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
	kit.Eventually(t, "the run is parked", func() bool { return count("run_parked") == 1 && count("run_lease") == 0 })
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
