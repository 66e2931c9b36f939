package strictjson_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/parley-hq/parley/strictjson"
)

const depth = 64

// Whatever two programs may read differently, this one does not read at all.
func TestTextsThatTwoProgramsReadDifferentlyAreRefused(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a":1,"a":2}`:                    "a is given twice",
		`{"a":1,"\u0061":2}`:               "a is given twice",
		`{"x":[0,{"a":{"b":1,"b":1}}]}`:    "x[1].a.b is given twice",
		`{"amount":1,"Amount":1000000}`:    `Amount stands beside "amount", and some programs take one for the other`,
		`[[{"a":1,"b":{},"A":2}]]`:         `[0][0].A stands beside "a", and some programs take one for the other`,
		`{"key":1,"` + "\u212a" + `ey":2}`: "\u212a" + `ey stands beside "key", and some programs take one for the other`,
		`{"size":1,"\u017fize":2}`:         `ſize stands beside "size", and some programs take one for the other`,
		`{"straße":1,"STRASSE":2}`:         `STRASSE stands beside "straße", and some programs take one for the other`,
		`{"id":1,"\u0130D":2}`:             `İD stands beside "id", and some programs take one for the other`,
		`{"id":1,"\u0131d":2}`:             `ıd stands beside "id", and some programs take one for the other`,
		`{"ÄRGER":1,"ärger":2}`:            `ärger stands beside "ÄRGER", and some programs take one for the other`,
		`{"σ":1,"ς":2}`:                    `ς stands beside "σ", and some programs take one for the other`,
		`{"n":5,"n\u0000\u0000x":500}`:     "n\x00\x00x" + ` stands beside "n", and some programs take one for the other`,
		`{"n":1e400}`:                      "n is a number too large or too long to work with",
		`[-1e309]`:                         "[0] is a number too large or too long to work with",
		`{"a":"\ud800"}`:                   "the text has one half of a surrogate pair",
		"{\"a\":\"\xff\"}":                 "the text is not valid UTF-8",
		`{"a":1} {"a":2}`:                  "the text has something after its end",
		`{"a":1}x`:                         "the text has something after its end",
		`{"a":[1,]}`:                       "the text is not valid JSON",
		`{"a":01}`:                         "the text is not valid JSON",
		`{'a':1}`:                          "the text is not valid JSON",
		"\ufeff{}":                         "the text is not valid JSON",
		``:                                 "the text is not valid JSON",
		`\`:                                "the text is not valid JSON",
		`"\u12`:                            "the text is not valid JSON",
		`"\ud83d\u`:                        "the text has one half of a surrogate pair",
		strings.Repeat(`{"a":`, 65) + `1` + strings.Repeat(`}`, 65): strings.TrimSuffix(strings.Repeat("a.", 64), ".") + " is nested 65 levels deep where at most 64 are allowed",
	} {
		v, err := strictjson.Read([]byte(raw), depth)
		var refused *strictjson.Error
		if !errors.As(err, &refused) || v != nil {
			t.Errorf("%s: read as %v, %v", raw, v, err)
			continue
		}
		if err.Error() != want {
			t.Errorf("%s: %s", raw, err)
		}
	}
}

func TestWhatIsReadIsInTheOrderOfTheText(t *testing.T) {
	v, err := strictjson.Read([]byte(` {"b":[1.0,true,null],"a":{"z":"\u00e9\n","y":-0}} `), depth)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(strictjson.Append(nil, v, nil)); got != `{"b":[1.0,true,null],"a":{"z":"é\n","y":-0}}` {
		t.Error(got)
	}
	if got := string(strictjson.Append(nil, strictjson.Sorted(v), nil)); got != `{"a":{"y":-0,"z":"é\n"},"b":[1.0,true,null]}` {
		t.Error(got)
	}
	o := v.(strictjson.Object)
	if _, there := o.Get("A"); there {
		t.Error("a member was found by other letters")
	}
	if n, _ := o[1].Value.([]any); n == nil || n[0] != json.Number("1.0") {
		t.Errorf("%v", o)
	}
}

// Every pair of characters that any of Unicode's ways takes for the same letter
// is one under Fold, and so is every pair that Go's own decoder takes for one.
func TestNamesThatAreTheSameUnderAnyCaseMappingFoldToTheSame(t *testing.T) {
	for c := rune(0); c <= unicode.MaxRune; c++ {
		if c >= 0xd800 && c <= 0xdfff {
			continue
		}
		own := strictjson.Fold(string(c))
		for _, other := range []string{
			string(unicode.ToUpper(c)), string(unicode.ToLower(c)), string(unicode.ToTitle(c)), string(unicode.SimpleFold(c)),
			strings.ToUpper(string(c)), strings.ToLower(string(c)),
		} {
			if strictjson.Fold(other) != own {
				t.Errorf("%U and %q fold apart", c, other)
			}
		}
		if strictjson.Fold(own) != own {
			t.Errorf("%U: folding twice is not folding once", c)
		}
	}
	for c := '!'; c < 0x7f; c++ {
		for d := '!'; d < c; d++ {
			if same := strings.EqualFold(string(c), string(d)); same != (strictjson.Fold(string(c)) == strictjson.Fold(string(d))) {
				t.Errorf("%c and %c", c, d)
			}
		}
	}
}
