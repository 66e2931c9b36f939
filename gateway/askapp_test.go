package gateway_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// carded is a question as an app reads it.
type carded struct {
	ElicitID, State, Nonce, Title, Message, Answer, Page string
	Schema                                               json.RawMessage
	Approval                                             *struct{ Tool, Server string }
}

func (v *visitor) card(t *testing.T, tool string, arguments map[string]any) (c carded) {
	t.Helper()
	r, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	raw, _ := json.Marshal(r.Meta["parley/ask"])
	if err := json.Unmarshal(raw, &c); err != nil || c.State == "" {
		t.Fatalf("%s: %s, %v", tool, raw, err)
	}
	return c
}

// waits has the model wait while the person answers.
func (v *visitor) waits(t *testing.T, id string) <-chan string {
	done := make(chan string, 1)
	go func() {
		text, err := v.call(t, "waitForElicitationResult", map[string]any{"elicitId": id})
		if err != nil {
			text = err.Error()
		}
		done <- text
	}()
	return done
}

// pendingID is the one question that is open.
func (h *house) pendingID(t *testing.T) string {
	t.Helper()
	open, err := h.store.List(t.Context(), parley.Query{Tenant: "default", Pending: true})
	if err != nil || len(open) != 1 {
		t.Fatalf("%d questions are open, %v", len(open), err)
	}
	return string(open[0].ID)
}

// byDefault leaves the fallback to the gateway.
func byDefault(o *gateway.Options) { o.Fallback = "" }

// By default a client that cannot ask has what it can do: an app, in another session
// than its model's if it likes.
func TestAServersQuestionIsShownInAnApp(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		h := newHouse(t, catalogue{{Name: "shop", Title: "The shop", URL: newShop(t, era).url, Approve: permit.Never}}, byDefault)
		model, app := visitAble(t, h.url, "alice", era, nil, apps), visitAble(t, h.url, "alice", era, nil, apps)
		names := toolNames(t, model)
		for _, tool := range []string{"showQuestion", "parley_open", "parley_answer", "waitForElicitationResult"} {
			if !slices.Contains(names, tool) {
				t.Errorf("%s: %s is not listed", era, tool)
			}
		}
		read, err := app.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://parley/ask.html"})
		if err != nil || read.Contents[0].MIMEType != "text/html;profile=mcp-app" || read.Contents[0].Text == "" {
			t.Errorf("%s: the app: %+v, %v", era, read, err)
		}
		if text, err := model.call(t, "shop__order", nil); err != nil || !strings.Contains(text, "showQuestion") || strings.Contains(text, "https://") {
			t.Fatalf("%s: %q, %v", era, text, err)
		}
		id := h.pendingID(t)
		waited := model.waits(t, id)
		c := app.card(t, "parley_open", map[string]any{"elicitId": id})
		if c.Answer != "here" || c.Nonce == "" || c.Title != "The shop asks" || c.Message != "Which size?" || c.Page != "https://parley.example/answer/"+id {
			t.Errorf("%s: the app is shown %+v", era, c)
		}
		bob := visitAble(t, h.url, "bob", era, nil, apps)
		if c := bob.card(t, "parley_answer", map[string]any{"elicitId": id, "nonce": c.Nonce, "action": "decline"}); c.State != "none" {
			t.Errorf("%s: bob answered: %+v", era, c)
		}
		app.card(t, "parley_answer", map[string]any{"elicitId": id, "nonce": c.Nonce, "action": "accept", "content": map[string]any{"size": "M"}})
		if text := <-waited; text != `accept {"size":"M"}` {
			t.Errorf("%s: %q", era, text)
		}
	}
}

