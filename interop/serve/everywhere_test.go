package serve_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/internal/testkit/readfirst"
	"github.com/parley-hq/parley/interop/kit"
)

// everywhere is a site of two nodes behind one address. A browser comes to the node
// that its cookie names, and to the other one once that was killed.
type everywhere struct {
	*gate
	nodes map[string]*kit.Node
	dead  atomic.Bool // node a
}

// newEverywhere starts a site whose agent buys things. more is added to its
// configuration.
func newEverywhere(t *testing.T, program, store, more string) *everywhere {
	t.Helper()
	e := &everywhere{nodes: map[string]*kit.Node{}}
	front := httptest.NewServer(readfirst.Handler(&httputil.ReverseProxy{
		FlushInterval: -1, // events go through at once
		ErrorLog:      log.New(io.Discard, "", 0),
		Rewrite: func(r *httputil.ProxyRequest) {
			node := "a"
			if c, err := r.In.Cookie("node"); err == nil {
				node = c.Value
			}
			if e.dead.Load() {
				node = "b"
			}
			to, _ := url.Parse(e.nodes[node].Url)
			r.SetURL(to)
			r.Out.Host = r.In.Host
		},
	}))
	t.Cleanup(front.Close)
	e.gate = newGate(t, program, store, strings.TrimPrefix(front.URL, "http://"), `
models: {demo: {kind: demo}}
servers:
  shop: {url: "{wares}/modern/mcp", approve: always}
agents:
  assistant: {model: demo, servers: [shop], description: Buys things.}
gateway: {}
`+more)
	addresses := kit.FreeAddresses(t, 2)
	for i, name := range []string{"a", "b"} {
		e.nodes[name] = e.start(t, addresses[i])
	}
	return e
}

// window is a browser in which somebody is signed in, and which goes to one node.
func (e *everywhere) window(t *testing.T, chromium *browser.Browser, who, node, path string) *browser.Person {
	t.Helper()
	p := chromium.Person(t)
	p.SetCookie(e.public, &http.Cookie{Name: "node", Value: node, Path: "/"})
	p.Open(e.public + path)
	p.WaitFor("Sign in")
	p.Fill("user", who)
	p.Follow("Sign in")
	return p
}

// terminal is a form in a terminal.
type terminal struct {
	keyboard io.Writer
	closed   <-chan struct{}
}

// allow chooses the first of what is offered, as allowOnce does.
func (f terminal) allow(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(f.keyboard, "1\n"); err != nil {
		t.Fatal(err)
	}
}

// terminal opens alice's question in a terminal.
func (e *everywhere) terminal(t *testing.T) terminal {
	t.Helper()
	form := exec.Command(e.program, "inbox", "answer", e.openQuestion(t, e.token(t, "alice")), "--server", e.public, "--user", "alice")
	keyboard, err := form.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	screen := &kit.Output{}
	form.Stdout, form.Stderr = screen, screen
	if err := form.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := form.Wait(); err != nil {
			t.Errorf("the terminal: %v\n%s", err, screen)
		}
	}()
	t.Cleanup(func() {
		_ = keyboard.Close()
		_ = form.Process.Kill()
		<-ended
	})
	kit.Eventually(t, "the form is in the terminal", func() bool { return strings.Contains(screen.String(), "Allow once") })
	return terminal{keyboard, ended}
}

const allowOnce = "[data-decision=allow_once]"

// openCards counts the buttons that allow a call, in all shadow trees.
const openCards = `(() => {
	const trees = (root) => [root, ...[...root.querySelectorAll('*')].filter((e) => e.shadowRoot).flatMap((e) => trees(e.shadowRoot))];
	return trees(document).flatMap((tree) => [...tree.querySelectorAll('` + allowOnce + `')]).length;
})()`

// closed waits until nothing can be allowed in a window.
func closed(t *testing.T, w *browser.Window) {
	t.Helper()
	kit.Eventually(t, "the card closes", func() bool {
		var open int
		w.Eval(openCards, &open)
		return open == 0
	})
}

