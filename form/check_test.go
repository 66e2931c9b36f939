package form_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/form"
)

// violations returns what is wrong with content, and fails unless something is.
func violations(t *testing.T, s *form.Schema, content string) []form.Violation {
	t.Helper()
	got, err := s.Check([]byte(content))
	var wrong *form.ContentError
	if !errors.As(err, &wrong) || !errors.Is(err, form.ErrContent) {
		t.Fatalf("Check(%.200s) = %s, %v, want a ContentError", content, got, err)
	}
	return wrong.Violations
}

func TestCheckAcceptsWhatFits(t *testing.T) {
	tests := []struct{ name, field, value, want string }{
		{"text", `{"type":"string"}`, `"  a <b> é "`, `"  a <b> é "`},
		{"empty text", `{"type":"string"}`, `""`, `""`},
		{"escaped text", `{"type":"string"}`, `"\u0061\/"`, `"a/"`},
		{"text of exact length in characters", `{"type":"string","minLength":2,"maxLength":2}`, `"é😀"`, `"é😀"`},
		{"email", `{"type":"string","format":"email"}`, `"a.b+c@example.com"`, `"a.b+c@example.com"`},
		{"local email", `{"type":"string","format":"email"}`, `"a@localhost"`, `"a@localhost"`},
		{"quoted email", `{"type":"string","format":"email"}`, `"\"a b\"@example.com"`, `"\"a b\"@example.com"`},
		{"web address", `{"type":"string","format":"uri"}`, `"https://a.example:8080/b%20c?d=e#f"`, `"https://a.example:8080/b%20c?d=e#f"`},
		{"IPv6 address", `{"type":"string","format":"uri"}`, `"http://[::1]/"`, `"http://[::1]/"`},
		{"other address", `{"type":"string","format":"uri"}`, `"urn:isbn:0451450523"`, `"urn:isbn:0451450523"`},
		{"date", `{"type":"string","format":"date"}`, `"2024-02-29"`, `"2024-02-29"`},
		{"date and time", `{"type":"string","format":"date-time"}`, `"2024-02-29T23:59:59.123+02:00"`, `"2024-02-29T23:59:59.123+02:00"`},
		{"number", `{"type":"number","minimum":0,"maximum":1}`, `1.0`, `1.0`},
		{"precise number", `{"type":"number"}`, `0.1000000000000000055511151231257827`, `0.1000000000000000055511151231257827`},
		{"integer", `{"type":"integer","minimum":3,"maximum":3}`, `3`, `3`},
		{"integer with a point", `{"type":"integer"}`, `3.0`, `3`},
		{"integer with an exponent", `{"type":"integer"}`, `1.5e2`, `150`},
		{"negative zero", `{"type":"integer"}`, `-0`, `0`},
		{"big integer", `{"type":"integer"}`, `123456789012345678901234567890`, `123456789012345678901234567890`},
		{"boolean", `{"type":"boolean"}`, `false`, `false`},
		{"choice", `{"type":"string","enum":["r","g"]}`, `"g"`, `"g"`},
		{"titled choice", `{"type":"string","oneOf":[{"const":"r","title":"Red"}]}`, `"r"`, `"r"`},
		{"choices", `{"type":"array","items":{"type":"string","enum":["r","g"]}}`, `[ "g", "r" ]`, `["g","r"]`},
		{"no choices", `{"type":"array","items":{"anyOf":[{"const":"r","title":"Red"}]}}`, `[]`, `[]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parse(t, one(tt.field)).Check([]byte(`{"f":` + tt.value + `}`))
			if err != nil || string(got) != `{"f":`+tt.want+`}` {
				t.Errorf("Check = %s, %v, want %s", got, err, tt.want)
			}
		})
	}
}

func TestCheckNamesEachViolation(t *testing.T) {
	const (
		text   = `{"type":"string","title":"Name","minLength":2,"maxLength":3}`
		count  = `{"type":"integer","title":"Age","minimum":18,"maximum":99}`
		colour = `{"type":"string","title":"Color","oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"},{"const":"b","title":"Blue"}]}`
		many   = `{"type":"array","title":"Colors","minItems":1,"maxItems":2,"items":{"type":"string","enum":["r","g","b"]}}`
	)
	tests := []struct {
		name, field, value string
		want               []form.Violation
	}{
		{"not text", text, `1`, []form.Violation{{"f", "type", "Name must be text."}}},
		{"null", text, `null`, []form.Violation{{"f", "type", "Name must be text."}}},
		{"too short", text, `"a"`, []form.Violation{{"f", "minLength", "Name must be at least 2 characters long."}}},
		{"too long", text, `"éééé"`, []form.Violation{{"f", "maxLength", "Name must be at most 3 characters long."}}},
		{"one character", `{"type":"string","minLength":1}`, `""`, []form.Violation{{"f", "minLength", "f must be at least 1 character long."}}},
		{"format and length", `{"type":"string","format":"email","minLength":9}`, `"a"`, []form.Violation{
			{"f", "minLength", "f must be at least 9 characters long."},
			{"f", "format", "f must be an email address such as name@example.com."}}},
		{"not a number", `{"type":"number"}`, `"1"`, []form.Violation{{"f", "type", "f must be a number."}}},
		{"too little", `{"type":"number","minimum":0.5}`, `0.49`, []form.Violation{{"f", "minimum", "f must be at least 0.5."}}},
		{"not whole", count, `20.5`, []form.Violation{{"f", "type", "Age must be a whole number."}}},
		{"text for a number", count, `"20"`, []form.Violation{{"f", "type", "Age must be a whole number."}}},
		{"too young", count, `17`, []form.Violation{{"f", "minimum", "Age must be at least 18."}}},
		{"too old", count, `1e2`, []form.Violation{{"f", "maximum", "Age must be at most 99."}}},
		{"not a boolean", `{"type":"boolean","title":"Agree?"}`, `"yes"`, []form.Violation{{"f", "type", "“Agree?” must be true or false."}}},
		{"not a choice", colour, `"Red"`, []form.Violation{{"f", "enum", "Color must be Red, Green or Blue."}}},
		{"a choice of the wrong type", colour, `[]`, []form.Violation{{"f", "type", "Color must be Red, Green or Blue."}}},
		{"one of many choices", `{"type":"string","enum":["1","2","3","4","5","6","7"]}`, `"8"`,
			[]form.Violation{{"f", "enum", "f must be one of the 7 choices offered."}}},
		{"not a list", many, `"r"`, []form.Violation{{"f", "type", "Colors must be a list of choices."}}},
		{"an object", many, `{"a":{"b":[1]}}`, []form.Violation{{"f", "type", "Colors must be a list of choices."}}},
		{"too few", many, `[]`, []form.Violation{{"f", "minItems", "Colors must have at least 1 choice."}}},
		{"too many", many, `["r","g","b"]`, []form.Violation{{"f", "maxItems", "Colors must have at most 2 choices."}}},
		{"twice", many, `["r","r"]`, []form.Violation{{"f", "uniqueItems", "Colors must not have the same choice twice."}}},
		{"unknown items", many, `["r",1]`, []form.Violation{{"f[1]", "type", "Colors, choice 2, must be r, g or b."}}},
		{"items of every kind", many, `["x",{"a":1},"g"]`, []form.Violation{
			{"f", "maxItems", "Colors must have at most 2 choices."},
			{"f[0]", "enum", "Colors, choice 1, must be r, g or b."},
			{"f[1]", "type", "Colors, choice 2, must be r, g or b."}}},
		{"required", `{"type":"string","title":"  Your\nname: * "}`, ``, []form.Violation{{"f", "required", "Your name is required."}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			content := `{"f":` + tt.value + `}`
			if tt.value == "" {
				content = `{}`
			}
			s := parse(t, `{"type":"object","properties":{"f":`+tt.field+`},"required":["f"]}`)
			if diff := cmp.Diff(tt.want, violations(t, s, content)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFormatsRefuseNonsense(t *testing.T) {
	sentences := map[string]string{
		"email":     "an email address such as name@example.com",
		"uri":       "a full address such as https://example.com/page",
		"date":      "a date such as 2026-01-31",
		"date-time": "a date and time with a time zone such as 2026-01-31T09:30:00Z",
	}
	for format, values := range map[string][]string{
		"email": {"", "a", "@example.com", "a@", "a@b@c", "a b@example.com", " a@example.com", "a@example.com ", "a@example.com.", "a@-b.c",
			"Ann <a@example.com>", "<a@example.com>", "a@example.com, b@example.com", "\"a\r\nBcc: b\"@example.com", "a@[1.2.3]"},
		"uri": {"", "a", "/a", "//example.com/a", "example.com", "www.example.com/a", "https:", "https://", "https:/a", "https:a",
			"https://:80/", "http://a b/", "http://a/b c", "http://a/\"", "http://a/%zz", "http://a/?%zz", "http://a/#%zz", "1a:b",
			"http://ä.example/", "http://a\n", "http://[::1", "http://::1/", "http://a\\b"},
		"date": {"", "2026", "2026-1-1", "2026-02-29", "01/02/2026", "2026-01-01 ", "2026-01-01T00:00:00Z"},
		"date-time": {"", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T+1:00:00Z",
			"2026-01-01t00:00:00z", "2016-12-31T23:59:60Z", "2026-01-01T00:00:00+2:00"},
	} {
		s := parse(t, one(`{"type":"string","format":"`+format+`"}`))
		for _, value := range values {
			t.Run(format+" "+value, func(t *testing.T) {
				text, err := json.Marshal(map[string]string{"f": value})
				if err != nil {
					t.Fatal(err)
				}
				want := []form.Violation{{"f", "format", "f must be " + sentences[format] + "."}}
				if diff := cmp.Diff(want, violations(t, s, string(text))); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestCheckListsAllViolationsInTheOrderOfTheFields(t *testing.T) {
	s := parse(t, `{"type":"object","required":["b","d"],"properties":{
		"z":{"type":"integer"},"b":{"type":"string"},"a":{"type":"boolean"},"d":{"type":"string"},
		"c":{"type":"array","items":{"type":"string","enum":["x"]}}}}`)
	want := []form.Violation{
		{"z", "type", "z must be a whole number."},
		{"b", "required", "b is required."},
		{"a", "type", "a must be true or false."},
		{"d", "required", "d is required."},
		{"c[0]", "enum", "c, choice 1, must be x."},
	}
	for range 20 { // the validator walks a map
		if diff := cmp.Diff(want, violations(t, s, `{"c":["y"],"a":0,"z":"1"}`)); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestCheckRefusesWhatIsNotOneObject(t *testing.T) {
	s := parse(t, one(`{"type":"integer","title":"Age"}`))
	tests := []struct {
		name, content string
		want          form.Violation
	}{
		{"null", `null`, form.Violation{"", "type", "The answer must be a JSON object with one member per field."}},
		{"a list", `[{}]`, form.Violation{"", "type", "The answer must be a JSON object with one member per field."}},
		{"a string", `"{}"`, form.Violation{"", "type", "The answer must be a JSON object with one member per field."}},
		{"cut off", `{"f":1`, form.Violation{"", "json", "The answer is not valid JSON."}},
		{"no JSON", `f=1`, form.Violation{"", "json", "The answer is not valid JSON."}},
		{"a trailing comma", `{"f":1,}`, form.Violation{"", "json", "The answer is not valid JSON."}},
		{"two values", `{} {}`, form.Violation{"", "json", "The answer has something after its end."}},
		{"a stray brace", `{}}`, form.Violation{"", "json", "The answer has something after its end."}},
		{"invalid UTF-8", "{\"f\":\"\xff\"}", form.Violation{"", "json", "The answer is not valid UTF-8."}},
		{"a repeated field", `{"f":1,"\u0066":2}`, form.Violation{"f", "json", "Age is given twice."}},
		{"a repeated unknown name", `{"g":{"h":1,"h":2}}`, form.Violation{"g.h", "json", "g.h is given twice."}},
		{"a huge number", `{"f":1e999999999}`, form.Violation{"f", "json", "Age is a number too large or too long to work with."}},
		{"a tiny number", `{"f":1e-999999999}`, form.Violation{"f", "json", "Age is a number too large or too long to work with."}},
		{"a number beyond float64", `{"f":1e309}`, form.Violation{"f", "json", "Age is a number too large or too long to work with."}},
		{"an exponent beyond int", `{"f":1E+99999999999999999999}`, form.Violation{"f", "json", "Age is a number too large or too long to work with."}},
		{"zero with a huge exponent", `{"f":0e999999999}`, form.Violation{"f", "json", "Age is a number too large or too long to work with."}},
		{"a huge number elsewhere", `{"g":[1e999999999]}`, form.Violation{"g[0]", "json", "g[0] is a number too large or too long to work with."}},
		{"some depth", `{"f":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}", form.Violation{"f" + strings.Repeat("[0]", 31), "json",
			"f" + strings.Repeat("[0]", 26) + "[…" + " is nested 33 levels deep where at most 32 are allowed."}},
		{"great depth", `{"f":` + strings.Repeat("[", 100_000), form.Violation{"", "json", "The answer is nested 100001 levels deep where at most 32 are allowed."}},
		{"great length", `{"g":"` + strings.Repeat("a", 1<<20) + `"}`, form.Violation{"", "json", "The answer has 1048584 bytes where at most 1048576 are allowed."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff([]form.Violation{tt.want}, violations(t, s, tt.content)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCheckReportsALongListOnce(t *testing.T) {
	s := parse(t, one(`{"type":"array","items":{"type":"string","enum":["a","b"]}}`))
	content := `{"f":["a"` + strings.Repeat(`,"x"`, 100_000) + `]}`
	want := []form.Violation{
		{"f", "maxItems", "f must have at most 2 choices."},
		{"f", "uniqueItems", "f must not have the same choice twice."},
		{"f[1]", "enum", "f, choice 2, must be a or b."},
		{"f[2]", "enum", "f, choice 3, must be a or b."},
	}
	if diff := cmp.Diff(want, violations(t, s, content)); diff != "" {
		t.Error(diff)
	}
}

func TestCheckFillsInDefaultsBeforeItMissesFields(t *testing.T) {
	s := parse(t, `{"type":"object","required":["s","c"],"properties":{
		"s":{"type":"string","default":"d"},
		"n":{"type":"integer","default":4.0},
		"b":{"type":"boolean","default":false},
		"m":{"type":"array","items":{"type":"string","enum":["x","y"]},"default":[]},
		"o":{"type":"string"},
		"c":{"type":"string","enum":["x","y"],"default":"y"}}}`)
	for content, want := range map[string]string{
		``:                        `{"s":"d","n":4,"b":false,"m":[],"c":"y"}`,
		" \n":                     `{"s":"d","n":4,"b":false,"m":[],"c":"y"}`,
		`{}`:                      `{"s":"d","n":4,"b":false,"m":[],"c":"y"}`,
		`{"c":"x","o":"","s":""}`: `{"s":"","n":4,"b":false,"m":[],"o":"","c":"x"}`,
	} {
		got, err := s.Check([]byte(content))
		if err != nil || string(got) != want {
			t.Errorf("Check(%q) = %s, %v, want %s", content, got, err, want)
		}
	}
	want := []form.Violation{{"s", "type", "s must be text."}}
	if diff := cmp.Diff(want, violations(t, s, `{"s":null}`)); diff != "" {
		t.Errorf("a default must not replace a wrong value: %s", diff)
	}
}

func TestNoContentMissesRequiredFields(t *testing.T) {
	s := parse(t, `{"type":"object","properties":{"a":{"type":"boolean","title":"Agreed"}},"required":["a"]}`)
	want := []form.Violation{{"a", "required", "Agreed is required."}}
	if diff := cmp.Diff(want, violations(t, s, "")); diff != "" {
		t.Error(diff)
	}
}

func TestCheckLeavesOutWhatTheSchemaDoesNotName(t *testing.T) {
	s := parse(t, `{"type":"object","additionalProperties":false,"properties":{"b":{"type":"boolean"},"a":{"type":"boolean"}}}`)
	got, err := s.Check([]byte(`{"a":true,"admin":true,"0":1,"b":false}`))
	if err != nil || string(got) != `{"b":false,"a":true}` {
		t.Errorf("Check = %s, %v", got, err)
	}
	got, err = parse(t, `{"type":"object"}`).Check([]byte(`{"a":true}`))
	if err != nil || string(got) != `{}` {
		t.Errorf("Check = %s, %v", got, err)
	}
}

func TestFieldNamesMayLookLikeAnything(t *testing.T) {
	for _, name := range []string{"0", "1", "a/b", "a~1b", "%41", "$ref", "$id", "#", "a.b", "type", "properties", "é", "<&>", " "} {
		text, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		s := parse(t, fmt.Sprintf(`{"type":"object","properties":{"x":{"type":"boolean"},%s:{"type":"integer"}}}`, text))
		got, err := s.Check([]byte(fmt.Sprintf(`{%s:7}`, text)))
		var back map[string]int
		if err != nil || json.Unmarshal(got, &back) != nil || back[name] != 7 {
			t.Errorf("%q: Check = %s, %v", name, got, err)
		}
		if got := violations(t, s, fmt.Sprintf(`{%s:"7"}`, text)); len(got) != 1 || got[0].Path != name {
			t.Errorf("%q: got %v", name, got)
		}
	}
}

func TestContentErrorTellsEverythingButTheContent(t *testing.T) {
	s := parse(t, `{"type":"object","properties":{"a":{"type":"string","title":"PIN","maxLength":4},"b":{"type":"boolean"}},"required":["b"]}`)
	_, err := s.Check([]byte(`{"a":"hunter2"}`))
	want := form.ErrContent.Error() + ": PIN must be at most 4 characters long. b is required."
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	text, jsonErr := json.Marshal(err)
	if wantJSON := `{"violations":[{"path":"a","rule":"maxLength","message":"PIN must be at most 4 characters long."},` +
		`{"path":"b","rule":"required","message":"b is required."}]}`; jsonErr != nil || string(text) != wantJSON {
		t.Errorf("got %s, %v, want %s", text, jsonErr, wantJSON)
	}
}

func TestSchemasAreSafeForConcurrentUse(t *testing.T) {
	s := parse(t, one(`{"type":"string","format":"email"}`))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if _, err := s.Check([]byte(`{"f":"a@example.com"}`)); err != nil {
				t.Error(err)
			}
			if _, err := s.Check([]byte(`{"f":"a"}`)); !errors.Is(err, form.ErrContent) {
				t.Error(err)
			}
			s.Fields()
			s.JSON()
		})
	}
	group.Wait()
}

// Surplus names what Check leaves out, and nothing else.
func TestWhatTheSchemaDoesNotNameIsSurplus(t *testing.T) {
	s, err := form.Parse([]byte(`{"type":"object","properties":{"city":{"type":"string"},"class":{"type":"string"}}}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	found := s.Surplus([]byte(`{"city":"Oslo","Class":"biz","x\u0007":1}`))
	if len(found) != 2 || found[0].Path != "Class" || found[0].Rule != "unknown" || !strings.HasPrefix(found[0].Message, "Class is not in this form") || strings.Contains(found[1].Message, "\a") {
		t.Errorf("%+v", found)
	}
	for _, content := range []string{``, `{}`, `{"city":5}`, `[]`, `{"city"`, `{"a":1,"a":2}`} {
		if found := s.Surplus([]byte(content)); found != nil {
			t.Errorf("%s: %+v", content, found)
		}
	}
	var many strings.Builder
	for i := range 50 {
		fmt.Fprintf(&many, `,"f%d":1`, i)
	}
	if found := s.Surplus([]byte(`{"city":"x"` + many.String() + `}`)); len(found) != 10 {
		t.Errorf("%d are told", len(found))
	}
}
