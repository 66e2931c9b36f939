package gateway_test

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/permit"
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

// A link is to the server that gave it, whichever else has a resource of the
// same URI.
func TestALinkLeadsToTheServerThatGaveIt(t *testing.T) {
	shelf := func(text string) string {
		return scripted(t, map[string]string{
			"initialize":     `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"shelf","version":"1"}}`,
			"tools/list":     `{"tools":[{"name":"find","inputSchema":{"type":"object"}}]}`,
			"resources/list": `{"resources":[{"uri":"paper:a","name":"a"}]}`,
			"resources/read": `{"contents":[{"uri":"paper:a","text":"` + text + `"}]}`,
			"tools/call":     `{"content":[{"type":"text","text":"see"},{"type":"resource_link","uri":"paper:a","name":"a","mimeType":"text/plain"},{"type":"resource_link","uri":"https://papers.example/","name":"b"}],"structuredContent":{"n":1.0}}`,
		})
	}
	one, two := shelf("of one"), shelf("of two")
	for _, rule := range []permit.Rule{permit.Never, permit.Always} {
		h := newHouse(t, catalogue{{Name: "one", URL: one, Approve: rule}, {Name: "two", URL: two, Approve: rule}}, nil)
		for _, era := range []string{legacy, modern} {
			v := visit(t, h.url, "alice", era, agreeing)
			for server, uri := range map[string]string{"one": "paper:a", "two": "two+paper:a"} {
				found, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: server + "__find"})
				if err != nil || len(found.Content) != 3 || found.Content[2].(*mcp.ResourceLink).URI != "https://papers.example/" {
					t.Fatalf("%+v, %v", found, err)
				}
				link, ok := found.Content[1].(*mcp.ResourceLink)
				if !ok || link.URI != uri || link.MIMEType != "text/plain" {
					t.Fatalf("%s: %+v", server, found.Content[1])
				}
				read, err := v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: link.URI})
				if err != nil || read.Contents[0].Text != "of "+server {
					t.Errorf("%s: %+v, %v", server, read, err)
				}
			}
		}
	}
}
