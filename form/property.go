package form

import (
	"encoding/json"
	"math"
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
		f.Format = p.text("format")
		f.MinLength, f.MaxLength = p.count("minLength"), p.count("maxLength")
	case Number, Integer:
		f.Minimum, f.Maximum = p.number("minimum"), p.number("maximum")
	case Choice:
		f.Options = p.single(l)
		_, f.EnumNames = p.members.get("enumNames")
	case Choices:
		f.Options = p.multiple(l)
		f.MinItems, f.MaxItems = p.count("minItems"), p.count("maxItems")
		p.flag("uniqueItems")
	}
	if v, ok := members.get("default"); ok {
		f.Default = appendJSON(nil, v)
	}
	return f, p.err
}

// kind returns the field's kind after it has refused every keyword that the kind does not know.
func (p *property) kind() Kind {
	typ, _ := p.members.get("type")
	var kind Kind
	switch typ {
	case "string":
		kind = String
		for _, keyword := range []string{"enum", "oneOf", "enumNames"} {
			if _, ok := p.members.get(keyword); ok {
				kind = Choice
			}
		}
	case "number":
		kind = Number
	case "integer":
		kind = Integer
	case "boolean":
		kind = Boolean
	case "array":
		kind = Choices
	case "object":
		p.fail(ErrNested, "", "nested objects are not allowed")
		return ""
	}
	for _, m := range p.members {
		switch {
		case annotation(m.name) || keywordOf(kind, m.name):
		case nesting(m.name):
			p.fail(ErrNested, "", "the keyword %q is not allowed in a field", m.name)
		case kind != "":
			p.fail(ErrSchema, "", "the keyword %q is not allowed in a field of type %q", m.name, typ)
		}
	}
	if kind == "" {
		p.fail(ErrSchema, "type", "must be one of string, number, integer, boolean and array")
	}
	return kind
}

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

func (p *property) flag(keyword string) {
	if v, ok := p.members.get(keyword); ok {
		if _, ok := v.(bool); !ok {
			p.fail(ErrSchema, keyword, "must be true or false")
		}
	}
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

// single reads the options of a choice: oneOf, or enum with or without the legacy enumNames.
func (p *property) single(l Limits) []Option {
	_, hasEnum := p.members.get("enum")
	names, hasNames := p.members.get("enumNames")
	if titled, ok := p.members.get("oneOf"); ok {
		if hasEnum || hasNames {
			p.fail(ErrSchema, "oneOf", "cannot be combined with enum or enumNames")
		}
		return p.titled("oneOf", titled, l)
	}
	options := p.enum(l)
	if !hasNames {
		return options
	}
	list, ok := names.([]any)
	if !ok || len(list) != len(options) {
		p.fail(ErrSchema, "enumNames", "must be a list with one title for each of the %d values of enum", len(options))
		return nil
	}
	for i, v := range list {
		title, ok := v.(string)
		if !ok {
			p.fail(ErrSchema, item("enumNames", i), "must be a string")
		}
		options[i].Title = title
	}
	return options
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
	titled, isTitled := members.get("anyOf")
	_, isEnum := members.get("enum")
	typ, hasType := members.get("type")
	for _, m := range members {
		switch {
		case annotation(m.name), m.name == "type", m.name == "title", m.name == "description":
		case m.name == "anyOf" && !isEnum, m.name == "enum":
		default:
			items.fail(ErrNested, "", "the keyword %q is not allowed in the items of a list", m.name)
		}
	}
	if (hasType || !isTitled) && typ != "string" || !isTitled && !isEnum {
		items.fail(ErrNested, "", "only lists of strings with enum or anyOf to choose from are allowed")
	}
	var options []Option
	if isTitled {
		options = items.titled("anyOf", titled, l)
	} else {
		options = items.enum(l)
	}
	if p.err == nil {
		p.err = items.err
	}
	return options
}

func (p *property) enum(l Limits) []Option {
	v, _ := p.members.get("enum")
	list, ok := v.([]any)
	if !ok {
		p.fail(ErrSchema, "enum", "must be a list of strings")
		return nil
	}
	if !p.fits("enum", len(list), l) {
		return nil
	}
	options := make([]Option, len(list))
	for i, v := range list {
		value, ok := v.(string)
		if !ok {
			p.fail(ErrSchema, item("enum", i), "must be a string")
		}
		options[i].Value = value
	}
	return options
}

func (p *property) titled(keyword string, v any, l Limits) []Option {
	list, ok := v.([]any)
	if !ok {
		p.fail(ErrSchema, keyword, "must be a list of objects with const and title")
		return nil
	}
	if !p.fits(keyword, len(list), l) {
		return nil
	}
	options := make([]Option, len(list))
	for i, v := range list {
		options[i] = p.option(item(keyword, i), v)
	}
	return options
}

func (p *property) option(place string, v any) Option {
	members, ok := v.(object)
	if !ok {
		p.fail(ErrSchema, place, "must be an object with const and title")
		return Option{}
	}
	entry := &property{path: join(p.path, place), members: members}
	for _, m := range members {
		switch {
		case annotation(m.name), m.name == "title", m.name == "description":
		case m.name == "const":
		case m.name == "type" && m.value == "string":
		case nesting(m.name):
			entry.fail(ErrNested, "", "the keyword %q is not allowed in an option", m.name)
		default:
			entry.fail(ErrSchema, "", "the keyword %q is not allowed in an option", m.name)
		}
	}
	if _, ok := members.get("const"); !ok {
		entry.fail(ErrSchema, "", "const is missing")
	}
	o := Option{Value: entry.text("const"), Title: entry.text("title")}
	if p.err == nil {
		p.err = entry.err
	}
	return o
}

func (p *property) fits(keyword string, n int, l Limits) bool {
	if n > l.Options {
		p.fail(ErrTooLarge, keyword, "there are %d options where at most %d are allowed", n, l.Options)
		return false
	}
	return true
}
