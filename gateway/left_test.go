package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/internal/crew"
	"github.com/parley-hq/parley/permit"
)

func sessionsOf(s *shop) (n int) {
	for range s.Sessions() {
		n++
	}
	return n
}

func TestWhatAServerKeepsForASessionEndsWithIt(t *testing.T) {
	s := newShop(t, legacy)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
	toolNames(t, visit(t, h.url, "bob", modern, agreeing))
	before := 1 // the one that its lists are read by
	eventually(t, "only the list's session is there", func() bool { return sessionsOf(s) == before })
	v := visit(t, h.url, "alice", legacy, agreeing)
	if text, err := v.call(t, "shop__echo", map[string]any{"text": "hello"}); err != nil || text != "hello" {
		t.Fatalf("%q, %v", text, err)
	}
	eventually(t, "there is one for alice", func() bool { return sessionsOf(s) == before+1 })
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the server's session ends", func() bool { return sessionsOf(s) == before })
}

// leaveAsked makes a call that asks, as a session's client that listens to no
// stream, and drops the connection when the question is there.
func leaveAsked(t *testing.T, h *house, user string) {
	t.Helper()
	leaveAskedOf(t, h, user, `{}`)
}

// leaveAskedOf is leaveAsked with arguments: the same call again would find the
// question of the first.
func leaveAskedOf(t *testing.T, h *house, user, arguments string) {
	t.Helper()
	ctx, drop := context.WithCancel(t.Context())
	defer drop()
	session := ""
	send := func(message string) *http.Response {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url, strings.NewReader(message))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", "Bearer token-of-"+user)
		if session != "" {
			r.Header.Set("Mcp-Protocol-Version", legacy)
			r.Header.Set("Mcp-Session-Id", session)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	began := send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"by hand","version":"1"}}}`)
	_, _ = io.Copy(io.Discard, began.Body)
	began.Body.Close()
	session = began.Header.Get("Mcp-Session-Id")
	send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`).Body.Close()
	answer := send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"shop__order","arguments":` + arguments + `}}`)
	defer answer.Body.Close()
	if _, err := answer.Body.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
}

// askingShop is a shop whose order asks; heard is what it is told.
func askingShop(t *testing.T, most int) (s *shop, h *house, heard chan string) {
	t.Helper()
	s = &shop{Server: mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, nil), life: crew.Begin(t.Context())}
	heard = make(chan string, 9)
	over, end := context.WithCancel(t.Context())
	s.AddTool(&mcp.Tool{Name: "order", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(over, stop)() // the SDK waits for its questions
		given, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Which size?", RequestedSchema: sizeForm})
		if err != nil {
			heard <- "cancel" // the whole call was, before the answer was read
			return nil, err
		}
		heard <- given.Action
		return said("%s", given.Action), nil
	})
	listener := lasting(t)
	stop := listening(s, listener)
	h = newHouse(t, catalogue{{Name: "shop", URL: "http://" + listener.Addr().String(), Approve: permit.Never}}, func(o *gateway.Options) {
		o.Verify, o.MaxLeft, o.TTL = withKeys, most, time.Hour
	})
	t.Cleanup(stop)
	t.Cleanup(end)
	return s, h, heard
}

func TestWhoLeavesManyCallsLosesTheirOwn(t *testing.T) {
	for name, many := range map[string]string{"a person": "mallory", "a program": "PROGRAM/ci"} {
		t.Run(name, func(t *testing.T) {
			s, h, heard := askingShop(t, 2)
			leaveAsked(t, h, "alice")
			eventually(t, "alice is asked", func() bool { return h.pending(t, "alice") == 1 })
			for i := range 3 {
				leaveAskedOf(t, h, many, fmt.Sprintf(`{"n":%d}`, i))
			}
			for range 2 {
				if action := <-heard; action != "cancel" {
					t.Errorf("the server heard %s", action)
				}
			}
			if n := h.pending(t, "alice"); n != 1 {
				t.Errorf("alice has %d questions", n)
			}
			if len(heard) != 0 || s.done.Load() != 0 {
				t.Errorf("%d others ended, %d were carried out", len(heard), s.done.Load())
			}
		})
	}
}

// pending is how many questions a person has.
func (h *house) pending(t *testing.T, user string) int {
	t.Helper()
	open, err := h.hub.List(t.Context(), parley.Principal{User: user}, parley.Query{Pending: true})
	if err != nil {
		t.Fatal(err)
	}
	return len(open)
}

func TestACallOfTooManyThatWereLeftIsGivenUp(t *testing.T) {
	s, h, heard := askingShop(t, 1)
	leaveAsked(t, h, "alice")
	leaveAsked(t, h, "bob")
	if action := <-heard; action != "cancel" {
		t.Errorf("the server heard %s", action)
	}
	eventually(t, "what was asked is withdrawn", func() bool { return h.pending(t, "alice")+h.pending(t, "bob") == 1 })
	if len(heard) != 0 {
		t.Error("the other call ended as well")
	}
	if s.done.Load() != 0 {
		t.Error("something was carried out")
	}
}
