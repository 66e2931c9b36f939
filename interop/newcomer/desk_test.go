package newcomer_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/testkit/servers"
)

// patience is for programs that start beside many others.
const patience = 2 * time.Minute

// desk is where a newcomer tries one page: a directory, a shell that remembers
// its variables, and the programs that were started and stay.
type desk struct {
	dir   string
	chat  string // stands for 127.0.0.1:8420
	tools string // for 127.0.0.1:8080
	site  string // for https://parley.example, once there is one
	demo  string // where it runs, once it does
	said  string // by the command before
	page  string // the HTML before, for a policy
	stays map[string]*program

	whole    *testing.T // of the page
	database string     // the URL of its PostgreSQL, if it has one
}

func newDesk(t *testing.T) *desk {
	d := &desk{dir: t.TempDir(), chat: freeAddress(t), tools: freeAddress(t), stays: map[string]*program{}, whole: t}
	t.Cleanup(d.leave)
	shims(t, filepath.Join(d.dir, "bin"))
	return d
}

// leave ends all programs that stay.
func (d *desk) leave() {
	for address := range d.stays {
		d.vacate(d.whole, address)
	}
}

// freeAddress is one on which nobody listens, and which no system gives away.
func freeAddress(t *testing.T) string {
	t.Helper()
	for port := 13000 + os.Getpid()%4000; port < 20000; port++ {
		address := fmt.Sprintf("127.0.0.1:%d", port)
		if _, given := given.LoadOrStore(address, true); given {
			continue
		}
		if l, err := net.Listen("tcp", address); err == nil {
			_ = l.Close()
			return address
		}
	}
	t.Fatal("no port is free")
	return ""
}

var given sync.Map

// here is a text of a page with what stands in for its addresses.
func (d *desk) here(text string) string {
	return strings.NewReplacer("https://parley.example", d.site, "127.0.0.1:8420", d.chat, "127.0.0.1:8080", d.tools).Replace(text)
}

// program is a command that stays.
type program struct {
	cmd   *exec.Cmd
	out   output
	ended chan struct{}
}

// begin starts a command that stays at an address, where another may have been.
func (d *desk) begin(t *testing.T, address, command string) *program {
	t.Helper()
	d.vacate(t, address)
	p := &program{cmd: exec.Command("bash", "-c", d.remembered()+"exec "+command), ended: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = d.dir, d.env(command)
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.out
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.ended)
	}()
	d.stays[address] = p
	p.until(t, command+" listens", func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	return p
}

// remembered is how a command gets the variables that commands before it have set.
func (d *desk) remembered() string {
	return fmt.Sprintf("[ ! -e %[1]s ] || . %[1]s\n", filepath.Join(d.dir, "variables"))
}

// until waits for what a program that stays is to bring about.
func (p *program) until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(20 * time.Millisecond) {
		select {
		case <-p.ended:
			t.Fatalf("%s: it ended and said\n%s", what, p.out.String())
		default:
		}
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v; it said\n%s", what, patience, p.out.String())
		}
	}
}

// vacate ends what is at an address.
func (d *desk) vacate(t *testing.T, address string) {
	p := d.stays[address]
	if p == nil {
		return
	}
	delete(d.stays, address)
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	killer := time.AfterFunc(patience, func() { _ = p.cmd.Process.Kill() })
	<-p.ended
	killer.Stop()
	if t.Failed() {
		t.Logf("what was at %s said\n%s", address, p.out.String())
	}
}

// env is what a command finds in its environment. Alice has a token for the site
// and for no other.
func (d *desk) env(command string) []string {
	tree, err := filepath.Abs(root)
	if err != nil {
		panic(err)
	}
	env := append(os.Environ(),
		"PATH="+filepath.Join(d.dir, "bin")+":"+os.Getenv("PATH"), "PROGRAMS="+programs.dir, "TREE="+tree, "CHAT="+d.chat, "TOOLS="+d.tools, "PARLEY_SERVER=http://"+d.chat,
		"SMTP_PASSWORD=a password", "OTLP_TOKEN=a token", "HOOK_SECRET=whsec_"+base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("k"), 32)))
	if d.database != "" {
		env = append(env, "DATABASE_URL="+d.database)
	}
	if d.site != "" && strings.Contains(command, d.site) {
		env = append(env, "PARLEY_TOKEN="+tokenOf("alice"), "alice="+tokenOf("alice"))
	}
	return env
}

// module is this one. Where a page gets it from the network, it gets this tree.
const module = "github.com/parley-hq/parley"

// withPostgres is how blocks are tried that have an empty database.
const withPostgres = "with PostgreSQL"

// emptyDatabase is the URL of one in a PostgreSQL of the page's own.
func emptyDatabase(t *testing.T) string {
	t.Helper()
	server := servers.OwnPostgres(t, nil).URL
	if out, err := exec.CommandContext(t.Context(), "createdb", "--maintenance-db="+server, "parley").CombinedOutput(); err != nil {
		t.Fatalf("createdb: %v\n%s", err, out)
	}
	base, query, _ := strings.Cut(server, "?")
	return strings.TrimSuffix(base[:strings.LastIndex(base, "/")]+"/parley?"+query, "?")
}

// shims stand before the programs that pages name: they are built once, and
// listen where this test wants them. What a page writes stays as it is.
func shims(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{
		"go": `real() { PATH="${PATH#*:}" command go "$@"; }
case "$1 $2" in
"run ./cmd/"*|"run ./examples/"*) program="${2##*/}"; shift 2; exec "$program" "$@";;
"run .") shift 2; real build -o ./.program . && exec ./.program "$@";;
"install ` + module + `/"*) exit 0;;
"get ` + module + `/"*) # no network: it requires what this module does, and has its sums
	cp "$TREE/go.sum" . && sed "s|^module .*|$(grep '^module ' go.mod)|" "$TREE/go.mod" >go.mod.new && mv go.mod.new go.mod &&
	real mod edit -require="` + module + `@v0.0.1" -replace="` + module + `=$TREE" && shift && real build "${@%@*}"; exit;;
esac
real "$@"`,
		"npm": `case "$1 $2" in
"install @"*) name="${2%@*}" version="${2##*@}" there="$TREE/interop/npm/node_modules"; shift 2
	[ "$(node -p "require('$there/$name/package.json').version")" = "$version" ] || { echo "interop/npm has another $name than $version" >&2; exit 1; }
	ln -sfn "$there" node_modules; exit;;
esac
PATH="${PATH#*:}" exec npm "$@"`,
		"parley": `case "$1" in
demo) [ "$2" = --headless ] || set -- "$@" --addr "$CHAT";;
chat) case " $* " in *" --server "*) ;; *) set -- "$@" --server "http://$CHAT";; esac;;
esac
exec "$PROGRAMS/parley" "$@"`,
		"curl": `PATH="${PATH#*:}" exec curl --silent --show-error --fail-with-body "$@"`,
	} {
		writeShim(t, dir, name, text)
	}
	for _, name := range examples {
		text := `exec "$PROGRAMS/` + name + `" "$@"`
		if listens[name] {
			text = `case " $* " in *" -stdio "*) ;; *) set -- "$@" -addr "$TOOLS";; esac` + "\n" + text
		}
		writeShim(t, dir, name, text)
	}
}

func writeShim(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/bash\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

// output is what programs print, which they may do while it is read.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
