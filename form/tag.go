package form

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// formTag is the content of one form tag.
type formTag struct {
	path   string
	values map[string]string
}

func readTag(path, text string) (formTag, error) {
	tag := formTag{path: path, values: map[string]string{}}
	for text != "" {
		end := strings.IndexAny(text, "=,")
		if end < 0 {
			end = len(text)
		}
		key, value := strings.TrimSpace(text[:end]), ""
		hasValue := end < len(text) && text[end] == '='
		text = text[end:]
		if hasValue {
			var ok bool
			if value, text, ok = tagValue(text[1:]); !ok {
				return tag, refuse(ErrSchema, path, "the quoted value of %q in the form tag does not end well", key)
			}
		}
		text = strings.TrimPrefix(text, ",")
		if known, takesValue := tagKey(key); !known {
			return tag, refuse(ErrSchema, path, "the form tag has an unknown key %q", key)
		} else if takesValue != hasValue {
			return tag, refuse(ErrSchema, path, "the key %q of the form tag needs a value, and a bare word has none", key)
		}
		if _, ok := tag.values[key]; ok {
			return tag, refuse(ErrSchema, path, "the form tag has the key %q twice", key)
		}
		tag.values[key] = value
	}
	return tag, nil
}

// tagValue splits a value off, plain up to the next comma or in single quotes.
func tagValue(text string) (value, rest string, ok bool) {
	if !strings.HasPrefix(text, "'") {
		value, rest, found := strings.Cut(text, ",")
		if found {
			rest = "," + rest
		}
		return value, rest, true
	}
	var b strings.Builder
	for text = text[1:]; ; {
		part, after, found := strings.Cut(text, "'")
		b.WriteString(part)
		if !found {
			return "", "", false
		}
		if !strings.HasPrefix(after, "'") {
			return b.String(), after, after == "" || after[0] == ','
		}
		b.WriteByte('\'')
		text = after[1:]
	}
}

func tagKey(key string) (known, takesValue bool) {
	switch key {
	case "title", "format", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "enum", "titles",
		"default":
		return true, true
	case "required", "optional":
		return true, false
	}
	return false, false
}

// apply adds what the tag says to a field whose kind is known.
func (t formTag) apply(f *Field) error {
	for _, key := range slices.Sorted(maps.Keys(t.values)) {
		if !tagKeyOf(f.Kind, key) {
			return refuse(ErrSchema, t.path, "the key %q of the form tag has no meaning for a field of kind %s", key, f.Kind)
		}
	}
	_, required := t.values["required"]
	_, optional := t.values["optional"]
	if required && optional {
		return refuse(ErrSchema, t.path, "the form tag says both required and optional")
	}
	f.Required = required || f.Required && !optional
	f.Title = t.values["title"]
	if format, ok := t.values["format"]; ok {
		f.Format = format
	}
	if err := t.options(f); err != nil {
		return err
	}
	err := errors.Join(
		t.count("minLength", &f.MinLength), t.count("maxLength", &f.MaxLength),
		t.count("minItems", &f.MinItems), t.count("maxItems", &f.MaxItems),
		t.number("minimum", &f.Minimum), t.number("maximum", &f.Maximum),
	)
	if err != nil {
		return err
	}
	return t.fallback(f)
}

func tagKeyOf(kind Kind, key string) bool {
	switch key {
	case "title", "required", "optional", "default":
		return true
	case "enum", "titles":
		return kind == Choice || kind == Choices
	}
	return keywordOf(kind, key)
}

func (t formTag) options(f *Field) error {
	enum, ok := t.values["enum"]
	if !ok {
		return nil
	}
	for value := range strings.SplitSeq(enum, "|") {
		f.Options = append(f.Options, Option{Value: value})
	}
	titles, ok := t.values["titles"]
	if !ok {
		return nil
	}
	list := strings.Split(titles, "|")
	if len(list) != len(f.Options) {
		return refuse(ErrSchema, t.path, "the form tag has %d titles for %d values of enum", len(list), len(f.Options))
	}
	for i, title := range list {
		f.Options[i].Title = title
	}
	return nil
}

func (t formTag) count(key string, to **int) error {
	text, ok := t.values[key]
	if !ok {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return refuse(ErrSchema, t.path, "%s=%s in the form tag is not a whole number from 0 to %d", key, text, math.MaxInt32)
	}
	*to = &n
	return nil
}

func (t formTag) number(key string, to *json.Number) error {
	text, ok := t.values[key]
	if !ok {
		return nil
	}
	v, err := read([]byte(text), 0)
	n, ok := v.(json.Number)
	if err != nil || !ok {
		return refuse(ErrSchema, t.path, "%s=%s in the form tag is not a number", key, text)
	}
	*to = n
	return nil
}

// fallback takes the default: text as it is, choices separated by |, anything else as JSON.
func (t formTag) fallback(f *Field) error {
	text, ok := t.values["default"]
	if !ok {
		return nil
	}
	switch f.Kind {
	case String, Choice:
		f.Default = appendJSON(nil, text)
	case Choices:
		list := []any{}
		for value := range strings.SplitSeq(text, "|") {
			list = append(list, value)
		}
		f.Default = appendJSON(nil, list)
	default:
		v, err := read([]byte(text), 0)
		if err != nil {
			return refuse(ErrSchema, t.path, "default=%s in the form tag is not a %s", text, f.Kind)
		}
		f.Default = appendJSON(nil, v)
	}
	return nil
}

// keywordOf tells whether fields of a kind know a keyword.
func keywordOf(kind Kind, keyword string) bool {
	switch keyword {
	case "type", "title", "description", "default":
		return true
	case "format", "minLength", "maxLength":
		return kind == String
	case "minimum", "maximum":
		return kind == Number || kind == Integer
	case "enum", "enumNames", "oneOf":
		return kind == Choice
	case "items", "minItems", "maxItems", "uniqueItems":
		return kind == Choices
	}
	return false
}
