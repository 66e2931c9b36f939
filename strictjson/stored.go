package strictjson

import "encoding/json"

// Stored is JSON as it comes back from a record that had it within other JSON: without
// spaces, and with escapes for HTML. Two texts that differ only in these are the same.
func Stored(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	text, err := json.Marshal(raw)
	if err != nil {
		return string(raw)
	}
	return string(text)
}
