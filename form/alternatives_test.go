package form_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/form"
)

// What zod 3 (by zod-to-json-schema), zod 4 and pydantic 2 write for alternatives, and what people are asked.
func TestAlternativesAreAskedForAsWhatTheyAre(t *testing.T) {
	tests := []struct{ name, field, want string }{
		{"zod: union of numbers", `{"anyOf":[{"type":"number","const":1},{"type":"number","const":2}]}`, `{"type":"number","enum":[1,2]}`},
		{"zod: union of strings", `{"anyOf":[{"type":"string","const":"a"},{"type":"string","const":"b"}],"description":"d","default":"b"}`, `{"type":"string","description":"d","enum":["a","b"],"default":"b"}`},
		{"zod: described literals", `{"anyOf":[{"type":"string","const":"a","description":"first"},{"type":"string","const":"b","description":"second"}]}`, `{"type":"string","oneOf":[{"const":"a","title":"first"},{"const":"b","title":"second"}]}`},
		{"zod: titled literals", `{"anyOf":[{"type":"string","const":"a","title":"A","description":"first"},{"type":"string","const":"b"}]}`, `{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"b"}]}`},
		{"zod: union in a union", `{"anyOf":[{"anyOf":[{"type":"number","const":1},{"type":"number","const":2}]},{"type":"number","const":3}]}`, `{"type":"number","enum":[1,2,3]}`},
		{"zod 3: union in a union", `{"anyOf":[{"type":"number","enum":[1,2]},{"type":"number","const":3}]}`, `{"type":"number","enum":[1,2,3]}`},
		{"zod: yes or no", `{"anyOf":[{"type":"boolean","const":true},{"type":"boolean","const":false}]}`, `{"type":"boolean"}`},
		{"oneOf without titles", `{"oneOf":[{"type":"string","const":"a"},{"type":"string","const":"b"}]}`, `{"type":"string","enum":["a","b"]}`},
		{"oneOf of bare constants", `{"oneOf":[{"const":"a"},{"const":"b","title":"B"}]}`, `{"type":"string","oneOf":[{"const":"a","title":"a"},{"const":"b","title":"B"}]}`},
		{"integers", `{"anyOf":[{"const":1},{"const":2}]}`, `{"type":"integer","enum":[1,2]}`},
		{"a type and constants", `{"type":"string","anyOf":[{"const":"a"},{"const":"b"}]}`, `{"type":"string","enum":["a","b"]}`},
		{"zod: union of formats", `{"anyOf":[{"type":"string","format":"email"},{"type":"string","format":"uri"}]}`, `{"type":"string"}`},
		{"whole or not", `{"anyOf":[{"type":"integer","minimum":1},{"type":"number"}]}`, `{"type":"number"}`},
		{"pydantic: Enum", `{"$ref":"#/$defs/C"}`, `{"type":"string","title":"Colour","enum":["red","blue"]}`},
		{"pydantic: Enum with a default", `{"$ref":"#/$defs/C","default":"blue","title":"Paint"}`, `{"type":"string","title":"Paint","enum":["red","blue"],"default":"blue"}`},
		{"pydantic before 2.9", `{"allOf":[{"$ref":"#/$defs/C"}],"default":"red"}`, `{"type":"string","title":"Colour","enum":["red","blue"],"default":"red"}`},
		{"pydantic: list of Enum", `{"type":"array","items":{"$ref":"#/$defs/C"}}`, `{"type":"array","items":{"type":"string","enum":["red","blue"]}}`},
		{"pydantic: Literal without a type", `{"enum":["a","b"]}`, `{"type":"string","enum":["a","b"]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := parse(t, withColour(tt.field))
			if diff := cmp.Diff(one(tt.want), string(s.JSON())); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(s.Fields(), parse(t, string(s.JSON())).Fields()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func withColour(field string) string {
	return `{"type":"object","properties":{"f":` + field + `},"$defs":{"C":{"type":"string","title":"Colour","enum":["red","blue"]}}}`
}

// What may be null need not be answered. Pydantic wants a member for what is required, and takes null; SDKs in TypeScript take
// no null at all, and what is not required may be left out everywhere.
func TestAFieldThatMayBeNullNeedNotBeAnswered(t *testing.T) {
	tests := []struct{ name, field, asked, optional, required string }{
		{"pydantic: Optional", `{"anyOf":[{"type":"string"},{"type":"null"}],"title":"O"}`, `"type":"string","title":"O"`, `{}`, `{"f":null}`},
		{"pydantic: Optional = None", `{"anyOf":[{"maximum":9,"minimum":1,"type":"integer"},{"type":"null"}],"default":null,"title":"O"}`, `"type":"integer","title":"O","minimum":1,"maximum":9`, `{}`, `{"f":null}`},
		{"pydantic: Optional = 2.5", `{"anyOf":[{"type":"number"},{"type":"null"}],"default":2.5}`, `"type":"number","default":2.5`, `{"f":2.5}`, `{"f":2.5}`},
		{"pydantic: Optional[Literal]", `{"anyOf":[{"enum":["a","b"],"type":"string"},{"type":"null"}]}`, `"type":"string","enum":["a","b"]`, `{}`, `{"f":null}`},
		{"pydantic: Literal with None", `{"enum":["a",null]}`, `"type":"string","enum":["a"]`, `{}`, `{"f":null}`},
		{"pydantic: Optional[Enum]", `{"anyOf":[{"$ref":"#/$defs/C"},{"type":"null"}]}`, `"type":"string","title":"Colour","enum":["red","blue"]`, `{}`, `{"f":null}`},
		{"pydantic: Optional[list]", `{"anyOf":[{"items":{"enum":["a","b"],"type":"string"},"type":"array"},{"type":"null"}]}`, `"type":"array","items":{"type":"string","enum":["a","b"]}`, `{}`, `{"f":null}`},
		{"zod: nullable", `{"type":["string","null"]}`, `"type":"string"`, `{}`, `{"f":null}`},
		{"zod: nullable yes or no", `{"type":["boolean","null"]}`, `"type":"boolean"`, `{}`, `{"f":null}`},
		{"zod: nullable, default null", `{"default":null,"type":["string","null"]}`, `"type":"string"`, `{}`, `{"f":null}`},
		{"zod: a literal or null", `{"anyOf":[{"type":"null","const":null},{"type":"string","const":"x"}]}`, `"type":"string","enum":["x"]`, `{}`, `{"f":null}`},
		{"zod 3: a literal or null", `{"type":["null","string"],"enum":[null,"x"]}`, `"type":"string","enum":["x"]`, `{}`, `{"f":null}`},
		{"zod: union with null", `{"anyOf":[{"type":"number","const":1},{"type":"number","const":2},{"type":"null"}]}`, `"type":"number","enum":[1,2]`, `{}`, `{"f":null}`},
		{"zod: nullable union", `{"anyOf":[{"anyOf":[{"type":"string","const":"a"},{"type":"string","const":"b"}],"description":"d"},{"type":"null"}]}`, `"type":"string","description":"d","enum":["a","b"]`, `{}`, `{"f":null}`},
		{"OpenAPI", `{"type":"string","nullable":true}`, `"type":"string"`, `{}`, `{"f":null}`},
	}
	for _, tt := range tests {
		for _, required := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/required %t", tt.name, required), func(t *testing.T) {
				raw, asked, left := withColour(tt.field), tt.asked+`,"nullable":true`, tt.optional
				if required {
					raw, left = strings.TrimSuffix(raw, "}")+`,"required":["f"]}`, tt.required
					if left == `{"f":null}` {
						asked += `,"x-null-if-absent":true`
					}
				}
				s := parse(t, raw)
				if diff := cmp.Diff(one("{"+asked+"}"), string(s.JSON())); diff != "" {
					t.Error(diff)
				}
				again := parse(t, string(s.JSON()))
				if diff := cmp.Diff(s.Fields(), again.Fields()); diff != "" {
					t.Error(diff)
				}
				if s.Fields()[0].Required {
					t.Error("the field has to be answered")
				}
				for content, want := range map[string]string{`{}`: left, `{"f":null}`: `{"f":null}`} {
					if got, err := again.Check([]byte(content)); err != nil || string(got) != want {
						t.Errorf("%s becomes %s, %v; want %s", content, got, err, want)
					}
				}
				if _, err := again.Check([]byte(`{"f":{}}`)); !errors.Is(err, form.ErrContent) {
					t.Errorf("anything fits: %v", err)
				}
			})
		}
	}
}

func TestWhatNobodyCanBeAskedSaysWhy(t *testing.T) {
	loop := `{"type":"object","properties":{"f":{"$ref":"#/$defs/A"}},"$defs":{"A":{"anyOf":[{"$ref":"#/$defs/A"},{"type":"null"}]}}}`
	tests := []struct{ raw, want string }{
		{one(`{"anyOf":[{"type":"string"},{"type":"integer"}]}`), "properties.f: a field can be of one type only, not of integer and string: " + notAForm},
		{one(`{"type":["string","number"]}`), "properties.f: a field can be of one type only, not of number and string: " + notAForm},
		{one(`{"enum":["a",1]}`), "properties.f: a field can be of one type only, not of integer and string: " + notAForm},
		{one(`{"anyOf":[{"type":"string"},{}]}`), "properties.f.anyOf[1].type: must be one of string, number, integer, boolean and array: " + notAForm},
		{one(`{"anyOf":[]}`), "properties.f.type: must be one of string, number, integer, boolean and array: " + notAForm},
		{one(`{"type":"null"}`), "properties.f: there is nothing to answer but null: " + notAForm},
		{one(`{"anyOf":[{"type":"null"}]}`), "properties.f: there is nothing to answer but null: " + notAForm},
		{one(`{"$ref":"#/$defs/gone"}`), `properties.f: refers to "#/$defs/gone", which is not there: ` + notAForm},
		{one(`{"$ref":"https://example.com/schema"}`), `properties.f: refers to "https://example.com/schema", which is not there: ` + notAForm},
		{one(`{"anyOf":[{"type":"string"},{"type":"object","properties":{}}]}`), "properties.f.anyOf[1]: nested objects are not allowed: the schema is not flat; ask for each part in a field of its own"},
		{one(`{"type":"object","properties":{}}`), "properties.f: nested objects are not allowed: the schema is not flat; ask for each part in a field of its own"},
		{loop, "properties.f: has more alternatives than can be read: the schema is too large; ask for less, or in several forms"},
	}
	for _, tt := range tests {
		_, err := form.Parse([]byte(tt.raw), nil)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s:\n got %v\nwant %s", tt.raw, err, tt.want)
		}
	}
}

const notAForm = "not a form schema; use one object whose properties are strings, numbers, integers, booleans or choices"

// References that double at each step would be read for ever.
func TestReferencesAreFollowedUpToABound(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, `"D%d":{"anyOf":[{"$ref":"#/$defs/D%d"},{"$ref":"#/$defs/D%d"}]},`, i, i+1, i+1)
	}
	_, err := form.Parse([]byte(`{"type":"object","properties":{"f":{"$ref":"#/$defs/D0"}},"$defs":{`+b.String()+`"D60":{"type":"string","const":"a"}}}`), nil)
	if !errors.Is(err, form.ErrTooLarge) {
		t.Errorf("%v", err)
	}
}
