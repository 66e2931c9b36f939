package mcpclient

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Up to 2025-11-25 a tool's output is an object. What a tool of 2026-07-28 gives
// besides is shown to older clients as the member "result" of one, in its schema
// and in its results, as the official servers of both eras do it (SEP-2106).

const wrapped = "#/properties/result"

// wrapSchema is an output schema for older clients.
func wrapSchema(schema *object) json.RawMessage {
	b := []byte{'{'}
	if dialect := schema.get("$schema"); dialect != nil && dialect[0] == '"' {
		b = append(append(append(b, `"$schema":`...), dialect...), ',')
	}
	b = append(b, `"type":"object","properties":{"result":`...)
	b = appendMoved(b, schema.raw, false)
	return append(b, `},"required":["result"]}`...)
}

// appendMoved writes a schema with its references to where it is moved to. The
// members of a map of schemas are names, whatever they are called.
func appendMoved(b []byte, raw json.RawMessage, names bool) []byte {
	switch raw[0] {
	case '[':
		b = append(b, '[')
		first := true
		elements(raw, func(one []byte) bool {
			if !first {
				b = append(b, ',')
			}
			first = false
			b = appendMoved(b, one, false)
			return true
		})
		return append(b, ']')
	case '{':
		b = append(b, '{')
		first := true
		visit(raw, func(quoted, value []byte) bool {
			if !first {
				b = append(b, ',')
			}
			first = false
			b = append(append(b, quoted...), ':')
			b = appendMovedMember(b, text(quoted), value, names)
			return true
		})
		return append(b, '}')
	}
	return append(b, raw...)
}

func appendMovedMember(b []byte, name string, value json.RawMessage, names bool) []byte {
	switch {
	case names:
		return appendMoved(b, value, false)
	case name == "$ref" && value[0] == '"':
		if path, ok := strings.CutPrefix(text(value), "#"); ok {
			return appendText(b, wrapped+path)
		}
		return append(b, value...)
	case slices.Contains([]string{"const", "enum", "default", "examples"}, name):
		return append(b, value...)
	}
	return appendMoved(b, value, slices.Contains([]string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}, name))
}

// OlderResult is the result of a tool as clients up to 2025-11-25 take it. wraps
// is what the tool's entry says.
func OlderResult(result json.RawMessage, wraps bool) json.RawMessage {
	if !bytes.Contains(result, []byte("structuredContent")) && !bytes.Contains(result, []byte(`\u00`)) {
		return result
	}
	data, ok := Member(result, "structuredContent")
	if !ok || data[0] == '{' && !wraps {
		return result
	}
	o := readObject(result)
	switch {
	case o == nil:
		return result
	case isNull(data) && !wraps:
		o.set("structuredContent", nil) // there is none
		return o.json()
	}
	o.set("structuredContent", append(append([]byte(`{"result":`), data...), '}'))
	if data[0] != '{' {
		o.set("content", withText(o.get("content"), data))
	}
	return o.json()
}

// WithWord is the result of a tool with a text before all that it says. What it says
// as data alone is said in words then as well: who reads texts alone takes those for
// all there is.
func WithWord(result json.RawMessage, text string) json.RawMessage {
	o := readObject(result)
	if o == nil {
		return result
	}
	content := o.get("content")
	if data := o.get("structuredContent"); data != nil && !isNull(data) {
		content = withText(content, data)
	}
	all := []json.RawMessage{append(appendText([]byte(`{"type":"text","text":`), text), '}')}
	elements(content, func(block []byte) bool {
		all = append(all, block)
		return true
	})
	o.set("content", appendList(all))
	return o.json()
}

// withText says in words what clients may not show otherwise, unless there are
// words already.
func withText(content, data json.RawMessage) json.RawMessage {
	var all []json.RawMessage
	said := false
	elements(content, func(block []byte) bool {
		kind, _ := Member(block, "type")
		said = said || string(kind) == `"text"`
		all = append(all, block)
		return true
	})
	if said {
		return content
	}
	block := append(appendText([]byte(`{"type":"text","text":`), string(data)), '}')
	return appendList(append(all, block))
}
