package parley

import (
	"errors"
	"fmt"
	"io"
)

// Secret is a credential in the clear: a token, a client's secret. It prints as
// "(secret)" and cannot be marshalled, so that what holds one can be logged, and
// does not get into an answer by accident. Whoever stores or sends it says so with
// Reveal.
type Secret string

// ErrSecret is what marshalling a Secret says.
var ErrSecret = errors.New("a secret is not marshalled: reveal it, or leave it out")

// Reveal returns the value.
func (s Secret) Reveal() string { return string(s) }

// String hides the value. An empty one has none.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "(secret)"
}

// Format hides the value, whatever the verb.
func (s Secret) Format(to fmt.State, _ rune) { _, _ = io.WriteString(to, s.String()) }

// MarshalText refuses, but for an empty one: JSON, YAML and the handlers of slog
// ask it.
func (s Secret) MarshalText() ([]byte, error) {
	if s == "" {
		return nil, nil
	}
	return nil, ErrSecret
}
