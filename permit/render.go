package permit

import (
	"fmt"
	"strings"

	"github.com/parley-hq/parley/legible"
)

// message is what the person reads: the call itself, whole, and nothing that
// anybody said about it. Every value is quoted, so that none can pass for a
// line of ours, and no line can be shown in another order than it has.
// Where it is for somebody else than the person, head says whose call it is.
func (s subject) message(most int, head string) (string, error) {
	if s.size > most { // what is shown is longer still: do not even make it
		return "", fmt.Errorf("arguments of %d bytes, %d can be shown: %w", s.size, most, ErrTooLong)
	}
	var b strings.Builder
	b.WriteString("Allow this call?\n\n" + head + s.target() + "Arguments:\n")
	b.Write(appendPretty(nil, s.args, "\n"))
	message := legible.Ordered(b.String())
	if len(message) > most {
		return "", fmt.Errorf("%d bytes, %d can be shown: %w", len(message), most, ErrTooLong)
	}
	return message, nil
}

// target says what is called.
func (s subject) target() string {
	return fmt.Sprintf("Service: %s\nTool: %s\n", label(s.Server, s.ServerTitle), label(s.Tool, s.ToolTitle))
}

// label names a thing by its real name; what it calls itself stands behind, in
// quotes.
func label(name, title string) string {
	shown := name
	if strings.ContainsFunc(name, unusual) {
		shown = quoted(name)
	}
	if title == "" || title == name {
		return shown
	}
	return shown + " (" + quoted(title) + ")"
}

// unusual reports characters that names of servers and tools do without.
func unusual(c rune) bool {
	return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("_-.:/@", c)
}

func quoted(s string) string { return string(appendString(nil, s, legible.Hidden)) }

// appendPretty writes a value over several lines; newline ends a line and
// indents the next.
func appendPretty(b []byte, v any, newline string) []byte {
	inner := newline + "  "
	switch v := v.(type) {
	case []any:
		if len(v) == 0 {
			return append(b, "[]"...)
		}
		b = append(b, '[')
		for i, e := range v {
			b = append(b, separator(i, inner)...)
			b = appendPretty(b, e, inner)
		}
		return append(append(b, newline...), ']')
	case object:
		if len(v) == 0 {
			return append(b, "{}"...)
		}
		b = append(b, '{')
		for i, m := range v {
			b = append(b, separator(i, inner)...)
			b = append(appendString(b, m.Name, legible.Hidden), ": "...)
			b = appendPretty(b, m.Value, inner)
		}
		return append(append(b, newline...), '}')
	}
	return appendScalar(b, v, legible.Hidden)
}

func separator(i int, newline string) string {
	if i == 0 {
		return newline
	}
	return "," + newline
}
