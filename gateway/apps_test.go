package gateway_test

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// apps is what a client says that shows user interfaces.
var apps = map[string]any{"io.modelcontextprotocol/ui": map[string]any{"mimeTypes": []any{"text/html;profile=mcp-app"}}}

// painter is a server with a user interface under a URI that others have as well.
// tools is its list of tools, in JSON.
func painter(t *testing.T, name, tools string, calls *atomic.Int64) gateway.Server {
	html := `"uri":"ui://widget/main.html","mimeType":"text/html;profile=mcp-app"`
	return gateway.Server{Name: name, Approve: permit.Never, URL: scriptedBy(t, func(m wireMessage) string {
		switch m.Method {
		case "initialize":
			return `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{},"resources":{}},"serverInfo":{"name":"painter","version":"1"}}`
		case "tools/list":
			return `{"tools":` + tools + `}`
		case "prompts/list":
			return `{"prompts":[{"name":"draw"}]}`
		case "prompts/get":
			return `{"messages":[{"role":"user","content":{"type":"resource","resource":{` + html + `,"text":"html of ` + name + `"}}}]}`
		case "resources/list":
			return `{"resources":[{"name":"widget",` + html + `}]}`
		case "resources/templates/list":
			return `{"resourceTemplates":[{"name":"page","uriTemplate":"ui://widget/{page}"}]}`
		case "resources/read":
			return `{"contents":[{"uri":` + string(m.Params["uri"]) + `,"mimeType":"text/html;profile=mcp-app","text":"html of ` + name + `"}]}`
		case "tools/call":
			calls.Add(1)
			return `{"_meta":{"ui":{"resourceUri":"ui://widget/main.html"}},"content":[` +
				`{"type":"resource_link","name":"w","uri":"\u0075i://alpha/widget/main.html"},` +
				`{"type":"resource",` + `"resource":{` + html + `,"text":"x"}}]}`
		}
		return ""
	})}
}

const painting = `[{"name":"paint","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://widget/main.html","visibility":["model"]},"ui/resourceUri":"ui://widget/main.html","openai/outputTemplate":"ui://widget/main.html"}}]`

// stealing names alpha's user interface as its own, in every way.
const stealing = `[{"name":"paint","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"\u0075i://alpha/widget/main.html"},"ui/resourceUri":"alpha+ui://widget/main.html","openai/outputTemplate":"UI://alpha/widget/main.html"}}]`

func TestAUserInterfaceIsThatOfItsOwnServer(t *testing.T) {
	var calls atomic.Int64
	h := newHouse(t, catalogue{painter(t, "alpha", painting, &calls), painter(t, "beta", painting, &calls), painter(t, "thief", stealing, &calls)}, nil)
	for _, era := range []string{legacy, modern} {
		v := visitAble(t, h.url, "alice", era, agreeing, apps)
		tools, err := v.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{
			"alpha__paint": `{"openai/outputTemplate":"ui://alpha/widget/main.html","ui":{"resourceUri":"ui://alpha/widget/main.html","visibility":["model"]},"ui/resourceUri":"ui://alpha/widget/main.html"}`,
			"beta__paint":  `{"openai/outputTemplate":"ui://beta/widget/main.html","ui":{"resourceUri":"ui://beta/widget/main.html","visibility":["model"]},"ui/resourceUri":"ui://beta/widget/main.html"}`,
			"thief__paint": `{"openai/outputTemplate":"UI://thief/alpha/widget/main.html","ui":{"resourceUri":"ui://thief/alpha/widget/main.html"}}`,
		}
		got := map[string]string{}
		for _, tool := range tools.Tools {
			raw, _ := json.Marshal(tool.Meta)
			got[tool.Name] = string(raw)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", era, diff)
		}
		resources, err := v.ListResources(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var uris []string
		for _, r := range resources.Resources {
			uris = append(uris, r.URI)
		}
		if diff := cmp.Diff([]string{"ui://alpha/widget/main.html", "ui://beta/widget/main.html", "ui://thief/widget/main.html"}, uris); diff != "" {
			t.Errorf("%s: %s", era, diff)
		}
		for _, server := range []string{"alpha", "beta", "thief"} {
			for _, uri := range []string{"ui://" + server + "/widget/main.html", "ui://" + server + "/alpha/widget/main.html", "UI://" + server + "/x"} {
				read, err := v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
				if err != nil || read.Contents[0].Text != "html of "+server || read.Contents[0].URI != uri {
					t.Errorf("%s: %s: %+v, %v", era, uri, read, err)
				}
			}
			checkResults(t, v, server)
		}
		for _, uri := range []string{"ui://widget/main.html", "ui://alpha", "ui://", "ui:///x"} {
			if read, err := v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
				t.Errorf("%s: %s, which names nobody, is %s", era, uri, read.Contents[0].Text)
			}
		}
	}
}

// checkResults checks that a server's results name its own user interface.
func checkResults(t *testing.T, v *visitor, server string) {
	t.Helper()
	result, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: server + "__paint"})
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(result)
	for _, want := range []string{`"_meta":{`, `"ui":{"resourceUri":"ui://` + server + `/widget/main.html"}`, `"uri":"ui://` + server + `/alpha/widget/main.html"`, `"resource":{"uri":"ui://` + server + `/widget/main.html"`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("%s: no %s in %s", server, want, raw)
		}
	}
	prompt, err := v.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: server + "__draw"})
	if err != nil {
		t.Fatal(err)
	}
	if held := prompt.Messages[0].Content.(*mcp.EmbeddedResource).Resource; held.URI != "ui://"+server+"/widget/main.html" {
		t.Errorf("a prompt of %s holds %s", server, held.URI)
	}
}

