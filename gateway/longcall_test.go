package gateway_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// aLongOrder is more than a message of a question takes.
var aLongOrder = map[string]any{"list": strings.Repeat("tea, ", 5_000)}

// newLongHouse is a gateway with a page for calls that no form shows whole.
func newLongHouse(t *testing.T, change func(*gateway.Options)) (*shop, *house) {
	s := newShop(t, modern)
	return s, newNode(t, parley.NewMemoryStore(), catalogue{{Name: "shop", URL: s.url, Approve: permit.Always}}, &permit.Options{CallBytes: 256 << 10}, change)
}

// screen is what a client shows, and its person's answer to all of it.
type screen struct {
	mu     sync.Mutex
	asked  []*mcp.ElicitParams
	answer *mcp.ElicitResult
}

func (s *screen) all() []*mcp.ElicitParams {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*mcp.ElicitParams(nil), s.asked...)
}

// visitWith connects a client of alice's that asks in these modes.
func visitWith(t *testing.T, url, era string, can *mcp.ElicitationCapabilities, shows *screen) *visitor {
	t.Helper()
	opts := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{Elicitation: can}}
	opts.ElicitationHandler = func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		shows.mu.Lock()
		defer shows.mu.Unlock()
		shows.asked = append(shows.asked, r.Params)
		return shows.answer, nil
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "visitor", Version: "1"}, opts).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer{"token-of-alice"}}}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return &visitor{ClientSession: session}
}

var (
	formsAndURLs = &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}
	formsOnly    = &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}
	urlsOnly     = &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}
	allows       = &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "allow_once"}}
)

// waitingFor returns alice's one open question, once it is there.
func (h *house) waitingFor(t *testing.T) (q parley.Request) {
	t.Helper()
	eventually(t, "nobody is asked", func() bool {
		open, err := h.hub.List(t.Context(), parley.Principal{User: "alice"}, parley.Query{Pending: true})
		if err == nil && len(open) == 1 {
			q = open[0]
		}
		return q.ID != ""
	})
	return q
}

// decide answers as the hosted page does.
func (h *house) decide(t *testing.T, q parley.Request, decision permit.Choice) {
	t.Helper()
	content, _ := json.Marshal(map[string]any{"decision": decision})
	if err := h.hub.Answer(t.Context(), parley.Principal{User: "alice"}, q.ID, parley.Answer{Action: parley.Accept, Content: content, Via: "page"}); err != nil {
		t.Fatal(err)
	}
}

// What a client says to such a question is that the person went to the page, and
// not that they allow the call.
func TestACallThatNoFormShowsLeadsClientsToItsPage(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		for name, can := range map[string]*mcp.ElicitationCapabilities{"forms and URLs": formsAndURLs, "URLs": urlsOnly} {
			t.Run(era+" "+name, func(t *testing.T) {
				s, h := newLongHouse(t, nil)
				shows := &screen{answer: allows}
				v := visitWith(t, h.url, era, can, shows)
				type said struct {
					text string
					err  error
				}
				done := make(chan said, 1)
				go func() {
					text, err := v.call(t, "shop__buy", aLongOrder)
					done <- said{text, err}
				}()
				q := h.waitingFor(t)
				eventually(t, "the client shows nothing", func() bool { return len(shows.all()) > 0 })
				shown := shows.all()[0]
				if shown.Mode != "url" || shown.URL != "https://parley.example/answer/"+string(q.ID) || shown.RequestedSchema != nil {
					t.Errorf("the client was asked %+v", shown)
				}
				if !strings.HasPrefix(shown.Message, "[shop] Allow this call? It has 25069 bytes (digest ") || len(shown.Message) > 500 {
					t.Errorf("the client says %q", shown.Message)
				}
				if s.done.Load() != 0 {
					t.Fatal("it was bought before anybody saw all of it")
				}
				h.decide(t, q, permit.AllowOnce)
				if got := <-done; got.err != nil || !strings.HasPrefix(got.text, "bought {") || s.done.Load() != 1 {
					t.Errorf("%.80q, %v, made %d times", got.text, got.err, s.done.Load())
				}
			})
		}
	}
}

