package gateway_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley/permit"
)

// What a server before 2026-07-28 writes is a result: it speaks of no tasks and no
// questions of an era that it does not know.
func TestAResultOfAnOlderServerIsAPlainOne(t *testing.T) {
	const text = `"content":[{"type":"text","text":"done"}]`
	long := strings.Repeat("x", 3<<20)
	for name, result := range map[string]string{
		"a task":             `{"resultType":"task","taskId":"t1","status":"working",` + text + `}`,
		"a question":         `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"Password?","requestedSchema":{"type":"object","properties":{}}}}},"requestState":"s",` + text + `}`,
		"half a question":    `{"inputRequests":{"q":{"method":"elicitation/create","params":{"message":"Password?"}}},` + text + `}`,
		"a made-up kind":     `{"resultType":"weird",` + text + `}`,
		"an escaped name":    `{"result\u0054ype":"task","taskId":"t1",` + text + `}`,
		"a large task":       `{"resultType":"task","taskId":"t1","content":[{"type":"text","text":"done"},{"type":"text","text":"` + long + `"}]}`,
		"a large one, later": `{"content":[{"type":"text","text":"done"},{"type":"text","text":"` + long + `"}],"resultType":"input_required","inputRequests":{}}`,
	} {
		for _, hint := range []string{"true", "false"} {
			t.Run(name+", read only "+hint, func(t *testing.T) {
				var calls atomic.Int64
				url := scriptedBy(t, func(m wireMessage) string {
					switch m.Method {
					case "initialize":
						return `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}`
					case "tools/list":
						return `{"tools":[{"name":"do","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":` + hint + `}}]}`
					case "tools/call":
						calls.Add(1)
						return result
					}
					return ""
				})
				h := newHouse(t, catalogue{{Name: "old", URL: url, Approve: permit.Never}}, nil)
				awaitUp(t, h, "old")
				_, body := sendRaw(t, h.url, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"old__do","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`, modern),
					"Mcp-Protocol-Version", modern, "Mcp-Method", "tools/call", "Mcp-Name", "old__do")
				got := lastData(body)
				if strings.Count(got, `"resultType":"complete"`) != 1 || !strings.Contains(got, `"text":"done"`) || strings.Contains(got, "inputRequests") || strings.Contains(got, "requestState") || strings.Contains(got, "Type\":\"task") {
					t.Errorf("got %.300s", got)
				}
				if calls.Load() != 1 {
					t.Errorf("the server was called %d times", calls.Load())
				}
			})
		}
	}
}
