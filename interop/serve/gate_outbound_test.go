package serve_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/interop/kit"
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
func (c *gateClient) wantConnect(g *gate, q *kit.MatrixQuestion) string {
	c.T.Helper()
	u, err := url.Parse(q.URL)
	if q.Mode != "url" || err != nil || !strings.HasPrefix(q.URL, g.public+"/") || u.RawQuery != "" && strings.Contains(u.RawQuery, "token") {
		c.T.Fatalf("that is not the connect page: %+v", q.TsParams)
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
				c.begin(tool, kit.Fields{"amount": 2})
				q := c.Question()
				c.person.ConnectAs(t, c.wantConnect(g, q), "alice")
				c.reply(q, "accept", nil)
				end := c.End()
				if end.Err != nil || end.IsError {
					t.Fatalf("the call did not go on: %s", kit.DescribeEnd(end))
				}
				want := map[string]int{}
				if tool == "mine__buy" {
					want["buy"] = 1
					if said := end.Texts(); len(said) != 1 || said[0] != `buy for alice: {"amount":2}` {
						t.Errorf("got %q", said)
					}
				}
				g.wares.carriedOut(t, want)
				if got := kit.ToolsAt(t, g.public, g.token(t, name)); slices.Contains(got, "mine__connect") || !slices.Contains(got, "mine__buy") {
					t.Errorf("after: %q", got)
				}
				// A client of 2026-07-28 may believe its list for as long as it was told.
				kit.Eventually(t, "the client lists the tools", func() bool { return slices.Contains(c.listed(), "mine__buy") })
				if end := c.do("mine__look", kit.Fields{}); len(end.Texts()) != 1 || !strings.HasPrefix(end.Texts()[0], "look for alice") {
					t.Errorf("the next call: %s", kit.DescribeEnd(end))
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
	call := kit.WireCall{Tool: "mine__buy", Arguments: `{}`}
	asked := call.Send(t, g.public, token)
	link := asked.Link(t)
	asked = call.Continued(t, asked, "").Send(t, g.public, token)
	if asked.Link(t) != link {
		t.Errorf("before the person connected: %s", asked)
	}
	g.wares.carriedOut(t, map[string]int{})
	g.visitor(t, "alice").ConnectAs(t, link, "alice")
	if done := call.Continued(t, asked, "").Send(t, g.public, token); done.Text() != "buy for alice: {}" {
		t.Errorf("after: %s", done)
	}
	g.wares.carriedOut(t, map[string]int{"buy": 1})
}

// That a client says yes is not yet a connection: the call waits for the page.
func TestAClientCannotConnectForItsPerson(t *testing.T) {
	g := personalGate(t)
	token := g.token(t, "alice")
	call := kit.WireCall{Tool: "mine__buy", Arguments: `{}`}
	asked := call.Send(t, g.public, token)
	again := call.Continued(t, asked, `{"action":"accept"}`)
	done := make(chan kit.WireAnswer, 1)
	go func() {
		a, err := again.Try(t.Context(), g.public, token)
		if err != nil {
			t.Error(err)
		}
		done <- a
	}()
	person := g.visitor(t, "alice")
	person.Open(t, asked.Link(t))
	person.Press(t, "Connect")
	g.wares.untouched(t)
	select {
	case a := <-done:
		t.Fatalf("nobody has connected, and yet: %s", a)
	default:
	}
	person.Press(t, "alice")
	person.Press(t, "Allow")
	if a := <-done; a.Text() != "buy for alice: {}" {
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
			c.begin("mine__look", kit.Fields{})
			q := c.Question()
			c.person.ConnectAs(t, c.wantConnect(g, q), name)
			c.reply(q, "accept", nil)
			if end := c.End(); len(end.Texts()) != 1 || !strings.HasPrefix(end.Texts()[0], "look for "+name+":") {
				t.Errorf("%s: %s", name, kit.DescribeEnd(end))
			}
		}
	})
	// The check at the end of every test sees what it looks for.
	g.wares.mu.Lock()
	whole := g.wares.seen
	g.wares.mu.Unlock()
	token := g.token(t, "bob")
	kit.HttpDo(t, http.MethodPost, g.wares.url+"/nowhere", kit.Headers(token), "")
	kit.HttpDo(t, http.MethodPost, g.wares.url+"/nowhere?x="+token, nil, "")
	kit.HttpDo(t, http.MethodPost, g.wares.url+"/nowhere", nil, `{"token":"`+token+`"}`)
	kit.HttpDo(t, http.MethodPost, g.wares.url+"/modern/mcp", kit.Headers("another"), "")
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
	link := (kit.WireCall{Tool: "mine__buy", Arguments: `{}`}).Send(t, g.public, token).Link(t)
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
				c.begin(tool, kit.Fields{})
				c.reply(c.Question(), action, nil)
				end := c.End()
				if end.Code() != -32001 || !strings.Contains(string(end.Err.Data), `"`+action+`"`) {
					t.Errorf("%s, %s: %s", tool, action, kit.DescribeEnd(end))
				}
			}
		}
	})
	g.wares.untouched(t)
}
