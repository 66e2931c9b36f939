package gateway_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

const (
	alphasTools = `[{"name":"show","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://w","x":1},"ui/resourceUri":"ui://w","openai/outputTemplate":"ui://w","y":2}},` +
		`{"name":"answer","inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":["app"]}}},` +
		`{"name":"think","inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":["model"]}}},` +
		`{"name":"common","inputSchema":{"type":"object"}},{"name":"ping","inputSchema":{"type":"object"}},` +
		`{"name":"find_tools","inputSchema":{"type":"object"}},{"name":"connect","inputSchema":{"type":"object"}},` +
		`{"name":"waitForElicitationResult","inputSchema":{"type":"object"}},{"name":"parley__ask_person","inputSchema":{"type":"object"}},` +
		`{"name":"beta__x","inputSchema":{"type":"object"}},{"name":"gamma__x","inputSchema":{"type":"object"}}]`
	betasTools  = `[{"name":"common","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://w","visibility":["model"]}}},{"name":"reply","inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":["app"]}}}]`
	plainsTools = `[{"name":"ping","inputSchema":{"type":"object"}},{"name":"pong","inputSchema":{"type":"object"}}]`
)

func TestAnAppCallsTheToolsOfItsServerByTheirOwnNames(t *testing.T) {
	var alphas, others atomic.Int64
	alpha := painter(t, "alpha", alphasTools, &alphas)
	alpha.Approve = permit.Always
	servers := catalogue{alpha, painter(t, "beta", betasTools, &others), painter(t, "plain", plainsTools, &others)}
	h := newHouse(t, servers, nil)
	for _, era := range []string{legacy, modern} {
		v := visitAble(t, h.url, "alice", era, agreeing, apps)
		list, err := v.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		bare := map[string]string{}
		for _, tool := range list.Tools {
			if server, _, full := strings.Cut(tool.Name, "__"); !full || !slices.Contains([]string{"alpha", "beta", "plain"}, server) {
				meta, _ := json.Marshal(tool.Meta)
				bare[tool.Name] = string(meta)
			}
		}
		want := map[string]string{
			"show":     `{"openai/visibility":"private","ui":{"visibility":["app"],"x":1},"y":2}`,
			"answer":   `{"openai/visibility":"private","ui":{"visibility":["app"]}}`,
			"reply":    `{"openai/visibility":"private","ui":{"visibility":["app"]}}`,
			"gamma__x": `{"openai/visibility":"private","ui":{"visibility":["app"]}}`,
		}
		if diff := cmp.Diff(want, bare); diff != "" {
			t.Errorf("%s: %s", era, diff)
		}
		for _, name := range []string{"answer", "show", "gamma__x"} {
			checkGated(t, h, era, name, &alphas)
		}
		if _, err := v.call(t, "reply", map[string]any{}); err != nil || others.Swap(0) != 1 {
			t.Errorf("%s: reply: %v", era, err)
		}
		for _, name := range []string{"common", "think", "ping", "pong", "find_tools", "connect", "beta__x", "parley__ask_person"} {
			if text, err := v.call(t, name, map[string]any{}); codeOf(err) != -32602 {
				t.Errorf("%s: %s: %q, %v", era, name, text, err)
			}
		}
		none := visitAble(t, h.url, "alice", era, agreeing, nil)
		if names := namesOf(t, none); slices.Contains(names, "show") || slices.Contains(names, "reply") {
			t.Errorf("%s: who shows none sees %q", era, names)
		}
		for _, name := range []string{"show", "answer", "reply"} {
			if text, err := none.call(t, name, map[string]any{}); codeOf(err) != -32602 {
				t.Errorf("%s: who shows none calls %s: %q, %v", era, name, text, err)
			}
		}
	}
	if alphas.Load()+others.Load() > 0 {
		t.Errorf("%d and %d calls", alphas.Load(), others.Load())
	}
}

// checkGated checks that a call by a bare name is asked about as by the full one, and made
// when its person says so.
func checkGated(t *testing.T, h *house, era, name string, calls *atomic.Int64) {
	t.Helper()
	no, yes := visitAble(t, h.url, "bob", era, refusing("decline"), apps), visitAble(t, h.url, "carol", era, agreeing, apps)
	if text, err := no.call(t, name, map[string]any{"by": name}); calls.Load() > 0 || codeOf(err) != -32001 && !strings.HasPrefix(text, "ERROR") {
		t.Errorf("%s: %s was refused: %q, %v, %d calls", era, name, text, err, calls.Load())
	}
	for i, called := range []string{name, "alpha__" + name} {
		if text, err := yes.call(t, called, map[string]any{"by": name}); err != nil || calls.Swap(0) != 1 {
			t.Errorf("%s: %s: %q, %v", era, called, text, err)
		}
		if asked := yes.questions(); len(asked) != i+1 || asked[i] != asked[0] || !strings.Contains(asked[i], "[alpha]") {
			t.Errorf("%s: %s: asked %q", era, called, asked)
		}
	}
	if asked := no.questions(); len(asked) != 1 {
		t.Errorf("%s: %s: asked %q", era, name, asked)
	}
}

// A server that nobody knows yet may have a tool of the same name.
func TestWhileAServerIsNotKnownThereAreNoBareNames(t *testing.T) {
	var calls atomic.Int64
	h := newHouse(t, catalogue{painter(t, "alpha", alphasTools, &calls), {Name: "away", URL: "http://127.0.0.1:1/mcp", Approve: permit.Never}}, nil)
	v := visitAble(t, h.url, "alice", modern, agreeing, apps)
	if names := namesOf(t, v); slices.Contains(names, "show") || !slices.Contains(names, "alpha__show") {
		t.Errorf("%q", names)
	}
	if text, err := v.call(t, "show", map[string]any{}); codeOf(err) != -32602 || calls.Load() > 0 {
		t.Errorf("%q, %v", text, err)
	}
}

func TestWhereToolsAreFoundThereAreNoBareNames(t *testing.T) {
	var calls atomic.Int64
	h := newHouse(t, catalogue{painter(t, "alpha", alphasTools, &calls)}, func(o *gateway.Options) { o.Expose = gateway.Execute })
	v := visitAble(t, h.url, "alice", modern, agreeing, apps)
	if names := namesOf(t, v); !slices.Equal(names, []string{"find_tools", "execute_tool"}) {
		t.Errorf("%q", names)
	}
	for _, name := range []string{"show", "answer"} {
		if _, err := v.call(t, name, map[string]any{}); codeOf(err) != -32602 {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := v.call(t, "execute_tool", map[string]any{"name": name}); codeOf(err) != -32602 && !strings.HasPrefix(text, "ERROR") {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if calls.Load() > 0 {
		t.Error("it was called")
	}
}
