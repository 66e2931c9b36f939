package anthropic

import (
	"encoding/json"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/internal/modelserver"
)

func (m *Model) request(p agent.Prompt) (sdk.MessageNewParams, error) {
	body := sdk.MessageNewParams{Model: m.opts.Model, MaxTokens: int64(m.opts.MaxTokens)}
	said := conversation{model: m}
	for _, t := range p.Messages {
		said.add(t)
	}
	body.Messages = said.messages
	if len(body.Messages) == 0 {
		return body, m.server.Nothing()
	}
	if !blank(p.Instructions) {
		body.System = []sdk.TextBlockParam{{Text: p.Instructions}}
	}
	for _, t := range tools(p) {
		schema, err := modelserver.Schema(t.Schema)
		if err != nil {
			return body, err
		}
		tool := sdk.ToolParam{Name: t.Name, InputSchema: param.Override[sdk.ToolInputSchemaParam](schema)}
		if t.Description != "" {
			tool.Description = param.NewOpt(t.Description)
		}
		body.Tools = append(body.Tools, sdk.ToolUnionParam{OfTool: &tool})
	}
	if m.opts.Temperature != nil {
		body.Temperature = param.NewOpt(*m.opts.Temperature)
	}
	if len(m.opts.Fields) > 0 {
		body.SetExtraFields(m.opts.Fields)
	}
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
	messages []sdk.MessageParam
	ids      map[string]string // the calls of the last message of the model, and as what they were sent
	used     map[string]bool
}

func (c *conversation) add(t agent.Turned) {
	switch t.Role {
	case agent.FromUser:
		if !blank(t.Text) {
			c.put(sdk.MessageParamRoleUser, sdk.NewTextBlock(t.Text))
		}
	case agent.FromModel:
		c.ids = map[string]string{}
		for _, block := range c.said(t) {
			c.put(sdk.MessageParamRoleAssistant, block)
		}
	case agent.FromTools:
		for _, r := range t.Results {
			block := sdk.ToolResultBlockParam{ToolUseID: c.ids[r.CallID]}
			if !blank(r.Text) {
				block.Content = []sdk.ToolResultBlockParamContentUnion{{OfText: &sdk.TextBlockParam{Text: r.Text}}}
			}
			if r.Failed {
				block.IsError = param.NewOpt(true)
			}
			c.put(sdk.MessageParamRoleUser, sdk.ContentBlockParamUnion{OfToolResult: &block})
		}
	}
}

// put adds to the last message if that has the role: roles take turns.
func (c *conversation) put(role sdk.MessageParamRole, block sdk.ContentBlockParamUnion) {
	if n := len(c.messages); n > 0 && c.messages[n-1].Role == role {
		c.messages[n-1].Content = append(c.messages[n-1].Content, block)
		return
	}
	c.messages = append(c.messages, sdk.MessageParam{Role: role, Content: []sdk.ContentBlockParamUnion{block}})
}

// said is a message of the model: as it came if it came from this server.
func (c *conversation) said(t agent.Turned) []sdk.ContentBlockParamUnion {
	var all []sdk.ContentBlockParamUnion
	var native []json.RawMessage
	if json.Unmarshal(c.model.server.Kept(kind, t.Native), &native) == nil {
		for _, block := range native {
			all = append(all, param.Override[sdk.ContentBlockParamUnion](block))
		}
		for _, call := range t.Calls {
			c.sent(call.ID, call.ID)
		}
		return all
	}
	if !blank(t.Text) {
		all = append(all, sdk.NewTextBlock(t.Text))
	}
	for _, call := range t.Calls {
		args := json.RawMessage(`{}`)
		if modelserver.IsObject(call.Args) {
			args = call.Args
		}
		id := c.id(call.ID)
		c.sent(call.ID, id)
		all = append(all, sdk.NewToolUseBlock(id, args, call.Tool))
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
