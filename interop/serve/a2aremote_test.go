package serve_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

// jsAgent is an agent on @a2a-js/sdk, in a process of its own: npm/a2aagent.mjs.
type jsAgent struct {
	t   *testing.T
	url string
}

func startJSAgent(t *testing.T, binding string) *jsAgent {
	t.Helper()
	kit.NeedNode(t)
	said := &kit.Output{}
	cmd := exec.Command("node", "npm/a2aagent.mjs", elicitation.URI, binding)
	cmd.Stdout, cmd.Stderr = said, said
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close() // it ends with it
		killer := time.AfterFunc(kit.Patience, func() { _ = cmd.Process.Kill() })
		defer killer.Stop()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, said.String())
		}
	})
	return &jsAgent{t, strings.TrimPrefix(said.Line(t, "listening on "), "listening on ")}
}

// told checks that one task was begun, and that all messages were for it, and returns
// what the last one said.
func (a *jsAgent) told(messages int) string {
	a.t.Helper()
	_, _, raw, err := kit.HttpTry(a.t.Context(), http.MethodGet, a.url+"/book", nil, "")
	var book struct {
		Tasks []string
		Told  []struct{ Task, Says string }
	}
	if err == nil {
		err = json.Unmarshal([]byte(raw), &book)
	}
	if err != nil || len(book.Tasks) != 1 || len(book.Told) != messages {
		a.t.Fatalf("%s, %v", raw, err)
	}
	for _, m := range book.Told {
		if m.Task != book.Tasks[0] {
			a.t.Errorf("a message was for %q: %s", m.Task, raw)
		}
	}
	return book.Told[messages-1].Says
}

// saysTo sends a message and returns what is asked.
type asking struct {
	*kit.Visitor
	t    *testing.T
	node string
}

func (g *gate) asker(t *testing.T, name string) *asking {
	t.Helper()
	v := kit.NewVisitor(t)
	v.Send(t, g.public+"/login", url.Values{"user": {name}})
	return &asking{v, t, g.public}
}

// answer answers a question in the chat.
func (a *asking) answer(q kit.ShownQuestion, action string, content any) {
	a.t.Helper()
	body, err := json.Marshal(map[string]any{"conversationId": "c", "elicitationId": q.ID, "action": action, "content": content})
	if err != nil {
		a.t.Fatal(err)
	}
	resp, err := a.Browser.Post(a.node+"/run/api/elicitation-responses", "application/json", bytes.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		a.t.Fatalf("the answer: %s", resp.Status)
	}
}

// said waits until the agent has said something.
func (a *asking) said(want string) {
	a.t.Helper()
	var last []string
	kit.Eventually(a.t, "the agent says "+want, func() bool {
		last = nil
		r := a.Reload(a.t, a.node, "c")
		for _, m := range r.Messages {
			for _, p := range m.Parts {
				last = append(last, p.Text)
			}
		}
		return slices.ContainsFunc(last, func(text string) bool { return strings.Contains(text, want) })
	})
}

const delegating = `
models: {demo: {kind: demo}}
agents:
  assistant: {model: demo, delegates: [travel]}
  travel: {a2a: "AGENT", description: Books trips.}
`

// An agent on @a2a-js/sdk asks, in both interrupted states, and its task goes on.
func TestAnAgentOfTheJavaScriptSDKIsADelegate(t *testing.T) {
	program := withParley(t)
	for _, binding := range []string{"JSONRPC", "HTTP+JSON"} {
		for _, c := range []struct {
			say, url string
			content  any
			told     string // to it; empty: nothing
			said     string
		}{
			{"form", "", map[string]any{"city": "Oslo"}, `{"elicitationId":"there","action":"accept","content":{"city":"Oslo"}}`, "told {"},
			{"text", "", map[string]any{"answer": "Oslo"}, "Oslo", "told Oslo"},
			{"auth", "https://travel.example/sign-in", nil, "Done.", "told Done."},
			{"oob", "https://travel.example/sign-in", nil, "", "signed in"},
		} {
			t.Run(binding+" "+c.say, func(t *testing.T) {
				t.Parallel()
				there := startJSAgent(t, binding)
				g := newGate(t, program, "sqlite:"+filepath.Join(t.TempDir(), "parley.db"), kit.FreeAddresses(t, 1)[0], strings.ReplaceAll(delegating, "AGENT", there.url))
				g.start(t, strings.TrimPrefix(g.public, "http://"))
				alice := g.asker(t, "alice")
				q := alice.Say(t, g.public, "c", "Delegate to the travel: "+c.say).Question(t)
				if q.URL != c.url {
					t.Errorf("it leads to %q", q.URL)
				}
				messages := 2
				if c.say == "oob" { // what the person does is seen at the task
					messages = 1
					if status, _, _, err := kit.HttpTry(t.Context(), http.MethodPost, there.url+"/connected", nil, ""); err != nil || status != http.StatusOK {
						t.Fatal(status, err)
					}
				} else {
					alice.answer(q, "accept", c.content)
				}
				alice.said(c.said)
				if told := there.told(messages); c.told != "" && !sameJSON(told, c.told) {
					t.Errorf("it was told %s", told)
				}
			})
		}
	}
}

