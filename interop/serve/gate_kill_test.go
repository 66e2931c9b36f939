package serve_test

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-hq/parley/interop/kit"
)

// killedServers are one for each way of a call to stop.
const killedServers = `
servers:
  old: {url: "{wares}/legacy/mcp", approve: never}
  new: {url: "{wares}/modern/mcp", approve: never}
  strict: {url: "{wares}/modern/mcp", approve: always}
gateway: {}
`

// largeSize answers the question of the wares.
const largeSize = `{"action":"accept","content":{"size":"L"}}`

// pair is a site of two nodes, one of which is about to be killed.
type pair struct {
	*gate
	address string // of the first node
	other   *kit.Node
	alice   string
	person  *kit.Visitor
}

// killing runs tests with two nodes on each shared store. One node stays; each
// test has the other one for itself.
func killing(t *testing.T, test func(t *testing.T, p *pair)) {
	program := withParley(t)
	shared(t, func(t *testing.T, store string) {
		addresses := kit.FreeAddresses(t, 2)
		p := &pair{gate: newGate(t, program, store, addresses[1], killedServers), address: addresses[0]}
		p.other = p.start(t, addresses[1])
		p.alice, p.person = p.token(t, "alice"), p.visitor(t, "alice")
		test(t, p)
	})
}

// join starts the first node and waits until the other one knows it, which is a
// moment after it serves.
func (p *pair) join(t *testing.T) *kit.Node {
	t.Helper()
	a := p.start(t, p.address)
	session := kit.BeginSession(t, a.Url, p.alice)
	kit.Eventually(t, "the nodes know each other", func() bool {
		status, _, _ := kit.InSession(t, p.other.Url, p.alice, session, kit.ListTools)
		return status == http.StatusOK
	})
	return a
}

func TestACallGoesOnOnTheOtherNodeAfterKill9(t *testing.T) {
	killing(t, func(t *testing.T, p *pair) {
		t.Run("an old server is called again where that does no harm", p.oldServer)
		t.Run("a new server hears the answer that was given before", p.newServer)
		t.Run("a call is made as it was changed, and once", p.changed)
		t.Run("an approval that was given meanwhile is found", p.approval)
		t.Run("a session ends with its node", p.session)
	})
}

func (p *pair) oldServer(t *testing.T) {
	for _, c := range []struct {
		tool, says string
		calls      int
		carriedOut map[string]int
	}{
		{"reorder", "reorder: accept L", 2, map[string]int{"reorder": 1}},
		{"order", "whether order was carried out is not known", 1, map[string]int{}},
	} {
		a := p.join(t)
		before := p.wares.begun(c.tool)
		call := kit.WireCall{Tool: "old__" + c.tool, Arguments: `{}`}
		asked := call.Send(t, a.Url, p.alice)
		again := call.Continued(t, asked, largeSize)
		a.Kill(t)
		killed := time.Now()
		got := again.Send(t, p.other.Url, p.alice)
		t.Logf("%s: %v after the kill", c.tool, time.Since(killed))
		if !strings.Contains(got.Text(), c.says) || got.Result.IsError != (c.calls == 1) {
			t.Errorf("%s: got %s", c.tool, got)
		}
		if calls := p.wares.begun(c.tool) - before; calls != c.calls {
			t.Errorf("%s was called %d times, not %d", c.tool, calls, c.calls)
		}
		p.wares.carriedOut(t, c.carriedOut)
	}
}

func (p *pair) newServer(t *testing.T) {
	a := p.join(t)
	call := kit.WireCall{Tool: "new__order", Arguments: `{}`}
	asked := call.Send(t, a.Url, p.alice)
	p.person.Send(t, p.public+"/answer/"+p.openQuestion(t, p.alice), url.Values{"action": {"accept"}, "field.size": {"L"}})
	p.wares.carriedOut(t, map[string]int{})
	a.Kill(t)
	if got := call.Continued(t, asked, "").Send(t, p.other.Url, p.alice); got.Text() != "order: accept L" {
		t.Errorf("got %s", got)
	}
	p.wares.carriedOut(t, map[string]int{"order": 1})
	if got := call.Continued(t, asked, largeSize).Send(t, p.other.Url, p.alice); got.Code() != -32602 {
		t.Errorf("once more: %s", got)
	}
	p.wares.carriedOut(t, map[string]int{})
}

func (p *pair) approval(t *testing.T) {
	a := p.join(t)
	call := kit.WireCall{Tool: "strict__buy", Arguments: `{"amount":7}`}
	asked := call.Send(t, a.Url, p.alice)
	a.Kill(t)
	p.person.AnswerOnPage(t, p.public, p.openQuestion(t, p.alice), "Allow once")
	p.wares.carriedOut(t, map[string]int{})
	again := call.Continued(t, asked, "")
	if got := again.Send(t, p.other.Url, p.alice); got.Text() != `buy: {"amount":7}` {
		t.Errorf("got %s", got)
	}
	p.wares.carriedOut(t, map[string]int{"buy": 1})
	if got := again.Send(t, p.other.Url, p.alice); got.Text() != "" {
		t.Errorf("once more: %s", got)
	}
	if got := call.Send(t, p.other.Url, p.alice); got.Result.Type != "input_required" {
		t.Errorf("the next call: %s", got)
	}
	p.wares.carriedOut(t, map[string]int{})
}

