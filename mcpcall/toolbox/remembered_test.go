package toolbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall/toolbox"
)

// accounts is an Access that knows who has connected an account.
type accounts struct {
	mu        sync.Mutex
	connected map[string]bool
}

func (a *accounts) set(user string, is bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.connected == nil {
		a.connected = map[string]bool{}
	}
	a.connected[user] = is
}

func (a *accounts) Pass(_ context.Context, who agent.Caller, _ map[string]parley.Request) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.connected[who.User] {
		return nil
	}
	return &agent.Pause{Questions: map[string]parley.Request{"credential": {From: "fixture", Message: "Connect"}}}
}

// Transport tells the server who calls.
func (a *accounts) Transport(who agent.Caller) http.RoundTripper { return names{}.Transport(who) }

// offering is a server that lists one tool to everybody and one to each person, and
// says for whom it was called.
func offering(t *testing.T) (h *hand, url string) {
	h = &hand{modern: true}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user := strings.Split(r.Header.Get("Authorization")+"//", "/")[1]
		one := &hand{modern: true}
		one.tell = func(w http.ResponseWriter, method string, id json.RawMessage, _ int64) {
			if method == "tools/list" {
				sayJSON(w, id, `{"tools":[{"name":"common","inputSchema":{"type":"object"}},{"name":"of-`+user+`","inputSchema":{"type":"object"}}]}`)
				return
			}
			h.calls.Add(1)
			sayJSON(w, id, `{"content":[{"type":"text","text":"done for `+user+`"}]}`)
		}
		one.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return h, web.URL
}

func toolsOf(t *testing.T, b *toolbox.Box, user string) (list []string, waits bool) {
	t.Helper()
	tools, err := b.Tools(t.Context(), caller(user, "helper"))
	var pause *agent.Pause
	if errors.As(err, &pause) {
		return nil, true
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools {
		list = append(list, tool.Name)
	}
	return list, false
}

func TestRememberedToolsAreOfferedBeforeTheAccountIsConnected(t *testing.T) {
	_, url := offering(t)
	records, doors := parley.NewMemoryStore(), &accounts{}
	b := newBox(t, toolbox.Options{URL: url, Access: doors, Records: records})
	if list, waits := toolsOf(t, b, "alice"); !waits {
		t.Errorf("tools that nobody knows: %q", list)
	}
	doors.set("alice", true)
	toolsOf(t, b, "alice")
	doors.set("alice", false)
	again := newBox(t, toolbox.Options{URL: url, Access: doors, Records: records}) // another process
	if list, _ := toolsOf(t, again, "alice"); !slices.Equal(list, []string{"common", "of-alice"}) {
		t.Errorf("alice has %q", list)
	}
	// What one person was listed may be theirs alone.
	if list, waits := toolsOf(t, again, "bob"); !waits {
		t.Errorf("bob has %q", list)
	}
	doors.set("bob", true)
	toolsOf(t, again, "bob")
	if list, _ := toolsOf(t, again, "carol"); !slices.Equal(list, []string{"common"}) {
		t.Errorf("carol has %q", list)
	}
	other := caller("dave", "helper")
	other.Tenant = "globex"
	if _, err := again.Tools(t.Context(), other); err == nil {
		t.Error("another tenant has a list of this one's")
	}
	moved := newBox(t, toolbox.Options{URL: url + "/elsewhere", Access: doors, Records: records})
	if list, waits := toolsOf(t, moved, "carol"); !waits {
		t.Errorf("of a server at another place: %q", list)
	}
}

func TestACallOfARememberedToolWaitsForTheAccountAndThenRuns(t *testing.T) {
	h, url := offering(t)
	records, doors := parley.NewMemoryStore(), &accounts{}
	opts := toolbox.Options{URL: url, Access: doors, Records: records}
	first := newBox(t, opts)
	for _, user := range []string{"bob", "carol"} {
		doors.set(user, true)
		toolsOf(t, first, user)
	}
	b := newBox(t, opts)
	if list, _ := toolsOf(t, b, "alice"); !slices.Equal(list, []string{"common"}) {
		t.Fatalf("alice has %q", list)
	}
	before := h.calls.Load()
	connect := func(q parley.Request) parley.Outcome {
		if h.calls.Load() != before {
			t.Error("the server was called before the person had connected")
		}
		doors.set("alice", true)
		return parley.Outcome{Action: parley.Accept}
	}
	result, asked, err := call(t, b, "common", connect)
	if err != nil || result.Failed || result.Text != "done for alice" || len(asked) != 1 {
		t.Errorf("%+v, %v, asked %q", result, err, asked)
	}
	doors.set("alice", false)
	b = newBox(t, opts)
	before = h.calls.Load()
	result, _, err = call(t, b, "of-bob", connect)
	if refused := (*agent.PublicError)(nil); !errors.As(err, &refused) || !strings.Contains(refused.Text, "does not offer of-bob to this account") {
		t.Errorf("a tool that her account does not have: %+v, %v", result, err)
	}
}
