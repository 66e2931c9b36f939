package toolbox_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall/toolbox"
	"github.com/parley-hq/parley/vault"
)

// offering is a server that lists one tool to everybody and one to each person, and
// says for whom it was called.
func offering(t *testing.T) (h *hand, url string) {
	h = &hand{modern: true}
	return h, serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
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
	records, doors := parley.NewMemoryStore(), newAccounts(t, url, vault.User)
	b := doors.box(t, toolbox.Options{URL: url, Records: records})
	if list, waits := toolsOf(t, b, "alice"); !waits {
		t.Errorf("tools that nobody knows: %q", list)
	}
	doors.set(t, "alice", true)
	toolsOf(t, b, "alice")
	doors.set(t, "alice", false)
	again := doors.box(t, toolbox.Options{URL: url, Records: records}) // another process
	if list, _ := toolsOf(t, again, "alice"); !slices.Equal(list, []string{"common", "of-alice"}) {
		t.Errorf("alice has %q", list)
	}
	// What one person was listed may be theirs alone.
	if list, waits := toolsOf(t, again, "bob"); !waits {
		t.Errorf("bob has %q", list)
	}
	doors.set(t, "bob", true)
	toolsOf(t, again, "bob")
	if list, _ := toolsOf(t, again, "carol"); !slices.Equal(list, []string{"common"}) {
		t.Errorf("carol has %q", list)
	}
	other := caller("dave", "helper")
	other.Tenant = "globex"
	if _, err := again.Tools(t.Context(), other); err == nil {
		t.Error("another tenant has a list of this one's")
	}
	moved := doors.box(t, toolbox.Options{URL: url + "/elsewhere", Records: records})
	if list, waits := toolsOf(t, moved, "carol"); !waits {
		t.Errorf("of a server at another place: %q", list)
	}
}

func TestACallOfARememberedToolWaitsForTheAccountAndThenRuns(t *testing.T) {
	h, url := offering(t)
	records, doors := parley.NewMemoryStore(), newAccounts(t, url, vault.User)
	opts := toolbox.Options{URL: url, Vault: doors.Vault, Records: records}
	first := newBox(t, opts)
	for _, user := range []string{"bob", "carol"} {
		doors.set(t, user, true)
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
		doors.set(t, "alice", true)
		return parley.Outcome{Action: parley.Accept}
	}
	result, asked, err := call(t, b, "common", connect)
	if err != nil || result.Failed || result.Text != "done for alice" || len(asked) != 1 {
		t.Errorf("%+v, %v, asked %q", result, err, asked)
	}
	doors.set(t, "alice", false)
	b = newBox(t, opts)
	before = h.calls.Load()
	result, _, err = call(t, b, "of-bob", connect)
	if refused := (*agent.PublicError)(nil); !errors.As(err, &refused) || !strings.Contains(refused.Text, "does not offer of-bob to this account") {
		t.Errorf("a tool that her account does not have: %+v, %v", result, err)
	}
}
