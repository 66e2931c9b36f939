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
	for uri, server := range map[string]string{"paper:empty": "one", "two+paper:empty": "two"} {
		_, got := sendRaw(t, h.url, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"`+uri+`","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			"Mcp-Protocol-Version", modern, "Mcp-Method", "resources/read", "Mcp-Name", uri)
		for _, want := range []string{`"text":""`, `"uri":"` + uri + `"`, `"blob":""`, `"uri":"` + server + `+paper:cover"`, `"cacheScope":"private"`, `"resultType":"complete"`} {
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

// What a result holds is read again, or subscribed to, by the URI in it.
func TestAResourceInAResultHasTheNameByWhichItIsReadHere(t *testing.T) {
	const inside = `{"type":"resource","resource":{"uri":"paper:a","mimeType":"text/plain","text":"inside"}}`
	shelf := func(text string) string {
		return scripted(t, map[string]string{
			"initialize":     `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{},"resources":{}},"serverInfo":{"name":"shelf","version":"1"}}`,
			"tools/list":     `{"tools":[{"name":"find","inputSchema":{"type":"object"}}]}`,
			"prompts/list":   `{"prompts":[{"name":"cite"},{"name":"link"}]}`,
			"resources/list": `{"resources":[{"uri":"paper:a","name":"a"}]}`,
			"resources/read": `{"contents":[{"uri":"paper:a","text":"` + text + `"}]}`,
			"tools/call":     `{"content":[` + inside + `]}`,
			"prompts/get":    `{"messages":[{"role":"user","content":` + inside + `}]}`,
		})
	}
	servers := catalogue{{Name: "one", URL: shelf("of one"), Approve: permit.Never}, {Name: "two", URL: shelf("of two"), Approve: permit.Never}}
	h := newHouse(t, servers, nil)
	for _, era := range []string{legacy, modern} {
		v := visit(t, h.url, "alice", era, agreeing)
		for server, uri := range map[string]string{"one": "paper:a", "two": "two+paper:a"} {
			found, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: server + "__find"})
			if err != nil {
				t.Fatal(err)
			}
			prompt, err := v.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: server + "__cite"})
			if err != nil {
				t.Fatal(err)
			}
			for what, content := range map[string]mcp.Content{"tool": found.Content[0], "prompt": prompt.Messages[0].Content} {
				held, ok := content.(*mcp.EmbeddedResource)
				if !ok || held.Resource.URI != uri || held.Resource.Text != "inside" {
					t.Fatalf("%s, the %s of %s holds %+v; want %s", era, what, server, held.Resource, uri)
				}
				read, err := v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: held.Resource.URI})
				if err != nil || read.Contents[0].Text != "of "+server || read.Contents[0].URI != uri {
					t.Errorf("%s, read of %s: %+v, %v", era, server, read, err)
				}
			}
		}
	}
}
