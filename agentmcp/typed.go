package agentmcp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// conversationKey is the argument by which a caller goes on with a conversation.
const conversationKey = "conversation"

// addTyped adds the tool of an agent that takes an input of its own. What the agent is
// told is that object, as canonical JSON.
func (a *Agents) addTyped(s *mcp.Server, tool *mcp.Tool, one *agent.Agent) {
	tool.InputSchema = withConversation(one.Input)
	mcptool.AddTool(a.asker, s, tool, func(ctx context.Context, call *mcptool.Call, given map[string]json.RawMessage) (*mcp.CallToolResult, error) {
		in, err := inputFrom(given)
		if err != nil {
			return nil, err
		}
		return a.turn(ctx, call, one.Name, in)
	}, &mcptool.ToolOptions{Task: mcptool.TaskAllowed})
}

// withConversation is an agent's input with what every agent takes.
func withConversation(input json.RawMessage) json.RawMessage {
	var schema, properties map[string]json.RawMessage
	_ = json.Unmarshal(input, &schema) // the runtime has checked it
	_ = json.Unmarshal(schema["properties"], &properties)
	properties[conversationKey] = json.RawMessage(`{"type":"string","description":"the conversation of an earlier answer, to go on with it; leave it out to begin a new one"}`)
	schema["properties"], _ = json.Marshal(properties)
	whole, _ := json.Marshal(schema)
	return whole
}

// inputFrom takes arguments apart.
func inputFrom(given map[string]json.RawMessage) (Input, error) {
	var in Input
	if raw, ok := given[conversationKey]; ok {
		if err := json.Unmarshal(raw, &in.Conversation); err != nil {
			return in, fmt.Errorf("the conversation is not a text: %w", err)
		}
		delete(given, conversationKey)
	}
	raw, err := json.Marshal(given)
	if err != nil {
		return in, err
	}
	text, err := permit.Canonical(raw)
	in.Message = string(text)
	return in, err
}
