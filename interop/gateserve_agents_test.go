package interop_test

import (
	"net/http"
	"strings"
	"testing"
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
		if status, _, body := httpDo(t, http.MethodPost, g.public+path, headers(""), listTools); status != http.StatusUnauthorized {
			t.Errorf("%s without a token: %d %s", path, status, body)
		}
	}
	inBothEras(t, func(t *testing.T, modern bool) {
		name := map[bool]string{true: "modern", false: "legacy"}[modern]
		client := startGoClient(t, overHTTP(t, g.public+"/mcp/agents/assistant", g.token(t, name)), modern, true)
		c := &gateClient{goClient: client, talk: newTalk(t, client)}
		if got := c.listed(); len(got) != 1 || got[0] != "assistant" {
			t.Errorf("the tools are %q", got)
		}
		for decision, want := range map[string]string{"allow_once": "buy: ", "deny": "That did not work"} {
			c.begin("assistant", fields{"message": "Please buy something"})
			q := c.question()
			if !strings.Contains(q.Message, "Allow this call?") || !strings.Contains(q.Message, "buy") {
				t.Errorf("the client asks %q", q.Message)
			}
			g.wares.carriedOut(t, map[string]int{})
			c.reply(q, "accept", fields{"decision": decision})
			end := c.end()
			if end.err != nil || end.IsError || !strings.Contains(strings.Join(end.texts(), " "), want) {
				t.Errorf("%s: %s", decision, describeEnd(end))
			}
			carriedOut := map[string]int{}
			if decision == "allow_once" {
				carriedOut["buy"] = 1
			}
			g.wares.carriedOut(t, carriedOut)
		}
	})
}
