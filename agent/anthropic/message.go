package anthropic

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/internal/modelserver"
)

// kind marks the messages that are kept for their server.
const kind = "anthropic"

// message is what has come of a message.
type message struct {
	whole    sdk.Message
	text     strings.Builder
	spoilt   map[int][]byte // arguments that are not JSON, by the index of their block
	events   int            // how many came
	complete bool
	size     int // of all that has come, in bytes
}

// full reports whether more has come than is read of a message.
func (m *message) full() bool { return m.size > agent.MaxMessage }

// sizeOf is how much an event adds to the message.
func sizeOf(event sdk.MessageStreamEventUnion) int {
	switch d := event.Delta; {
	case event.Type == "content_block_start":
		return len(event.RawJSON())
	case event.Type != "content_block_delta":
		return 0
	case d.Text != "" || d.PartialJSON != "" || d.Thinking != "" || d.Signature != "":
		return len(d.Text) + len(d.PartialJSON) + len(d.Thinking) + len(d.Signature)
	}
	return len(event.RawJSON())
}

func (m *message) add(event sdk.MessageStreamEventUnion, emit func(string)) error {
	m.size += sizeOf(event)
	text := ""
	m.events++
	switch event.Type {
	case "content_block_start":
		text = event.ContentBlock.Text
	case "content_block_delta":
		if event.Delta.Type == "text_delta" {
			text = event.Delta.Text
		}
	case "content_block_stop", "message_stop":
		m.inspect()
		m.complete = event.Type == "message_stop"
	}
	if text != "" {
		m.text.WriteString(text)
		emit(text)
	}
	return m.whole.Accumulate(event)
}

// cut ends the message where it is: what comes beyond is not read. The library
// makes a block whole when it hears of its end.
func (m *message) cut() error {
	var stop sdk.MessageStreamEventUnion
	if err := json.Unmarshal(fmt.Appendf(nil, `{"type":"content_block_stop","index":%d}`, len(m.whole.Content)-1), &stop); err != nil {
		return err
	}
	m.whole.StopReason = sdk.StopReasonMaxTokens
	return m.add(stop, func(string) {})
}

// inspect remembers arguments that are not JSON before the library replaces them
// by none: with those the call would be another.
func (m *message) inspect() {
	for i, block := range m.whole.Content {
		if block.Type == "tool_use" && len(block.Input) > 0 && !json.Valid(block.Input) {
			if m.spoilt == nil {
				m.spoilt = map[int][]byte{}
			}
			m.spoilt[i] = bytes.Clone(block.Input)
		}
	}
}

// reply is the message when all of it has come.
func (m *Model) reply(came *message) (agent.Reply, error) {
	r := agent.Reply{Text: came.text.String()}
	switch came.whole.StopReason {
	case sdk.StopReasonMaxTokens, sdk.StopReasonModelContextWindowExceeded:
		r.Cut = agent.CutByLength
	case sdk.StopReasonRefusal:
		r.Cut = agent.CutByProvider
	}
	cut := r.Cut != ""
	var native []sdk.ContentBlockParamUnion
	for i, block := range came.whole.Content {
		switch block.Type {
		case "text":
			if !blank(block.Text) {
				native = append(native, block.ToParam())
			}
		case "tool_use":
			if cut && came.cutAt(i) {
				continue
			}
			call := came.call(i)
			kept := block.ToParam()
			if kept.OfToolUse != nil {
				kept.OfToolUse.ID = call.ID
			}
			native = append(native, kept)
			r.Calls = append(r.Calls, call)
		default:
			native = append(native, block.ToParam())
		}
	}
	if !blank(r.Text) || len(r.Calls) > 0 {
		var err error
		r.Native, err = m.server.Keep(kind, ending(native))
		return r, err
	}
	if came.whole.StopReason == sdk.StopReasonModelContextWindowExceeded {
		return agent.Reply{}, m.server.TooLong(string(came.whole.StopReason))
	}
	return agent.Reply{Cut: r.Cut}, nil
}

// cutAt reports whether a message that was cut ended in this call. One that has
// no arguments yet cannot be told from one that takes none.
func (m *message) cutAt(i int) bool {
	if m.spoilt[i] != nil {
		return true
	}
	return i == len(m.whole.Content)-1 && len(bytes.Trim(m.whole.Content[i].Input, "{} \n")) == 0
}

func (m *message) call(i int) agent.ToolCall {
	block := m.whole.Content[i]
	c := agent.ToolCall{ID: block.ID, Tool: block.Name, Args: block.Input}
	if c.ID == "" {
		c.ID = modelserver.NewCallID()
	}
	if raw := m.spoilt[i]; raw != nil {
		c.Args = raw // the agent tells the model
	}
	if len(c.Args) == 0 {
		c.Args = []byte(`{}`)
	}
	return c
}

// ending leaves out thoughts that nothing came of: the server takes no message
// that ends in one.
func ending(blocks []sdk.ContentBlockParamUnion) []sdk.ContentBlockParamUnion {
	for n := len(blocks); n > 0; n-- {
		if blocks[n-1].OfThinking == nil && blocks[n-1].OfRedactedThinking == nil {
			return blocks[:n]
		}
	}
	return nil
}
