package toolbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall/toolbox"
)

// TestMain runs the tests, or, as a child of one, a server over stdio.
func TestMain(m *testing.M) {
	if os.Getenv("MCPBOX_TEST_SERVER") != "" {
		if err := newServer().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			os.Exit(1)
		}
		return
	}
	if manner := os.Getenv("MCPBOX_TEST_HAND"); manner != "" {
		if err := runHand(manner); err != nil {
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

type nothing struct{}

// newServer has a tool for every way to ask; it knows both eras.
func newServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "plain", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, Title: "Plain"}},
		func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "hello"}, &mcp.ImageContent{MIMEType: "image/png"}}}, nil, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "fails"}, func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("no such ticket")
	})
	mcp.AddTool(s, &mcp.Tool{Name: "twice"}, twice)
	visited := sync.Map{}
	mcp.AddTool(s, &mcp.Tool{Name: "visit"}, func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
		// The person is still at the page when the call is made again.
		if n, _ := visited.LoadOrStore("n", new(int)); *n.(*int) < 2 {
			*n.(*int)++
			return nil, nil, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{{Mode: "url", Message: "Log in", URL: "https://fixture.example/login", ElicitationID: "e1"}})
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "welcome"}}}, nil, nil
	})
	return s
}

// twice asks a form and then a URL, in the way that the client's era has.
func twice(ctx context.Context, r *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
	form := &mcp.ElicitParams{Message: "Sure?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"confirmed":{"type":"boolean"}},"required":["confirmed"]}`)}
	link := &mcp.ElicitParams{Mode: "url", Message: "Look here", URL: "https://fixture.example/look"}
	var first, second *mcp.ElicitResult
	if r.ProtocolVersion() >= "2026-07-28" {
		switch r.Params.RequestState {
		case "":
			return &mcp.CallToolResult{RequestState: "one", InputRequests: mcp.InputRequestMap{"form": form}}, nil, nil
		case "one":
			first = r.Params.InputResponses["form"].(*mcp.ElicitResult)
			return &mcp.CallToolResult{RequestState: fmt.Sprint("two ", first.Action, first.Content["confirmed"]), InputRequests: mcp.InputRequestMap{"url": link}}, nil, nil
		}
		second = r.Params.InputResponses["url"].(*mcp.ElicitResult)
		return said(r.Params.RequestState[4:], second), nil, nil
	}
	first, err := r.Session.Elicit(ctx, form)
	if err != nil {
		return nil, nil, err
	}
	link.ElicitationID = "l1"
	if second, err = r.Session.Elicit(ctx, link); err != nil {
		return nil, nil, err
	}
	return said(fmt.Sprint(first.Action, first.Content["confirmed"]), second), nil, nil
}

func said(first string, second *mcp.ElicitResult) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: first + " " + second.Action}}}
}

// serve offers the server over HTTP to one era.
func serve(t *testing.T, modern bool, wrap func(http.Handler) http.Handler) string {
	return serveServer(t, newServer(), modern, wrap)
}

