package permit_test

import (
	"encoding/json"
	"testing"

	"github.com/parley-hq/parley/permit"
)

// To CEL another type is just another value. A model chooses the types of its arguments, and
// servers take one for the other.
func TestAnArgumentOfAnotherTypeIsNoWayAroundARule(t *testing.T) {
	for when, cases := range map[string]map[string]permit.Status{
		"args.to == 'eve'": {
			`{"to":"eve"}`: permit.Denied, `{"to":"bob"}`: permit.Granted,
			`{"to":["eve"]}`: permit.Denied, `{"to":{"0":"eve"}}`: permit.Denied, `{"to":5}`: permit.Denied, `{"to":true}`: permit.Denied, `{"to":null}`: permit.Denied,
		},
		"args.n == 1000": {
			`{"n":1000}`: permit.Denied, `{"n":1e3}`: permit.Denied, `{"n":999}`: permit.Granted, `{"n":0.5}`: permit.Granted,
			`{"n":"1000"}`: permit.Denied, `{"n":[1000]}`: permit.Denied,
		},
		"has(args.force) && args.force == true": {
			`{}`: permit.Granted, `{"force":false}`: permit.Granted, `{"force":"true"}`: permit.Denied, `{"force":1}`: permit.Denied,
		},
		"args.to != 'bob'": {`{"to":"bob"}`: permit.Granted, `{"to":"eve"}`: permit.Denied, `{"to":["bob"]}`: permit.Denied},
		"args.to in ['eve', 'mallory']": {
			`{"to":"eve"}`: permit.Denied, `{"to":"bob"}`: permit.Granted, `{"to":["eve"]}`: permit.Denied, `{"to":7}`: permit.Denied,
		},
		"args.to in ['eve', 7]":                     {`{"to":"bob"}`: permit.Granted, `{"to":8}`: permit.Granted, `{"to":[7]}`: permit.Denied},
		"'eve' in args.to":                          {`{"to":["eve",5]}`: permit.Denied, `{"to":["bob"]}`: permit.Granted, `{"to":[]}`: permit.Granted, `{"to":["bob",["eve"]]}`: permit.Denied, `{"to":{"bob":1}}`: permit.Granted},
		"args.n in args.of":                         {`{"n":1,"of":{"1":0}}`: permit.Denied, `{"n":"1","of":{"2":0}}`: permit.Granted},
		"args.to == ['eve', 'bob']":                 {`{"to":["eve","bob"]}`: permit.Denied, `{"to":["eve",["bob"]]}`: permit.Denied, `{"to":["eve"]}`: permit.Granted, `{"to":["bob","eve"]}`: permit.Granted},
		"args.to == {'name': 'eve'}":                {`{"to":{"name":"eve"}}`: permit.Denied, `{"to":{"name":["eve"]}}`: permit.Denied, `{"to":{"name":"bob","x":1}}`: permit.Granted},
		"args.to.exists(one, one == 'eve')":         {`{"to":["bob","eve"]}`: permit.Denied, `{"to":["bob",["eve"]]}`: permit.Denied, `{"to":["bob"]}`: permit.Granted},
		"has(args.to) && args.to == null":           {`{"to":null}`: permit.Denied, `{"to":"eve"}`: permit.Granted, `{"to":[1]}`: permit.Granted},
		"type(args.to) == string && args.to == 'x'": {`{"to":"x"}`: permit.Denied, `{"to":5}`: permit.Granted},
	} {
		s := ruled(t, permit.Condition{Name: "no", When: when, Approve: permit.Forbid})
		for text, want := range cases {
			if got := s.status(t, permit.Never, args("%s", text)); got != want {
				t.Errorf("%s, %s: %s, want %s", when, text, got, want)
			}
		}
	}
}

// What a function makes of a list is not what it makes of a text.
func TestAnArgumentThatItsToolDeclaresOtherwiseIsNoWayAroundARule(t *testing.T) {
	s := ruled(t, permit.Condition{Name: "long", When: "size(args.text) > 10", Approve: permit.Forbid})
	for _, c := range []struct {
		schema, text string
		want         permit.Status
	}{
		{`{"properties":{"text":{"type":"string"}}}`, `{"text":"short"}`, permit.Granted},
		{`{"properties":{"text":{"type":"string"}}}`, `{"text":"long, and longer"}`, permit.Denied},
		{`{"properties":{"text":{"type":"string"}}}`, `{"text":["long, and longer"]}`, permit.Denied},
		{`{"properties":{"text":{"type":["string","array"]}}}`, `{"text":["long, and longer"]}`, permit.Granted},
		{`{"properties":{"text":{"type":"string"},"n":{"type":"integer"}}}`, `{"text":"short","n":"5"}`, permit.Denied},
		{`{"properties":{"text":{"type":"string"},"n":{"type":"boolean"}}}`, `{"text":"short","n":1}`, permit.Denied},
		{`{"properties":{"text":{"type":"string"},"n":{"type":"object"}}}`, `{"text":"short","n":[]}`, permit.Denied},
		{`{"properties":{"text":{"type":"string"},"n":{"type":"array"}}}`, `{"text":"short","n":[]}`, permit.Granted},
		{`{"properties":{"text":{"type":"string"},"n":{"type":"integer"}}}`, `{"text":"short","n":null}`, permit.Granted},
		{`{"properties":{"text":true,"n":{"anyOf":[{"type":"string"}]}}}`, `{"text":"short","n":5}`, permit.Granted},
		{`{"properties":[]}`, `{"text":"short"}`, permit.Granted},
		{``, `{"text":"short"}`, permit.Granted},
	} {
		call := with(args("%s", c.text), func(call *permit.Call) { call.Schema = json.RawMessage(c.schema) })
		if got := s.status(t, permit.Never, call); got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.schema, c.text, got, c.want)
		}
	}
}
