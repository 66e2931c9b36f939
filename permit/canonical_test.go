package permit_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/parley-hq/parley/permit"
)

func TestCanonicalForms(t *testing.T) {
	for raw, want := range map[string]string{
		`{}`:                                `{}`,
		` { } `:                             `{}`,
		`[]`:                                `[]`,
		"\t[ 1 ,\n2 ]\r\n":                  `[1,2]`,
		`null`:                              `null`,
		`true`:                              `true`,
		`"x"`:                               `"x"`,
		`{"b":1,"a":2}`:                     `{"a":2,"b":1}`,
		`{"b":{"d":1,"c":2},"a":[]}`:        `{"a":[],"b":{"c":2,"d":1}}`,
		`[{"b":1,"a":2}, 0]`:                `[{"a":2,"b":1},0]`,
		`{"":1," ":2}`:                      `{"":1," ":2}`,
		`{"a":1,"B":2,"aa":3,"10":4,"9":5}`: `{"10":4,"9":5,"B":2,"a":1,"aa":3}`,

		// Numbers are kept as written.
		`[0,-0,0.0,1,1.0,1e0,1E0,1e+0,10e-1]`:  `[0,-0,0.0,1,1.0,1e0,1E0,1e+0,10e-1]`,
		`9007199254740993`:                     `9007199254740993`,
		`1e308`:                                `1e308`,
		`0.1000000000000000055511151231257827`: `0.1000000000000000055511151231257827`,

		// Strings have one spelling.
		`"\u0041\u00e9\/\u20ac"`: `"Aé/€"`,
		`"\ud83d\ude00"`:         `"😀"`,
		`"\uD83D\uDE00"`:         `"😀"`,
		`"\b\f\n\r\t\"\\"`:       `"\b\f\n\r\t\"\\"`,
		`"\u0008\u000c\u000a\u000d\u0009\u0022\u005c"`: `"\b\f\n\r\t\"\\"`,
		`"\u0000\u001F\u007f"`:                         "\"\\u0000\\u001f\x7f\"",
		`"<&>\u2028"`:                                  "\"<&>\u2028\"",
		`"\ufffd"`:                                     `"�"`,
		`"\\ud800"`:                                    `"\\ud800"`,
		`{"\u0062":1,"a":2}`:                           `{"a":2,"b":1}`,

		// The order is that of UTF-16, where U+1F600 (d83d de00) comes before U+FB33.
		"{\"\ufb33\":1,\"😀\":2,\"\u20ac\":3,\"1\":4,\"\\r\":5,\"\u00f6\":6,\"\u0080\":7}": "{\"\\r\":5,\"1\":4,\"\u0080\":7,\"\u00f6\":6,\"\u20ac\":3,\"😀\":2,\"\ufb33\":1}",
	} {
		got, err := permit.Canonical(json.RawMessage(raw))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", raw, got, err, want)
		}
	}
}

func TestAmbiguousArgumentsHaveNoCanonicalForm(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for name, raw := range map[string]string{
		"nothing":                   "",
		"white space":               "  ",
		"no JSON":                   "{a:1}",
		"two values":                "{} {}",
		"a trailing comma":          `{"a":1,}`,
		"a leading zero":            "01",
		"not a number":              "NaN",
		"a byte order mark":         "\ufeff{}",
		"a name twice":              `{"a":1,"a":1}`,
		"a name twice, deeper":      `[{"x":{"a":1,"b":2,"a":3}}]`,
		"a name twice, escaped":     `{"a":1,"\u0061":2}`,
		"a name in other case":      `{"a":1,"A":1}`,
		"in other case, deeper":     `[{"x":{"amount":1,"b":2,"Amount":3}}]`,
		"in other case, escaped":    `{"a":1,"\u0041":2}`,
		"case as Unicode has it":    `{"kilo":1,"\u212Ailo":2}`,
		"a sharp s":                 `{"stra\u00dfe":1,"STRASSE":2}`,
		"a dotless i":               `{"id":1,"\u0131d":2}`,
		"an endless number":         `1e999999999`,
		"a number of 401 digits":    strings.Repeat("1", 401),
		"invalid UTF-8":             "\"\xff\"",
		"invalid UTF-8 in a name":   "{\"\xc3\":1}",
		"an encoded surrogate":      "\"\xed\xa0\x80\"",
		"a high surrogate alone":    `"\ud800"`,
		"a low surrogate alone":     `"\udc00"`,
		"two high surrogates":       `"\ud800\ud800"`,
		"a pair the wrong way":      `"\udc00\ud800"`,
		"a surrogate, then a text":  `"\ud800u"`,
		"a surrogate and an escape": `"\ud800\n"`,
		"a surrogate in a name":     `{"\ud800":1}`,
		"a raw control character":   "\"\n\"",
		"too deep":                  deep(65),
		"far too deep":              deep(100_000),
		"too large":                 `"` + strings.Repeat("x", 1<<20) + `"`,
	} {
		got, err := permit.Canonical(json.RawMessage(raw))
		if got != nil {
			t.Errorf("%s: %.50q", name, got)
		}
		wantError(t, err, permit.ErrArguments)
	}
	for _, raw := range []string{deep(64), `"` + strings.Repeat("x", 1<<20-2) + `"`} {
		if _, err := permit.Canonical(json.RawMessage(raw)); err != nil {
			t.Error(err)
		}
	}
}

