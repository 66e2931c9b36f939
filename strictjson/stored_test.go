package strictjson_test

import (
	"encoding/json"
	"testing"

	"github.com/parley-hq/parley/strictjson"
)

func TestWhatStoringDoesToJSONMakesNoOther(t *testing.T) {
	asked := json.RawMessage(`{"a": "x & <y>",  "n": 1.0}`)
	var record struct{ Form json.RawMessage }
	stored, err := json.Marshal(map[string]any{"Form": asked})
	if err == nil {
		err = json.Unmarshal(stored, &record)
	}
	if err != nil || string(record.Form) == string(asked) {
		t.Fatalf("%s, %v", record.Form, err)
	}
	if strictjson.Stored(asked) != strictjson.Stored(record.Form) {
		t.Errorf("%s is not %s", strictjson.Stored(asked), strictjson.Stored(record.Form))
	}
	for _, other := range []string{`{"a":"x & <y>","n":1}`, `{"n":1.0,"a":"x & <y>"}`, `{"a":"x & < y>","n":1.0}`, "", "null", "{"} {
		if strictjson.Stored(json.RawMessage(other)) == strictjson.Stored(asked) {
			t.Errorf("%s is taken for %s", other, asked)
		}
	}
	if strictjson.Stored(nil) != "" {
		t.Error("nothing became something")
	}
}
