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
	"io"
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
	switch {
	case !utf8.Valid(raw):
		return nil, &Error{Reason: "is not valid UTF-8"}
	case !paired(raw):
		return nil, &Error{Reason: "has one half of a surrogate pair"}
	}
	r := reader{dec: json.NewDecoder(bytes.NewReader(raw)), max: depth}
	r.dec.UseNumber()
	v, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return nil, &Error{Reason: "has something after its end"}
	}
	if !json.Valid(raw) { // Token has been laxer than the grammar before
		return nil, notJSON()
	}
	return v, nil
}

// broken is the reason of an error that is about the whole text.
const broken = "is not valid JSON"

func notJSON() error { return &Error{Reason: broken} }

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

type reader struct {
	dec *json.Decoder
	max int
}

func (r *reader) value(depth int) (any, error) {
	tok, err := r.dec.Token()
	if err != nil {
		return nil, notJSON()
	}
	switch tok := tok.(type) {
	case json.Number:
		if !ordinary(tok) {
			return nil, &Error{Reason: "is a number too large or too long to work with"}
		}
		return tok, nil
	case json.Delim:
		depth++
		if depth > r.max {
			reason := fmt.Sprintf("is nested %d levels deep where at most %d are allowed", depth, r.max)
			return nil, &Error{Reason: reason, Deep: true}
		}
		if tok == '[' {
			return r.list(depth)
		}
		return r.object(depth)
	default:
		return tok, nil
	}
}

func (r *reader) list(depth int) ([]any, error) {
	list := []any{}
	for r.dec.More() {
		v, err := r.value(depth)
		if err != nil {
			return nil, within(Item("", len(list)), err)
		}
		list = append(list, v)
	}
	return list, r.close()
}

func (r *reader) object(depth int) (Object, error) {
	members, seen := Object{}, map[string]string{}
	for r.dec.More() {
		tok, err := r.dec.Token()
		name, ok := tok.(string)
		if err != nil || !ok {
			return nil, notJSON()
		}
		folded := Fold(name)
		if other, twice := seen[folded]; twice && other == name {
			return nil, within(name, &Error{Reason: "is given twice"})
		} else if twice {
			return nil, within(name, &Error{Reason: fmt.Sprintf("stands beside %.60q, and some programs take one for the other", other)})
		}
		seen[folded] = name
		v, err := r.value(depth)
		if err != nil {
			return nil, within(name, err)
		}
		members = append(members, Member{name, v})
	}
	return members, r.close()
}

func (r *reader) close() error {
	if _, err := r.dec.Token(); err != nil {
		return notJSON()
	}
	return nil
}

// within puts a step in front of the path of an error that is about one place.
func within(step string, err error) error {
	e, ok := err.(*Error)
	if !ok || e.Path == "" && e.Reason == broken {
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
func ordinary(n json.Number) bool {
	const maxDigits, maxExponent = 400, 400
	if len(n) > maxDigits {
		return false
	}
	if i := strings.IndexAny(string(n), "eE"); i >= 0 {
		exponent, err := strconv.Atoi(string(n[i+1:]))
		if err != nil || exponent > maxExponent || exponent < -maxExponent {
			return false
		}
	}
	_, err := n.Float64()
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
