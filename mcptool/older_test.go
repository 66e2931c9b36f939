package mcptool_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcptool"
)

// Lists up to 2025-11-25 know no output but objects: one tool that gives a list
// would cost such a client all tools.
func TestAToolThatGivesAListIsWrappedForOlderClients(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "primes"}, func(context.Context, *mcptool.Call, struct{}) ([]int, error) { return []int{2, 3}, nil })
	for era, want := range map[string]struct{ schema, content string }{
		"2025-11-25": {`"object"`, `{"result":[2,3]}`}, "2026-07-28": {`["null","array"]`, `[2,3]`},
	} {
		c := s.connect(t, clientOptions{era: era, user: "alice"})
		tools, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		schema, _ := tools.Tools[0].OutputSchema.(map[string]any)
		kind, _ := json.Marshal(schema["type"])
		content, _ := json.Marshal(call(t, c, "primes", nil).StructuredContent)
		if string(kind) != want.schema || string(content) != want.content {
			t.Errorf("%s: a list of type %s, a result of %s", era, kind, content)
		}
	}
}
