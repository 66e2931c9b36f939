package gateway_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
)

// shifting is a catalogue that changes.
type shifting struct {
	mu  sync.Mutex
	now []gateway.Server
	err error
}

func (c *shifting) Servers(context.Context, string) ([]gateway.Server, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now, c.err
}

func (c *shifting) set(err error, to ...gateway.Server) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.err = to, err
}

func allEnd(t *testing.T, log string) {
	t.Cleanup(func() { // after the gateway is closed
		if began, ended := noted(t, log, "hello"), noted(t, log, "bye"); began != ended {
			t.Errorf("%d programs were started and %d have ended", began, ended)
		}
	})
}

func TestAConnectionThatNobodyUsesIsClosedWhenItsServerIsConfiguredAnew(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	allEnd(t, log)
	c := &shifting{now: []gateway.Server{till(log, "")}}
	h := newHouse(t, nil, func(o *gateway.Options) { o.Catalogue = c })
	v := visit(t, h.url, "alice", legacy, nil)
	for _, mark := range []string{"first", "second"} {
		s := till(log, "")
		s.Env["MARK"] = mark
		c.set(nil, s)
		if text, err := v.call(t, "till__look", map[string]any{}); text != "seen" {
			t.Fatal(text, err)
		}
	}
}

func TestAConnectionWhoseCallerIsGoneBeforeItIsOpenIsClosed(t *testing.T) {
	dir := t.TempDir()
	log, gate := filepath.Join(dir, "log"), filepath.Join(dir, "gate")
	allEnd(t, log)
	h := newHouse(t, catalogue{till(log, gate)}, func(o *gateway.Options) { o.Anonymous = true })
	eventually(t, "the server is not up", func() bool {
		return h.Status(t.Context(), parley.DefaultTenant, "till", "").State == gateway.Up
	})
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	var calls sync.WaitGroup
	calls.Go(func() { h.ServeHTTP(httptest.NewRecorder(), anonymous(ctx, "till__look")) })
	eventually(t, "no connection is opened", func() bool { return noted(t, log, "hello") == 2 })
	leave()
	calls.Wait()
	if err := os.Remove(gate); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the connection is still open", func() bool { return noted(t, log, "bye") == 1 })
}

// anonymous is a call of 2026-07-28 by nobody in particular.
func anonymous(ctx context.Context, tool string) *http.Request {
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":{},"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},`+
		`"io.modelcontextprotocol/clientInfo":{"name":"visitor","version":"1"}}}}`, tool)
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/mcp", strings.NewReader(message))
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": modern, "Mcp-Method": "tools/call", "Mcp-Name": tool,
	} {
		r.Header.Set(name, value)
	}
	return r
}
