package mcpclient

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
)

// MaxTool is how many bytes a tool has that anybody wants to read.
const MaxTool = 256 << 10

// Tool is what a server says of a tool.
type Tool struct {
	Name, Title, Description string
	InputSchema              json.RawMessage // as it came; {"type":"object"} where there is none

	// The annotations, nil where the server does not declare them.
	ReadOnly, Destructive, Idempotent, OpenWorld *bool
}

// ReadTool reads an item of tools/list. What cannot be read for sure, because a
// member is there twice or of another type, is ErrProtocol.
func ReadTool(item json.RawMessage) (Tool, error) {
	if len(item) > MaxTool {
		return Tool{}, fmt.Errorf("%w: a tool is listed with %d bytes", ErrTooLarge, len(item))
	}
	var name, title, description, schema, hints json.RawMessage
	var t Tool
	ok := pick(item, map[string]*json.RawMessage{
		"name": &name, "title": &title, "description": &description, "inputSchema": &schema, "annotations": &hints,
	})
	if !ok || !decode(name, &t.Name) || t.Name == "" || !decode(title, &t.Title) || !decode(description, &t.Description) {
		return Tool{}, fmt.Errorf("%w: a tool is listed that cannot be read", ErrProtocol)
	}
	switch {
	case schema == nil:
		t.InputSchema = json.RawMessage(`{"type":"object"}`)
	case schema[0] == '{':
		t.InputSchema = bytes.Clone(schema)
	default:
		return Tool{}, fmt.Errorf("%w: the schema of %.100q is none", ErrProtocol, t.Name)
	}
	if hints == nil || string(hints) == "null" {
		return t, nil
	}
	if !t.annotate(hints) {
		return Tool{}, fmt.Errorf("%w: the annotations of %.100q are none", ErrProtocol, t.Name)
	}
	return t, nil
}

func (t *Tool) annotate(hints json.RawMessage) bool {
	var title, readOnly, destructive, idempotent, openWorld json.RawMessage
	var also string
	ok := pick(hints, map[string]*json.RawMessage{
		"title": &title, "readOnlyHint": &readOnly, "destructiveHint": &destructive, "idempotentHint": &idempotent, "openWorldHint": &openWorld,
	}) && decode(title, &also)
	t.Title = cmp.Or(t.Title, also)
	for _, hint := range []struct {
		from json.RawMessage
		to   **bool
	}{{readOnly, &t.ReadOnly}, {destructive, &t.Destructive}, {idempotent, &t.Idempotent}, {openWorld, &t.OpenWorld}} {
		switch string(hint.from) {
		case "", "null":
		case "true", "false":
			is := string(hint.from) == "true"
			*hint.to = &is
		default:
			ok = false
		}
	}
	return ok
}
