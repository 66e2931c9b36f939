package form

import (
	"encoding/json"
	"math"
	"slices"
)

// property reads the keywords of one field. It keeps the first error, so that a field is read in one go.
type property struct {
	path    string
	members object
	err     error
}

func (p *property) fail(sentinel error, keyword, format string, args ...any) {
	if p.err != nil {
		return
	}
	path := p.path
	if keyword != "" {
		path = join(path, keyword)
	}
	p.err = refuse(sentinel, path, format, args...)
}

func parseField(path, name string, v any, l Limits) (Field, error) {
	members, ok := v.(object)
	if !ok {
		return Field{}, refuse(ErrSchema, path, "must be an object that describes one field")
	}
	p := &property{path: path, members: members}
	f := Field{Name: name, Kind: p.kind(), Title: p.text("title"), Description: p.text("description")}
	switch f.Kind {
	case String:
		if f.Options = p.single(f.Kind, l); len(f.Options) > 0 {
			f.Kind = Choice
			break
		}
		f.Format, f.Pattern = p.format(), p.pattern()
		f.MinLength, f.MaxLength = p.count("minLength"), p.count("maxLength")
	case Number, Integer:
		if f.Options = p.single(f.Kind, l); len(f.Options) > 0 {
			f.Kind, f.Of = Choice, f.Kind
			break
		}
		p.bounds(&f)
	case Boolean:
		f.Only = p.only()
	case Choices:
		f.Options = p.multiple(l)
		f.MinItems, f.MaxItems = p.count("minItems"), p.count("maxItems")
	}
	if f.Kind == Choice {
		_, f.EnumNames = p.members.get("enumNames")
		f.EnumNames = f.EnumNames && slices.ContainsFunc(f.Options, func(o Option) bool { return o.Title != "" })
	}
	if v, ok := members.get("default"); ok {
		f.Default = appendJSON(nil, v)
	}
	return f, p.err
}

// kind returns the field's kind. What may also be null is asked for as what it is otherwise: to say nothing is to leave
// it out.
func (p *property) kind() Kind {
	typ, _ := p.members.get("type")
	if list, ok := typ.([]any); ok {
		list = slices.DeleteFunc(slices.Clone(list), func(one any) bool { return one == "null" })
		if len(list) == 1 {
			typ = list[0]
		}
	}
	switch typ {
	case "string", "number", "integer", "boolean":
		return Kind(typ.(string))
	case "array":
		return Choices
	case "object":
		p.fail(ErrNested, "", "nested objects are not allowed")
		return ""
	}
	for _, keyword := range []string{"$ref", "allOf", "anyOf", "oneOf", "properties", "items"} {
		if _, ok := p.members.get(keyword); ok && typ == nil {
			p.fail(ErrNested, "", "the keyword %q is not allowed in a field without a type", keyword)
		}
	}
	p.fail(ErrSchema, "type", "must be one of string, number, integer, boolean and array")
	return ""
}

// format returns one that can be checked here.
func (p *property) format() string {
	switch format := p.text("format"); format {
	case "email", "uri", "date", "date-time":
		return format
	}
	return ""
}

func (p *property) pattern() string {
	v, _ := p.members.get("pattern")
	pattern, _ := v.(string)
	return pattern
}

// bounds reads those of a number. Up to draft 4 true for an exclusive one means the other.
func (p *property) bounds(f *Field) {
	f.Minimum, f.Maximum = p.number("minimum"), p.number("maximum")
	for _, side := range []struct {
		keyword      string
		bound, other *json.Number
	}{{"exclusiveMinimum", &f.Above, &f.Minimum}, {"exclusiveMaximum", &f.Below, &f.Maximum}} {
		switch v, _ := p.members.get(side.keyword); v := v.(type) {
		case json.Number:
			*side.bound = v
		case bool:
			if v {
				*side.bound, *side.other = *side.other, ""
			}
		}
	}
	if v, _ := p.members.get("multipleOf"); v != nil {
		if n, ok := v.(json.Number); ok && exact(n).Sign() > 0 {
			f.MultipleOf = n
		}
	}
}

// only returns the one value of a yes or no that fits.
func (p *property) only() *bool {
	v, _ := p.members.get("const")
	if list, _ := p.members.get("enum"); v == nil {
		if one, ok := list.([]any); ok && len(one) == 1 {
			v = one[0]
		}
	}
	if b, ok := v.(bool); ok {
		return &b
	}
	return nil
}

func (p *property) text(keyword string) string {
	v, ok := p.members.get(keyword)
	if !ok {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		p.fail(ErrSchema, keyword, "must be a string")
	}
	return s
}

