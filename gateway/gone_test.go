package gateway_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

var alice = parley.Principal{Tenant: parley.DefaultTenant, User: "alice"}

// openQuestions are Alice's.
func openQuestions(t *testing.T, h *house) []parley.Request {
	t.Helper()
	open, err := h.hub.List(t.Context(), alice, parley.Query{Pending: true, Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	return open
}

// vanish makes a call of Alice's with a client of 2025-11-25 whose connections
// break when she is asked: there is no cancellation and no DELETE. It returns her
// question when the node has noticed: what comes before is written to the client.
func vanish(t *testing.T, h *house, tool string) parley.ID {
	t.Helper()
	wire := &http.Transport{}
	ctx, drop := context.WithCancel(t.Context())
	session := ""
	send := func(message string) *http.Response {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url, strings.NewReader(message))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{
			"Authorization": {"Bearer token-of-alice"}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		}
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
			r.Header.Set("Mcp-Protocol-Version", legacy)
		}
		answer, err := wire.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	began := send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"gone","version":"1"}}}`)
	session = began.Header.Get("Mcp-Session-Id")
	_ = began.Body.Close()
	_ = send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`).Body.Close()
	answer := send(fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, tool))
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() && !strings.Contains(lines.Text(), "elicitation/create") {
		continue
	}
	open := openQuestions(t, h)
	if len(open) != 1 {
		t.Fatalf("%d questions are open: %s", len(open), lines.Text())
	}
	drop()
	_ = answer.Body.Close()
	wire.CloseIdleConnections()
	eventually(t, "the node notices that the client has gone", func() bool { return h.posts.Load() == 0 })
	return open[0].ID
}

// A client of 2025-11-25 whose connection broke without a word, and its person in a
// new one: the server gets one call, and the person one question.
func TestACallWhoseClientWentWithoutAWordIsNotMadeTwice(t *testing.T) {
	t.Parallel()
	eachEra(t, func(t *testing.T, client, server string) { // the client that comes back, and the server
		for i, where := range []string{"on its node", "on another node"} {
			t.Run(where, func(t *testing.T) {
				s := &bank{era: server, asks: true}
				servers, store := catalogue{shopAt(serve(t, s))}, parley.NewMemoryStore()
				nodes := []*house{newNode(t, store, servers, nil, nil), newNode(t, store, servers, nil, nil)}
				question := vanish(t, nodes[0], "shop__pay")
				v := visit(t, nodes[i].url, "alice", client, func(p *mcp.ElicitParams) *mcp.ElicitResult {
					if open := openQuestions(t, nodes[0]); len(open) != 1 || (open[0].ID == question) != (s.done.Load() == 0) {
						t.Errorf("asked %d questions", len(open))
					}
					return agreeing(p)
				})
				text, err := v.call(t, "shop__pay", map[string]any{})
				if text != "paid" || err != nil || s.calls.Load() != 1 || s.done.Load() != 1 || len(v.questions()) != 1 {
					t.Errorf("%q, %v; %d calls, %d carried out, asked %q", text, err, s.calls.Load(), s.done.Load(), v.questions())
				}
				if open := openQuestions(t, nodes[0]); len(open) > 0 {
					t.Errorf("%d questions stay open", len(open))
				}
				if text, err := v.call(t, "shop__pay", map[string]any{}); text != "paid" || err != nil || s.calls.Load() != 2 { // that one is over
					t.Errorf("the next call: %q, %v; %d calls", text, err, s.calls.Load())
				}
			})
		}
	})
}

