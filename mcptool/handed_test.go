package mcptool_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// A node does not read a journal that it has written a moment ago. What another node did to
// the call since counts all the same.
func TestAStateThatWasHandedOutHereMayHaveBeenUsedElsewhere(t *testing.T) {
	const yes, no, neither = `{"action":"accept","content":{"confirmed":true}}`, `{"action":"decline"}`, `{"action":"accept","content":{"confirmed":"perhaps"}}`
	again := func(w *wire, state, answer string) *exchange {
		return w.begin("tools/call", map[string]any{
			"name": "delete-account", "arguments": json.RawMessage(`{"userId":"7"}`), "requestState": state,
			"inputResponses": map[string]any{"q1": json.RawMessage(answer)},
		})
	}
	deletes := func(x *exchange) {
		if m := x.end(); m.Error != nil || !strings.Contains(string(m.Result), `"confirmed":true`) {
			t.Errorf("%s, %+v", m.Result, m.Error)
		}
	}
	refused := func(x *exchange, why string) {
		if m := x.end(); m.Error == nil || m.Error.Code != jsonrpc.CodeInvalidParams || !strings.Contains(m.Error.Message, why) {
			t.Errorf("%s, %+v", m.Result, m.Error)
		}
	}
	for name, play := range map[string]func(state string, here, there *wire){
		"it was asked again": func(state string, here, there *wire) {
			next := again(there, state, neither).result().RequestState
			refused(again(here, state, no), "it was used before")
			deletes(again(here, next, yes))
		},
		"it is over": func(state string, here, there *wire) {
			deletes(again(there, state, yes))
			refused(again(here, state, no), "the call of this requestState is over")
		},
		"nothing happened": func(state string, here, _ *wire) { deletes(again(here, state, yes)) },
	} {
		t.Run(name, func(t *testing.T) {
			store := parley.NewMemoryStore()
			var nodes []*wire
			for range 2 {
				s := newSiteOn(t, store, mcptool.Options{})
				addDelete(s, nil)
				nodes = append(nodes, s.dial(t, &wire{era: modern, capabilities: canAsk, user: "alice"}))
			}
			play(nodes[0].call("delete-account", `{"userId":"7"}`).result().RequestState, nodes[0], nodes[1])
		})
	}
}
