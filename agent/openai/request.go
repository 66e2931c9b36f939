package openai

import (
	"encoding/json"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/internal/modelserver"
)

// kind marks the messages that are kept for their server.
const kind = "openai"

func (m *Model) request(p agent.Prompt) (sdk.ChatCompletionNewParams, error) {
	body := sdk.ChatCompletionNewParams{Model: m.opts.Model, Messages: m.messages(p.Messages)}
	if len(body.Messages) == 0 {
		return body, m.server.Nothing()
	}
	if said(p.Instructions) {
		body.Messages = append([]sdk.ChatCompletionMessageParamUnion{sdk.SystemMessage(p.Instructions)}, body.Messages...)
	}
	for _, t := range p.Tools {
		tool, err := function(t)
		if err != nil {
			return body, err
		}
		body.Tools = append(body.Tools, tool)
	}
	if m.opts.Temperature != nil {
		body.Temperature = param.NewOpt(*m.opts.Temperature)
	}
	if n := m.opts.MaxTokens; n > 0 {
		// OpenAI's newer models refuse the old name, and other servers know no other.
		if m.server.Host == "api.openai.com" {
			body.MaxCompletionTokens = param.NewOpt(int64(n))
		} else {
			body.MaxTokens = param.NewOpt(int64(n))
		}
	}
	if len(m.opts.Fields) > 0 {
		body.SetExtraFields(m.opts.Fields)
	}
	return body, nil
}

func (m *Model) messages(turned []agent.Turned) []sdk.ChatCompletionMessageParamUnion {
	var all []sdk.ChatCompletionMessageParamUnion
	for _, t := range turned {
		switch t.Role {
		case agent.FromUser:
			all = user(all, t.Text)
		case agent.FromModel:
			if native := m.server.Kept(kind, t.Native); native != nil && !m.opts.Plain {
				all = append(all, param.Override[sdk.ChatCompletionMessageParamUnion](native))
			} else if said(t.Text) || len(t.Calls) > 0 {
				all = append(all, assistant(t))
			}
		case agent.FromTools:
			for _, r := range t.Results {
				all = append(all, sdk.ToolMessage(result(r), r.CallID))
			}
		}
	}
	return all
}

// said reports whether a text is more than blanks: servers refuse those.
func said(text string) bool { return strings.TrimSpace(text) != "" }

// user adds what a person said. Many models insist that the roles take turns.
func user(all []sdk.ChatCompletionMessageParamUnion, text string) []sdk.ChatCompletionMessageParamUnion {
	if !said(text) {
		return all
	}
	if n := len(all); n > 0 && all[n-1].OfUser != nil {
		text = all[n-1].OfUser.Content.OfString.Value + "\n\n" + text
		all = all[:n-1]
	}
	return append(all, sdk.UserMessage(text))
}

func assistant(t agent.Turned) sdk.ChatCompletionMessageParamUnion {
	var a sdk.ChatCompletionAssistantMessageParam
	if said(t.Text) {
		a.Content.OfString = param.NewOpt(t.Text)
	}
	for _, c := range t.Calls {
		args := "{}"
		if modelserver.IsObject(c.Args) {
			args = string(c.Args)
		}
		a.ToolCalls = append(a.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &sdk.ChatCompletionMessageFunctionToolCallParam{
				ID:       c.ID,
				Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Tool, Arguments: args},
			},
		})
	}
	return sdk.ChatCompletionMessageParamUnion{OfAssistant: &a}
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

func function(t agent.Tool) (sdk.ChatCompletionToolUnionParam, error) {
	schema, err := modelserver.Schema(t.Schema)
	if err != nil {
		return sdk.ChatCompletionToolUnionParam{}, err
	}
	f := shared.FunctionDefinitionParam{Name: t.Name, Parameters: shared.FunctionParameters{}}
	if t.Description != "" {
		f.Description = param.NewOpt(t.Description)
	}
	// Its members stay as they were written: numbers do not pass through floats.
	var members map[string]json.RawMessage
	if err := json.Unmarshal(schema, &members); err != nil {
		return sdk.ChatCompletionToolUnionParam{}, err
	}
	for name, member := range members {
		f.Parameters[name] = member
	}
	return sdk.ChatCompletionFunctionTool(f), nil
}