func TestALongCallThatTheClientDeclinesIsNotMade(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		t.Run(era, func(t *testing.T) {
			s, h := newLongHouse(t, nil)
			v := visitWith(t, h.url, era, formsAndURLs, &screen{answer: &mcp.ElicitResult{Action: "decline"}})
			if text, err := v.call(t, "shop__buy", aLongOrder); codeOf(err) != -32001 || s.done.Load() != 0 {
				t.Errorf("%.80q, %v, made %d times", text, err, s.done.Load())
			}
		})
	}
}

// A client that shows forms and opens no URLs has the link in the text, whatever
// the fallback is, and goes on by the same call.
func TestACallThatNoFormShowsIsALinkForClientsWithoutURLs(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		for _, fallback := range []mcptool.Fallback{mcptool.Deny, mcptool.Model, mcptool.Allow} {
			t.Run(era+" "+string(fallback), func(t *testing.T) {
				s, h := newLongHouse(t, func(o *gateway.Options) { o.Fallback, o.Hold = fallback, time.Millisecond })
				shows := &screen{answer: allows}
				v := visitWith(t, h.url, era, formsOnly, shows)
				for range 3 { // as often as they like: it is one question
					text, err := v.call(t, "shop__buy", aLongOrder)
					q := h.waitingFor(t)
					for _, want := range []string{"ERROR", "[shop] Allow this call? It has 25", "https://parley.example/answer/" + string(q.ID), "Make the same call again"} {
						if err != nil || !strings.Contains(text, want) {
							t.Fatalf("%q, %v; want %q", text, err, want)
						}
					}
				}
				h.decide(t, h.waitingFor(t), permit.AllowOnce)
				if text, err := v.call(t, "shop__buy", aLongOrder); err != nil || !strings.HasPrefix(text, "bought {") || s.done.Load() != 1 {
					t.Errorf("%.80q, %v, made %d times", text, err, s.done.Load())
				}
				if n := len(shows.all()); n != 0 {
					t.Errorf("a form was shown %d times", n)
				}
			})
		}
	}
}

func TestALongCallThatIsMadeAgainWaitsForThePage(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		t.Run(era, func(t *testing.T) {
			s, h := newLongHouse(t, func(o *gateway.Options) { o.Hold = time.Minute })
			v := visitWith(t, h.url, era, formsOnly, &screen{answer: allows})
			if text, err := v.call(t, "shop__buy", aLongOrder); err != nil || !strings.HasPrefix(text, "ERROR") {
				t.Fatalf("%q, %v", text, err)
			}
			q := h.waitingFor(t)
			done := make(chan string, 1)
			go func() {
				text, err := v.call(t, "shop__buy", aLongOrder)
				if err != nil {
					text = err.Error()
				}
				done <- text
			}()
			h.decide(t, q, permit.AllowOnce)
			if text := <-done; !strings.HasPrefix(text, "bought {") || s.done.Load() != 1 {
				t.Errorf("%.80q, made %d times", text, s.done.Load())
			}
		})
	}
}

// With the fallback page there is a tool to wait with, as for every other
// question that a client cannot ask.
func TestALongCallWaitsWithTheToolOfTheFallbackPage(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		t.Run(era, func(t *testing.T) {
			s, h := newLongHouse(t, func(o *gateway.Options) { o.Fallback = mcptool.Page })
			v := visitWith(t, h.url, era, formsOnly, &screen{answer: allows})
			text, err := v.call(t, "shop__buy", aLongOrder)
			q := h.waitingFor(t)
			if err != nil || !strings.Contains(text, "https://parley.example/answer/"+string(q.ID)) || !strings.Contains(text, "waitForElicitationResult") {
				t.Fatalf("%q, %v", text, err)
			}
			h.decide(t, q, permit.AllowOnce)
			text, err = v.call(t, "waitForElicitationResult", map[string]any{"elicitId": q.ID})
			if err != nil || !strings.HasPrefix(text, "bought {") || s.done.Load() != 1 {
				t.Errorf("%.80q, %v, made %d times", text, err, s.done.Load())
			}
		})
	}
}

// A page asks who is there: who is nobody cannot be led to one.
func TestALongCallOfNobodyIsRefusedWithTheReason(t *testing.T) {
	s, h := newLongHouse(t, func(o *gateway.Options) { o.Anonymous = true })
	session, err := mcp.NewClient(&mcp.Implementation{Name: "nobody", Version: "1"}, &mcp.ClientOptions{
		Capabilities:       &mcp.ClientCapabilities{Elicitation: formsAndURLs},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return allows, nil },
	}).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: h.url}, &mcp.ClientSessionOptions{ProtocolVersion: legacy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "shop__buy", Arguments: aLongOrder})
	if codeOf(err) != -32001 || !strings.Contains(err.Error(), "sign in") || s.done.Load() != 0 {
		t.Errorf("%v, made %d times", err, s.done.Load())
	}
}

