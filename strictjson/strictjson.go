// Package strictjson reads JSON texts of which no two programs make different
// things, and refuses all others.
//
// What one program shows to a person, digests or rules on, another one carries
// out. If the text lets them disagree, somebody approves one thing and another
// is done. So this reader refuses
//
//   - a name that an object has twice: some readers take the first, some the last;
//   - names that differ only in letter case, as Unicode folds it: Go, and others,
//     take either for the other;
//   - invalid UTF-8 and half of a surrogate pair: each reader puts something else
//     in its place;
//   - a number beyond the range of a double: infinite to some, an error to others;
//   - more levels than the caller allows, and everything that RFC 8259 does not.
//
// Whole numbers of any length keep their digits. A reader that knows only doubles
// rounds those beyond 2^53, in any text.
//
// Values are nil, bool, string, json.Number, []any and Object. An example:
//
//	canonical, err := strictjson.Canonical(arguments, 64)
//	...
//	show(canonical); digest(canonical); send(canonical)
package strictjson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Object is a JSON object in the order of its text.
type Object []Member

// Member is one member of an Object.
type Member struct {
	Name  string
	Value any
}

// Get returns the value of the member with exactly this name.
func (o Object) Get(name string) (any, bool) {
	for _, m := range o {
		if m.Name == name {
			return m.Value, true
		}
	}
	return nil, false
}

// Error says why a text is refused. Its reason continues a sentence about the
// path, which is empty where it is about the whole text.
type Error struct {
	Path, Reason string
	Deep         bool // the text has more levels than were allowed
}

func (e *Error) Error() string { return cmp.Or(e.Path, "the text") + " " + e.Reason }

// Read reads one value with at most depth levels. Its error is an *Error.
func Read(raw []byte, depth int) (any, error) {
	t, err := open(raw, depth)
	if err != nil {
		return nil, err
	}
	return t.value(0)
}

// open looks at all that can be said of a text before its values are known.
func open(raw []byte, depth int) (*text, error) {
	switch {
	case !utf8.Valid(raw):
		return nil, &Error{Reason: "is not valid UTF-8"}
	case !paired(raw):
		return nil, &Error{Reason: "has one half of a surrogate pair"}
	case !json.Valid(raw):
		return nil, invalid(raw, depth)
	}
	return &text{raw: raw, max: depth}, nil
}

// invalid says what is wrong with a text that is not JSON, or nests deeper than
// the standard library reads.
func invalid(raw []byte, depth int) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	var first json.RawMessage
	if dec.Decode(&first) == nil {
		return &Error{Reason: "has something after its end"}
	}
	if deepest := levels(raw); deepest > depth {
		return tooDeep(deepest, depth)
	}
	return &Error{Reason: "is not valid JSON"}
}

// levels counts how deep the brackets nest that are not in strings.
func levels(raw []byte) (deepest int) {
	open, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			open++
			deepest = max(deepest, open)
		case c == ']' || c == '}':
			open--
		}
	}
	return deepest
}

func tooDeep(levels, allowed int) error {
	return &Error{Reason: fmt.Sprintf("is nested %d levels deep where at most %d are allowed", levels, allowed), Deep: true}
}

// paired reports whether every escaped surrogate has its partner. The decoder
// would put the same character in place of any half.
func paired(raw []byte) bool {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 || i+1 >= len(raw) {
			return true
		}
		if raw[i+1] != 'u' {
			raw = raw[i+2:]
			continue
		}
		first := escaped(raw[i+2:])
		raw = raw[min(i+6, len(raw)):]
		if !utf16.IsSurrogate(first) {
			continue
		}
		if !bytes.HasPrefix(raw, []byte(`\u`)) || utf16.DecodeRune(first, escaped(raw[2:])) == unicode.ReplacementChar {
			return false
		}
		raw = raw[min(6, len(raw)):]
	}
}

// escaped reads the four digits behind \u.
func escaped(digits []byte) rune {
	if len(digits) < 4 {
		return unicode.ReplacementChar // not in a valid text
	}
	c, err := strconv.ParseUint(string(digits[:4]), 16, 16)
	if err != nil {
		return unicode.ReplacementChar
	}
	return rune(c)
}

// within puts a step in front of the path of an error that is about one place.
func within(step string, err error) error {
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	if e.Path == "" || strings.HasPrefix(e.Path, "[") {
		e.Path = step + e.Path
	} else {
		e.Path = Join(step, e.Path)
	}
	return e
}

// ordinary tells whether a number is within the range of a double and short
// enough for exact arithmetic: the value of 1e999999999 has a billion digits.
func ordinary(n []byte) bool {
	const short, maxDigits, maxExponent = 16, 400, 400
	exponent := bytes.IndexAny(n, "eE")
	if exponent < 0 && len(n) <= short {
		return true
	}
	if len(n) > maxDigits {
		return false
	}
	if exponent >= 0 {
		exponent, err := strconv.Atoi(string(n[exponent+1:]))
		if err != nil || exponent > maxExponent || exponent < -maxExponent {
			return false
		}
	}
	_, err := strconv.ParseFloat(string(n), 64)
	return err == nil
}

// Join is the path of an object's member, Item that of a list's.
func Join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// Item is the path of a list's member.
func Item(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
