package form

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Check validates the content of an accepted form and returns it in the schema's own order: absent fields are filled in
// with their defaults, required or not; fields that the schema does not name are left out; an integer such as 3.0 or
// 1e2 becomes 3 or 100, so that it decodes into a Go integer. Text is kept as it was typed. No content at all is {}.
//
// Unless the schema itself is broken, the error is a *ContentError with all violations in the order of the fields.
func (s *Schema) Check(content []byte) (json.RawMessage, error) {
	values, err := s.read(content)
	if err != nil {
		return nil, err
	}
	nulls := s.takeNulls(values)
	for i, v := range s.defaults {
		if _, ok := values[strconv.Itoa(i)]; !ok && v != nil && !nulls[i] {
			values[strconv.Itoa(i)] = v
		}
	}
	found, err := s.violations(values)
	if err != nil {
		return nil, err
	}
	if len(found) > 0 {
		e := &ContentError{}
		for _, v := range found {
			e.Violations = append(e.Violations, v.Violation)
		}
		return nil, e
	}
	result := object{}
	for i, f := range s.fields {
		if v, ok := values[strconv.Itoa(i)]; ok {
			result = append(result, member{f.Name, normal(f, v)})
		} else if nulls[i] || f.NullIfAbsent {
			result = append(result, member{f.Name, nil})
		}
	}
	return appendJSON(nil, result), nil
}

// Surplus are the members of content that the schema does not name, of which Check says nothing: the first ten. Whoever
// sends one has most likely mistaken a name, and what they meant by it would be left out. Their Rule is "unknown".
func (s *Schema) Surplus(content []byte) []Violation {
	const most = 10
	v, err := read(content, maxContentDepth)
	members, ok := v.(object)
	if err != nil || !ok {
		return nil // which Check says
	}
	var all []Violation
	for _, m := range members {
		if slices.ContainsFunc(s.fields, func(f Field) bool { return f.Name == m.name }) {
			continue
		}
		if len(all) == most {
			break
		}
		all = append(all, Violation{Path: clip(m.name), Rule: "unknown", Message: shown(clip(m.name)) + " is not in this form, and would change nothing: leave it out."})
	}
	return all
}

// takeNulls takes the nulls that fit out of the values, which are then all of their field's kind.
func (s *Schema) takeNulls(values map[string]any) map[int]bool {
	nulls := map[int]bool{}
	for i, f := range s.fields {
		if v, ok := values[strconv.Itoa(i)]; ok && v == nil && f.Nullable {
			nulls[i] = true
			delete(values, strconv.Itoa(i))
		}
	}
	return nulls
}

// read decodes content into values by the index of their field. The validator then meets no foreign names, and its
// findings lead straight back to the field.
func (s *Schema) read(content []byte) (map[string]any, error) {
	values := map[string]any{}
	if len(bytes.TrimSpace(content)) == 0 {
		return values, nil
	}
	if len(content) > maxContentBytes {
		return nil, broken("", "json", fmt.Sprintf("The answer has %d bytes where at most %d are allowed.",
			len(content), maxContentBytes))
	}
	v, err := read(content, maxContentDepth)
	var text *textError
	if errors.As(err, &text) {
		return nil, broken(text.path, "json", s.subject(text.path)+" "+text.reason+".")
	}
	members, ok := v.(object)
	if !ok {
		return nil, broken("", "type", "The answer must be a JSON object with one member per field.")
	}
	index := make(map[string]int, len(s.fields))
	for i, f := range s.fields {
		index[f.Name] = i
	}
	for _, m := range members {
		if i, ok := index[m.name]; ok {
			values[strconv.Itoa(i)] = plain(s.fields[i], m.value)
		}
	}
	return values, nil
}

func broken(path, rule, message string) error {
	return &ContentError{Violations: []Violation{{Path: clip(path), Rule: rule, Message: message}}}
}

// plain turns a value into what the validator knows. A list longer than the field's options fits in no case, so its
// tail is cut off: one item too many says it all, and the work stays bounded.
func plain(f Field, v any) any {
	switch v := v.(type) {
	case string:
		// Surfaces know options by their texts, whatever they are texts of.
		if f.Of != "" && slices.ContainsFunc(f.Options, func(o Option) bool { return o.Value == v }) {
			return json.Number(v)
		}
	case object:
		m := make(map[string]any, len(v))
		for _, e := range v {
			m[e.name] = plain(Field{}, e.value)
		}
		return m
	case []any:
		if f.Kind == Choices && len(v) > len(f.Options) {
			v = v[:len(f.Options)+1]
		}
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = plain(Field{}, e)
		}
		return list
	}
	return v
}

