package gateway_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// curious is a server that lists the tool "draw" to clients alone that show user
// interfaces. Its tools say which extensions the client has.
func curious(t *testing.T, era string, approve permit.Rule) gateway.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "curious", Version: "1"}, nil)
	for _, name := range []string{"see", "draw"} {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			has := maps.Clone(r.ClientCapabilities().Extensions)
			delete(has, "io.modelcontextprotocol/tasks") // the gateway's own
			raw, _ := json.Marshal(has)
			return said("%s", raw), nil
		})
	}
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			if list, ok := result.(*mcp.ListToolsResult); ok && req.(*mcp.ListToolsRequest).ClientCapabilities().Extensions["io.modelcontextprotocol/ui"] == nil {
				list.Tools = list.Tools[1:] // they come by their names
			}
			return result, err
		}
	})
	url := serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: era == modern}))
	t.Cleanup(func() {
		for session := range server.Sessions() {
			_ = session.Close()
		}
	})
	name := map[string]string{legacy: "old", modern: "new"}[era]
	if approve == permit.Always {
		name += "gated"
	}
	return gateway.Server{Name: name, URL: url, Approve: approve}
}

func TestAServerIsToldWhetherItsClientShowsUserInterfaces(t *testing.T) {
	h := newHouse(t, catalogue{curious(t, legacy, permit.Never), curious(t, legacy, permit.Always), curious(t, modern, permit.Never), curious(t, modern, permit.Always)}, nil)
	odd := map[string]any{"io.modelcontextprotocol/ui": map[string]any{"mimeTypes": []any{"text/html;profile=mcp-app", "x/y"}, "elicitation": map[string]any{}, "n": 1}, "com.example/other": map[string]any{}}
	for _, era := range []string{legacy, modern} {
		for _, c := range []struct {
			name  string
			able  map[string]any
			tools []string
			told  string
		}{
			{"none", nil, []string{"see"}, `null`},
			{"another", map[string]any{"com.example/other": map[string]any{}}, []string{"see"}, `null`},
			{"no such type", map[string]any{"io.modelcontextprotocol/ui": map[string]any{"mimeTypes": []any{"text/html"}}}, []string{"see"}, `null`},
			{"apps", apps, []string{"draw", "see"}, `{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}`},
			{"apps and more", odd, []string{"draw", "see"}, `{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}`},
			{"none, again", nil, []string{"see"}, `null`},
		} {
			v := visitAble(t, h.url, "alice", era, agreeing, c.able)
			list, err := v.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			listed := map[string][]string{}
			for _, tool := range list.Tools {
				server, own, _ := strings.Cut(tool.Name, "__")
				listed[server] = append(listed[server], own)
			}
			for _, server := range []string{"old", "new", "oldgated", "newgated"} {
				if diff := cmp.Diff(c.tools, listed[server]); diff != "" {
					t.Errorf("%s, %s: list of %s: %s", era, c.name, server, diff)
				}
				told, err := v.call(t, server+"__see", map[string]any{})
				if want := c.told; err != nil || told != want && !(want == "null" && told == "{}") {
					t.Errorf("%s, %s: %s was told %s, %v", era, c.name, server, told, err)
				}
				if _, err := v.call(t, server+"__draw", map[string]any{}); (err == nil) != (len(c.tools) == 2) {
					t.Errorf("%s, %s: draw of %s: %v", era, c.name, server, err)
				}
			}
		}
	}
}

// framed is a server whose user interface says where it wants to be and what it loads.
func framed(t *testing.T) gateway.Server {
	said := func(domain string) string {
		return `"_meta":{"ui":{"csp":{"connectDomains":["https://a.example"],"resourceDomains":[],"frameDomains":["*"]},"domain":"` + domain + `","permissions":{"camera":{}},"prefersBorder":true},"openai/widgetDomain":"https://a.example","openai/widgetCSP":{"connect_domains":["https://a.example"]}}`
	}
	claude := said("0123456789abcdef0123456789abcdef.claudemcpcontent.com")
	return gateway.Server{Name: "alpha", Approve: permit.Never, URL: scripted(t, map[string]string{
		"initialize":               `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"framed","version":"1"}}`,
		"tools/list":               `{"tools":[{"name":"show","inputSchema":{"type":"object"},` + claude + `}]}`,
		"resources/list":           `{"resources":[{"name":"a","uri":"ui://a",` + claude + `},{"name":"b","uri":"ui://b",` + said("b.example") + `}]}`,
		"resources/templates/list": `{"resourceTemplates":[{"name":"c","uriTemplate":"ui://{c}",` + claude + `}]}`,
		"resources/read":           `{"contents":[{"uri":"ui://a","text":"a",` + claude + `},{"uri":"ui://b","text":"b",` + said("x.0123456789abcdef0123456789abcdef.claudemcpcontent.com") + `}]}`,
		"tools/call":               `{"content":[{"type":"resource","resource":{"uri":"ui://a","text":"a",` + claude + `}}]}`,
	})}
}

// whatIsFramed is all _meta of the user interfaces of framed, as a client gets it.
func whatIsFramed(t *testing.T, v *visitor, tool, uri string) map[string]mcp.Meta {
	t.Helper()
	all := map[string]mcp.Meta{}
	tools, err := v.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	resources, err := v.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	templates, err := v.ListResourceTemplates(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	read, err := v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		t.Fatal(err)
	}
	called, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
	if err != nil {
		t.Fatal(err)
	}
	all["tool"], all["a"], all["b"], all["template"] = tools.Tools[0].Meta, resources.Resources[0].Meta, resources.Resources[1].Meta, templates.ResourceTemplates[0].Meta
	all["read a"], all["read b"], all["held"] = read.Contents[0].Meta, read.Contents[1].Meta, called.Content[0].(*mcp.EmbeddedResource).Resource.Meta
	return all
}

// sha256 of "https://parley.example/mcp" and ".../mcp/servers/alpha", their first 32 digits.
const domainOfAlpha = "8a99620d7e6552fe54eaeba37ab061d0.claudemcpcontent.com"
const domainOfAll = "aded9da127a80d645ce189d68cefb186.claudemcpcontent.com"

func TestWhatAUserInterfaceMayDoIsItsServersWordAndWhereItIsIsOurs(t *testing.T) {
	h := newHouse(t, catalogue{framed(t)}, nil)
	for _, era := range []string{legacy, modern} {
		checkFramed(t, visitAble(t, h.url, "alice", era, agreeing, apps), "alpha__show", "ui://alpha/a", domainOfAll)
		checkFramed(t, visitAble(t, h.at("alpha"), "alice", era, agreeing, apps), "show", "ui://a", domainOfAlpha)
	}
}

func checkFramed(t *testing.T, v *visitor, tool, uri, domain string) {
	t.Helper()
	for of, meta := range whatIsFramed(t, v, tool, uri) {
		want := `{"openai/widgetCSP":{"connect_domains":["https://a.example"]},"ui":{"csp":{"connectDomains":["https://a.example"],"frameDomains":["*"],"resourceDomains":[]},"domain":"` + domain + `","permissions":{"camera":{}},"prefersBorder":true}}`
		if strings.HasSuffix(of, "b") {
			want = strings.Replace(want, `"domain":"`+domain+`",`, "", 1)
		}
		if raw, _ := json.Marshal(meta); string(raw) != want {
			t.Errorf("%s: %s\nwant %s", of, raw, want)
		}
	}
}
