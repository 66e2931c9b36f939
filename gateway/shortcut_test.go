package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/permit"
)

func TestLongCallsAtOnceComeBackWholeAndToTheirOwnClients(t *testing.T) {
	eachCell(t, func(t *testing.T, client string, _ *shop, h *house) {
		var all sync.WaitGroup
		for n := range 4 {
			v := visit(t, h.url, fmt.Sprint("user", n), client, nil)
			all.Go(func() {
				for size := range 4 {
					// From one that fits every buffer to one that fits none.
					text := strings.Repeat(fmt.Sprintf("%d/%d ", n, size), 10<<(4*size))
					if got, err := v.call(t, "shop__echo", map[string]any{"text": text}); err != nil || got != text {
						t.Errorf("%d bytes came back as %d, %v", len(text), len(got), err)
					}
				}
			})
		}
		all.Wait()
	})
}

func TestALongResponseSaysHowLongItIs(t *testing.T) {
	s := newShop(t, modern)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
	if _, err := visit(t, h.url, "alice", modern, nil).call(t, "shop__echo", map[string]any{"text": "the shop is known from here on"}); err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shop__echo","arguments":{"text":"%s"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, strings.Repeat("long ", 2000))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer token-of-alice", "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": modern, "Mcp-Method": "tools/call", "Mcp-Name": "shop__echo",
	} {
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || resp.ContentLength < 10_000 {
		t.Errorf("status %d, length %d", resp.StatusCode, resp.ContentLength)
	}
}

func TestACallThatTakesLongIsHandedOnWhileItIsUnderWay(t *testing.T) {
	eachCell(t, func(t *testing.T, client string, s *shop, h *house) {
		h.SetPatience(time.Millisecond)
		begun, release := make(chan struct{}, 10), make(chan struct{})
		s.AddTool(&mcp.Tool{Name: "slow", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			begun <- struct{}{}
			<-release
			s.done.Add(1)
			return said("at last"), nil
		})
		v := visit(t, h.url, "alice", client, agreeing)
		eventually(t, "the tool is listed", func() bool { return has(toolNames(t, v), "shop__slow") })
		got := make(chan string, 1)
		go func() {
			text, err := v.call(t, "shop__slow", nil)
			got <- fmt.Sprint(text, err)
		}()
		<-begun
		time.Sleep(50 * time.Millisecond) // it is handed on meanwhile
		close(release)
		if text := <-got; text != "at last<nil>" || s.done.Load() != 1 || len(begun) != 0 {
			t.Errorf("%q; carried out %d times", text, s.done.Load())
		}
		// A question that comes late is asked like any other.
		if text, err := v.call(t, "shop__order", nil); err != nil || text != `accept {"amount":2,"size":"L"}` {
			t.Errorf("%q, %v", text, err)
		}
	})
}

func TestAMethodThatIsNotKnownIsAnErrorOfTheProtocol(t *testing.T) {
	h := newHouse(t, catalogue{}, nil)
	v := visit(t, h.url, "alice", legacy, nil)
	// The gateway offers no tasks to sessions.
	for _, method := range []string{"shop/open", "tasks/list", "tasks/get", "tasks/result", "tasks/cancel", "server/discover", "subscriptions/listen"} {
		status, got := sendRaw(t, h.url, `{"jsonrpc":"2.0","id":"a","method":"`+method+`","params":{}}`, "Mcp-Protocol-Version", legacy, "Mcp-Session-Id", v.ID())
		if want := `{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"method not found: \"` + method + `\""}}`; status != http.StatusOK || got != want {
			t.Errorf("%s: %d %s", method, status, got)
		}
	}
}

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

// What is between the client and the server is passed on, and where the call belongs in a
// trace; what the trace carries besides is not.
func TestWhatAClientSaysOfItsCallReachesTheServer(t *testing.T) {
	for rule, want := range map[permit.Rule]string{permit.Never: traceparent + " a=b <nil> [a] <nil>", permit.Always: traceparent + " a=b <nil> <nil> <nil>"} {
		for _, client := range []string{legacy, modern} {
			for _, server := range []string{legacy, modern} {
				t.Run(fmt.Sprintf("%s, client %s, server %s", rule, client, server), func(t *testing.T) {
					s := newShop(t, server)
					s.AddTool(&mcp.Tool{Name: "trace", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
						m := r.Params.Meta
						return said("%v %v %v %v %v", m["traceparent"], m["tracestate"], m["baggage"], m["example.com/list"], m["io.modelcontextprotocol/related-task"]), nil
					})
					h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: rule}}, nil)
					result, err := visit(t, h.url, "alice", client, agreeing).CallTool(t.Context(), &mcp.CallToolParams{Name: "shop__trace", Meta: mcp.Meta{
						"traceparent": traceparent, "tracestate": "a=b", "baggage": "user=alice", "example.com/list": []any{"a"}, "io.modelcontextprotocol/related-task": "t",
					}})
					if err != nil {
						t.Fatal(err)
					}
					if got := result.Content[0].(*mcp.TextContent).Text; got != want {
						t.Errorf("the server heard %s, not %s", got, want)
					}
				})
			}
		}
	}
}

