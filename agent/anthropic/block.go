package anthropic

import (
	"encoding/json"
	"strings"
)

// block is a part of a message: a text, a thought, a call. The texts in it come in
// pieces; all else is kept as it came.
type block struct {
	fields
	kind      string
	pieces    map[string]*strings.Builder // by the name of the field that they are added to
	citations []json.RawMessage
}

func newBlock(f fields) *block {
	return &block{fields: f, kind: f.text("type"), pieces: map[string]*strings.Builder{}}
}

// add adds a piece, and returns how long it is. What is of an unknown type is left
// out, as the format wants it.
func (b *block) add(d delta) int {
	switch d.Type {
	case "text_delta":
		return b.grow("text", d.Text)
	case "input_json_delta":
		return b.grow("input", d.PartialJSON)
	case "thinking_delta":
		return b.grow("thinking", d.Thinking)
	case "signature_delta":
		b.set("signature", d.Signature) // comes at once
		return len(d.Signature)
	case "citations_delta":
		b.citations = append(b.citations, d.Citation)
		return len(d.Citation)
	}
	return 0
}

func (b *block) grow(name, piece string) int {
	if b.pieces[name] == nil {
		b.pieces[name] = &strings.Builder{}
	}
	b.pieces[name].WriteString(piece)
	return len(piece)
}

// said is a text of the block, as far as it came.
func (b *block) said(name string) string {
	whole := b.text(name)
	if more := b.pieces[name]; more != nil {
		whole += more.String()
	}
	return whole
}

// input is the arguments of a call, as far as they came: the server may begin with
// some and send others.
func (b *block) input() []byte {
	if more := b.pieces["input"]; more != nil && more.Len() > 0 {
		return []byte(more.String())
	}
	return b.fields["input"]
}

// native is the block as the server takes it back: what came in pieces is whole,
// and what is null is not there.
func (b *block) native() fields {
	n := fields{}
	for name, raw := range b.fields {
		if string(raw) != "null" {
			n[name] = raw
		}
	}
	for name := range b.pieces {
		if name != "input" {
			n.set(name, b.said(name))
		}
	}
	if len(b.citations) > 0 {
		n.set("citations", b.citations)
	}
	if input := b.input(); input != nil {
		n["input"] = arguments(input)
	}
	return n
}
