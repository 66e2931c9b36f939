package serve_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

// attackedServers are what the attacks below tried to reach.
const attackedServers = `
servers:
  shop: {url: "{wares}/modern/mcp", approve: never}
  old: {url: "{wares}/legacy/mcp", approve: never}
  strict: {url: "{wares}/modern/mcp", approve: always}
  bank: {url: "{wares}/modern/mcp", approve: refuse}
  till: {url: "{wares}/legacy/mcp", approve: always}
models: {demo: {kind: demo}}
agents: {assistant: {model: demo}}
gateway: {expose: %s}
rules:
  - {name: small sums, server: till, tool: buy, when: "!has(args.amount) || args.amount <= 100", approve: never}
`

// attacked is a site that is attacked by somebody who is signed in.
type attacked struct {
	*gate
	execute bool
	alice   string
}

// call is a call of a server's tool, in the way that the site offers it.
func (a *attacked) call(tool, arguments string) kit.WireCall {
	if a.execute {
		return kit.WireCall{Tool: "execute_tool", Arguments: fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments)}
	}
	return kit.WireCall{Tool: tool, Arguments: arguments}
}

// What outsiders got through, tried again at a process: in both eras, with each
// way to offer tools, on each store. Nothing of it reaches a server.
func TestAttacksOfOutsidersReachNoServer(t *testing.T) {
	program := withParley(t)
	stores := map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "parley.db") },
		"postgres": func(t *testing.T) string { return servers.OwnPostgres(t, nil).URL },
	}
	for store, open := range stores {
		for _, expose := range []string{"tools", "execute"} {
			t.Run(store+" "+expose, func(t *testing.T) {
				t.Parallel()
				g := newGate(t, program, open(t), kit.FreeAddresses(t, 1)[0], fmt.Sprintf(attackedServers, expose))
				g.start(t, strings.TrimPrefix(g.public, "http://"))
				a := &attacked{gate: g, execute: expose == "execute", alice: g.token(t, "alice")}
				t.Run("arguments that two programs read differently", a.ambiguous)
				t.Run("a condition passed by letter case", a.letterCase)
				t.Run("a retry in other letters", a.otherLetters)
				t.Run("approve one, run another", a.approveOneRunAnother)
				t.Run("a server that moves while its question is open", a.moves)
				t.Run("a tenant that is no text", a.tenants)
				t.Run("a state of another tenant", a.states)
			})
		}
	}
}

func (a *attacked) ambiguous(t *testing.T) {
	session := kit.BeginSession(t, a.public, a.alice)
	for _, tool := range []string{"shop__buy", "old__buy", "strict__buy", "till__buy"} {
		for _, arguments := range []string{
			`{"amount":1,"amount":1000000}`, `{"amount":1,"Amount":1000000}`, `{"AMOUNT":1000000,"amount":1}`, `{"x":{"amount":1,"\u0041mount":2}}`, `{"amount":1e400}`, `[1]`,
		} {
			c := a.call(tool, arguments)
			if got := c.Send(t, a.public, a.alice); got.Code() == 0 && !got.Result.IsError {
				t.Errorf("%s %s: %s", tool, arguments, got)
			}
			message := fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, c.Tool, c.Arguments)
			status, _, body := kit.InSession(t, a.public, a.alice, session, message)
			var got kit.WireAnswer
			if err := json.Unmarshal(body, &got); err != nil || status != http.StatusOK || got.Code() == 0 && !got.Result.IsError {
				t.Errorf("2025-11-25: %s %s: %d %s", tool, arguments, status, body)
			}
		}
	}
	a.nothing(t)
}

// nothing was called.
func (a *attacked) nothing(t *testing.T) {
	t.Helper()
	a.wares.carriedOut(t, map[string]int{})
	if n := a.wares.begun("buy"); n != 0 {
		t.Errorf("a server was called %d times", n)
	}
}

func (a *attacked) letterCase(t *testing.T) {
	for _, arguments := range []string{`{"Amount":1000000}`, `{"AMOUNT":1000000}`, `{"order":[{"aMount":1000000}]}`} {
		if got := a.call("till__buy", arguments).Send(t, a.public, a.alice); got.Result.Type != "input_required" {
			t.Errorf("%s: %s", arguments, got)
		}
	}
	a.nothing(t)
}

func (a *attacked) otherLetters(t *testing.T) {
	begun := a.call("shop__order", `{"n":1}`)
	asked := begun.Send(t, a.public, a.alice)
	variants := []string{`{"n":1,"n":2}`, `{"N":2,"n":1}`, `{"n":1,"N":2}`, `{"n":2}`}
	if a.execute {
		variants = []string{
			`{"Name":"bank__buy","name":"shop__order","arguments":{"n":1}}`, `{"name":"shop__order","Name":"bank__buy","arguments":{"n":1}}`,
			`{"name":"bank__buy","name":"shop__order","arguments":{"n":1}}`, `{"name":"shop__order","arguments":{"n":1},"arguments":{"n":2}}`,
			`{"name":"shop__order","ARGUMENTS":{"n":2},"arguments":{"n":1}}`, `{"name":"bank__buy","arguments":{"n":1}}`,
		}
	}
	for _, arguments := range variants {
		retry := begun.Continued(t, asked, largeSize)
		retry.Arguments = arguments
		if got := retry.Send(t, a.public, a.alice); got.Code() != -32602 {
			t.Errorf("%s: %s", arguments, got)
		}
	}
	if !a.execute { // the same state for another tool
		retry := begun.Continued(t, asked, largeSize)
		retry.Tool = "bank__buy"
		if got := retry.Send(t, a.public, a.alice); got.Code() != -32602 {
			t.Error(got)
		}
	}
	a.nothing(t)
	if got := begun.Continued(t, asked, largeSize).Send(t, a.public, a.alice); got.Text() != "order: accept L" {
		t.Errorf("the call itself: %s", got)
	}
	a.wares.carriedOut(t, map[string]int{"order": 1})
}

