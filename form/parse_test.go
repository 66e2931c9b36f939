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
		{one(`{"properties":{}}`), `properties.f: the keyword "properties"`},
		{one(`{"$ref":"#/$defs/x"}`), `properties.f: the keyword "$ref"`},
		{one(`{"anyOf":[{"type":"string"},{"type":"null"}]}`), `properties.f: the keyword "anyOf"`},
		{one(`{"type":"number","oneOf":[]}`), `properties.f: the keyword "oneOf"`},
		{one(`{"type":"string","allOf":[]}`), `properties.f: the keyword "allOf"`},
		{one(`{"type":"string","not":{}}`), `properties.f: the keyword "not"`},
		{one(`{"type":"string","if":{}}`), `properties.f: the keyword "if"`},
		{one(`{"type":"string","items":{}}`), `properties.f: the keyword "items"`},
		{one(`{"type":"array"}`), "properties.f: a list needs items"},
		{one(`{"type":"array","items":true}`), "properties.f: a list needs items"},
		{one(`{"type":"array","items":[{"type":"string","enum":["a"]}]}`), "properties.f: a list needs items"},
		{one(`{"type":"array","items":{"type":"object"}}`), "properties.f.items: only lists of strings"},
		{one(`{"type":"array","items":{"type":"string"}}`), "properties.f.items: only lists of strings"},
		{one(`{"type":"array","items":{"type":"integer","enum":[1]}}`), "properties.f.items: only lists of strings"},
		{one(`{"type":"array","items":{"type":"array","items":{}}}`), `properties.f.items: the keyword "items"`},
		{one(`{"type":"array","items":{"$ref":"#"}}`), `properties.f.items: the keyword "$ref"`},
		{one(`{"type":"array","items":{"enum":["a"],"anyOf":[],"type":"string"}}`), `properties.f.items: the keyword "anyOf"`},
		{one(`{"type":"array","items":{"type":"string","enum":["a"],"pattern":"a"}}`), `properties.f.items: the keyword "pattern"`},
		{one(`{"type":"string","oneOf":[{"const":"a","title":"A","properties":{}}]}`), `properties.f.oneOf[0]: the keyword "properties"`},
		{`{"type":"object","allOf":[]}`, `allOf: the keyword "allOf"`},
		{`{"type":"object","$defs":{}}`, `$defs: the keyword "$defs"`},
		{`{"type":"object","additionalProperties":{}}`, "additionalProperties: only true and false"},
		{`{"type":"object","patternProperties":{}}`, `patternProperties: the keyword "patternProperties"`},
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
		{`{"type":"object","dependentRequired":{}}`, `dependentRequired: the keyword "dependentRequired"`},
		{`{"type":"object","default":{}}`, `default: the keyword "default"`},
		{`{"type":"object","type":"object"}`, "type: is given twice"},
		{`{"type":"object","properties":{"f":{"type":"boolean"},"f":{"type":"boolean"}}}`, "properties.f: is given twice"},
		{`{"type":"object","properties":{"":{"type":"string"}}}`, "properties: a field needs a name"},
		{`{"type":"object","properties":{"a\nb":{"type":"string"}}}`, `properties: the field name "a\nb" has control characters`},
		{`{"type":"object","properties":{"` + strings.Repeat("n", 129) + `":{"type":"string"}}}`,
			"properties: a field's name has 129 bytes where at most 128 are allowed"},
		{`{"type":"object","required":"f"}`, "required: must be a list"},
		{`{"type":"object","required":["f"]}`, `required[0]: there is no field "f"`},
		{`{"type":"object","required":[1]}`, "required[0]: must be a field name"},
		{`{"type":"object","properties":{"f":{"type":"string"}},"required":["f","f"]}`, `required[1]: the field "f" is listed twice`},
		{one(`true`), "properties.f: must be an object that describes one field"},
		{one(`{}`), "properties.f.type: must be one of"},
		{one(`{"type":["string","null"]}`), "properties.f.type: must be one of"},
		{one(`{"type":"null"}`), "properties.f.type: must be one of"},
		{one(`{"enum":["a"]}`), "properties.f.type: must be one of"},
		{one(`{"type":"string","title":1}`), "properties.f.title: must be a string"},
		{one(`{"type":"string","pattern":"a"}`), `properties.f: the keyword "pattern"`},
		{one(`{"type":"string","const":"a"}`), `properties.f: the keyword "const"`},
		{one(`{"type":"string","minimum":1}`), `properties.f: the keyword "minimum"`},
		{one(`{"type":"integer","exclusiveMinimum":1}`), `properties.f: the keyword "exclusiveMinimum"`},
		{one(`{"type":"integer","multipleOf":1}`), `properties.f: the keyword "multipleOf"`},
		{one(`{"type":"integer","enum":[1]}`), `properties.f: the keyword "enum"`},
		{one(`{"type":"string","enum":["a"],"minLength":1}`), `properties.f: the keyword "minLength"`},
		{one(`{"type":"string","format":"ipv4"}`), `properties.f: the format "ipv4"`},
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
		{one(`{"type":"array","items":{"type":"string","enum":["a"]},"uniqueItems":1}`), "properties.f.uniqueItems: must be true or false"},
		{one(`{"type":"string","enum":[]}`), "properties.f: there are no options"},
		{one(`{"type":"string","oneOf":[]}`), "properties.f: there are no options"},
		{one(`{"type":"string","enum":"a"}`), "properties.f.enum: must be a list of strings"},
		{one(`{"type":"string","enum":["a",1]}`), "properties.f.enum[1]: must be a string"},
		{one(`{"type":"string","enum":["a","\u0061"]}`), `properties.f: the option "a" is offered twice`},
		{one(`{"type":"string","enum":["a"],"enumNames":[]}`), "properties.f.enumNames: must be a list with one title"},
		{one(`{"type":"string","enum":["a"],"enumNames":[1]}`), "properties.f.enumNames[0]: must be a string"},
		{one(`{"type":"string","enumNames":["A"]}`), "properties.f.enum: must be a list of strings"},
		{one(`{"type":"string","enum":["a"],"oneOf":[{"const":"a"}]}`), "properties.f.oneOf: cannot be combined"},
		{one(`{"type":"string","oneOf":{}}`), "properties.f.oneOf: must be a list"},
		{one(`{"type":"string","oneOf":["a"]}`), "properties.f.oneOf[0]: must be an object"},
		{one(`{"type":"string","oneOf":[{"title":"A"}]}`), "properties.f.oneOf[0]: const is missing"},
		{one(`{"type":"string","oneOf":[{"const":1}]}`), "properties.f.oneOf[0].const: must be a string"},
		{one(`{"type":"string","oneOf":[{"const":"a","minLength":1}]}`), `properties.f.oneOf[0]: the keyword "minLength"`},
		{one(`{"type":"integer","title":"Age","minimum":18,"default":17}`), "properties.f.default: Age must be at least 18"},
		{one(`{"type":"string","default":null}`), "properties.f.default: f must be text"},
		{one(`{"type":"string","enum":["a"],"default":"b"}`), "properties.f.default: f must be a"},
		{one(`{"type":"array","items":{"type":"string","enum":["a"]},"default":["a","a"]}`), "properties.f.default: f must have at most 1 choice"},
		{one(`{"type":"string","default":{"a":1}}`), "properties.f.default: f must be text"},
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
	raw := one(`{"type":"string","enum":["abcdefghijklmnopqrstuvwxyz"],"enumNames":[""]}`)
	_, err := form.Parse([]byte(raw), &form.Limits{Bytes: len(raw)})
	if !errors.Is(err, form.ErrTooLarge) {
		t.Errorf("got %v, want an ErrTooLarge, since Parse could not read JSON back", err)
	}
}

func TestErrorsKeepForeignTextShortAndOnOneLine(t *testing.T) {
	_, err := form.Parse([]byte(`{"type":"object","a\nb`+strings.Repeat("c", 10_000)+`":1}`), nil)
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
