package gateway_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// board is a server with a user interface: one that a tool names, that is only listed,
// that is only in results, or that nobody knows of since the server is away.
func board(t *testing.T, era, where string) string {
	s := newShop(t, era)
	tool := &mcp.Tool{Name: "board", InputSchema: json.RawMessage(`{"type":"object"}`)}
	result := said("drawn")
	switch where {
	case "tool":
		tool.Meta = mcp.Meta{"ui": map[string]any{"resourceUri": "ui://board/main.html"}}
	case "resource":
		s.AddResource(&mcp.Resource{Name: "board", URI: "ui://board/main.html"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{}, nil
		})
	case "result":
		result.Meta = mcp.Meta{"ui": map[string]any{"resourceUri": "ui://board/main.html"}}
	case "away":
		return "http://127.0.0.1:1/mcp"
	}
	s.AddTool(tool, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return result, nil })
	return s.url
}

// At the endpoint for all a host lets the app of each server call what is for the apps
// of any. So where another server has one, or may, no app approves.
func TestWhereAnotherServerHasAnAppApprovalsAreGivenOnThePage(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		for _, where := range []string{"nowhere", "tool", "resource", "result", "away"} {
			t.Run(era+" "+where, func(t *testing.T) {
				shop := newShop(t, modern)
				h := newHouse(t, catalogue{{Name: "shop", URL: shop.url, Approve: permit.Always}, {Name: "evil", URL: board(t, era, where), Approve: permit.Never}}, func(o *gateway.Options) { o.Fallback, o.Approvals = "", mcptool.App })
				atAll := "page"
				if where == "nowhere" {
					atAll = "here"
				}
				if where == "result" {
					v := visitAble(t, h.url, "bob", era, nil, apps)
					if text, err := v.call(t, "evil__board", map[string]any{}); text != "drawn" {
						t.Fatal(text, err)
					}
				}
				approveInCard(t, h.url, "shop__buy", era, atAll, shop)
				approveInCard(t, h.at("shop"), "buy", era, "here", shop)
			})
		}
	}
}

// approveInCard tries to approve a call in the card, and checks whether that is the
// place for it.
func approveInCard(t *testing.T, url, buy, era, answer string, shop *shop) {
	t.Helper()
	v := visitAble(t, url, "alice", era, nil, apps)
	what := map[string]any{"what": "tea at " + url}
	if text, err := v.call(t, buy, what); err != nil || !strings.Contains(text, "showQuestion") {
		t.Fatalf("%q, %v", text, err)
	}
	open := v.card(t, "parley_open", map[string]any{})
	if open.Answer != answer || (open.Nonce == "") != (answer == "page") {
		t.Errorf("%s: the app is shown %+v", url, open)
	}
	if shop == nil { // where it is asked is all that is looked for
		v.card(t, "parley_answer", map[string]any{"elicitId": open.ElicitID, "nonce": open.Nonce, "action": "decline"})
		return
	}
	before := shop.done.Load()
	v.card(t, "parley_answer", map[string]any{"elicitId": open.ElicitID, "nonce": open.Nonce, "action": "accept", "content": map[string]any{"decision": "allow_once"}})
	if answer == "page" {
		if text, err := v.call(t, "parley_open", map[string]any{"elicitId": open.ElicitID}); text != "The question is open." {
			t.Errorf("%q, %v", text, err)
		}
		return
	}
	if text, err := v.call(t, buy, what); !strings.HasPrefix(text, "bought ") || shop.done.Load() != before+1 {
		t.Errorf("%q, %v", text, err)
	}
}

// A server that has shown its user interface once, to whomever, at whichever node, and
// hides it since, has one. Its own does not count against itself.
func TestAnAppThatWasShownAtAnotherNodeIsNotForgotten(t *testing.T) {
	store := parley.NewMemoryStore()
	apart := func(o *gateway.Options) { o.Fallback, o.Approvals = "", mcptool.App }
	shop := newShop(t, modern)
	evil := newShop(t, modern)
	both := catalogue{{Name: "shop", URL: shop.url, Approve: permit.Always}, {Name: "evil", URL: evil.url, Approve: permit.Never}}
	first := newNode(t, store, both, nil, apart)
	approveInCard(t, first.url, "shop__buy", modern, "here", shop)

	shown := newNode(t, store, catalogue{{Name: "evil", URL: board(t, modern, "tool"), Approve: permit.Always}}, nil, apart)
	approveInCard(t, shown.url, "evil__buy", modern, "here", nil) // it is its own
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		noted, err := store.Scan(t.Context(), parley.Address{Tenant: "-apps", Kind: "gateway_app"}, "", 10)
		if err == nil && len(noted) == 1 {
			break
		}
		if time.Since(start) > time.Minute {
			t.Fatalf("%d are noted, %v", len(noted), err)
		}
	}
	approveInCard(t, newNode(t, store, both, nil, apart).url, "shop__buy", modern, "page", shop)
}

// Where nobody can sign in, there is no page to go to.
func TestWhereAnotherServerHasAnAppAndNobodySignsInACallIsRefused(t *testing.T) {
	shop := newShop(t, modern)
	h := newHouse(t, catalogue{{Name: "shop", URL: shop.url, Approve: permit.Always}, {Name: "evil", URL: board(t, modern, "tool"), Approve: permit.Never}}, func(o *gateway.Options) {
		o.Fallback, o.Approvals, o.NoSignIn = "", mcptool.App, true
	})
	v := visitAble(t, h.url, "alice", modern, nil, apps)
	if text, err := v.call(t, "shop__buy", map[string]any{"what": "tea"}); err == nil || !strings.Contains(err.Error(), "apps of other servers") || shop.done.Load() != 0 {
		t.Errorf("%q, %v", text, err)
	}
	own := visitAble(t, h.at("shop"), "alice", modern, nil, apps)
	if text, err := own.call(t, "buy", map[string]any{"what": "tea"}); err != nil || !strings.Contains(text, "showQuestion") {
		t.Errorf("at its own endpoint: %q, %v", text, err)
	}
}
