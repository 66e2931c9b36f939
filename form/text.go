package form

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// object is a JSON object in the order of its text.
type object []member

type member struct {
	name  string
	value any
}

func (o object) get(name string) (any, bool) {
	for _, m := range o {
		if m.name == name {
			return m.value, true
		}
	}
	return nil, false
}

// textError says what is wrong with a JSON text, whatever it is for. Its reason continues a sentence about the path.
type textError struct {
	path, reason string
	depth        bool // the text is nested too deeply
}

func (e *textError) Error() string { return strings.TrimSpace(e.path + " " + e.reason) }

// read decodes one JSON value into nil, bool, string, json.Number, []any and object. It refuses what encoding/json
// lets pass: invalid UTF-8, repeated names, and numbers so large that exact arithmetic on them would not end.
func read(raw []byte, depth int) (any, error) {
	if !utf8.Valid(raw) {
		return nil, &textError{reason: "is not valid UTF-8"}
	}
	r := reader{dec: json.NewDecoder(bytes.NewReader(raw)), max: depth}
	r.dec.UseNumber()
	v, err := r.value("", 0)
	if err != nil {
		return nil, err
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return nil, &textError{reason: "has something after its end"}
	}
	if !json.Valid(raw) { // Token has been laxer than the grammar before
		return nil, &textError{reason: "is not valid JSON"}
	}
	return v, nil
}

type reader struct {
	dec *json.Decoder
	max int
}

func (r *reader) value(path string, depth int) (any, error) {
	tok, err := r.dec.Token()
	if err != nil {
		return nil, &textError{reason: "is not valid JSON"}
	}
	switch tok := tok.(type) {
	case json.Number:
		if !ordinary(tok) {
			return nil, &textError{path: path, reason: "is a number too large or too long to work with"}
		}
		return tok, nil
	case json.Delim:
		depth++
		if depth > r.max {
			reason := fmt.Sprintf("is nested %d levels deep where at most %d are allowed", depth, r.max)
			return nil, &textError{path: path, reason: reason, depth: true}
		}
		if tok == '[' {
			return r.list(path, depth)
		}
		return r.object(path, depth)
	default:
		return tok, nil
	}
}

func (r *reader) list(path string, depth int) ([]any, error) {
	list := []any{}
	for r.dec.More() {
		v, err := r.value(item(path, len(list)), depth)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, r.close()
}

func (r *reader) object(path string, depth int) (object, error) {
	members, seen := object{}, map[string]bool{}
	for r.dec.More() {
		tok, err := r.dec.Token()
		name, ok := tok.(string)
		if err != nil || !ok {
			return nil, &textError{reason: "is not valid JSON"}
		}
		if seen[name] {
			return nil, &textError{path: join(path, name), reason: "is given twice"}
		}
		seen[name] = true
		v, err := r.value(join(path, name), depth)
		if err != nil {
			return nil, err
		}
		members = append(members, member{name, v})
	}
	return members, r.close()
}

func (r *reader) close() error {
	if _, err := r.dec.Token(); err != nil {
		return &textError{reason: "is not valid JSON"}
	}
	return nil
}

// ordinary tells whether a number is within the range of a float64 and short enough for exact arithmetic: the value of
// 1e999999999 has a billion digits.
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

// exact returns the value of an ordinary number.
func exact(n json.Number) *big.Rat {
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return new(big.Rat)
	}
	return r
}

// whole writes an integer such as 3.0 or 1e2 in plain digits, and leaves any other number as it is.
func whole(n json.Number) json.Number {
	if r := exact(n); r.IsInt() {
		return json.Number(r.Num().String())
	}
	return n
}

// appendJSON writes what read returns, and ints, without the white space and the HTML escapes of encoding/json.
func appendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return appendText(b, v)
	case json.Number:
		return append(b, v...)
	case json.RawMessage:
		return append(b, v...)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case bool:
		return strconv.AppendBool(b, v)
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, e)
		}
		return append(b, ']')
	case object:
		b = append(b, '{')
		for i, m := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, m.name), ':')
			b = appendJSON(b, m.value)
		}
		return append(b, '}')
	default:
		return append(b, "null"...)
	}
}

func appendText(b []byte, s string) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string into memory cannot fail
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func item(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