// meaning is what a JSON text says, with numbers as they are written.
func meaning(t *testing.T, raw []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	return v
}

// FuzzCanonical holds against a decoder that is not ours: a text means what its
// canonical form means, and two texts share a form exactly when they mean the
// same.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{
		`{"b":1,"a":[1,2,{"c":null}]}`, `{"a":1,"a":2}`, `"\ud83d\ude00"`, `"\ud800"`, `"\\ud800"`, "\"\xff\"", `1e400`, `-0`,
		`9007199254740993`, `{"\u0061":"\u2028\u202e"}`, `[[[[]]]]`, ` {} `, `{"":{"":{}}}`, `"\ufffd"`, "{\"\ufb33\":1,\"😀\":2}",
	} {
		f.Add([]byte(seed), []byte(`{"a":[1,2,{"c":null}],"b":1}`))
	}
	f.Add([]byte(`{"a":"\ufffd"}`), []byte(`{"a":"�"}`))
	f.Add([]byte(`9007199254740992`), []byte(`9007199254740993`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		one, err := permit.Canonical(a)
		if err != nil {
			if one != nil {
				t.Fatalf("%q beside %v", one, err)
			}
			wantError(t, err, permit.ErrArguments)
			return
		}
		if again, err := permit.Canonical(one); err != nil || !bytes.Equal(again, one) {
			t.Fatalf("%q became %q, then %q, %v", a, one, again, err)
		}
		if !reflect.DeepEqual(meaning(t, a), meaning(t, one)) {
			t.Fatalf("%q became %q", a, one)
		}
		other, err := permit.Canonical(b)
		if err != nil {
			return
		}
		same := reflect.DeepEqual(meaning(t, a), meaning(t, b))
		if same != bytes.Equal(one, other) {
			t.Fatalf("%q and %q mean the same: %t; their forms are %q and %q", a, b, same, one, other)
		}
	})
}

// FuzzQuestion looks for arguments that are not shown as they are: what stands
// behind the heading must be the arguments, and nothing in it may be invisible.
func FuzzQuestion(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":"x\ny"}`, `{"a":"\u202e\u200b"}`, `{"Arguments:\n{}":[1.0,{"b":[]}]}`, "{\"\u2028\":\"\u3164\U000e0041\"}"} {
		f.Add([]byte(seed), "tool", "Title")
	}
	f.Add([]byte(`{}`), "t\u202eool", "A\nArguments:\n{}")
	s := newSite(f, nil)
	f.Fuzz(func(t *testing.T, args []byte, tool, title string) {
		c := with(transfer(), func(c *permit.Call) { c.Args, c.Tool, c.ToolTitle = args, tool, title })
		q, err := s.Question(c)
		if err != nil {
			return
		}
		head, shown, _ := strings.Cut(q.Message, "\nArguments:\n")
		if strings.Count(head, "\n") != 3 || !strings.HasPrefix(head, "Allow this call?\n\nService: bank\nTool: ") {
			t.Fatalf("forged: %q", q.Message)
		}
		if i := strings.IndexFunc(q.Message, invisible); i >= 0 {
			t.Fatalf("invisible: %q", q.Message[i:])
		}
		if len(args) == 0 || len(bytes.TrimSpace(args)) == 0 {
			args = []byte("{}")
		}
		want, err := permit.Canonical(args)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := permit.Canonical([]byte(shown)); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("shown is %q, called is %q: %v", shown, want, err)
		}
	})
}

// invisible knows some of what must not be in a message.
func invisible(c rune) bool {
	switch {
	case c == '\n', c == ' ':
		return false
	case c < ' ', c >= 0x7f && c <= 0xa0, c >= 0x200b && c <= 0x200f, c >= 0x2028 && c <= 0x202f, c >= 0x2060 && c <= 0x206f,
		c == 0x00ad, c == 0x034f, c == 0x061c, c == 0x115f, c == 0x3164, c == 0x2800, c == 0x3000, c == 0xfeff, c == 0xffa0,
		c >= 0xfe00 && c <= 0xfe0f, c >= 0xe0000 && c <= 0xe0fff:
		return true
	}
	return false
}