// The person answers on another surface; the same call finds what came of it.
func TestACallWhoseClientWentWithoutAWordHasItsResult(t *testing.T) {
	for _, server := range []string{legacy, modern} {
		t.Run(server, func(t *testing.T) {
			s := &bank{era: server, asks: true}
			h := newHouse(t, catalogue{shopAt(serve(t, s))}, nil)
			question := vanish(t, h, "shop__pay")
			if err := h.hub.Answer(t.Context(), alice, question, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"size":"S"}`), Via: "page"}); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the server goes on without the client", func() bool { return s.done.Load() == 1 })
			v := visit(t, h.url, "alice", legacy, agreeing)
			text, err := v.call(t, "shop__pay", map[string]any{})
			if text != "paid" || err != nil || s.calls.Load() != 1 || s.done.Load() != 1 || len(v.questions()) != 0 {
				t.Errorf("%q, %v; %d calls, %d carried out, asked %q", text, err, s.calls.Load(), s.done.Load(), v.questions())
			}
		})
	}
}

// Two questions, the second of which the first client never saw.
func TestACallOfTwoQuestionsIsTakenUpAtEither(t *testing.T) {
	for _, server := range []string{legacy, modern} {
		t.Run(server, func(t *testing.T) {
			s := newShop(t, server)
			h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
			vanish(t, h, "shop__twice")
			v := visit(t, h.url, "alice", legacy, agreeing)
			text, err := v.call(t, "shop__twice", map[string]any{})
			if err != nil || !strings.HasPrefix(text, "accept") || s.done.Load() != 1 || len(v.questions()) != 2 {
				t.Errorf("%q, %v; %d carried out, asked %q", text, err, s.done.Load(), v.questions())
			}
		})
	}
}

// An approval belongs to its call: the new session is asked the same question.
func TestAnApprovalWhoseClientWentWithoutAWordIsAskedForOnce(t *testing.T) {
	s, h := guardedShop(t, nil)
	question := vanish(t, h, "shop__buy")
	v := visit(t, h.url, "alice", legacy, func(p *mcp.ElicitParams) *mcp.ElicitResult {
		if open := openQuestions(t, h); len(open) != 1 || open[0].ID != question {
			t.Errorf("asked %d questions", len(open))
		}
		return agreeing(p)
	})
	if text, err := v.call(t, "shop__buy", map[string]any{}); err != nil || !strings.HasPrefix(text, "bought") || s.done.Load() != 1 || len(v.questions()) != 1 {
		t.Errorf("%q, %v; %d carried out, asked %q", text, err, s.done.Load(), v.questions())
	}
}

// The approval was given on its page; the client comes back in a new session at another
// node, by the same call or with the id that it was given.
func TestAnApprovalOnItsPageIsFoundFromANewSession(t *testing.T) {
	for _, answered := range []bool{false, true} {
		for _, way := range []string{"call", "wait"} {
			t.Run(fmt.Sprintf("%s, answered %v", way, answered), func(t *testing.T) {
				s, store := newShop(t, modern), parley.NewMemoryStore()
				byPage := func(o *gateway.Options) { o.Fallback, o.Approvals = mcptool.Page, mcptool.Page }
				servers := catalogue{{Name: "shop", URL: s.url, Approve: permit.Always}}
				h, other := newNode(t, store, servers, nil, byPage), newNode(t, store, servers, nil, byPage)
				told, err := visit(t, h.url, "alice", legacy, nil).call(t, "shop__buy", map[string]any{"what": "tea"})
				open := openQuestions(t, h)
				if err != nil || len(open) != 1 || !strings.Contains(told, "/answer/"+string(open[0].ID)) {
					t.Fatalf("%q, %v; %d questions", told, err, len(open))
				}
				answer := func() {
					if err := h.hub.Answer(t.Context(), alice, open[0].ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "page"}); err != nil {
						t.Error(err)
					}
				}
				v := visit(t, other.url, "alice", legacy, nil)
				again := func() (string, error) {
					if way == "wait" {
						return v.call(t, "waitForElicitationResult", map[string]any{"elicitId": string(open[0].ID)})
					}
					return v.call(t, "shop__buy", map[string]any{"what": "tea"})
				}
				if answered {
					answer()
				} else {
					if way == "call" {
						if text, err := again(); err != nil || text != told {
							t.Errorf("%q, %v; before %q", text, err, told)
						}
						way = "wait"
					}
					go answer()
				}
				if text, err := again(); err != nil || !strings.HasPrefix(text, "bought") || s.done.Load() != 1 {
					t.Errorf("%q, %v; %d carried out", text, err, s.done.Load())
				}
				if left := openQuestions(t, h); len(left) != 0 {
					t.Errorf("%d questions stay open", len(left))
				}
			})
		}
	}
}

// A client that cannot ask was given a link, and comes back in a new session.
func TestALinkIsFoundFromANewSession(t *testing.T) {
	for _, answered := range []bool{false, true} {
		t.Run(fmt.Sprintf("answered %v", answered), func(t *testing.T) {
			s := &bank{era: legacy, asks: true}
			h := newHouse(t, catalogue{shopAt(serve(t, s))}, func(o *gateway.Options) { o.Fallback = mcptool.Page })
			told, err := visit(t, h.url, "alice", legacy, nil).call(t, "shop__pay", map[string]any{})
			open := openQuestions(t, h)
			if err != nil || len(open) != 1 || !strings.Contains(told, "/answer/"+string(open[0].ID)) {
				t.Fatalf("%q, %v; %d questions", told, err, len(open))
			}
			answer := func() {
				if err := h.hub.Answer(t.Context(), alice, open[0].ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"size":"S"}`), Via: "page"}); err != nil {
					t.Fatal(err)
				}
				eventually(t, "the server goes on", func() bool { return s.done.Load() == 1 })
			}
			v := visit(t, h.url, "alice", legacy, nil)
			if answered {
				answer()
				if text, err := v.call(t, "shop__pay", map[string]any{}); text != "paid" || err != nil || s.calls.Load() != 1 {
					t.Errorf("%q, %v; %d calls", text, err, s.calls.Load())
				}
				return
			}
			if again, err := v.call(t, "shop__pay", map[string]any{}); again != told || err != nil || s.calls.Load() != 1 {
				t.Errorf("%q, %v; %d calls", again, err, s.calls.Load())
			}
			answer()
			if text, err := v.call(t, "waitForElicitationResult", map[string]any{"elicitId": open[0].ID}); text != "paid" || err != nil || s.calls.Load() != 1 {
				t.Errorf("%q, %v; %d calls", text, err, s.calls.Load())
			}
		})
	}
}

