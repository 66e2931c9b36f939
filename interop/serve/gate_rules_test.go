package serve_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/interop/kit"
)

const ruledServers = `
servers:
  shop: {url: "{wares}/modern/mcp", approve: never}
  till: {url: "{wares}/legacy/mcp", approve: never}
  strict: {url: "{wares}/legacy/mcp", approve: always}
gateway: {}
rules:
  - {name: no reorders, server: till, tool: "re*", approve: refuse}
  - {name: large sums, server: till, tool: buy, when: "args.amount > 100", approve: always}
  - {name: very large sums, server: shop, tool: buy, when: "args.amount > 1000", approvers: "2 of [bob, carol, alice]"}
`

// api asks the management API and returns what it says.
func (g *gate) api(t *testing.T, method, path, token, body string, into any) int {
	t.Helper()
	h := kit.Headers(token)
	if method == http.MethodPatch {
		h.Set("Content-Type", "application/merge-patch+json")
	}
	status, _, data := kit.HttpDo(t, method, g.public+path, h, body)
	if into != nil && status < 300 {
		if err := json.Unmarshal(data, into); err != nil {
			t.Fatalf("%s %s: %d %s: %v", method, path, status, data, err)
		}
	}
	if status == 0 || status >= 500 {
		t.Fatalf("%s %s: %d %s", method, path, status, data)
	}
	return status
}

// openQuestions are the ids of somebody's questions that are open.
func (g *gate) openQuestions(t *testing.T, token string) []string {
	t.Helper()
	var list struct {
		Items []struct{ ID, Message string }
	}
	if status := g.api(t, http.MethodGet, "/api/elicitations?state=pending", token, "", &list); status != http.StatusOK {
		t.Fatalf("the questions: %d", status)
	}
	ids := []string{}
	for _, q := range list.Items {
		ids = append(ids, q.ID)
	}
	return ids
}

// openQuestion waits for the only open question of somebody.
func (g *gate) openQuestion(t *testing.T, token string) (id string) {
	t.Helper()
	kit.Eventually(t, "somebody is asked", func() bool {
		all := g.openQuestions(t, token)
		if len(all) > 1 {
			t.Fatalf("%d questions are open", len(all))
		}
		if len(all) == 1 {
			id = all[0]
		}
		return id != ""
	})
	return id
}

func TestTheRulesOfTheConfigurationDecide(t *testing.T) {
	g := startGate(t, ruledServers)
	inBothEras(t, func(t *testing.T, modern bool) {
		c := g.client(t, map[bool]string{true: "modern", false: "legacy"}[modern], modern)
		for _, amount := range []any{1, 100} {
			if end := c.do("till__buy", kit.Fields{"amount": amount}); end.Err != nil || end.IsError {
				t.Errorf("an amount of %v: %s", amount, kit.DescribeEnd(end))
			}
		}
		g.wares.carriedOut(t, map[string]int{"buy": 2})
		for _, arguments := range []kit.Fields{{"amount": 101}, {"amount": 1e9}, {"amount": "many"}, {}} {
			c.begin("till__buy", arguments)
			q := c.Question()
			if !strings.Contains(q.Message, "Allow this call?") {
				t.Errorf("%v: asked %q", arguments, q.Message)
			}
			g.wares.carriedOut(t, map[string]int{})
			c.reply(q, "accept", kit.Fields{"decision": "allow_once"})
			if end := c.End(); end.Err != nil || end.IsError {
				t.Errorf("%v: %s", arguments, kit.DescribeEnd(end))
			}
			g.wares.carriedOut(t, map[string]int{"buy": 1})
		}
		c.begin("till__buy", kit.Fields{"amount": 102})
		c.reply(c.Question(), "accept", kit.Fields{"decision": "deny"})
		if end := c.End(); end.Code() != -32001 {
			t.Errorf("denied: %s", kit.DescribeEnd(end))
		}
		if end := c.do("till__reorder", kit.Fields{}); end.Code() != -32001 {
			t.Errorf("refused by a rule: %s", kit.DescribeEnd(end))
		}
		g.wares.carriedOut(t, map[string]int{})
		if n := g.wares.begun("reorder"); n != 0 {
			t.Errorf("reorder was called %d times", n)
		}
	})
}

