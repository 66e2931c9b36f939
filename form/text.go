package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"strconv"
	"strings"

	"github.com/parley-hq/parley/strictjson"
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

func (o object) has(name string, value any) bool {
	v, ok := o.get(name)
	return ok && v == value
}

// textError says what is wrong with a JSON text, whatever it is for. Its reason continues a sentence about the path.
type textError struct {
	path, reason string
	depth        bool // the text is nested too deeply
}

func (e *textError) Error() string { return strings.TrimSpace(e.path + " " + e.reason) }

// read reads one JSON value strictly into nil, bool, string, json.Number, []any and object.
func read(raw []byte, depth int) (any, error) {
	v, err := strictjson.Read(raw, depth)
	if refused := (*strictjson.Error)(nil); errors.As(err, &refused) {
		return nil, &textError{path: refused.Path, reason: refused.Reason, depth: refused.Deep}
	}
	return own(v), err
}

func own(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = own(v[i])
		}
	case strictjson.Object:
		o := make(object, len(v))
		for i, m := range v {
			o[i] = member{m.Name, own(m.Value)}
		}
		return o
	}
	return v
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
