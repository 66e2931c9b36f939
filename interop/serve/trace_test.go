package serve_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/testkit/collector"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

// draw has the picture of docs/operations.md drawn anew.
var draw = flag.Bool("draw", false, "draw docs/screens/trace.svg from the spans of this run")

const tracedSite = `
models: {demo: {kind: demo}}
servers:
  shop: {url: "{wares}/modern/mcp", approve: always}
agents:
  assistant: {model: demo, delegates: [clerk]}
  clerk: {model: demo, servers: [shop], description: Buys things.}
telemetry: {otlp: {endpoint: "COLLECTOR"}}
`

// A run that is delegated, waits for an approval, loses its node to kill -9 and goes on at
// another one, is one trace.
func TestARunThatLosesItsNodeIsOneTrace(t *testing.T) {
	program := withParley(t)
	there := collector.Start(t)
	addresses := kit.FreeAddresses(t, 2)
	g := newGate(t, program, servers.OwnPostgres(t, nil).URL, addresses[1], strings.Replace(tracedSite, "COLLECTOR", there.URL, 1))
	g.start(t, addresses[1])
	dies := g.start(t, addresses[0])
	alice := g.asker(t, "alice")
	q := alice.Say(t, dies.Url, "c", "Delegate to the clerk: buy something").Question(t)
	named := func(all []collector.Span, name, key string, value any) []collector.Span {
		return slices.DeleteFunc(collector.Named(all, name), func(s collector.Span) bool { return s.Attributes[key] != value })
	}
	there.Wait(t, "parked run", func(all []collector.Span) bool {
		return len(named(all, "agent.run", "outcome", "waiting")) == 2 && len(collector.Named(all, "elicitation.requested")) == 1
	})
	dies.Kill(t)
	killed := time.Now()
	alice.answer(q, "accept", map[string]any{"decision": "allow_once"})
	alice.said("buy: ")
	all := there.Wait(t, "run that ended", func(all []collector.Span) bool {
		return len(named(all, "agent.run", "outcome", "done")) == 2 && len(collector.Named(all, "elicitation.completed")) == 1 && len(collector.Named(all, "mcp.request")) > 0
	})
	all = slices.DeleteFunc(all, func(s collector.Span) bool { return s.Trace != all[0].Trace })

	nodes, ids := map[string]bool{}, map[string]collector.Span{}
	for _, s := range all {
		nodes[s.Node] = true
		if old, twice := ids[s.ID]; twice {
			t.Errorf("%s and %s are one span", old.Name, s.Name)
		}
		ids[s.ID] = s
	}
	for _, s := range all {
		if _, ok := ids[s.Parent]; !ok && s.Parent != "" {
			t.Errorf("%s %v is a part of nothing that was told", s.Name, s.Attributes)
		}
	}
	if len(nodes) != 2 {
		t.Errorf("%d nodes told of it", len(nodes))
	}
	for name, want := range map[string]int{"agent.run": 4, "model.message": 4, "tool.call": 2, "elicitation.requested": 1, "elicitation.completed": 1, "mcp.request": 1} {
		if found := collector.Named(all, name); len(found) != want {
			t.Errorf("there are %d %s", len(found), name)
		}
	}
	for _, went := range named(all, "agent.run", "outcome", "done") {
		parked, ok := ids[slices.Concat(went.Links, []string{""})[0]]
		if !ok || parked.Attributes["outcome"] != "waiting" || parked.Attributes["parley.node"] == went.Attributes["parley.node"] || parked.Attributes["parley.run"] != went.Attributes["parley.run"] {
			t.Errorf("%v goes on with %v", went.Attributes, parked.Attributes)
		}
	}
	asked := collector.Named(all, "elicitation.completed")[0]
	if call := ids[asked.Parent]; call.Attributes["toolName"] != "buy" || asked.Attributes["elicitationId"] != q.ID || asked.Attributes["trigger"] != "tool_approval" || asked.Attributes["userId"] != "alice" {
		t.Errorf("%v in %v", asked.Attributes, call.Attributes)
	}
	g.wares.carriedOut(t, map[string]int{"buy": 1})
	if said := string(there.Said()); strings.Contains(said, "something") || strings.Contains(said, "allow_once") {
		t.Error("what was said is in a span")
	}

	picture := collector.Draw("A run that is delegated, gated, and goes on at another node: one trace", all, collector.Mark{At: killed, Says: "kill -9"})
	for dec := xml.NewDecoder(strings.NewReader(string(picture))); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the picture: %v", err)
		}
	}
	if *draw {
		if err := os.WriteFile("../docs/screens/trace.svg", picture, 0o644); err != nil {
			t.Error(err)
		}
	}
}

// An agent at another site has the task's trace by its A2A request, and goes on in it.
func TestADelegateAtAnotherSiteIsInTheSameTrace(t *testing.T) {
	program := withParley(t)
	there := collector.Start(t)
	addresses := kit.FreeAddresses(t, 2)
	site := func(address, more string) *gate {
		g := newGate(t, program, "sqlite:"+filepath.Join(t.TempDir(), "parley.db"), address, more+"telemetry: {otlp: {endpoint: \""+there.URL+"\"}}\n")
		g.start(t, address)
		return g
	}
	second := site(addresses[1], `
models: {demo: {kind: demo}}
servers:
  shop: {url: "{wares}/modern/mcp", approve: never}
agents:
  assistant: {model: demo, servers: [shop]}
`)
	first := site(addresses[0], `
models: {demo: {kind: demo}}
agents:
  assistant: {model: demo, delegates: [warehouse]}
  warehouse: {a2a: "http://`+addresses[1]+`/a2a/assistant", description: Orders wares., auth: {type: bearer, scope: user}}
`)
	alice := first.asker(t, "alice")
	stream := alice.Say(t, first.public, "c", "Delegate to the warehouse: order something")
	alice.Send(t, stream.Question(t).URL, url.Values{"action": {"connect"}, "key": {"dev-user:ann"}})
	alice.answer(stream.Question(t), "accept", map[string]any{"size": "L"})
	alice.said("order: accept L")
	second.wares.carriedOut(t, map[string]int{"order": 1})
	all := there.Wait(t, "run of each site", func(all []collector.Span) bool {
		done := 0
		for _, s := range collector.Named(all, "agent.run") {
			if s.Attributes["outcome"] == "done" {
				done++
			}
		}
		return done == 3 && len(collector.Named(all, "mcp.request")) > 0
	})
	sites := map[string]bool{}
	for _, s := range all {
		if s.Trace == all[0].Trace {
			sites[s.Node] = true
		}
	}
	if sent := collector.Named(all, "mcp.request")[0]; sent.Trace != all[0].Trace || len(sites) != 2 {
		t.Errorf("the server was called in %s; the trace %s has spans of %d sites", sent.Trace, all[0].Trace, len(sites))
	}
}
