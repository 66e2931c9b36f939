package anthropic

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/internal/modelserver"
)

// turn is a message of a request. What it says is blocks, written here or kept.
type turn struct {
	Content []any  `json:"content"`
	Role    string `json:"role"`
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type toolUse struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type toolResult struct {
	Type      string `json:"type"`
	ToolUseID string `json:"tool_use_id"`
	IsError   bool   `json:"is_error,omitempty"`
	Content   []any  `json:"content,omitempty"`
}

type imageBlock struct {
	Type   string      `json:"type"`
	Source imageSource `json:"source"`
}

type imageSource struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      []byte `json:"data"` // as base64
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
}

func (m *Model) request(p agent.Prompt) (map[string]any, error) {
	said := conversation{model: m}
	for _, t := range p.Messages {
		said.add(t)
	}
	if len(said.messages) == 0 {
		return nil, m.server.Nothing()
	}
	body := map[string]any{"model": m.opts.Model, "max_tokens": m.opts.MaxTokens, "messages": said.messages, "stream": true}
	if !blank(p.Instructions) {
		body["system"] = []textBlock{{"text", p.Instructions}}
	}
	var offered []tool
	for _, t := range tools(p) {
		schema, err := modelserver.Schema(t.Schema)
		if err != nil {
			return nil, err
		}
		offered = append(offered, tool{t.Name, t.Description, schema})
	}
	if len(offered) > 0 {
		body["tools"] = offered
	}
	if m.opts.Temperature != nil {
		body["temperature"] = *m.opts.Temperature
	}
	maps.Copy(body, m.opts.Fields)
	return body, nil
}

// blank reports whether a text is empty or nothing but blanks: the server
// refuses those.
func blank(text string) bool { return strings.TrimSpace(text) == "" }

// tools are those of the prompt. Where there are none, but were before, the
// server still wants to know those that the conversation speaks of.
func tools(p agent.Prompt) []agent.Tool {
	if len(p.Tools) > 0 {
		return p.Tools
	}
	var gone []agent.Tool
	known := map[string]bool{}
	for _, t := range p.Messages {
		for _, c := range t.Calls {
			if !known[c.Tool] {
				known[c.Tool] = true
				gone = append(gone, agent.Tool{Name: c.Tool, Description: "Not available at the moment."})
			}
		}
	}
	return gone
}

// conversation becomes the messages of a request.
type conversation struct {
	model    *Model
	messages []turn
	ids      map[string]string // the calls of the last message of the model, and as what they were sent
	used     map[string]bool
}

func (c *conversation) add(t agent.PromptMessage) {
	switch t.Role {
	case agent.FromUser:
		if !blank(t.Text) {
			c.put("user", textBlock{"text", t.Text})
		}
	case agent.FromModel:
		c.ids = map[string]string{}
		for _, block := range c.said(t) {
			c.put("assistant", block)
		}
	case agent.FromTools:
		for _, r := range t.Results {
			c.put("user", c.result(r))
		}
	}
}

// result is what became of a call. The server takes images only of one that has not failed.
func (c *conversation) result(r agent.ToolResult) toolResult {
	block := toolResult{Type: "tool_result", ToolUseID: c.ids[r.CallID], IsError: r.Failed}
	if !blank(r.Text) {
		block.Content = []any{textBlock{"text", r.Text}}
	}
	if r.Failed {
		return block
	}
	for _, image := range r.Images() {
		block.Content = append(block.Content, imageBlock{"image", imageSource{"base64", image.MIMEType, image.Data}})
	}
	return block
}

// put adds to the last message if that has the role: roles take turns.
func (c *conversation) put(role string, block any) {
	if n := len(c.messages); n > 0 && c.messages[n-1].Role == role {
		c.messages[n-1].Content = append(c.messages[n-1].Content, block)
		return
	}
	c.messages = append(c.messages, turn{Role: role, Content: []any{block}})
}

// said is a message of the model: as it came if it came from this server.
func (c *conversation) said(t agent.PromptMessage) []any {
	var all []any
	var native []json.RawMessage
	if json.Unmarshal(c.model.server.Kept(kind, t.Native), &native) == nil {
		for _, block := range native {
			all = append(all, block)
		}
		for _, call := range t.Calls {
			c.sent(call.ID, call.ID)
		}
		return all
	}
	if !blank(t.Text) {
		all = append(all, textBlock{"text", t.Text})
	}
	for _, call := range t.Calls {
		id := c.id(call.ID)
		c.sent(call.ID, id)
		all = append(all, toolUse{"tool_use", id, call.Tool, arguments(call.Args)})
	}
	return all
}

func (c *conversation) sent(id, as string) {
	if c.used == nil {
		c.used = map[string]bool{}
	}
	c.ids[id], c.used[as] = as, true
}

// id is the id of a call of another server, such as this one takes: of a small
// alphabet, and only once in a conversation.
func (c *conversation) id(of string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, of)
	if clean == "" {
		clean = "call"
	}
	for c.used[clean] {
		clean += "_"
	}
	return clean
}