func TestApprovalsAreGivenOnThePageOrInAppsWhereTheOperatorSaysSo(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		for _, approvals := range []mcptool.Fallback{"", mcptool.App} {
			s, h := guardedShop(t, func(o *gateway.Options) { o.Fallback, o.Approvals = "", approvals })
			v := visitAble(t, h.url, "alice", era, nil, apps)
			if text, err := v.call(t, "shop__buy", map[string]any{"what": "tea"}); err != nil || !strings.Contains(text, "showQuestion") {
				t.Fatalf("%s: %q, %v", era, text, err)
			}
			id := h.pendingID(t)
			waited := v.waits(t, id)
			c := v.card(t, "parley_open", map[string]any{"elicitId": id})
			if c.Approval == nil || c.Approval.Tool != "buy" || strings.Contains(string(c.Schema), "always_allow") {
				t.Errorf("%s: the app is shown %+v", era, c)
			}
			yes := map[string]any{"elicitId": id, "nonce": c.Nonce, "action": "accept", "content": map[string]any{"decision": "allow_once"}}
			if approvals == "" {
				if c.Answer != "page" || c.Nonce != "" || c.Page != "https://parley.example/answer/"+id {
					t.Errorf("%s: the app is shown %+v", era, c)
				}
				v.card(t, "parley_answer", yes)
				if s.done.Load() != 0 || h.pendingID(t) != id {
					t.Errorf("%s: an app approved", era)
				}
				err := h.hub.Answer(t.Context(), alice, parley.ID(id), parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "page"})
				if err != nil {
					t.Fatal(err)
				}
			} else {
				if c.Answer != "here" || c.Nonce == "" {
					t.Fatalf("%s: the app is shown %+v", era, c)
				}
				v.card(t, "parley_answer", yes)
			}
			if text := <-waited; text != `bought {"what":"tea"}` || s.done.Load() != 1 {
				t.Errorf("%s, approvals %q: %q, %d carried out", era, approvals, text, s.done.Load())
			}
		}
	}
}

// An app that is told to ask cannot wait for the answer: it makes its call again.
func TestTheSameCallGoesOnOnceItIsAnswered(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		for _, own := range []bool{false, true} {
			s, h := guardedShop(t, byDefault)
			endpoint, buy := h.url, "shop__buy"
			if own {
				endpoint, buy = h.at("shop"), "buy"
			}
			v := visitAble(t, endpoint, "alice", era, nil, apps)
			for n := range int64(2) { // what was allowed once is good once
				if text, err := v.call(t, buy, map[string]any{"what": "tea"}); err != nil || !strings.Contains(text, "showQuestion") || s.done.Load() != n {
					t.Fatalf("%s: %q, %v", era, text, err)
				}
				err := h.hub.Answer(t.Context(), alice, parley.ID(h.pendingID(t)), parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "page"})
				if err != nil {
					t.Fatal(err)
				}
				if text, err := v.call(t, buy, map[string]any{"what": "tea"}); err != nil || text != `bought {"what":"tea"}` || s.done.Load() != n+1 {
					t.Errorf("%s: %q, %v, %d carried out", era, text, err, s.done.Load())
				}
			}
		}
	}
}

// What apps call is no tool of a server's: who looks for tools does not find it, and
// cannot run it that way.
func TestTheToolsOfTheAppAreNotFoundAmongTheServers(t *testing.T) {
	h := newHouse(t, catalogue{{Name: "shop", URL: newShop(t, legacy).url, Approve: permit.Never}}, func(o *gateway.Options) { o.Fallback, o.Expose = "", gateway.Execute })
	v := visitAble(t, h.url, "alice", legacy, nil, apps)
	if text, err := v.call(t, "execute_tool", map[string]any{"name": "shop__order", "arguments": map[string]any{}}); err != nil || !strings.Contains(text, "showQuestion") {
		t.Fatal(text, err)
	}
	id := h.pendingID(t)
	for _, tool := range []string{"parley_open", "parley_answer", "showQuestion"} {
		if found, err := v.call(t, "find_tools", map[string]any{"query": tool}); err != nil || strings.Contains(found, tool) {
			t.Errorf("find_tools: %q, %v", found, err)
		}
		r, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: "execute_tool", Arguments: map[string]any{"name": tool, "arguments": map[string]any{"elicitId": id}}})
		if err == nil && (!r.IsError || r.Meta["parley/ask"] != nil) {
			t.Errorf("execute_tool ran %s: %+v", tool, r)
		}
	}
	if c := v.card(t, "parley_open", map[string]any{"elicitId": id}); c.Nonce == "" {
		t.Errorf("the app is shown %+v", c)
	}
}

// Approvals are asked where there is a way to ask them.
func TestApprovalsInAppsNeedTheApp(t *testing.T) {
	h := newHouse(t, nil, nil)
	for _, c := range []struct{ fallback, approvals mcptool.Fallback }{{mcptool.Page, mcptool.App}, {mcptool.Deny, mcptool.App}, {mcptool.Deny, mcptool.Page}} {
		if _, err := gateway.New(h.hub, &gateway.Options{Catalogue: catalogue{}, Keys: newKeys(t), Fallback: c.fallback, Approvals: c.approvals}); err == nil {
			t.Errorf("fallback %s with approvals %s is allowed", c.fallback, c.approvals)
		}
	}
}
