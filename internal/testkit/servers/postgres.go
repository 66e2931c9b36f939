package servers

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/parley-hq/parley/internal/testkit/shared"
)

// StartPostgres creates a database cluster and starts a server for it. The superuser is parley, without a password; the
// database is postgres. For root, whom PostgreSQL refuses, it runs as the user postgres or nobody. ctx bounds the start,
// not the server's life. The error is [ErrNotInstalled] if there are no binaries.
func StartPostgres(ctx context.Context, opts *Options) (*Server, error) {
	if opts == nil {
		opts = &Options{}
	}
	bin, err := findPostgres()
	if err != nil {
		return nil, err
	}
	pg := postgres{bin: bin, durable: opts.Durable}
	if os.Geteuid() == 0 {
		if pg.account, err = unprivileged(); err != nil {
			return nil, err
		}
	}
	dir, err := pg.makeDir()
	if err != nil {
		return nil, err
	}
	return start(ctx, pg, dir)
}

// findPostgres returns the directory of initdb and postgres: from PATH, or the newest of those that Debian keeps out
// of it.
func findPostgres() (string, error) {
	dirs, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	version := func(dir string) float64 {
		v, _ := strconv.ParseFloat(filepath.Base(filepath.Dir(dir)), 64) // 15, or 9.6
		return v
	}
	slices.SortFunc(dirs, func(a, b string) int { return cmp.Compare(version(b), version(a)) })
	for _, dir := range append(filepath.SplitList(os.Getenv("PATH")), dirs...) {
		if !filepath.IsAbs(dir) {
			continue
		}
		_, err1 := exec.LookPath(filepath.Join(dir, "initdb"))
		_, err2 := exec.LookPath(filepath.Join(dir, "postgres"))
		if err1 == nil && err2 == nil {
			return dir, nil
		}
	}
	return "", fmt.Errorf("postgres and initdb: %w", ErrNotInstalled)
}

// account is a user to run as.
type account struct{ uid, gid int }

func unprivileged() (*account, error) {
	u, err := user.Lookup("postgres")
	if err != nil {
		u, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, fmt.Errorf("postgres does not run as root: %w", err)
	}
	uid, err1 := strconv.Atoi(u.Uid)
	gid, err2 := strconv.Atoi(u.Gid)
	return &account{uid, gid}, cmp.Or(err1, err2)
}

type postgres struct {
	bin     string
	durable bool
	account *account // nil: our own
}

// makeDir makes a directory that the server's account owns and can reach.
func (pg postgres) makeDir() (string, error) {
	parent := os.TempDir()
	if pg.account != nil && !open(parent) {
		parent = "/tmp"
	}
	dir, err := os.MkdirTemp(parent, "parley-postgres-")
	if err != nil || pg.account == nil {
		return dir, err
	}
	if err := os.Chown(dir, pg.account.uid, pg.account.gid); err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}

// open reports whether everybody may pass through dir and all directories above it.
func open(dir string) bool {
	dir, err := filepath.Abs(dir)
	for err == nil {
		var info os.FileInfo
		if info, err = os.Stat(dir); err != nil || info.Mode()&0o001 == 0 {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
		dir = filepath.Dir(dir)
	}
	return false
}

// prepare creates the database cluster: a copy of the one that all tests share, if they share anything, for initdb takes
// a second of processor time.
func (pg postgres) prepare(ctx context.Context, g *guard) error {
	folder := os.Getenv(shared.Variable)
	if folder == "" || pg.account != nil && !open(folder) {
		return pg.initdb(ctx, g, g.dir)
	}
	made, err := shared.Make(folder, "postgres"+strings.ReplaceAll(pg.bin, string(filepath.Separator), "-"), func(into string) error {
		if pg.account != nil {
			if err := os.Chown(into, pg.account.uid, pg.account.gid); err != nil {
				return err
			}
		}
		return pg.initdb(ctx, g, into)
	})
	if err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, "cp", "-Rp", filepath.Join(made, "data"), g.dir).CombinedOutput(); err != nil {
		return fmt.Errorf("copying a cluster: %w\n%s", err, out)
	}
	return nil
}

// initdb makes a cluster in dir/data.
func (pg postgres) initdb(ctx context.Context, g *guard, dir string) error {
	cmd := pg.program(dir, "initdb", "-D", filepath.Join(dir, "data"), "-A", "trust", "-U", "parley",
		"--no-sync", "-E", "UTF8", "--locale=C")
	log := filepath.Join(g.dir, "log")
	proc, err := g.start(cmd, log)
	if err != nil {
		return err
	}
	select {
	case <-proc.done:
	case <-ctx.Done():
		proc.kill()
		return fmt.Errorf("initdb: %w", ctx.Err())
	}
	if proc.err != nil {
		return fmt.Errorf("initdb: %w\n%s", proc.err, tail(log))
	}
	return nil
}

func (pg postgres) command(dir string, port int) *exec.Cmd {
	fsync := "fsync=off"
	if pg.durable {
		fsync = "fsync=on"
	}
	return pg.program(dir, "postgres", "-D", filepath.Join(dir, "data"), "-p", strconv.Itoa(port), "-c", fsync,
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200")
}

func (pg postgres) program(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(pg.bin, name), args...)
	cmd.Dir = dir // an inherited one may be closed to the account
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "PG") || strings.HasPrefix(kv, "LC_") || strings.HasPrefix(kv, "LANG")
	}), "LC_ALL=C")
	if pg.account != nil {
		runAs(cmd, *pg.account)
	}
	return cmd
}

func (postgres) url(port int) string {
	return fmt.Sprintf("postgres://parley@127.0.0.1:%d/postgres?sslmode=disable", port)
}

// ready looks where pg_ctl looks: an answer on the port may be another server's, but this file is ours. A killed server
// leaves it behind, so the process id counts.
func (postgres) ready(_ context.Context, dir string, _, pid int) bool {
	text, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	lines := strings.Split(string(text), "\n")
	return err == nil && len(lines) >= 8 && lines[0] == strconv.Itoa(pid) && strings.TrimSpace(lines[7]) == "ready"
}

// signals: SIGTERM would wait for the clients to leave. SIGQUIT ends the server at once but, unlike SIGKILL, takes its
// children and its shared memory along.
func (postgres) signals() (stop, abandon syscall.Signal) { return syscall.SIGINT, syscall.SIGQUIT }
