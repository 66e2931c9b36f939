package pages

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/parley-hq/parley/form"
)

// entries is a form as a person sent it, and what is wrong with it.
type entries struct {
	sent       url.Values
	violations []form.Violation
}

// entered is what was sent, as forms read it. Fields that change an argument are not
// shown to everybody: a program may send a decision alone.
func (e *entries) entered() form.Entries { return form.Entries{Sent: e.sent, Partly: isArgument} }

// error is what is wrong with a field, in sentences.
func (e *entries) error(f form.Field) string {
	var sentences []string
	for _, v := range e.violations {
		if !concerns(v, f) {
			continue
		}
		if f.Required && f.Kind != form.Choices && e.entered().Blank(f) {
			return f.Label() + " is required."
		}
		if e.emptied(f) {
			return f.Label() + " cannot be left empty; its default is " + defaultText(f) + "."
		}
		sentences = append(sentences, v.Message)
	}
	return strings.Join(slices.Compact(sentences), " ")
}

// emptied reports a field that was left empty where that brings its default back, and is no text.
func (e *entries) emptied(f form.Field) bool {
	single := f.Kind == form.Integer || f.Kind == form.Number || f.Format != ""
	return single && f.Default != nil && e.sent.Has(form.InputName(f)) && e.entered().Blank(f)
}

// defaultText is the default of a field of one value, as it is written.
func defaultText(f form.Field) string {
	var text string
	if json.Unmarshal(f.Default, &text) != nil {
		return string(f.Default) // a number, with all its digits
	}
	return text
}

// concerns reports whether a violation is about a field or one of its choices.
func concerns(v form.Violation, f form.Field) bool {
	return v.Path == f.Name || f.Kind == form.Choices && strings.HasPrefix(v.Path, f.Name+"[")
}
