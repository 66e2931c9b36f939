package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

func namesOf(t *testing.T, v *visitor) (names []string) {
	t.Helper()
	list, err := v.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

func TestAtItsOwnEndpointAServerHasItsOwnNames(t *testing.T) {
	var calls atomic.Int64
	gated := painter(t, "gated", painting, &calls)
	gated.Approve = permit.Always
	h := newHouse(t, catalogue{painter(t, "alpha", painting, &calls), painter(t, "beta", painting, &calls), gated}, func(o *gateway.Options) { o.Expose = gateway.Execute })
	for _, era := range []string{legacy, modern} {
		for _, server := range []string{"alpha", "beta", "gated"} {
			v := visitAble(t, h.at(server), "alice", era, agreeing, apps)
			list, err := v.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 1 || list.Tools[0].Name != "paint" {
				t.Fatalf("%s, %s: %+v, %v", era, server, list, err)
			}
			if meta, _ := json.Marshal(list.Tools[0].Meta); string(meta) != `{"openai/outputTemplate":"ui://widget/main.html","ui":{"resourceUri":"ui://widget/main.html","visibility":["model"]},"ui/resourceUri":"ui://widget/main.html"}` {
				t.Errorf("%s, %s: %s", era, server, meta)
			}
			resources, err := v.ListResources(t.Context(), nil)
			if err != nil || len(resources.Resources) != 1 || resources.Resources[0].URI != "ui://widget/main.html" {
				t.Errorf("%s, %s: %+v, %v", era, server, resources, err)
			}
			templates, err := v.ListResourceTemplates(t.Context(), nil)
			if err != nil || len(templates.ResourceTemplates) != 1 || templates.ResourceTemplates[0].URITemplate != "ui://widget/{page}" {
				t.Errorf("%s, %s: %+v, %v", era, server, templates, err)
			}
			for _, uri := range []string{"ui://widget/main.html", "ui://alpha/widget/main.html", "ui://../beta/x", "UI://beta", "beta+file:///x", "file:///x", server + "+" + server + "+a:b"} {
				read, err := v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
				if err != nil || read.Contents[0].Text != "html of "+server || read.Contents[0].URI != uri {
					t.Errorf("%s, %s: %s: %+v, %v", era, server, uri, read, err)
				}
			}
			result, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: "paint"})
			if err != nil {
				t.Fatal(err)
			}
			raw, _ := json.Marshal(result)
			for _, want := range []string{`"ui":{"resourceUri":"ui://widget/main.html"}`, `"uri":"ui://alpha/widget/main.html"`, `"resource":{"uri":"ui://widget/main.html"`} {
				if !strings.Contains(string(raw), want) {
					t.Errorf("%s, %s: no %s in %s", era, server, want, raw)
				}
			}
			if asked := len(v.questions()); asked != map[string]int{"gated": 1}[server] {
				t.Errorf("%s, %s: asked %d times", era, server, asked)
			}
			prompt, err := v.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "draw"})
			if err != nil || prompt.Messages[0].Content.(*mcp.EmbeddedResource).Resource.URI != "ui://widget/main.html" {
				t.Errorf("%s, %s: %+v, %v", era, server, prompt, err)
			}
			if one := v.InitializeResult().ServerInfo; one == nil || one.Name != server || one.Title != server {
				t.Errorf("%s, %s: it is %+v", era, server, one)
			}
			for _, name := range []string{"beta__paint", server + "__paint", "find_tools", "execute_tool", "parley__ask_person"} {
				if text, err := v.call(t, name, map[string]any{"name": "beta__paint"}); codeOf(err) != -32602 || !strings.Contains(err.Error(), `"`+name+`"`) {
					t.Errorf("%s, %s: %s: %q, %v", era, server, name, text, err)
				}
			}
		}
	}
}

