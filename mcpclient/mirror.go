package mcpclient

import (
	"bytes"
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Mirror is an argument of a tool that is repeated in a header of its calls. From
// 2026-07-28 on a server may want that: it says so in the schema of the tool
// (x-mcp-header) and refuses calls without.
type Mirror struct {
	path   []string
	header string
}

// property is the part of a schema that says what is repeated in headers.
type property struct {
	Type       string                     `json:"type"`
	Header     string                     `json:"x-mcp-header"`
	Properties map[string]json.RawMessage `json:"properties"`
}

// Mirrors finds the arguments that a tool's input schema wants in headers. What
// cannot be a header is left out: the server has to say what it makes of that.
func Mirrors(schema json.RawMessage) []Mirror { return mirrors(schema, nil) }

func mirrors(schema json.RawMessage, path []string) []Mirror {
	if !bytes.Contains(schema, []byte(`"x-mcp-header"`)) {
		return nil
	}
	var p property
	if json.Unmarshal(schema, &p) != nil {
		return nil
	}
	var all []Mirror
	if len(path) > 0 && headerToken(p.Header) && slices.Contains([]string{"string", "integer", "boolean"}, p.Type) {
		all = append(all, Mirror{path, "Mcp-Param-" + p.Header})
	}
	for name, inner := range p.Properties {
		all = append(all, mirrors(inner, append(slices.Clone(path), name))...)
	}
	return all
}

// headerToken reports whether name can be part of a header's name.
func headerToken(name string) bool {
	for i := range len(name) {
		c := name[i] | 0x20
		if !('a' <= c && c <= 'z' || '0' <= name[i] && name[i] <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", name[i]) >= 0) {
			return false
		}
	}
	return name != ""
}

// Set adds the header to those of a call with these arguments, if it has the one
// that is meant.
func (m Mirror) Set(to http.Header, arguments json.RawMessage) {
	value, ok := arguments, len(arguments) > 0
	for i := 0; i < len(m.path) && ok; i++ {
		value, ok = Member(value, m.path[i])
	}
	if text, is := plainText(value); ok && is {
		to.Set(m.header, HeaderText(text))
	}
}

// maxExact is the largest whole number that every program reads the same.
const maxExact = 1<<53 - 1

// plainText is a string, a truth value or a whole number as a header has it.
func plainText(value json.RawMessage) (string, bool) {
	var decoded any
	if json.Unmarshal(value, &decoded) != nil {
		return "", false
	}
	switch v := decoded.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		return strconv.FormatInt(int64(v), 10), v == math.Trunc(v) && math.Abs(v) <= maxExact
	}
	return "", false
}
