package mcpclient

import (
	"encoding/json"
	"slices"
)

// AppOnly reports whether a tool, as its server lists it, is for the server's own
// user interface and not for models: its visibility is there and does not name
// them. What cannot be read as a list that names them does not.
func AppOnly(tool json.RawMessage) bool {
	meta, ok := Member(tool, "_meta")
	if !ok {
		return false
	}
	if private, ok := Member(meta, "openai/visibility"); ok && string(private) == `"private"` {
		return true
	}
	ui, ok := Member(meta, "ui")
	if !ok {
		return false
	}
	raw, ok := Member(ui, "visibility")
	if !ok || string(raw) == "null" {
		return false
	}
	var visible []any
	return json.Unmarshal(raw, &visible) != nil || !slices.Contains(visible, any("model"))
}
