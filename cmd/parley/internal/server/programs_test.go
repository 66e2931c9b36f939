package server_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// till notes in the file LOG when it starts and ends.
const till = `echo hello >> "$LOG"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  *'"server/discover"'*) echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"no"}}';;
  *'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"till","version":"1"}}}';;
  *'"tools/list"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[{"name":"look","inputSchema":{"type":"object"}}]}}';;
  *'"look"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"content":[{"type":"text","text":"seen"}]}}';;
  esac
done
echo bye >> "$LOG"
`

func TestTheConfigurationSaysHowManyProgramsRun(t *testing.T) {
	dir := t.TempDir()
	log, script := filepath.Join(dir, "log"), filepath.Join(dir, "till.sh")
	if err := os.WriteFile(script, []byte(till), 0o600); err != nil {
		t.Fatal(err)
	}
	base := withGateway(t, "servers: {till: {command: [sh, "+script+"], env: {LOG: "+log+"}, approve: never}}\ngateway: {}\nlimits: {programs: 1}\n")
	person := func(user string) string {
		return token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) { m["sub"] = user }))
	}
	sees(t, base, "alice", person("alice"), "till__look")
	for _, user := range []string{"alice", "bob", "carol", "alice"} {
		status, body := sent(t, http.MethodPost, base+"/mcp", person(user),
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"till__look","arguments":{},"_meta":{`+
				`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "till__look")
		if !strings.Contains(string(body), "seen") {
			t.Fatalf("%s: %d %s", user, status, body)
		}
		noted, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(noted), "hello") - strings.Count(string(noted), "bye"); n > 2 { // one tells of changed lists
			t.Errorf("%d programs run", n)
		}
	}
}
