package interop_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// personalGate is a site with a server for which everybody needs their own token.
func personalGate(t *testing.T) *gate {
	t.Helper()
	return startGate(t, personalServers+"gateway: {}\n")
}

const personalServers = `
providers:
  acme:
    issuer: {wares}/acme
    require_iss: true
    auth_url: {wares}/acme/authorize
    token_url: {wares}/acme/token
    client_id: parley
    client_secret: a-client-secret
    scopes: [read, write]
servers:
  mine: {url: "{wares}/mine/mcp", auth: {type: oauth2, scope: user, provider: acme}, approve: never}
  shop: {url: "{wares}/legacy/mcp", approve: never}
`

var shopTools = []string{"shop__buy", "shop__look", "shop__order", "shop__reorder"}

// wantConnect checks a question for a credential and returns its link.
func (c *gateClient) wantConnect(g *gate, q *matrixQuestion) string {
	c.t.Helper()
	u, err := url.Parse(q.URL)
	if q.Mode != "url" || err != nil || !strings.HasPrefix(q.URL, g.public+"/") || u.RawQuery != "" && strings.Contains(u.RawQuery, "token") {
		c.t.Fatalf("that is not the connect page: %+v", q.tsParams)
	}
	return q.URL
}

func TestAPersonConnectsInTheMiddleOfACall(t *testing.T) {
	g := personalGate(t)
	for era, modern := range eras {
		for _, tool := range []string{"mine__connect", "mine__buy"} {
			t.Run(era+" "+tool, func(t *testing.T) {
				name := "person-" + era + "-" + tool
				c := g.client(t, name, modern)
				if diff := cmp.Diff(append([]string{"mine__connect"}, shopTools...), c.listed()); diff != "" {
					t.Fatalf("before (-want +got):\n%s", diff)
				}
				g.wares.carriedOut(t, map[string]int{})
				c.begin(tool, fields{"amount": 2})
				q := c.question()
				c.person.connectAs(t, c.wantConnect(g, q), "alice")
				c.reply(q, "accept", nil)
				end := c.end()
				if end.err != nil || end.IsError {
					t.Fatalf("the call did not go on: %s", describeEnd(end))
				}
				want := map[string]int{}
				if tool == "mine__buy" {
					want["buy"] = 1
					if said := end.texts(); len(said) != 1 || said[0] != `buy for alice: {"amount":2}` {
						t.Errorf("got %q", said)
					}
				}
				g.wares.carriedOut(t, want)
				if got := toolsAt(t, g.public, g.token(t, name)); slices.Contains(got, "mine__connect") || !slices.Contains(got, "mine__buy") {
					t.Errorf("after: %q", got)
				}
				// A client of 2026-07-28 may believe its list for as long as it was told.
				eventually(t, "the client lists the tools", func() bool { return slices.Contains(c.listed(), "mine__buy") })
				if end := c.do("mine__look", fields{}); len(end.texts()) != 1 || !strings.HasPrefix(end.texts()[0], "look for alice") {
					t.Errorf("the next call: %s", describeEnd(end))
				}
				g.wares.carriedOut(t, map[string]int{"look": 1})
			})
		}
	}
}

// Once connected, the call goes on although the client itself never says that
// its person is back: the page says so.
func TestACallGoesOnWhenThePageSaysSo(t *testing.T) {
	g := personalGate(t)
	token := g.token(t, "alice")
	call := wireCall{tool: "mine__buy", arguments: `{}`}
	asked := call.send(t, g.public, token)
	link := asked.link(t)
	asked = call.continued(t, asked, "").send(t, g.public, token)
	if asked.link(t) != link {
		t.Errorf("before the person connected: %s", asked)
	}
	g.wares.carriedOut(t, map[string]int{})
	g.visitor(t, "alice").connectAs(t, link, "alice")
	if done := call.continued(t, asked, "").send(t, g.public, token); done.text() != "buy for alice: {}" {
		t.Errorf("after: %s", done)
	}
	g.wares.carriedOut(t, map[string]int{"buy": 1})
}

