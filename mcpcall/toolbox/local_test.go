package toolbox_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall/toolbox"
)

func TestAServerInThisProcessIsToldWhoCalls(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "who"}, func(_ context.Context, r *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
		said := "nobody"
		if r.Extra != nil && r.Extra.TokenInfo != nil {
			tenant, _ := r.Extra.TokenInfo.Extra["tenant"].(string)
			said = tenant + "/" + r.Extra.TokenInfo.UserID
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}, nil, nil
	})
	b := newBox(t, toolbox.Options{Local: server})
	for want, who := range map[string]parley.Principal{
		"default/alice": {Tenant: "default", User: "alice"},
		"acme/alice":    {Tenant: "acme", User: "alice"},
		"acme/bob":      {Tenant: "acme", User: "bob"},
		"nobody":        {Tenant: "acme"},
	} {
		got, err := b.Call(t.Context(), &agent.Invocation{Caller: agent.Caller{Principal: who}, ID: "1", Tool: agent.Tool{Name: "who"}, Args: json.RawMessage(`{}`)})
		if err != nil || got.Text != want {
			t.Errorf("%s: %+v, %v", want, got, err)
		}
	}
}
