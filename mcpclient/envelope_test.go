package mcpclient_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/tracing"
)

func TestTheEnvelopeOfAMessageIsRead(t *testing.T) {
	for message, want := range map[string]mcpclient.Message{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":[1,{"id":2}]}}`:     {ID: json.RawMessage("1"), Method: "tools/call", Params: json.RawMessage(`{"a":[1,{"id":2}]}`)},
		` { "method" : "a\u002fb" , "jsonrpc" : "2.0" } `:                                {Method: "a/b"},
		`{"jsonrpc":"2.0","id":"x\"","result":"}"}`:                                      {ID: json.RawMessage(`"x\""`), Result: json.RawMessage(`"}"`)},
		`{"jsonrpc":"2.0","id":1,"result":null,"more":{"id":3}}`:                         {ID: json.RawMessage("1"), Result: json.RawMessage("null")},
		`{"jsonrpc":"2.0","id":-1.5e3,"error":{"code":-32042,"message":"no","data":[]}}`: {ID: json.RawMessage("-1.5e3"), Error: &mcpclient.Error{Code: -32042, Message: "no", Data: json.RawMessage("[]")}},
		`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}`:                  {ID: json.RawMessage("null"), Error: &mcpclient.Error{Code: 1, Message: "no"}},
		`{"jsonrpc":"2.0","method":"a","params":null}`:                                   {Method: "a"},
		`{"jsonrpc":"2.0","id":1,"result":{},"error":null}`:                              {ID: json.RawMessage("1"), Result: json.RawMessage("{}")},
		`{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"no"}}`:       {ID: json.RawMessage("1"), Error: &mcpclient.Error{Code: 1, Message: "no"}},
		`{"jsonrpc":"2.0","error":{"code":1,"message":"no"}}`:                            {ID: json.RawMessage("null"), Error: &mcpclient.Error{Code: 1, Message: "no"}},
	} {
		got, err := mcpclient.Envelope([]byte(message))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", message, err, diff)
		}
	}
}

var nonsense = []string{
	``, `null`, `1`, `"x"`, `[]`, `{}`, `{`, `}`, `{"jsonrpc":"2.0"}`,
	`[{"jsonrpc":"2.0","id":1,"method":"a"}]`,
	`{"id":1,"method":"a"}`,
	`{"jsonrpc":"1.0","id":1,"method":"a"}`,
	`{"jsonrpc":2.0,"id":1,"method":"a"}`,
	`{"jsonrpc":"2.0","id":{},"method":"a"}`,
	`{"jsonrpc":"2.0","id":[1],"method":"a"}`,
	`{"jsonrpc":"2.0","id":true,"method":"a"}`,
	`{"jsonrpc":"2.0","id":null,"method":"a"}`,
	`{"jsonrpc":"2.0","id":null,"result":1}`,
	`{"jsonrpc":"2.0","result":1}`,
	`{"jsonrpc":"2.0","id":1}`,
	`{"jsonrpc":"2.0","id":1,"method":""}`,
	`{"jsonrpc":"2.0","id":1,"method":7}`,
	`{"jsonrpc":"2.0","id":1,"method":"a","params":[1]}`,
	`{"jsonrpc":"2.0","id":1,"result":null,"error":null,"method":"a"}`,
	`{"jsonrpc":"2.0","id":1,"error":null}`,
	`{"jsonrpc":"2.0","id":1,"method":"a","result":1}`,
	`{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}`,
	`{"jsonrpc":"2.0","id":1,"result":1,"params":{}}`,
	`{"jsonrpc":"2.0","id":1,"error":"no"}`,
	`{"jsonrpc":"2.0","id":1,"error":{"code":"x"}}`,
	`{"jsonrpc":"2.0","id":1,"id":1,"method":"a"}`,
	`{"jsonrpc":"2.0","id":1,"\u0069d":2,"method":"a"}`,
	`{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}`,
	`{"jsonrpc":"2.0","id":1,"result":{},"result":{}}`,
	`{"jsonrpc":"2.0","id":1,"method":"a"} {}`,
	`{"jsonrpc":"2.0","id":1,"method":"a",}`,
	`{"jsonrpc":"2.0","id":01,"method":"a"}`,
	`{"jsonrpc":"2.0","id":1,"result":{"a":}}`,
	`{"jsonrpc":"2.0","id":1,"result":[1,]}`,
	`{"jsonrpc":"2.0","id":1,"result":"a` + "\n" + `b"}`,
	`{"jsonrpc":"2.0","id":1,"result":"\x"}`,
	`{"jsonrpc":"2.0","id":1,"result":"\u12g4"}`,
	`{"jsonrpc":"2.0","id":1,"result":tru}`,
	`{"jsonrpc":"2.0","id":1,"result":1.}`,
	`{"jsonrpc":"2.0","id":1,"result":1e}`,
	`{"jsonrpc":"2.0","id":1,"result":-}`,
	`{"jsonrpc":"2.0","id":1,"result":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`,
}

func TestAnErrorWithoutACodeIsAnInternalOne(t *testing.T) {
	for failure, want := range map[string]int64{`{"message":"no"}`: -32603, `{}`: -32603, `{"code":0,"message":"no"}`: 0, `{"code":-1}`: -1} {
		if m, err := mcpclient.Envelope([]byte(`{"jsonrpc":"2.0","id":1,"error":` + failure + `}`)); err != nil || m.Error.Code != want {
			t.Errorf("%s: %+v, %v", failure, m.Error, err)
		}
	}
}

