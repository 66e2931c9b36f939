package servers_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/parley-hq/parley/internal/testkit/servers"
)

// backend is what the tests need to know of a server besides its URL.
type backend struct {
	start  func(context.Context, *servers.Options) (*servers.Server, error)
	own    func(testing.TB, *servers.Options) *servers.Server
	shared func(testing.TB) string
	write  func(t *testing.T, url, value string)
	read   func(t *testing.T, url string) []string
	where  func(t *testing.T, url string) (pid int, dir string)
}

func eachBackend(t *testing.T, test func(*testing.T, backend)) {
	t.Run("redis", func(t *testing.T) {
		test(t, backend{servers.StartRedis, servers.OwnRedis, servers.Redis, writeRedis, readRedis, whereRedis})
	})
	t.Run("postgres", func(t *testing.T) {
		test(t, backend{servers.StartPostgres, servers.OwnPostgres, servers.Postgres, writePostgres, readPostgres, wherePostgres})
	})
}

func TestRestartKeepsTheData(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		s := b.own(t, nil)
		before := s.URL
		var want []string
		for round := range 3 {
			want = append(want, fmt.Sprint("value ", round))
			b.write(t, s.URL, want[round])
			if err := s.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			if s.URL != before {
				t.Fatalf("moved from %s to %s", before, s.URL)
			}
			if diff := cmp.Diff(want, b.read(t, s.URL)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

func TestKillKeepsWhatWasAcknowledged(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		s := b.own(t, nil)
		var want []string
		for round := range 20 {
			want = append(want, fmt.Sprint("value ", round))
			b.write(t, s.URL, want[round])
			if round%5 < 4 {
				continue
			}
			if err := s.Kill(); err != nil {
				t.Fatal(err)
			}
			if answers(s.URL) {
				t.Fatal("answers after Kill")
			}
			if err := s.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, b.read(t, s.URL)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

func TestKillEndsABusyPostgresConnection(t *testing.T) {
	s := servers.OwnPostgres(t, nil)
	conn := connect(t, s.URL)
	busy := make(chan error)
	go func() {
		_, err := conn.Exec(t.Context(), "SELECT 'busy', count(*) FROM generate_series(1, 1e15)")
		busy <- err
	}()
	watcher := connect(t, s.URL)
	for running := false; !running; {
		const query = "SELECT count(*) = 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT ''busy''%'"
		if err := watcher.QueryRow(t.Context(), query).Scan(&running); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := <-busy; err == nil {
		t.Error("the query ended well")
	}
	// A surviving child would hold the shared memory, and the new server would refuse to start.
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestStopEndsTheServerThoughAClientIsConnected(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		s := b.own(t, nil)
		conn, err := net.Dial("tcp", address(s.URL))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		b.write(t, s.URL, "value")
		for range 2 { // the second time there is nothing to do
			if err := s.Stop(); err != nil {
				t.Fatal(err)
			}
		}
		if answers(s.URL) {
			t.Fatal("answers after Stop")
		}
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"value"}, b.read(t, s.URL)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestCloseLeavesNoProcessAndNoFiles(t *testing.T) {
	eachBackend(t, func(t *testing.T, b backend) {
		for _, first := range []func(*servers.Server) error{
			func(*servers.Server) error { return nil },
			(*servers.Server).Stop,
			(*servers.Server).Kill,
		} {
			s := b.own(t, nil)
			pid, dir := b.where(t, s.URL)
			if err := first(s); err != nil {
				t.Fatal(err)
			}
			s.Close()
			s.Close()
			if err := signal0(pid); err == nil {
				t.Errorf("process %d remains", pid)
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("%s remains: %v", dir, err)
			}
			if answers(s.URL) {
				t.Error("answers after Close")
			}
			if err := s.Restart(t.Context()); err == nil {
				t.Error("Restart after Close succeeded")
			}
		}
	})
}

func TestAServerDoesNotEndWithTheContextItWasStartedWith(t *testing.T) {
	skipWithoutServers(t)
	eachBackend(t, func(t *testing.T, b backend) {
		ctx, cancel := context.WithCancel(t.Context())
		s, err := b.start(ctx, &servers.Options{Durable: true})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		cancel()
		if !answers(s.URL) {
			t.Error("it ended")
		}
		if err := s.Restart(ctx); err == nil {
			t.Error("Restart with an ended context succeeded")
		}
		if _, err := b.start(ctx, nil); err == nil {
			t.Error("start with an ended context succeeded")
		}
	})
}

func writeRedis(t *testing.T, url, value string) {
	t.Helper()
	if got := askRedis(t, url, fmt.Sprintf("RPUSH values %q", value)); !strings.HasPrefix(got[0], ":") {
		t.Fatal(got)
	}
}

func readRedis(t *testing.T, url string) []string {
	t.Helper()
	var values []string
	for _, line := range askRedis(t, url, "LRANGE values 0 -1")[1:] {
		if !strings.HasPrefix(line, "$") {
			values = append(values, line)
		}
	}
	return values
}

func whereRedis(t *testing.T, url string) (pid int, dir string) {
	t.Helper()
	for _, line := range askRedis(t, url, "INFO server") {
		if id, ok := strings.CutPrefix(line, "process_id:"); ok {
			pid, _ = strconv.Atoi(id)
		}
	}
	answer := askRedis(t, url, "CONFIG GET dir")
	return pid, answer[len(answer)-1]
}

// askRedis returns the lines of the answer to one command.
func askRedis(t *testing.T, url, command string) []string {
	t.Helper()
	conn, err := net.Dial("tcp", address(url))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := fmt.Fprintf(conn, "%s\r\nQUIT\r\n", command); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for scanner := bufio.NewScanner(conn); scanner.Scan(); {
		lines = append(lines, scanner.Text())
	}
	if len(lines) < 2 {
		t.Fatalf("%s: %q", command, lines)
	}
	return lines[:len(lines)-1] // the last is QUIT's
}

func writePostgres(t *testing.T, url, value string) {
	t.Helper()
	conn := connect(t, url)
	for _, query := range []string{
		"CREATE TABLE IF NOT EXISTS entries (id serial, value text)",
		fmt.Sprintf("INSERT INTO entries (value) VALUES ('%s')", value),
	} {
		if _, err := conn.Exec(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
}

func readPostgres(t *testing.T, url string) []string {
	t.Helper()
	rows, _ := connect(t, url).Query(t.Context(), "SELECT value FROM entries ORDER BY id")
	values, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func wherePostgres(t *testing.T, url string) (pid int, dir string) {
	t.Helper()
	if err := connect(t, url).QueryRow(t.Context(), "SHOW data_directory").Scan(&dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err = strconv.Atoi(strings.SplitN(string(text), "\n", 2)[0])
	if err != nil {
		t.Fatal(err)
	}
	return pid, filepath.Dir(dir)
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = conn.Close(ctx) // the server may be gone
	})
	return conn
}

func address(serverURL string) string {
	u, _ := url.Parse(serverURL)
	return u.Host
}

func answers(url string) bool {
	conn, err := net.Dial("tcp", address(url))
	if err == nil {
		conn.Close()
	}
	return err == nil
}

func signal0(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Signal(syscall.Signal(0))
}
