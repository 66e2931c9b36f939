package gateway_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// ambiguous are arguments of which some servers read one thing and some another.
var ambiguous = []string{
	`{"amount":1,"amount":1000000}`, `{"amount":1,"Amount":1000000}`, `{"AMOUNT":1000000,"amount":1}`, `{"amount":1,"\u0061mount":1000000}`,
	`{"order":{"amount":1,"Amount":1000000}}`, `{"orders":[{"amount":1,"amount":1000000}]}`, `{"kind":1,"\u212aind":2}`, `{"to":"\ud800"}`,
	`{"amount":1e400}`, `[{"amount":1}]`, `"amount"`,
}

// Whatever the rule: what two programs read differently reaches no server.
func TestArgumentsThatTwoProgramsReadDifferentlyReachNoServer(t *testing.T) {
	for _, rule := range []permit.Rule{permit.Never, permit.Always} {
		for _, expose := range []gateway.Expose{gateway.Tools, gateway.Execute} {
			t.Run(fmt.Sprint(rule, " ", expose), func(t *testing.T) {
				s := newShop(t, modern)
				h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: rule}}, func(o *gateway.Options) { o.Expose = expose })
				old := visit(t, h.url, "alice", legacy, agreeing)
				for _, arguments := range ambiguous {
					tool := "shop__buy"
					if expose == gateway.Execute {
						tool, arguments = "execute_tool", `{"name":"shop__buy","arguments":`+arguments+`}`
					}
					if a := post(t, h.url, "alice", tool, arguments, "", ""); (a.Error == nil || a.Error.Code != -32602) && !a.Result.IsError {
						t.Errorf("%s: %+v", arguments, a)
					}
					if r, err := old.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)}); err == nil && !r.IsError {
						t.Errorf("%s, %s: %+v", legacy, arguments, r.Content[0])
					}
				}
				if n, asked := s.done.Load(), old.questions(); n != 0 || len(asked) != 0 {
					t.Errorf("the server carried out %d calls; asked were %q", n, asked)
				}
			})
		}
	}
}

// A person begins something harmless that asks, and comes back with the answer
// and with what some reader takes for another call.
func TestARetryInOtherLettersRunsNothingElse(t *testing.T) {
	s, bank := newShop(t, modern), newShop(t, modern)
	h := newHouse(t, catalogue{
		{Name: "shop", URL: s.url, Approve: permit.Never}, {Name: "bank", URL: bank.url, Approve: permit.Forbid},
	}, func(o *gateway.Options) { o.Expose = gateway.Execute })
	const harmless = `{"name":"shop__order","arguments":{"n":1}}`
	asked := post(t, h.url, "alice", "execute_tool", harmless, "", "")
	answer := fmt.Sprintf(`{%q:{"action":"accept","content":{"size":"big"}}}`, asked.key(t))
	for _, retry := range []string{
		`{"Name":"bank__buy","name":"shop__order","arguments":{"n":1}}`, `{"name":"shop__order","Name":"bank__buy","arguments":{"n":1}}`,
		`{"name":"bank__buy","name":"shop__order","arguments":{"n":1}}`, `{"name":"shop__order","name":"bank__buy","arguments":{"n":1}}`,
		`{"NAME":"bank__buy","arguments":{"n":1},"name":"shop__order"}`, `{"name":"shop__order","arguments":{"n":1},"Arguments":{"n":2}}`,
		`{"name":"shop__order","arguments":{"n":1,"n":2}}`, `{"name":"shop__order","arguments":{"n":1,"N":2}}`, `{"name":"bank__buy","arguments":{"n":1}}`,
		`{"Name":"shop__order","arguments":{"n":1}}`, `{"name":"shop__order","arguments":{"n":1},"also":1}`,
	} {
		if a := post(t, h.url, "alice", "execute_tool", retry, asked.Result.State, answer); a.Error == nil || a.Error.Code != -32602 {
			t.Errorf("%s: %+v", retry, a)
		}
	}
	if s.done.Load() != 0 || bank.done.Load() != 0 {
		t.Errorf("the shop carried out %d calls, the bank %d", s.done.Load(), bank.done.Load())
	}
	if a := post(t, h.url, "alice", "execute_tool", `{"arguments":{"n":1},"name":"shop__order"}`, asked.Result.State, answer); !strings.Contains(a.text(), `"size":"big"`) {
		t.Errorf("the call itself: %+v", a)
	}
	// And what execute_tool does not take begins nothing.
	for _, call := range []string{`{"Name":"shop__buy"}`, `{"name":"shop__buy","extra":1}`, `{"name":"shop__buy","arguments":[1]}`, `{"name":["shop__buy"]}`, `{"name":"execute_tool"}`} {
		if a := post(t, h.url, "alice", "execute_tool", call, "", ""); !a.Result.IsError || s.done.Load() != 1 {
			t.Errorf("%s: %+v", call, a)
		}
	}
}