// That a client says yes is not yet a connection: the call waits for the page.
func TestAClientCannotConnectForItsPerson(t *testing.T) {
	g := personalGate(t)
	token := g.token(t, "alice")
	call := wireCall{tool: "mine__buy", arguments: `{}`}
	asked := call.send(t, g.public, token)
	again := call.continued(t, asked, `{"action":"accept"}`)
	done := make(chan wireAnswer, 1)
	go func() {
		a, err := again.try(t.Context(), g.public, token)
		if err != nil {
			t.Error(err)
		}
		done <- a
	}()
	person := g.visitor(t, "alice")
	person.open(t, asked.link(t))
	person.press(t, "Connect")
	g.wares.untouched(t)
	select {
	case a := <-done:
		t.Fatalf("nobody has connected, and yet: %s", a)
	default:
	}
	person.press(t, "alice")
	person.press(t, "Allow")
	if a := <-done; a.text() != "buy for alice: {}" {
		t.Errorf("got %s", a)
	}
	g.wares.carriedOut(t, map[string]int{"buy": 1})
}

func TestEverybodyUsesTheirOwnAccount(t *testing.T) {
	g := personalGate(t)
	inBothEras(t, func(t *testing.T, modern bool) {
		for _, name := range []string{"bob", "carol"} {
			era := map[bool]string{true: "modern", false: "legacy"}[modern]
			c := g.client(t, era+" "+name, modern)
			c.begin("mine__look", fields{})
			q := c.question()
			c.person.connectAs(t, c.wantConnect(g, q), name)
			c.reply(q, "accept", nil)
			if end := c.end(); len(end.texts()) != 1 || !strings.HasPrefix(end.texts()[0], "look for "+name+":") {
				t.Errorf("%s: %s", name, describeEnd(end))
			}
		}
	})
	// The check at the end of every test sees what it looks for.
	g.wares.mu.Lock()
	whole := g.wares.seen
	g.wares.mu.Unlock()
	token := g.token(t, "bob")
	httpDo(t, http.MethodPost, g.wares.url+"/nowhere", headers(token), "")
	httpDo(t, http.MethodPost, g.wares.url+"/nowhere?x="+token, nil, "")
	httpDo(t, http.MethodPost, g.wares.url+"/nowhere", nil, `{"token":"`+token+`"}`)
	httpDo(t, http.MethodPost, g.wares.url+"/modern/mcp", headers("another"), "")
	if found := g.wares.leaks(g.tokens); len(found) != 4 {
		t.Errorf("of 4 requests with a credential %d are found", len(found))
	}
	g.wares.mu.Lock()
	defer g.wares.mu.Unlock()
	g.wares.seen = whole
	if len(g.wares.bearers) != 4 || g.wares.refused != 0 {
		t.Errorf("the server saw %d tokens, and %d requests with a bad one", len(g.wares.bearers), g.wares.refused)
	}
}

// The link is the person's whose call it is.
func TestNobodyConnectsThroughSomebodyElsesLink(t *testing.T) {
	g := personalGate(t)
	token := g.token(t, "alice")
	link := (wireCall{tool: "mine__buy", arguments: `{}`}).send(t, g.public, token).link(t)
	bob := g.visitor(t, "bob")
	answer, err := bob.Browser.Get(link)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode < 400 {
		t.Errorf("bob sees alice's page: %s", answer.Status)
	}
}

func TestWhoDeclinesToConnectIsNotAskedInCircles(t *testing.T) {
	g := personalGate(t)
	inBothEras(t, func(t *testing.T, modern bool) {
		for _, action := range []string{"decline", "cancel"} {
			for _, tool := range []string{"mine__connect", "mine__buy"} {
				c := g.client(t, strings.Join([]string{"x", action, tool, map[bool]string{true: "m", false: "l"}[modern]}, "-"), modern)
				c.begin(tool, fields{})
				c.reply(c.question(), action, nil)
				end := c.end()
				if end.code() != -32001 || !strings.Contains(string(end.err.Data), `"`+action+`"`) {
					t.Errorf("%s, %s: %s", tool, action, describeEnd(end))
				}
			}
		}
	})
	g.wares.untouched(t)
}