const hiddenTools = `[{"name":"show","inputSchema":{"type":"object"}},{"name":"answer","inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":["app"]}}}]`

func TestAToolForAppsIsNeitherFoundNorExecuted(t *testing.T) {
	var calls atomic.Int64
	h := newHouse(t, catalogue{painter(t, "alpha", hiddenTools, &calls)}, func(o *gateway.Options) { o.Expose = gateway.Execute })
	for _, era := range []string{legacy, modern} {
		for _, able := range []map[string]any{nil, apps} {
			v := visitAble(t, h.url, "alice", era, agreeing, able)
			found, err := v.call(t, "find_tools", map[string]any{})
			if err != nil || !strings.Contains(found, "alpha__show") || strings.Contains(found, "alpha__answer") || !strings.Contains(found, `"total":1`) {
				t.Errorf("%s: %s, %v", era, found, err)
			}
			for _, name := range []string{"execute_tool", "alpha__answer"} {
				text, err := v.call(t, name, map[string]any{"name": "alpha__answer", "arguments": map[string]any{}})
				if text != "ERROR answer is for the user interface of alpha: it cannot be called otherwise." {
					t.Errorf("%s: %s: %q, %v", era, name, text, err)
				}
			}
		}
	}
	if n := calls.Load(); n > 0 {
		t.Errorf("the server was called %d times", n)
	}
}

func TestAToolForAppsIsForClientsThatShowThem(t *testing.T) {
	for _, rule := range []permit.Rule{permit.Never, permit.Always} {
		var calls atomic.Int64
		server := painter(t, "alpha", hiddenTools, &calls)
		server.Approve = rule
		h := newHouse(t, catalogue{server}, nil)
		for _, era := range []string{legacy, modern} {
			for _, c := range []struct {
				able  map[string]any
				tools []string
				calls int64
			}{{nil, []string{"alpha__show"}, 0}, {apps, []string{"alpha__show", "alpha__answer"}, 1}} {
				calls.Store(0)
				v := visitAble(t, h.url, "alice", era, agreeing, c.able)
				list, err := v.ListTools(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				var names []string
				for _, tool := range list.Tools {
					names = append(names, tool.Name)
				}
				if diff := cmp.Diff(c.tools, names); diff != "" {
					t.Errorf("%s: %s", era, diff)
				}
				text, err := v.call(t, "alpha__answer", map[string]any{})
				if refused := strings.HasPrefix(text, "ERROR answer is for the user interface of alpha"); err != nil || refused != (c.calls == 0) || calls.Load() != c.calls {
					t.Errorf("%s, %s: %q, %v, %d calls", rule, era, text, err, calls.Load())
				}
			}
		}
	}
}

func TestTheRestOfAUserInterfacesNameIsNotRead(t *testing.T) {
	var calls atomic.Int64
	h := newHouse(t, catalogue{painter(t, "alpha", painting, &calls), painter(t, "beta", painting, &calls), painter(t, "my ui://beta/1", painting, &calls)}, nil)
	v := visitAble(t, h.url, "alice", legacy, agreeing, apps)
	for host, server := range map[string]string{"alpha": "alpha", "beta": "beta", "my%20ui%3A%2F%2Fbeta%2F1": "my ui://beta/1"} {
		for _, rest := range []string{
			"", "/", "..", "../beta/widget/main.html", "%2e%2e/beta/x", "%2E%2E%2Fbeta", "beta/../../x", "//beta/x", "x?a=ui://beta/x#ui://beta", "@beta/x", "beta+ui://x",
			"widget/main.html%00", "sp ace", "ünï/コ", `quote"<&>\`, "\u2028", "a//b/./c/../d", "{page}", strings.Repeat("x/", 4000),
		} {
			uri := "ui://" + host + "/" + rest
			read, err := v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
			if err != nil || read.Contents[0].Text != "html of "+server || read.Contents[0].URI != uri {
				t.Errorf("%.100q: %.200v, %v", uri, read, err)
			}
		}
	}
	for _, uri := range []string{
		"ui://%61lpha/x", "ui://ALPHA/x", "ui://alpha:80/x", "ui://alpha@beta/x", "ui://alpha%2Fx/y", "ui://../alpha/x", "ui://alpha+beta/x", "ui://my ui:/x",
		"ui:alpha/x", "ui:/alpha/x", "uix://alpha/x", " ui://alpha/x", "alpha+ui://widget/main.html", "ui://" + strings.Repeat("a", 100_000) + "/x",
	} {
		if read, err := v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%.100q, which names nobody, is %s", uri, read.Contents[0].Text)
		}
	}
}

func TestAToolThatIsForNobodyIsLeftOutAndNamed(t *testing.T) {
	var calls atomic.Int64
	h := newHouse(t, catalogue{painter(t, "alpha", `[{"name":"show","inputSchema":{"type":"object"}},{"name":"lost","inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":[]}}}]`, &calls)}, nil)
	v := visitAble(t, h.url, "alice", legacy, agreeing, apps)
	list, err := v.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	if text, err := v.call(t, "alpha__lost", nil); codeOf(err) != -32602 || calls.Load() > 0 {
		t.Errorf("%q, %v, %d calls", text, err, calls.Load())
	}
	if st := h.Status(t.Context(), "default", "alpha", ""); len(st.LeftOut) != 1 || st.LeftOut[0].Name != "lost" {
		t.Errorf("%+v", st)
	}
}
