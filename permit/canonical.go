package permit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	maxArgsBytes = 1 << 20
	maxArgsDepth = 64
)

// Canonical returns the one form of a JSON text that all texts of the same
// meaning share: members in the order of their names' UTF-16 code units, no
// white space, strings with as few escapes as JSON allows. This is RFC 8785 but
// for numbers, which stay as they were written: 9007199254740993 must not turn
// into its neighbour, and 1 and 1.0 may not be the same to a tool.
//
// It returns ErrArguments for what two programs could read differently: a text
// that is not one JSON value, invalid UTF-8, half of a surrogate pair, a name
// that is given twice. And for more than 1 MiB, or more than 64 levels.
func Canonical(raw json.RawMessage) ([]byte, error) {
	v, err := parse(raw)
	if err != nil {
		return nil, err
	}
	return appendCanonical(make([]byte, 0, len(raw)), v), nil
}

// object is a JSON object, its members in canonical order.
type object []member

type member struct {
	name  string
	order []uint16 // the name as it is sorted
	value any
}

// parse reads one JSON value into nil, bool, string, json.Number, []any and
// object.
func parse(raw []byte) (any, error) {
	switch {
	case len(raw) > maxArgsBytes:
		return nil, fmt.Errorf("%w: %d bytes, %d are allowed", ErrArguments, len(raw), maxArgsBytes)
	case !utf8.Valid(raw):
		return nil, fmt.Errorf("%w: they are not valid UTF-8", ErrArguments)
	case !json.Valid(raw): // the decoder's tokens alone are laxer than the grammar
		return nil, fmt.Errorf("%w: they are not valid JSON", ErrArguments)
	case !paired(raw):
		return nil, fmt.Errorf("%w: they have one half of a surrogate pair", ErrArguments)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return parseValue(dec, 0)
}

// paired reports whether every escaped surrogate of a valid JSON text has its
// partner. The decoder would put the same character in place of any half.
func paired(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		i++
		if raw[i] != 'u' {
			continue
		}
		first := escaped(raw[i+1:])
		i += 4
		if !utf16.IsSurrogate(first) {
			continue
		}
		rest := raw[i+1:]
		if !bytes.HasPrefix(rest, []byte(`\u`)) || utf16.DecodeRune(first, escaped(rest[2:])) == unicode.ReplacementChar {
			return false
		}
		i += 6
	}
	return true
}

// escaped reads the four digits behind \u.
func escaped(digits []byte) rune {
	c, err := strconv.ParseUint(string(digits[:4]), 16, 16)
	if err != nil {
		return unicode.ReplacementChar // not in a valid text
	}
	return rune(c)
}

func parseValue(dec *json.Decoder, depth int) (any, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, fmt.Errorf("%w: they are not valid JSON", ErrArguments)
	}
	delim, ok := tok.(json.Delim)
	if !ok {
		return tok, nil
	}
	if depth++; depth > maxArgsDepth {
		return nil, fmt.Errorf("%w: more than %d levels of nesting", ErrArguments, maxArgsDepth)
	}
	if delim == '[' {
		return parseList(dec, depth)
	}
	return parseObject(dec, depth)
}

func parseList(dec *json.Decoder, depth int) ([]any, error) {
	list := []any{}
	for dec.More() {
		v, err := parseValue(dec, depth)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := dec.Token()
	return list, err
}

func parseObject(dec *json.Decoder, depth int) (object, error) {
	members := object{}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("%w: they are not valid JSON", ErrArguments)
		}
		name, _ := tok.(string)
		v, err := parseValue(dec, depth)
		if err != nil {
			return nil, err
		}
		members = append(members, member{name, utf16.Encode([]rune(name)), v})
	}
	slices.SortFunc(members, func(a, b member) int { return slices.Compare(a.order, b.order) })
	for i := 1; i < len(members); i++ {
		if members[i].name == members[i-1].name {
			return nil, fmt.Errorf("%w: %.60q is given twice", ErrArguments, members[i].name)
		}
	}
	_, err := dec.Token()
	return members, err
}

func appendCanonical(b []byte, v any) []byte {
	switch v := v.(type) {
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCanonical(b, e)
		}
		return append(b, ']')
	case object:
		b = append(b, '{')
		for i, m := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, m.name, nil), ':')
			b = appendCanonical(b, m.value)
		}
		return append(b, '}')
	}
	return appendScalar(b, v, nil)
}

// appendScalar writes what holds no other value; hide as in appendString.
func appendScalar(b []byte, v any, hide func(rune) bool) []byte {
	switch v := v.(type) {
	case string:
		return appendString(b, v, hide)
	case json.Number:
		return append(b, v...)
	case bool:
		return strconv.AppendBool(b, v)
	}
	return append(b, "null"...)
}

// appendString writes a JSON string. Characters that hide, if it is not nil,
// reports are written as escapes beyond those that JSON demands.
func appendString(b []byte, s string, hide func(rune) bool) []byte {
	const short = "\"\\\b\f\n\r\t"
	const letters = `"\bfnrt`
	b = append(b, '"')
	for _, c := range s {
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
