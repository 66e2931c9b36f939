package interop_test

import (
	"slices"
	"strings"
	"testing"
)

func TestATokenThatTheServerRejectsIsAskedForOnceMore(t *testing.T) {
	g := personalGate(t)
	inBothEras(t, func(t *testing.T, modern bool) {
		name := map[bool]string{true: "modern", false: "legacy"}[modern]
		c := g.client(t, name, modern)
		connect := func() {
			t.Helper()
			q := c.question()
			c.person.connectAs(t, c.wantConnect(g, q), "alice")
			c.reply(q, "accept", nil)
		}
		c.begin("mine__connect", fields{})
		connect()
		if end := c.end(); end.err != nil || end.IsError {
			t.Fatal(describeEnd(end))
		}
		if end := c.do("mine__buy", fields{}); !slices.Equal(end.texts(), []string{"buy for alice: {}"}) {
			t.Fatal(describeEnd(end))
		}
		g.wares.carriedOut(t, map[string]int{"buy": 1})
		if g.wares.provider.Revoke("alice") == 0 {
			t.Fatal("nothing was revoked")
		}
		c.person = g.visitor(t, name) // the provider does not know this browser
		c.begin("mine__buy", fields{})
		connect()
		if end := c.end(); !slices.Equal(end.texts(), []string{"buy for alice: {}"}) {
			t.Errorf("after connecting again: %s", describeEnd(end))
		}
		g.wares.carriedOut(t, map[string]int{"buy": 1})
	})
}

func TestAServerThatTakesNoTokenIsGivenUp(t *testing.T) {
	g := personalGate(t)
	inBothEras(t, func(t *testing.T, modern bool) {
		name := map[bool]string{true: "modern", false: "legacy"}[modern]
		c := g.client(t, name, modern)
		c.begin("mine__connect", fields{})
		q := c.question()
		c.person.connectAs(t, c.wantConnect(g, q), "alice")
		c.reply(q, "accept", nil)
		if end := c.end(); end.err != nil || end.IsError {
			t.Fatal(describeEnd(end))
		}
		if end := c.do("mine__look", fields{}); end.err != nil || end.IsError {
			t.Fatal(describeEnd(end))
		}
		g.wares.mu.Lock()
		g.wares.closed = true
		g.wares.mu.Unlock()
		defer func() {
			g.wares.mu.Lock()
			defer g.wares.mu.Unlock()
			g.wares.closed = false
		}()
		c.begin("mine__buy", fields{})
		asked := 0
		for e := c.next("question or end"); ; e = c.next("question or end") {
			if e.ended != nil {
				if e.ended.err == nil && !e.ended.IsError {
					t.Errorf("got %s", describeEnd(*e.ended))
				}
				break
			}
			if e.asked == nil {
				continue // taken back: the page has answered it
			}
			if asked++; asked > 5 {
				t.Fatal("the person is asked without end")
			}
			g.visitor(t, name).connectAs(t, c.wantConnect(g, e.asked), "alice")
			c.reply(e.asked, "accept", nil)
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
			c.begin(tool, fields{})
			q := c.question()
			c.person = g.visitor(t, map[bool]string{true: "modern", false: "legacy"}[modern])
			c.person.connectAs(t, c.wantConnect(g, q), "alice")
			c.reply(q, "accept", nil)
		}
		connect("mine__look")
		if end := c.end(); end.code() != -32001 {
			t.Errorf("a call that the rules refuse: %s", describeEnd(end))
		}
		g.wares.carriedOut(t, map[string]int{})
		connect("careful__look") // it only looks: nobody is asked to approve it
		if end := c.end(); end.err != nil || end.IsError {
			t.Errorf("a call that needs no approval: %s", describeEnd(end))
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
		play := func(decision string) (end matrixEnd, connected, approved int) {
			t.Helper()
			c.begin("mine__buy", fields{"n": 1})
			for {
				e := c.next("question or end")
				switch {
				case e.ended != nil:
					return *e.ended, connected, approved
				case e.asked == nil:
				case e.asked.Mode == "url":
					connected++
					g.visitor(t, name).connectAs(t, c.wantConnect(g, e.asked), "alice")
					c.reply(e.asked, "accept", nil)
				default:
					approved++
					c.reply(e.asked, "accept", fields{"decision": decision})
				}
			}
		}
		if end, connected, approved := play("allow_once"); end.err != nil || end.IsError || connected != 1 || approved != 1 {
			t.Errorf("connected %d times and approved %d times: %s", connected, approved, describeEnd(end))
		}
		g.wares.carriedOut(t, map[string]int{"buy": 1})
		g.wares.provider.Revoke("alice")
		if end, connected, approved := play("allow_once"); end.err != nil || end.IsError || connected != 1 || approved == 0 {
			t.Errorf("after it was revoked: connected %d times and approved %d times: %s", connected, approved, describeEnd(end))
		}
		g.wares.carriedOut(t, map[string]int{"buy": 1})
		g.wares.provider.Revoke("alice")
		if end, _, _ := play("deny"); end.code() != -32001 {
			t.Errorf("denied: %s", describeEnd(end))
		}
		g.wares.carriedOut(t, map[string]int{})
	})
}
