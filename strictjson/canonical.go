package strictjson

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Canonical reads one value and returns the one form that all texts of the same
// meaning share: members in the order of their names' UTF-16 code units, no
// white space, strings with as few escapes as JSON allows. This is RFC 8785 but
// for numbers, which stay as they were written: 9007199254740993 must not turn
// into its neighbour, and 1 and 1.0 may not be the same to a tool. Its error is
// an *Error.
func Canonical(raw []byte, depth int) ([]byte, error) {
	t, err := open(raw, depth)
	if err != nil {
		return nil, err
	}
	return t.canonical(make([]byte, 0, len(raw)), 0)
}

// Part is a member of an object whose value was not taken apart.
type Part struct {
	Name  string
	Value []byte // in its canonical form
}

// Parts reads one object as Canonical does, and returns its members in the order of
// the text. What is no object has none. Its error is an *Error.
func Parts(raw []byte, depth int) ([]Part, error) {
	t, err := open(raw, depth)
	if err != nil {
		return nil, err
	}
	if t.next() != '{' {
		_, err := t.canonical(nil, 0)
		return nil, err
	}
	b, members, err := t.members(make([]byte, 0, len(raw)), 1)
	if err != nil {
		return nil, err
	}
	parts := make([]Part, len(members))
	for i, m := range members {
		parts[i] = Part{m.name, b[m.value:m.end:m.end]}
	}
	return parts, nil
}

// Sorted puts the members of all objects of v into their canonical order, and
// returns v.
func Sorted(v any) any {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			Sorted(e)
		}
	case Object:
		slices.SortFunc(v, func(a, b Member) int { return compareUTF16(a.Name, b.Name) })
		for _, m := range v {
			Sorted(m.Value)
		}
	}
	return v
}

// compareUTF16 compares by UTF-16 code units, in which characters beyond U+FFFF
// come before those from U+E000.
func compareUTF16(a, b string) int {
	if ascii(a) && ascii(b) {
		return strings.Compare(a, b)
	}
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

// Append writes a value of Read without white space. In strings, characters that
// hide reports, if it is not nil, are written as escapes beyond those that JSON
// demands.
func Append(b []byte, v any, hide func(rune) bool) []byte {
	switch v := v.(type) {
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = Append(b, e, hide)
		}
		return append(b, ']')
	case Object:
		b = append(b, '{')
		for i, m := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(AppendString(b, m.Name, hide), ':')
			b = Append(b, m.Value, hide)
		}
		return append(b, '}')
	case string:
		return AppendString(b, v, hide)
	case json.Number:
		return append(b, v...)
	case bool:
		return strconv.AppendBool(b, v)
	}
	return append(b, "null"...)
}

// AppendString writes a JSON string; hide as in Append.
func AppendString(b []byte, s string, hide func(rune) bool) []byte {
	const short = "\"\\\b\f\n\r\t"
	const letters = `"\bfnrt`
	b = append(b, '"')
	for _, c := range s {
		if hide == nil && c < utf8.RuneSelf && !escapes[c] {
			b = append(b, byte(c))
			continue
		}
		if i := strings.IndexRune(short, c); i >= 0 {
			b = append(b, '\\', letters[i])
			continue
		}
		if c >= ' ' && (hide == nil || !hide(c)) {
			b = utf8.AppendRune(b, c)
			continue
		}
		for _, unit := range utf16.Encode([]rune{c}) {
			b = fmt.Appendf(b, `\u%04x`, unit)
		}
	}
	return append(b, '"')
}

// escapes has the characters of ASCII that JSON writes as escapes.
var escapes = func() (all [utf8.RuneSelf]bool) {
	for c := range ' ' {
		all[c] = true
	}
	all['"'], all['\\'] = true, true
	return all
}()
