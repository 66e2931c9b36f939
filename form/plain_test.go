package form

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// plainSchemas have every rule that a field can have.
var plainSchemas = []string{
	`{"type":"string"}`, `{"type":"string","minLength":2}`, `{"type":"string","maxLength":2}`, `{"type":"string","minLength":1,"maxLength":3,"pattern":"^a"}`,
	`{"type":"string","format":"email"}`, `{"type":"string","format":"date","maxLength":12}`, `{"type":"string","format":"uri"}`, `{"type":"string","format":"date-time"}`,
	`{"type":"number"}`, `{"type":"number","minimum":1.5}`, `{"type":"number","maximum":2e0}`, `{"type":"number","exclusiveMinimum":-1,"exclusiveMaximum":3}`, `{"type":"number","multipleOf":0.5}`,
	`{"type":"integer"}`, `{"type":"integer","minimum":2}`, `{"type":"integer","maximum":2}`, `{"type":"integer","exclusiveMinimum":2}`, `{"type":"integer","exclusiveMaximum":2}`, `{"type":"integer","multipleOf":2}`,
	`{"type":"boolean"}`, `{"type":"boolean","const":true}`, `{"type":["boolean","null"]}`,
	`{"type":"string","enum":["a","bb"]}`, `{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"2","title":"Two"}]}`, `{"type":"integer","enum":[1,2]}`, `{"type":"number","enum":[0.5,2]}`,
	`{"type":"array","items":{"type":"string","enum":["a","bb","2"]}}`, `{"type":"array","items":{"type":"string","enum":["a","bb"]},"minItems":1,"maxItems":1}`,
	`{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"bb","title":"B"}]},"minItems":2}`,
}

var plainValues = []string{
	`"a"`, `"bb"`, `"äöü"`, `"2"`, `""`, `"a@b.c"`, `"2026-01-01"`, `"2026-01-01T00:00:00Z"`, `"https://a.b/"`, `1`, `2`, `3`, `-1`, `-0`, `0`, `1.5`, `2.0`, `1e2`, `1e-2`, `123456789012345`, `99999999999999999999`,
	`true`, `false`, `null`, `{}`, `{"a":1}`, `[]`, `["a"]`, `["bb","a"]`, `["a","a"]`, `["a","c"]`, `["a","bb","2","a"]`, `[1]`, `[["a"]]`, `[null]`,
}

// What is taken without the validator is what the validator takes.
func TestWhatPlainlyFitsTheValidatorTakes(t *testing.T) {
	taken := 0
	for range 5000 {
		var fields, required []string
		content := map[string]json.RawMessage{}
		for i := range 1 + rand.IntN(3) {
			name := "f" + strconv.Itoa(i)
			fields = append(fields, fmt.Sprintf("%q:%s", name, plainSchemas[rand.IntN(len(plainSchemas))]))
			if rand.IntN(2) == 0 {
				required = append(required, strconv.Quote(name))
			}
			if rand.IntN(4) > 0 {
				content[name] = json.RawMessage(plainValues[rand.IntN(len(plainValues))])
			}
		}
		s, err := Parse(fmt.Appendf(nil, `{"type":"object","properties":{%s},"required":[%s]}`, strings.Join(fields, ","), strings.Join(required, ",")), nil)
		if err != nil {
			t.Fatal(err)
		}
		raw, _ := json.Marshal(content)
		values, err := s.read(raw)
		if err != nil {
			t.Fatal(err)
		}
		s.takeNulls(values)
		quick, err := s.violations(values)
		if err != nil {
			t.Fatal(err)
		}
		thorough, err := s.validate(values)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(quick) != fmt.Sprint(thorough) {
			t.Fatalf("%s of %s\nquick:    %v\nthorough: %v", raw, s.JSON(), quick, thorough)
		}
		if len(quick) == 0 {
			taken++
		}
	}
	if taken < 100 {
		t.Errorf("only %d of these fit: that says little", taken)
	}
}

func TestAPlainFormIsNeverCompiled(t *testing.T) {
	for i, field := range plainSchemas {
		for _, value := range plainValues {
			s, err := parse(fmt.Appendf(nil, `{"type":"object","properties":{"f":%s},"required":["f"]}`, field), (*Limits)(nil).orDefault())
			if err != nil {
				t.Fatal(err)
			}
			plain := true
			s.compiled = nil // who compiles panics
			func() {
				defer func() { plain = recover() == nil }()
				_, err = s.Check([]byte(`{"f":` + value + `}`))
			}()
			switch {
			case i == 0 && value == `"a"` && !plain:
				t.Error("a text was compiled for")
			case plain && err != nil:
				t.Errorf("%s for %s was refused without the validator: %v", value, field, err)
			}
		}
	}
}
