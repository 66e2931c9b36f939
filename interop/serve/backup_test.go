package serve_test

import (
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

// does runs a command of a backup, as an operator would; without its program the test
// is skipped.
func does(t *testing.T, program string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil && !servers.Required() {
		t.Skipf("%s is not installed", program)
	}
	if out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// saved is a store of which a backup is made while it is in use.
type saved struct {
	url     string
	backup  func()        // of what is stored now
	restore func() string // into an empty place; the URL of that
}

func savedStores(t *testing.T) map[string]func(t *testing.T) saved {
	return map[string]func(t *testing.T) saved{
		"sqlite": func(t *testing.T) saved {
			dir := t.TempDir()
			copied := filepath.Join(dir, "copy.db")
			return saved{"sqlite:" + filepath.Join(dir, "parley.db"),
				func() { does(t, "sqlite3", filepath.Join(dir, "parley.db"), ".backup "+copied) },
				func() string { return "sqlite:" + copied }}
		},
		"postgres": func(t *testing.T) saved {
			database := servers.OwnPostgres(t, nil).URL
			dump := filepath.Join(t.TempDir(), "parley.dump")
			u, err := url.Parse(database)
			if err != nil {
				t.Fatal(err)
			}
			u.Path = "/restored"
			return saved{inSpace(database, "here"),
				func() { does(t, "pg_dump", "--format=custom", "--schema=parley_here", "--file="+dump, database) },
				func() string {
					does(t, "createdb", "--maintenance-db="+database, "restored")
					does(t, "pg_restore", "--no-owner", "--dbname="+u.String(), dump)
					return inSpace(u.String(), "here")
				}}
		},
		"redis": func(t *testing.T) saved {
			server := servers.OwnRedis(t, nil).URL
			dir := t.TempDir()
			return saved{server,
				func() { does(t, "redis-cli", "-u", server, "--rdb", filepath.Join(dir, "dump.rdb")) },
				func() string {
					address := kit.FreeAddresses(t, 1)[0]
					_, port, _ := strings.Cut(address, ":")
					cmd := exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--dir", dir, "--dbfilename", "dump.rdb", "--appendonly", "no")
					if err := cmd.Start(); err != nil {
						t.Fatalf("redis-server: %v", err)
					}
					t.Cleanup(func() {
						_ = cmd.Process.Kill()
						_ = cmd.Wait()
					})
					kit.Eventually(t, "the restored Redis is there", func() bool {
						conn, err := net.Dial("tcp", address)
						if err == nil {
							conn.Close()
						}
						return err == nil
					})
					does(t, "redis-cli", "-u", "redis://"+address, "CONFIG", "SET", "appendonly", "yes")
					return "redis://" + address
				}}
		},
	}
}

// A backup is made while a node runs and a question waits. What was restored from it goes
// on from there: who was signed in is, the question is open, and its answer ends the turn.
func TestWhatIsRestoredFromABackupGoesOn(t *testing.T) {
	program := withParley(t)
	for name, open := range savedStores(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := open(t)
			address := kit.FreeAddresses(t, 1)[0]
			s := newSite(t, program, store.url, address)
			node := s.start(t, address)
			s.signIn(t)
			q := s.person.Say(t, node.Url, "tickets", "List the tickets in my tracker").Question(t)
			s.parked(t)
			store.backup()
			lost := s.person.Say(t, node.Url, "after", "List the tickets in my tracker").Question(t) // after the backup
			node.Kill(t)

			s.url = store.restore()
			node = s.start(t, address)
			s.connect(t, q)
			if diff := cmp.Diff(connected(), s.finished(t, node.Url, "tickets")); diff != "" {
				t.Errorf("the conversation (-want +got):\n%s", diff)
			}
			if r := s.person.Reload(t, node.Url, "after"); len(r.Messages) > 0 {
				t.Errorf("what came after the backup (question %s) is there: %+v", lost.ID, r)
			}
			s.tickets.called(t, map[string]int{"list_tickets": 1})
		})
	}
}
