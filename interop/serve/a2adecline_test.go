package serve_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// An approval of a second site that the person declines at the first is over at both: there
// is nothing left to allow. A calling agent refuses it at neither.
func TestAnApprovalOfASecondSiteThatIsDeclinedHereIsOverThere(t *testing.T) {
	program := withParley(t)
	addresses := kit.FreeAddresses(t, 2)
	store := func() string { return "sqlite:" + filepath.Join(t.TempDir(), "parley.db") }
	second := newGate(t, program, store(), addresses[1], `
models: {demo: {kind: demo}}
servers:
  shop: {url: "{wares}/modern/mcp", approve: always}
agents:
  assistant: {model: demo, servers: [shop]}
`)
	first := newGate(t, program, store(), addresses[0], `
models: {demo: {kind: demo}}
agents:
  assistant: {model: demo, delegates: [warehouse]}
  warehouse: {a2a: "http://`+addresses[1]+`/a2a/assistant", description: Orders wares., auth: {type: bearer, scope: user}}
`)
	second.start(t, addresses[1])
	first.start(t, addresses[0])
	alice, ann := first.asker(t, "alice"), second.token(t, "ann")
	stream := alice.Say(t, first.public, "c", "Delegate to the warehouse: order something")
	alice.Send(t, stream.Question(t).URL, url.Values{"action": {"connect"}, "key": {ann}})
	q := stream.Question(t)
	if !strings.HasPrefix(q.URL, second.public+"/answer/") {
		t.Fatalf("it leads to %q", q.URL)
	}
	second.openQuestion(t, ann)
	alice.answer(q, "decline", nil)
	alice.said("and the user declined. The task was cancelled.")
	if open := second.openQuestions(t, ann); len(open) != 0 {
		t.Errorf("still open there: %v", open)
	}

	caller := first.token(t, "alice")
	asked := first.sendA2A(t, caller, `{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"order something"}]}`)
	id := first.openQuestion(t, caller)
	if asked.Result.Task.Status.State != "TASK_STATE_AUTH_REQUIRED" {
		t.Fatalf("%+v", asked)
	}
	said := first.sendA2A(t, caller, `{"messageId":"m2","role":"ROLE_USER","taskId":"`+asked.Result.Task.ID+`","parts":[{"data":{"elicitationId":"`+id+`","action":"decline"}}]}`)
	if said.Error.Code != -32004 {
		t.Errorf("a message declined it: %+v", said)
	}
	first.openQuestion(t, caller)
	second.openQuestion(t, ann)
	if begun := second.wares.begun("order"); begun != 0 {
		t.Errorf("it was begun %d times", begun)
	}
}

// sentA2A is what an agent answers to a message.
type sentA2A struct {
	Result struct {
		Task struct {
			ID     string
			Status struct{ State string }
		}
	}
	Error struct {
		Code    int
		Message string
	}
}

// sendA2A sends a message to the agent warehouse.
func (g *gate) sendA2A(t *testing.T, token, message string) (said sentA2A) {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":` + message + `}}`
	header := http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "A2a-Version": {"1.0"}}
	status, _, raw, err := kit.HttpTry(t.Context(), http.MethodPost, g.public+"/a2a/warehouse", header, body)
	if err == nil {
		err = json.Unmarshal([]byte(raw), &said)
	}
	if err != nil || status != http.StatusOK {
		t.Fatalf("%d %v %s", status, err, raw)
	}
	return said
}
