package form_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/form"
)

func TestParseReadsEveryKindOfField(t *testing.T) {
	tests := []struct {
		name, field string
		want        form.Field
	}{
		{"string", `{"type":"string","title":"T","description":"D","minLength":1,"maxLength":1e1,"default":"x"}`,
			form.Field{Title: "T", Description: "D", Kind: form.String, MinLength: new(1), MaxLength: new(10), Default: []byte(`"x"`)}},
		{"email", `{"type":"string","format":"email"}`, form.Field{Kind: form.String, Format: "email"}},
		{"uri", `{"type":"string","format":"uri"}`, form.Field{Kind: form.String, Format: "uri"}},
		{"date", `{"type":"string","format":"date"}`, form.Field{Kind: form.String, Format: "date"}},
		{"date-time", `{"type":"string","format":"date-time"}`, form.Field{Kind: form.String, Format: "date-time"}},
		{"number", `{"type":"number","minimum":-1.5,"maximum":2.0,"default":1.50}`,
			form.Field{Kind: form.Number, Minimum: "-1.5", Maximum: "2", Default: []byte(`1.50`)}},
		{"integer", `{"type":"integer","minimum":12345678901234567890,"default":2e19}`,
			form.Field{Kind: form.Integer, Minimum: "12345678901234567890", Default: []byte(`20000000000000000000`)}},
		{"boolean", `{"type":"boolean","default":false}`, form.Field{Kind: form.Boolean, Default: []byte(`false`)}},
		{"choice", `{"type":"string","enum":["r","g"],"default":"g"}`,
			form.Field{Kind: form.Choice, Options: []form.Option{{Value: "r"}, {Value: "g"}}, Default: []byte(`"g"`)}},
		{"titled choice", `{"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"g"}]}`,
			form.Field{Kind: form.Choice, Options: []form.Option{{Value: "r", Title: "Red"}, {Value: "g", Title: "g"}}}},
		{"legacy choice", `{"type":"string","enum":["r","g"],"enumNames":["Red","Green"]}`,
			form.Field{Kind: form.Choice, EnumNames: true, Options: []form.Option{{Value: "r", Title: "Red"}, {Value: "g", Title: "Green"}}}},
		{"choices", `{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["r","g"]},"default":["g"]}`,
			form.Field{Kind: form.Choices, MinItems: new(1), MaxItems: new(2),
				Options: []form.Option{{Value: "r"}, {Value: "g"}}, Default: []byte(`["g"]`)}},
		{"titled choices", `{"type":"array","uniqueItems":true,"items":{"anyOf":[{"const":"r","title":"Red"}]}}`,
			form.Field{Kind: form.Choices, Options: []form.Option{{Value: "r", Title: "Red"}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Name = "f"
			if diff := cmp.Diff([]form.Field{tt.want}, parse(t, one(tt.field)).Fields()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseKeepsTheOrderOfProperties(t *testing.T) {
	s := parse(t, `{"type":"object","required":["m","z"],"properties":{
		"z":{"type":"boolean"},"a":{"type":"boolean"},"m":{"type":"boolean"}}}`)
	var got []string
	for _, f := range s.Fields() {
		got = append(got, fmt.Sprint(f.Name, f.Required))
	}
	if diff := cmp.Diff([]string{"ztrue", "afalse", "mtrue"}, got); diff != "" {
		t.Error(diff)
	}
	want := `{"type":"object","properties":{"z":{"type":"boolean"},"a":{"type":"boolean"},"m":{"type":"boolean"}},"required":["z","m"]}`
	if diff := cmp.Diff(want, string(s.JSON())); diff != "" {
		t.Error(diff)
	}
}

func TestJSONIsCanonicalAndReadsBackTheSame(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"no fields", `{"type":"object","properties":{}}`, `{"type":"object","properties":{}}`},
		{"no properties", `{"type":"object"}`, `{"type":"object","properties":{}}`},
		{"annotations go",
			`{"$schema":"s","$id":"i","$comment":"c","title":"t","description":"d","x-a":{"b":[1]},"additionalProperties":false,
			  "type":"object","properties":{"f":{"type":"string","examples":["e"],"deprecated":true,"readOnly":true,"x-y":1}}}`,
			one(`{"type":"string"}`)},
		{"legacy titles stay as they are, for clients that know no others", one(`{"enumNames":["Red <1>",""],"enum":["r","g"],"type":"string"}`),
			one(`{"type":"string","enum":["r","g"],"enumNames":["Red <1>","g"]}`)},
		{"empty titles are none", one(`{"type":"string","title":"","oneOf":[{"const":"r","title":""}]}`),
			one(`{"type":"string","enum":["r"]}`)},
		{"choices", one(`{"type":"array","default":["r"],"maxItems":1,"items":{"type":"string","anyOf":[{"title":"Red","const":"r"}]}}`),
			one(`{"type":"array","items":{"anyOf":[{"const":"r","title":"Red"}]},"maxItems":1,"default":["r"]}`)},
		{"untitled choices", one(`{"type":"array","items":{"enum":["r"],"type":"string"}}`),
			one(`{"type":"array","items":{"type":"string","enum":["r"]}}`)},
		{"bounds", one(`{"maximum":9.0,"minimum":1e-3,"type":"integer","default":3.0}`),
			one(`{"type":"integer","minimum":1e-3,"maximum":9,"default":3}`)},
		{"everything of a string", one(`{"type":"string","default":"é","minLength":0,"maxLength":2,"description":"d","title":"t"}`),
			one(`{"type":"string","title":"t","description":"d","minLength":0,"maxLength":2,"default":"é"}`)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := parse(t, tt.raw)
			if diff := cmp.Diff(tt.want, string(s.JSON())); diff != "" {
				t.Fatal(diff)
			}
			again := parse(t, string(s.JSON()))
			if diff := cmp.Diff(s.Fields(), again.Fields()); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(string(s.JSON()), string(again.JSON())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseRefusesNestingAndNamesThePlace(t *testing.T) {
	tests := []struct{ raw, want string }{
		{one(`{"type":"object","properties":{}}`), "properties.f: nested objects are not allowed"},
		{one(`{"properties":{}}`), "properties.f: nested objects are not allowed"},
		{one(`{"type":"array","items":{"type":"object"}}`), "properties.f.items: nested objects are not allowed"},
		{one(`{"type":"array","items":{"type":"array","items":{}}}`), "properties.f.items: lists in lists are not allowed"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			_, err := form.Parse([]byte(tt.raw), nil)
			if !errors.Is(err, form.ErrNested) || !errors.Is(err, form.ErrSchema) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("Parse(%s) = %v, want an ErrNested that starts with %q", tt.raw, err, tt.want)
			}
		})
	}
}

func TestParseRefusesWhatIsNoFormAndNamesThePlace(t *testing.T) {
	tests := []struct{ raw, want string }{
		{``, "the schema is not valid JSON"},
		{`{"type":"object"`, "the schema is not valid JSON"},
		{`{"type":"object"} {}`, "the schema has something after its end"},
		{"{\"type\":\"object\",\"title\":\"\xff\"}", "the schema is not valid UTF-8"},
		{`null`, "the schema must be a JSON object"},
		{`[]`, "the schema must be a JSON object"},
		{`{}`, `type: must be "object"`},
		{`{"type":["object"]}`, `type: must be "object"`},
		{`{"type":"object","properties":[]}`, "properties: must be an object"},
		{`{"type":"object","type":"object"}`, "type: is given twice"},
		{`{"type":"object","properties":{"f":{"type":"boolean"},"f":{"type":"boolean"}}}`, "properties.f: is given twice"},
		{`{"type":"object","properties":{"":{"type":"string"}}}`, "properties: a field needs a name"},
		{`{"type":"object","properties":{"a\nb":{"type":"string"}}}`, `properties: the field name "a\nb" has control characters`},
		{`{"type":"object","properties":{"` + strings.Repeat("n", 129) + `":{"type":"string"}}}`,
			"properties: a field's name has 129 bytes where at most 128 are allowed"},
		{`{"type":"object","required":"f"}`, "required: must be a list"},
		{`{"type":"object","required":[1]}`, "required[0]: must be a field name"},
		{one(`true`), "properties.f: must be an object that describes one field"},
		{one(`{}`), "properties.f.type: must be one of"},
		{one(`{"type":"null"}`), "properties.f: there is nothing to answer but null"},
		{one(`{"type":"array"}`), "properties.f: a list needs items"},
		{one(`{"type":"array","items":true}`), "properties.f: a list needs items"},
		{one(`{"type":"array","items":[{"type":"string","enum":["a"]}]}`), "properties.f: a list needs items"},
		{one(`{"type":"array","items":{"type":"string"}}`), "properties.f.items: only lists of strings"},
		{one(`{"type":"array","items":{"type":"integer","enum":[1]}}`), "properties.f.items: only lists of strings"},
		{one(`{"type":"array","items":{"$ref":"#"}}`), "properties.f.items: only lists of strings"},
		{one(`{"type":"string","title":1}`), "properties.f.title: must be a string"},
		{one(`{"type":"string","minLength":-1}`), "properties.f.minLength: must be a whole number"},
		{one(`{"type":"string","minLength":1.5}`), "properties.f.minLength: must be a whole number"},
		{one(`{"type":"string","minLength":1e300}`), "properties.f.minLength: must be a whole number"},
		{one(`{"type":"string","minLength":"1"}`), "properties.f.minLength: must be a number"},
		{one(`{"type":"string","minLength":2,"maxLength":1}`), "properties.f: minLength 2 is more than maxLength 1"},
		{one(`{"type":"number","minimum":1.1,"maximum":1}`), "properties.f: minimum 1.1 is more than maximum 1"},
		{one(`{"type":"number","minimum":null}`), "properties.f.minimum: must be a number"},
		{one(`{"type":"number","minimum":1e999999999}`), "properties.f.minimum: is a number too large"},
		{one(`{"type":"number","maximum":1e-999999999}`), "properties.f.maximum: is a number too large"},
		{one(`{"type":"number","default":1E99999999999999999999}`), "properties.f.default: is a number too large"},
		{one(`{"type":"number","default":` + strings.Repeat("9", 401) + `}`), "properties.f.default: is a number too large"},
		{one(`{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":2,"maxItems":1}`),
			"properties.f: minItems 2 is more than maxItems 1"},
		{one(`{"type":"array","items":{"type":"string","enum":["a"]},"minItems":2}`), "properties.f: minItems 2 is more than the 1 options"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			_, err := form.Parse([]byte(tt.raw), nil)
			if !errors.Is(err, form.ErrSchema) || errors.Is(err, form.ErrNested) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("Parse(%s) = %v, want an ErrSchema that starts with %q", tt.raw, err, tt.want)
			}
		})
	}
}

// Libraries write more about a field than MCP has words for. What is known is kept and checked; the rest is for who asks.
func TestParseShowsWhatItCanAndLeavesTheRestToWhoAsks(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"zod: regex", one(`{"type":"string","pattern":"^[a-z]+$"}`), one(`{"type":"string","pattern":"^[a-z]+$"}`)},
		{"zod: two of them", one(`{"type":"string","allOf":[{"pattern":"a"},{"pattern":"b"}]}`), one(`{"type":"string"}`)},
		{"zod: positive", one(`{"type":"number","exclusiveMinimum":0}`), one(`{"type":"number","exclusiveMinimum":0}`)},
		{"zod: int, lt, multipleOf", one(`{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991,"exclusiveMaximum":9.0,"multipleOf":5}`),
			one(`{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991,"exclusiveMaximum":9,"multipleOf":5}`)},
		{"draft 4", one(`{"type":"number","minimum":1,"exclusiveMinimum":true,"maximum":2,"exclusiveMaximum":false}`), one(`{"type":"number","maximum":2,"exclusiveMinimum":1}`)},
		{"zod: literal", one(`{"type":"string","const":"a"}`), one(`{"type":"string","enum":["a"]}`)},
		{"zod: literal number", one(`{"type":"number","const":1.5}`), one(`{"type":"number","enum":[1.5]}`)},
		{"zod: literal true", one(`{"type":"boolean","const":true}`), one(`{"type":"boolean","const":true}`)},
		{"one yes or no", one(`{"type":"boolean","enum":[false]}`), one(`{"type":"boolean","const":false}`)},
		{"integer enum", one(`{"type":"integer","enum":[1,2.0,3e0],"default":2}`), one(`{"type":"integer","enum":[1,2,3],"default":2}`)},
		{"titled integers", one(`{"type":"integer","oneOf":[{"const":1,"title":"One"},{"const":2}]}`), one(`{"type":"integer","oneOf":[{"const":1,"title":"One"},{"const":2,"title":"2"}]}`)},
		{"integers with names", one(`{"type":"integer","enum":[1,2],"enumNames":["One","Two"]}`), one(`{"type":"integer","enum":[1,2],"enumNames":["One","Two"]}`)},
		{"zod: uuid", one(`{"type":"string","format":"uuid","minLength":1}`), one(`{"type":"string","minLength":1}`)},
		{"int64", one(`{"type":"integer","format":"int64"}`), one(`{"type":"integer"}`)},
		{"required, and not there", `{"type":"object","properties":{"f":{"type":"boolean"}},"required":["g","f","f"]}`,
			`{"type":"object","properties":{"f":{"type":"boolean"}},"required":["f"]}`},
		{"empty enum", one(`{"type":"string","enum":[]}`), one(`{"type":"string"}`)},
		{"empty enum of numbers", one(`{"type":"integer","enum":[]}`), one(`{"type":"integer"}`)},
		{"mixed enum", one(`{"type":"string","enum":["a",1,null]}`), one(`{"type":"string"}`)},
		{"halves in an enum of integers", one(`{"type":"integer","enum":[1,1.5]}`), one(`{"type":"integer"}`)},
		{"an option twice", one(`{"type":"string","enum":["a","b","a"],"enumNames":["A","B","C"]}`), one(`{"type":"string","enum":["a","b"],"enumNames":["A","B"]}`)},
		{"too few names", one(`{"type":"string","enum":["a","b"],"enumNames":["A"]}`), one(`{"type":"string","enum":["a","b"]}`)},
		{"alternatives that are no options", one(`{"type":"string","oneOf":[{"pattern":"a"},{"pattern":"b"}]}`), one(`{"type":"string"}`)},
		{"nullable", one(`{"type":["string","null"],"default":null}`), one(`{"type":"string","nullable":true}`)},
		{"a default that does not fit", one(`{"type":"string","minLength":1,"default":""}`), one(`{"type":"string","minLength":1}`)},
		{"items with more", one(`{"type":"array","items":{"type":"string","enum":["a","a"],"minLength":1},"uniqueItems":7}`), one(`{"type":"array","items":{"type":"string","enum":["a"]}}`)},
		{"a loose object", `{"type":"object","properties":{},"additionalProperties":{},"$defs":{},"allOf":[{"required":["x"]}],"minProperties":1}`, `{"type":"object","properties":{}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := parse(t, tt.raw)
			if diff := cmp.Diff(tt.want, string(s.JSON())); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(s.Fields(), parse(t, string(s.JSON())).Fields()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCheckKnowsTheConstraintsOfLibraries(t *testing.T) {
	tests := []struct{ field, content, want, wrong string }{
		{`{"type":"number","exclusiveMinimum":0}`, `{"f":0.1}`, `{"f":0.1}`, ""},
		{`{"type":"number","exclusiveMinimum":0}`, `{"f":0}`, "", "f must be more than 0."},
		{`{"type":"number","exclusiveMaximum":5}`, `{"f":5}`, "", "f must be less than 5."},
		{`{"type":"number","multipleOf":0.01}`, `{"f":1.15}`, `{"f":1.15}`, ""},
		{`{"type":"integer","multipleOf":5}`, `{"f":7}`, "", "f must be a multiple of 5."},
		{`{"type":"integer","multipleOf":0}`, `{"f":7}`, `{"f":7}`, ""},
		{`{"type":"integer","enum":[1,2]}`, `{"f":2.0}`, `{"f":2}`, ""},
		{`{"type":"integer","enum":[1,2]}`, `{"f":"2"}`, `{"f":2}`, ""}, // as surfaces know it
		{`{"type":"integer","enum":[1,2]}`, `{"f":"02"}`, "", "f must be 1 or 2."},
		{`{"type":"integer","enum":[1,2]}`, `{"f":3}`, "", "f must be 1 or 2."},
		{`{"type":"string","const":"yes"}`, `{"f":"no"}`, "", "f must be yes."},
		{`{"type":"boolean","const":true}`, `{"f":false}`, "", "f must be yes."},
		{`{"type":"boolean","const":true}`, `{"f":true}`, `{"f":true}`, ""},
		{`{"type":"string","pattern":"^a$"}`, `{"f":"b"}`, `{"f":"b"}`, ""}, // who asks says no
	}
	for _, tt := range tests {
		got, err := parse(t, one(tt.field)).Check([]byte(tt.content))
		var wrong *form.ContentError
		switch {
		case tt.wrong == "" && (err != nil || string(got) != tt.want):
			t.Errorf("%s, %s: %s, %v", tt.field, tt.content, got, err)
		case tt.wrong != "" && (!errors.As(err, &wrong) || len(wrong.Violations) != 1 || wrong.Violations[0].Message != tt.wrong):
			t.Errorf("%s, %s: %s, %v", tt.field, tt.content, got, err)
		}
	}
}

func TestParseHoldsEveryLimit(t *testing.T) {
	fields := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"f%d":{"type":"boolean"}`, i)
		}
		return `{"type":"object","properties":{` + strings.TrimPrefix(b.String(), ",") + `}}`
	}
	options := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ","+format, i)
		}
		return "[" + strings.TrimPrefix(b.String(), ",") + "]"
	}
	deep := func(n int) string {
		return `{"type":"object","x-deep":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}`
	}
	long := func(n int) string {
		const empty = `{"type":"object","title":""}`
		return strings.Replace(empty, `""`, `"`+strings.Repeat("t", n-len(empty))+`"`, 1)
	}
	tests := []struct {
		name, fits, over string
		limits           *form.Limits
		want             string
	}{
		{"bytes", long(64 << 10), long(64<<10 + 1), nil, "the schema has 65537 bytes where at most 65536 are allowed"},
		{"fewer bytes", `{"type":"object","properties":{}}`, `{"type":"object","properties":{}} `, &form.Limits{Bytes: 33},
			"the schema has 34 bytes where at most 33 are allowed"},
		{"fields", fields(64), fields(65), nil, "the schema has 65 fields where at most 64 are allowed"},
		{"fewer fields", fields(1), fields(2), &form.Limits{Fields: 1}, "the schema has 2 fields where at most 1 are allowed"},
		{"depth", deep(8), deep(9), nil, "x-deep[0][0][0][0][0][0][0]: is nested 9 levels deep where at most 8 are allowed"},
		{"great depth", deep(8), deep(30_000), nil, "the schema is nested 30000 levels deep where at most 8 are allowed"},
		{"options", one(`{"type":"string","enum":` + options(500, `"%d"`) + `}`), one(`{"type":"string","enum":` + options(501, `"%d"`) + `}`),
			nil, "properties.f.enum: there are 501 options where at most 500 are allowed"},
		{"titled options", one(`{"type":"string","oneOf":` + options(2, `{"const":"%d"}`) + `}`),
			one(`{"type":"string","oneOf":` + options(3, `{"const":"%d"}`) + `}`),
			&form.Limits{Options: 2}, "properties.f.oneOf: there are 3 options where at most 2 are allowed"},
		{"choices", one(`{"type":"array","items":{"type":"string","enum":` + options(500, `"%d"`) + `}}`),
			one(`{"type":"array","items":{"type":"string","enum":` + options(501, `"%d"`) + `}}`),
			nil, "properties.f.items.enum: there are 501 options where at most 500 are allowed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := form.Parse([]byte(tt.fits), tt.limits); err != nil {
				t.Errorf("within the limit: %v", err)
			}
			_, err := form.Parse([]byte(tt.over), tt.limits)
			if !errors.Is(err, form.ErrTooLarge) || errors.Is(err, form.ErrSchema) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want an ErrTooLarge that starts with %q", err, tt.want)
			}
		})
	}
}

