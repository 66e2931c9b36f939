package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/danielgtaylor/huma/v2"
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
	return checkNames(json.NewDecoder(bytes.NewReader(data)), "body", false)
}

// checkNames reads one value. Its depth is bounded: it was read before. The
// names of its members are free where it is a map.
func checkNames(d *json.Decoder, at string, free bool) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('['):
		for d.More() {
			if err := checkNames(d, at, false); err != nil {
				return err
			}
		}
		_, err = d.Token()
	case json.Delim('{'):
		err = checkMembers(d, at, free)
	}
	return err
}

func checkMembers(d *json.Decoder, at string, free bool) error {
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		switch {
		case seen[name]:
			return fmt.Errorf("%s has a member twice: %.64q", at, name)
		case !free && !memberName.MatchString(name):
			return fmt.Errorf("%s has a member that is not known: %.64q", at, name)
		}
		seen[name] = true
		if err := checkNames(d, at+"."+name, name == "auth_params"); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}
