package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/agent"
)

// boss hands everything on, and repeats what came.
type boss struct{ obedient }

func (b boss) Generate(ctx context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	if last := p.Messages[len(p.Messages)-1]; last.Role == agent.FromUser {
		task, err := json.Marshal(map[string]string{"task": last.Text})
		return agent.Reply{Calls: []agent.ToolCall{{ID: "d", Tool: "delegate_to_clerk", Args: task}}}, err
	}
	return b.obedient.Generate(ctx, p, emit)
}

// clerk pays.
type clerk struct{ obedient }

func (c clerk) Generate(ctx context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	if p.Messages[len(p.Messages)-1].Role == agent.FromUser {
		return agent.Reply{Calls: []agent.ToolCall{{ID: "p", Tool: "bank__pay", Args: []byte(`{"to":"bob","amount":100}`)}}}, nil
	}
	return c.obedient.Generate(ctx, p, emit)
}

// bank counts what it pays.
func bank(t *testing.T) (address string, paid *atomic.Int64) {
	t.Helper()
	paid = new(atomic.Int64)
	s := mcp.NewServer(&mcp.Implementation{Name: "bank", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "pay", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		paid.Add(1)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "paid"}}}, nil
	})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL, paid
}

// chatting sends a message and gives every question on the stream to answer. It
// returns the whole stream.
func chatting(t *testing.T, base, bearer, conversation, text string, answer func(question string)) string {
	t.Helper()
	body := fmt.Sprintf(`{"id":%q,"agent":"assistant","messages":[{"role":"user","parts":[{"type":"text","text":%q}]}]}`, conversation, text)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/run/api/chat", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Close = true
	for key, value := range map[string]string{"Content-Type": "application/json", "Authorization": "Bearer " + bearer, "X-Supports-Elicitation": "true"} {
		r.Header.Set(key, value)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var all strings.Builder
	for in := bufio.NewScanner(resp.Body); in.Scan(); {
		all.WriteString(in.Text() + "\n")
		if strings.Contains(in.Text(), "data-elicitation-request") && !strings.Contains(in.Text(), `"outcome"`) {
			answer(in.Text())
		}
	}
	return all.String()
}

// An agent that was delegated to acts for the same person in the same
// conversation: they see the whole call and who wants to make it, and what they
// say holds there.
func TestACallOfADelegateIsApprovedInTheConversation(t *testing.T) {
	for decision, want := range map[string]struct {
		paid  int64
		reply string
	}{
		"allow_once": {1, "It says: It says: paid"},
		"deny":       {0, "It says: It says: The person denied this call."},
	} {
		t.Run(decision, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			address, paid := bank(t)
			base := servedWith(t, listener, gatewayHead(listener.Addr().String())+fmt.Sprintf(`
models: {boss: {kind: demo}, clerk: {kind: demo}}
servers: {bank: {url: %q, approve: always}}
agents: {assistant: {model: boss, delegates: [clerk]}, clerk: {model: clerk, servers: [bank]}}
`, address), map[string]agent.Model{"boss": boss{}, "clerk": clerk{}})
			asked := 0
			told := chatting(t, base, personOf(t, "acme"), "c", "Pay Bob", func(line string) {
				asked++
				var card struct {
					Data struct {
						ID      string `json:"elicitationId"`
						Message string `json:"message"`
						Context struct {
							Trigger, Service, Agent, Tool, Arguments string
						} `json:"context"`
					} `json:"data"`
				}
				if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &card); err != nil {
					t.Fatal(err)
				}
				c := card.Data.Context
				if c.Trigger != "tool_approval" || c.Service != "bank" || c.Agent != "clerk" || c.Tool != "pay" ||
					c.Arguments != `{"amount":100,"to":"bob"}` || !strings.Contains(card.Data.Message, `"amount": 100`) {
					t.Errorf("the card is %s", line)
				}
				body := fmt.Sprintf(`{"conversationId":"c","elicitationId":%q,"action":"accept","content":{"decision":%q}}`, card.Data.ID, decision)
				if status, data := sent(t, http.MethodPost, base+"/run/api/elicitation-responses", personOf(t, "acme"), body); status != http.StatusOK {
					t.Errorf("%d %s", status, data)
				}
			})
			if asked != 1 || paid.Load() != want.paid || !strings.Contains(told, want.reply) {
				t.Errorf("asked %d times, paid %d times:\n%s", asked, paid.Load(), told)
			}
			_, history := sent(t, http.MethodGet, base+"/run/api/chat/c", personOf(t, "acme"), "")
			if !strings.Contains(string(history), `"agent":"clerk"`) || !strings.Contains(string(history), `"arguments":"{\"amount\":100,\"to\":\"bob\"}"`) {
				t.Errorf("the history is %s", history)
			}
		})
	}
}