// The node that asked dies before the person changes the call, or after.
func (p *pair) changed(t *testing.T) {
	for _, killedFirst := range []bool{true, false} {
		a := p.join(t)
		call := kit.WireCall{Tool: "strict__buy", Arguments: `{"amount":70,"note":"n"}`}
		asked := call.Send(t, a.Url, p.alice)
		if killedFirst {
			a.Kill(t)
		}
		changes := url.Values{"action": {"accept"}, "field.decision": {"option-4"}, "field.args.amount": {"7"}}
		p.person.Send(t, p.public+"/answer/"+p.openQuestion(t, p.alice), changes)
		if !killedFirst {
			a.Kill(t)
		}
		p.wares.carriedOut(t, map[string]int{})
		again := call.Continued(t, asked, `{"action":"accept","content":{"decision":"allow_once"}}`) // whatever the client says now
		got := again.Send(t, p.other.Url, p.alice)
		if len(got.Result.Content) != 2 || got.Text() != "The person changed the arguments before allowing this call: amount 70 → 7." ||
			got.Result.Content[1].Text != `buy: {"amount":7,"note":"n"}` {
			t.Errorf("got %s", got)
		}
		p.wares.carriedOut(t, map[string]int{"buy": 1})
		if got := again.Send(t, p.other.Url, p.alice); len(got.Result.Content) != 0 {
			t.Errorf("once more: %s", got)
		}
		p.wares.carriedOut(t, map[string]int{})
	}
}

func (p *pair) session(t *testing.T) {
	a := p.join(t)
	session := kit.BeginSession(t, a.Url, p.alice)
	for _, message := range []string{kit.ListTools, kit.CallTool("new__look")} {
		if status, _, body := kit.InSession(t, p.other.Url, p.alice, session, message); status != http.StatusOK || !strings.Contains(string(body), "look") {
			t.Errorf("through the other node: %d %s", status, body)
		}
	}
	if status, _, body := kit.InSession(t, p.other.Url, p.token(t, "bob"), session, kit.ListTools); status < 400 || status >= 500 {
		t.Errorf("bob, through the other node: %d %s", status, body)
	}
	a.Kill(t)
	killed, first := time.Now(), 0
	kit.Eventually(t, "the session is gone", func() bool {
		status, _, body := kit.InSession(t, p.other.Url, p.alice, session, kit.ListTools)
		if first == 0 {
			first = status
		}
		if status == http.StatusOK {
			t.Fatalf("the session outlives its node: %s", body)
		}
		return status == http.StatusNotFound
	})
	t.Logf("first %d, and 404 %v after the kill", first, time.Since(killed))
	p.wares.carriedOut(t, map[string]int{"look": 1})
}

func TestTwoNodesDoNotMakeOneCallTwice(t *testing.T) {
	killing(t, func(t *testing.T, p *pair) {
		a := p.join(t)
		for _, c := range []struct {
			tool, answer, says string
		}{
			{"strict__buy", `{"action":"accept","content":{"decision":"allow_once"}}`, "buy: "},
			{"new__order", largeSize, "order: accept L"},
			{"old__order", largeSize, "order: accept L"},
			{"old__reorder", largeSize, "reorder: accept L"},
		} {
			for round := range 3 {
				call := kit.WireCall{Tool: c.tool, Arguments: fmt.Sprintf(`{"round":%d}`, round)}
				again := call.Continued(t, call.Send(t, a.Url, p.alice), c.answer)
				var wg sync.WaitGroup
				var through atomic.Int64
				for _, base := range []string{a.Url, p.other.Url, a.Url, p.other.Url} {
					wg.Go(func() {
						got, err := again.Try(t.Context(), base, p.alice)
						if err != nil {
							t.Error(err)
						}
						if strings.HasPrefix(got.Text(), c.says) {
							through.Add(1)
						}
					})
				}
				wg.Wait()
				_, own, _ := strings.Cut(c.tool, "__")
				p.wares.carriedOut(t, map[string]int{own: 1})
				if through.Load() < 1 {
					t.Errorf("%s: nobody was told the result", c.tool)
				}
			}
		}
	})
}

func TestAQuestionOutlivesItsOnlyNode(t *testing.T) {
	program, address := withParley(t), kit.FreeAddresses(t, 1)[0]
	g := newGate(t, program, "sqlite:"+filepath.Join(t.TempDir(), "parley.db"), address, killedServers)
	alice := g.token(t, "alice")
	for _, c := range []struct {
		call       kit.WireCall
		answer     string
		says       string
		carriedOut map[string]int
	}{
		{kit.WireCall{Tool: "new__order", Arguments: `{}`}, largeSize, "order: accept L", map[string]int{"order": 1}},
		{kit.WireCall{Tool: "old__reorder", Arguments: `{}`}, largeSize, "reorder: accept L", map[string]int{"reorder": 1}},
		{kit.WireCall{Tool: "old__order", Arguments: `{}`}, largeSize, "is not known", map[string]int{}},
		{kit.WireCall{Tool: "strict__buy", Arguments: `{}`}, `{"action":"accept","content":{"decision":"allow_once"}}`, "buy: {}", map[string]int{"buy": 1}},
		{kit.WireCall{Tool: "strict__buy", Arguments: `{"n":2}`}, `{"action":"accept","content":{"decision":"deny"}}`, "", map[string]int{}},
	} {
		n := g.start(t, address)
		asked := c.call.Send(t, n.Url, alice)
		again := c.call.Continued(t, asked, c.answer)
		n.Kill(t)
		n = g.start(t, address)
		got := again.Send(t, n.Url, alice)
		if !strings.Contains(got.Text(), c.says) || c.says == "" && got.Code() != -32001 {
			t.Errorf("%s: got %s", c.call.Tool, got)
		}
		g.wares.carriedOut(t, c.carriedOut)
		n.Kill(t)
	}
}
