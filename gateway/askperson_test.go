package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/asking"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// desk is where others answer: another process over the store of a gateway.
type desk struct {
	hub *parley.Hub
	ask gateway.Ask
}

func newDesk(store *parley.MemoryStore) *desk {
	d := &desk{}
	var asked *asking.Questions
	d.hub = parley.New(store, &parley.Options{Hooks: []parley.Hook{
		parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return asked.Settled(ctx, a) }),
	}})
	asked = asking.New(d.hub, store, &asking.Options{Groups: map[string][]string{"oncall": {"bob", "carol"}}})
	d.ask = gateway.Ask{Questions: asked, People: []string{gateway.AskMe, "bob"}, Groups: []string{"oncall"}}
	return d
}

// answers answers the next question of somebody.
func (d *desk) answers(t *testing.T, name, content string) parley.Request {
	t.Helper()
	who := parley.Principal{Tenant: "default", User: name}
	for {
		open, err := d.hub.List(t.Context(), who, parley.Query{Pending: true})
		if err != nil {
			t.Error(err)
			return parley.Request{}
		}
		if len(open) == 0 {
			time.Sleep(time.Millisecond)
			continue
		}
		if err := d.hub.Answer(t.Context(), who, open[0].ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(content), Via: "page"}); err != nil {
			t.Error(err)
		}
		return open[0]
	}
}

func askingHouse(t *testing.T, hold time.Duration) (*house, *desk) {
	t.Helper()
	store := parley.NewMemoryStore()
	d := newDesk(store)
	return newNode(t, store, catalogue{}, nil, func(o *gateway.Options) { o.Ask, o.Hold, o.Anonymous = &d.ask, hold, true }), d
}

func whichSize(to string) map[string]any {
	return map[string]any{"to": to, "message": "Which size?", "requested_schema": json.RawMessage(sizeForm)}
}

func TestAnAssistantAsksItsOwnUserInTheirClient(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		h, _ := askingHouse(t, time.Minute)
		v := visit(t, h.url, "alice", era, agreeing)
		text, err := v.call(t, gateway.AskPerson, whichSize("me"))
		if err != nil || !strings.Contains(text, `"action":"accept"`) || !strings.Contains(text, `"size":"L"`) {
			t.Errorf("%s: %s, %v", era, text, err)
		}
		if asked := v.questions(); len(asked) != 1 || !strings.Contains(asked[0], "[Your assistant] Which size?") {
			t.Errorf("%s: asked %q", era, asked)
		}
	}
}

func TestAnAssistantAsksAGroupAndColleagues(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		for _, to := range []string{"group:oncall", "bob"} {
			h, d := askingHouse(t, time.Minute)
			v := visit(t, h.url, "alice", era, nil)
			go d.answers(t, "bob", `{"size":"M"}`)
			text, err := v.call(t, gateway.AskPerson, whichSize(to))
			if err != nil || !strings.Contains(text, `"by":"bob"`) || !strings.Contains(text, `"size":"M"`) {
				t.Errorf("%s, %s: %s, %v", era, to, text, err)
			}
		}
	}
}

// Whoever takes longer than a client waits is asked once: the same call goes on
// waiting, on any node.
func TestTheSameCallGoesOnWaitingForTheSameAnswer(t *testing.T) {
	for _, to := range []string{"me", "group:oncall"} {
		h, d := askingHouse(t, 10*time.Millisecond)
		for range 2 {
			v := visit(t, h.url, "alice", modern, nil)
			if text, err := v.call(t, gateway.AskPerson, whichSize(to)); err != nil || !strings.HasPrefix(text, "ERROR") || !strings.Contains(text, "same call again") {
				t.Fatalf("%s, %v", text, err)
			}
		}
		name := map[string]string{"me": "alice", "group:oncall": "carol"}[to]
		if q := d.answers(t, name, `{"size":"S"}`); q.From != `alice ("assistant")` {
			t.Errorf("asked by %s", q.From)
		}
		second := newNode(t, h.store, catalogue{}, nil, func(o *gateway.Options) { o.Ask = &d.ask })
		text, err := visit(t, second.url, "alice", legacy, nil).call(t, gateway.AskPerson, whichSize(to))
		if err != nil || !strings.Contains(text, `"size":"S"`) || !strings.Contains(text, name) {
			t.Errorf("%s: %s, %v", to, text, err)
		}
		open, err := d.hub.List(t.Context(), parley.Principal{Tenant: "default", User: name}, parley.Query{Pending: true})
		if err != nil || len(open) > 0 {
			t.Errorf("%s is asked again: %d, %v", name, len(open), err)
		}
	}
}

