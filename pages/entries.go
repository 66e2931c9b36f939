package pages

import (
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
		sentences = append(sentences, v.Message)
	}
	return strings.Join(slices.Compact(sentences), " ")
}

// concerns reports whether a violation is about a field or one of its choices.
func concerns(v form.Violation, f form.Field) bool {
	return v.Path == f.Name || f.Kind == form.Choices && strings.HasPrefix(v.Path, f.Name+"[")
}