func serveServer(t *testing.T, server *mcp.Server, modern bool, wrap func(http.Handler) http.Handler) string {
	handler := http.Handler(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: modern}))
	if wrap != nil {
		handler = wrap(handler)
	}
	web := httptest.NewServer(handler)
	t.Cleanup(func() {
		for session := range server.Sessions() { // those whose client was refused at the door, and could not say good-bye
			_ = session.Close()
		}
		web.CloseClientConnections()
		web.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return web.URL
}

func newBox(t *testing.T, opts toolbox.Options) *toolbox.Box {
	opts.Name = "fixture"
	b, err := toolbox.New(&opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

var alice = agent.Caller{Principal: parley.Principal{Tenant: "default", User: "alice"}, Agent: "helper", Conversation: "c", CanAsk: true}

// call makes a call and answers what it asks, as a runtime would.
func call(t *testing.T, b agent.Toolbox, tool string, answer func(parley.Request) parley.Outcome) (agent.Result, []string, error) {
	t.Helper()
	var mu sync.Mutex
	var asked []string
	ask := func(q parley.Request) parley.Request {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, fmt.Sprintf("%s %s%s", q.Text(), q.URL, q.Schema))
		o := answer(q)
		q.Outcome = &o
		return q
	}
	c := &agent.Invocation{Caller: alice, ID: "1", Tool: agent.Tool{Name: tool}, Args: json.RawMessage(`{}`), Answers: map[string]parley.Request{}}
	c.Ask = func(_ context.Context, _ string, q parley.Request) (parley.Outcome, error) {
		return *ask(q).Outcome, nil
	}
	for {
		var result agent.Result
		err := b.Prepare(t.Context(), c)
		if err == nil {
			result, err = b.Call(t.Context(), c)
		}
		var pause *agent.Pause
		if !errors.As(err, &pause) {
			return result, asked, err
		}
		c.State = pause.State
		for key, q := range pause.Questions {
			if _, twice := c.Answers[key]; twice {
				t.Fatalf("%s is asked twice", key)
			}
			c.Answers[key] = ask(q)
		}
	}
}

func yes(q parley.Request) parley.Outcome {
	o := parley.Outcome{Action: parley.Accept}
	if q.Mode != parley.URL {
		o.Content = json.RawMessage(`{"confirmed":true}`)
	}
	return o
}

// everywhere runs a test over every way to reach a server.
func everywhere(t *testing.T, test func(t *testing.T, opts toolbox.Options)) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, opts := range map[string]func(*testing.T) toolbox.Options{
		"http, legacy": func(t *testing.T) toolbox.Options { return toolbox.Options{URL: serve(t, false, nil)} },
		"http, modern": func(t *testing.T) toolbox.Options { return toolbox.Options{URL: serve(t, true, nil)} },
		"in process":   func(*testing.T) toolbox.Options { return toolbox.Options{Local: newServer()} },
		"stdio": func(*testing.T) toolbox.Options {
			return toolbox.Options{Command: []string{self}, Env: map[string]string{"MCPBOX_TEST_SERVER": "1"}}
		},
	} {
		t.Run(name, func(t *testing.T) { test(t, opts(t)) })
	}
}

func TestAServersQuestionsReachThePersonInItsOwnName(t *testing.T) {
	everywhere(t, func(t *testing.T, opts toolbox.Options) {
		b := newBox(t, opts)
		result, asked, err := call(t, b, "twice", yes)
		if err != nil || result.Text != "accepttrue accept" || result.Failed {
			t.Errorf("%+v, %v", result, err)
		}
		if len(asked) != 2 || !strings.HasPrefix(asked[0], "[fixture] Sure? {") || asked[1] != "[fixture] Look here https://fixture.example/look" {
			t.Errorf("asked %q", asked)
		}
		for action, want := range map[parley.Action]string{parley.Decline: "decline<nil> decline", parley.Expire: "cancel<nil> cancel"} {
			result, _, err := call(t, b, "twice", func(parley.Request) parley.Outcome { return parley.Outcome{Action: action} })
			if err != nil || result.Text != want {
				t.Errorf("%s: %+v, %v", action, result, err)
			}
		}
	})
}

func TestToolsAreListedWithWhatTheySayOfThemselves(t *testing.T) {
	everywhere(t, func(t *testing.T, opts toolbox.Options) {
		tools, err := newBox(t, opts).Tools(t.Context(), alice)
		if err != nil || len(tools) != 4 {
			t.Fatalf("%d tools, %v", len(tools), err)
		}
		for _, tool := range tools {
			if tool.Name == "plain" && (tool.Title != "Plain" || tool.ReadOnly == nil || !*tool.ReadOnly || !strings.Contains(string(tool.Schema), "object")) {
				t.Errorf("%+v", tool)
			}
			if tool.Name == "twice" && tool.ReadOnly != nil {
				t.Errorf("%+v says more than its server does", tool)
			}
		}
	})
}

func TestAPlainCallAndAFailingOne(t *testing.T) {
	everywhere(t, func(t *testing.T, opts toolbox.Options) {
		b := newBox(t, opts)
		if result, _, err := call(t, b, "plain", yes); err != nil || result.Text != "hello\n(image 1, image/png)" {
			t.Errorf("%+v, %v", result, err)
		}
		if result, _, err := call(t, b, "fails", yes); err != nil || !result.Failed || result.Text != "no such ticket" {
			t.Errorf("%+v, %v", result, err)
		}
		if result, _, err := call(t, b, "made up", yes); err != nil || !result.Failed {
			t.Errorf("%+v, %v", result, err)
		}
	})
}

func TestAServerThatSendsThePersonToAPageIsCalledAgain(t *testing.T) {
	b := newBox(t, toolbox.Options{URL: serve(t, false, nil)})
	result, asked, err := call(t, b, "visit", yes)
	if err != nil || result.Text != "welcome" || len(asked) != 1 {
		t.Errorf("%+v, %v, asked %q", result, err, asked)
	}
	b = newBox(t, toolbox.Options{URL: serve(t, false, nil)})
	result, _, err = call(t, b, "visit", func(parley.Request) parley.Outcome { return parley.Outcome{Action: parley.Decline} })
	if err != nil || !result.Failed || !strings.Contains(result.Text, "decline") {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestConnectionsAreUsedAgainByTheirOwnerAndClosedWhenIdle(t *testing.T) {
	var mu sync.Mutex
	initialized, deleted := 0, make(chan struct{}, 10)
	url := serve(t, false, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Mcp-Session-Id") == "" {
				mu.Lock()
				initialized++
				mu.Unlock()
			}
			next.ServeHTTP(w, r)
			if r.Method == http.MethodDelete {
				deleted <- struct{}{}
			}
		})
	})
	begun := func() int {
		mu.Lock()
		defer mu.Unlock()
		return initialized
	}
	b := newBox(t, toolbox.Options{URL: url})
	first := begun()
	for range 3 {
		if _, _, err := call(t, b, "plain", yes); err != nil {
			t.Fatal(err)
		}
	}
	if n := begun() - first; n > 2 { // discovery and initialize
		t.Errorf("%d requests without a session for three calls", n)
	}
	select {
	case <-deleted:
		t.Error("it was closed although it is not idle")
	default:
	}
	if _, _, err := call(t, newBox(t, toolbox.Options{URL: url, IdleTimeout: 50 * time.Millisecond}), "plain", yes); err != nil {
		t.Fatal(err)
	}
	<-deleted
}
