package agentmcptest

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcptool"
)

// An agent elsewhere has no words of its own here: what failed there is a failed call.
func TestWhatAnAgentElsewhereFailedAtIsAnError(t *testing.T) {
	inBothEras(t, func(t *testing.T, era string) {
		w := newWorld(t)
		w.yaml += "  gone: {a2a: \"http://127.0.0.1:1\", description: Nothing is there.}\n"
		c := w.node(t, mcptool.Options{}).connect(t, clientOptions{era: era, agent: "gone"})
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "gone", Arguments: map[string]any{"message": "Hello."}})
		if err != nil {
			t.Fatal(err)
		}
		if !r.IsError || !strings.Contains(text(r), "cannot be reached just now; the call was not sent") {
			t.Errorf("%v %q", r.IsError, text(r))
		}
	})
}
