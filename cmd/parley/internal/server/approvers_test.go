package server_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/agent"
)

// transfers is a bank whose transfers are counted.
func transfers(t *testing.T) (at string, done *atomic.Int64) {
	t.Helper()
	done = &atomic.Int64{}
	s := mcp.NewServer(&mcp.Implementation{Name: "bank", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "transfer", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		done.Add(1)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "transferred"}}}, nil
	})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL, done
}

// vaults is a server where bob, carol and dave decide about alice's transfers.
func vaults(t *testing.T) (base string, done *atomic.Int64) {
	t.Helper()
	at, done := transfers(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return servedWith(t, listener, gatewayHead(listener.Addr().String())+"models: {script: {kind: demo}}\n"+
		"servers: {bank: {url: "+at+", approve: always}}\nagents: {assistant: {model: script, servers: [bank]}}\ngateway: {}\n"+
		"rules: [{name: transfers, server: bank, approvers: \"2 of [bob, carol, dave]\", ttl: 3d}]\n",
		map[string]agent.Model{"script": obedient{}}), done
}

type pendingItem struct {
	ID, Message string
	ExpiresAt   time.Time `json:"expires_at"`
}

// waitingFor returns the only question that is open for somebody, once there is one.
func waitingFor(t *testing.T, base, bearer string) pendingItem {
	t.Helper()
	var list struct {
		Items []pendingItem `json:"items"`
	}
	for t.Context().Err() == nil {
		_, data := sent(t, http.MethodGet, base+"/api/elicitations?state=pending", bearer, "")
		if err := json.Unmarshal(data, &list); err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		if len(list.Items) == 1 {
			return list.Items[0]
		}
		time.Sleep(10 * time.Millisecond)
	}
	return pendingItem{}
}

// decide answers the only open question of an approver, on its page.
func decide(t *testing.T, base, user, decision string) pendingItem {
	t.Helper()
	q := waitingFor(t, base, named(t, user))
	onPage(t, base, user, "/answer/"+q.ID, url.Values{"action": {"accept"}, "field.decision": {map[string]string{"allow_once": "option-0", "deny": "option-1"}[decision]}})
	return q
}

// onPage sends a form of somebody who signs in first.
func onPage(t *testing.T, base, user, path string, form url.Values) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, one := range []struct {
		path string
		form url.Values
	}{{"/login", url.Values{"user": {user}}}, {path, form}} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+one.path, strings.NewReader(one.form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", base)
		r.Close = true
		answer, err := browser.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s at %s: %d %s", user, one.path, answer.StatusCode, body)
		}
	}
}

func named(t *testing.T, user string) string {
	return strings.TrimPrefix(bearerOf(t, user, ""), "Bearer ")
}

// none waits until nobody asks somebody any more: what others are asked closes a moment after
// the decision.
func none(t *testing.T, base, user string) {
	t.Helper()
	for until := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		_, data := sent(t, http.MethodGet, base+"/api/elicitations?state=pending", named(t, user), "")
		if strings.Contains(string(data), `"items":[]`) {
			return
		}
		if time.Now().After(until) {
			t.Errorf("%s is still asked: %s", user, data)
			return
		}
	}
}

// turn has alice's agent make a transfer, and returns what the stream said.
func turn(t *testing.T, base string) <-chan string {
	said := make(chan string, 1)
	bearer := named(t, "alice")
	go func() {
		body := `{"id":"c1","agent":"assistant","messages":[{"role":"user","parts":[{"type":"text","text":"bank__transfer"}]}]}`
		_, data := sent(t, http.MethodPost, base+"/run/api/chat", bearer, body, "x-supports-elicitation", "true")
		said <- string(data)
	}()
	return said
}

