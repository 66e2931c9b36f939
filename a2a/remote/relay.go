package remote

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/parley-hq/parley/agent"
)

// relay is the model of a remote agent here: it says nothing of its own, but passes
// on what the person said, and what came back.
type relay struct{}

// Generate implements agent.Model.
func (relay) Generate(_ context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	last := p.Messages[len(p.Messages)-1]
	if last.Role == agent.FromTools {
		text := ""
		for _, result := range last.Results {
			text += result.Text
		}
		reply := agent.Reply{Text: text}
		if len(text) > agent.MaxMessage {
			reply.Text, reply.Cut = strings.ToValidUTF8(text[:agent.MaxMessage], ""), agent.CutByLength
		}
		emit(reply.Text)
		return reply, nil
	}
	args, err := json.Marshal(map[string]string{"message": last.Text})
	if err != nil || len(p.Tools) == 0 {
		return agent.Reply{}, &agent.PublicError{Text: "This agent cannot be reached just now.", Cause: err}
	}
	return agent.Reply{Calls: []agent.ToolCall{{ID: "task", Tool: p.Tools[0].Name, Args: args}}}, nil
}
