package strictjson_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/parley-hq/parley/strictjson"
)

// sent is what a client may send.
type sent struct {
	Action  string          `json:"action"`
	Content json.RawMessage `json:"content"`
	Any     any             `json:"any"`
	Map     map[string]int  `json:"map"`
	List    []inner         `json:"list"`
	Inner   *inner          `json:"inner"`
	Own     own             `json:"own"`
	Untold  string
	Left    string `json:"-"`
}

type inner struct {
	Kind string `json:"kind"`
}

// own decodes itself.
type own string

func (o *own) UnmarshalJSON(raw []byte) error {
	*o = own(raw)
	return nil
}

func TestAFieldIsNamedOnceAndInItsOwnLetters(t *testing.T) {
	for raw, want := range map[string]string{
		`{"action":"decline","action":"accept"}`:                     "action is given twice",
		`{"action":"decline","\u0061ction":"accept"}`:                "action is given twice",
		`{"action":"decline","Action":"accept"}`:                     `Action is "action" in other letters, and some programs take one for the other`,
		` { "ACTION" : "accept" } `:                                  `ACTION is "action" in other letters, and some programs take one for the other`,
		"{\"ke\":1,\"\u212aind\":2,\"inner\":{\"\u212aind\":\"x\"}}": "inner.\u212aind is \"kind\" in other letters, and some programs take one for the other",
		`{"untold":""}`:                              `untold is "Untold" in other letters, and some programs take one for the other`,
		`{"inner":{"kind":"a","kind":"b"}}`:          "inner.kind is given twice",
		`{"list":[{},{"x":[{"y":"}"}],"Kind":"b"}]}`: `list[1].Kind is "kind" in other letters, and some programs take one for the other`,
		`{"content":{"a":{"b":1,"b":2}}}`:            "content.a.b is given twice",
		`{"content":{"amount":1,"Amount":2}}`:        `content.Amount stands beside "amount", and some programs take one for the other`,
		`{"content": "\ud800"}`:                      "content has one half of a surrogate pair",
		`{"content":[1e400]}`:                        "content[0] is a number too large or too long to work with",
		`{"any":{"a":1,"A":2}}`:                      `any.A stands beside "a", and some programs take one for the other`,
		`{"map":{"a":1,"a":2}}`:                      "map.a is given twice",
		`{"x":1,"x":2}`:                              "x is given twice",
		"{\"act\xffion\":\"accept\"}":                "the text has a name that is not valid Unicode",
		`{"inner":{"\ud800kind":"accept"}}`:          "inner has a name that is not valid Unicode",
		`{"action":7,"Action":"accept"}`:             `Action is "action" in other letters, and some programs take one for the other`,
		`{"content":` + strings.Repeat(`[`, 65) + strings.Repeat(`]`, 65) + `}`: "content" + strings.Repeat("[0]", 64) + " is nested 65 levels deep where at most 64 are allowed",
	} {
		var got sent
		err := strictjson.Decode([]byte(raw), depth, &got)
		var refused *strictjson.Error
		if !errors.As(err, &refused) || err.Error() != want {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

func TestWhatNoFieldReadsIsPassedOver(t *testing.T) {
	for _, raw := range []string{
		`{}`, ` null `, `{"action":null,"content":null,"list":null,"inner":null}`,
		`{"x":{"a":1,"a":2,"A":3},"X":[{"b":"\ud800","b":1e400}],"-":1,"Left":1,"left":2}`,
		"{\"x\":\"\xff\",\"action\":\"\xff\"}",
		`{"own":{"a":1,"a":2},"x":"}\"]","y":-1.5e+3,"z":[true,false,null,[],{},[{"a":[]}]],"action":"accept"}`,
		` { "action" : "a" , "list" : [ { "kind" : "k" } , { } ] , "content" : { "a" : [ 1 , { } ] } , "map" : { "a" : 1 , "b" : 2 } } `,
		`{"inner":{"kind":"k","x":1},"any":[1,{"a":"b"}],"Untold":"u"}`,
	} {
		var got, want sent
		if err := json.Unmarshal([]byte(raw), &want); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if err := strictjson.Decode([]byte(raw), depth, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", raw, got, err)
		}
	}
}

func TestWhatCannotBeDecodedIsTheStandardLibrarysError(t *testing.T) {
	for _, raw := range []string{``, `{`, `{"action":`, `{} {}`, `[]`, `"x"`, `{"action":7}`, `{"list":{"kind":1}}`, `{"inner":[]}`, `{"a":1,"a":2`} {
		var got, want sent
		err, old := strictjson.Decode([]byte(raw), depth, &got), json.Unmarshal([]byte(raw), &want)
		if err == nil || err.Error() != old.Error() {
			t.Errorf("%s: %v, want %v", raw, err, old)
		}
	}
}

// FuzzDecode: who takes members in their own letters alone, and the first or the last of
// several, reads what Decode does.
func FuzzDecode(f *testing.F) {
	addSeeds(f)
	f.Add([]byte(`{"action":"a","content":{"a":[{"b":1}]},"list":[{"kind":"k"}],"inner":{"Kind":"x"},"x":[{"y":"}"},-1e5]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var got sent
		if strictjson.Decode(raw, depth, &got) != nil {
			return
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(raw, &members); err != nil || members == nil {
			return // null
		}
		var action string
		if exact, ok := members["action"]; ok && string(exact) != "null" && (json.Unmarshal(exact, &action) != nil || action != got.Action) || !ok && got.Action != "" {
			t.Fatalf("%q: the action is %q, and %q to who looks at letters", raw, got.Action, members["action"])
		}
		if len(got.Content) > 0 && string(got.Content) != string(members["content"]) {
			t.Fatalf("%q: the content is %q, and %q to who looks at letters", raw, got.Content, members["content"])
		}
		if len(got.Content) > 0 {
			if _, err := strictjson.Read(got.Content, depth); err != nil {
				t.Fatalf("%q: the content was taken, and not read: %v", raw, err)
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	raw := []byte(`{"conversationId":"c1","elicitationId":"0123456789abcdef0123456789abcdef","action":"accept","content":{"decision":"allow_once","reason":"as we said","args.amount":1250}}`)
	for name, decode := range map[string]func([]byte, any) error{
		"strict": func(raw []byte, into any) error { return strictjson.Decode(raw, depth, into) }, "json": json.Unmarshal,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var got struct {
					ConversationID string          `json:"conversationId"`
					ElicitationID  string          `json:"elicitationId"`
					Action         string          `json:"action"`
					Content        json.RawMessage `json:"content"`
				}
				if err := decode(raw, &got); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
