package gateway_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// withBoard is a server with a user interface.
func withBoard(t *testing.T, era string) string {
	s := newShop(t, era)
	s.AddTool(&mcp.Tool{Name: "board", InputSchema: json.RawMessage(`{"type":"object"}`), Meta: mcp.Meta{"ui": map[string]any{"resourceUri": "ui://board/main.html"}}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return said("drawn"), nil })
	return s.url
}

// At the endpoint for all a host lets the app of each server call what is for the apps
// of any. So where another server has one, no app approves.
func TestWhereAnotherServerHasAnAppApprovalsAreGivenOnThePage(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		shop := newShop(t, modern)
		h := newHouse(t, catalogue{{Name: "shop", URL: shop.url, Approve: permit.Always}, {Name: "evil", URL: withBoard(t, era), Approve: permit.Never}}, func(o *gateway.Options) { o.Fallback, o.Approvals = "", mcptool.App })
		for _, c := range []struct{ url, buy, answer string }{{h.url, "shop__buy", "page"}, {h.at("shop"), "buy", "here"}} {
			v := visitAble(t, c.url, "alice", era, nil, apps)
			if text, err := v.call(t, c.buy, map[string]any{"what": "tea for " + c.answer}); err != nil || !strings.Contains(text, "showQuestion") {
				t.Fatalf("%s: %q, %v", era, text, err)
			}
			open := v.card(t, "parley_open", map[string]any{})
			if open.Answer != c.answer || (open.Nonce == "") != (c.answer == "page") {
				t.Errorf("%s, %s: the app is shown %+v", era, c.url, open)
			}
			before := shop.done.Load()
			v.card(t, "parley_answer", map[string]any{"elicitId": open.ElicitID, "nonce": open.Nonce, "action": "accept", "content": map[string]any{"decision": "allow_once"}})
			if c.answer == "page" {
				if text, err := v.call(t, "parley_open", map[string]any{"elicitId": open.ElicitID}); text != "The question is open." {
					t.Errorf("%s: %q, %v", era, text, err)
				}
				continue
			}
			if text, err := v.call(t, c.buy, map[string]any{"what": "tea for " + c.answer}); text != `bought {"what":"tea for here"}` || shop.done.Load() != before+1 {
				t.Errorf("%s: %q, %v", era, text, err)
			}
		}
	}
}

// Where nobody can sign in, there is no page to go to.
func TestWhereAnotherServerHasAnAppAndNobodySignsInACallIsRefused(t *testing.T) {
	shop := newShop(t, modern)
	h := newHouse(t, catalogue{{Name: "shop", URL: shop.url, Approve: permit.Always}, {Name: "evil", URL: withBoard(t, modern), Approve: permit.Never}}, func(o *gateway.Options) {
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