func (a *attacked) approveOneRunAnother(t *testing.T) {
	const yes = `{"action":"accept","content":{"decision":"allow_once"}}`
	begun := a.call("strict__order", `{"amount":1}`)
	asked := begun.Send(t, a.public, a.alice)
	for _, arguments := range []string{`{"amount":1000000,"amount":1}`, `{"amount":1,"amount":1000000}`, `{"amount":1,"Amount":1000000}`, `{"amount":1000000}`, `{"amount":1.0}`} {
		retry := a.call("strict__order", arguments).Continued(t, asked, yes)
		if got := retry.Send(t, a.public, a.alice); got.Code() != -32602 {
			t.Errorf("%s: %s", arguments, got)
		}
	}
	if n := a.wares.begun("order"); n != 1 {
		t.Errorf("the order was begun %d times, once by the case before", n)
	}
	next := begun.Continued(t, asked, yes).Send(t, a.public, a.alice) // its server asks now
	for _, arguments := range []string{`{"amount":1000000,"amount":1}`, `{"amount":1,"Amount":1000000}`} {
		if got := a.call("strict__order", arguments).Continued(t, next, largeSize).Send(t, a.public, a.alice); got.Code() != -32602 {
			t.Errorf("after the approval, %s: %s", arguments, got)
		}
	}
	a.nothing(t)
	if got := begun.Continued(t, next, largeSize).Send(t, a.public, a.alice); got.Text() != "order: accept L" {
		t.Errorf("the call itself: %s", got)
	}
	a.wares.carriedOut(t, map[string]int{"order": 1})
}

func (a *attacked) moves(t *testing.T) {
	manage := func(method, path, body string) {
		t.Helper()
		if status := a.api(t, method, path, adminKey, body, nil); status >= 300 {
			t.Fatalf("%s %s: %d", method, path, status)
		}
	}
	manage(http.MethodPost, "/api/servers", fmt.Sprintf(`{"name":"board","url":%q,"approve":"never"}`, a.wares.url+"/modern/mcp"))
	begun := a.call("board__order", `{}`)
	var asked kit.WireAnswer
	kit.Eventually(t, "the new server is there", func() bool {
		asked = begun.Send(t, a.public, a.alice)
		return asked.Result.Type == "input_required"
	})
	manage(http.MethodPatch, "/api/servers/board", fmt.Sprintf(`{"url":%q}`, a.wares.url+"/legacy/mcp"))
	got := begun.Continued(t, asked, largeSize).Send(t, a.public, a.alice)
	if !got.Result.IsError || !strings.Contains(got.Text(), "has changed since this call was begun") {
		t.Error(got)
	}
	a.nothing(t)
}

func (a *attacked) tenants(t *testing.T) {
	for _, value := range []any{7, 7.5, true, []string{"acme"}, []string{}, map[string]string{"id": "acme"}, "", nil, " ", "a\x00b"} {
		token := a.token(t, "alice", claim("tenant", value))
		for _, path := range []string{"/api/elicitations", "/api/servers", "/run/api/chat/c1/stream"} {
			if status, _, body := kit.HttpDo(t, http.MethodGet, a.public+path, kit.Headers(token), ""); status != http.StatusUnauthorized {
				t.Errorf("tenant %v: GET %s: %d %s", value, path, status, body)
			}
		}
		status, _, body := kit.HttpDo(t, http.MethodPost, a.public+"/mcp", kit.Headers(token), kit.ListTools)
		if status != http.StatusUnauthorized {
			t.Errorf("tenant %v: POST /mcp: %d %s", value, status, body)
		}
	}
	a.nothing(t)
}

func (a *attacked) states(t *testing.T) {
	here := a.token(t, "alice", claim("tenant", "acme"))
	begun := a.call("shop__order", `{"of":"acme"}`)
	asked := begun.Send(t, a.public, here)
	for who, token := range map[string]string{
		"the same name in another tenant": a.token(t, "alice", claim("tenant", "globex")), "the same name in none": a.alice,
		"another person": a.token(t, "bob", claim("tenant", "acme")), "a program": adminKey,
	} {
		if got := begun.Continued(t, asked, largeSize).Send(t, a.public, token); got.Code() != -32602 {
			t.Errorf("%s: %s", who, got)
		}
	}
	a.nothing(t)
	if got := begun.Continued(t, asked, largeSize).Send(t, a.public, here); got.Text() != "order: accept L" {
		t.Errorf("whose it is: %s", got)
	}
	a.wares.carriedOut(t, map[string]int{"order": 1})
}
