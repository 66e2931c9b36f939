package permit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/strictjson"
)

// ArgumentPrefix is what the names of those fields of a question begin with in which
// an argument of its call can be changed: "args.amount". Each has the call's own value
// as its default.
const ArgumentPrefix = "args."

// Bounds of what can be changed in a form.
const (
	maxEditBytes  = 16 << 10 // of a call's canonical arguments
	maxEditFields = 40       // arguments of such a call
	maxSchema     = 64 << 10
	maxEditNumber = 15 // digits, so many of which every double keeps
)

// editable returns the fields in which the arguments of a call can be changed: of
// those that it has, the ones that its tool's input schema knows as one value, and
// that every surface gives back as they were if nobody touches them. All others stay
// as they are. What the server calls its arguments and their values is left out: the
// person knows them by the names that are sent.
func (s subject) editable() (fields []form.Field) {
	if len(s.Schema) == 0 || len(s.Schema) > maxSchema || s.size > maxEditBytes || len(s.args) > maxEditFields {
		return nil
	}
	v, err := strictjson.Read(s.Schema, maxArgsDepth)
	root, ok := v.(object)
	if err != nil || !ok {
		return nil
	}
	listed, _ := root.Get("properties")
	properties, _ := listed.(object)
	var shared object // what properties refer to
	for _, m := range root {
		if m.Name == "type" || m.Name == "$defs" || m.Name == "definitions" {
			shared = append(shared, m)
		}
	}
	for _, argument := range s.args {
		property, known := properties.Get(argument.Name)
		if !known || !typed(argument.Value) {
			continue
		}
		if f, ok := editField(shared, argument, property); ok {
			fields = append(fields, f)
		}
	}
	return fields
}

// editField is the field for one argument.
func editField(shared object, argument strictjson.Member, property any) (form.Field, bool) {
	one := append(object{{Name: "properties", Value: object{{Name: argument.Name, Value: property}}}}, shared...)
	parsed, err := form.Parse(appendCanonical(nil, one), &form.Limits{Bytes: 2 * maxSchema, Depth: maxArgsDepth})
	if err != nil {
		return form.Field{}, false
	}
	f := parsed.Fields()[0]
	f.Name, f.Title, f.Description = ArgumentPrefix+argument.Name, label(argument.Name, ""), ""
	f.Default = appendCanonical(nil, argument.Value)
	f.Required, f.Nullable, f.NullIfAbsent, f.EnumNames = false, false, false, false
	for i := range f.Options {
		f.Options[i].Title = ""
		if !legible.AsWritten(f.Options[i].Value, opaque) {
			return f, false
		}
	}
	if f.Format == "date-time" { // surfaces write the same moment in another zone
		f.Format = ""
	}
	if _, _, err := compilePattern(f.Pattern); err != nil {
		return f, false
	}
	alone, err := form.Of([]form.Field{f}, nil)
	if err != nil || alone.Fields()[0].Default == nil { // the call does not fit its own schema
		return f, false
	}
	return f, true
}

// typed reports whether an argument can stand in a control of a form and come back as
// it was.
func typed(v any) bool {
	switch v := v.(type) {
	case bool:
		return true
	case string:
		return legible.AsWritten(v, opaque)
	case json.Number: // browsers know doubles
		f, err := v.Float64()
		return err == nil && digits(v) <= maxEditNumber && equal(v, json.Number(strconv.FormatFloat(f, 'g', -1, 64)))
	}
	return false
}

// inexact reports whether a value is a number that a client may have rounded on its way.
func inexact(v any) bool {
	n, ok := v.(json.Number)
	return ok && !typed(n)
}

// digits counts those of a number, but for its exponent.
func digits(n json.Number) (count int) {
	for _, c := range n {
		switch {
		case c == 'e' || c == 'E':
			return count
		case c >= '0' && c <= '9':
			count++
		}
	}
	return count
}

// opaque reports characters that a control does not show as they are.
func opaque(c rune) bool { return c != '\n' && legible.Hidden(c) || legible.RightToLeft(c) }

// equal reports whether two values are the same, however their numbers are written.
func equal(a, b any) bool {
	n, isNumber := a.(json.Number)
	m, areBoth := b.(json.Number)
	if !isNumber || !areBoth {
		return a == b
	}
	x, readX := new(big.Rat).SetString(string(n))
	y, readY := new(big.Rat).SetString(string(m))
	return readX && readY && x.Cmp(y) == 0
}

