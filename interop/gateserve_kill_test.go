package interop_test

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
	other   *node
	alice   string
	person  *visitor
}

// killing runs tests with two nodes on each shared store. One node stays; each
// test has the other one for itself.
func killing(t *testing.T, test func(t *testing.T, p *pair)) {
	program := withParley(t)
	shared(t, func(t *testing.T, store string) {
		addresses := freeAddresses(t, 2)
		p := &pair{gate: newGate(t, program, store, addresses[1], killedServers), address: addresses[0]}
		p.other = p.start(t, addresses[1])
		p.alice, p.person = p.token(t, "alice"), p.visitor(t, "alice")
		test(t, p)
	})
}

// join starts the first node and waits until the other one knows it, which is a
// moment after it serves.
func (p *pair) join(t *testing.T) *node {
	t.Helper()
	a := p.start(t, p.address)
	session := beginSession(t, a.url, p.alice)
	eventually(t, "the nodes know each other", func() bool {
		status, _, _ := inSession(t, p.other.url, p.alice, session, listTools)
		return status == http.StatusOK
	})
	return a
}

func TestACallGoesOnOnTheOtherNodeAfterKill9(t *testing.T) {
	killing(t, func(t *testing.T, p *pair) {
		t.Run("an old server is called again where that does no harm", p.oldServer)
		t.Run("a new server hears the answer that was given before", p.newServer)
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
		call := wireCall{tool: "old__" + c.tool, arguments: `{}`}
		asked := call.send(t, a.url, p.alice)
		again := call.continued(t, asked, largeSize)
		a.kill(t)
		killed := time.Now()
		got := again.send(t, p.other.url, p.alice)
		t.Logf("%s: %v after the kill", c.tool, time.Since(killed))
		if !strings.Contains(got.text(), c.says) || got.Result.IsError != (c.calls == 1) {
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
	call := wireCall{tool: "new__order", arguments: `{}`}
	asked := call.send(t, a.url, p.alice)
	p.person.send(t, p.public+"/answer/"+p.openQuestion(t, p.alice), url.Values{"action": {"accept"}, "field.size": {"L"}})
	p.wares.carriedOut(t, map[string]int{})
	a.kill(t)
	if got := call.continued(t, asked, "").send(t, p.other.url, p.alice); got.text() != "order: accept L" {
		t.Errorf("got %s", got)
	}
	p.wares.carriedOut(t, map[string]int{"order": 1})
	if got := call.continued(t, asked, largeSize).send(t, p.other.url, p.alice); got.code() != -32602 {
		t.Errorf("once more: %s", got)
	}
	p.wares.carriedOut(t, map[string]int{})
}

func (p *pair) approval(t *testing.T) {
	a := p.join(t)
	call := wireCall{tool: "strict__buy", arguments: `{"amount":7}`}
	asked := call.send(t, a.url, p.alice)
	a.kill(t)
	p.person.answerOnPage(t, p.public, p.openQuestion(t, p.alice), "Allow once")
	p.wares.carriedOut(t, map[string]int{})
	again := call.continued(t, asked, "")
	if got := again.send(t, p.other.url, p.alice); got.text() != `buy: {"amount":7}` {
		t.Errorf("got %s", got)
	}
	p.wares.carriedOut(t, map[string]int{"buy": 1})
	if got := again.send(t, p.other.url, p.alice); got.text() != "" {
		t.Errorf("once more: %s", got)
	}
	if got := call.send(t, p.other.url, p.alice); got.Result.Type != "input_required" {
		t.Errorf("the next call: %s", got)
	}
	p.wares.carriedOut(t, map[string]int{})
}

func (p *pair) session(t *testing.T) {
	a := p.join(t)
	session := beginSession(t, a.url, p.alice)
	for _, message := range []string{listTools, callTool("new__look")} {
		if status, _, body := inSession(t, p.other.url, p.alice, session, message); status != http.StatusOK || !strings.Contains(string(body), "look") {
			t.Errorf("through the other node: %d %s", status, body)
		}
	}
	if status, _, body := inSession(t, p.other.url, p.token(t, "bob"), session, listTools); status < 400 || status >= 500 {
		t.Errorf("bob, through the other node: %d %s", status, body)
	}
	a.kill(t)
	killed, first := time.Now(), 0
	eventually(t, "the session is gone", func() bool {
		status, _, body := inSession(t, p.other.url, p.alice, session, listTools)
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
				call := wireCall{tool: c.tool, arguments: fmt.Sprintf(`{"round":%d}`, round)}
				again := call.continued(t, call.send(t, a.url, p.alice), c.answer)
				var wg sync.WaitGroup
				var through atomic.Int64
				for _, base := range []string{a.url, p.other.url, a.url, p.other.url} {
					wg.Go(func() {
						got, err := again.try(t.Context(), base, p.alice)
						if err != nil {
							t.Error(err)
						}
						if strings.HasPrefix(got.text(), c.says) {
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
	program, address := withParley(t), freeAddresses(t, 1)[0]
	g := newGate(t, program, "sqlite:"+filepath.Join(t.TempDir(), "parley.db"), address, killedServers)
	alice := g.token(t, "alice")
	for _, c := range []struct {
		call       wireCall
		answer     string
		says       string
		carriedOut map[string]int
	}{
		{wireCall{tool: "new__order", arguments: `{}`}, largeSize, "order: accept L", map[string]int{"order": 1}},
		{wireCall{tool: "old__reorder", arguments: `{}`}, largeSize, "reorder: accept L", map[string]int{"reorder": 1}},
		{wireCall{tool: "old__order", arguments: `{}`}, largeSize, "is not known", map[string]int{}},
		{wireCall{tool: "strict__buy", arguments: `{}`}, `{"action":"accept","content":{"decision":"allow_once"}}`, "buy: {}", map[string]int{"buy": 1}},
		{wireCall{tool: "strict__buy", arguments: `{"n":2}`}, `{"action":"accept","content":{"decision":"deny"}}`, "", map[string]int{}},
	} {
		n := g.start(t, address)
		asked := c.call.send(t, n.url, alice)
		again := c.call.continued(t, asked, c.answer)
		n.kill(t)
		n = g.start(t, address)
		got := again.send(t, n.url, alice)
		if !strings.Contains(got.text(), c.says) || c.says == "" && got.code() != -32001 {
			t.Errorf("%s: got %s", c.call.tool, got)
		}
		g.wares.carriedOut(t, c.carriedOut)
		n.kill(t)
	}
}
