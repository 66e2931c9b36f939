package gateway_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

const trackerTools = `{"tools":[
	{"name":"list_issues","description":"List issues.","inputSchema":{"type":"object"}},
	{"name":"create_issue","description":"Create an issue.","inputSchema":{"type":"object","properties":{"severity":{"type":"string"}}}},
	{"name":"delete_issue","description":"Delete an issue.","inputSchema":{"type":"object"}},
	{"name":"purge","description":"Delete all issues.","inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":["app"]}}},
	{"name":"west__delete_issue","description":"Delete an issue of the west.","inputSchema":{"type":"object"}}]}`

// What find_tools finds is what somebody may call, best first; what means another
// server's tool and what is for user interfaces is neither found nor counted.
func TestFoundIsWhatIsNeeded(t *testing.T) {
	tracker := scripted(t, map[string]string{
		"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"tracker","version":"1"}}`,
		"tools/list": trackerTools,
	})
	servers := catalogue{{Name: "tracker", URL: tracker, Approve: permit.Never}, {Name: "tracker__west", URL: named(t, "west", "ship"), Approve: permit.Never}}
	h := newHouse(t, servers, func(o *gateway.Options) { o.Expose = gateway.Execute })
	for _, era := range []string{legacy, modern} {
		v := visit(t, h.url, "alice", era, nil)
		for _, c := range []struct {
			query, server string
			first         string // the best; empty: none
			total         int
		}{
			{"get rid of a ticket", "", "tracker__delete_issue", 3}, {"file a bug", "tracker", "tracker__create_issue", 3}, {"severity", "", "tracker__create_issue", 1},
			{"tracker__list_issues", "", "tracker__list_issues", -1}, {"purge", "", "tracker__delete_issue", -1}, {"file a bug", "tracker__west", "", 0}, {"", "", "tracker__list_issues", 4},
			{strings.Repeat("issue ", 20_000), "", "tracker__list_issues", 3},
		} {
			raw, err := v.call(t, "find_tools", map[string]any{"query": c.query, "server": c.server})
			if err != nil {
				t.Fatal(err)
			}
			var found struct {
				Tools []struct {
					Name string `json:"name"`
				} `json:"tools"`
				Total int `json:"total"`
			}
			if err := json.Unmarshal([]byte(raw), &found); err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range found.Tools {
				names = append(names, tool.Name)
			}
			if slices.Contains(names, "tracker__purge") || slices.Contains(names, "tracker__west__delete_issue") || c.total >= 0 && found.Total != c.total || c.first == "" && len(names) > 0 || c.first != "" && (len(names) == 0 || names[0] != c.first) {
				t.Errorf("%s: %.40q: %v, %d in all", era, c.query, names, found.Total)
			}
		}
	}
}

// What is kept for searches is kept with the list, and counted with it.
func TestWhatSearchesTakeCountsAsTheListsMemory(t *testing.T) {
	url := lister(t, 4000, false)
	size := func(expose gateway.Expose) int {
		h := newHouse(t, catalogue{{Name: "s", URL: url}}, func(o *gateway.Options) { o.Expose = expose })
		v := visit(t, h.url, "alice", modern, nil)
		if expose == gateway.Execute {
			if _, err := v.call(t, "find_tools", nil); err != nil {
				t.Fatal(err)
			}
		} else if _, err := v.ListTools(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		bytes, _ := h.CacheSize()
		return bytes
	}
	if plain, searched := size(""), size(gateway.Execute); searched <= plain {
		t.Errorf("%d bytes, and %d where tools are searched for", plain, searched)
	}
}
