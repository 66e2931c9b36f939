package gateway_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

// named is a server whose tools and prompts have these names, and which says its
// own when it is called.
func named(t *testing.T, server string, names ...string) string {
	t.Helper()
	var tools, prompts []string
	for _, name := range names {
		tools = append(tools, fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, name))
		prompts = append(prompts, fmt.Sprintf(`{"name":%q}`, name))
	}
	return scripted(t, map[string]string{
		"initialize":   fmt.Sprintf(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{}},"serverInfo":{"name":%q,"version":"1"}}`, server),
		"tools/list":   `{"tools":[` + strings.Join(tools, ",") + `]}`,
		"prompts/list": `{"prompts":[` + strings.Join(prompts, ",") + `]}`,
		"tools/call":   fmt.Sprintf(`{"content":[{"type":"text","text":"here is %s"}]}`, server),
	})
}

// A server of the name a must not be listed under a name by which a__b is called,
// nor the other way round.
func TestWhatIsListedUnderANameIsCalledByIt(t *testing.T) {
	servers := catalogue{
		{Name: "a", URL: named(t, "a", "b__c", "b__d", "b", "b__", "x", "_y"), Approve: permit.Never},
		{Name: "a__b", URL: named(t, "a__b", "c", "e"), Approve: permit.Never},
		{Name: "a_", URL: named(t, "a_", "y"), Approve: permit.Never},
		{Name: "a__b__c", URL: named(t, "a__b__c", "z"), Approve: permit.Never},
	}
	want := map[string]string{
		"a__b": "a", "a__b__": "a", "a__x": "a", "a__b__c": "a__b", "a__b__e": "a__b", "a__b__c__z": "a__b__c", "a___y": "a_",
	}
	for _, era := range []string{legacy, modern} {
		h := newHouse(t, servers, nil)
		v := visit(t, h.url, "alice", era, nil)
		listed := toolNames(t, v)
		seen := map[string]string{}
		for _, name := range listed {
			got, err := v.call(t, name, nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if _, twice := seen[name]; twice {
				t.Errorf("%s is listed twice", name)
			}
			seen[name] = strings.TrimPrefix(got, "here is ")
		}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Errorf("%s: what is listed, and who was called: %s", era, diff)
		}
	}
	h := newHouse(t, servers, func(o *gateway.Options) { o.Expose = gateway.Execute })
	v := visit(t, h.url, "alice", legacy, nil)
	raw, err := v.call(t, "find_tools", map[string]any{"limit": 50})
	if err != nil {
		t.Fatal(err)
	}
	var found struct {
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	if err := json.Unmarshal([]byte(raw), &found); err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, tool := range found.Tools {
		got, err := v.call(t, "execute_tool", map[string]any{"name": tool.Name, "arguments": map[string]any{}})
		if err != nil {
			t.Error(err)
		}
		seen[tool.Name] = strings.TrimPrefix(got, "here is ")
	}
	if diff := cmp.Diff(want, seen); diff != "" || len(found.Tools) != len(want) {
		t.Errorf("%d found: %s", len(found.Tools), diff)
	}
}

// book is a log that several write at once.
type book struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *book) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *book) count(what string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Count(b.text.String(), what)
}

// A tenant's server may have been stored under a name by which its tools could be the
// operator's: those win, whatever is listed first or longer, and the log says it once.
func TestATenantsServerTakesOverNoNameOfTheOperators(t *testing.T) {
	store := parley.NewMemoryStore()
	v, err := vault.New(parley.New(store, nil), store, newKeys(t), &vault.Options{
		PublicURL: "https://parley.example",
		Servers:   []vault.Server{{Name: "shop__keyed", URL: "https://keyed.example", Auth: vault.Auth{Type: vault.APIKey, Scope: vault.User}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	servers := catalogue{
		{Name: "shop__x", URL: named(t, "shop__x", "buy", "own"), Approve: permit.Never, Own: true},
		{Name: "shop_", URL: named(t, "shop_", "look"), Approve: permit.Never, Own: true},
		{Name: "shop__keyed", URL: "https://keyed.example", Approve: permit.Never, Own: true, Guarded: true, Personal: true},
		{Name: "shop", URL: named(t, "shop", "x__buy", "buy", "_look"), Approve: permit.Always},
		{Name: "till", URL: named(t, "till", "west__buy", "buy"), Approve: permit.Never, Own: true},
		{Name: "till__west", URL: named(t, "till__west", "buy"), Approve: permit.Always},
	}
	want := []string{"shop__x__buy", "shop__buy", "shop___look", "till__buy", "till__west__buy"}
	for _, order := range []string{"as they are", "the other way round"} {
		if order != "as they are" {
			servers = slices.Clone(servers)
			slices.Reverse(servers)
		}
		for _, era := range []string{legacy, modern} {
			log := &book{}
			h := newHouse(t, servers, func(o *gateway.Options) {
				o.Vault, o.Logger = v, slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
			})
			for range 3 {
				listed := toolNames(t, visit(t, h.url, "alice", era, nil))
				slices.Sort(listed)
				if diff := cmp.Diff(slices.Sorted(slices.Values(want)), listed); diff != "" {
					t.Errorf("%s, %s: what is listed: %s", era, order, diff)
				}
			}
			for _, name := range []string{"shop__x", "shop_", "till"} {
				if n := log.count(`"names left out: they mean another's" server=` + name + ` `); n != 1 {
					t.Errorf("%s, %s: the log says %d times that names of %s are left out", era, order, n, name)
				}
			}
			// The rule of the operator's server is asked, and nobody else is called.
			client := visit(t, h.url, "alice", era, nil)
			for _, name := range []string{"shop__x__buy", "shop___look", "till__west__buy"} {
				if got, err := client.call(t, name, nil); codeOf(err) != -32001 {
					t.Errorf("%s, %s: %s was not held for an approval: %q, %v", era, order, name, got, err)
				}
			}
			for _, name := range []string{"shop__x__own", "shop__keyed__connect"} {
				if got, err := client.call(t, name, nil); err == nil {
					t.Errorf("%s, %s: %s says %q", era, order, name, got)
				}
			}
			// Nor by its own endpoint.
			own := visit(t, h.at("shop__x"), "alice", era, nil)
			if listed := toolNames(t, own); len(listed) > 0 {
				t.Errorf("%s: its own endpoint lists %q", era, listed)
			}
			if got, err := own.call(t, "buy", nil); err == nil {
				t.Errorf("%s: its own endpoint says %q", era, got)
			}
		}
	}
}

// While a person connected their account, what they had called came to be another server's
// tool: they did not connect for that one, and its rule was not asked.
func TestACallWhoseNameBecameAnotherServersWhileItsPersonConnectedIsNotSent(t *testing.T) {
	store, calls := parley.NewMemoryStore(), atomic.Int64{}
	till := func(server, tool string) string {
		return scriptedBy(t, func(m wireMessage) string {
			switch m.Method {
			case "initialize":
				return `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"` + server + `","version":"1"}}`
			case "tools/list":
				return `{"tools":[{"name":"` + tool + `","inputSchema":{"type":"object"}}]}`
			case "tools/call":
				calls.Add(1)
				return `{"content":[]}`
			}
			return ""
		})
	}
	one := gateway.Server{Name: "shop", URL: till("shop", "west__buy"), Approve: permit.Never, Guarded: true, Personal: true}
	other := gateway.Server{Name: "shop__west", URL: till("shop__west", "buy"), Approve: permit.Never}
	v, err := vault.New(parley.New(store, nil), store, newKeys(t), &vault.Options{
		PublicURL: "https://parley.example", Logger: slog.New(slog.DiscardHandler),
		Servers: []vault.Server{{Name: "shop", URL: one.URL, Auth: vault.Auth{Type: vault.APIKey, Scope: vault.User}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	servers := &shifting{now: []gateway.Server{one}}
	h := newNode(t, store, nil, nil, func(o *gateway.Options) { o.Catalogue, o.Vault = servers, v })
	client := visit(t, h.url, "alice", legacy, func(p *mcp.ElicitParams) *mcp.ElicitResult {
		servers.set(nil, one, other)
		_, id, _ := strings.Cut(p.URL, "elicitation_id=")
		given := v.Provide(t.Context(), vault.Need{Server: "shop", User: "alice"}, "key-of-alice")
		if err := errors.Join(given, h.hub.Answer(t.Context(), alice, parley.ID(id), parley.Answer{Action: parley.Accept, Via: vault.Via})); err != nil {
			t.Error(err)
		}
		return &mcp.ElicitResult{Action: "accept"}
	})
	got, err := client.call(t, "shop__west__buy", map[string]any{})
	if want := "ERROR Another server has the name shop__west__buy now. Nothing was sent."; got != want || err != nil || calls.Load() != 0 {
		t.Errorf("%q, %v, %d calls", got, err, calls.Load())
	}
}
