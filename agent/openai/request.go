package openai

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/internal/modelserver"
)

// kind marks the messages that are kept for their server.
const kind = "openai"

// turn is a message of a request that is not a kept one.
type turn struct {
	Role       string     `json:"role"`
	Content    string     `json:"content,omitempty"`
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

func (m *Model) request(p agent.Prompt) (map[string]any, error) {
	messages := m.messages(p.Messages)
	if len(messages) == 0 {
		return nil, m.server.Nothing()
	}
	if said(p.Instructions) {
		messages = append([]any{turn{Role: "system", Content: p.Instructions}}, messages...)
	}
	body := map[string]any{"model": m.opts.Model, "messages": messages, "stream": true}
	var tools []tool
	for _, t := range p.Tools {
		schema, err := modelserver.Schema(t.Schema)
		if err != nil {
			return nil, err
		}
		tools = append(tools, tool{"function", function{t.Name, t.Description, schema}})
	}
	if len(tools) > 0 {
		body["tools"] = tools
	}
	if m.opts.Temperature != nil {
		body["temperature"] = *m.opts.Temperature
	}
	if n := m.opts.MaxTokens; n > 0 {
		// OpenAI's newer models refuse the old name, and other servers know no other.
		if m.server.Host == "api.openai.com" {
			body["max_completion_tokens"] = n
		} else {
			body["max_tokens"] = n
		}
	}
	maps.Copy(body, m.opts.Fields)
	return body, nil
}

func (m *Model) messages(turned []agent.PromptMessage) []any {
	var all []any
	for _, t := range turned {
		switch t.Role {
		case agent.FromUser:
			all = user(all, t.Text)
		case agent.FromModel:
			if native := m.server.Kept(kind, t.Native); native != nil && !m.opts.Plain {
				all = append(all, native)
			} else if said(t.Text) || len(t.Calls) > 0 {
				all = append(all, assistant(t))
			}
		case agent.FromTools:
			for _, r := range t.Results {
				all = append(all, turn{Role: "tool", Content: result(r), ToolCallID: r.CallID})
			}
			all = withImages(all, t.Results)
		}
	}
	return all
}

// said reports whether a text is more than blanks: servers refuse those.
func said(text string) bool { return strings.TrimSpace(text) != "" }

// user adds what a person said. Many models insist that the roles take turns.
func user(all []any, text string) []any {
	if !said(text) {
		return all
	}
	if n := len(all); n > 0 {
		if last, ok := all[n-1].(turn); ok && last.Role == "user" {
			text = last.Content + "\n\n" + text
			all = all[:n-1]
		} else if images, ok := all[n-1].(seen); ok {
			images.Content = append(images.Content, part{Type: "text", Text: text})
			return append(all[:n-1], images)
		}
	}
	return append(all, turn{Role: "user", Content: text})
}

func assistant(t agent.PromptMessage) turn {
	a := turn{Role: "assistant"}
	if said(t.Text) {
		a.Content = t.Text
	}
	for _, c := range t.Calls {
		call := toolCall{ID: c.ID, Type: "function"}
		call.Function.Name, call.Function.Arguments = c.Tool, "{}"
		if modelserver.IsObject(c.Args) {
			call.Function.Arguments = string(c.Args)
		}
		a.ToolCalls = append(a.ToolCalls, call)
	}
	return a
}

// result is what became of a call. The format has no field for a failure.
func result(r agent.ToolResult) string {
	text := r.Text
	if !said(text) {
		text = "(no output)"
	}
	if r.Failed {
		text = "Error: " + text
	}
	return text
}