// An approver saw one amount: nothing else is sent, and what is sent are the
// bytes that were shown.
func TestTheServerGetsTheBytesThatWereShown(t *testing.T) {
	for _, rule := range []permit.Rule{permit.Never, permit.Always} {
		for _, era := range []string{legacy, modern} {
			s := newShop(t, era)
			h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: rule}}, nil)
			const begun = `{ "to":"\u003cbob\u003e", "amount" : 1, "list":[ {"z":1.0,"a":null} ] }`
			const shown = `bought {"amount":1,"list":[{"a":null,"z":1.0}],"to":"<bob>"}`
			a := post(t, h.url, "alice", "shop__buy", begun, "", "")
			if rule == permit.Always {
				state, answer := a.Result.State, approving(a.key(t), "allow_once")
				for _, retry := range []string{
					`{"to":"<bob>","amount":1000000,"amount":1,"list":[{"z":1.0,"a":null}]}`, `{"to":"<bob>","amount":1,"Amount":1000000,"list":[{"z":1.0,"a":null}]}`,
					`{"to":"<bob>","AMOUNT":1000000,"amount":1,"list":[{"z":1.0,"a":null}]}`, `{"to":"<bob>","amount":1,"list":[{"z":1.0,"a":null,"A":1}]}`,
				} {
					if b := post(t, h.url, "alice", "shop__buy", retry, state, answer); b.Error == nil || s.done.Load() != 0 {
						t.Errorf("%s: %+v", retry, b)
					}
				}
				a = post(t, h.url, "alice", "shop__buy", begun, state, answer)
			}
			if text := strings.ReplaceAll(strings.ReplaceAll(a.text(), `\u003c`, "<"), `\u003e`, ">"); text != shown || s.done.Load() != 1 {
				t.Errorf("%s, a server of %s: %q after %d calls", rule, era, a.text(), s.done.Load())
			}
		}
	}
}

// Between the question and its answer the server's name came to mean another one:
// the rest of the call does not go there.
func TestACallDoesNotGoOnAtAnotherPlace(t *testing.T) {
	t.Parallel()
	for _, rule := range []permit.Rule{permit.Never, permit.Always} {
		for _, era := range []string{legacy, modern} {
			t.Run(fmt.Sprint(rule, " ", era), func(t *testing.T) {
				store := parley.NewMemoryStore()
				before, after := newShop(t, era), newShop(t, era)
				h := newNode(t, store, catalogue{{Name: "shop", URL: before.url, Approve: rule}}, nil, nil)
				moved := newNode(t, store, catalogue{{Name: "shop", URL: after.url, Approve: rule}}, nil, nil)
				a := post(t, h.url, "alice", "shop__order", `{"n":1}`, "", "")
				if rule == permit.Always {
					a = post(t, h.url, "alice", "shop__order", `{"n":1}`, a.Result.State, approving(a.key(t), "allow_once"))
				}
				answer := fmt.Sprintf(`{%q:{"action":"accept","content":{"size":"big"}}}`, a.key(t))
				b := post(t, moved.url, "alice", "shop__order", `{"n":1}`, a.Result.State, answer)
				switch era {
				case legacy: // its server waits on its connection, and the call goes on there
					if b.text() != `accept {"size":"big"}` || before.done.Load() != 1 {
						t.Errorf("at its own place: %+v, %d calls", b, before.done.Load())
					}
				case modern:
					if !b.Result.IsError || !strings.Contains(b.text(), "has changed since this call was begun") || before.done.Load() != 0 {
						t.Errorf("at the other place: %+v, %d calls", b, before.done.Load())
					}
				}
				if after.done.Load() != 0 {
					t.Errorf("the other server carried out %d calls", after.done.Load())
				}
			})
		}
	}
}

// The node that held the connection died, and the call could be made again: not at
// another place.
func TestACallWhoseNodeDiedIsNotMadeAgainAtAnotherPlace(t *testing.T) {
	store := parley.NewMemoryStore()
	before, after := newShop(t, legacy), newShop(t, legacy)
	moved := newNode(t, store, catalogue{{Name: "shop", URL: after.url, Approve: permit.Never}}, nil, nil)
	var asked answered
	t.Run("on a node that dies", func(t *testing.T) {
		h := newNode(t, store, catalogue{{Name: "shop", URL: before.url, Approve: permit.Never}}, nil, nil)
		asked = post(t, h.url, "alice", "shop__reorder", `{}`, "", "")
	})
	got := post(t, moved.url, "alice", "shop__reorder", `{}`, asked.Result.State, oneAnswer(asked.key(t), large))
	if !got.Result.IsError || !strings.Contains(got.text(), "has changed since this call was begun") || after.done.Load() != 0 {
		t.Errorf("%+v after %d calls", got, after.done.Load())
	}
}
