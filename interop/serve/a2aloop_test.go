package serve_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// Two sites whose agents are each other, with one secret: a task goes there, and not round.
func TestATaskDoesNotGoRoundBetweenASiteAndASecondSite(t *testing.T) {
	program := withParley(t)
	addresses := kit.FreeAddresses(t, 2)
	var sites [2]*gate
	for i, address := range addresses {
		other := addresses[1-i]
		sites[i] = newGate(t, program, "sqlite:"+filepath.Join(t.TempDir(), "parley.db"), address, "")
		sites[i].more = `
agents:
  warehouse: {a2a: "http://` + other + `/a2a/warehouse", title: Warehouse, description: Orders wares., auth: {type: bearer, scope: platform, token: "` + sites[i].token(t, "ann") + `"}}
`
	}
	for i, address := range addresses {
		sites[i].start(t, address)
	}
	alice := sites[0].token(t, "alice")
	header := http.Header{"Authorization": {"Bearer " + alice}, "Content-Type": {"application/json"}, "A2a-Version": {"1.0"}}
	call := func(g *gate, method, params string) string {
		t.Helper()
		status, _, raw, err := kit.HttpTry(t.Context(), http.MethodPost, g.public+"/a2a/warehouse", header, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`)
		if err != nil || status != http.StatusOK {
			t.Fatalf("%d %v %s", status, err, raw)
		}
		return string(raw)
	}
	said := call(sites[0], "SendMessage", `{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"order something"}]}}`)
	if !strings.Contains(said, "TASK_STATE_FAILED") || !strings.Contains(said, "this task has come back to an agent that it came through") {
		t.Error(said)
	}
	header.Set("Authorization", "Bearer "+sites[1].token(t, "ann"))
	for i, want := range []int{0, 1} { // the first site's own is alice's
		if list := call(sites[i], "ListTasks", `{"historyLength":0}`); !strings.Contains(list, `"totalSize":`+[]string{"0", "1"}[want]) {
			t.Errorf("site %d was given: %s", i+1, list)
		}
	}
}
