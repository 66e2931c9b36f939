package openai

import (
	"encoding/json"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/internal/modelserver"
)

// message is what has come of a message.
type message struct {
	content, refusal strings.Builder
	parts            []any // the content, at servers that have it as a list
	calls            []*call
	at               map[int64]*call // the last call that came under an index
	extra            map[string]any
	finish           string
	chunks, choices  int // how many came
	size             int // of all that has come, in bytes
}

// full reports whether more has come than is read of a message.
func (m *message) full() bool { return m.size > agent.MaxMessage }

// sizeOf is how much a piece adds to the message: what is in it, however it is
// called.
func sizeOf(chunk sdk.ChatCompletionChunk) (n int) {
	for _, choice := range chunk.Choices {
		d := choice.Delta
		n += len(d.Refusal)
		if n += len(d.Content); d.Content == "" {
			n += len(d.JSON.Content.Raw()) // a list
		}
		for _, t := range d.ToolCalls {
			n += len(t.ID) + len(t.Function.Name) + len(t.Function.Arguments) + perCall
			for _, f := range t.JSON.ExtraFields {
				n += len(f.Raw())
			}
			for _, f := range t.Function.JSON.ExtraFields {
				n += len(f.Raw())
			}
		}
		for _, f := range d.JSON.ExtraFields {
			n += len(f.Raw())
		}
	}
	return n
}

// perCall is what a call takes besides its texts.
const perCall = 256

type call struct {
	id, name string
	args     strings.Builder
	extra    map[string]any // beside the function, and in it
	inside   map[string]any
}

func (m *message) add(chunk sdk.ChatCompletionChunk, emit func(string)) {
	m.chunks++
	m.size += sizeOf(chunk)
	for _, choice := range chunk.Choices {
		m.choices++
		if choice.Index != 0 {
			continue
		}
		delta := choice.Delta
		content := m.addContent(delta)
		m.content.WriteString(content)
		m.refusal.WriteString(delta.Refusal)
		for _, text := range []string{content, delta.Refusal} {
			if text != "" {
				emit(text)
			}
		}
		for _, t := range delta.ToolCalls {
			m.addCall(t)
		}
		m.extra = addFields(m.extra, delta.JSON.ExtraFields)
		if choice.FinishReason != "" {
			m.finish = choice.FinishReason
		}
	}
}

// addContent returns the text of a piece. Some servers send a list, with thoughts
// in it, which the library would take for a text.
func (m *message) addContent(delta sdk.ChatCompletionChunkChoiceDelta) string {
	text := delta.Content
	var came []map[string]any
	if json.Unmarshal([]byte(delta.JSON.Content.Raw()), &came) == nil && came != nil {
		text = ""
	} else if m.parts != nil && text != "" {
		came = []map[string]any{{"type": "text", "text": text}}
		text = ""
	}
	for _, part := range came {
		if t, ok := part["text"].(string); ok && part["type"] == "text" {
			text += t
		}
		if n := len(m.parts); n > 0 && m.parts[n-1].(map[string]any)["type"] == part["type"] {
			join("", m.parts[n-1], part)
		} else {
			m.parts = append(m.parts, part)
		}
	}
	return text
}

func (m *message) addCall(t sdk.ChatCompletionChunkChoiceDeltaToolCall) {
	c := m.at[t.Index]
	if c == nil || c.over(t) {
		c = &call{}
		m.calls = append(m.calls, c)
		if m.at == nil {
			m.at = map[int64]*call{}
		}
		m.at[t.Index] = c
	}
	if t.ID != "" {
		c.id = t.ID
	}
	if t.Function.Name != c.name { // some servers repeat it with each piece
		c.name += t.Function.Name
	}
	c.args.WriteString(t.Function.Arguments)
	c.extra = addFields(c.extra, t.JSON.ExtraFields)
	c.inside = addFields(c.inside, t.Function.JSON.ExtraFields)
}

// over reports whether a piece belongs to the next call, though it has this
// one's index: some servers number all calls alike.
func (c *call) over(t sdk.ChatCompletionChunkChoiceDeltaToolCall) bool {
	if t.ID != "" && c.id != "" {
		return t.ID != c.id
	}
	return t.Function.Name != "" && modelserver.IsObject([]byte(c.args.String()))
}

// reply is the message when all of it has come.
func (m *Model) reply(came *message) (agent.Reply, error) {
	r := agent.Reply{Text: came.content.String() + came.refusal.String()}
	switch came.finish {
	case "length":
		r.Cut = agent.CutByLength
	case "content_filter":
		r.Cut = agent.CutByProvider
	}
	cut := r.Cut != ""
	seen := map[string]bool{}
	whole := came.calls[:0]
	for _, c := range came.calls {
		args := strings.TrimSpace(c.args.String())
		if c.name == "" || cut && !modelserver.IsObject([]byte(args)) {
			continue
		}
		if args == "" || args == "null" {
			args = "{}"
		}
		if c.id == "" || seen[c.id] {
			c.id = modelserver.NewCallID()
		}
		seen[c.id] = true
		whole = append(whole, c)
		r.Calls = append(r.Calls, agent.ToolCall{ID: c.id, Tool: c.name, Args: []byte(args)})
	}
	came.calls = whole
	if said(r.Text) || len(r.Calls) > 0 {
		var err error
		r.Native, err = m.server.Keep(kind, came.native())
		return r, err
	}
	return agent.Reply{Cut: r.Cut}, nil
}

// native is the message as the server itself would write it.
func (m *message) native() map[string]any {
	n := map[string]any{"role": "assistant", "content": nil}
	for name, value := range m.extra {
		n[name] = value
	}
	if m.parts != nil {
		n["content"] = m.parts
	} else if m.content.Len() > 0 {
		n["content"] = m.content.String()
	}
	if m.refusal.Len() > 0 {
		n["refusal"] = m.refusal.String()
	}
	var calls []any
	for _, c := range m.calls {
		calls = append(calls, c.native())
	}
	if calls != nil {
		n["tool_calls"] = calls
	}
	return n
}

func (c *call) native() map[string]any {
	function := map[string]any{}
	for name, value := range c.inside {
		function[name] = value
	}
	function["name"], function["arguments"] = c.name, "{}"
	// Servers that parse them would refuse the conversation from here on.
	if args := c.args.String(); modelserver.IsObject([]byte(args)) {
		function["arguments"] = args
	}
	n := map[string]any{}
	for name, value := range c.extra {
		n[name] = value
	}
	n["id"], n["type"], n["function"] = c.id, "function", function
	return n
}
