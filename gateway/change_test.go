package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// counter takes payments, and notes with which arguments.
type counter struct {
	*shop
	mu   sync.Mutex
	took []string
}

func newCounter(t *testing.T, era string) *counter {
	s := &counter{shop: newShop(t, era)}
	schema := json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"amount":{"type":"integer","minimum":1}}}`)
	note := func(then mcp.ToolHandler) mcp.ToolHandler {
		return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s.mu.Lock()
			s.took = append(s.took, string(r.Params.Arguments))
			s.mu.Unlock()
			return then(ctx, r)
		}
	}
	s.AddTool(&mcp.Tool{Name: "pay", InputSchema: schema}, note(func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return said("paid"), nil
	}))
	s.AddTool(&mcp.Tool{Name: "data", InputSchema: schema}, note(func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{}, StructuredContent: map[string]any{"paid": true}}, nil
	}))
	s.AddTool(&mcp.Tool{Name: "refuse", InputSchema: schema}, note(func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, fmt.Errorf("no money")
	}))
	s.AddTool(&mcp.Tool{Name: "ask", InputSchema: schema}, note(s.ask("Which size?")))
	return s
}

func (s *counter) payments() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.took...)
}

const changedPayment, toldOfIt = `{"amount":50,"to":"bob"}`, "The person changed the arguments before allowing this call: amount 100 → 50."

func payment() map[string]any { return map[string]any{"to": "bob", "amount": 100} }

// halving allows every payment of 100 with 50.
func halving(p *mcp.ElicitParams) *mcp.ElicitResult {
	if !strings.Contains(p.Message, "Allow this call?") {
		return agreeing(p)
	}
	schema, _ := json.Marshal(p.RequestedSchema)
	if !strings.Contains(string(schema), `"args.amount"`) || !strings.Contains(string(schema), `"default":100`) {
		return &mcp.ElicitResult{Action: "decline"}
	}
	return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "changed", "args.to": "bob", "args.amount": 50}}
}

func TestTheServerGetsWhatThePersonMadeOfTheCall(t *testing.T) {
	for _, server := range []string{modern, legacy} {
		for _, client := range []string{modern, legacy} {
			t.Run(server+" to "+client, func(t *testing.T) {
				s := newCounter(t, server)
				h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Always}}, nil)
				v := visit(t, h.url, "alice", client, halving)
				for tool, want := range map[string]string{
					"pay": toldOfIt + " paid", "data": toldOfIt + ` {"paid":true}`, "ask": toldOfIt + ` accept {"amount":2,"size":"L"}`,
				} {
					text, err := v.call(t, "shop__"+tool, payment())
					if err != nil || text != want {
						t.Errorf("%s: %q, %v", tool, text, err)
					}
				}
				if _, err := v.call(t, "shop__refuse", payment()); err == nil || !strings.Contains(err.Error(), "no money ("+toldOfIt+")") {
					t.Errorf("%v", err)
				}
				payments := s.payments()
				for _, took := range payments {
					if took != changedPayment {
						t.Errorf("the server got %s", took)
					}
				}
				if want := 4 + map[bool]int{true: 1}[server == modern]; len(payments) != want { // which is told the answer by a call
					t.Errorf("%d calls, want %d", len(payments), want)
				}
			})
		}
	}
}

// A node that goes on after the one before died knows the change from the question and
// from the table, and not from the client.
func TestAnotherNodeMakesTheCallThatWasChangedAndMakesItOnce(t *testing.T) {
	s, store := newCounter(t, modern), parley.NewMemoryStore()
	servers := catalogue{{Name: "shop", URL: s.url, Approve: permit.Always}}
	first, second := newNode(t, store, servers, nil, nil), newNode(t, store, servers, nil, nil)
	asked := post(t, first.url, "alice", "shop__pay", `{"to":"bob","amount":100}`, "", "")
	said := fmt.Sprintf(`{%q:{"action":"accept","content":{"decision":"changed","args.to":"bob","args.amount":50}}}`, asked.key(t))

	other := post(t, second.url, "alice", "shop__pay", `{"to":"bob","amount":99}`, asked.Result.State, said)
	if len(s.payments()) != 0 {
		t.Fatalf("another call: %+v, %v", other, s.payments())
	}
	asked = post(t, first.url, "alice", "shop__pay", `{"to":"bob","amount":100}`, "", "")
	said = fmt.Sprintf(`{%q:{"action":"accept","content":{"decision":"changed","args.to":"bob","args.amount":50}}}`, asked.key(t))
	done := post(t, second.url, "alice", "shop__pay", `{"amount":100,"to":"bob"}`, asked.Result.State, said)
	if done.text() != toldOfIt || len(done.Result.Content) != 2 {
		t.Errorf("%+v", done)
	}
	again := post(t, first.url, "alice", "shop__pay", `{"amount":100,"to":"bob"}`, asked.Result.State, said)
	if got := s.payments(); len(got) != 1 || got[0] != changedPayment {
		t.Errorf("the server got %v; again: %+v", got, again)
	}
}

// A client that leaves out what its person has emptied, or changes arguments beside
// another choice, does not say what is allowed.
func TestAnAnswerOfAClientThatCanBeReadInTwoWaysAllowsNothing(t *testing.T) {
	s := newCounter(t, modern)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Always}}, nil)
	asked := post(t, h.url, "alice", "shop__pay", `{"to":"bob","amount":100}`, "", "")
	for _, content := range []string{
		`{"decision":"changed","args.amount":50}`, `{"decision":"allow_once","args.to":"bob","args.amount":50}`, `{"decision":"changed","args.to":"bob","args.amount":0}`,
	} {
		said := fmt.Sprintf(`{%q:{"action":"accept","content":%s}}`, asked.key(t), content)
		asked = post(t, h.url, "alice", "shop__pay", `{"to":"bob","amount":100}`, asked.Result.State, said)
		if asked.Result.Type != "input_required" { // asked once more
			t.Fatalf("%s: %+v", content, asked)
		}
	}
	older := visit(t, h.url, "alice", legacy, func(*mcp.ElicitParams) *mcp.ElicitResult {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "allow_once", "args.to": "bob", "args.amount": 50}}
	})
	if text, err := older.call(t, "shop__pay", payment()); err != nil || !strings.Contains(text, "You changed amount.") {
		t.Errorf("%s, %v", text, err)
	}
	if got := s.payments(); len(got) != 0 {
		t.Errorf("the server got %v", got)
	}
}