func TestWhatIsNoMessageIsRefused(t *testing.T) {
	for _, message := range nonsense {
		if got, err := mcpclient.Envelope([]byte(message)); !errors.Is(err, mcpclient.ErrProtocol) {
			t.Errorf("%.80s: %+v, %v", message, got, err)
		}
	}
}

func TestAMemberIsFoundByItsName(t *testing.T) {
	object := json.RawMessage(`{"a":{"b":1},"\u0062":2,"c":"}","d":1,"d":2}`)
	for name, want := range map[string]string{"a": `{"b":1}`, "b": "2", "c": `"}"`, "d": "2", "e": "", "": ""} {
		if got, ok := mcpclient.Member(object, name); string(got) != want || ok != (want != "") {
			t.Errorf("%s: %s, %v", name, got, ok)
		}
	}
	for _, object := range []string{``, `[]`, `{"a":1`, `{"a":1}x`, `"a"`} {
		if got, ok := mcpclient.Member(json.RawMessage(object), "a"); ok {
			t.Errorf("%s: %s", object, got)
		}
	}
}

func TestARequestKeepsItsParamsAndOnlyTheMetaThatIsNotOurs(t *testing.T) {
	modern := json.RawMessage(`"io.modelcontextprotocol/protocolVersion":"v"`)
	for _, test := range []struct{ params, meta, progress, want string }{
		{``, ``, ``, `{}`},
		{` { } `, ``, ``, `{}`},
		{`{"a":1}`, ``, ``, `{"a":1}`},
		{` {"a" : 1 , "b":2 } `, ``, `"t"`, `{"_meta":{"progressToken":"t"},"a" : 1 , "b":2 }`},
		{`{"a":1}`, string(modern), ``, `{"_meta":{` + string(modern) + `},"a":1}`},
		{`{}`, string(modern), `3`, `{"_meta":{` + string(modern) + `,"progressToken":3}}`},
		{`{"_meta":{"progressToken":9,"trace":"x"},"a":1}`, ``, `3`, `{"_meta":{"progressToken":3,"trace":"x"},"a":1}`},
		{`{"_meta":{"progressToken":9},"a":1}`, ``, ``, `{"a":1}`},
		{`{"a":1,"_m\u0065ta":{"io.modelcontextprotocol/protocolVersion":"forged","io.modelcontextprotocol\/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{},"x":{}}}`,
			string(modern), ``, `{"_meta":{` + string(modern) + `,"x":{}},"a":1}`},
	} {
		got, err := mcpclient.RequestBody(5, "tools/call", json.RawMessage(test.params), json.RawMessage(test.meta), json.RawMessage(test.progress), tracing.Context{})
		if want := `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":` + test.want + `}`; err != nil || string(got) != want {
			t.Errorf("%s:\n got %s, %v\nwant %s", test.params, got, err, want)
		}
	}
	trace, _ := tracing.Parse("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "a=b")
	got, err := mcpclient.RequestBody(5, "a", json.RawMessage(`{"_meta":{"traceparent":"forged","tr\u0061cestate":"x","baggage":"user=alice","x":1}}`), nil, nil, trace)
	if want := `{"jsonrpc":"2.0","id":5,"method":"a","params":{"_meta":{"traceparent":"` + trace.Parent() + `","tracestate":"a=b","x":1}}}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
	for _, params := range []string{`[]`, `null`, `{"a":1},"id":2`, `{"a":1`, `{}}`, `x`} {
		if got, err := mcpclient.RequestBody(5, "a", json.RawMessage(params), nil, nil, tracing.Context{}); !errors.Is(err, mcpclient.ErrProtocol) {
			t.Errorf("%s: %s, %v", params, got, err)
		}
	}
}

func FuzzEnvelope(f *testing.F) {
	for _, message := range nonsense {
		f.Add([]byte(message))
	}
	f.Add([]byte(`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x\u00e9","list":[1,-2.5e+7,true,false,null,"long enough for eight bytes \\ \" "]}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"m"}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		m, err := mcpclient.Envelope(b)
		if !bytes.Equal(before, b) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			return
		}
		var want struct {
			ID     json.RawMessage
			Method string
			Params json.RawMessage
			Result json.RawMessage
		}
		if err := json.Unmarshal(exactNames(b), &want); err != nil {
			t.Fatalf("%q is taken, and is no JSON: %v", b, err)
		}
		if m.Params != nil && string(m.Params) != string(want.Params) || m.Method != want.Method || m.Error == nil && string(m.Result) != string(want.Result) {
			t.Errorf("%q: %+v, want %+v", b, m, want)
		}
		if m.Params == nil {
			return
		}
		var all map[string]json.RawMessage
		if err := json.Unmarshal(m.Params, &all); err != nil {
			t.Fatal(err)
		}
		for name, value := range all {
			if got, ok := mcpclient.Member(m.Params, name); (!ok || string(got) != string(value)) && !strings.Contains(name, "\ufffd") {
				t.Errorf("%q of %s: %s, %v", name, m.Params, got, ok)
			}
		}
		body, err := mcpclient.RequestBody(1, m.Method, m.Params, nil, nil, tracing.Context{})
		if err != nil || !json.Valid(body) {
			t.Errorf("%s, %v", body, err)
		}
	})
}

// exactNames leaves out the members that only encoding/json takes for those of
// an envelope, because it does not mind capitals.
func exactNames(b []byte) []byte {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		return b
	}
	kept := map[string]json.RawMessage{}
	for _, name := range []string{"id", "method", "params", "result"} {
		if value, ok := all[name]; ok {
			kept[name] = value
		}
	}
	out := []byte("{")
	for name, value := range kept { // by hand: Marshal would compact the values
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), name+`":`...), value...)
	}
	return append(out, '}')
}
