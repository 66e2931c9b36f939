package form

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Of makes a form of these fields, in their order. As with Parse a default that does not fit is none, and the errors are
// the same.
func Of(fields []Field, limits *Limits) (*Schema, error) {
	own := make([]Field, len(fields))
	for i, f := range fields {
		own[i] = f.clone()
	}
	return build(own, limits.orDefault(), true, func(f Field) string { return join("properties", f.Name) })
}

// build makes a schema of fields from either source. It checks what a field says against itself; place names a field in
// the source's own terms. Of a foreign schema a default that does not fit is left out.
func build(fields []Field, l Limits, foreign bool, place func(Field) string) (*Schema, error) {
	if len(fields) > l.Fields {
		return nil, tooManyFields(len(fields), l)
	}
	s := &Schema{fields: fields, defaults: make([]any, len(fields))}
	for i := range fields {
		f := &fields[i]
		if err := settle(f, place(*f), l); err != nil {
			return nil, err
		}
	}
	s.compiled = sync.OnceValues(func() (*jsonschema.Schema, error) { return compile(s.fields) })
	if err := s.takeDefaults(foreign, place); err != nil {
		return nil, err
	}
	for i := range fields {
		fields[i].NullIfAbsent = fields[i].NullIfAbsent && fields[i].Default == nil
	}
	s.wire = appendJSON(nil, wire(fields))
	if len(s.wire) > l.Bytes {
		return nil, refuse(ErrTooLarge, "", "the schema has %d bytes where at most %d are allowed", len(s.wire), l.Bytes)
	}
	return s, nil
}

func tooManyFields(n int, l Limits) error {
	return refuse(ErrTooLarge, "", "the schema has %d fields where at most %d are allowed", n, l.Fields)
}

// settle puts one field into its canonical form, and refuses it if nothing could satisfy it.
func settle(f *Field, path string, l Limits) error {
	if reason := badName(f.Name); reason != "" {
		return refuse(ErrSchema, path, "%s", reason)
	}
	f.Minimum, f.Maximum, f.Above, f.Below = bound(f.Minimum), bound(f.Maximum), bound(f.Above), bound(f.Below)
	if f.Minimum != "" && f.Maximum != "" && exact(f.Minimum).Cmp(exact(f.Maximum)) > 0 {
		return refuse(ErrSchema, path, "minimum %s is more than maximum %s", f.Minimum, f.Maximum)
	}
	if over(f.MinLength, f.MaxLength) {
		return refuse(ErrSchema, path, "minLength %d is more than maxLength %d", *f.MinLength, *f.MaxLength)
	}
	if over(f.MinItems, f.MaxItems) {
		return refuse(ErrSchema, path, "minItems %d is more than maxItems %d", *f.MinItems, *f.MaxItems)
	}
	switch f.Format {
	case "", "email", "uri", "date", "date-time":
	default:
		return refuse(ErrSchema, path, "the format %q is not one of email, uri, date and date-time", f.Format)
	}
	if f.Kind == Choice || f.Kind == Choices {
		return settleOptions(f, path, l)
	}
	return nil
}

func settleOptions(f *Field, path string, l Limits) error {
	if len(f.Options) == 0 {
		return refuse(ErrSchema, path, "there are no options to choose from")
	}
	if len(f.Options) > l.Options {
		return refuse(ErrTooLarge, path, "there are %d options where at most %d are allowed", len(f.Options), l.Options)
	}
	if f.MinItems != nil && *f.MinItems > len(f.Options) {
		return refuse(ErrSchema, path, "minItems %d is more than the %d options", *f.MinItems, len(f.Options))
	}
	values, titled := map[string]bool{}, false
	for _, o := range f.Options {
		if values[o.Value] {
			return refuse(ErrSchema, path, "the option %q is offered twice", o.Value)
		}
		values[o.Value] = true
		titled = titled || o.Title != ""
	}
	for i, o := range f.Options {
		if titled && o.Title == "" {
			f.Options[i].Title = o.Value
		}
	}
	return nil
}

func over(low, high *int) bool { return low != nil && high != nil && *low > *high }

// bound writes a bound such as 18.0 as people read it, while that stays short.
func bound(n json.Number) json.Number {
	const short = 20
	if n == "" {
		return ""
	}
	if w := whole(n); len(w) <= short {
		return w
	}
	return n
}

func badName(name string) string {
	switch {
	case name == "":
		return "a field needs a name"
	case len(name) > maxNameBytes:
		return fmt.Sprintf("a field's name has %d bytes where at most %d are allowed", len(name), maxNameBytes)
	case strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Sprintf("the field name %q has control characters", name)
	}
	return ""
}

