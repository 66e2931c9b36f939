package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A key runs agents over MCP as it does in the chat.
func TestAProgramRunsAgentsOverMCPAsInTheChat(t *testing.T) {
	base, acted := programChat(t)
	for says, want := range map[string]string{
		"plain__look": "It says: look",
		"shop__buy":   "this conversation is a program's: nobody can be asked. It asks: [shop] Which size?",
		"bank__pay":   "This call needs a person's approval, and a program makes it",
		"mine":        "My Files takes a person's own account. Do not repeat the call.",
	} {
		call := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"assistant","arguments":{"message":%q},`+
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}}}}}}`, says)
		status, got := sent(t, http.MethodPost, base+"/mcp/agents/assistant", "key-of-ci", call, "Accept", "application/json, text/event-stream",
			"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "assistant")
		if status != http.StatusOK || !strings.Contains(string(got), want) || strings.Contains(string(got), "input_required") {
			t.Errorf("%s: %d %s", says, status, got)
		}
	}
	if status, got := sent(t, http.MethodPost, base+"/mcp/agents/assistant", "no-such-key", `{}`); status != http.StatusUnauthorized || !strings.Contains(string(got), "token") {
		t.Errorf("a key that is none: %d %s", status, got)
	}
	if acted.Load() != 0 {
		t.Errorf("%d calls were carried out", acted.Load())
	}
}
