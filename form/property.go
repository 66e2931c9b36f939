package form

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"slices"
)

// property reads the keywords of one field. It keeps the first error, so that a field is read in one go.
type property struct {
	path    string
	root    object // the form
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

func parseField(root object, name string, v any, l Limits) (Field, error) {
	path := join("properties", name)
	members, ok := v.(object)
	if !ok {
		return Field{}, refuse(ErrSchema, path, "must be an object that describes one field")
	}
	members, nullable, err := simplify(root, path, members)
	if err != nil {
		return Field{}, err
	}
	p := &property{path: path, root: root, members: members}
	f := Field{Name: name, Kind: p.kind(), Title: p.text("title"), Description: p.text("description"), Nullable: nullable, NullIfAbsent: nullable && members.has("x-null-if-absent", true)}
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
	if v, ok := members.get("default"); ok && (v != nil || !nullable) {
		f.Default = appendJSON(nil, v)
	}
	return f, p.err
}

// kind returns the kind of a field of one type.
func (p *property) kind() Kind {
	typ, _ := p.members.get("type")
	if typ == "array" {
		return Choices
	}
	return Kind(typ.(string))
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

// single reads the options of a choice: oneOf or anyOf, enum with or without the legacy enumNames, or const. It returns none where
// these are something else: then people are asked as if they were not there.
func (p *property) single(kind Kind, l Limits) []Option {
	for _, keyword := range []string{"oneOf", "anyOf"} {
		titled, _ := p.members.get(keyword)
		if options := p.titled(keyword, titled, kind, l); len(options) > 0 {
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
		p.fail(ErrSchema, "", "a list needs items with enum or anyOf to choose from")
		return nil
	}
	path := join(p.path, "items")
	flat, _, err := simplify(p.root, path, members)
	if errors.Is(err, ErrNested) || errors.Is(err, ErrTooLarge) {
		p.err = cmp.Or(p.err, err)
		return nil
	}
	items := &property{path: path, members: flat}
	var options []Option
	switch typ, _ := flat.get("type"); typ {
	case "string":
		options = items.single(String, l)
	case "array":
		items.fail(ErrNested, "", "lists in lists are not allowed")
	}
	if len(options) == 0 {
		items.fail(ErrSchema, "", "only lists of strings with enum or anyOf to choose from are allowed")
	}
	p.err = cmp.Or(p.err, items.err)
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
