package gateway_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley/permit"
)

// A rule that lets calls through that only read is not for a tool of which it is not sure
// that it does.
func TestAToolWhoseHintsAreNotSureNeedsAnApproval(t *testing.T) {
	odd := []string{
		`{"ReadOnlyHint":true}`, `{"readOnlyHint":true,"ReadOnlyHint":false}`, `{"readOnlyHint":true,"DestructiveHint":true}`,
		`{"readOnlyHint":true,"readOnlyHint":true}`, `{"readOnlyHint":true,"destructiveHint":"true"}`, `{"readOnlyHint":"true"}`, `{"readOnlyHint":true,"openWorldHint":1}`,
	}
	tools := []string{`{"name":"sure","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`}
	for i, annotations := range odd {
		tools = append(tools, fmt.Sprintf(`{"name":"odd%d","inputSchema":{"type":"object"},"annotations":%s}`, i, annotations))
	}
	tools = append(tools, `{"name":"beside","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"Annotations":{}}`)
	for name, greeting := range map[string][2]string{
		"legacy": {"initialize", `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`},
		"modern": {"server/discover", `{"resultType":"complete","supportedVersions":["` + modern + `"],"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			var calls atomic.Int64
			url := scriptedBy(t, func(m wireMessage) string {
				switch m.Method {
				case greeting[0]:
					return greeting[1]
				case "tools/list":
					return `{"resultType":"complete","tools":[` + strings.Join(tools, ",") + `]}`
				case "tools/call":
					calls.Add(1)
					return `{"resultType":"complete","content":[{"type":"text","text":"done"}]}`
				}
				return ""
			})
			h := newHouse(t, catalogue{{Name: "s", URL: url, Approve: permit.Unsafe}}, nil)
			awaitUp(t, h, "s")
			call := func(tool string) string {
				_, body := sendRaw(t, h.url, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"s__%s","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}}}}}}`, tool, modern),
					"Mcp-Protocol-Version", modern, "Mcp-Method", "tools/call", "Mcp-Name", "s__"+tool)
				return lastData(body)
			}
			if got := call("sure"); !strings.Contains(got, `"text":"done"`) || calls.Load() != 1 {
				t.Errorf("a tool that only reads: %.300s", got)
			}
			for i, annotations := range append(slices.Clone(odd), "beside") {
				tool := fmt.Sprintf("odd%d", i)
				if annotations == "beside" {
					tool = annotations
				}
				if got := call(tool); !strings.Contains(got, `"resultType":"input_required"`) || calls.Load() != 1 {
					t.Errorf("%s: %d calls, %.300s", annotations, calls.Load(), got)
				}
			}
		})
	}
}