// normal puts a valid value into its canonical form.
func normal(f Field, v any) any {
	n, ok := v.(json.Number)
	switch {
	case !ok:
		return v
	case f.Kind == Integer:
		return whole(n)
	case f.Kind == Choice:
		for _, o := range f.Options {
			if exact(n).Cmp(exact(json.Number(o.Value))) == 0 {
				return json.Number(o.Value)
			}
		}
	}
	return v
}

// compile makes the validator. Its schema is our own: fields are named by index, titles play no part, and a format
// stands in allOf because the validator would otherwise stop at it and hide a wrong length.
func compile(fields []Field) (*jsonschema.Schema, error) {
	properties, required := map[string]any{}, []any{}
	for i, f := range fields {
		properties[strconv.Itoa(i)] = rules(f)
		if f.Required {
			required = append(required, strconv.Itoa(i))
		}
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft7)
	c.AssertFormat()
	c.UseLoader(noLoader{})
	for _, f := range formats() {
		c.RegisterFormat(f)
	}
	doc := map[string]any{"type": "object", "properties": properties, "required": required}
	if err := c.AddResource("form:schema", doc); err != nil {
		return nil, fmt.Errorf("form: compiling: %w", err)
	}
	sch, err := c.Compile("form:schema")
	if err != nil {
		return nil, fmt.Errorf("form: compiling: %w", err)
	}
	return sch, nil
}

// noLoader keeps the validator away from files and networks.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("form: a schema cannot refer to %s", url)
}

func rules(f Field) map[string]any {
	m := map[string]any{"type": f.jsonType()}
	for _, r := range wireField(f) {
		switch r.name {
		case "minLength", "maxLength", "minItems":
			m[r.name] = json.Number(strconv.Itoa(r.value.(int)))
		case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "const":
			m[r.name] = r.value
		case "format":
			m["allOf"] = assertions(f.Format)
		}
	}
	values := make([]any, len(f.Options))
	for i, o := range f.Options {
		values[i] = f.valueOf(o)
	}
	switch f.Kind {
	case Choice:
		m["enum"] = values
	case Choices:
		m["items"] = map[string]any{"type": "string", "enum": values}
		m["maxItems"] = json.Number(strconv.Itoa(f.maxItems()))
		m["uniqueItems"] = true
	}
	return m
}

// maxItems is the number of choices that can be made: choices are distinct.
func (f Field) maxItems() int {
	if f.MaxItems != nil {
		return min(*f.MaxItems, len(f.Options))
	}
	return len(f.Options)
}

type finding struct {
	Violation
	field int
}

// violations validates values and returns what it finds in the order of the fields.
func (s *Schema) violations(values map[string]any) ([]finding, error) {
	if s.complete(values) && s.plainlyFit(values) {
		return nil, nil
	}
	return s.validate(values)
}

func (s *Schema) validate(values map[string]any) ([]finding, error) {
	sch, err := s.compiled()
	if err != nil {
		return nil, err
	}
	err = sch.Validate(values)
	if err == nil {
		return nil, nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil, fmt.Errorf("form: validating: %w", err)
	}
	found := s.findings(invalid, nil)
	slices.SortStableFunc(found, func(a, b finding) int { return cmp.Compare(a.field, b.field) })
	return slices.Compact(found), nil // two assertions of one format may both fail
}

func (s *Schema) findings(e *jsonschema.ValidationError, found []finding) []finding {
	if missing, ok := e.ErrorKind.(*kind.Required); ok {
		for _, name := range missing.Missing {
			found = append(found, s.finding([]string{name}, "required"))
		}
		return found
	}
	if len(e.Causes) == 0 {
		rule := "json"
		if keyword := e.ErrorKind.KeywordPath(); len(keyword) > 0 {
			rule = keyword[0]
		}
		return append(found, s.finding(e.InstanceLocation, rule))
	}
	for _, cause := range e.Causes {
		found = s.findings(cause, found)
	}
	return found
}

// finding names the place and the rule in the form's terms. A location is a field's index, and an item's where the item
// of a list is meant.
func (s *Schema) finding(location []string, rule string) finding {
	if len(location) == 0 {
		return finding{Violation{Rule: rule, Message: "The answer does not fit the form."}, -1}
	}
	field, _ := strconv.Atoi(location[0])
	f, place := s.fields[field], -1
	path := f.Name
	if len(location) > 1 {
		place, _ = strconv.Atoi(location[1])
		path = item(path, place)
	}
	return finding{Violation{Path: path, Rule: rule, Message: sentence(f, rule, place)}, field}
}
