package gateway_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// offer is what a server lists, and answers to tools/call.
type offer struct {
	lists  map[string]string // by the lists' names: the whole result
	broken bool              // a list as a whole is none: nothing of it can be had
	how    string            // what was done to it
}

// Entries as servers write them, with all that the protocol has for them.
var validEntries = map[string][]string{
	"tools": {
		`{"name":"full","title":"Full","description":"D","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"id":{"type":"string","pattern":"^[a-z]+$"},"n":{"type":"integer","minimum":1}},"required":["id"],"additionalProperties":false},` +
			`"outputSchema":{"type":"object","properties":{"at":{"$ref":"#/$defs/point"},"tags":{"type":"array","items":{"type":"string","enum":["a","b"]},"uniqueItems":true},"when":{"type":"string","format":"date-time","minLength":3}},"required":["at"],"$defs":{"point":{"type":"object","properties":{"x":{"type":"number","multipleOf":0.5}},"patternProperties":{"^y\\d*$":{"type":["number","null"]}}}}},` +
			`"annotations":{"title":"Full","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},` +
			`"icons":[{"src":"https://a.example/i.png","mimeType":"image/png","sizes":["48x48"],"theme":"dark"}],"execution":{"taskSupport":"optional"},"_meta":{"a.example/b":{"c":[1]}}}`,
		`{"name":"list","inputSchema":{"type":"object"},"outputSchema":{"type":"array","items":{"anyOf":[{"type":"integer","exclusiveMinimum":0},{"const":null},{"$ref":"#"}]},"minItems":1,"examples":[[1]]}}`,
	},
	"prompts": {
		`{"name":"full","title":"Full","description":"D","arguments":[{"name":"a","title":"A","description":"D","required":true},{"name":"b"}],"icons":[{"src":"data:,"}],"_meta":{"a":1}}`,
	},
	"resources": {
		`{"uri":"%[1]s:full","name":"full","title":"Full","description":"D","mimeType":"text/plain","size":12,"annotations":{"audience":["user","assistant"],"priority":0.5,"lastModified":"2026-01-31T09:30:00Z"},"icons":[{"src":"a.svg","sizes":["any"]}],"_meta":{}}`,
	},
	"resourceTemplates": {
		`{"uriTemplate":"%[1]s:{full}","name":"full","title":"Full","description":"D","mimeType":"text/plain","annotations":{"audience":[],"priority":1},"icons":[],"_meta":{}}`,
	},
}

// steadyEntries are those that nobody touches.
var steadyEntries = map[string]string{
	"tools":             `{"name":"steady","inputSchema":{"type":"object"}}`,
	"prompts":           `{"name":"steady"}`,
	"resources":         `{"uri":"%[1]s:steady","name":"steady"}`,
	"resourceTemplates": `{"uriTemplate":"%[1]s:steady/{a}","name":"steady"}`,
}

// validOffer is a server's before anything is done to it.
func validOffer(name string) offer {
	o := offer{lists: map[string]string{}}
	for what, entries := range validEntries {
		all := append(slices.Clone(entries), steadyEntries[what])
		o.lists[what] = "{\"" + what + "\":[" + strings.ReplaceAll(strings.Join(all, ","), "%[1]s", name) + "]}"
	}
	return o
}

// Values that stand where others are expected.
var strangeValues = []string{
	`null`, `true`, `false`, `5`, `-1.5`, `1e400`, `""`, `"x"`, `"("`, `"\ud800"`, `"#/nowhere"`, `[]`, `{}`, `[null]`, `[1,"a"]`, `{"a":null}`, `{"type":"frob"}`,
	strings.Repeat("[", 600) + strings.Repeat("]", 600), strings.Repeat(`{"a":`, 900) + "1" + strings.Repeat("}", 900), `"` + strings.Repeat("x", 100_000) + `"`,
	`{"$id":"https://a.example/same","type":"object"}`, `{"id":"n"}`, `{"nullable":true}`, `{"__proto__":null}`, `{"enum":[]}`, `{"minLength":"3"}`, `{"$async":true}`, `"__proto__"`,
}

