package gateway_test

import (
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// hoard is a program whose tool returns 24 MiB.
const hoard = `while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  *'"server/discover"'*) echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"no"}}';;
  *'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"w","version":"1"}}}';;
  *'"tools/list"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[{"name":"fetch","inputSchema":{"type":"object"}}]}}';;
  *'"tools/call"'*) printf '{"jsonrpc":"2.0","id":'$id',"result":{"content":[{"type":"text","text":"'; head -c 25165824 /dev/zero | tr '\0' x; echo '"}]}}';;
  esac
done`

func TestALargeResultOfAProgramPassesThrough(t *testing.T) {
	const size = 24 << 20
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	h := newHouse(t, catalogue{{Name: "w", Command: []string{"sh", "-c", hoard}, Approve: permit.Never}}, func(*gateway.Options) {})
	toolNames(t, visit(t, h.url, "alice", legacy, nil))
	before := heap()
	for range 2 { // the program is as good as before
		response, err := fetch(t, h.url)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := response.Body.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		if during := heap(); during > before+size/3 {
			t.Errorf("a result of %d MB took %d MB", size>>20, (during-before)>>20)
		}
		rest, err := io.ReadAll(response.Body)
		response.Body.Close()
		var got struct {
			Result struct{ Content []struct{ Text string } }
		}
		if jsonErr := json.Unmarshal(append([]byte("{"), rest...), &got); err != nil || jsonErr != nil {
			t.Fatal(err, jsonErr)
		}
		if len(got.Result.Content) != 1 || got.Result.Content[0].Text != strings.Repeat("x", size) {
			t.Error("it is not what the program said")
		}
	}
}
