package gateway_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// A client that keeps a stream open hears when a server comes and when it goes.
func TestTheGatewayTellsWhenAServerComesAndGoes(t *testing.T) {
	kit.NeedNode(t)
	t.Parallel()
	upstream := buildUpstream(t)
	address := kit.FreeAddresses(t, 1)[0]
	server := &matrixServer{name: "guest", url: "http://" + address + "/legacy/mcp"}
	g := serveGateway(t, kit.BuildParley(t), []*matrixServer{server}, gatewaySettings{})
	var clients []*kit.TsClient
	for _, kind := range matrixKinds {
		if kind.command != nil && !kind.modern {
			c := g.person(t, "listener").connect(t, kind).(*kit.ScriptClient).TsClient
			c.Event("stream")
			if names := names(c.List("tools")); len(names) != 0 {
				t.Errorf("there are tools of a server that is not there: %v", names)
			}
			clients = append(clients, c)
		}
	}
	hear := func(t *testing.T, there bool) {
		t.Helper()
		for _, c := range clients {
			c.T = t
			for listed := !there; listed != there; {
				c.Await("word of changed tools", func(l *kit.TsLine) bool {
					return l.Event == "notification" && strings.Contains(l.Text, "notifications/tools/list_changed")
				})
				listed = slices.Contains(names(c.List("tools")), "guest__plain")
			}
			if there {
				token := newToken()
				if r := c.Result(c.Call("guest__plain", kit.Fields{"token": token})); len(r.Content) != 1 || r.Content[0].Text != "plain "+token {
					t.Errorf("result %+v", r)
				}
			}
		}
	}
	t.Run("it comes", func(t *testing.T) {
		runUpstream(t, upstream, "-addr", address)
		hear(t, true)
	})
	// Who calls it then finds out for everybody.
	caller := clients[0]
	caller.T = t
	line := caller.End(caller.Call("guest__plain", kit.Fields{"token": newToken()}))
	if line.Error == nil && !strings.Contains(string(line.Result), `"isError":true`) {
		t.Errorf("a server that is gone answers: %s", line.Text)
	}
	hear(t, false)
	t.Run("it comes again", func(t *testing.T) {
		runUpstream(t, upstream, "-addr", address)
		hear(t, true)
	})
}
