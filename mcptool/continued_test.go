package mcptool_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// ambiguous are arguments of which some programs read one thing and some another.
var ambiguous = []string{
	`{"userId":"7","userId":"8"}`, `{"userId":"7","userID":"8"}`, `{"USERID":"8","userId":"7"}`, `{"userId":"7","\u0075serId":"8"}`,
	`{"userId":"7","u\u017ferId":"8"}`, `{"userId":"7","x":{"a":1,"A":2}}`, `{"userId":"\ud800"}`, `["7"]`, `"7"`,
}

func TestArgumentsThatTwoProgramsReadDifferentlyReachNoTool(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		runs := addDelete(s, nil)
		w := s.dial(t, &wire{era: era, capabilities: canAsk, user: "alice"})
		for _, arguments := range ambiguous {
			m := w.call("delete-account", arguments).end()
			if m.Error == nil || m.Error.Code != jsonrpc.CodeInvalidParams || !strings.HasPrefix(m.Error.Message, "arguments: ") {
				t.Errorf("%s: %s, error %+v", arguments, m.Result, m.Error)
			}
		}
		if runs.Load() != 0 || len(openQuestions(t, s)) != 0 {
			t.Errorf("%d runs, %d questions", runs.Load(), len(openQuestions(t, s)))
		}
	})
}

// recorder notes what is handed to another server before and after a question.
type recorder struct {
	elsewhere
	mu   sync.Mutex
	seen []string
}

func (r *recorder) CallTool(ctx context.Context, call *mcptool.Call, name string, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	r.mu.Lock()
	r.seen = append(r.seen, name+" "+string(arguments))
	r.mu.Unlock()
	return r.elsewhere.CallTool(ctx, call, name, arguments)
}

// What a call goes on with is what it began with, to the byte. A retry says the
// same, or nothing goes on.
func TestACallGoesOnWithWhatItBeganWith(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	other := &recorder{}
	s.asker.Relay(s.server, other)
	w := s.dial(t, &wire{era: modern, capabilities: canAsk, user: "alice"})
	retry := func(state, arguments string) message {
		return w.begin("tools/call", map[string]any{
			"name": "execute_tool", "arguments": json.RawMessage(arguments), "requestState": state,
			"inputResponses": map[string]any{"sure": json.RawMessage(`{"action":"accept","content":{"sure":true}}`)},
		}).end()
	}
	const begun, canonical = `{ "name":"look", "arguments":{"n":1,"m":"\u003c"} }`, `execute_tool {"arguments":{"m":"<","n":1},"name":"look"}`
	state := w.call("execute_tool", begun).result().RequestState
	for _, arguments := range []string{
		`{"name":"look","name":"delete","arguments":{"n":1,"m":"<"}}`, `{"name":"delete","Name":"look","arguments":{"n":1,"m":"<"}}`,
		`{"Name":"delete","name":"look","arguments":{"n":1,"m":"<"}}`, `{"name":"look","arguments":{"n":1,"N":2,"m":"<"}}`,
		`{"NAME":"look","arguments":{"n":1,"m":"<"}}`, `{"name":"look","arguments":{"n":1.0,"m":"<"}}`, `{"name":"delete","arguments":{"n":1,"m":"<"}}`,
	} {
		if m := retry(state, arguments); m.Error == nil || m.Error.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s: %s, error %+v", arguments, m.Result, m.Error)
		}
	}
	if other.once != 1 || len(other.seen) != 1 {
		t.Errorf("the tool ran: %q", other.seen)
	}
	m := retry(state, `{"arguments":{"m":"<","n":1},"name":"look"}`)
	if m.Error != nil || !strings.Contains(string(m.Result), `\"sure\":true`) {
		t.Errorf("%s, %+v", m.Result, m.Error)
	}
	if seen := slices.Compact(slices.Clone(other.seen)); len(seen) != 1 || seen[0] != canonical {
		t.Errorf("handed on were %q", other.seen)
	}
}

// The journal is what runs, so one that was changed in the store is nobody's.
func TestAJournalThatIsNotOfItsDigestIsNotGoneOnWith(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	other := &recorder{}
	s.asker.Relay(s.server, other)
	w := s.dial(t, &wire{era: modern, capabilities: canAsk, user: "alice"})
	state := w.call("pay", `{"amount":1}`).result().RequestState
	all, err := s.store.Scan(t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: "mcp.call"}, "", 10)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d journals, %v", len(all), err)
	}
	changed := all[0]
	changed.Data = []byte(strings.Replace(string(changed.Data), `"amount":1`, `"amount":1000000`, 1))
	if string(changed.Data) == string(all[0].Data) {
		t.Fatalf("no amount in %s", changed.Data)
	}
	if _, err := s.store.Save(t.Context(), changed); err != nil {
		t.Fatal(err)
	}
	m := w.begin("tools/call", map[string]any{
		"name": "pay", "arguments": json.RawMessage(`{"amount":1}`), "requestState": state,
		"inputResponses": map[string]any{"sure": json.RawMessage(`{"action":"accept","content":{"sure":true}}`)},
	}).end()
	if m.Error == nil || m.Error.Code != jsonrpc.CodeInvalidParams || len(other.seen) != 1 {
		t.Errorf("%s, %+v after %q", m.Result, m.Error, other.seen)
	}
}
