package gateway_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/permit"
)

func TestArgumentsThatAServerWantsInHeadersAreThere(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{
		"region":{"type":"string","x-mcp-header":"Region"},
		"where":{"type":"object","properties":{"floor":{"type":"integer","x-mcp-header":"Floor"},"lift":{"type":"boolean","x-mcp-header":"Lift"}}}}}`)
	for _, rule := range []permit.Rule{permit.Never, permit.Always} {
		for _, client := range []string{legacy, modern} {
			t.Run(string(rule)+" "+client, func(t *testing.T) {
				s := newShop(t, modern)
				s.AddTool(&mcp.Tool{Name: "deliver", InputSchema: schema}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					h := r.Extra.Header
					return said("%s/%s/%s", h.Get("Mcp-Param-Region"), h.Get("Mcp-Param-Floor"), h.Get("Mcp-Param-Lift")), nil
				})
				h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: rule}}, nil)
				v := visit(t, h.url, "alice", client, agreeing)
				for _, c := range []struct {
					arguments any
					want      string
				}{
					{map[string]any{"region": "eu", "where": map[string]any{"floor": -3, "lift": true}}, "eu/-3/true"},
					{map[string]any{"region": "Zürich"}, "=?base64?WsO8cmljaA==?=//"},
					{map[string]any{"region": nil}, "//"},
					{nil, "//"},
				} {
					if got, err := v.call(t, "shop__deliver", c.arguments); err != nil || got != c.want {
						t.Errorf("%v: %q, %v; want %q", c.arguments, got, err, c.want)
					}
				}
			})
		}
	}
}
