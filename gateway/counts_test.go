package gateway_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

func TestSessionsAndParkedCallsAreCounted(t *testing.T) {
	s := newShop(t, legacy)
	s.AddTool(&mcp.Tool{Name: "ask", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if _, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "And?", RequestedSchema: sizeForm}); err != nil {
			return nil, err
		}
		return said("done"), nil
	})
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
	if sessions, parked := h.Sessions(), h.Parked(); sessions != 0 || parked != 0 {
		t.Errorf("%d sessions and %d parked calls of nobody", sessions, parked)
	}
	visit(t, h.url, "bob", legacy, nil)
	parked := 0
	v := visit(t, h.url, "alice", modern, func(*mcp.ElicitParams) *mcp.ElicitResult {
		parked = h.Parked()
		if open, err := h.store.List(t.Context(), parley.Query{Pending: true}); err != nil || len(open) != 1 || open[0].Labels[parley.LabelTool] != "ask" { // what the log says
			t.Errorf("%+v, %v", open, err)
		}
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"size": "S"}}
	})
	if text, err := v.call(t, "shop__ask", map[string]any{}); err != nil || text != "done" {
		t.Fatalf("%q, %v", text, err)
	}
	if sessions := h.Sessions(); sessions != 1 || parked != 1 {
		t.Errorf("%d sessions, and %d parked calls while alice was asked", sessions, parked)
	}
}
