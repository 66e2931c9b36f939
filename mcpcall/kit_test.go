package mcpcall_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a server in this process, and Calls at it.
type fixture struct {
	modern bool
	lists  func(n int) (tools string, err string) // what the nth list is; default: one tool

	calls *mcpcall.Calls
	cache *mcpcall.ToolCache[*tools]

	mu     sync.Mutex
	down   bool
	opened int
	listed int
	ends   []net.Conn // the server's, of all connections that were made
}

// huge is a tool that makes a list more than is taken.
const huge = "huge"

// tools is a listing.
type tools struct {
	mcpcall.Listed
	names []string
}

var at = mcpcall.Server{Name: "fixture", URL: "http://fixture.example"}

func person(user string) mcpcall.Person {
	return mcpcall.Person{Principal: parley.Principal{Tenant: "default", User: user}}
}

// start makes the Calls. They are closed by the test, or after it.
func (f *fixture) start(t *testing.T, conns mcpcall.ConnOptions, lists mcpcall.CacheOptions[*tools]) {
	conns.Prepare = func(_ context.Context, c *mcpcall.Conn, _ mcpcall.Person, opts *mcpclient.Options) error {
		opts.URL, opts.Notify = "", func(m mcpclient.Message) { f.cache.Heard(c, m) }
		f.mu.Lock()
		defer f.mu.Unlock()
		f.opened++
		if f.down {
			return mcpclient.ErrUnreachable
		}
		ours, theirs := net.Pipe()
		opts.Pipe = ours
		f.ends = append(f.ends, theirs)
		go f.serve(theirs)
		return nil
	}
	f.calls = mcpcall.New(&mcpcall.Options{Conns: conns})
	lists.Calls, lists.Read = f.calls, readTools
	f.cache = mcpcall.NewToolCache(lists)
	t.Cleanup(f.close)
}

func (f *fixture) close() {
	f.cache.Close()
	f.calls.Close()
}

func readTools(ctx context.Context, conn *mcpclient.Conn, _ mcpcall.Person, _ mcpcall.Server) (*tools, error) {
	l := &tools{}
	all, err := mcpcall.ListTools(ctx, conn, mcpclient.MaxTool, &l.Faults)
	for _, tool := range all {
		l.names = append(l.names, tool.Name)
		l.Bytes += len(tool.Raw)
		if tool.Name == huge {
			l.Bytes += 17 << 20
		}
	}
	l.Tools, l.Digest = len(all), sha256.Sum256(fmt.Append(nil, l.names))
	return l, err
}

func (f *fixture) serve(end net.Conn) {
	lines := bufio.NewScanner(end)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		const who = `"capabilities":{"tools":{}},"serverInfo":{"name":"fixture","version":"1"}`
		answer := `"error":{"code":-32601,"message":"no such method"}`
		switch {
		case m.Method == "server/discover" && f.modern:
			answer = `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],` + who + `}`
		case m.Method == "initialize" && !f.modern:
			answer = `"result":{"protocolVersion":"2025-11-25",` + who + `}`
		case m.Method == "tools/list":
			answer = f.list()
		}
		if _, err := fmt.Fprintf(end, `{"jsonrpc":"2.0","id":%s,%s}`+"\n", m.ID, answer); err != nil {
			return
		}
	}
}

func (f *fixture) list() string {
	f.mu.Lock()
	f.listed++
	n := f.listed
	f.mu.Unlock()
	names, wrong := "t1", ""
	if f.lists != nil {
		names, wrong = f.lists(n)
	}
	if wrong != "" {
		return `"error":{"code":-32603,"message":"` + wrong + `"}`
	}
	return `"result":{"tools":[{"name":"` + names + `","inputSchema":{"type":"object"}}]}`
}

// say has the server say something on its last connection.
func (f *fixture) say(message string) {
	f.mu.Lock()
	end := f.ends[len(f.ends)-1]
	f.mu.Unlock()
	fmt.Fprintln(end, message)
}

// fail has the server go away, or come back.
func (f *fixture) fail(down bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.down = down
	for _, end := range f.ends {
		_ = end.Close()
	}
	f.ends = nil
}

func (f *fixture) counts() (opened, listed int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.opened, f.listed
}

func (f *fixture) acquire(t *testing.T, who mcpcall.Person) *mcpcall.Conn {
	t.Helper()
	c, err := f.calls.Conns.Acquire(t.Context(), who, at)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// told checks that an error is a sentence for the model.
func told(t *testing.T, err error, want string) {
	t.Helper()
	var failure *mcpcall.Failure
	if !errors.As(err, &failure) || failure.Text != want {
		t.Errorf("it ended with %v", err)
	}
}
