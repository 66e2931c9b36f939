package mcptool

import "github.com/modelcontextprotocol/go-sdk/mcp"

// experimentalElicitation is how clients say that they can ask who were written before
// MCP had a word for it, or whose library has none.
const experimentalElicitation = "elicitation"

// declared takes what a client declares as experimental for what it is, before the SDK
// keeps it: it asks nobody else.
func declared(req mcp.Request) {
	if params, ok := req.GetParams().(*mcp.InitializeParams); ok && params != nil {
		params.Capabilities = withExperimental(params.Capabilities)
	}
}

// withExperimental is what a client can do, with experimental.elicitation as if it were
// elicitation. What is declared properly comes first.
func withExperimental(c *mcp.ClientCapabilities) *mcp.ClientCapabilities {
	if c == nil || c.Elicitation != nil {
		return c
	}
	said, there := c.Experimental[experimentalElicitation]
	if !there || said == nil || said == false {
		return c
	}
	can := &mcp.ElicitationCapabilities{} // an empty declaration means forms
	if modes, ok := said.(map[string]any); ok {
		if modes["form"] != nil {
			can.Form = &mcp.FormElicitationCapabilities{}
		}
		if modes["url"] != nil {
			can.URL = &mcp.URLElicitationCapabilities{}
		}
	}
	with := *c
	with.Elicitation = can
	return &with
}
