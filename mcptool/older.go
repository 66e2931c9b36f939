package mcptool

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcpclient"
)

// olderTool is a tool as clients up to 2025-11-25 take it. Their lists know no
// output but objects, and are checked as a whole: one entry with another output
// costs them all tools. It returns nil for a tool that they take as it is.
func olderTool(t *mcp.Tool) *mcp.Tool {
	raw, err := json.Marshal(t)
	if err != nil {
		return nil // the SDK says why
	}
	e, err := mcpclient.ReadEntry(mcpclient.KindTool, raw)
	if err != nil || !e.Wraps {
		return nil
	}
	var as mcp.Tool
	if json.Unmarshal(e.Older, &as) != nil {
		return nil
	}
	wrapped := *t
	wrapped.OutputSchema = as.OutputSchema
	return &wrapped
}

// asObject is a result of such a tool for them.
func asObject(result *mcp.CallToolResult) (*mcp.CallToolResult, error) {
	data, ok := result.StructuredContent.(json.RawMessage)
	if !ok {
		return result, nil
	}
	wrapped, err := json.Marshal(map[string]json.RawMessage{"result": data})
	if err != nil {
		return nil, err
	}
	r := *result
	r.StructuredContent = json.RawMessage(wrapped)
	return &r, nil
}
