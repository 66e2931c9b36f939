package interop_test

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Who mistypes a key is asked once more, in the same call.
func TestAKeyThatTheServerRefusesIsAskedForAgain(t *testing.T) {
	g := startGate(t, personalServers+`  key: {url: "{wares}/mine/mcp", auth: {type: bearer, scope: user}, approve: never}
gateway: {}
`)
	inBothEras(t, func(t *testing.T, modern bool) {
		era := map[bool]string{true: "modern", false: "legacy"}[modern]
		c := g.client(t, era+" alice", modern)
		c.begin("mine__look", fields{})
		q := c.question()
		c.person.connectAs(t, c.wantConnect(g, q), "alice")
		c.reply(q, "accept", nil)
		c.end()
		g.wares.mu.Lock()
		delete(g.wares.bearers, "mistyped")
		good := slices.Collect(maps.Keys(g.wares.bearers))[0]
		g.wares.mu.Unlock()

		c = g.client(t, era+" bob", modern)
		c.begin("key__look", fields{})
		for _, key := range []string{"mistyped", good} {
			q := c.question()
			c.person.send(t, c.wantConnect(g, q), url.Values{"action": {"connect"}, "key": {key}})
			c.reply(q, "accept", nil)
		}
		if end := c.end(); len(end.texts()) != 1 || !strings.HasPrefix(end.texts()[0], "look for alice") {
			t.Errorf("got %s", describeEnd(end))
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
