package main

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/examples/internal/exampletest"
)

func TestMain(m *testing.M) { exampletest.Main(m, main) }

func TestLunchIsOrderedAsThePersonLikesIt(t *testing.T) {
	for name, c := range map[string]struct {
		answer *mcp.ElicitResult
		want   receipt
	}{
		"spicy":    {exampletest.Say("accept", map[string]any{"portions": 2, "spicy": true}), receipt{true, "2 × curry, spicy"}},
		"mild":     {exampletest.Say("accept", map[string]any{"portions": 1}), receipt{true, "1 × curry, mild"}},
		"declined": {exampletest.Say("decline", nil), receipt{false, "The user's answer was decline."}},
	} {
		t.Run(name, func(t *testing.T) {
			exampletest.InBothEras(t, func(t *testing.T, era string) {
				handler, err := newHandler()
				if err != nil {
					t.Fatal(err)
				}
				client := exampletest.OverHTTP(t, era, handler, "", func(p *mcp.ElicitParams) *mcp.ElicitResult {
					if p.Message != "How would you like your curry?" {
						t.Errorf("asked %q", p.Message)
					}
					return c.answer
				})
				var got receipt
				if client.Call("order_lunch", map[string]any{"dish": "curry"}, &got); got != c.want {
					t.Errorf("got %+v, want %+v", got, c.want)
				}
			})
		})
	}
}
