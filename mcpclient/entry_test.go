package mcpclient_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/mcpclient"
)

// toolWith is a tool with one more member.
func toolWith(member string) string {
	return `{"name":"a","inputSchema":{"type":"object"},` + member + `}`
}

const plainTool = `{"name":"a","inputSchema":{"type":"object"}}`

func TestWhatIsRightIsListedAsItCame(t *testing.T) {
	for kind, items := range map[mcpclient.Kind][]string{
		mcpclient.KindTool: {
			` { "name" : "a", "inputSchema" : {"type":"object","properties":{"id":{"type":"string"}},"required":["id"]} } `,
			toolWith(`"title":"T","description":"D","icons":[{"src":"a","sizes":["48x48"],"theme":"dark","mimeType":"image/png","x":1}],"_meta":{"a":[1e300]},"execution":{"taskSupport":"optional"},"later":{"x":null}`),
			toolWith(`"annotations":{"title":"T","readOnlyHint":true,"destructiveHint":false,"later":5}`),
			toolWith(`"outputSchema":{"type":"object","properties":{"id":{"$ref":"#/$defs/a~1b"},"n":{"minimum":1,"enum":[null]}},"$defs":{"a/b":{"pattern":"^[a-z\\d_-]{2,}(?:\\.x)*$"}},"required":["n"]}`),
		},
		mcpclient.KindPrompt:   {`{"name":"p","arguments":[{"name":"a","title":"T","required":true}]}`, `{"name":"p","arguments":[]}`},
		mcpclient.KindResource: {`{"uri":"a:b","name":"n","size":12,"annotations":{"audience":["user"],"priority":0.5,"lastModified":"2026-01-31T09:30:00.5+02:00"}}`},
		mcpclient.KindTemplate: {`{"uriTemplate":"a:{b}","name":"n","mimeType":"text/plain"}`},
	} {
		for _, item := range items {
			e, err := mcpclient.ReadEntry(kind, json.RawMessage(item))
			if err != nil || len(e.Faults) > 0 || string(e.Raw) != item || e.Older != nil {
				t.Errorf("%s: %+v, %v", item, e, err)
			}
		}
	}
}

func TestAnEntryIsMendedAsLittleAsNeedBe(t *testing.T) {
	tests := []struct{ item, want, older, fault string }{
		{`{"name":"a"}`, plainTool, "", ""},
		{`{"name":"a","inputSchema":null}`, plainTool, "", ""},
		{`{"name":"a","inputSchema":{}}`, plainTool, "", ""},
		{`{"name":"a","inputSchema":{"type":["null","object"]}}`, plainTool, "", ""},
		{`{"name":"a","inputSchema":{"type":"object","properties":[]}}`, plainTool, "", "inputSchema.properties: they are no object, or have a name twice"},
		{`{"name":"a","inputSchema":{"type":"object","properties":null,"$schema":1}}`, plainTool, "", "inputSchema.$schema: it is no text"},
		{`{"name":"a","inputSchema":{"type":"object","required":[1]}}`, plainTool, "", "inputSchema.required: it is no text"},
		{`{"name":"a","inputSchema":{"type":"object","properties":{"b":null}}}`, `{"name":"a","inputSchema":{"type":"object","properties":{"b":{}}}}`, "", "inputSchema.properties: one of them is no schema"},
		{`{"name":"a","inputSchema":{"type":"object","properties":{"b":true,"c":false}}}`, `{"name":"a","inputSchema":{"type":"object","properties":{"b":true,"c":false}}}`,
			`{"name":"a","inputSchema":{"type":"object","properties":{"b":{},"c":{"not":{}}}}}`, ""},
		{toolWith(`"title":null,"icons":null,"_meta":null,"annotations":null,"execution":null,"outputSchema":null`), plainTool, "", ""},
		{toolWith(`"icons":[null,{"src":5},{"src":"a","theme":"blue"}]`), toolWith(`"icons":[{"src":"a"}]`), "", "icons: theme: it is none of light, dark"},
		{toolWith(`"icons":[{}]`), plainTool, "", "icons: there is no src"},
		{toolWith(`"icons":"a"`), plainTool, "", "icons: it is no list"},
		{toolWith(`"execution":{"taskSupport":"maybe"}`), toolWith(`"execution":{}`), "", "execution: taskSupport: it is none of required, optional, forbidden"},
		{toolWith(`"_meta":[]`), plainTool, "", "_meta: it is no object"},
		{toolWith(`"outputSchema":true`), plainTool, "", "outputSchema: it is no object, or has a name twice"},
		{toolWith(`"outputSchema":{"type":"object","properties":{"b":{"type":"text"}}}`), plainTool, "", "outputSchema: type: it is none of object, array, string, number, integer, boolean, null"},
		{toolWith(`"outputSchema":{"type":"object","properties":{"b":{"pattern":"(?P<n>a)"}}}`), plainTool, "", "outputSchema: pattern: it cannot be read"},
		{toolWith(`"outputSchema":{"type":"object","properties":{"b":{"$ref":"#/$defs/c"}}}`), plainTool, "", "outputSchema: $ref: it leads nowhere"},
		{toolWith(`"outputSchema":{"type":"object","$id":"u"}`), toolWith(`"outputSchema":{"type":"object","$id":"u"}`), plainTool, "outputSchema for older clients: $id: not every client can compile it"},
		{toolWith(`"outputSchema":{"type":"object","properties":{"b":true}}`), toolWith(`"outputSchema":{"type":"object","properties":{"b":true}}`),
			toolWith(`"outputSchema":{"type":"object","properties":{"b":{}}}`), ""},
		{toolWith(`"outputSchema":{"$schema":"s","type":"array","items":{"$ref":"#"}}`), toolWith(`"outputSchema":{"$schema":"s","type":"array","items":{"$ref":"#"}}`),
			toolWith(`"outputSchema":{"$schema":"s","type":"object","properties":{"result":{"$schema":"s","type":"array","items":{"$ref":"#/properties/result"}}},"required":["result"]}`), ""},
		{`{"name":"a","description":"` + "\xff" + `"}`, `{"name":"a","description":"` + "\uFFFD" + `","inputSchema":{"type":"object"}}`, "", ""},
	}
	for _, tt := range tests {
		e, err := mcpclient.ReadEntry(mcpclient.KindTool, json.RawMessage(tt.item))
		if err != nil {
			t.Errorf("%s: %v", tt.item, err)
			continue
		}
		fault := ""
		for _, f := range e.Faults {
			fault = f.Part + ": " + f.Reason
		}
		if diff := cmp.Diff([]string{tt.want, tt.older, tt.fault}, []string{string(e.Raw), string(e.Older), fault}); diff != "" {
			t.Errorf("%s:\n%s", tt.item, diff)
		}
	}
}

