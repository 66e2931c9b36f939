package gateway_test

import (
	"encoding/json"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/permit"
)

// What a tool of 2026-07-28 gives that is no object is a member of one for older
// clients, however large it is.
func TestALargeResultThatIsNoObjectIsWrappedForOlderClients(t *testing.T) {
	const list = `,"outputSchema":{"type":"array","items":{"type":"string"}}`
	for what, c := range map[string]struct{ schema, from, to string }{
		"a large list":            {list, `{"content":[],"structuredContent":["@"]}`, `{"result":["@"]}`},
		"a list beside text":      {list, `{"content":[{"type":"text","text":"@"}],"structuredContent":["a"]}`, `{"result":["a"]}`},
		"an object where a list":  {list, `{"structuredContent" : {"a":"@"},"content":[]}`, `{"result":{"a":"@"}}`},
		"none where a list":       {list, `{"content":[{"type":"text","text":"@"}],"structuredContent":null}`, `{"result":null}`},
		"a list without a schema": {``, `{"content":[],"structuredContent":["@"]}`, `{"result":["@"]}`},
		"an object":               {``, `{"content":[],"structuredContent":{"a":"@"}}`, `{"a":"@"}`},
		"none":                    {``, `{"structuredContent": null ,"content":[{"type":"text","text":"@"}]}`, ``},
	} {
		var text atomic.Pointer[string]
		url := warehouseOf(t, true, c.schema, func(w io.Writer) { _, _ = io.WriteString(w, *text.Load()) })
		h := newHouse(t, catalogue{{Name: "w", URL: url, Approve: permit.Never}}, nil)
		v := visit(t, h.url, "alice", legacy, nil)
		toolNames(t, v)
		for size, fill := range map[string]string{"small": "x", "large": strings.Repeat("x", manyBytes)} {
			from := strings.Replace(c.from, "@", fill, 1)
			text.Store(&from)
			result, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: "w__fetch"})
			if err != nil {
				t.Errorf("%s, %s: %v", what, size, err)
				continue
			}
			var want any
			_ = json.Unmarshal([]byte(strings.Replace(c.to, "@", fill, 1)), &want)
			if diff := cmp.Diff(want, result.StructuredContent); diff != "" {
				t.Errorf("%s, %s: (-want +got) %.300s", what, size, diff)
			}
		}
	}
}
