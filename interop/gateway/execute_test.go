package gateway_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// The tools of a gateway that does not list its servers' tools.
const (
	findTools   = "find_tools"
	executeTool = "execute_tool"
)

// executeKinds are the clients of a gateway that has these tools: one of each
// era.
var executeKinds = []matrixKind{
	{title: "TypeScript 1.32", command: kit.Sdk1},
	{title: "TypeScript 2.4, 2026-07-28", modern: true, command: kit.Client2026},
}

// playExecute runs the cells of clients that call tools by another.
func (m *matrix) playExecute(t *testing.T, g *gatewaySite) {
	for i, kind := range executeKinds {
		title := kind.title + ", `" + g.String() + "`"
		t.Run(title, func(t *testing.T) {
			client := g.person(t, "e"+strconv.Itoa(i)).connect(t, kind)
			script, ok := client.(*kit.ScriptClient)
			if !ok {
				t.Fatalf("%T cannot list", client)
			}
			m.finds(t, script.TsClient)
			m.play(t, title, nil, func(x *cell) string {
				x.client, x.modern, x.by = client, kind.modern, executeTool
				return x.run()
			})
		})
	}
}

// finds checks that a client sees the two tools and finds every server's by them.
func (m *matrix) finds(t *testing.T, c *kit.TsClient) {
	t.Helper()
	if listed := names(c.List("tools")); !slices.Equal(listed, []string{findTools, executeTool}) {
		t.Errorf("listed are %v", listed)
	}
	for _, s := range m.servers {
		play, _ := s.scenario("form", newToken())
		r := c.Result(c.Call(findTools, kit.Fields{"query": play.tool, "server": s.name}))
		var found struct {
			Tools []json.RawMessage `json:"tools"`
		}
		if err := json.Unmarshal(r.StructuredContent, &found); err != nil {
			t.Fatal(err)
		}
		if got := names(found.Tools); len(got) == 0 || got[0] != s.name+"__"+play.tool {
			t.Errorf("found %v for %s of %s", got, play.tool, s.name)
		}
	}
}
