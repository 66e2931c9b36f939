package kit

import (
	"context"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// OfEra serves one era, as the SDK's handlers do.
func OfEra(era string, server *mcp.Server) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: era == ModernEra})
}

// Search is what a call asks for.
type Search struct {
	Query string `json:"query"`
	Limit int    `json:"limit"`
}

// FormTool is the tool of the case server that asks first.
const FormTool = "form"

// Sizes are the tools of the case server and how long their results' texts are.
var Sizes = map[string]int{"small": 64, "large": 64 << 10, FormTool: 64}

// CaseServer has tools that only read, with results of several sizes. FormTool has its
// only for who confirms.
func CaseServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "cases", Version: "1"}, nil)
	for name, size := range Sizes {
		found := strings.Repeat("Ticket 7: the door squeaks. ", size/28+1)[:size]
		mcp.AddTool(server, &mcp.Tool{Name: name, Description: "Finds tickets", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
			func(ctx context.Context, req *mcp.CallToolRequest, _ Search) (*mcp.CallToolResult, any, error) {
				if name == FormTool {
					if a, asks, err := Ask(ctx, req); err != nil || asks != nil {
						return asks, nil, err
					} else if confirmed, _ := a.Content["confirmed"].(bool); !confirmed {
						return &mcp.CallToolResult{IsError: true}, nil, nil
					}
				}
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: found}}}, nil, nil
			})
	}
	return server
}
