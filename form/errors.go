package form

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// The errors of this package. Each is wrapped with the place and the reason.
var (
	// ErrSchema says that a JSON text or a Go type does not describe a form.
	ErrSchema = errors.New("not a form schema; " +
		"use one object whose properties are strings, numbers, integers, booleans or choices")

	// ErrNested says that a schema is not flat. It is an ErrSchema as well.
	ErrNested error = nestedError{}

	// ErrTooLarge says that a schema is over one of its Limits.
	ErrTooLarge = errors.New("the schema is too large; ask for less, or in several forms")

	// ErrContent says that an answer does not fit its schema; the error is a *ContentError.
	ErrContent = errors.New("the content does not fit the form; correct what is listed and send it again")
)

type nestedError struct{}

func (nestedError) Error() string {
	return "the schema is not flat; ask for each part in a field of its own"
}

func (nestedError) Unwrap() error { return ErrSchema }

// Violation is one reason why content does not fit.
type Violation struct {
	// Path is the field's name, with an index for one of several choices ("colors[1]"), or "" for the content as a whole.
	Path string `json:"path"`
	// Rule is the JSON Schema keyword that is broken, or "json" when the JSON text itself is refused.
	Rule string `json:"rule"`
	// Message is a sentence for the person who answers. It never repeats the values that the person entered.
	Message string `json:"message"`
}

// ContentError lists everything that is wrong with content, in the order of the fields.
// errors.Is(err, ErrContent) holds.
type ContentError struct {
	Violations []Violation `json:"violations"`
}

func (e *ContentError) Error() string {
	var b strings.Builder
	b.WriteString(ErrContent.Error())
	b.WriteByte(':')
	for _, v := range e.Violations {
		b.WriteByte(' ')
		b.WriteString(v.Message)
	}
	return b.String()
}

func (e *ContentError) Unwrap() error { return ErrContent }

// refuse wraps a sentinel with the place and the reason.
func refuse(sentinel error, path, format string, args ...any) error {
	reason := clip(fmt.Sprintf(format, args...))
	if path == "" {
		return fmt.Errorf("%s: %w", reason, sentinel)
	}
	return fmt.Errorf("%s: %s: %w", clip(path), reason, sentinel)
}

// clip keeps foreign text in errors short and on one line.
func clip(s string) string {
	const long = 300
	if len(s) > long {
		s = strings.ToValidUTF8(s[:long], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
