package pages

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/parley-hq/parley/form"
)

// prefilled is the field's default as if somebody had entered it.
func prefilled(f form.Field) *entries {
	e := &entries{sent: map[string][]string{}}
	var v any
	if f.Default == nil || json.Unmarshal(f.Default, &v) != nil {
		return e
	}
	name := inputName(f)
	place := func(value any) {
		for i, o := range f.Options {
			if o.Value == value {
				e.sent.Add(name, optionValue(i))
			}
		}
	}
	switch v := v.(type) {
	case string:
		switch {
		case f.Kind == form.Choice:
			place(v)
		case f.Format == "date-time":
			local, zone := splitZone(v)
			e.sent.Set(name, local)
			e.sent.Set(zoneName(f), zone)
		default:
			e.sent.Set(name, v)
		}
	case []any:
		for _, value := range v {
			place(value)
		}
	default: // a number keeps its digits
		if f.Kind == form.Choice {
			place(string(f.Default))
			break
		}
		e.sent.Set(name, string(f.Default))
	}
	return e
}

// error is what is wrong with a field, in sentences.
func (e *entries) error(f form.Field) string {
	var sentences []string
	for _, v := range e.violations {
		if !concerns(v, f) {
			continue
		}
		if f.Required && f.Kind != form.Choices && e.blank(f) {
			return f.Label() + " is required."
		}
		sentences = append(sentences, v.Message)
	}
	return strings.Join(slices.Compact(sentences), " ")
}

// concerns reports whether a violation is about a field or one of its choices.
func concerns(v form.Violation, f form.Field) bool {
	return v.Path == f.Name || f.Kind == form.Choices && strings.HasPrefix(v.Path, f.Name+"[")
}