func TestWhatIsNotWellFormedIsRefused(t *testing.T) {
	s := newShop(t, modern)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
	v := visit(t, h.url, "alice", legacy, nil)
	session := []string{"Mcp-Protocol-Version", legacy, "Mcp-Session-Id", v.ID()}
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shop__buy"}}`
	if status, got := sendRaw(t, h.url, call, append(session, "Content-Type", "text/plain")...); status != http.StatusUnsupportedMediaType {
		t.Errorf("as text: %d %s", status, got)
	}
	if status, got := sendRaw(t, h.url, call, append(session, "Content-Type", "application/json; charset=utf-8")...); status != http.StatusOK || !strings.Contains(got, "bought") {
		t.Errorf("as JSON: %d %s", status, got)
	}
	for cursor, code := range map[string]string{`"x"`: "-32602", `""`: "result", "7": "result"} {
		if _, got := sendRaw(t, h.url, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":`+cursor+`}}`, session...); !strings.Contains(got, code) {
			t.Errorf("cursor %s: %s", cursor, got)
		}
	}
	for _, params := range []string{`{"name":5}`, `{}`, `{"name":null,"requestState":"x"}`} {
		if _, got := sendRaw(t, h.url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+params+`}`, session...); !strings.Contains(got, `"code":-32602,"message":"name: a tool's name is needed"`) {
			t.Errorf("%s: %s", params, got)
		}
	}
	if s.done.Load() != 1 {
		t.Errorf("%d carried out", s.done.Load())
	}
}

// What is no message is told so in the same words wherever it comes: before a
// session, in one, and without.
func TestWhatIsNoMessageIsToldSoInTheSameWords(t *testing.T) {
	h := newHouse(t, catalogue{}, nil)
	session := visit(t, h.url, "alice", legacy, nil).ID()
	for name, headers := range map[string][]string{
		"before a session": nil,
		"in a session":     {"Mcp-Protocol-Version", legacy, "Mcp-Session-Id", session},
		"in a session that does not say its version": {"Mcp-Session-Id", session},
		"without a session":                          {"Mcp-Protocol-Version", modern, "Mcp-Method", "tools/list"},
	} {
		for _, body := range []string{
			`[]`, `"x"`, `{nope`, `[{]`, `7`, `null`, ``, `{}`, `{"a":1}`, `[1]`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":5}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, `{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/list"}`, `{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`,
		} {
			status, got := sendRaw(t, h.url, body, headers...)
			const want = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"this is no JSON-RPC message: it is broken, a batch, or has a name twice or in other letters"}}`
			if status != http.StatusBadRequest || got != want {
				t.Errorf("%s, %q: %d %s", name, body, status, got)
			}
		}
	}
}

// Who is told that a call is wrong has not made it.
func TestACallThatIsRefusedForWhatItSaysOfItselfIsNotSent(t *testing.T) {
	server := &asker{form: `{"message":"Well?","requestedSchema":{"type":"object","properties":{}}}`}
	h := newHouse(t, catalogue{{Name: "s", URL: serve(t, server), Approve: permit.Never}}, nil)
	awaitUp(t, h, "s")
	session := []string{"Mcp-Protocol-Version", legacy, "Mcp-Session-Id", visit(t, h.url, "alice", legacy, nil).ID()}
	sessionless := []string{"Mcp-Protocol-Version", modern, "Mcp-Method", "tools/call", "Mcp-Name", "s__ask"}
	const said = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`
	for _, c := range []struct {
		meta    string
		headers []string
	}{
		{`"x"`, session}, {`[]`, session}, {`7`, session},
		{`{` + said + `,"io.modelcontextprotocol/clientCapabilities":{"elicitation":5}}`, sessionless},
		{`{` + said + `,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":"x"}`, sessionless},
	} {
		_, got := sendRaw(t, h.url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"s__ask","arguments":{},"_meta":`+c.meta+`}}`, c.headers...)
		if server.calls != 0 || !strings.Contains(got, `"error"`) {
			t.Errorf("_meta %s: sent %d times: %s", c.meta, server.calls, got)
		}
	}
}