func TestAnEntryThatNobodyCouldUseIsRefused(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200)
	for item, kind := range map[string]mcpclient.Kind{
		`null`: mcpclient.KindTool, `5`: mcpclient.KindTool, `{"name":"a","title":"b","title":"c"}`: mcpclient.KindTool,
		`{"name":""}`: mcpclient.KindTool, `{"name":null}`: mcpclient.KindTool, `{"name":"\ud800"}`: mcpclient.KindTool, "{\"name\":\"\xff\"}": mcpclient.KindTool,
		`{"name":"a","inputSchema":true}`: mcpclient.KindTool, `{"name":"a","inputSchema":{"type":"array"}}`: mcpclient.KindTool, `{"name":"a","inputSchema":{"type":5}}`: mcpclient.KindTool,
		toolWith(`"x":` + deep): mcpclient.KindTool, toolWith(`"x":-1e400`): mcpclient.KindTool,
		`{"name":"a","arguments":{}}`: mcpclient.KindPrompt, `{"name":"a","arguments":[5]}`: mcpclient.KindPrompt,
		`{"name":"a"}`: mcpclient.KindResource, `{"name":"a","uri":"b"}`: mcpclient.KindTemplate,
	} {
		e, err := mcpclient.ReadEntry(kind, json.RawMessage(item))
		var fault mcpclient.Fault
		if !errors.As(err, &fault) || !errors.Is(err, mcpclient.ErrProtocol) || fault.Part != "" || fault.Kind != kind {
			t.Errorf("%.80s: %+v, %v", item, e, err)
		}
	}
}

func TestAFaultIsNamedInFewWords(t *testing.T) {
	name := strings.Repeat("é", 1000)
	_, err := mcpclient.ReadEntry(mcpclient.KindTool, fmt.Appendf(nil, `{"name":%q,"inputSchema":5}`, name))
	if err == nil || len(err.Error()) > 200 || !strings.HasPrefix(err.Error(), `tool "éé`) {
		t.Error(err)
	}
}

// FuzzAnEntryIsMendedOnce: what was mended needs no mending, whatever it was.
func FuzzAnEntryIsMendedOnce(f *testing.F) {
	for _, item := range []string{plainTool, toolWith(`"outputSchema":{"anyOf":[{"$ref":"#"}]}`), `{"uri":"a","size":1e2}`, `{"name":"p","arguments":[{"name":"a","required":1}]}`} {
		f.Add([]byte(item))
	}
	f.Fuzz(func(t *testing.T, item []byte) {
		for _, kind := range []mcpclient.Kind{mcpclient.KindTool, mcpclient.KindPrompt, mcpclient.KindResource, mcpclient.KindTemplate} {
			e, err := mcpclient.ReadEntry(kind, item)
			if err != nil {
				continue
			}
			for _, raw := range []json.RawMessage{e.Raw, e.Older} {
				if raw == nil {
					continue
				}
				if !json.Valid(raw) {
					t.Fatalf("%s became %s", item, raw)
				}
				again, err := mcpclient.ReadEntry(kind, raw)
				parts := again.Faults
				if err != nil || string(again.Raw) != string(raw) || len(parts) > 1 || len(parts) == 1 && parts[0].Part != "outputSchema for older clients" {
					t.Fatalf("%s became %s and then %s, %v, %v", item, raw, again.Raw, parts, err)
				}
			}
		}
	})
}
