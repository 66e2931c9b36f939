package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/agent"
)

// generous is a model that transfers 100 to bob, and says what it was told.
type generous struct{ obedient }

func (m generous) Generate(ctx context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	r, err := m.obedient.Generate(ctx, p, emit)
	for i := range r.Calls {
		r.Calls[i].Args = json.RawMessage(`{"to":"bob","amount":100}`)
	}
	return r, err
}

// payments is a bank that notes what it transfers.
type payments struct {
	mu   sync.Mutex
	made []string
}

func (p *payments) all() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.made, " ")
}

// changing is a server whose bank's tool has an input schema, with these rules.
func changing(t *testing.T, rules string) (base string, made *payments) {
	t.Helper()
	made = &payments{}
	s := mcp.NewServer(&mcp.Implementation{Name: "bank", Version: "1"}, nil)
	schema := json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"amount":{"type":"integer","minimum":1}}}`)
	s.AddTool(&mcp.Tool{Name: "transfer", InputSchema: schema}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		made.mu.Lock()
		defer made.mu.Unlock()
		made.made = append(made.made, string(r.Params.Arguments))
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "transferred"}}}, nil
	})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	rules = strings.ReplaceAll(rules, "PORT", port)
	return servedWith(t, listener, gatewayHead(listener.Addr().String())+"models: {script: {kind: demo}}\n"+
		"servers: {bank: {url: "+web.URL+", approve: always}}\nagents: {assistant: {model: script, servers: [bank]}}\ngateway: {}\n"+rules,
		map[string]agent.Model{"script": generous{}}), made
}

const half = `{"amount":50,"to":"bob"}`

// decisionOf is what an administrator's list says of the last question of somebody.
func decisionOf(t *testing.T, base, user string) string {
	t.Helper()
	_, data := sent(t, http.MethodGet, base+"/api/elicitations?state=settled", named(t, user), "")
	var list struct {
		Items []struct{ Outcome struct{ Decision string } }
	}
	if err := json.Unmarshal(data, &list); err != nil || len(list.Items) == 0 {
		t.Fatalf("%v: %s", err, data)
	}
	return list.Items[0].Outcome.Decision
}

func TestAPersonChangesTheirAgentsCallInTheChat(t *testing.T) {
	base, made := changing(t, "")
	alice := named(t, "alice")
	lines := streamed(t, base)
	q := waitingFor(t, base, alice)
	answer := func(content string) (int, string) {
		status, data := sent(t, http.MethodPost, base+"/run/api/elicitation-responses", alice,
			fmt.Sprintf(`{"conversationId":"c1","elicitationId":%q,"action":"accept","content":%s}`, q.ID, content))
		return status, string(data)
	}
	for _, wrong := range []string{
		`{"decision":"allow_once","args.to":"bob","args.amount":50}`, `{"decision":"changed","args.amount":50}`, `{"decision":"changed","args.to":"bob","args.amount":0}`,
	} {
		if status, said := answer(wrong); status != http.StatusBadRequest || !strings.Contains(said, `"args.`) {
			t.Errorf("%s: %d %s", wrong, status, said)
		}
	}
	if status, said := answer(`{"decision":"changed","args.to":"bob","args.amount":50}`); status != http.StatusOK {
		t.Fatalf("%d %s", status, said)
	}
	until(t, lines, `"decision":"changed"`)
	until(t, lines, `It says: The person changed the arguments before allowing this call: amount 100 → 50.\ntransferred`)
	if got := made.all(); got != half {
		t.Errorf("the bank got %s", got)
	}
	if got := decisionOf(t, base, "alice"); got != "changed" {
		t.Errorf("the list says %q", got)
	}
}

