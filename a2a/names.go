package a2a

import (
	"bytes"
	"encoding/json"
	"strings"
)

// camelled writes the names of a request's members as the transports read them. JSON of
// protocol buffers may have them as the fields are called, with underscores, and some
// clients send that. What is data or metadata stays as it is.
func camelled(body []byte) []byte {
	if !bytes.Contains(body, []byte(`_`)) {
		return body
	}
	in := json.NewDecoder(bytes.NewReader(body))
	in.UseNumber()
	var whole any
	if in.Decode(&whole) != nil || in.More() {
		return body // for the transport to refuse
	}
	if !camelAll(whole) {
		return body
	}
	out, err := json.Marshal(whole)
	if err != nil {
		return body
	}
	return out
}

func camelAll(v any) (changed bool) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			changed = camelAll(one) || changed
		}
	case map[string]any:
		for name, one := range v {
			if name == "data" || name == "metadata" {
				continue
			}
			changed = camelAll(one) || changed
			camel, known := snakes[name]
			if _, taken := v[camel]; known && !taken {
				v[camel] = one
				delete(v, name)
				changed = true
			}
		}
	}
	return changed
}

// snakes are the members of requests whose names have several words.
var snakes = func() map[string]string {
	all := map[string]string{}
	for _, name := range []string{
		"message_id", "task_id", "context_id", "reference_task_ids", "media_type", "history_length", "page_size", "page_token",
		"include_artifacts", "status_timestamp_after", "return_immediately", "accepted_output_modes", "task_push_notification_config",
		"config_id", "push_notification", "push_notification_config", "mime_type", "file_with_uri", "file_with_bytes", // of 0.3
	} {
		words := strings.Split(name, "_")
		for i := 1; i < len(words); i++ {
			words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
		}
		all[name] = strings.Join(words, "")
	}
	return all
}()
