package mcpclient

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
)

// flaw is why clients may fail to compile a schema.
type flaw struct {
	reason string
	broken bool // nobody could; otherwise some can
}

// flawOf looks for what makes compilers of JSON Schema give up: keywords with
// values that are none for them, patterns and references that lead nowhere. What
// has an effect beyond the schema, such as an $id that another tool's may have
// too, is a flaw as well.
func flawOf(schema json.RawMessage) flaw {
	f := flawFinder{root: schema, found: map[string]bool{}, budget: maxFollowed}
	if len(schema) > MaxTool {
		f.unsure("its size")
		return f.flaw
	}
	f.schema(schema)
	return f.flaw
}

// maxFollowed is how many bytes are read to follow the references of a schema.
const maxFollowed = 16 << 20

type flawFinder struct {
	root   json.RawMessage
	flaw   flaw
	found  map[string]bool // references that were followed, and whether they lead to a schema
	budget int
}

// broken notes a flaw that is worse than one that only some have trouble with.
func (f *flawFinder) broken(keyword, reason string) {
	if !f.flaw.broken {
		f.flaw = flaw{keyword + ": " + reason, true}
	}
}

func (f *flawFinder) unsure(keyword string) {
	if f.flaw.reason == "" {
		f.flaw = flaw{keyword + ": not every client can compile it", false}
	}
}

// check looks at the value of a keyword. One that is not here is no concern of
// compilers.
func (f *flawFinder) check(keyword string, value json.RawMessage) {
	switch keyword {
	case "additionalProperties", "unevaluatedProperties", "propertyNames", "additionalItems", "unevaluatedItems", "contains",
		"not", "if", "then", "else":
		f.schema(value)
	case "items":
		f.innerOrMore(keyword, value)
	case "allOf", "anyOf", "oneOf", "prefixItems":
		f.innerList(keyword, value)
	case "properties", "$defs", "definitions", "dependentSchemas":
		f.innerNamed(keyword, value)
	case "patternProperties":
		f.byPattern(keyword, value)
	case "dependencies", "dependentRequired":
		f.dependencies(keyword, value)
	case "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
		"minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		f.number(keyword, value)
	case "type":
		f.types(keyword, value)
	case "enum":
		f.enum(keyword, value)
	case "required":
		f.words(keyword, value)
	case "uniqueItems", "nullable":
		f.truth(keyword, value)
	case "format":
		f.text(keyword, value)
	case "pattern":
		f.pattern(keyword, value)
	case "$ref":
		f.reference(keyword, value)
	case "$id", "id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef", "$recursiveAnchor", "$async", "$vocabulary":
		f.unsure(keyword)
	case "const", "default":
	default:
		if value[0] == '{' && hasAnchors(value) {
			f.unsure(keyword) // some look for anchors wherever there is an object
		}
	}
}

func (f *flawFinder) schema(raw json.RawMessage) {
	if !isSchema(raw) {
		f.broken("schema", "one in it is none")
		return
	}
	typed, nullable := false, json.RawMessage(nil)
	visit(raw, func(quoted, value []byte) bool {
		name := text(quoted)
		f.check(name, value)
		typed = typed || name == "type"
		if name == "nullable" {
			nullable = value
		}
		return !f.flaw.broken
	})
	if nullable != nil && (!typed || string(nullable) == "false") {
		f.unsure("nullable") // without a type it is an error for some, and so is false beside null
	}
}

// hasAnchors reports whether data may be taken for a schema with a name.
func hasAnchors(raw json.RawMessage) bool {
	return strings.Contains(string(raw), `"$id"`) || strings.Contains(string(raw), `Anchor"`) || strings.Contains(string(raw), `"$anchor"`) ||
		strings.Contains(string(raw), `\u`)
}

func (f *flawFinder) innerOrMore(keyword string, raw json.RawMessage) {
	if raw[0] == '[' {
		f.innerList(keyword, raw)
		return
	}
	f.schema(raw)
}

func (f *flawFinder) innerList(keyword string, raw json.RawMessage) {
	if !elements(raw, func(one []byte) bool {
		f.schema(one)
		return !f.flaw.broken
	}) {
		f.broken(keyword, "it is no list")
	}
}