// What the rules keep from a person is refused when they answer, and they do otherwise.
func TestAChangeIntoACallThatNeedsApproversIsRefusedWhenItIsAnswered(t *testing.T) {
	base, made := changing(t, "rules: [{name: large, server: bank, when: args.amount > 500, approvers: \"1 of [bob]\"}, {name: never, server: bank, when: args.amount == 13, approve: refuse}]\n")
	alice := named(t, "alice")
	said := turn(t, base)
	q := waitingFor(t, base, alice)
	for amount, words := range map[int]string{
		501: `With these arguments the call needs the word of approvers, by the rule \"large\".`, 13: `With these arguments the call is refused, by the rule \"never\".`,
	} {
		content := fmt.Sprintf(`{"decision":"changed","args.to":"bob","args.amount":%d}`, amount)
		status, data := sent(t, http.MethodPost, base+"/run/api/elicitation-responses", alice, fmt.Sprintf(`{"conversationId":"c1","elicitationId":%q,"action":"accept","content":%s}`, q.ID, content))
		if status != http.StatusBadRequest || !strings.Contains(string(data), words) {
			t.Errorf("%d: %d %s", amount, status, data)
		}
	}
	onPage(t, base, "alice", "/answer/"+q.ID, url.Values{"action": {"accept"}, "field.decision": {"option-0"}, "field.args.to": {"bob"}, "field.args.amount": {"100"}})
	if got := <-said; !strings.Contains(got, "It says: transferred") || made.all() != `{"amount":100,"to":"bob"}` {
		t.Errorf("%s; the bank got %s", got, made.all())
	}
}

// The first approver edits and allows; the asker's chat, and a client of the gateway,
// go on by themselves, and the second is not asked any more.
func TestAnApproverChangesTheCallThatWaits(t *testing.T) {
	const rules = "rules: [{name: transfers, server: bank, approvers: \"1 of [bob, carol]\", ttl: 3d}]\n"
	for name, call := range map[string]func(t *testing.T, base string) <-chan string{"chat": turn, "2026-07-28": paying} {
		t.Run(name, func(t *testing.T) {
			base, made := changing(t, rules)
			said := call(t, base)
			waitingFor(t, base, named(t, "carol"))
			q := waitingFor(t, base, named(t, "bob"))
			onPage(t, base, "bob", "/answer/"+q.ID, url.Values{
				"action": {"accept"}, "field.decision": {"option-2"}, "field.args.to": {"bob"}, "field.args.amount": {"50"},
			})
			if got := <-said; !strings.Contains(got, "bob changed the arguments before allowing this call: amount 100 → 50.") || !strings.Contains(got, "transferred") {
				t.Errorf("%s", got)
			}
			none(t, base, "carol")
			none(t, base, "alice")
			if got := made.all(); got != half {
				t.Errorf("the bank got %s", got)
			}
			if got := decisionOf(t, base, "bob"); got != "changed" {
				t.Errorf("the list says %q", got)
			}
		})
	}
}

// paying has a client of the gateway make the transfer.
func paying(t *testing.T, base string) <-chan string {
	said, bearer := make(chan string, 1), named(t, "alice")
	go func() {
		_, data := sent(t, http.MethodPost, base+"/mcp", bearer, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bank__transfer","arguments":{"to":"bob","amount":100},"_meta":{`+
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "bank__transfer")
		said <- string(data)
	}()
	return said
}

func TestARuleForbidsChanges(t *testing.T) {
	base, made := changing(t, "rules: [{name: as it is, server: bank, approve: always, choices: [allow_once, deny]}]\n")
	alice := named(t, "alice")
	said := turn(t, base)
	q := waitingFor(t, base, alice)
	body := fmt.Sprintf(`{"conversationId":"c1","elicitationId":%q,"action":"accept","content":{"decision":"changed","args.to":"bob","args.amount":50}}`, q.ID)
	if status, data := sent(t, http.MethodPost, base+"/run/api/elicitation-responses", alice, body); status != http.StatusBadRequest {
		t.Errorf("%d %s", status, data)
	}
	onPage(t, base, "alice", "/answer/"+q.ID, url.Values{"action": {"accept"}, "field.decision": {"option-0"}})
	if got := <-said; !strings.Contains(got, "It says: transferred") || made.all() != `{"amount":100,"to":"bob"}` {
		t.Errorf("%s; the bank got %s", got, made.all())
	}
}
