package form_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/form"
)

func FuzzParse(f *testing.F) {
	for _, field := range []string{
		`{"type":"string","title":"T","description":"D","minLength":1,"maxLength":9,"format":"email","default":"a@b.c"}`,
		`{"type":"string","format":"date-time","default":"2026-01-01T00:00:00Z"}`,
		`{"type":"string","format":"uri","default":"https://a.b/"}`,
		`{"type":"number","minimum":-1.5e3,"maximum":2,"default":1.50}`,
		`{"type":"integer","minimum":1e20,"default":1e999999999}`,
		`{"type":"boolean","default":false,"x-a":[[1]]}`,
		`{"type":"string","enum":["r","g"],"enumNames":["Red",""]}`,
		`{"type":"string","oneOf":[{"const":"r","title":"Red"}],"default":"r"}`,
		`{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"maxItems":2,"default":["a"]}`,
		`{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}`,
		`{"type":"object","properties":{}}`,
		`{"type":"integer","enum":[1,2.0,1e1],"enumNames":["a","b",""],"default":2}`,
		`{"type":"number","oneOf":[{"const":0.5,"title":"x"},{"const":5e-1}]}`,
		`{"type":["null","number"],"exclusiveMinimum":true,"minimum":1,"exclusiveMaximum":9,"multipleOf":1e-2}`,
		`{"type":"boolean","const":true,"default":false}`,
		`{"type":"string","const":"a","pattern":"(","enum":[]}`,
		`{"anyOf":[{"type":"number","const":1},{"const":2.5,"title":"x"},{"type":"null"}],"default":null}`,
		`{"anyOf":[{"enum":["a",null]},{"type":["string","null"],"minLength":1}],"nullable":true,"x-null-if-absent":true}`,
		`{"allOf":[{"oneOf":[{"const":true},{"const":false}]}],"$ref":1}`,
	} {
		f.Add([]byte(one(field)))
	}
	f.Add([]byte(`{"type":"object","properties":{"\ud800":{"type":"boolean"}},"required":["\ud800"]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := form.Parse(raw, nil)
		if err != nil {
			if !errors.Is(err, form.ErrSchema) && !errors.Is(err, form.ErrTooLarge) {
				t.Fatalf("a nameless error: %v", err)
			}
			return
		}
		again, err := form.Parse(s.JSON(), nil)
		if err != nil {
			t.Fatalf("%s does not read back: %v", s.JSON(), err)
		}
		if diff := cmp.Diff(string(s.JSON()), string(again.JSON())); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(s.Fields(), again.Fields()); diff != "" {
			t.Fatal(diff)
		}
		if _, err := s.Check(nil); err != nil && !errors.Is(err, form.ErrContent) {
			t.Fatal(err)
		}
	})
}

func FuzzCheck(f *testing.F) {
	var schemas []*form.Schema
	for _, raw := range []string{
		`{"type":"object","properties":{}}`,
		`{"type":"object","properties":{"s":{"type":"string","minLength":1,"maxLength":4},"n":{"type":"number"},"i":{"type":"integer"}}}`,
		`{"type":"object","properties":{"i":{"type":"integer","minimum":-5,"maximum":1e30,"default":7},"b":{"type":"boolean"}},"required":["i"]}`,
		`{"type":"object","properties":{"e":{"type":"string","format":"email"},"u":{"type":"string","format":"uri"},
			"d":{"type":"string","format":"date"},"t":{"type":"string","format":"date-time"}}}`,
		`{"type":"object","properties":{"c":{"type":"string","enum":["a","b"]},"l":{"type":"string","oneOf":[{"const":"a","title":"A"}]},
			"m":{"type":"array","items":{"type":"string","enum":["a","b","c"]},"minItems":1,"maxItems":2}},"required":["c"]}`,
	} {
		s, err := form.Parse([]byte(raw), nil)
		if err != nil {
			f.Fatal(err)
		}
		schemas = append(schemas, s)
	}
	for _, content := range []string{
		``, `{}`, `null`, `[]`, `{} {}`, `{"s":"aé","n":1.5e3,"i":3.0}`, `{"i":1e2,"b":true}`, `{"i":1e999999999,"n":1e-999999999}`,
		`{"e":"a@b.c","u":"https://a.b/c?d#e","d":"2026-01-31","t":"2026-01-31T09:30:00Z"}`,
		`{"c":"a","l":"a","m":["a","b"]}`, `{"c":1,"m":["a","a",1,{"x":[1]},{"x":[1]}]}`, `{"i":1,"i":2}`, `{"s":"\ud800<>&\u2028"}`,
		`{"i":123456789012345678901234567890,"n":-0}`,
	} {
		f.Add([]byte(content))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, s := range schemas {
			got, err := s.Check(content)
			if err != nil {
				var wrong *form.ContentError
				if !errors.As(err, &wrong) || len(wrong.Violations) == 0 {
					t.Fatalf("a nameless error: %v", err)
				}
				continue
			}
			again, err := s.Check(got)
			if err != nil {
				t.Fatalf("%s was accepted before: %v", got, err)
			}
			if diff := cmp.Diff(string(got), string(again)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}
