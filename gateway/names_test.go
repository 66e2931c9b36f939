package gateway_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
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