func TestWhomAssistantsMayAskIsTheOperatorsToSay(t *testing.T) {
	h, _ := askingHouse(t, time.Second)
	v := visit(t, h.url, "alice", modern, agreeing)
	for _, arguments := range []map[string]any{whichSize("carol"), whichSize("group:board"), {"to": "me"}, {"to": "me", "message": "Really?", "secret": true}} {
		if text, err := v.call(t, gateway.AskPerson, arguments); err != nil || !strings.HasPrefix(text, "ERROR") {
			t.Errorf("%v: %s, %v", arguments, text, err)
		}
	}
	status, body := sendRaw(t, h.url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"parley__ask_person","arguments":{"to":"bob","message":"Really?"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}}}}`,
		"MCP-Protocol-Version", modern, "Mcp-Method", "tools/call", "Mcp-Name", "parley__ask_person", "Authorization", "")
	if status != 200 || !strings.Contains(body, "so that people know who asks") {
		t.Errorf("nobody in particular: %d %s", status, body)
	}
	without := newHouse(t, catalogue{}, nil)
	if tools, err := visit(t, without.url, "alice", modern, nil).ListTools(t.Context(), nil); err != nil || len(tools.Tools) > 0 {
		t.Errorf("offered although nobody said so: %v, %v", tools, err)
	}
	if tools, err := v.ListTools(t.Context(), nil); err != nil || len(tools.Tools) != 1 || tools.Tools[0].Name != gateway.AskPerson {
		t.Errorf("%v, %v", tools, err)
	} else if meta, _ := json.Marshal(tools.Tools[0].Meta); !strings.Contains(string(meta), `"visibility":["model"]`) {
		t.Errorf("a server's app may ask in the assistant's name: %s", meta)
	}
}

// An assistant is told which of its arguments to mend.
func TestAnAssistantIsToldWhatIsWrongWithItsQuestion(t *testing.T) {
	fields := map[string]any{}
	for i := range 5000 {
		fields[fmt.Sprint("f", i)] = map[string]any{"type": "string"}
	}
	h, _ := askingHouse(t, time.Second)
	for _, able := range []func(*mcp.ElicitParams) *mcp.ElicitResult{agreeing, nil} {
		v := visit(t, h.url, "alice", modern, able)
		for want, arguments := range map[string]map[string]any{
			"message is missing":                     {"to": "me"},
			"to is missing":                          {"message": "Really?"},
			"to and message are missing":             {},
			"message is not a text":                  {"to": "me", "message": 7},
			`no argument "secret"`:                   {"to": "me", "message": "Really?", "secret": true},
			"requested_schema is not an object":      {"to": "me", "message": "Really?", "requested_schema": "x"},
			"parley__ask_person asks me, bob, group": {"to": "carol", "message": "Really?"},
			"too large":                              {"to": "me", "message": "Really?", "requested_schema": map[string]any{"type": "object", "properties": fields}},
			"not a form schema":                      {"to": "me", "message": "Really?", "requested_schema": map[string]any{"type": "array"}},
		} {
			if text, err := v.call(t, gateway.AskPerson, arguments); err != nil || !strings.HasPrefix(text, "ERROR") || !strings.Contains(text, want) {
				t.Errorf("%v is not told %q but %s, %v", able != nil, want, text, err)
			}
		}
	}
}

// A server that was stored under the name of our own tools, before that name was
// refused, takes nothing over.
func TestOurOwnToolIsNeverAServers(t *testing.T) {
	servers := catalogue{{Name: "parley", URL: named(t, "parley", "ask_person", "other"), Approve: permit.Never}}
	for _, era := range []string{legacy, modern} {
		for _, asks := range []bool{true, false} {
			store := parley.NewMemoryStore()
			d := newDesk(store)
			h := newNode(t, store, servers, nil, func(o *gateway.Options) {
				if o.Hold = time.Minute; asks {
					o.Ask = &d.ask
				}
			})
			v := visit(t, h.url, "alice", era, nil)
			want := []string{"parley__other"}
			if asks {
				want = []string{gateway.AskPerson, "parley__other"}
			}
			if diff := cmp.Diff(want, toolNames(t, v)); diff != "" {
				t.Errorf("%s, asks %v: listed: %s", era, asks, diff)
			}
			if text, err := v.call(t, "parley__other", nil); err != nil || text != "here is parley" {
				t.Errorf("%s: another of its tools: %s, %v", era, text, err)
			}
			if asks {
				go d.answers(t, "bob", `{"size":"M"}`)
			}
			text, err := v.call(t, gateway.AskPerson, whichSize("bob"))
			if asks && (err != nil || !strings.Contains(text, `"by":"bob"`)) || strings.Contains(text, "here is") {
				t.Errorf("%s, asks %v: %s, %v", era, asks, text, err)
			}
		}
	}
}

func TestNoPromptIsListedTwice(t *testing.T) {
	h := newHouse(t, catalogue{{Name: "a", URL: named(t, "a", "x", "x", "y")}}, nil)
	list, err := visit(t, h.url, "alice", legacy, nil).ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range list.Prompts {
		names = append(names, p.Name)
	}
	if diff := cmp.Diff([]string{"a__x", "a__y"}, names); diff != "" {
		t.Error(diff)
	}
}
