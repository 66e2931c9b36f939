package api

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley/strictjson"
)

// bodies are JSON, and read strictly.
var bodies = huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: readBody}

// memberName is the form of every member's name here.
var memberName = regexp.MustCompile(`^[a-z_]{1,64}$`)

// readBody reads JSON of which two readers cannot make different things. A body
// is read twice, into maps to be validated and into its type: a name that comes
// twice, or in other letters, would be one thing to the first and another to
// the second.
func readBody(data []byte, into any) error {
	if err := json.Unmarshal(data, into); err != nil {
		return err
	}
	if _, first := into.(*any); !first {
		return nil
	}
	v, err := strictjson.Read(data, maxDepth)
	if err != nil {
		return fmt.Errorf("body has a member that is not clear: %w", err)
	}
	return checkNames(v, "body", false)
}

// maxDepth is how deep a body may be: a form, or the details of an action.
const maxDepth = 64

// checkNames looks at the names of members. They are free where it is a map, and
// all the way down where a program's own JSON begins.
func checkNames(v any, at string, free bool) error {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			if err := checkNames(one, at, free); err != nil {
				return err
			}
		}
	case strictjson.Object:
		for _, m := range v {
			if !free && !memberName.MatchString(m.Name) {
				return fmt.Errorf("%s has a member that is not known: %.64q", at, m.Name)
			}
			if err := checkNames(m.Value, at+"."+m.Name, free || slices.Contains(freeNames, m.Name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// freeNames are the members below which names are not ours.
var freeNames = []string{"auth_params", "labels", "requested_schema", "details"}
