package a2a_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/agent"
)

// byHand are the four ways to send a message with these parts of a body: around the
// message, in it, and its only part.
var byHand = map[string]struct{ path, version, body string }{
	"JSON-RPC":     {"/a2a/helper", "1.0", `{"jsonrpc":"2.0","id":"i","method":"SendMessage","params":{"message":{"messageId":"m%s","role":"ROLE_USER"%s,"parts":[%s]}}}`},
	"REST":         {"/a2a/helper/message:send", "1.0", `{"message":{"messageId":"m%s","role":"ROLE_USER"%s,"parts":[%s]}}`},
	"JSON-RPC 0.3": {"/a2a/helper", "0.3", `{"jsonrpc":"2.0","id":"i","method":"message/send","params":{"message":{"kind":"message","messageId":"m%s","role":"user"%s,"parts":[%s]}}}`},
	"REST 0.3":     {"/a2a/helper/v1/message:send", "0.3", `{"message":{"messageId":"m%s","role":"ROLE_USER"%s,"content":[%s]}}`},
}

// dataPart is a part with data, in each of the ways.
var dataPart = map[string]string{"JSON-RPC": `{"data":%s}`, "REST": `{"data":%s}`, "JSON-RPC 0.3": `{"kind":"data","data":%s}`, "REST 0.3": `{"data":{"data":%s}}`}

func TestABodyThatCanBeReadInTwoWaysIsRefused(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper())
		h := byHand[way]
		send := func(in, data, behind string) (int, string) {
			t.Helper()
			body := fmt.Sprintf(h.body, fmt.Sprint(len(in)+len(data)), in, fmt.Sprintf(dataPart[way], data)) + behind
			resp, text := s.raw(http.MethodPost, h.path, "alice", body, "A2A-Version", h.version, "Content-Type", "application/json")
			return resp.StatusCode, text
		}
		for _, one := range []struct{ in, data, behind, want string }{
			{"", `{"a":1,"a":2}`, "", "is given twice"},
			{"", `{"a":1,"A":2}`, "", "some programs take one for the other"},
			{`,"contextId":"c","contextId":"d"`, `{}`, "", "contextId is given twice"},
			{`,"contextId":"c","CONTEXTID":"d"`, `{}`, "", "some programs take one for the other"},
			{`,"contextId":"c","context_id":"d"`, `{}`, "", "contextId is given twice, by two names"},
			{"", `{}`, `{}`, "has something after its end"},
			{"", `{"n":9007199254740993}`, "", "n is a number beyond 2^53"},
			{"", `{"n":[-123456789012345678901234567890]}`, "", "n[0] is a number beyond 2^53"},
			{"", `{"n":1.0000000000000000001}`, "", "more digits than are kept"},
			{"", `{"n":` + strings.Repeat(`[`, 5000) + strings.Repeat(`]`, 5000) + `}`, "", "levels deep"},
		} {
			status, text := send(one.in, one.data, one.behind)
			rpc := strings.HasPrefix(way, "JSON-RPC")
			code := "-32700"
			if strings.Contains(one.want, "number") || strings.Contains(one.want, "digits") {
				code = "-32602"
			}
			if !strings.Contains(text, one.want) || len(text) > 1000 || rpc && !strings.Contains(text, code) || !rpc && status != http.StatusBadRequest {
				t.Errorf("%s %.60s %s: %d %.1000s", one.in, one.data, one.behind, status, text)
			}
			if rpc && one.behind == "" && !strings.Contains(text, `"id":"i"`) {
				t.Errorf("the id is not that of the call: %s", text)
			}
		}
		if s.calls.called() != 0 {
			t.Error("a refused message was carried out")
		}
		if status, text := send("", `{"n":9007199254740991,"x":0.1}`, "\n"); status != http.StatusOK || !strings.Contains(text, "tool did it") {
			t.Errorf("%d %s", status, text)
		}
	})
}

func TestAMethodThatIsGivenTwiceIsNotCalled(t *testing.T) {
	s := newSite(t, nil, helper())
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"SendMessage","method":"GetExtendedAgentCard","params":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tasks/get","Method":"agent/getAuthenticatedExtendedCard","params":{}}`,
	} {
		if _, text := s.raw(http.MethodPost, "/a2a/helper", "alice", body); !strings.Contains(text, "-32700") || strings.Contains(text, `"result"`) {
			t.Errorf("%s: %s", body, text)
		}
	}
}

// What somebody sends is not sent back to them, or to whoever reads the log of their calls.
func TestARefusalIsShortWhateverItIsAbout(t *testing.T) {
	long := strings.Repeat("n", 50_000)
	s := newSite(t, nil, &agent.Agent{Name: "helper", Model: calls("tool__do"), Toolboxes: helper(colour).Toolboxes, Input: []byte(`{"type":"object","properties":{"city":{"type":"string"}},"additionalProperties":false}`)})
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Go"))
	deep := map[string]any{"elicitationId": asks(t, task).ID, "action": "accept"}
	at := deep
	for i := range 40 {
		inner := map[string]any{}
		at[map[bool]string{true: "content", false: long[:1000]}[i == 0]] = inner
		at = inner
	}
	for name, m := range map[string]*wire.Message{
		"content":     to(task, wire.NewMessage(wire.MessageRoleUser, wire.NewDataPart(deep))),
		"an id":       to(task, answers(long[:400], elicitation.Decline, "")),
		"what it is":  wire.NewMessage(wire.MessageRoleUser, wire.NewDataPart(map[string]any{long: 1.0})),
		"a member":    to(task, wire.NewMessage(wire.MessageRoleUser, wire.NewDataPart(map[string]any{"elicitationId": "x", "action": "accept", long: 1.0}))),
		"a long text": says(strings.Repeat("x", 300_000)),
	} {
		_, err := c.trySend(m)
		if err == nil || len(err.Error()) > 600 {
			t.Errorf("%s: %.800v", name, err)
		}
	}
}