// taskOf is a call of 2026-07-28 that a client has as a task.
type taskOf struct {
	t   *testing.T
	url string
	can string // capabilities
	id  string
}

// beginTask calls a tool by a client with these capabilities and with that of tasks.
func beginTask(t *testing.T, h *house, can, tool, arguments string) *taskOf {
	t.Helper()
	k := &taskOf{t: t, url: h.url, can: strings.TrimSuffix(can, "}") + `,"extensions":{"io.modelcontextprotocol/tasks":{}}}`}
	var created struct {
		Result struct {
			TaskID string `json:"taskId"`
		} `json:"result"`
	}
	if got := k.send("tools/call", tool, `"name":"`+tool+`","arguments":`+arguments); json.Unmarshal([]byte(got), &created) != nil || created.Result.TaskID == "" {
		t.Fatalf("%.500s", got)
	}
	k.id = created.Result.TaskID
	return k
}

func (k *taskOf) get() string { return k.send("tasks/get", k.id, `"taskId":"`+k.id+`"`) }

func (k *taskOf) send(method, name, params string) string {
	k.t.Helper()
	_, body := sendRaw(k.t, k.url, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+params+`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":`+k.can+`}}}`, "Mcp-Protocol-Version", modern, "Mcp-Method", method, "Mcp-Name", name)
	return lastData(body)
}

func TestATaskLeadsToThePageOfALongCall(t *testing.T) {
	for name, want := range map[string]struct{ can, shows string }{
		"forms and URLs": {canAsk, `"mode":"url"`},
		"forms":          {`{"elicitation":{"form":{}}}`, `"statusMessage":"[bakery] Allow this call?`},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOldBakery(t)
			h := newNode(t, parley.NewMemoryStore(), catalogue{{Name: "bakery", URL: o.url, Approve: permit.Always}}, &permit.Options{CallBytes: 256 << 10}, nil)
			awaitUp(t, h, "bakery")
			arguments, _ := json.Marshal(aLongOrder)
			bakes := beginTask(t, h, want.can, "bakery__bake", string(arguments))
			q := h.waitingFor(t)
			got := bakes.get()
			if !strings.Contains(got, want.shows) || !strings.Contains(got, "https://parley.example/answer/"+string(q.ID)) || strings.Contains(got, "tea, tea") {
				t.Errorf("%.1000s", got)
			}
			h.decide(t, q, permit.AllowOnce)
			eventually(t, "the task has no result", func() bool {
				return strings.Contains(bakes.get(), `baked {`)
			})
			if o.begun.Load() != 1 {
				t.Errorf("the server began %d tasks", o.begun.Load())
			}
		})
	}
}

// A task whose call needs an approver waits for them like for the person, and goes on
// when they have said yes.
func TestATaskWaitsForApprovers(t *testing.T) {
	o := newOldBakery(t)
	h := newNode(t, parley.NewMemoryStore(), catalogue{{Name: "bakery", URL: o.url}}, &permit.Options{
		Conditions: []permit.Condition{{Name: "four eyes", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob", "carol"}}}},
	}, nil)
	awaitUp(t, h, "bakery")
	bakes := beginTask(t, h, `{"elicitation":{"form":{}}}`, "bakery__bake", "{}")
	bob := parley.Principal{User: "bob"}
	var open []parley.Request
	eventually(t, "bob is not asked", func() bool {
		open, _ = h.hub.List(t.Context(), bob, parley.Query{Pending: true})
		return len(open) == 1
	})
	if got := bakes.get(); strings.Contains(got, `"completed"`) || o.begun.Load() != 0 {
		t.Errorf("before: %.1000s", got)
	}
	if err := h.hub.Answer(t.Context(), bob, open[0].ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "page"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the task has no result", func() bool {
		return strings.Contains(bakes.get(), `baked {`)
	})
	if o.begun.Load() != 1 {
		t.Errorf("the server began %d tasks", o.begun.Load())
	}
	eventually(t, "carol is still asked", func() bool {
		open, _ := h.hub.List(t.Context(), parley.Principal{User: "carol"}, parley.Query{Pending: true})
		return len(open) == 0
	})
}
