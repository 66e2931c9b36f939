package a2a

import (
	"encoding/json"
	"strings"

	"github.com/parley-hq/parley/form"
)

// valueOf is a text as the value of a field. What is none of that kind stays a text, and the
// form says what is wrong with it.
func valueOf(f form.Field, text string) any {
	trimmed := strings.TrimSpace(text)
	switch f.Kind {
	case form.Number, form.Integer:
		if json.Valid([]byte(trimmed)) {
			return json.RawMessage(trimmed)
		}
		return trimmed
	case form.Boolean:
		switch strings.ToLower(trimmed) {
		case "true", "yes":
			return true
		case "false", "no":
			return false
		}
		return trimmed
	case form.Choice:
		return choiceOf(f, trimmed)
	case form.Choices:
		var all []any
		for one := range strings.SplitSeq(trimmed, ",") {
			all = append(all, choiceOf(f, strings.TrimSpace(one)))
		}
		return all
	}
	return text
}

// choiceOf is what somebody chooses by its value or by its title, in any letters.
func choiceOf(f form.Field, text string) any {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for _, o := range f.Options {
			if !same(o.Value, text) && !same(o.Label(), text) {
				continue
			}
			if f.Of == form.Number || f.Of == form.Integer {
				return json.RawMessage(o.Value)
			}
			return o.Value
		}
	}
	return text
}