func TestACallIsTheSameAtEitherEndpoint(t *testing.T) {
	s := newShop(t, legacy)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Always}, {Name: "other", URL: s.url, Approve: permit.Always}}, func(o *gateway.Options) { o.Fallback = mcptool.Page })
	pending := func() []parley.Request {
		t.Helper()
		open, err := h.hub.List(t.Context(), parley.Principal{User: "alice"}, parley.Query{Pending: true, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		return open
	}
	for _, era := range []string{legacy, modern} {
		one, all := visit(t, h.at("shop"), "alice", era, nil), visit(t, h.url, "alice", era, nil)
		arguments := map[string]any{"era": era}
		for _, c := range []struct {
			v    *visitor
			name string
		}{{one, "buy"}, {all, "shop__buy"}, {one, "buy"}} {
			if text, err := c.v.call(t, c.name, arguments); err != nil || !strings.Contains(text, "https://parley.example/answer/") {
				t.Fatalf("%s: %q, %v", c.name, text, err)
			}
			if open := pending(); era == legacy && len(open) != 1 {
				t.Fatalf("%s: %d questions", c.name, len(open))
			}
		}
		journal := func(q parley.Request) string { call, _, _ := strings.Cut(q.Labels["mcp.call"], "/"); return call }
		open := pending()
		for _, q := range open {
			if q.From != "shop" || journal(q) != journal(open[0]) {
				t.Errorf("%s: %s asks in another call's journal", era, q.From)
			}
		}
		if _, err := visit(t, h.at("other"), "alice", era, nil).call(t, "buy", arguments); err != nil || len(pending()) != len(open)+1 {
			t.Errorf("%s: the same call at another server: %v, %d questions", era, err, len(pending()))
		}
		before := s.done.Load()
		for i, q := range slices.Backward(pending()) {
			if q.From == "other" && journal(q) == journal(open[0]) {
				t.Errorf("%s: question %d of two calls", era, i)
			}
			decision := permit.Refuse
			if q.ID == open[0].ID {
				decision = permit.AllowOnce
			}
			h.decide(t, q, decision)
			if q.ID == open[0].ID { // by the tool that waits, which no server can take over
				text, err := one.call(t, "waitForElicitationResult", map[string]any{"elicitId": q.ID})
				if err != nil || !strings.HasPrefix(text, "bought ") {
					t.Errorf("%s: %q, %v", era, text, err)
				}
			}
		}
		if n := s.done.Load() - before; n != 1 {
			t.Errorf("%s: made %d times", era, n)
		}
	}
}

func TestNothingLeadsFromOneServersEndpointToAnother(t *testing.T) {
	var calls, wests atomic.Int64
	tools := `[{"name":"west__buy","inputSchema":{"type":"object"}},{"name":"waitForElicitationResult","inputSchema":{"type":"object"}},{"name":"show","inputSchema":{"type":"object"}}]`
	h := newHouse(t, catalogue{painter(t, "shop", tools, &calls), painter(t, "shop__west", `[{"name":"buy","inputSchema":{"type":"object"}}]`, &wests)}, func(o *gateway.Options) { o.Fallback = mcptool.Page })
	for _, era := range []string{legacy, modern} {
		v := visit(t, h.at("shop"), "alice", era, nil)
		if names := namesOf(t, v); !slices.Equal(names, []string{"show", "waitForElicitationResult"}) {
			t.Errorf("%s: %q", era, names)
		}
		if text, err := v.call(t, "west__buy", nil); codeOf(err) != -32602 {
			t.Errorf("%s: %q, %v", era, text, err)
		}
		if text, err := v.call(t, "waitForElicitationResult", map[string]any{"elicitId": "x"}); strings.Contains(text, "resource") || calls.Load() > 0 {
			t.Errorf("%s: the server's: %q, %v", era, text, err)
		}
	}
	// What a client says of the endpoint is not looked at.
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	for at, want := range map[string]string{h.url: `"shop__west__buy"`, h.at("shop__west"): `"buy"`} {
		if _, body := sendRaw(t, at, list, "Parley-Server", "shop", "Mcp-Protocol-Version", modern, "Mcp-Method", "tools/list"); !strings.Contains(body, want) {
			t.Errorf("%s: %s", at, body)
		}
	}
	prompt := `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":%q,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	for at, name := range map[string]string{h.url: "shop__west__draw", h.at("shop__west"): "draw"} {
		if _, body := sendRaw(t, at, fmt.Sprintf(prompt, name), "Parley-Server", "shop", "Mcp-Protocol-Version", modern, "Mcp-Method", "prompts/get", "Mcp-Name", name); !strings.Contains(body, "html of shop__west") {
			t.Errorf("%s: %s", at, body)
		}
	}
	if wests.Load() > 0 {
		t.Error("the other server was called")
	}
}

func TestASessionIsThatOfItsEndpointOnEveryNode(t *testing.T) {
	var calls atomic.Int64
	servers := catalogue{painter(t, "alpha", painting, &calls), painter(t, "beta", painting, &calls)}
	store := parley.NewMemoryStore()
	a, b := newNode(t, store, servers, nil, nil), newNode(t, store, servers, nil, nil)
	v := visit(t, a.at("alpha"), "alice", legacy, nil)
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for at, want := range map[string]int{a.at("alpha"): http.StatusOK, b.at("alpha"): http.StatusOK, a.url: 404, b.url: 404, a.at("beta"): 404, b.at("beta"): 404} {
		status, body := sendRaw(t, at, list, "Mcp-Session-Id", v.ID(), "Mcp-Protocol-Version", legacy)
		if status != want || want == http.StatusOK && !strings.Contains(body, `"paint"`) {
			t.Errorf("%s: %d %s", at, status, body)
		}
	}
	for _, name := range []string{"gamma", "ALPHA", "alpha/x", "alpha\r\nX: y", strings.Repeat("a", 5000)} {
		if status, body := sendRaw(t, a.at(name), list, "Mcp-Protocol-Version", legacy); status != http.StatusNotFound {
			t.Errorf("%.20q: %d %s", name, status, body)
		}
	}
}

func TestChangesAreToldByTheNamesOfTheEndpoint(t *testing.T) {
	other, d := newDiary(t, legacy), newDiary(t, legacy)
	for _, one := range []*diary{other, d} {
		one.AddResource(&mcp.Resource{Name: "app", URI: "ui://today"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{}, nil
		})
	}
	h := newHouse(t, catalogue{{Name: "other", URL: other.url}, {Name: "diary", URL: d.url}}, nil)
	for _, era := range []string{legacy, modern} {
		for _, c := range []struct{ endpoint, name, own string }{
			{h.at("diary"), "diary:today", "diary:today"}, {h.at("diary"), "ui://today", "ui://today"}, {h.url, "ui://diary/today", "ui://today"},
		} {
			v, heard := reader(t, c.endpoint, "alice", era)
			before := len(d.heard())
			if err := v.Subscribe(t.Context(), &mcp.SubscribeParams{URI: c.name}); err != nil {
				t.Fatal(err)
			}
			eventually(t, "nobody subscribed", func() bool { return len(d.heard()) > before })
			if said := d.heard()[before]; said != "subscribe "+c.own {
				t.Errorf("%s, %s: %s", era, c.name, said)
			}
			for told := ""; told == ""; {
				if err := d.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: c.own}); err != nil {
					t.Fatal(err)
				}
				select {
				case told = <-heard:
					if told != c.name {
						t.Errorf("%s, %s: heard of %s", era, c.name, told)
					}
				case <-time.After(100 * time.Millisecond):
				}
			}
			if err := v.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: c.name}); err != nil {
				t.Error(err)
			}
			eventually(t, "nobody unsubscribed", func() bool { return len(d.heard()) == before+2 })
			if said := fmt.Sprint(v.InitializeResult().Instructions); strings.Contains(said, "several") != (c.endpoint == h.url) {
				t.Errorf("%s: %s", era, said)
			}
		}
	}
	if len(other.heard()) > 0 {
		t.Errorf("another server heard %q", other.heard())
	}
}
