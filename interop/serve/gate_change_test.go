package serve_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// The node that has the run of alice's agent dies while the call waits for approvers.
// Bob changes the call; the other node makes it as he left it, once, and tells the
// model; carol is not asked any more.
func TestAnAgentsCallThatAnApproverChangedIsMadeByTheOtherNodeAfterKill9(t *testing.T) {
	program := withParley(t)
	shared(t, func(t *testing.T, store string) {
		addresses := kit.FreeAddresses(t, 2)
		g := newGate(t, program, store, addresses[1], `
models: {demo: {kind: demo}}
servers:
  shop: {url: "{wares}/modern/mcp", approve: always}
agents:
  assistant: {model: demo, servers: [shop], description: Buys things.}
rules:
  - {name: purchases, server: shop, approvers: "1 of [bob, carol]", ttl: 1d}
gateway: {}
`)
		a, b := g.start(t, addresses[0]), g.start(t, addresses[1])
		alice, bob, carol := g.visitor(t, "alice"), g.token(t, "bob"), g.token(t, "carol")
		alice.Say(t, a.Url, "buying", "Please buy 70")
		g.openQuestion(t, carol)
		asked := g.openQuestion(t, bob)
		a.Kill(t)
		g.visitor(t, "bob").Send(t, g.public+"/answer/"+asked, url.Values{"action": {"accept"}, "field.decision": {"option-2"}, "field.args.amount": {"7"}})
		stream := alice.Resume(t, b.Url, "buying")
		stream.End(t)
		if said := stream.Text.String(); !strings.Contains(said, "bob changed the arguments before allowing this call: amount 70 → 7.") || !strings.Contains(said, `buy: {"amount":7}`) {
			t.Errorf("the stream said %q", said)
		}
		g.wares.carriedOut(t, map[string]int{"buy": 1})
		kit.Eventually(t, "carol is not asked any more", func() bool { return len(g.openQuestions(t, carol)) == 0 })
	})
}
