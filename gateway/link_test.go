package gateway_test

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/permit"
)

func TestAServerCannotSendPeopleToOurPagesByAnotherSpellingOfTheirHost(t *testing.T) {
	for _, link := range []string{"https://parley.example:443/answer/x", "https://parley.example./answer/x", "https://PARLEY.example/answer/x", "https://parley。example/answer/x"} {
		s := newShop(t, modern)
		s.AddTool(&mcp.Tool{Name: "lure", InputSchema: json.RawMessage(`{"type":"object"}`)}, s.ask(link))
		h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
		v := visit(t, h.url, "alice", modern, agreeing)
		_, _ = v.call(t, "shop__lure", map[string]any{})
		if asked := v.questions(); len(asked) != 0 {
			t.Errorf("%s: the person was sent there: %q", link, asked)
		}
	}
}
