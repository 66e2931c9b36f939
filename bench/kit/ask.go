package kit

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// AskMessage is what the person is asked.
const AskMessage = "Delete account 7? This cannot be undone."

var askSchema = &jsonschema.Schema{
	Type:       "object",
	Properties: map[string]*jsonschema.Schema{"confirmed": {Type: "boolean", Description: "Confirm deletion"}},
	Required:   []string{"confirmed"},
}

// Ask asks the person with nothing but the SDK, in the era of the request: the answer,
// or the result that asks for it.
func Ask(ctx context.Context, req *mcp.CallToolRequest) (answer *mcp.ElicitResult, asks *mcp.CallToolResult, err error) {
	params := &mcp.ElicitParams{Mode: "form", Message: AskMessage, RequestedSchema: askSchema}
	if req.ProtocolVersion() < ModernEra {
		answer, err = req.Session.Elicit(ctx, params)
		return answer, nil, err
	}
	if answer, _ = req.Params.InputResponses["q1"].(*mcp.ElicitResult); answer != nil {
		return answer, nil, nil
	}
	return nil, &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q1": params}, RequestState: "asked"}, nil
}
