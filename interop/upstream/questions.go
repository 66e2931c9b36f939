package main

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// call is the argument of every tool.
type call struct {
	Token string `json:"token" jsonschema:"the name of this call"`
}

// tooLate begins the error of a server that waits no longer.
const tooLate = "nobody answered in time: "

func askName(token string) *mcp.ElicitParams {
	return &mcp.ElicitParams{
		Message: "What is your name? (" + token + ")",
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","title":"Name","minLength":1}},` +
			`"required":["name"]}`),
	}
}

func askColor(token, name string) *mcp.ElicitParams {
	return &mcp.ElicitParams{
		Message: "Which color do you like best, " + name + "? (" + token + ")",
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{"color":{"type":"string","enum":["red","green","blue"]}},` +
			`"required":["color"]}`),
	}
}

func askConsent(token string) *mcp.ElicitParams {
	return &mcp.ElicitParams{
		Message: "Are you sure? (" + token + ")",
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{"sure":{"type":"boolean","title":"Sure"},` +
			`"copies":{"type":"integer","title":"Copies","minimum":1,"default":2}},"required":["sure"]}`),
	}
}

func askVisit(url, token string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Mode: "url", Message: "Please visit this page. (" + token + ")", URL: url + "/visit/" + token}
}

// summary is a tool's result: its name, how the last question was answered, and
// everything that was filled in.
func summary(tool string, answers ...*mcp.ElicitResult) string {
	content := map[string]any{}
	action := ""
	for _, a := range answers {
		action = a.Action
		for k, v := range a.Content {
			content[k] = v
		}
	}
	said := tool + " " + action
	if len(content) > 0 {
		filled, err := json.Marshal(content) // keys in order
		if err != nil {
			return err.Error()
		}
		said += " " + string(filled)
	}
	return said
}

func text(said string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}
}