// takeDefaults validates the defaults as if a person had entered them, and keeps them as Check will use them.
func (s *Schema) takeDefaults(foreign bool, place func(Field) string) error {
	values := map[string]any{}
	for i, f := range s.fields {
		if f.Default == nil {
			continue
		}
		v, err := read(f.Default, maxContentDepth)
		if err != nil {
			return schemaText(err)
		}
		values[strconv.Itoa(i)] = plain(f, v)
	}
	if len(values) == 0 {
		return nil
	}
	var found []finding
	if !s.plainlyFit(values) {
		var err error
		if found, err = s.validate(values); err != nil {
			return err
		}
	}
	for _, v := range found {
		switch {
		case v.Rule == "required": // it has no default
		case foreign:
			delete(values, strconv.Itoa(v.field))
			s.fields[v.field].Default = nil
		default:
			return refuse(ErrSchema, join(place(s.fields[v.field]), "default"), "%s", strings.TrimSuffix(v.Message, "."))
		}
	}
	for i := range s.fields {
		if v, ok := values[strconv.Itoa(i)]; ok {
			s.defaults[i] = normal(s.fields[i], v)
			s.fields[i].Default = appendJSON(nil, s.defaults[i])
		}
	}
	return nil
}

// wire writes fields as MCP defines them.
func wire(fields []Field) object {
	properties, required := object{}, []any{}
	for _, f := range fields {
		properties = append(properties, member{f.Name, wireField(f)})
		if f.Required {
			required = append(required, f.Name)
		}
	}
	root := object{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		root = append(root, member{"required", required})
	}
	return root
}

func wireField(f Field) object {
	o := object{{"type", f.jsonType()}}
	o = addText(o, "title", f.Title)
	o = addText(o, "description", f.Description)
	switch f.Kind {
	case Choice:
		if f.EnumNames {
			o = append(o, wireEnumNames(f)...)
		} else {
			o = append(o, wireOptions("oneOf", f))
		}
	case Boolean:
		if f.Only != nil {
			o = append(o, member{"const", *f.Only})
		}
	case Choices:
		items := object{}
		if f.Options[0].Title == "" {
			items = object{{"type", "string"}}
		}
		o = append(o, member{"items", append(items, wireOptions("anyOf", f))})
	}
	o = addText(o, "format", f.Format)
	o = addCount(o, "minLength", f.MinLength)
	o = addCount(o, "maxLength", f.MaxLength)
	o = addText(o, "pattern", f.Pattern)
	o = addNumber(o, "minimum", f.Minimum)
	o = addNumber(o, "maximum", f.Maximum)
	o = addNumber(o, "exclusiveMinimum", f.Above)
	o = addNumber(o, "exclusiveMaximum", f.Below)
	o = addNumber(o, "multipleOf", f.MultipleOf)
	o = addCount(o, "minItems", f.MinItems)
	o = addCount(o, "maxItems", f.MaxItems)
	if f.Default != nil {
		o = append(o, member{"default", f.Default})
	}
	if f.Nullable {
		o = append(o, member{"nullable", true})
	}
	if f.NullIfAbsent {
		o = append(o, member{"x-null-if-absent", true})
	}
	return o
}

func wireOptions(keyword string, f Field) member {
	list := make([]any, len(f.Options))
	for i, o := range f.Options {
		if o.Title == "" {
			keyword, list[i] = "enum", f.valueOf(o)
		} else {
			list[i] = object{{"const", f.valueOf(o)}, {"title", o.Title}}
		}
	}
	return member{keyword, list}
}

// wireEnumNames writes titles the way clients of MCP 2025-06-18 know them.
func wireEnumNames(f Field) object {
	values, names := make([]any, len(f.Options)), make([]any, len(f.Options))
	for i, o := range f.Options {
		values[i], names[i] = f.valueOf(o), o.Label()
	}
	return object{{"enum", values}, {"enumNames", names}}
}

// valueOf is an option's value as it is in JSON.
func (f Field) valueOf(o Option) any {
	if f.Of != "" {
		return json.Number(o.Value)
	}
	return o.Value
}

func (f Field) jsonType() string {
	switch {
	case f.Kind == Choice && f.Of != "":
		return string(f.Of)
	case f.Kind == Choice:
		return "string"
	case f.Kind == Choices:
		return "array"
	}
	return string(f.Kind)
}

func addText(o object, keyword, s string) object {
	if s == "" {
		return o
	}
	return append(o, member{keyword, s})
}

func addNumber(o object, keyword string, n json.Number) object {
	if n == "" {
		return o
	}
	return append(o, member{keyword, n})
}

func addCount(o object, keyword string, n *int) object {
	if n == nil {
		return o
	}
	return append(o, member{keyword, *n})
}