func (p *property) number(keyword string) json.Number {
	v, ok := p.members.get(keyword)
	if !ok {
		return ""
	}
	n, ok := v.(json.Number)
	if !ok {
		p.fail(ErrSchema, keyword, "must be a number")
	}
	return n
}

func (p *property) count(keyword string) *int {
	n := p.number(keyword)
	if n == "" {
		return nil
	}
	i, err := whole(n).Int64()
	if err != nil || i < 0 || i > math.MaxInt32 {
		p.fail(ErrSchema, keyword, "must be a whole number from 0 to %d", math.MaxInt32)
		return nil
	}
	return new(int(i))
}

// single reads the options of a choice: oneOf, enum with or without the legacy enumNames, or const. It returns none where
// these are something else: then people are asked as if they were not there.
func (p *property) single(kind Kind, l Limits) []Option {
	if titled, ok := p.members.get("oneOf"); ok {
		if options := p.titled("oneOf", titled, kind, l); len(options) > 0 {
			return options
		}
	}
	values, _ := p.members.get("enum")
	if options := p.enum(values, kind, l); len(options) > 0 {
		p.name(options, values)
		return distinct(options, kind)
	}
	if only, ok := p.members.get("const"); ok {
		return p.enum([]any{only}, kind, l)
	}
	return nil
}

// name gives options their legacy titles, if there is one for each value of enum.
func (p *property) name(options []Option, values any) {
	names, _ := p.members.get("enumNames")
	list, ok := names.([]any)
	if !ok || len(list) != len(values.([]any)) {
		return
	}
	for i, v := range list {
		if title, ok := v.(string); ok {
			options[i].Title = title
		}
	}
}

// multiple reads the options of choices: items with enum, or with anyOf.
func (p *property) multiple(l Limits) []Option {
	v, _ := p.members.get("items")
	members, ok := v.(object)
	if !ok {
		p.fail(ErrNested, "", "a list needs items with enum or anyOf to choose from")
		return nil
	}
	items := &property{path: join(p.path, "items"), members: members}
	typ, hasType := members.get("type")
	var options []Option
	if !hasType || typ == "string" {
		titled, _ := members.get("anyOf")
		if options = items.titled("anyOf", titled, String, l); len(options) == 0 {
			values, _ := members.get("enum")
			options = distinct(items.enum(values, String, l), String)
		}
	}
	if len(options) == 0 {
		items.fail(ErrNested, "", "only lists of strings with enum or anyOf to choose from are allowed")
	}
	if p.err == nil {
		p.err = items.err
	}
	return options
}

// enum reads values, or returns none if one of them is of another kind.
func (p *property) enum(v any, kind Kind, l Limits) []Option {
	list, ok := v.([]any)
	if !ok || !p.fits("enum", len(list), l) {
		return nil
	}
	options := make([]Option, len(list))
	for i, v := range list {
		if options[i].Value, ok = optionOf(v, kind); !ok {
			return nil
		}
	}
	return options
}

// titled reads values with titles, or returns none if one of them is something else.
func (p *property) titled(keyword string, v any, kind Kind, l Limits) []Option {
	list, ok := v.([]any)
	if !ok || !p.fits(keyword, len(list), l) {
		return nil
	}
	options := make([]Option, len(list))
	for i, v := range list {
		members, ok := v.(object)
		if !ok {
			return nil
		}
		value, _ := members.get("const")
		if options[i].Value, ok = optionOf(value, kind); !ok {
			return nil
		}
		title, _ := members.get("title")
		options[i].Title, _ = title.(string)
	}
	return distinct(options, kind)
}

// optionOf is the text of a value of a kind.
func optionOf(v any, kind Kind) (string, bool) {
	if s, ok := v.(string); kind == String {
		return s, ok
	}
	n, ok := v.(json.Number)
	if ok && kind == Integer {
		n = whole(n)
		ok = exact(n).IsInt()
	}
	return string(bound(n)), ok
}

// distinct leaves out what is offered again.
func distinct(options []Option, kind Kind) []Option {
	seen := map[string]bool{}
	return slices.DeleteFunc(options, func(o Option) bool {
		key := o.Value
		if kind != String {
			key = exact(json.Number(key)).RatString() // 0.5 is 5e-1
		}
		again := seen[key]
		seen[key] = true
		return again
	})
}

func (p *property) fits(keyword string, n int, l Limits) bool {
	if n > l.Options {
		p.fail(ErrTooLarge, keyword, "there are %d options where at most %d are allowed", n, l.Options)
		return false
	}
	return true
}
