package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// sendModern sends a request of 2026-07-28 as Alice, with what else its _meta
// says, and returns all that comes back.
func sendModern(t *testing.T, url, method, name, params, meta string) string {
	t.Helper()
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}%s}%s}}`,
		method, meta, params)
	headers := []string{"Mcp-Protocol-Version", modern, "Mcp-Method", method}
	if name != "" {
		headers = append(headers, "Mcp-Name", name)
	}
	_, body := sendRaw(t, url, message, headers...)
	return body
}

// A client of 2026-07-28 has no session: what it calls is called by an id that
// anybody may use.
func TestNobodyCancelsTheCallOfAnotherByItsID(t *testing.T) {
	begun, goOn := make(chan struct{}, 10), make(chan struct{})
	s := &bank{era: modern, called: func() {
		begun <- struct{}{}
		<-goOn
	}}
	h := newHouse(t, catalogue{shopAt(serve(t, s))}, nil)
	awaitUp(t, h, "shop")
	said := make(chan string, 1)
	go func() {
		body := ""
		defer func() { said <- body }()
		body = sendModern(t, h.url, "tools/call", "shop__pay", `,"name":"shop__pay","arguments":{}`, "")
	}()
	<-begun
	for _, who := range []string{"bob", "alice"} { // nor does she, who has no session to say it in
		sendRaw(t, h.url, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
			"Authorization", "Bearer token-of-"+who, "Mcp-Protocol-Version", modern, "Mcp-Method", "notifications/cancelled")
	}
	close(goOn)
	if body := <-said; !strings.Contains(body, "paid") || s.done.Load() != 1 {
		t.Errorf("alice gets %q; carried out %d times", body, s.done.Load())
	}
}

func TestTheEndOfOneSessionLeavesTheOthersTheirs(t *testing.T) {
	s := newShop(t, legacy)
	s.tellSessions()
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
	leaving := visit(t, h.url, "alice", legacy, agreeing)
	staying := map[string]*visitor{"another session of alice's": visit(t, h.url, "alice", legacy, agreeing), "bob's": visit(t, h.url, "bob", legacy, agreeing)}
	on := func(v *visitor) string {
		text, err := v.call(t, "shop__session", nil)
		if err != nil || text == "" {
			t.Fatalf("%q, %v", text, err)
		}
		return text
	}
	left, before := on(leaving), map[string]string{}
	for who, v := range staying {
		before[who] = on(v)
	}
	if err := leaving.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the server's session ends", func() bool {
		for session := range s.Sessions() {
			if session.ID() == left {
				return false
			}
		}
		return true
	})
	for who, v := range staying {
		if now := on(v); now != before[who] {
			t.Errorf("%s was on %s, and is on %s", who, before[who], now)
		}
	}
}

// A server keeps a session for the calls of nobody in particular as long as one lasts.
func TestTheSessionOfAnAnonymousCallEndsWithIt(t *testing.T) {
	server, url := newDoorkeeper(t)
	h := newHouse(t, catalogue{{Name: "door", URL: url, Approve: permit.Never}}, func(o *gateway.Options) { o.Anonymous = true })
	awaitUp(t, h, "door")
	if text, pages := stranger(t, h.url); text != "welcome" || pages != 1 {
		t.Fatalf("%q, sent to %d pages", text, pages)
	}
	eventually(t, "only the session is left that its list is read by", func() bool {
		n := 0
		for range server.Sessions() {
			n++
		}
		return n == 1
	})
}

// stranger makes a call of somebody without a name, and goes wherever it is sent.
func stranger(t *testing.T, url string) (text string, pages int) {
	t.Helper()
	var sent atomic.Int64
	client := mcp.NewClient(&mcp.Implementation{Name: "somebody", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			sent.Add(1)
			return &mcp.ElicitResult{Action: "accept"}, nil
		},
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, &mcp.ClientSessionOptions{ProtocolVersion: modern})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "door__enter"})
	if err != nil {
		return err.Error(), int(sent.Load())
	}
	return result.Content[0].(*mcp.TextContent).Text, int(sent.Load())
}

// forgetful is a store that loses the journals of calls while it is told to.
type forgetful struct {
	everything
	now atomic.Bool
}

func (f *forgetful) Save(ctx context.Context, r parley.Record) (int64, error) {
	if f.now.Load() && strings.HasPrefix(r.Kind, "mcp.call") {
		return 0, errors.New("no room on the disk")
	}
	return f.everything.Save(ctx, r)
}

// A call that could not be written down has no name to go on by: what its server
// keeps for it is not left for the next one.
func TestAnAnonymousCallDoesNotGoOnWithTheSessionOfAnother(t *testing.T) {
	_, url := newDoorkeeper(t)
	store := &forgetful{everything: parley.NewMemoryStore()}
	h := newNodeOn(t, store, catalogue{{Name: "door", URL: url, Approve: permit.Never}}, nil, func(o *gateway.Options) { o.Anonymous = true })
	awaitUp(t, h, "door")
	store.now.Store(true)
	if text, pages := stranger(t, h.url); text == "welcome" || pages != 0 {
		t.Fatalf("%q, sent to %d pages though that cannot be kept", text, pages)
	}
	store.now.Store(false)
	if text, pages := stranger(t, h.url); text != "welcome" || pages != 1 {
		t.Errorf("the next one: %q, sent to %d pages", text, pages)
	}
}

// A question of a server that nobody can answer is taken back: nobody comes for
// an anonymous call that was not written down.
func TestAServerThatAsksAnAnonymousCallerInVainIsToldSo(t *testing.T) {
	s := newShop(t, legacy)
	heard := make(chan string, 10)
	s.AddTool(&mcp.Tool{Name: "wonder", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(s.life.Context(), stop)()
		given, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Which size?", RequestedSchema: sizeForm})
		if err != nil {
			heard <- "the end"
			return nil, err
		}
		heard <- given.Action
		return said("%s", given.Action), nil
	})
	store := &forgetful{everything: parley.NewMemoryStore()}
	h := newNodeOn(t, store, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil, func(o *gateway.Options) { o.Anonymous = true })
	awaitUp(t, h, "shop")
	store.now.Store(true)
	client := mcp.NewClient(&mcp.Implementation{Name: "somebody", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"size": "L"}}, nil
		},
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: h.url}, &mcp.ClientSessionOptions{ProtocolVersion: modern})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "shop__wonder"})
	if err != nil || !result.IsError || !strings.Contains(result.Content[0].(*mcp.TextContent).Text, "is not known") {
		t.Errorf("%+v, %v", result, err)
	}
	eventually(t, "the server still waits for an answer", func() bool { return len(heard) > 0 })
	if word := <-heard; word == "accept" {
		t.Errorf("the server heard %s", word)
	}
}

// Who has no session ends a call by hanging up.
func TestACallWhoseClientHangsUpIsEndedAtItsServer(t *testing.T) {
	var last atomic.Value
	begun, ended := make(chan struct{}, 10), make(chan struct{}, 10)
	s := &bank{era: modern}
	s.called = func() {
		begun <- struct{}{}
		select {
		case <-last.Load().(context.Context).Done():
			ended <- struct{}{}
		case <-t.Context().Done():
		}
	}
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		last.Store(r.Context())
		s.ServeHTTP(w, r)
	}))
	h := newHouse(t, catalogue{shopAt(url)}, nil)
	h.SetPatience(time.Hour)
	awaitUp(t, h, "shop")
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		v := visit(t, h.url, "alice", modern, nil)
		_, _ = v.CallTool(ctx, &mcp.CallToolParams{Name: "shop__pay", Arguments: map[string]any{}})
	}()
	<-begun
	hangUp()
	<-gone
	eventually(t, "the server works on", func() bool { return len(ended) > 0 })
}

// What a client of 2026-07-28 is told of every result an older one would not know.
func TestAResultSaysThatItIsCompleteToWhoKnowsOthers(t *testing.T) {
	s := newShop(t, legacy)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
	awaitUp(t, h, "shop")
	v := visit(t, h.url, "alice", legacy, nil)
	for _, c := range []struct{ method, name, params string }{
		{"tools/list", "", ""},
		{"prompts/list", "", ""},
		{"completion/complete", "", `,"ref":{"type":"ref/prompt","name":"shop__greet"},"argument":{"name":"who","value":"a"}`},
		{"tools/call", "shop__echo", `,"name":"shop__echo","arguments":{"text":"hello"}`},
	} {
		const complete = `"resultType":"complete"`
		if body := sendModern(t, h.url, c.method, c.name, c.params, ""); !strings.Contains(body, complete) || !strings.Contains(body, `"result"`) {
			t.Errorf("%s: %s", c.method, body)
		}
		_, body := sendRaw(t, h.url, `{"jsonrpc":"2.0","id":7,"method":"`+c.method+`","params":{"_meta":{}`+c.params+`}}`, "Mcp-Protocol-Version", legacy, "Mcp-Session-Id", v.ID())
		if strings.Contains(body, complete) || !strings.Contains(body, `"result"`) {
			t.Errorf("%s of an older client: %s", c.method, body)
		}
	}
}
