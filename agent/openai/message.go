package openai

import (
	"encoding/json"
	"strings"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/internal/modelserver"
)

// message is what has come of a message.
type message struct {
	content, refusal strings.Builder
	parts            []any // the content, at servers that have it as a list
	calls            []*call
	at               map[string]*call // the last call that came under an index
	extra            map[string]any
	finish           string
	choices          int // how many came
	size             int // of all that has come, in bytes
}

// full reports whether more has come than is read of a message.
func (m *message) full() bool { return m.size > agent.MaxMessage }

// perCall is what a call takes besides its texts.
const perCall = 256

type call struct {
	id, name string
	args     strings.Builder
	extra    map[string]any // beside the function, and in it
	inside   map[string]any
}

func (m *message) add(c chunk, emit func(string)) {
	for _, choice := range c.Choices {
		m.choices++
		if index(choice.Index) != "0" {
			m.size += choice.Delta.size()
			continue
		}
		delta := choice.Delta
		content, refusal := m.addContent(delta.take("content")), text(delta.take("refusal"))
		m.content.WriteString(content)
		m.refusal.WriteString(refusal)
		m.size += len(refusal)
		for _, text := range []string{content, refusal} {
			if text != "" {
				emit(text)
			}
		}
		m.addCalls(delta.take("tool_calls"))
		delta.take("role")
		delta.take("function_call") // what calls were, before there could be several
		m.size += delta.size()
		m.extra = addFields(m.extra, delta)
		if finish := text(choice.Finish); finish != "" {
			m.finish = finish
		}
	}
}

// addContent returns the text of a piece. Some servers send a list, with thoughts
// in it.
func (m *message) addContent(raw json.RawMessage) string {
	var came []map[string]any
	said := ""
	if json.Unmarshal(raw, &came) == nil && came != nil {
		m.size += len(raw)
	} else if said = text(raw); m.parts != nil && said != "" {
		came = []map[string]any{{"type": "text", "text": said}}
		said = ""
	}
	for _, part := range came {
		if t, ok := part["text"].(string); ok && part["type"] == "text" {
			said += t
		}
		if n := len(m.parts); n > 0 && m.parts[n-1].(map[string]any)["type"] == part["type"] {
			join("", m.parts[n-1], part)
		} else {
			m.parts = append(m.parts, part)
		}
	}
	if came == nil {
		m.size += len(said)
	}
	return said
}

// addCalls adds pieces of calls. What is no list of them is none.
func (m *message) addCalls(raw json.RawMessage) {
	var came []piece
	if json.Unmarshal(raw, &came) != nil {
		m.size += len(raw)
		return
	}
	for _, p := range came {
		var function piece
		if raw := p.take("function"); json.Unmarshal(raw, &function) != nil {
			m.size += len(raw)
		}
		m.addCall(p, function)
	}
}

func (m *message) addCall(p, function piece) {
	m.size += p.size() + function.size() + perCall
	at, id := index(p.take("index")), text(p.take("id"))
	name, args := text(function.take("name")), text(function.take("arguments"))
	c := m.at[at]
	if c == nil || c.over(id, name) {
		c = &call{}
		m.calls = append(m.calls, c)
		if m.at == nil {
			m.at = map[string]*call{}
		}
		m.at[at] = c
	}
	if id != "" {
		c.id = id
	}
	if name != c.name { // some servers repeat it with each piece
		c.name += name
	}
	c.args.WriteString(args)
	p.take("type")
	c.extra = addFields(c.extra, p)
	c.inside = addFields(c.inside, function)
}

// over reports whether a piece with this id and name belongs to the next call,
// though it has this one's index: some servers number all calls alike.
func (c *call) over(id, name string) bool {
	if id != "" && c.id != "" {
		return id != c.id
	}
	return name != "" && modelserver.IsObject([]byte(c.args.String()))
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