// sameJSON reports whether two texts say the same.
func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return a == b
	}
	one, _ := json.Marshal(x)
	other, _ := json.Marshal(y)
	return bytes.Equal(one, other)
}

// Our node is killed while the question of an agent elsewhere waits: the next one has
// the same question, and answers the same task.
func TestAQuestionOfAnAgentElsewhereOutlivesOurNode(t *testing.T) {
	everyStore(t, func(t *testing.T, program, store string, addresses []string) {
		there := startJSAgent(t, "JSONRPC")
		g := newGate(t, program, store, addresses[1], strings.ReplaceAll(delegating, "AGENT", there.url))
		a := g.start(t, addresses[0])
		b := a
		if addresses[0] != addresses[1] {
			b = g.start(t, addresses[1])
		}
		alice := g.asker(t, "alice")
		q := alice.Say(t, a.Url, "c", "Delegate to the travel: form").Question(t)
		a.Kill(t)
		if b == a {
			g.start(t, addresses[1])
		}
		alice.answer(q, "accept", map[string]any{"city": "Oslo"})
		alice.said("told {")
		there.told(2)
	})
}

// Our node is killed while the agent has the task and has not said a word: the next one
// finds it there, and begins no second one.
func TestATaskThatWasUnderWayIsFoundByTheNextNode(t *testing.T) {
	everyStore(t, func(t *testing.T, program, store string, addresses []string) {
		there := startJSAgent(t, "JSONRPC")
		g := newGate(t, program, store, addresses[1], strings.ReplaceAll(delegating, "AGENT", there.url))
		a := g.start(t, addresses[0])
		b := a
		if addresses[0] != addresses[1] {
			b = g.start(t, addresses[1])
		}
		alice := g.asker(t, "alice")
		alice.Say(t, a.Url, "c", "Delegate to the travel: slow")
		kit.Eventually(t, "the agent has the task", func() bool {
			_, _, raw, err := kit.HttpTry(t.Context(), http.MethodGet, there.url+"/book", nil, "")
			return err == nil && strings.Contains(string(raw), `"says":"slow"`)
		})
		a.Kill(t)
		if status, _, _, err := kit.HttpTry(t.Context(), http.MethodPost, there.url+"/connected", nil, ""); err != nil || status != http.StatusOK {
			t.Fatal(status, err)
		}
		if b == a {
			g.start(t, addresses[1])
		}
		q := alice.Resume(t, g.public, "c").Question(t)
		alice.answer(q, "accept", map[string]any{"city": "Oslo"})
		alice.said("told {")
		there.told(2)
	})
}

// Two sites of ours in a row: the person is asked at the first one for their account at
// the second, and then what a tool there wants to know. It runs once, whichever node dies
// while the question waits.
func TestTheToolOfASecondSiteRunsOnceWhicheverNodeDies(t *testing.T) {
	program := withParley(t)
	for name, open := range map[string]func(*testing.T) string{
		"sqlite":   func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "parley.db") },
		"postgres": func(t *testing.T) string { return servers.OwnPostgres(t, nil).URL },
	} {
		for _, dies := range []string{"nobody", "the first", "the second"} {
			t.Run(name+", "+dies+" dies", func(t *testing.T) {
				t.Parallel()
				addresses := kit.FreeAddresses(t, 2)
				second := newGate(t, program, open(t), addresses[1], `
models: {demo: {kind: demo}}
servers:
  shop: {url: "{wares}/modern/mcp", approve: never}
agents:
  assistant: {model: demo, servers: [shop]}
`)
				first := newGate(t, program, open(t), addresses[0], `
models: {demo: {kind: demo}}
agents:
  assistant: {model: demo, delegates: [warehouse]}
  warehouse: {a2a: "http://`+addresses[1]+`/a2a/assistant", description: Orders wares., auth: {type: bearer, scope: user}}
`)
				b, a := second.start(t, addresses[1]), first.start(t, addresses[0])
				alice := first.asker(t, "alice")
				stream := alice.Say(t, first.public, "c", "Delegate to the warehouse: order something")
				account := stream.Question(t)
				if !strings.HasPrefix(account.URL, first.public+"/auth/connect") {
					t.Fatalf("it leads to %q", account.URL)
				}
				alice.Send(t, account.URL, url.Values{"action": {"connect"}, "key": {"dev-user:ann"}})
				q := stream.Question(t)
				switch dies {
				case "the first":
					a.Kill(t)
					first.start(t, addresses[0])
				case "the second":
					b.Kill(t)
					second.start(t, addresses[1])
				}
				alice.answer(q, "accept", map[string]any{"size": "L"})
				alice.said("order: accept L")
				second.wares.carriedOut(t, map[string]int{"order": 1})
				if begun := second.wares.begun("order"); begun != 1 {
					t.Errorf("it was begun %d times", begun)
				}
			})
		}
	}
}