func TestParseRefusesASchemaThatOutgrowsTheLimitInItsCanonicalForm(t *testing.T) {
	raw := one(`{"type":"string","enum":["abcdefghijklmnopqrstuvwxyz","b"],"enumNames":["","B"]}`)
	_, err := form.Parse([]byte(raw), &form.Limits{Bytes: len(raw)})
	if !errors.Is(err, form.ErrTooLarge) {
		t.Errorf("got %v, want an ErrTooLarge, since Parse could not read JSON back", err)
	}
}

func TestErrorsKeepForeignTextShortAndOnOneLine(t *testing.T) {
	_, err := form.Parse([]byte(`{"type":"object","a\nb`+strings.Repeat("c", 10_000)+`":1,"a\nb`+strings.Repeat("c", 10_000)+`":2}`), nil)
	if !errors.Is(err, form.ErrSchema) || len(err.Error()) > 1000 || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %d bytes: %.100q", len(err.Error()), err)
	}
}

func TestCallersCannotChangeASchema(t *testing.T) {
	s := parse(t, one(`{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"maxItems":1,"default":["a"]}`))
	before := string(s.JSON())
	f := s.Fields()[0]
	*f.MinItems, *f.MaxItems, f.Options[0].Value, f.Default[2] = 9, 9, "z", 'z'
	s.JSON()[0] = 'z'
	if diff := cmp.Diff(before, string(s.JSON())); diff != "" {
		t.Error(diff)
	}
	got, err := s.Check(nil)
	if err != nil || string(got) != `{"f":["a"]}` {
		t.Errorf("Check = %s, %v", got, err)
	}
	if diff := cmp.Diff(parse(t, before).Fields(), s.Fields()); diff != "" {
		t.Error(diff)
	}
}
