package openai

import (
	"bytes"
	"encoding/json"
)

// addFields adds what a piece of a message has beyond the format to what the
// pieces before it had.
func addFields(have map[string]any, came piece) map[string]any {
	for name, raw := range came {
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()
		var value any
		if decoder.Decode(&value) != nil || value == nil {
			continue
		}
		if have == nil {
			have = map[string]any{}
		}
		have[name] = join(name, have[name], value)
	}
	return have
}

// join puts two pieces of a value together, as this format does it everywhere:
// texts and lists go on, members of a list that have an index go on where that
// index is, and what names a thing is said again.
func join(name string, have, came any) any {
	switch piece := came.(type) {
	case nil:
		return have
	case string:
		before, ok := have.(string)
		switch name {
		case "type", "id", "name", "role", "format":
			return piece
		}
		if ok {
			return before + piece
		}
	case map[string]any:
		whole, ok := have.(map[string]any)
		if !ok {
			return piece
		}
		for key, value := range piece {
			whole[key] = join(key, whole[key], value)
		}
		return whole
	case []any:
		whole, _ := have.([]any)
		for _, member := range piece {
			whole = joinMember(whole, member)
		}
		return whole
	}
	return came
}

func joinMember(list []any, came any) []any {
	piece, ok := came.(map[string]any)
	if !ok || piece["index"] == nil {
		return append(list, came)
	}
	for _, member := range list {
		if whole, ok := member.(map[string]any); ok && whole["index"] == piece["index"] && whole["type"] == piece["type"] {
			join("", whole, piece)
			return list
		}
	}
	return append(list, came)
}
