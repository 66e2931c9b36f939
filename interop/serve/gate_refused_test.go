package serve_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

func TestATokenThatTheServerRejectsIsAskedForOnceMore(t *testing.T) {
	g := personalGate(t)
	inBothEras(t, func(t *testing.T, modern bool) {
		name := map[bool]string{true: "modern", false: "legacy"}[modern]
		c := g.client(t, name, modern)
		connect := func() {
			t.Helper()
			q := c.Question()
			c.person.ConnectAs(t, c.wantConnect(g, q), "alice")
			c.reply(q, "accept", nil)
		}
		c.begin("mine__connect", kit.Fields{})
		connect()
		if end := c.End(); end.Err != nil || end.IsError {
			t.Fatal(kit.DescribeEnd(end))
		}
		if end := c.do("mine__buy", kit.Fields{}); !slices.Equal(end.Texts(), []string{"buy for alice: {}"}) {
			t.Fatal(kit.DescribeEnd(end))
		}
		g.wares.carriedOut(t, map[string]int{"buy": 1})
		if g.wares.provider.Revoke("alice") == 0 {
			t.Fatal("nothing was revoked")
		}
		c.person = g.visitor(t, name) // the provider does not know this browser
		c.begin("mine__buy", kit.Fields{})
		connect()
		if end := c.End(); !slices.Equal(end.Texts(), []string{"buy for alice: {}"}) {
			t.Errorf("after connecting again: %s", kit.DescribeEnd(end))
		}
		g.wares.carriedOut(t, map[string]int{"buy": 1})
	})
}

func TestAServerThatTakesNoTokenIsGivenUp(t *testing.T) {
	g := personalGate(t)
	inBothEras(t, func(t *testing.T, modern bool) {
		name := map[bool]string{true: "modern", false: "legacy"}[modern]
		c := g.client(t, name, modern)
		c.begin("mine__connect", kit.Fields{})
		q := c.Question()
		c.person.ConnectAs(t, c.wantConnect(g, q), "alice")
		c.reply(q, "accept", nil)
		if end := c.End(); end.Err != nil || end.IsError {
			t.Fatal(kit.DescribeEnd(end))
		}
		if end := c.do("mine__look", kit.Fields{}); end.Err != nil || end.IsError {
			t.Fatal(kit.DescribeEnd(end))
		}
		g.wares.mu.Lock()
		g.wares.closed = true
		g.wares.mu.Unlock()
		defer func() {
			g.wares.mu.Lock()
			defer g.wares.mu.Unlock()
			g.wares.closed = false
		}()
		c.begin("mine__buy", kit.Fields{})
		asked := 0
		for e := c.Next("question or end"); ; e = c.Next("question or end") {
			if e.Ended != nil {
				if e.Ended.Err == nil && !e.Ended.IsError {
					t.Errorf("got %s", kit.DescribeEnd(*e.Ended))
				}
				break
			}
			if e.Asked == nil {
				continue // taken back: the page has answered it
			}
			if asked++; asked > 5 {
				t.Fatal("the person is asked without end")
			}
			g.visitor(t, name).ConnectAs(t, c.wantConnect(g, e.Asked), "alice")
			c.reply(e.Asked, "accept", nil)
		}
		if asked != 1 {
			t.Errorf("the person was asked to connect again %d times", asked)
		}
	})
	g.wares.carriedOut(t, map[string]int{"look": 2})
}

// What a tool is, is known only when the person has connected. The rules look at
// it then, in the same call.
func TestARuleKnowsTheToolInThePersonsFirstCall(t *testing.T) {
	g := startGate(t, personalServers+`
  careful: {url: "{wares}/mine/mcp", auth: {type: oauth2, scope: user, provider: acme}, approve: unsafe}
gateway: {}
rules:
  - {name: nothing is read, server: mine, read_only: true, approve: refuse}
`)
	inBothEras(t, func(t *testing.T, modern bool) {
		c := g.client(t, map[bool]string{true: "modern", false: "legacy"}[modern], modern)
		connect := func(tool string) {
			t.Helper()
			c.begin(tool, kit.Fields{})
			q := c.Question()
			c.person = g.visitor(t, map[bool]string{true: "modern", false: "legacy"}[modern])
			c.person.ConnectAs(t, c.wantConnect(g, q), "alice")
			c.reply(q, "accept", nil)
		}
		connect("mine__look")
		if end := c.End(); end.Code() != -32001 {
			t.Errorf("a call that the rules refuse: %s", kit.DescribeEnd(end))
		}
		g.wares.carriedOut(t, map[string]int{})
		connect("careful__look") // it only looks: nobody is asked to approve it
		if end := c.End(); end.Err != nil || end.IsError {
			t.Errorf("a call that needs no approval: %s", kit.DescribeEnd(end))
		}
		g.wares.carriedOut(t, map[string]int{"look": 1})
	})
}

// A server that refuses the credential has not carried out what was approved.
func TestAnApprovedCallIsMadeOnceWhenItsCredentialIsRefused(t *testing.T) {
	g := startGate(t, strings.Replace(personalServers, "provider: acme}, approve: never", "provider: acme}, approve: always", 1)+"gateway: {}\n")
	inBothEras(t, func(t *testing.T, modern bool) {
		name := map[bool]string{true: "modern", false: "legacy"}[modern]
		c := g.client(t, name, modern)
		play := func(decision string) (end kit.MatrixEnd, connected, approved int) {
			t.Helper()
			c.begin("mine__buy", kit.Fields{"n": 1})
			for {
				e := c.Next("question or end")
				switch {
				case e.Ended != nil:
					return *e.Ended, connected, approved
				case e.Asked == nil:
				case e.Asked.Mode == "url":
					connected++
					g.visitor(t, name).ConnectAs(t, c.wantConnect(g, e.Asked), "alice")
					c.reply(e.Asked, "accept", nil)
				default:
					approved++
					c.reply(e.Asked, "accept", kit.Fields{"decision": decision})
				}
			}
		}
		if end, connected, approved := play("allow_once"); end.Err != nil || end.IsError || connected != 1 || approved != 1 {
			t.Errorf("connected %d times and approved %d times: %s", connected, approved, kit.DescribeEnd(end))
		}
		g.wares.carriedOut(t, map[string]int{"buy": 1})
		g.wares.provider.Revoke("alice")
		if end, connected, approved := play("allow_once"); end.Err != nil || end.IsError || connected != 1 || approved == 0 {
			t.Errorf("after it was revoked: connected %d times and approved %d times: %s", connected, approved, kit.DescribeEnd(end))
		}
		g.wares.carriedOut(t, map[string]int{"buy": 1})
		g.wares.provider.Revoke("alice")
		if end, _, _ := play("deny"); end.Code() != -32001 {
			t.Errorf("denied: %s", kit.DescribeEnd(end))
		}
		g.wares.carriedOut(t, map[string]int{})
	})
}