// purchase is a call of alice's that needs two of bob, carol and herself.
type purchase struct {
	g                 *gate
	alice, bob, carol string
	ended             chan kit.WireAnswer
	leave             context.CancelFunc
}

func newPurchase(t *testing.T) *purchase {
	t.Helper()
	g := startGate(t, ruledServers)
	return &purchase{g: g, alice: g.token(t, "alice"), bob: g.token(t, "bob"), carol: g.token(t, "carol")}
}

// begin makes the call and leaves it open.
func (p *purchase) begin(t *testing.T, arguments string) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	t.Cleanup(leave)
	p.leave, p.ended = leave, make(chan kit.WireAnswer, 1)
	ended := p.ended
	go func() {
		a, err := kit.WireCall{Tool: "shop__buy", Arguments: arguments}.Try(ctx, p.g.public, p.alice)
		if err != nil && ctx.Err() == nil {
			t.Error(err)
		}
		ended <- a
	}()
}

// decide answers on the page, as an approver.
func (p *purchase) decide(t *testing.T, name, token, button string) {
	t.Helper()
	p.g.visitor(t, name).AnswerOnPage(t, p.g.public, p.g.openQuestion(t, token), button)
}

func TestACallWaitsForThoseWhoMustAgree(t *testing.T) {
	p := newPurchase(t)
	p.begin(t, `{"amount":5000}`)
	bobs := p.g.openQuestion(t, p.bob)
	// Alice is told whom her call waits for, and can say yes neither there nor for bob.
	waiting := p.g.openQuestion(t, p.alice)
	p.g.visitor(t, "alice").Refused(t, http.StatusForbidden, p.g.public+"/answer/"+waiting, url.Values{"action": {"accept"}, "field.decision": {"option-1"}})
	p.g.visitor(t, "alice").Refused(t, http.StatusNotFound, p.g.public+"/answer/"+bobs, url.Values{"action": {"accept"}, "field.decision": {"option-1"}})
	p.decide(t, "bob", p.bob, "Allow once")
	if all := p.g.openQuestions(t, p.bob); len(all) != 0 {
		t.Errorf("bob is asked again: %q", all)
	}
	p.g.wares.carriedOut(t, map[string]int{})
	p.decide(t, "carol", p.carol, "Allow once")
	if a := <-p.ended; !strings.HasPrefix(a.Text(), "buy") {
		t.Errorf("got %s", a)
	}
	p.g.wares.carriedOut(t, map[string]int{"buy": 1})
	if all := p.g.openQuestions(t, p.alice); len(all) != 0 {
		t.Errorf("alice still waits: %q", all)
	}
	// That was for one call.
	p.begin(t, `{"amount":5000}`)
	if again := p.g.openQuestion(t, p.bob); again == bobs {
		t.Error("the same question is open again")
	}
	p.g.wares.carriedOut(t, map[string]int{})
}

func TestWhatWasAgreedToWhileTheClientWasAwayIsFound(t *testing.T) {
	p := newPurchase(t)
	p.begin(t, `{"amount":5000}`)
	bobs := p.g.openQuestion(t, p.bob)
	p.g.openQuestion(t, p.carol) // who leaves earlier leaves while they are being asked
	p.leave()
	<-p.ended
	p.decide(t, "bob", p.bob, "Allow once")
	p.decide(t, "carol", p.carol, "Allow once")
	// Other arguments are another call, for which nobody has agreed.
	p.begin(t, `{"amount":5001}`)
	if other := p.g.openQuestion(t, p.bob); other == bobs {
		t.Error("the same question is open again")
	}
	p.g.wares.carriedOut(t, map[string]int{})
	p.leave()
	<-p.ended
	p.begin(t, `{ "amount": 5000 }`)
	if a := <-p.ended; !strings.HasPrefix(a.Text(), "buy") {
		t.Errorf("got %s", a)
	}
	p.g.wares.carriedOut(t, map[string]int{"buy": 1})
}

