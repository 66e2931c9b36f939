package gateway_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// lists is a server that lists these things.
func lists(t *testing.T, tools, prompts, resources, templates string) string {
	return scripted(t, map[string]string{
		"initialize":               `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{},"resources":{}},"serverInfo":{"name":"s","version":"1"}}`,
		"tools/list":               `{"tools":[` + tools + `]}`,
		"prompts/list":             `{"prompts":[` + prompts + `]}`,
		"resources/list":           `{"resources":[` + resources + `]}`,
		"resources/templates/list": `{"resourceTemplates":[` + templates + `]}`,
		"tools/call":               `{"content":[{"type":"text","text":"done"}]}`,
	})
}

// rawList is a list as it is on the wire.
func rawList(t *testing.T, v *visitor, h *house, method, member string, modernEra bool) []string {
	t.Helper()
	headers := []string{"Mcp-Protocol-Version", legacy, "Mcp-Session-Id", v.ID()}
	params := `{}`
	if modernEra {
		headers = []string{"Mcp-Protocol-Version", modern, "Mcp-Method", method}
		params = `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}`
	}
	_, body := sendRaw(t, h.url, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params), headers...)
	var answer struct {
		Result map[string]json.RawMessage
	}
	var list []json.RawMessage
	if err := json.Unmarshal([]byte(body), &answer); err != nil || json.Unmarshal(answer.Result[member], &list) != nil {
		t.Fatalf("%s: %s", method, body)
	}
	all := []string{}
	for _, raw := range list {
		all = append(all, string(raw))
	}
	return all
}

