// Package form holds flat form schemas as MCP elicitation defines them: what a program may ask of a person in one form,
// and whether an answer fits.
//
// Its nouns: a [Schema] is one form, a [Field] one question of it, a [Kind] says how the field is asked. A schema comes
// from foreign JSON through [Parse], from a Go struct through [For] or from fields through [Of]; an answer goes through [Schema.Check], which
// either returns content that is complete and safe to decode, or a [ContentError] that lists every [Violation] with a
// sentence for the person.
//
//	type Order struct {
//		Size  string `json:"size" form:"title=Size,enum=s|m|l,titles=Small|Medium|Large,default=m"`
//		Count int    `json:"count" jsonschema:"How many cups" form:"title=Cups,minimum=1,maximum=9"`
//	}
//	schema, err := form.For[Order]()
//	content, err := schema.Check([]byte(`{"count": 2}`)) // {"size":"m","count":2}
//
// A schema never changes after it is made; everything here is safe for concurrent use.
package form

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Kind says how a field is asked and what its value is.
type Kind string

// The kinds of field. A choice's value is a string, or a number where Field.Of says so; the value of choices is a list of
// distinct strings.
const (
	String  Kind = "string"
	Number  Kind = "number"
	Integer Kind = "integer"
	Boolean Kind = "boolean"
	Choice  Kind = "choice"
	Choices Kind = "choices"
)

// Option is one thing to choose; of a number the value is its text. Either all options of a field have a title or none
// has.
type Option struct {
	Value, Title string
}

// Label returns what to show: the title, or the value if there is none.
func (o Option) Label() string {
	if o.Title != "" {
		return o.Title
	}
	return o.Value
}

// Field is one question of a form. What its kind does not use is zero; a nil or empty bound means there is none.
type Field struct {
	Name, Title, Description string
	Kind                     Kind
	Required                 bool
	Format                   string      // String: email, uri, date or date-time
	MinLength, MaxLength     *int        // String: in characters
	Pattern                  string      // String: a regular expression of ECMA-262, for browsers and for who asks to check
	Minimum, Maximum         json.Number // Number, Integer: as written, so that big integers keep their digits
	Above, Below             json.Number // Number, Integer: exclusiveMinimum and exclusiveMaximum
	MultipleOf               json.Number // Number, Integer
	Only                     *bool       // Boolean: the one value that fits
	Of                       Kind        // Choice: Number or Integer, where the options are such; otherwise they are strings
	Options                  []Option    // Choice, Choices
	EnumNames                bool        // Choice: titles go on the wire as the legacy enumNames, the way they came
	MinItems, MaxItems       *int        // Choices
	Nullable                 bool        // null fits as well, and says that there is no answer; it is not Required then
	NullIfAbsent             bool        // who asks wants to hear null where there is no answer
	Default                  json.RawMessage
}

// Label returns what to show: the title, or the name if there is none.
func (f Field) Label() string {
	if f.Title != "" {
		return f.Title
	}
	return f.Name
}

func (f Field) clone() Field {
	f.MinLength, f.MaxLength = clonePointer(f.MinLength), clonePointer(f.MaxLength)
	f.MinItems, f.MaxItems = clonePointer(f.MinItems), clonePointer(f.MaxItems)
	f.Only = clonePointer(f.Only)
	f.Options = slices.Clone(f.Options)
	f.Default = bytes.Clone(f.Default)
	return f
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

// Schema is one form. It is immutable; make one with [Parse], [For], [ForType] or [Of].
// The first Check of a schema costs far more than the next ones, so keep a schema that is used again.
type Schema struct {
	fields   []Field
	defaults []any // by field; nil where there is none
	wire     json.RawMessage
	compiled func() (*jsonschema.Schema, error)
}

// Fields returns a copy of the form's fields in the order of the JSON text or the struct.
func (s *Schema) Fields() []Field {
	fields := make([]Field, len(s.fields))
	for i, f := range s.fields {
		fields[i] = f.clone()
	}
	return fields
}

// JSON returns the schema as MCP 2025-11-25 and 2026-07-28 define it, properties in order. Titled choices are written
// with oneOf or anyOf, whatever they were read from, and annotations other than titles and descriptions of fields are
// left out. Parse reads it back to an equal schema.
func (s *Schema) JSON() json.RawMessage { return bytes.Clone(s.wire) }