// killed makes a call of Alice's on a node that dies at once, and returns her
// question.
func killed(t *testing.T, store everything, servers catalogue, client, tool string) (id parley.ID) {
	t.Helper()
	t.Run("on a node that dies", func(t *testing.T) {
		dying := &outage{everything: store}
		a := newNodeOn(t, dying, servers, nil, nil)
		if client == legacy {
			id = vanish(t, a, tool)
		} else {
			post(t, a.url, "alice", tool, `{}`, "", "")
			id = openQuestions(t, a)[0].ID
		}
		dying.is.Store(down)
	})
	lapse(t, store)
	return id
}

// idleNode is a node that does nothing by itself.
func idleNode(t *testing.T, store everything, servers catalogue) *house {
	t.Helper()
	h := &house{}
	h.hub = parley.New(store, &parley.Options{Hooks: []parley.Hook{gateway.Guard(func() *gateway.Gateway { return h.Gateway })}})
	var err error
	h.Gateway, err = gateway.New(h.hub, &gateway.Options{
		Catalogue: servers, Keys: newKeys(t), Secrets: []string{"0123456789abcdef0123456789abcdef"}, Verify: tokens,
		PublicURL: "https://parley.example", Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// After kill -9 a question whose answer would reach nobody is withdrawn, and only
// that.
func TestTheQuestionOfACallThatDiedWithItsNodeIsWithdrawn(t *testing.T) {
	t.Parallel()
	eachEra(t, func(t *testing.T, client, server string) {
		for _, tool := range []string{"shop__order", "shop__reorder"} {
			t.Run(tool, func(t *testing.T) {
				s := newShop(t, server)
				servers, store := catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, parley.NewMemoryStore()
				question := killed(t, store, servers, client, tool)
				nodes := []*house{newNode(t, store, servers, nil, nil), newNode(t, store, servers, nil, nil)}
				for _, h := range nodes {
					h.WithdrawLost(t.Context())
				}
				if server == legacy && tool == "shop__order" {
					q, err := nodes[0].hub.Get(t.Context(), alice, question)
					if err != nil || q.Pending() || q.Outcome.Action != parley.Cancel || q.Outcome.By != "" || !strings.Contains(q.Outcome.Reason, "ended with its node") {
						t.Errorf("%+v, %v", q.Outcome, err)
					}
					return
				}
				if len(openQuestions(t, nodes[0])) != 1 {
					t.Error("a question is withdrawn whose call goes on")
				}
				if err := nodes[0].hub.Answer(t.Context(), alice, question, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"size":"S"}`), Via: "page"}); err != nil {
					t.Error(err)
				}
			})
		}
	})
}

// Before anybody has looked, an answer is not taken either.
func TestAnAnswerToACallThatDiedWithItsNodeIsNotTaken(t *testing.T) {
	t.Parallel()
	for _, client := range []string{legacy, modern} {
		t.Run(client, func(t *testing.T) {
			s := newShop(t, legacy)
			servers, store := catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, parley.NewMemoryStore()
			question := killed(t, store, servers, client, "shop__order")
			h := idleNode(t, store, servers)
			err := h.hub.Answer(t.Context(), alice, question, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"size":"S"}`), Via: "page"})
			q, getErr := h.hub.Get(t.Context(), alice, question)
			if !errors.Is(err, parley.ErrSettled) || getErr != nil || q.Pending() || q.Outcome.By != "" {
				t.Errorf("%v; %+v, %v", err, q.Outcome, getErr)
			}
		})
	}
}
