package form

import (
	"errors"
	"strings"
)

// Parse reads a form schema from foreign JSON.
//
// It accepts the field kinds of MCP elicitation, the legacy enumNames included, and nothing that would change what they
// mean. These are accepted and dropped: $schema, $id, $comment, examples, deprecated, readOnly, writeOnly and x-*
// anywhere, title and description of the form as a whole, a boolean additionalProperties (Check leaves unknown fields
// out either way) and uniqueItems (choices are always distinct). The error is an ErrSchema, an ErrNested or an
// ErrTooLarge that names the place, such as "properties.address".
func Parse(raw []byte, limits *Limits) (*Schema, error) {
	l := limits.orDefault()
	if len(raw) > l.Bytes {
		return nil, refuse(ErrTooLarge, "", "the schema has %d bytes where at most %d are allowed", len(raw), l.Bytes)
	}
	v, err := read(raw, l.Depth)
	if err != nil {
		return nil, schemaText(err)
	}
	root, ok := v.(object)
	if !ok {
		return nil, refuse(ErrSchema, "", "the schema must be a JSON object")
	}
	if err := checkRoot(root); err != nil {
		return nil, err
	}
	fields, err := parseProperties(root, l)
	if err != nil {
		return nil, err
	}
	if err := parseRequired(root, fields); err != nil {
		return nil, err
	}
	return build(fields, l, func(f Field) string { return join("properties", f.Name) })
}

func schemaText(err error) error {
	var text *textError
	if !errors.As(err, &text) {
		return err
	}
	sentinel, path := ErrSchema, text.path
	if text.depth {
		sentinel = ErrTooLarge
	}
	if path == "" {
		return refuse(sentinel, "", "the schema %s", text.reason)
	}
	return refuse(sentinel, path, "%s", text.reason)
}

func checkRoot(root object) error {
	for _, m := range root {
		switch {
		case m.name == "type", m.name == "properties", m.name == "required", m.name == "title", m.name == "description",
			annotation(m.name):
		case m.name == "additionalProperties":
			if _, ok := m.value.(bool); !ok {
				return refuse(ErrNested, m.name, "only true and false are allowed")
			}
		case nesting(m.name):
			return refuse(ErrNested, m.name, "the keyword %q is not allowed in a form", m.name)
		default:
			return refuse(ErrSchema, m.name, "the keyword %q is not allowed in a form", m.name)
		}
	}
	if t, _ := root.get("type"); t != "object" {
		return refuse(ErrSchema, "type", `must be "object"`)
	}
	return nil
}

func parseProperties(root object, l Limits) ([]Field, error) {
	v, ok := root.get("properties")
	if !ok { // go-sdk writes a form without fields this way
		return nil, nil
	}
	properties, ok := v.(object)
	if !ok {
		return nil, refuse(ErrSchema, "properties", "must be an object with one member per field")
	}
	if len(properties) > l.Fields {
		return nil, tooManyFields(len(properties), l)
	}
	fields := make([]Field, 0, len(properties))
	for _, m := range properties {
		if reason := badName(m.name); reason != "" {
			return nil, refuse(ErrSchema, "properties", "%s", reason)
		}
		f, err := parseField(join("properties", m.name), m.name, m.value, l)
		if err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	return fields, nil
}

func parseRequired(root object, fields []Field) error {
	v, ok := root.get("required")
	if !ok {
		return nil
	}
	names, ok := v.([]any)
	if !ok {
		return refuse(ErrSchema, "required", "must be a list of field names")
	}
	byName := make(map[string]*Field, len(fields))
	for i := range fields {
		byName[fields[i].Name] = &fields[i]
	}
	for i, v := range names {
		path := item("required", i)
		name, ok := v.(string)
		if !ok {
			return refuse(ErrSchema, path, "must be a field name")
		}
		f := byName[name]
		if f == nil {
			return refuse(ErrSchema, path, "there is no field %q", name)
		}
		if f.Required {
			return refuse(ErrSchema, path, "the field %q is listed twice", name)
		}
		f.Required = true
	}
	return nil
}

// annotation tells whether a keyword says nothing about which content fits.
func annotation(keyword string) bool {
	switch keyword {
	case "$schema", "$id", "$comment", "examples", "deprecated", "readOnly", "writeOnly":
		return true
	}
	return strings.HasPrefix(keyword, "x-")
}

// nesting tells whether a keyword puts a schema inside a schema.
func nesting(keyword string) bool {
	switch keyword {
	case "$ref", "$dynamicRef", "$recursiveRef", "$defs", "definitions",
		"allOf", "anyOf", "oneOf", "not", "if", "then", "else",
		"properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames",
		"dependentSchemas", "dependencies",
		"items", "prefixItems", "additionalItems", "unevaluatedItems", "contains":
		return true
	}
	return false
}