// streamed is turn, line by line.
func streamed(t *testing.T, base string) <-chan string {
	t.Helper()
	body := `{"id":"c1","agent":"assistant","messages":[{"role":"user","parts":[{"type":"text","text":"bank__transfer"}]}]}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/run/api/chat", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Close = true
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+named(t, "alice"))
	r.Header.Set("X-Supports-Elicitation", "true")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	lines := make(chan string)
	go func() {
		defer close(lines)
		for all := bufio.NewScanner(answer.Body); all.Scan(); {
			select {
			case lines <- all.Text():
			case <-t.Context().Done():
				return
			}
		}
	}()
	return lines
}

// until reads a stream up to a line that has want in it.
func until(t *testing.T, lines <-chan string, want string) {
	t.Helper()
	var all []string
	for line := range lines {
		if all = append(all, line); strings.Contains(line, want) {
			return
		}
	}
	t.Fatalf("no %q in %s", want, strings.Join(all, "\n"))
}

func TestAChatWaitsForApproversAndGoesOnByItself(t *testing.T) {
	for decision, want := range map[string]string{"allow_once": "It says: transferred", "deny": "denied it or did not answer"} {
		t.Run(decision, func(t *testing.T) {
			base, done := vaults(t)
			alice := named(t, "alice")
			lines := streamed(t, base)
			wait := waitingFor(t, base, alice)
			if !strings.Contains(wait.Message, "Waiting for 2 of bob, carol and dave") {
				t.Errorf("%+v", wait)
			}
			accept := fmt.Sprintf(`{"conversationId":"c1","elicitationId":%q,"action":"accept"}`, wait.ID)
			if status, data := sent(t, http.MethodPost, base+"/run/api/elicitation-responses", alice, accept); status != http.StatusForbidden || !strings.Contains(string(data), "Others decide") {
				t.Errorf("%d %s", status, data)
			}
			q := decide(t, base, "bob", decision)
			for _, part := range []string{"Asked by: alice", "Agent: assistant", "Conversation: c1", "Rule: transfers", "Service: bank"} {
				if !strings.Contains(q.Message, part) {
					t.Errorf("%q lacks %q", q.Message, part)
				}
			}
			until(t, lines, fmt.Sprintf(`"approvers":{"need":2,"people":[{"name":"bob","decision":%q,`, decision)) // the card changes
			decide(t, base, "carol", decision)
			until(t, lines, want)
			none(t, base, "dave")
			if n := done.Load(); n != map[string]int64{"allow_once": 1, "deny": 0}[decision] {
				t.Errorf("%d transfers", n)
			}
		})
	}
}

func TestWhoTakesACallBackTellsTheModel(t *testing.T) {
	base, done := vaults(t)
	alice := named(t, "alice")
	said := turn(t, base)
	back := fmt.Sprintf(`{"conversationId":"c1","elicitationId":%q,"action":"decline"}`, waitingFor(t, base, alice).ID)
	if status, data := sent(t, http.MethodPost, base+"/run/api/elicitation-responses", alice, back); status != http.StatusOK {
		t.Fatalf("%d %s", status, data)
	}
	if got := <-said; !strings.Contains(got, "took this call back") || done.Load() != 0 {
		t.Errorf("%s, %d transfers", got, done.Load())
	}
	for _, user := range []string{"bob", "carol", "dave"} {
		none(t, base, user)
	}
}

// A client of either era calls the tool and waits.
func TestACallAtTheGatewayWaitsForApprovers(t *testing.T) {
	for name, call := range map[string]func(t *testing.T, base string) string{"2026-07-28": callModern, "2025-11-25": callLegacy} {
		t.Run(name, func(t *testing.T) {
			base, done := vaults(t)
			said := make(chan string, 1)
			go func() { said <- call(t, base) }()
			q := decide(t, base, "dave", "allow_once")
			if !strings.Contains(q.Message, `Client: "desktop"`) || strings.Contains(q.Message, "Agent:") {
				t.Errorf("%q", q.Message)
			}
			if left := time.Until(q.ExpiresAt); left < 71*time.Hour {
				t.Errorf("dave has %v", left)
			}
			decide(t, base, "bob", "allow_once")
			if got := <-said; !strings.Contains(got, "transferred") || done.Load() != 1 {
				t.Errorf("%q, %d transfers", got, done.Load())
			}
			none(t, base, "carol")
			none(t, base, "alice")
		})
	}
}

// callModern is a call without elicitation: others are asked.
func callModern(t *testing.T, base string) string {
	_, said := sent(t, http.MethodPost, base+"/mcp", named(t, "alice"), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bank__transfer","_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"desk\u0007top","version":"1"}}}}`,
		"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "bank__transfer")
	return string(said)
}

func callLegacy(t *testing.T, base string) string {
	session := ""
	post := func(body string) string {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return ""
		}
		r.Close = true
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + named(t, "alice"), "Mcp-Session-Id": session,
		} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return ""
		}
		defer answer.Body.Close()
		session = cmp.Or(answer.Header.Get("Mcp-Session-Id"), session)
		said, _ := io.ReadAll(answer.Body)
		return string(said)
	}
	post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"desktop","version":"1"}}}`)
	post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	said := post(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"bank__transfer","_meta":{"progressToken":1}}}`)
	if !strings.Contains(said, "Waiting for 2 of bob, carol and dave") {
		t.Errorf("no progress: %s", said)
	}
	return said
}

func TestAnAgentOverMCPWaitsForApprovers(t *testing.T) {
	base, done := vaults(t)
	said := make(chan string, 1)
	go func() {
		call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"assistant","arguments":{"message":"bank__transfer","conversation":"mine"},` +
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
		_, data := sent(t, http.MethodPost, base+"/mcp/agents/assistant", named(t, "alice"), call, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "assistant")
		said <- string(data)
	}()
	decide(t, base, "dave", "allow_once")
	decide(t, base, "bob", "allow_once")
	if got := <-said; !strings.Contains(got, "transferred") || done.Load() != 1 {
		t.Errorf("%q, %d transfers", got, done.Load())
	}
}
