package serve_test

import (
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

const undelegating = `
models: {demo: {kind: demo}}
agents: {assistant: {model: demo}}
`

// registers makes an agent elsewhere a delegate while the site runs.
func (g *gate) registers(t *testing.T, name, at, more string) {
	t.Helper()
	var shown struct {
		Transport string
		Status    struct{ State, Error string }
	}
	body := `{"name":"` + name + `","transport":"a2a","url":"` + at + `","approve":"never","agents":["assistant"]` + more + `}`
	if status := g.api(t, http.MethodPost, "/api/servers", adminKey, body, &shown); status != http.StatusCreated || shown.Transport != "a2a" || shown.Status.State != "up" {
		t.Fatalf("registered: %d %+v", status, shown)
	}
}

// An agent is registered at one node and spoken to at another, which is killed while the
// agent's question waits: the next one has the same question, and answers the same task.
// Where the task goes on by itself instead, the next one sees that.
func TestAQuestionOfAnAgentOfTheAPIOutlivesOurNode(t *testing.T) {
	for _, say := range []string{"form", "oob"} {
		t.Run(say, func(t *testing.T) {
			everyStore(t, func(t *testing.T, program, store string, addresses []string) {
				there := startJSAgent(t, "JSONRPC")
				g := newGate(t, program, store, addresses[1], undelegating)
				a := g.start(t, addresses[0])
				b := a
				if addresses[0] != addresses[1] {
					b = g.start(t, addresses[1])
				}
				g.registers(t, "travel", there.url, "")
				alice := g.asker(t, "alice")
				q := alice.Say(t, a.Url, "c", "Delegate to the travel: "+say).Question(t)
				a.Kill(t)
				if b == a {
					g.start(t, addresses[1])
				}
				switch say {
				case "form":
					alice.answer(q, "accept", map[string]any{"city": "Oslo"})
					alice.said("told {")
					there.told(2)
				case "oob":
					if status, _, _, err := kit.HttpTry(t.Context(), http.MethodPost, there.url+"/connected", nil, ""); err != nil || status != http.StatusOK {
						t.Fatal(status, err)
					}
					alice.said("signed in")
					there.told(1)
				}
				if status := g.api(t, http.MethodDelete, "/api/servers/travel", adminKey, "", nil); status != http.StatusNoContent {
					t.Fatal(status)
				}
			})
		})
	}
}

// Somebody's own account at an agent that was registered at run time is asked for when it
// is first needed, and what is asked there is answered here. The tool there runs once.
func TestAnAgentOfTheAPITakesThePersonsOwnAccount(t *testing.T) {
	program, addresses := withParley(t), kit.FreeAddresses(t, 2)
	second := newGate(t, program, "sqlite:"+filepath.Join(t.TempDir(), "parley.db"), addresses[1], `
models: {demo: {kind: demo}}
servers:
  shop: {url: "{wares}/modern/mcp", approve: never}
agents:
  assistant: {model: demo, servers: [shop]}
`)
	first := newGate(t, program, "sqlite:"+filepath.Join(t.TempDir(), "parley.db"), addresses[0], undelegating)
	second.start(t, addresses[1])
	a := first.start(t, addresses[0])
	first.registers(t, "warehouse", second.public+"/a2a/assistant", `,"auth":{"type":"bearer","scope":"user"}`)
	alice := first.asker(t, "alice")
	stream := alice.Say(t, first.public, "c", "Delegate to the warehouse: order something")
	account := stream.Question(t)
	if !strings.HasPrefix(account.URL, first.public+"/auth/connect") {
		t.Fatalf("it leads to %q", account.URL)
	}
	alice.Send(t, account.URL, url.Values{"action": {"connect"}, "key": {"dev-user:ann"}})
	q := stream.Question(t)
	a.Kill(t)
	first.start(t, addresses[0])
	alice.answer(q, "accept", map[string]any{"size": "L"})
	alice.said("order: accept L")
	second.wares.carriedOut(t, map[string]int{"order": 1})
	if begun := second.wares.begun("order"); begun != 1 {
		t.Errorf("it was begun %d times", begun)
	}
	if status := first.api(t, http.MethodDelete, "/api/servers/warehouse", adminKey, "", nil); status != http.StatusNoContent {
		t.Error(status)
	}
}