func (f *flawFinder) named(keyword string, raw json.RawMessage, each func(name string, value json.RawMessage)) {
	if !visit(raw, func(quoted, value []byte) bool {
		if name := text(quoted); name == "__proto__" {
			f.unsure(name) // JavaScript reads it as something else
		} else {
			each(name, value)
		}
		return !f.flaw.broken
	}) {
		f.broken(keyword, "it is no object")
	}
}

func (f *flawFinder) innerNamed(keyword string, raw json.RawMessage) {
	f.named(keyword, raw, func(_ string, value json.RawMessage) { f.schema(value) })
}

func (f *flawFinder) byPattern(keyword string, raw json.RawMessage) {
	f.named(keyword, raw, func(name string, value json.RawMessage) {
		if !ecmaPattern(name) {
			f.broken(keyword, "it has a pattern that cannot be read")
			return
		}
		f.schema(value)
	})
}

func (f *flawFinder) dependencies(keyword string, raw json.RawMessage) {
	f.named(keyword, raw, func(_ string, value json.RawMessage) {
		if value[0] == '[' {
			f.words(keyword, value)
			return
		}
		f.schema(value)
	})
}

func (f *flawFinder) types(keyword string, raw json.RawMessage) {
	check := oneOf("object", "array", "string", "number", "integer", "boolean", "null")
	if raw[0] == '[' && string(raw) != "[]" {
		check = listOf(check)
	}
	if _, reason := check(raw); reason != "" {
		f.broken(keyword, reason)
	}
}

func (f *flawFinder) enum(keyword string, raw json.RawMessage) {
	n := 0
	if !elements(raw, func([]byte) bool { n++; return true }) || n == 0 {
		f.broken(keyword, "it is no list of values")
	}
}

func (f *flawFinder) words(keyword string, raw json.RawMessage) {
	if _, reason := listOf(aText)(raw); reason != "" {
		f.broken(keyword, reason)
	}
}

func (f *flawFinder) number(keyword string, raw json.RawMessage) {
	if _, err := strconv.ParseFloat(string(raw), 64); err != nil {
		f.broken(keyword, "it is no number")
	}
}

func (f *flawFinder) truth(keyword string, raw json.RawMessage) {
	if _, reason := aTruth(raw); reason != "" {
		f.broken(keyword, reason)
	}
}

func (f *flawFinder) text(keyword string, raw json.RawMessage) {
	if raw[0] != '"' {
		f.broken(keyword, "it is no text")
	}
}

func (f *flawFinder) pattern(keyword string, raw json.RawMessage) {
	if raw[0] != '"' || !ecmaPattern(text(raw)) {
		f.broken(keyword, "it cannot be read")
	}
}

// reference follows one inside the schema; where others lead is not known here.
func (f *flawFinder) reference(keyword string, raw json.RawMessage) {
	if raw[0] != '"' {
		f.broken(keyword, "it is no text")
		return
	}
	path, local := strings.CutPrefix(text(raw), "#")
	if !local || path != "" && path[0] != '/' || f.budget < 0 {
		f.unsure(keyword)
		return
	}
	leads, known := f.found[path]
	if !known {
		leads = isSchema(f.pointed(path))
		f.found[path] = leads
	}
	if !leads {
		f.broken(keyword, "it leads nowhere")
	}
}

// pointed returns what a JSON pointer leads to, or nil.
func (f *flawFinder) pointed(path string) json.RawMessage {
	path, err := url.PathUnescape(path)
	if err != nil {
		return nil
	}
	at := f.root
	for _, step := range strings.Split(path, "/")[1:] {
		f.budget -= len(at)
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if n, err := strconv.Atoi(step); err == nil && at[0] == '[' {
			at = nth(at, n)
		} else {
			at, _ = Member(at, step)
		}
		if at == nil {
			return nil
		}
	}
	return at
}

func nth(list json.RawMessage, n int) (found json.RawMessage) {
	i := 0
	elements(list, func(one []byte) bool {
		if i == n {
			found = one
		}
		i++
		return found == nil
	})
	return found
}