// One question is open in two tabs of a chat, which are served by different nodes, in
// the inbox and in a terminal. Whichever page it is answered in, it closes in the others, and the
// call is made once.
func TestAQuestionClosesWhereverElseItIsOpen(t *testing.T) {
	program := withParley(t)
	chromium := browser.Start(t)
	shared(t, func(t *testing.T, store string) {
		e := newEverywhere(t, program, store, "")
		chat := e.window(t, chromium, "alice", "a", "/")
		chat.WaitFor("Ask something to begin.")
		other := e.window(t, chromium, "alice", "b", "/")
		other.WaitFor("Ask something to begin.")
		inbox := e.window(t, chromium, "alice", "b", "/inbox")
		inbox.WaitFor("Nothing waits for you")
		places := map[string]*browser.Person{"the chat": chat, "its other tab": other, "the inbox": inbox}
		for _, place := range []string{"the inbox", "its other tab", "the chat"} {
			chat.Fill("Write a message", "Please buy something")
			chat.Click("[aria-label=Send][aria-disabled=false]")
			chat.WaitFor(allowOnce)
			var conversation string
			chat.Eval(`document.querySelector("parley-chat").conversationId`, &conversation)
			other.Open(e.public + "/")
			other.WaitFor("Ask something to begin.")
			other.Eval(`void (document.querySelector("parley-chat").conversation = "`+conversation+`")`, nil)
			other.WaitFor(allowOnce)
			inbox.Click(".row")
			inbox.WaitFor(allowOnce)
			terminal := e.terminal(t)

			e.wares.carriedOut(t, map[string]int{})
			places[place].Click(allowOnce)
			answered := time.Now()
			for name, p := range places {
				if name != place {
					closed(t, p.Window)
					t.Logf("answered in %s, closed in %s after %v", place, name, time.Since(answered))
				}
			}
			received(t, "end of the form in the terminal", terminal.closed)
			t.Logf("answered in %s, closed in the terminal after %v", place, time.Since(answered))
			inbox.WaitFor("Nothing waits for you")
			chat.WaitFor("buy: {")
			e.wares.carriedOut(t, map[string]int{"buy": 1})
			chat.Click("[aria-label='New conversation']")
		}
	})
}

// The same for a question that a client of an agent over MCP shows.
func TestAQuestionOfAnMCPClientClosesWhereverElseItIsOpen(t *testing.T) {
	program := withParley(t)
	chromium := browser.Start(t)
	shared(t, func(t *testing.T, store string) {
		e := newEverywhere(t, program, store, "")
		inbox := e.window(t, chromium, "alice", "b", "/inbox")
		inbox.WaitFor("Nothing waits for you")
		client := kit.StartGoClient(t, kit.OverHTTP(t, e.nodes["a"].Url+"/mcp/agents/assistant", e.token(t, "alice")), false, true)
		for _, place := range []string{"the inbox", "the client"} {
			c := &gateClient{GoClient: client, Talk: kit.NewTalk(t, client)}
			c.begin("assistant", kit.Fields{"message": "Please buy something"})
			q := c.Question()
			inbox.Click(".row")
			inbox.WaitFor(allowOnce)
			terminal := e.terminal(t)
			e.wares.carriedOut(t, map[string]int{})
			answered := time.Now()
			if place == "the inbox" {
				inbox.Click(allowOnce)
				c.Withdrawn(q)
			} else {
				c.reply(q, "accept", kit.Fields{"decision": "allow_once"})
				closed(t, inbox.Window)
			}
			received(t, "end of the form in the terminal", terminal.closed)
			t.Logf("answered in %s, closed elsewhere after %v", place, time.Since(answered))
			if end := c.End(); end.Err != nil || end.IsError || !strings.Contains(strings.Join(end.Texts(), " "), "buy: ") {
				t.Errorf("the call ended so: %s", kit.DescribeEnd(end))
			}
			inbox.WaitFor("Nothing waits for you")
			e.wares.carriedOut(t, map[string]int{"buy": 1})
		}
	})
}
