package inspector_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	askOccasion = `{"type":"object","properties":{
		"occasion":{"type":"string","title":"Occasion","enum":["birthday","wedding","thanks"],"enumNames":["A birthday","A wedding","Thanks"]},
		"budget":{"type":"integer","title":"Budget in euros","minimum":10,"maximum":200,"default":40},
		"note":{"type":"string","title":"On the card","description":"Left out: no card.","maxLength":200}},
		"required":["occasion","budget"]}`
	askColour = `{"type":"object","properties":{"colour":{"type":"string","title":"Colour","enum":["red","white","yellow"]}},"required":["colour"]}`
)

// startShop serves a flower shop that asks: suggest has one question, compose two,
// and order none of its own.
func startShop(t *testing.T) string {
	t.Helper()
	shop := mcp.NewServer(&mcp.Implementation{Name: "flowers", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{"2025-11-25"}})
	add := func(name, description string, readOnly bool, run func(context.Context, *mcp.CallToolRequest) (string, error)) {
		tool := &mcp.Tool{Name: name, Description: description, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: readOnly}, InputSchema: json.RawMessage(`{"type":"object"}`)}
		shop.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			said, err := run(ctx, req)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}, err
		})
	}
	add("suggest", "Suggests flowers.", true, func(ctx context.Context, req *mcp.CallToolRequest) (string, error) {
		return ask(ctx, req, "What are the flowers for, and what may they cost?", askOccasion)
	})
	add("compose", "Composes a bouquet.", true, func(ctx context.Context, req *mcp.CallToolRequest) (string, error) {
		first, err := ask(ctx, req, "What is the bouquet for?", askOccasion)
		if err != nil {
			return "", err
		}
		second, err := ask(ctx, req, "Which colour?", askColour)
		return first + ", " + second, err
	})
	add("order", "Orders flowers.", false, func(_ context.Context, req *mcp.CallToolRequest) (string, error) {
		return "ordered " + string(req.Params.Arguments), nil
	})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return shop }, nil))
	t.Cleanup(func() {
		for session := range shop.Sessions() {
			_ = session.Close()
		}
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL
}

// ask returns what was answered.
func ask(ctx context.Context, req *mcp.CallToolRequest, message, schema string) (string, error) {
	answer, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(schema)})
	if err != nil {
		return "", err
	}
	content, err := json.Marshal(answer.Content) // keys in order
	return fmt.Sprintf("%s %s", answer.Action, content), err
}
