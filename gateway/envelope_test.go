package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/permit"
)

// A proxy or a log in front of the gateway may read the first of two members, and
// the gateway the last.
func TestAMessageThatTwoProgramsReadDifferentlyIsNoMessage(t *testing.T) {
	s := newShop(t, modern)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
	const plain = `"params":{"name":"shop__buy","arguments":{}}`
	const call = `"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name":"shop__buy","arguments":{}}`
	session := visit(t, h.url, "alice", legacy, agreeing).ID()
	for name, body := range map[string]string{
		"params twice":    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shop__echo"},` + call + `}`,
		"method twice":    `{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call",` + call + `}`,
		"id twice":        `{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call",` + call + `}`,
		"in other letter": `{"jsonrpc":"2.0","id":1,"METHOD":"tools/call",` + call + `}`,
		"letters beside":  `{"jsonrpc":"2.0","id":1,"method":"tools/call",` + call + `,"Params":{"name":"shop__echo"}}`,
		"method beside":   `{"Method":"tools/list","jsonrpc":"2.0","id":1,"method":"tools/call",` + call + `}`,
		"an escape":       `{"jsonrpc":"2.0","id":1,"method":"tools/call",` + call + `,"\u0050arams":{}}`,
		"an old letter":   `{"jsonrpc":"2.0","id":1,"method":"tools/call",` + call + `,"paramſ":{}}`,
		"something after": `{"jsonrpc":"2.0","id":1,"method":"tools/call",` + call + `} {"jsonrpc":"2.0","id":2,"method":"ping"}`,
		"garbage after":   `{"jsonrpc":"2.0","id":1,"method":"tools/call",` + call + `}x`,
	} {
		for _, era := range []string{legacy, modern} {
			headers, sent := []string{"Mcp-Protocol-Version", era, "Mcp-Session-Id", session}, strings.Replace(body, call, plain, 1)
			if era == modern {
				headers, sent = []string{"Mcp-Protocol-Version", era, "Mcp-Method", "tools/call", "Mcp-Name", "shop__buy"}, body
			}
			status, said := sendRaw(t, h.url, sent, headers...)
			if status != http.StatusBadRequest || !strings.Contains(said, `"code":-32600`) {
				t.Errorf("%s, %s: %d %s", name, era, status, said)
			}
		}
	}
	if n := s.done.Load(); n != 0 {
		t.Errorf("the server carried out %d calls", n)
	}
}
