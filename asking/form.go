package asking

import (
	"encoding/json"
	"fmt"

	"github.com/parley-hq/parley/form"
)

// checkForm refuses what package form forgives in a form: a field that is required
// and not there, and a default that does not fit its field. A program's author can
// mend them, and would otherwise get answers without what they asked for. What is
// no form at all is left to the hub.
func checkForm(raw json.RawMessage) error {
	schema, err := form.Parse(raw, nil)
	if err != nil {
		return nil
	}
	var root map[string]json.RawMessage
	var properties map[string]map[string]json.RawMessage
	var required []string
	if err := json.Unmarshal(raw, &root); err != nil {
		return nil
	}
	// What is absent, or of another shape than form takes, stays empty.
	_ = json.Unmarshal(root["properties"], &properties)
	_ = json.Unmarshal(root["required"], &required)
	for i, name := range required {
		if _, is := properties[name]; !is {
			return &Fault{fmt.Sprintf("requested_schema.required[%d]", i), fmt.Sprintf("there is no property %.100q", name)}
		}
	}
	for _, field := range schema.Fields() {
		if given, is := properties[field.Name]["default"]; is && string(given) != "null" && field.Default == nil {
			return &Fault{"requested_schema.properties." + field.Name + ".default", "it does not fit the property"}
		}
	}
	return nil
}
