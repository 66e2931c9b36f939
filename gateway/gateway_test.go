package gateway_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// eachCell runs a test with clients and servers of both eras.
func eachCell(t *testing.T, test func(t *testing.T, client string, s *shop, h *house)) {
	for _, client := range []string{legacy, modern} {
		for _, server := range []string{legacy, modern} {
			t.Run("client "+client+", server "+server, func(t *testing.T) {
				s := newShop(t, server)
				test(t, client, s, newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil))
			})
		}
	}
}

func TestAServersQuestionsReachEveryClientInTheServersName(t *testing.T) {
	eachCell(t, func(t *testing.T, client string, s *shop, h *house) {
		v := visit(t, h.url, "alice", client, agreeing)
		for tool, want := range map[string]string{
			"shop__echo":  "hello",
			"shop__order": `accept {"amount":2,"size":"L"}`,
			"shop__twice": `accept {"amount":2,"size":"L"}; accept {"amount":2,"size":"L"}`,
			"shop__look":  "accept null",
		} {
			if got, err := v.call(t, tool, map[string]any{"text": "hello"}); err != nil || got != want {
				t.Errorf("%s: %q, %v", tool, got, err)
			}
		}
		asked := v.questions()
		slices.Sort(asked)
		want := []string{"[shop] First?", "[shop] Look here https://shop.example/look", "[shop] Second?", "[shop] Which size?"}
		if diff := cmp.Diff(want, asked); diff != "" {
			t.Error(diff)
		}
		if n := s.done.Load(); n != 4 {
			t.Errorf("the server did %d calls", n)
		}
	})
}

func TestANoReachesTheServerAsItWasSaid(t *testing.T) {
	eachCell(t, func(t *testing.T, client string, _ *shop, h *house) {
		for _, action := range []string{"decline", "cancel"} {
			v := visit(t, h.url, "alice", client, refusing(action))
			if got, err := v.call(t, "shop__order", nil); err != nil || got != action+" null" {
				t.Errorf("%s: %q, %v", action, got, err)
			}
		}
	})
}

func TestAServerThatSendsThePersonToAPageFirstIsCalledAgain(t *testing.T) {
	for _, client := range []string{legacy, modern} {
		t.Run(client, func(t *testing.T) {
			s := newShop(t, legacy)
			h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
			v := visit(t, h.url, "alice", client, agreeing)
			if got, err := v.call(t, "shop__visit", nil); err != nil || got != "welcome" {
				t.Errorf("%q, %v", got, err)
			}
			if diff := cmp.Diff([]string{"[shop] Log in https://shop.example/login"}, v.questions()); diff != "" {
				t.Error(diff)
			}
			s.visits.Store(0)
			v = visit(t, h.url, "alice", client, refusing("decline"))
			if got, err := v.call(t, "shop__visit", nil); codeOf(err) != -32001 {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

func TestListsAreMergedUnderTheServersNames(t *testing.T) {
	eachCell(t, func(t *testing.T, client string, s *shop, _ *house) {
		other := newShop(t, legacy)
		h := newHouse(t, catalogue{{Name: "shop", URL: s.url}, {Name: "my__shop", URL: other.url, Approve: permit.Never}}, nil)
		v := visit(t, h.url, "alice", client, agreeing)
		var names []string
		for tool, err := range v.Tools(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, tool.Name)
		}
		if len(names) != 14 || !slices.Contains(names, "shop__echo") || !slices.Contains(names, "my__shop__echo") {
			t.Errorf("tools %q", names)
		}
		if got, err := v.call(t, "my__shop__buy", map[string]any{"what": "tea"}); err != nil || got != `bought {"what":"tea"}` || other.done.Load() != 1 {
			t.Errorf("%q, %v", got, err)
		}
		prompts, err := v.ListPrompts(t.Context(), nil)
		if err != nil || len(prompts.Prompts) != 2 || prompts.Prompts[0].Name != "shop__greet" {
			t.Fatalf("%+v, %v", prompts, err)
		}
		prompt, err := v.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "my__shop__greet", Arguments: map[string]string{"who": "Bob"}})
		if err != nil || prompt.Messages[0].Content.(*mcp.TextContent).Text != "Greet Bob" {
			t.Errorf("%+v, %v", prompt, err)
		}
		resources, err := v.ListResources(t.Context(), nil)
		if err != nil || len(resources.Resources) != 2 || resources.Resources[0].URI != "shop://menu" || resources.Resources[1].URI != "my__shop+shop://menu" {
			t.Fatalf("%+v, %v", resources, err)
		}
		for _, r := range resources.Resources {
			read, err := v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
			if err != nil || len(read.Contents) != 1 || read.Contents[0].Text != "tea" {
				t.Errorf("%s: %+v, %v", r.URI, read, err)
			}
		}
	})
}

func TestAllToolsBehindTwo(t *testing.T) {
	eachCell(t, func(t *testing.T, client string, s *shop, _ *house) {
		h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, func(o *gateway.Options) { o.Expose = gateway.Execute })
		v := visit(t, h.url, "alice", client, agreeing)
		list, err := v.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != 2 || list.Tools[0].Name != "find_tools" || list.Tools[1].Name != "execute_tool" {
			t.Fatalf("%+v, %v", list, err)
		}
		found, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: "find_tools", Arguments: map[string]any{"query": "order"}})
		if err != nil || found.IsError {
			t.Fatalf("%+v, %v", found, err)
		}
		tools := found.StructuredContent.(map[string]any)["tools"].([]any)
		if len(tools) != 2 || tools[0].(map[string]any)["name"] != "shop__order" {
			t.Errorf("found %v", tools)
		}
		if got, err := v.call(t, "execute_tool", map[string]any{"name": "shop__order"}); err != nil || got != `accept {"amount":2,"size":"L"}` {
			t.Errorf("%q, %v", got, err)
		}
		if got, err := v.call(t, "shop__order", nil); err == nil && got != "" && s.done.Load() != 2 {
			t.Errorf("%q", got)
		}
	})
}
