package agentmcptest

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

func TestAProgramRunsAgentsAndWhatNeedsAPersonIsAnErrorAtOnce(t *testing.T) {
	inBothEras(t, func(t *testing.T, era string) {
		n := newWorld(t).node(t, mcptool.Options{})
		screen := decides("allow_once")
		c := n.connect(t, clientOptions{era: era, user: "key-of-billing", person: screen.person})
		first := say(t, c, "hello")
		if got := text(first); got != "You said: hello" {
			t.Fatalf("the agent said %q", got)
		}
		for message, want := range map[string]string{
			tea:               "needs a person's approval, and a program makes it",
			"travel__book {}": "this conversation is a program's: nobody can be asked",
		} {
			if got := text(say(t, c, message)); !strings.Contains(got, want) {
				t.Errorf("%s: %q; want %q", message, got, want)
			}
		}
		all, err := n.Hub.List(t.Context(), parley.Principal{Tenant: "default", Kind: parley.KindProgram, Key: "billing"}, parley.Query{})
		if len(all) != 0 || len(screen.all()) != 0 || n.world.orders.Load() != 0 {
			t.Errorf("%d questions (%v), %d shown, %d orders", len(all), err, len(screen.all()), n.world.orders.Load())
		}

		// The conversation is the key's, in every session of it, and nobody else's.
		conversation := output(t, first).Conversation
		going := func(user string) {
			t.Helper()
			c := n.connect(t, clientOptions{era: era, user: user})
			if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "assistant", Arguments: map[string]any{"message": "and then", "conversation": conversation}}); err != nil {
				t.Fatal(err)
			}
		}
		going("key-of-billing")
		going("key-of-another")
		for key, want := range map[string]int{"billing": 2, "another": 1} {
			runs, err := n.Agents.History(t.Context(), parley.Principal{Tenant: "default", Kind: parley.KindProgram, Key: key}, conversation)
			if err != nil || len(runs) != want {
				t.Errorf("%s has %d turns there, want %d: %v", key, len(runs), want, err)
			}
		}
	})
}