// Members that an entry does not have, or has already.
var strangeMembers = []string{
	`"name":"twice"`, `"title":null`, `"icons":[{}]`, `"annotations":[]`, `"outputSchema":{"type":"object","properties":{"a":null}}`, `"_meta":7`,
	`"$id":"https://a.example/same"`, `"pattern":"\\-"`, `"required":null`, `"properties":[]`, `"__proto__":{"a":1}`, `"type":["object","null"]`, `"later":{"x":1e999}`,
}

// malformedOffer does something to a valid one, by chance.
func malformedOffer(name string, dice *rand.Rand) offer {
	o := validOffer(name)
	what := []string{"tools", "tools", "tools", "prompts", "resources", "resourceTemplates"}[dice.IntN(6)]
	if dice.IntN(12) == 0 {
		result := []string{`{}`, `null`, `[]`, `{"` + what + `":{}}`, `{"` + what + `":null}`, `{"` + what + `":[`}[dice.IntN(6)]
		o.lists[what], o.broken, o.how = result, true, what+" are "+result
		return o
	}
	entries := slices.Clone(validEntries[what])
	n := dice.IntN(len(entries))
	for range 1 + dice.IntN(2) {
		entries[n] = mutated(entries[n], dice)
	}
	o.how = fmt.Sprintf("%.2000s", entries[n])
	entries = append(entries, steadyEntries[what])
	o.lists[what] = "{\"" + what + "\":[" + strings.ReplaceAll(strings.Join(entries, ","), "%[1]s", name) + "]}"
	return o
}

// span is where a value is in a text.
type span struct{ from, to int }

// mutated replaces a value, takes a member away or adds one. It works on the text:
// no library writes what is wanted here.
func mutated(text string, dice *rand.Rand) string {
	values, members := spansOf(text)
	switch dice.IntN(4) {
	case 0: // a member goes
		if len(members) > 0 {
			m := members[dice.IntN(len(members))]
			before, after := strings.TrimRight(text[:m.from], " "), strings.TrimLeft(text[m.to:], " ")
			if strings.HasPrefix(after, ",") {
				after = after[1:]
			} else {
				before = strings.TrimSuffix(before, ",")
			}
			return before + after
		}
	case 1: // a member comes
		for _, i := range dice.Perm(len(values)) {
			if v := values[i]; strings.HasPrefix(text[v.from:], "{\"") {
				return text[:v.from+1] + strangeMembers[dice.IntN(len(strangeMembers))] + "," + text[v.from+1:]
			}
		}
	}
	v := values[dice.IntN(len(values))]
	return text[:v.from] + strangeValues[dice.IntN(len(strangeValues))] + text[v.to:]
}

// spansOf finds the values in a valid text, and the members of objects.
func spansOf(text string) (values, members []span) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var walk func()
	start := func() int {
		i := int(d.InputOffset())
		for strings.ContainsRune(" ,:", rune(text[i])) {
			i++
		}
		return i
	}
	walk = func() {
		at := start()
		token, err := d.Token()
		if err != nil {
			panic(err)
		}
		switch token {
		case json.Delim('{'):
			for d.More() {
				from := start()
				_, _ = d.Token()
				walk()
				members = append(members, span{from, int(d.InputOffset())})
			}
			_, _ = d.Token()
		case json.Delim('['):
			for d.More() {
				walk()
			}
			_, _ = d.Token()
		}
		values = append(values, span{at, int(d.InputOffset())})
	}
	walk()
	return values, members
}

// serve answers as a server of one era, by hand.
func (o offer) serve(t *testing.T, modern bool) string {
	t.Helper()
	const capabilities = `"capabilities":{"tools":{},"prompts":{},"resources":{}},"serverInfo":{"name":"s","version":"1"}}`
	results := map[string]string{"tools/call": `{"content":[{"type":"text","text":"steady"}]}`}
	if modern {
		results["server/discover"] = `{"resultType":"complete","supportedVersions":["2026-07-28"],` + capabilities
	} else {
		results["initialize"] = `{"protocolVersion":"2025-11-25",` + capabilities
	}
	for what, result := range o.lists {
		results[kit.ListMethods[what]] = result
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		case results[m.Method] != "":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, results[m.Method])
		default:
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
		}
	}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL
}