func TestOneOfTwoWhoMustAgreeIsEnoughToRefuse(t *testing.T) {
	p := newPurchase(t)
	p.begin(t, `{"amount":5000}`)
	p.decide(t, "carol", p.carol, "Deny")
	if a := <-p.ended; a.Code() != -32001 {
		t.Errorf("got %s", a)
	}
	if all := p.g.openQuestions(t, p.bob); len(all) != 0 {
		t.Errorf("bob is still asked: %q", all)
	}
	p.g.wares.carriedOut(t, map[string]int{})
}

// permissions are what the API lists of somebody.
func (g *gate) permissions(t *testing.T, token string) []standing {
	t.Helper()
	var list struct{ Items []standing }
	if status := g.api(t, http.MethodGet, "/api/permissions", token, "", &list); status != http.StatusOK {
		t.Fatalf("the permissions: %d", status)
	}
	return slices.DeleteFunc(list.Items, func(p standing) bool { return p.Once })
}

type standing struct {
	ID, Effect, Server, Tool, Digest string
	Once                             bool
	Until                            *time.Time
}

func TestAStandingPermissionIsAsNarrowAsThePersonMadeIt(t *testing.T) {
	g := startGate(t, ruledServers)
	inBothEras(t, func(t *testing.T, modern bool) {
		name := map[bool]string{true: "modern", false: "legacy"}[modern]
		c, token := g.client(t, name, modern), g.token(t, name)
		asked := func(arguments, decision kit.Fields) {
			t.Helper()
			c.begin("strict__buy", arguments)
			c.reply(c.Question(), "accept", decision)
			if end := c.End(); end.Err != nil || end.IsError {
				t.Fatalf("%v: %s", arguments, kit.DescribeEnd(end))
			}
		}
		tea, wine := kit.Fields{"what": "tea"}, kit.Fields{"what": "wine"}
		asked(tea, kit.Fields{"decision": "always_allow", "scope": "arguments", "until": "hour"})
		if end := c.do("strict__buy", tea); end.Err != nil {
			t.Errorf("the same again: %s", kit.DescribeEnd(end))
		}
		asked(wine, kit.Fields{"decision": "allow_once"})
		all := g.permissions(t, token)
		if len(all) != 1 || all[0].Effect != "allow" || all[0].Server != "strict" || all[0].Tool != "buy" || all[0].Digest == "" || all[0].Until == nil ||
			time.Until(*all[0].Until) > time.Hour || time.Until(*all[0].Until) < 50*time.Minute {
			t.Fatalf("it is listed as %+v", all)
		}
		if others := g.permissions(t, g.token(t, "somebody else")); len(others) != 0 {
			t.Errorf("others see %+v", others)
		}
		if status := g.api(t, http.MethodDelete, "/api/permissions/"+all[0].ID, g.token(t, "somebody else"), "", nil); status != http.StatusNotFound {
			t.Errorf("somebody else revokes it: %d", status)
		}
		if end := c.do("strict__buy", tea); end.Err != nil {
			t.Errorf("after that: %s", kit.DescribeEnd(end))
		}
		if status := g.api(t, http.MethodDelete, "/api/permissions/"+all[0].ID, token, "", nil); status != http.StatusNoContent {
			t.Errorf("revoking it: %d", status)
		}
		if left := g.permissions(t, token); len(left) != 0 {
			t.Errorf("still there: %+v", left)
		}
		g.wares.carriedOut(t, map[string]int{"buy": 4})
		asked(tea, kit.Fields{"decision": "allow_once"})
		g.wares.carriedOut(t, map[string]int{"buy": 1})
	})
}
