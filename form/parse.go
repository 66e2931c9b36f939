package form

import "errors"

// Parse reads a form schema from foreign JSON.
//
// It takes the field kinds of MCP elicitation, the legacy enumNames included, with the constraints that libraries write
// for them, and brings the alternatives that these write into that shape: values to choose from, and what may be null,
// which need not be answered. What else a schema says of a field or of the form as a whole is left to who asks: people are shown the
// form, and an answer that breaks such a rule is refused there. A default that does not fit is none, and so is the name
// of a required field that is not there. The error is an ErrSchema, an ErrNested or an ErrTooLarge that names the place,
// such as "properties.address": there is a field that cannot be shown, or one that nothing fits.
func Parse(raw []byte, limits *Limits) (*Schema, error) {
	l := limits.orDefault()
	if s := parsed.get(raw, l); s != nil {
		return s, nil
	}
	s, err := parse(raw, l)
	if err == nil {
		parsed.put(raw, l, s)
	}
	return s, err
}

func parse(raw []byte, l Limits) (*Schema, error) {
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
	if t, _ := root.get("type"); t != "object" {
		return nil, refuse(ErrSchema, "type", `must be "object"`)
	}
	fields, err := parseProperties(root, l)
	if err != nil {
		return nil, err
	}
	if err := parseRequired(root, fields); err != nil {
		return nil, err
	}
	return build(fields, l, true, func(f Field) string { return join("properties", f.Name) })
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
		f, err := parseField(root, m.name, m.value, l)
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
		if f := byName[name]; f != nil {
			// What may be null need not be answered.
			f.Required, f.NullIfAbsent = !f.Nullable, f.Nullable
		}
	}
	return nil
}
