package mcpclient

import (
	"encoding/json"
	"slices"
)

// visibility is for whom a tool is, as its server lists it: for models, and for the
// server's own user interface. One that does not say is for both, and null says
// nothing. What is no list of texts names nobody, and neither does a word besides
// "model" and "app".
func visibility(tool json.RawMessage) (model, app bool) {
	meta, ok := Member(tool, "_meta")
	if !ok {
		return true, true
	}
	model, app = true, true
	if ui, ok := Member(meta, "ui"); ok {
		if raw, ok := Member(ui, "visibility"); ok && !isNull(raw) {
			var named []string
			if json.Unmarshal(raw, &named) != nil {
				named = nil
			}
			model, app = slices.Contains(named, "model"), slices.Contains(named, "app")
		}
	}
	if private, ok := Member(meta, "openai/visibility"); ok && string(private) == `"private"` {
		model = false
	}
	return model, app
}
