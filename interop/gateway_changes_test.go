package interop_test

import (
	"slices"
	"strings"
	"testing"
)

// A client that keeps a stream open hears when a server comes and when it goes.
func TestTheGatewayTellsWhenAServerComesAndGoes(t *testing.T) {
	needNode(t)
	upstream := buildUpstream(t)
	address := freeAddresses(t, 1)[0]
	server := &matrixServer{name: "guest", url: "http://" + address + "/legacy/mcp"}
	g, _ := serveGateway(t, []*matrixServer{server}, 0)
	var clients []*tsClient
	for _, kind := range matrixKinds {
		if kind.command != nil && !kind.modern {
			c := g.person(t, "listener").connect(t, kind).(*scriptClient).tsClient
			c.event("stream")
			if names := names(c.list("tools")); len(names) != 0 {
				t.Errorf("there are tools of a server that is not there: %v", names)
			}
			clients = append(clients, c)
		}
	}
	hear := func(t *testing.T, there bool) {
		t.Helper()
		for _, c := range clients {
			c.t = t
			for listed := !there; listed != there; {
				c.await("word of changed tools", func(l *tsLine) bool {
					return l.Event == "notification" && strings.Contains(l.text, "notifications/tools/list_changed")
				})
				listed = slices.Contains(names(c.list("tools")), "guest__plain")
			}
			if there {
				token := newToken()
				if r := c.result(c.call("guest__plain", fields{"token": token})); len(r.Content) != 1 || r.Content[0].Text != "plain "+token {
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
	caller.t = t
	line := caller.end(caller.call("guest__plain", fields{"token": newToken()}))
	if line.Error == nil && !strings.Contains(string(line.Result), `"isError":true`) {
		t.Errorf("a server that is gone answers: %s", line.text)
	}
	hear(t, false)
	t.Run("it comes again", func(t *testing.T) {
		runUpstream(t, upstream, "-addr", address)
		hear(t, true)
	})
}
