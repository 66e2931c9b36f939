package serve_test

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/interop/kit"
)

// Who mistypes a key is asked once more, in the same call.
func TestAKeyThatTheServerRefusesIsAskedForAgain(t *testing.T) {
	g := startGate(t, personalServers+`  key: {url: "{wares}/mine/mcp", auth: {type: bearer, scope: user}, approve: never}
gateway: {}
`)
	inBothEras(t, func(t *testing.T, modern bool) {
		era := map[bool]string{true: "modern", false: "legacy"}[modern]
		c := g.client(t, era+" alice", modern)
		c.begin("mine__look", kit.Fields{})
		q := c.Question()
		c.person.ConnectAs(t, c.wantConnect(g, q), "alice")
		c.reply(q, "accept", nil)
		c.End()
		g.wares.mu.Lock()
		delete(g.wares.bearers, "mistyped")
		good := slices.Collect(maps.Keys(g.wares.bearers))[0]
		g.wares.mu.Unlock()

		c = g.client(t, era+" bob", modern)
		c.begin("key__look", kit.Fields{})
		for _, key := range []string{"mistyped", good} {
			q := c.Question()
			c.person.Send(t, c.wantConnect(g, q), url.Values{"action": {"connect"}, "key": {key}})
			c.reply(q, "accept", nil)
		}
		if end := c.End(); len(end.Texts()) != 1 || !strings.HasPrefix(end.Texts()[0], "look for alice") {
			t.Errorf("got %s", kit.DescribeEnd(end))
		}
	})
}

// What is not a person's own they are not told to connect.
func TestOnlyWhatIsAPersonsOwnIsOfferedToBeConnected(t *testing.T) {
	g := startGate(t, personalServers+`  house: {url: "{wares}/mine/mcp", auth: {type: bearer, scope: platform}, approve: never}
  desk: {url: "{wares}/mine/mcp", auth: {type: api_key, scope: mentor}, approve: never}
gateway: {}
`)
	if diff := cmp.Diff(append([]string{"mine__connect"}, shopTools...), g.client(t, "alice", true).listed()); diff != "" {
		t.Error(diff)
	}
}