// withEdits is a form with fields for the arguments, before its last field, and the
// choice to allow the call with what stands there then. Where nothing can be changed
// it is the form itself.
func withEdits(base json.RawMessage, edits []form.Field) (json.RawMessage, error) {
	schema, err := form.Parse(base, nil)
	if err != nil || len(edits) == 0 {
		return schemaJSON(schema), err
	}
	fields := schema.Fields()
	fields[0].Options = append(fields[0].Options, form.Option{Value: string(Changed), Title: "Allow with changes"})
	last := len(fields) - 1
	all := append(append(append([]form.Field{}, fields[:last]...), edits...), fields[last])
	schema, err = form.Of(all, nil)
	return schemaJSON(schema), err
}

func schemaJSON(s *form.Schema) json.RawMessage {
	if s == nil {
		return nil
	}
	return s.JSON()
}

// edits reads from the content of an answer which arguments were changed, by their
// names, and what is wrong with that.
func edits(schema, content json.RawMessage) (changed object, wrong []form.Violation) {
	if !bytes.Contains(schema, []byte(`"`+ArgumentPrefix)) {
		return nil, nil
	}
	parsed, err := form.Parse(schema, nil)
	v, unread := parse(content)
	entered, ok := v.(object)
	if err != nil || unread != nil || !ok {
		return nil, nil // the hub says so
	}
	fields := parsed.Fields()
	if len(fields) == 0 || !slices.ContainsFunc(fields[0].Options, func(o form.Option) bool { return o.Value == string(Changed) }) {
		return nil, nil // a form of somebody else's
	}
	for _, f := range fields {
		name, ok := strings.CutPrefix(f.Name, ArgumentPrefix)
		if !ok {
			continue
		}
		refuse := func(rule, sentence string) {
			wrong = append(wrong, form.Violation{Path: f.Name, Rule: rule, Message: fmt.Sprintf(sentence, f.Label())})
		}
		before, _ := parse(f.Default)
		after, given := entered.Get(f.Name)
		text, _ := after.(string)
		switch {
		case !given:
			refuse("required", "%s is missing: an argument can be changed, and not be left out.")
			continue
		case f.Of != "" && equal(before, json.Number(text)), equal(before, after):
			continue
		case inexact(after):
			refuse("digits", "%s has more digits than every program keeps: write at most 15.")
		case !legible.AsWritten(text, func(c rune) bool { return c != '\n' && legible.Hidden(c) }):
			refuse("format", "%s has characters that nobody can see.")
		case text != "" && !matches(f.Pattern, text):
			refuse("pattern", "%s does not have the form that this tool asks for.")
		}
		changed = append(changed, strictjson.Member{Name: name, Value: after})
	}
	return changed, wrong
}

// matches reports whether a text has the form that a pattern asks for, if there is one.
func matches(pattern, text string) bool {
	read, _, err := compilePattern(pattern)
	return err == nil && read.MatchString(text)
}

// checkEdits refuses an answer of which nobody could tell what is allowed by it: one
// that changes arguments in a way that cannot be, or beside another yes.
func checkEdits(schema, content json.RawMessage) error {
	changed, wrong := edits(schema, content)
	var a answer
	if len(changed)+len(wrong) == 0 || json.Unmarshal(content, &a) != nil {
		return nil
	}
	switch a.Decision {
	case Changed:
	case AllowOnce, AlwaysAllow:
		wrong = nil
		for _, m := range changed {
			wrong = append(wrong, form.Violation{
				Path: ArgumentPrefix + m.Name, Rule: "unused",
				Message: fmt.Sprintf("You changed %s. To use that, choose “Allow with changes”; or put it back.", label(m.Name, "")),
			})
		}
	default:
		return nil // it is not made
	}
	if len(wrong) == 0 {
		return nil
	}
	return &form.ContentError{Violations: wrong}
}

// checkMembers refuses a yes with something in it that the form does not have: whoever
// sends that means something by it, and the call would be made without.
func checkMembers(schema, content json.RawMessage) error {
	parsed, err := form.Parse(schema, nil)
	var a answer
	if err != nil || json.Unmarshal(content, &a) != nil {
		return nil // the hub says so
	}
	if a.Decision != AllowOnce && a.Decision != AlwaysAllow && a.Decision != Changed {
		return nil // it is not made
	}
	if wrong := parsed.Surplus(content); len(wrong) > 0 {
		return &form.ContentError{Violations: wrong}
	}
	return nil
}
