package strictjson_test

import (
	"testing"

	"github.com/parley-hq/parley/strictjson"
)

func TestNumbersThatADoubleWouldRoundAreRefusedAsTheyWereWritten(t *testing.T) {
	const beyond, longer = " is a number beyond 2^53, which would be rounded", " is a number with more digits than are kept, which would be rounded"
	for raw, want := range map[string]string{
		`9007199254740991`: "", `-9007199254740991`: "", `0.1`: "", `0.10000000000000001`: "", `1.0`: "", `1e3`: "", `100e-2`: "", `-0`: "", `0.000`: "", `1.50`: "", `5e-324`: "",
		`{"a":[1,{"n":12}]}`:         "",
		`9007199254740992`:           "the text" + beyond,
		`9007199254740993`:           "the text" + beyond,
		`-9007199254740993`:          "the text" + beyond,
		`1e20`:                       "the text" + beyond,
		`[0,{"n":9007199254740993}]`: "[1].n" + beyond,
		`{"a":{"b":[9e15,1e16]}}`:    "a.b[1]" + beyond,
		`1.0000000000000000001`:      "the text" + longer,
		`1.0000000000000001`:         "the text" + longer,
		`9007199254740991.4`:         "the text" + longer,
		`1e-400`:                     "the text" + longer,
		`0.123456789012345678`:       "the text" + longer,
	} {
		v, err := strictjson.Read([]byte(raw), depth)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		got := ""
		if err := strictjson.Exact(v); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}
