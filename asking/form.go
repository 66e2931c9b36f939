package asking

import (
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/mcpclient"
)

// checkForm refuses what package form forgives in a form: a field that is required
// and not there, a default that does not fit its field, values that nobody can be
// offered, and a pattern that nobody can read. A program's author can
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
		if err := checkField(field, properties[field.Name]); err != nil {
			return err
		}
	}
	return nil
}

// checkField refuses an enum and a pattern of which nothing would come.
func checkField(field form.Field, given map[string]json.RawMessage) error {
	at := "requested_schema.properties." + field.Name
	if list, is := given["enum"]; is && field.Kind != form.Choice && field.Kind != form.Choices {
		var values []any
		_ = json.Unmarshal(list, &values) // of another shape it has no values
		if field.Kind != form.Boolean || len(values) == 0 {
			return &Fault{at + ".enum", "it is a list of one value or more, each of the property's type"}
		}
	}
	if given, is := given["pattern"]; is {
		var pattern string
		if err := json.Unmarshal(given, &pattern); err != nil || !isPattern(pattern) {
			return &Fault{at + ".pattern", "it is no regular expression"}
		}
	}
	return nil
}

// isPattern reports whether one of those who may check a pattern can read it.
func isPattern(text string) bool {
	if mcpclient.Pattern(text) {
		return true
	}
	_, err := regexp.Compile(text)
	return err == nil
}
