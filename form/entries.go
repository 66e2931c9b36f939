package form

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Entries is a form as a person filled it in: texts by [InputName], of an option its [OptionValue], as browsers send
// them. Other surfaces write what they take the same way, so that what was entered means the same everywhere.
type Entries struct {
	Sent url.Values

	// Partly reports fields that a surface may show or not: one that was not sent was not shown, and nobody has emptied
	// it. A yes or no among them has to be said. Default: all are shown.
	Partly func(Field) bool
}

// InputName keeps the names of fields apart from those of a surface.
func InputName(f Field) string { return "field." + f.Name }

// ZoneName is the input beside a date and time, which browsers ask for without a zone.
func ZoneName(f Field) string { return InputName(f) + ".zone" }

// OptionValue names an option by its place: its own value may be empty, or have line breaks that a browser would change.
func OptionValue(i int) string { return "option-" + strconv.Itoa(i) }

// Content is the answer that was entered, as JSON. Whether it fits the schema is for Check to say.
func (e Entries) Content(fields []Field) json.RawMessage {
	answer := object{}
	for _, f := range fields {
		if v, given := e.Value(f); given {
			answer = append(answer, member{f.Name, v})
		}
	}
	return appendJSON(nil, answer)
}

// Value is what was entered into a field. What cannot be a value of its kind is passed on as it is, for the schema to
// refuse.
func (e Entries) Value(f Field) (v any, given bool) {
	if e.partly(f) && !e.Sent.Has(InputName(f)) {
		return nil, false
	}
	switch f.Kind {
	case Boolean:
		return e.boolean(f)
	case Choices:
		chosen := []any{}
		for _, place := range inOrder(e.Sent[InputName(f)], Prefilled(f)[InputName(f)]) {
			chosen = append(chosen, optionAt(f, place))
		}
		return chosen, len(chosen) > 0 || f.Required || f.Default != nil
	}
	if e.Blank(f) {
		return empty(f)
	}
	text := e.text(f)
	switch f.Kind {
	case Choice:
		return optionAt(f, text), true
	case Integer, Number:
		if n, ok := number(text); ok {
			return n, true
		}
	}
	return text, true
}

// inOrder are the places that were sent, which browsers send in the order of the options: in that of the default where
// they are the same.
func inOrder(sent, before []string) []string {
	if slices.Equal(slices.Sorted(slices.Values(sent)), slices.Sorted(slices.Values(before))) {
		return before
	}
	return sent
}

func (e Entries) partly(f Field) bool { return e.Partly != nil && e.Partly(f) }

// empty is the value of a field that was left empty. Leaving out one that has a default would bring the default back,
// which is not what the person saw.
func empty(f Field) (v any, given bool) {
	switch {
	case f.Default == nil:
		return nil, false
	case f.Kind == String && !f.Required && !f.Nullable:
		return "", true
	}
	return nil, true // null, which fits no other field
}

func (e Entries) boolean(f Field) (v any, given bool) {
	switch text := e.Sent.Get(InputName(f)); {
	case text == "true":
		return true, true
	case text == "false" || !e.YesNo(f):
		return false, true
	}
	return nil, false
}

// YesNo reports whether a yes or no must be said: an empty checkbox would say no for somebody who overlooked it. So it
// would where there may be no answer, and of a field that is shown or not.
func (e Entries) YesNo(f Field) bool {
	return f.Kind == Boolean && ((f.Required || f.Nullable) && f.Default == nil || e.partly(f))
}

// Blank reports whether a field was left empty.
func (e Entries) Blank(f Field) bool {
	text := e.Sent.Get(InputName(f))
	if f.Kind == String && f.Format == "" && !f.Required {
		return text == ""
	}
	return strings.TrimSpace(text) == ""
}

// text is what was entered, as it was typed; browsers send line breaks as two characters. Where spaces around it mean
// nothing they go.
func (e Entries) text(f Field) string {
	text := strings.ReplaceAll(e.Sent.Get(InputName(f)), "\r\n", "\n")
	if f.Kind != String || f.Format != "" {
		text = strings.TrimSpace(text)
	}
	if f.Format == "date-time" {
		return withZone(text, e.Sent.Get(ZoneName(f)))
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

func optionAt(f Field, place string) any {
	for i, o := range f.Options {
		if place == OptionValue(i) {
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
