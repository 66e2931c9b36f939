package serve_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

func TestAnAgentIsAToolWhoseQuestionsTheClientAsks(t *testing.T) {
	g := startGate(t, `
models: {demo: {kind: demo}}
servers:
  shop: {url: "{wares}/modern/mcp", approve: always}
agents:
  assistant: {model: demo, servers: [shop], description: Buys things.}
gateway: {}
`)
	for _, path := range []string{"/mcp/agents/assistant", "/mcp/agents/nobody"} {
		if status, _, body := kit.HttpDo(t, http.MethodPost, g.public+path, kit.Headers(""), kit.ListTools); status != http.StatusUnauthorized {
			t.Errorf("%s without a token: %d %s", path, status, body)
		}
	}
	inBothEras(t, func(t *testing.T, modern bool) {
		name := map[bool]string{true: "modern", false: "legacy"}[modern]
		client := kit.StartGoClient(t, kit.OverHTTP(t, g.public+"/mcp/agents/assistant", g.token(t, name)), modern, true)
		c := &gateClient{GoClient: client, Talk: kit.NewTalk(t, client)}
		if got := c.listed(); len(got) != 1 || got[0] != "assistant" {
			t.Errorf("the tools are %q", got)
		}
		for decision, want := range map[string]string{"allow_once": "buy: ", "deny": "That did not work"} {
			c.begin("assistant", kit.Fields{"message": "Please buy something"})
			q := c.Question()
			if !strings.Contains(q.Message, "Allow this call?") || !strings.Contains(q.Message, "buy") {
				t.Errorf("the client asks %q", q.Message)
			}
			g.wares.carriedOut(t, map[string]int{})
			c.reply(q, "accept", kit.Fields{"decision": decision})
			end := c.End()
			if end.Err != nil || end.IsError || !strings.Contains(strings.Join(end.Texts(), " "), want) {
				t.Errorf("%s: %s", decision, kit.DescribeEnd(end))
			}
			carriedOut := map[string]int{}
			if decision == "allow_once" {
				carriedOut["buy"] = 1
			}
			g.wares.carriedOut(t, carriedOut)
		}
	})
}
