package gateway_test

import (
	"strings"
	"testing"
)

func TestAResourceIsReadUnderItsNameHereAndMayBeEmpty(t *testing.T) {
	paper := func() string {
		return scripted(t, map[string]string{
			"initialize":     `{"protocolVersion":"2025-11-25","capabilities":{"resources":{}},"serverInfo":{"name":"scribe","version":"1"}}`,
			"resources/list": `{"resources":[{"uri":"paper:empty","name":"empty"}]}`,
			"resources/read": `{"contents":[{"uri":"paper:empty","text":""},{"uri":"paper:cover","blob":""}]}`,
		})
	}
	h := newHouse(t, catalogue{{Name: "one", URL: paper()}, {Name: "two", URL: paper()}}, nil)
	for _, uri := range []string{"paper:empty", "two+paper:empty"} {
		_, got := sendRaw(t, h.url, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"`+uri+`","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			"Mcp-Protocol-Version", modern, "Mcp-Method", "resources/read", "Mcp-Name", uri)
		for _, want := range []string{`"text":""`, `"uri":"` + uri + `"`, `"blob":""`, `"uri":"paper:cover"`, `"cacheScope":"private"`, `"resultType":"complete"`} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %s in %s", uri, want, got)
			}
		}
	}
}
