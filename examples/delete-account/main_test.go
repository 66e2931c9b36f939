package main

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/examples/internal/exampletest"
	"github.com/parley-hq/parley/mcphttp"
)

func TestMain(m *testing.M) { exampletest.Main(m, main) }

func TestOnlyAConfirmedAccountIsDeleted(t *testing.T) {
	for name, c := range map[string]struct {
		answer *mcp.ElicitResult
		want   result
	}{
		"confirmed":     {exampletest.Say("accept", map[string]any{"confirmed": true, "reason": "moved"}), result{true, "moved"}},
		"not confirmed": {exampletest.Say("accept", map[string]any{"confirmed": false}), result{false, "not confirmed: accept"}},
		"declined":      {exampletest.Say("decline", nil), result{false, "not confirmed: decline"}},
	} {
		person := func(p *mcp.ElicitParams) *mcp.ElicitResult {
			if p.Message != "Delete account 7? This cannot be undone." {
				t.Errorf("asked %q", p.Message)
			}
			return c.answer
		}
		check := func(t *testing.T, client *exampletest.Client) {
			t.Helper()
			var got result
			if client.Call("delete-account", map[string]any{"userId": "7"}, &got); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		}
		t.Run(name, func(t *testing.T) {
			exampletest.InBothEras(t, func(t *testing.T, era string) {
				asker, server := newServer(parley.New(parley.NewMemoryStore(), nil))
				check(t, exampletest.OverHTTP(t, era, mcphttp.New(asker, server, nil), "", person))
				check(t, exampletest.OverStdio(t, era, person))
			})
		})
	}
}
