package pages

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/parley-hq/parley/form"
)

// entries is a form as a person sent it, and what is wrong with it.
type entries struct {
	sent       url.Values
	violations []form.Violation
}

// inputName keeps the names of fields apart from ours.
func inputName(f form.Field) string { return "field." + f.Name }

// zoneName is the input beside a date and time, which browsers ask for without
// a zone.
func zoneName(f form.Field) string { return inputName(f) + ".zone" }

// optionValue names an option by its place: its own value may be empty, or have
// line breaks that a browser would change.
func optionValue(i int) string { return "option-" + strconv.Itoa(i) }

// content is the answer that was entered, as JSON. Whether it fits the schema
// is for the hub to say.
func (e *entries) content(fields []form.Field) (json.RawMessage, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, f := range fields {
		v, given := e.value(f)
		if !given {
			continue
		}
		name, err := json.Marshal(f.Name)
		if err != nil {
			return nil, err
		}
		data, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(data)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// value is what was entered into a field. What cannot be a value of its kind is
// passed on as it is, for the schema to refuse.
func (e *entries) value(f form.Field) (v any, given bool) {
	if isArgument(f) && !e.sent.Has(inputName(f)) {
		return nil, false // it was not shown, so nobody has emptied it
	}
	switch f.Kind {
	case form.Boolean:
		return e.boolean(f)
	case form.Choices:
		chosen := []any{}
		for _, place := range e.sent[inputName(f)] {
			chosen = append(chosen, optionAt(f, place))
		}
		return chosen, len(chosen) > 0 || f.Required || f.Default != nil
	}
	if e.blank(f) {
		return empty(f)
	}
	text := e.text(f)
	switch f.Kind {
	case form.Choice:
		return optionAt(f, text), true
	case form.Integer, form.Number:
		if n, ok := number(text); ok {
			return n, true
		}
	}
	return text, true
}

// empty is the value of a field that was left empty. Leaving out one that has a
// default would bring the default back, which is not what the person saw.
func empty(f form.Field) (v any, given bool) {
	switch {
	case f.Default == nil:
		return nil, false
	case f.Kind == form.String && !f.Required && !f.Nullable:
		return "", true
	}
	return nil, true // null, which fits no other field
}

func (e *entries) boolean(f form.Field) (v any, given bool) {
	switch text := e.sent.Get(inputName(f)); {
	case text == "true":
		return true, true
	case text == "false" || !isYesNo(f):
		return false, true
	}
	return nil, false
}

// blank reports whether a field was left empty.
func (e *entries) blank(f form.Field) bool {
	text := e.sent.Get(inputName(f))
	if f.Kind == form.String && f.Format == "" && !f.Required {
		return text == ""
	}
	return strings.TrimSpace(text) == ""
}

// text is what was entered, as it was typed; browsers send line breaks as two
// characters. Where spaces around it mean nothing they go.
func (e *entries) text(f form.Field) string {
	text := strings.ReplaceAll(e.sent.Get(inputName(f)), "\r\n", "\n")
	if f.Kind != form.String || f.Format != "" {
		text = strings.TrimSpace(text)
	}
	if f.Format == "date-time" {
		return withZone(text, e.sent.Get(zoneName(f)))
	}
	return text
}

// minutesOnly is how browsers send a time on the full minute.
var minutesOnly = regexp.MustCompile(`T\d\d:\d\d$`)

// withZone completes what a browser sends for a date and time. What has a zone
// already is left alone.
func withZone(text, zone string) string {
	if minutesOnly.MatchString(text) {
		text += ":00"
	}
	if at := strings.IndexByte(text, 'T'); at < 0 || strings.ContainsAny(text[at:], "Z+-") {
		return text
	}
	return text + zone
}

func optionAt(f form.Field, place string) any {
	for i, o := range f.Options {
		if place == optionValue(i) {
			return o.Value
		}
	}
	return nil
}

var (
	jsonNumber  = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
	typedNumber = regexp.MustCompile(`^([-+\x{2212}]?)0*([0-9]*)(\.[0-9]*)?([eE][+-]?[0-9]+)?$`)
)

// number reads a number as people write it, such as +5, 007 or .5, without
// losing a digit.
func number(text string) (json.Number, bool) {
	if jsonNumber.MatchString(text) {
		return json.Number(text), true
	}
	part := typedNumber.FindStringSubmatch(text)
	if part == nil || !strings.ContainsAny(text, "0123456789") {
		return "", false
	}
	sign, whole, fraction, exponent := part[1], part[2], strings.TrimSuffix(part[3], "."), part[4]
	if sign != "" && sign != "+" {
		sign = "-"
	} else {
		sign = ""
	}
	if whole == "" {
		whole = "0"
	}
	n := sign + whole + fraction + exponent
	return json.Number(n), jsonNumber.MatchString(n)
}
