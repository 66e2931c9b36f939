package anthropic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/internal/modelserver"
)

// kind marks the messages that are kept for their server.
const kind = "anthropic"

// Why a message ended, where it is not all that the model would have said.
const (
	maxTokens = "max_tokens"
	noRoom    = "model_context_window_exceeded"
	refusal   = "refusal"
)

// message is what has come of a message.
type message struct {
	begun  bool
	blocks []*block
	text   strings.Builder
	stop   string
	size   int // of all that has come, in bytes
}

// full reports whether more has come than is read of a message.
func (m *message) full() bool { return m.size > agent.MaxMessage }

func (m *message) add(e event, emit func(string)) error {
	switch e.Type {
	case "message_start":
		m.begun = true
	case "content_block_start":
		return m.start(e, emit)
	case "content_block_delta":
		return m.grow(e, emit)
	case "message_delta":
		var d delta
		if err := read(e.Delta, &d); err != nil {
			return err
		}
		if d.StopReason != "" {
			m.stop = d.StopReason
		}
	}
	return nil
}

func (m *message) start(e event, emit func(string)) error {
	at, f := 0, fields{}
	if err := errors.Join(read(e.Index, &at), read(e.Block, &f)); err != nil {
		return err
	}
	if at != len(m.blocks) || f == nil {
		return fmt.Errorf("a block has the index %d, and there are %d before it", at, len(m.blocks))
	}
	b := newBlock(f)
	m.blocks = append(m.blocks, b)
	m.size += len(e.Block) + perBlock
	m.say(b.kind, f.text("text"), emit)
	return nil
}

// perBlock is what a block takes besides its texts.
const perBlock = 256

func (m *message) grow(e event, emit func(string)) error {
	var at int
	var d delta
	if err := errors.Join(read(e.Index, &at), read(e.Delta, &d)); err != nil {
		return err
	}
	if at < 0 || at >= len(m.blocks) {
		return fmt.Errorf("there is no block with the index %d", at)
	}
	b := m.blocks[at]
	m.size += b.add(d)
	if d.Type == "text_delta" {
		m.say(b.kind, d.Text, emit)
	}
	return nil
}

// say hands on what is to be read by a person.
func (m *message) say(kind, text string, emit func(string)) {
	if kind == "text" && text != "" {
		m.begun = true
		m.text.WriteString(text)
		emit(text)
	}
}

// reply is the message when all of it has come.
func (m *Model) reply(came *message) (agent.Reply, error) {
	r := agent.Reply{Text: came.text.String()}
	switch came.stop {
	case maxTokens, noRoom:
		r.Cut = agent.CutByLength
	case refusal:
		r.Cut = agent.CutByProvider
	}
	cut := r.Cut != ""
	var native []fields
	seen := map[string]bool{}
	for i, b := range came.blocks {
		switch b.kind {
		case "text":
			if !blank(b.said("text")) {
				native = append(native, b.native())
			}
		case "tool_use":
			call := b.call(seen)
			if call.Tool == "" || cut && came.cutAt(i) {
				continue
			}
			kept := b.native()
			kept.set("id", call.ID)
			native = append(native, kept)
			r.Calls = append(r.Calls, call)
		case "": // no block
		default:
			native = append(native, b.native())
		}
	}
	if !blank(r.Text) || len(r.Calls) > 0 {
		var err error
		r.Native, err = m.server.Keep(kind, ending(native))
		return r, err
	}
	if came.stop == noRoom {
		return agent.Reply{}, m.server.TooLong(came.stop)
	}
	return agent.Reply{Cut: r.Cut}, nil
}

// cutAt reports whether a message that was cut ended in this call. One that has
// no arguments yet cannot be told from one that takes none.
func (m *message) cutAt(i int) bool {
	input := m.blocks[i].input()
	if len(input) > 0 && !json.Valid(input) {
		return true
	}
	return i == len(m.blocks)-1 && len(bytes.Trim(input, "{} \n")) == 0
}

// call is the call that a block is. Arguments that are none stay as they are: with
// others the call would be another one, and the agent tells the model. seen are
// the ids of the calls before it.
func (b *block) call(seen map[string]bool) agent.ToolCall {
	c := agent.ToolCall{ID: b.fields.text("id"), Tool: b.fields.text("name"), Args: b.input()}
	if c.ID == "" || seen[c.ID] {
		c.ID = modelserver.NewCallID()
	}
	seen[c.ID] = true
	if args := string(bytes.TrimSpace(c.Args)); args == "" || args == "null" {
		c.Args = []byte(`{}`)
	}
	return c
}

// arguments are a call's as the server takes them: an object.
func arguments(args []byte) json.RawMessage {
	if modelserver.IsObject(args) {
		return args
	}
	return json.RawMessage(`{}`)
}

// ending leaves out thoughts that nothing came of: the server takes no message
// that ends in one.
func ending(blocks []fields) []fields {
	for n := len(blocks); n > 0; n-- {
		if kind := blocks[n-1].text("type"); kind != "thinking" && kind != "redacted_thinking" {
			return blocks[:n]
		}
	}
	return nil
}