func TestWhatClientsDoNotTakeIsMendedOrLeftOutAndNamed(t *testing.T) {
	url := lists(t,
		`{"name":"bare"},{"name":"null","title":null,"description":null,"inputSchema":{"type":"object","required":null}},`+
			`{"name":"icons","inputSchema":{"type":"object"},"icons":[{"mimeType":"image/png"},{"src":"a.png","sizes":"48x48"}]},`+
			`{"name":"meta","inputSchema":{"type":"object"},"_meta":"m"},{"name":"text","inputSchema":{"type":"string"}},{"inputSchema":{"type":"object"}},`+
			`{"name":"hint","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"yes","title":"H"}},{"name":"big","inputSchema":{"type":"object","maximum":1e400}}`,
		`{"name":"p","arguments":[{"description":"d"}]},{"name":"q","arguments":[{"name":"a","required":"no"}],"title":7}`,
		`{"uri":"a:1"},{"uri":"a:2","name":"two","size":1.5,"annotations":{"audience":["all"],"priority":2,"lastModified":"today"}},{"name":"none"}`,
		`{"uriTemplate":"a:{b}","mimeType":[]},{"uriTemplate":5,"name":"t"}`,
	)
	var log logged
	h := newHouse(t, catalogue{{Name: "s", URL: url, Approve: permit.Never}}, func(o *gateway.Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	v := visit(t, h.url, "alice", legacy, nil)
	for _, modernEra := range []bool{false, true} {
		for _, list := range []struct {
			method, member string
			want           []string
		}{
			{"tools/list", "tools", []string{
				`{"inputSchema":{"type":"object"},"name":"s__bare"}`, `{"inputSchema":{"type":"object"},"name":"s__null"}`,
				`{"icons":[{"src":"a.png"}],"inputSchema":{"type":"object"},"name":"s__icons"}`, `{"inputSchema":{"type":"object"},"name":"s__meta"}`,
				`{"annotations":{"title":"H"},"inputSchema":{"type":"object"},"name":"s__hint"}`,
			}},
			{"prompts/list", "prompts", []string{`{"arguments":[{"name":"a"}],"name":"s__q"}`}},
			{"resources/list", "resources", []string{`{"uri":"a:1","name":"a:1"}`, `{"uri":"a:2","name":"two","annotations":{}}`}},
			{"resources/templates/list", "resourceTemplates", []string{`{"uriTemplate":"a:{b}","name":"a:{b}"}`}},
		} {
			if diff := cmp.Diff(list.want, rawList(t, v, h, list.method, list.member, modernEra)); diff != "" {
				t.Errorf("%s, %t: %s", list.method, modernEra, diff)
			}
		}
	}
	var said []string
	status := h.Status(t.Context(), "default", "s", "")
	for _, fault := range status.LeftOut {
		said = append(said, fault.Error())
	}
	want := []string{
		`tool "icons", icons: sizes: it is no list`, `tool "meta", _meta: it is no object`, `tool "text": its input schema takes no object`, `tool "": it has no name`,
		`tool "hint", annotations: readOnlyHint: it is neither true nor false`, `tool "": it has a number that is out of range`,
		`prompt "p": one of its arguments has no name`, `prompt "q", title: it is no text`, `prompt "q", arguments: required: it is neither true nor false`,
		`resource "a:2", annotations: audience: it is none of user, assistant; priority: it is no number from 0 to 1; lastModified: it is no time such as 2026-01-31T09:30:00Z`,
		`resource "a:2", size: it is no number of bytes`, `resource "": it has no uri`,
		`resource template "a:{b}", mimeType: it is no text`, `resource template "": it has no uriTemplate`,
	}
	if diff := cmp.Diff(want, said); diff != "" || status.Omitted != len(want) {
		t.Errorf("%d: %s", status.Omitted, diff)
	}
	if text := log.String(); strings.Count(text, "listed things left out") != 1 || !strings.Contains(text, `its input schema takes no object`) || !strings.Contains(text, "count=14") {
		t.Errorf("the log says %s", text)
	}
	if got, err := v.call(t, "s__bare", nil); err != nil || got != "done" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAListThatIsNoneTakesNoOtherWithIt(t *testing.T) {
	url := scripted(t, map[string]string{
		"initialize":     `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{},"resources":{}},"serverInfo":{"name":"s","version":"1"}}`,
		"tools/list":     `{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}`,
		"prompts/list":   `{"prompts":{}}`,
		"resources/list": `{}`,
	})
	h := newHouse(t, catalogue{{Name: "s", URL: url, Approve: permit.Never}}, nil)
	if diff := cmp.Diff([]string{"s__a"}, toolNames(t, visit(t, h.url, "alice", legacy, nil))); diff != "" {
		t.Error(diff)
	}
	if st := h.Status(t.Context(), "default", "s", ""); st.State != gateway.Up || st.Omitted != 2 || st.LeftOut[0].Error() != `prompt "": they are no list` {
		t.Errorf("%+v", st)
	}
}

// Up to 2025-11-25 a tool's output is an object: what a tool gives besides is
// shown as the official servers of both eras show it.
func TestOutputThatIsNoObjectIsWrappedForOlderClients(t *testing.T) {
	const natural = `{"type":"array","items":{"$ref":"#/$defs/n"},"$defs":{"n":{"type":"integer","default":{"$ref":"#"}}}}`
	const wrapped = `{"type":"object","properties":{"result":{"type":"array","items":{"$ref":"#/properties/result/$defs/n"},"$defs":{"n":{"type":"integer","default":{"$ref":"#"}}}}},"required":["result"]}`
	const either = `{"anyOf":[{"type":"object"},{"type":"null"}]}`
	for name, rule := range map[string]permit.Rule{"shortcut": permit.Never, "long way": permit.Always} {
		t.Run(name, func(t *testing.T) {
			url := scriptedBy(t, func(m wireMessage) string {
				switch m.Method {
				case "server/discover":
					return `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
				case "tools/list":
					return `{"resultType":"complete","tools":[{"name":"list","inputSchema":{"type":"object"},"outputSchema":` + natural + `},` +
						`{"name":"either","inputSchema":{"type":"object"},"outputSchema":` + either + `},{"name":"loose","inputSchema":{"type":"object"}}]}`
				case "tools/call":
					switch string(m.Params["name"]) {
					case `"list"`:
						return `{"resultType":"complete","content":[{"type":"image","data":"","mimeType":"image/png"}],"structuredContent":[1,2]}`
					case `"either"`:
						return `{"resultType":"complete","content":[],"structuredContent":{"a":1}}`
					}
					return `{"resultType":"complete","content":[{"type":"text","text":"t"}],"structuredContent":null}`
				}
				return ""
			})
			h := newHouse(t, catalogue{{Name: "s", URL: url, Approve: rule}}, nil)
			older, newer := visit(t, h.url, "alice", legacy, agreeing), visit(t, h.url, "bob", modern, agreeing)
			for _, want := range []struct {
				v                            *visitor
				schema, list, either, absent string
			}{{older, wrapped, `{"result":[1,2]}`, `{"result":{"a":1}}`, `null`}, {newer, natural, `[1,2]`, `{"a":1}`, `null`}} {
				tools, err := want.v.ListTools(t.Context(), nil)
				if err != nil || len(tools.Tools) != 3 {
					t.Fatal(tools, err)
				}
				if diff := cmp.Diff(decoded(t, want.schema), decoded(t, toJSON(t, tools.Tools[0].OutputSchema))); diff != "" {
					t.Error(diff)
				}
				for tool, content := range map[string]string{"s__list": want.list, "s__either": want.either, "s__loose": want.absent} {
					result, err := want.v.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
					if err != nil {
						t.Fatal(tool, err)
					}
					if diff := cmp.Diff(decoded(t, content), decoded(t, toJSON(t, result.StructuredContent))); diff != "" {
						t.Errorf("%s: %s", tool, diff)
					}
					if said := toJSON(t, result.Content); tool == "s__list" && want.v == older && !strings.Contains(said, `"text":"[1,2]"`) {
						t.Errorf("nothing says it in words: %s", said)
					}
				}
			}
		})
	}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func decoded(t *testing.T, raw string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatal(err, raw)
	}
	return v
}
