package form

import (
	"encoding/json"
	"slices"
	"strings"
)

// maxAlternatives is how many schemas are read for one field: references may lead to themselves, or to more at each step.
const maxAlternatives = 2000

// simplifier brings what libraries write for a field into the shape that MCP has for it: one type, with its keywords.
// Zod writes the values of a union as alternatives, pydantic what may be None, and enumerations as references.
type simplifier struct {
	root object
	path string // of the field
	left int    // schemas that may be read
}

func simplify(root object, path string, field object) (flat object, nullable bool, err error) {
	s := &simplifier{root: root, path: path, left: maxAlternatives}
	flat, nullable, err = s.read(path, field)
	if err == nil && flat == nil {
		err = refuse(ErrSchema, path, "there is nothing to answer but null")
	}
	return flat, nullable, err
}

// read returns a schema as one of a single type, nil where only null fits, and whether null fits.
func (s *simplifier) read(path string, o object) (flat object, nullable bool, err error) {
	if s.left--; s.left < 0 {
		return nil, false, refuse(ErrTooLarge, s.path, "has more alternatives than can be read")
	}
	if _, typed := o.get("type"); typed {
		return s.typed(path, o)
	}
	if ref, ok := o.get("$ref"); ok {
		target, err := s.target(path, ref)
		if err != nil {
			return nil, false, err
		}
		return s.within(path, o, target)
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		v, _ := o.get(keyword)
		list, _ := v.([]any)
		if len(list) > 0 && (keyword != "allOf" || len(list) == 1) {
			return s.alternatives(path, o, keyword, list)
		}
	}
	return s.typed(path, o)
}

// within reads a schema that stands in another. What that one says itself counts.
func (s *simplifier) within(path string, outer, inner object) (object, bool, error) {
	flat, nullable, err := s.read(path, inner)
	if flat == nil || err != nil {
		return nil, nullable, err
	}
	return merged(outer, flat), nullable || outer.has("nullable", true), nil
}

func merged(outer, inner object) object {
	flat := slices.DeleteFunc(slices.Clone(outer), func(m member) bool {
		return slices.Contains([]string{"$ref", "allOf", "anyOf", "oneOf"}, m.name)
	})
	for _, m := range inner {
		if _, ok := flat.get(m.name); !ok {
			flat = append(flat, m)
		}
	}
	return flat
}

// target is what a reference leads to: a definition of this schema.
func (s *simplifier) target(path string, ref any) (object, error) {
	name, _ := ref.(string)
	for _, keyword := range []string{"$defs", "definitions"} {
		if key, ok := strings.CutPrefix(name, "#/"+keyword+"/"); ok {
			all, _ := s.root.get(keyword)
			definitions, _ := all.(object)
			found, _ := definitions.get(strings.NewReplacer("~1", "/", "~0", "~").Replace(key))
			if target, ok := found.(object); ok {
				return target, nil
			}
		}
	}
	return nil, refuse(ErrSchema, path, "refers to %q, which is not there", name)
}

// alternatives makes one schema of several: a choice if each of them is a value, otherwise their type, of which who asks
// checks the rest.
func (s *simplifier) alternatives(path string, o object, keyword string, list []any) (object, bool, error) {
	var parts []object
	nullable := o.has("nullable", true)
	for i, v := range list {
		place := item(join(path, keyword), i)
		one, ok := v.(object)
		if !ok {
			return nil, false, refuse(ErrSchema, place, "must be an object")
		}
		part, null, err := s.read(place, one)
		if err != nil {
			return nil, false, err
		}
		nullable = nullable || null
		if part != nil {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return nil, true, nil
	}
	// The title of the only value is its own, not the field's.
	if _, value := parts[0].get("const"); len(parts) == 1 && (keyword == "allOf" || !value) {
		return merged(o, parts[0]), nullable, nil
	}
	var types []string
	for _, part := range parts {
		typ, _ := part.get("type")
		types = append(types, typ.(string))
	}
	typ, err := oneType(path, types)
	if err != nil {
		return nil, false, err
	}
	return merged(o, append(object{{"type", typ}}, values(parts, typ)...)), nullable, nil
}

// values is the keyword for all values of these schemas, or nothing where one of them is more than its values.
func values(parts []object, typ string) object {
	var all []any
	for _, part := range parts {
		titled, _ := part.get("oneOf")
		list, _ := titled.([]any)
		if only, ok := part.get("const"); ok {
			list = []any{object{{"const", only}, {"title", label(part)}}}
		} else if enum, ok := part.get("enum"); ok && list == nil {
			values, _ := enum.([]any)
			for _, v := range values {
				list = append(list, object{{"const", v}})
			}
		}
		if len(list) == 0 {
			return nil
		}
		all = append(all, list...)
	}
	if typ != string(Boolean) {
		return object{{"oneOf", all}}
	}
	first, _ := all[0].(object).get("const")
	for _, one := range all {
		if v, _ := one.(object).get("const"); v != first {
			return nil // yes and no
		}
	}
	return object{{"const", first}}
}

// label is what a value is called; zod 3 has nothing but descriptions.
func label(o object) any {
	if title, _ := o.get("title"); title != nil {
		return title
	}
	description, _ := o.get("description")
	return description
}

// typed reads a schema without alternatives. One without a type has that of its values.
func (s *simplifier) typed(path string, o object) (object, bool, error) {
	types, err := typesOf(path, o)
	if err != nil {
		return nil, false, err
	}
	nullable := slices.Contains(types, "null")
	types = slices.DeleteFunc(types, func(one string) bool { return one == "null" })
	if len(types) == 0 {
		return nil, true, nil
	}
	typ, err := oneType(path, types)
	if err != nil {
		return nil, false, err
	}
	flat := object{{"type", typ}}
	for _, m := range o {
		list, isList := m.value.([]any)
		switch {
		case m.name == "type":
		case m.name == "enum" && isList && nullable:
			flat = append(flat, member{m.name, slices.DeleteFunc(slices.Clone(list), func(v any) bool { return v == nil })})
		default:
			flat = append(flat, m)
		}
	}
	return flat, nullable || o.has("nullable", true), nil
}

// typesOf returns the types that a schema names, or else those of its values.
func typesOf(path string, o object) ([]string, error) {
	typ, has := o.get("type")
	list, ok := typ.([]any)
	switch only, isConst := o.get("const"); {
	case ok:
	case has:
		list = []any{typ}
	case isConst:
		list = []any{typeOf(only)}
	default:
		enum, _ := o.get("enum")
		values, _ := enum.([]any)
		for _, v := range values {
			list = append(list, typeOf(v))
		}
	}
	if _, ok := o.get("properties"); ok && !has {
		list = []any{"object"}
	}
	var types []string
	for _, one := range list {
		name, _ := one.(string)
		switch name {
		case "string", "number", "integer", "boolean", "array", "null":
			types = append(types, name)
		case "object":
			return nil, refuse(ErrNested, path, "nested objects are not allowed")
		default:
			types = nil
		}
		if types == nil {
			break
		}
	}
	if len(types) == 0 {
		return nil, refuse(ErrSchema, join(path, "type"), "must be one of string, number, integer, boolean and array")
	}
	return types, nil
}

func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		if exact(v).IsInt() {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// oneType is the type that all of these are.
func oneType(path string, types []string) (string, error) {
	slices.Sort(types)
	types = slices.Compact(types)
	if slices.Equal(types, []string{"integer", "number"}) {
		return "number", nil
	}
	if len(types) > 1 {
		return "", refuse(ErrSchema, path, "a field can be of one type only, not of %s", strings.Join(types, " and "))
	}
	return types[0], nil
}
