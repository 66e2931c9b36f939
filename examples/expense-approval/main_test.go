package main

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/examples/internal/exampletest"
	"github.com/parley-hq/parley/mcphttp"
)

func TestMain(m *testing.M) { exampletest.Main(m, main) }

func TestAManagerIsAskedAboveTheLimitOnly(t *testing.T) {
	exampletest.InBothEras(t, func(t *testing.T, era string) {
		asked := 0
		say := exampletest.Say("accept", map[string]any{"approved": true, "notes": "fine"})
		manager := func(p *mcp.ElicitParams) *mcp.ElicitResult {
			asked++
			if p.Message != "Expense E-1 for $1200.50: chairs" {
				t.Errorf("asked %q", p.Message)
			}
			return say
		}
		small := map[string]any{"expenseId": "E-0", "amount": 20, "description": "tea"}
		large := map[string]any{"expenseId": "E-1", "amount": 1200.5, "description": "chairs"}
		asker, server := newServer(parley.New(parley.NewMemoryStore(), nil))
		for transport, client := range map[string]*exampletest.Client{
			"http":  exampletest.OverHTTP(t, era, mcphttp.New(asker, server, nil), "", manager),
			"stdio": exampletest.OverStdio(t, era, manager),
		} {
			var got result
			asked = 0
			if client.Call("approve-expense", small, &got); got != (result{Status: "approved"}) || asked != 0 {
				t.Errorf("%s: small: %+v, asked %d times", transport, got, asked)
			}
			for _, c := range []struct {
				say  *mcp.ElicitResult
				want result
			}{
				{exampletest.Say("accept", map[string]any{"approved": true, "notes": "fine"}), result{"approved", "fine"}},
				{exampletest.Say("accept", map[string]any{"approved": false, "notes": "too much"}), result{"rejected", "too much"}},
				{exampletest.Say("cancel", nil), result{Status: "cancelled"}},
			} {
				say, got = c.say, result{}
				if client.Call("approve-expense", large, &got); got != c.want {
					t.Errorf("%s: %+v, want %+v", transport, got, c.want)
				}
			}
			if asked != 3 {
				t.Errorf("%s: asked %d times", transport, asked)
			}
		}
	})
}
