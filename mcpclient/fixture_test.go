package mcpclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/parley-hq/parley/mcpclient"
)

// TestMain runs the tests, or, as a child of one, a server over stdio.
func TestMain(m *testing.M) {
	if kind := os.Getenv("UPSTREAM_TEST_SERVER"); kind != "" {
		if err := runChild(kind); err != nil {
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

type nothing struct{}

type words struct {
	Word string `json:"word,omitempty"`
	Size int    `json:"size,omitempty"`
}

// fixture is a server made with the official SDK, and what the tests learn
// from it.
type fixture struct {
	*mcp.Server
	started   chan string // the word of each call of "hang" that began
	cancelled chan string // and of each that was cancelled
}

func newFixture(opts *mcp.ServerOptions) *fixture {
	f := &fixture{mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "7", Title: "A fixture"}, opts), make(chan string, 16), make(chan string, 16)}
	mcp.AddTool(f.Server, &mcp.Tool{Name: "plain"}, func(_ context.Context, _ *mcp.CallToolRequest, in words) (*mcp.CallToolResult, any, error) {
		return say("hello " + in.Word), nil, nil
	})
	mcp.AddTool(f.Server, &mcp.Tool{Name: "big"}, func(_ context.Context, _ *mcp.CallToolRequest, in words) (*mcp.CallToolResult, any, error) {
		return say(strings.Repeat("x", in.Size)), nil, nil
	})
	mcp.AddTool(f.Server, &mcp.Tool{Name: "ask"}, ask)
	mcp.AddTool(f.Server, &mcp.Tool{Name: "visit"}, func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
		return nil, nil, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{{Mode: "url", Message: "Log in", URL: "https://fixture.example/login", ElicitationID: "e1"}})
	})
	mcp.AddTool(f.Server, &mcp.Tool{Name: "steps"}, func(ctx context.Context, r *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
		for i := range 3 {
			if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i), Message: fmt.Sprint("step ", i)}); err != nil {
				return nil, nil, err
			}
		}
		return say("done"), nil, nil
	})
	mcp.AddTool(f.Server, &mcp.Tool{Name: "hang"}, func(ctx context.Context, r *mcp.CallToolRequest, in words) (*mcp.CallToolResult, any, error) {
		if token := r.Params.GetProgressToken(); token != nil { // so that the client sees that it was taken
			if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token}); err != nil {
				return nil, nil, err
			}
		}
		f.started <- in.Word
		<-ctx.Done()
		f.cancelled <- in.Word
		return nil, nil, ctx.Err()
	})
	mcp.AddTool(f.Server, &mcp.Tool{Name: "cancelled"}, func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
		return say(<-f.cancelled), nil, nil
	})
	mcp.AddTool(f.Server, &mcp.Tool{Name: "cut"}, func(ctx context.Context, r *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
		r.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 1e6})
		if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Message: "after the cut"}); err != nil {
			return nil, nil, err
		}
		return say("whole"), nil, nil
	})
	mcp.AddTool(f.Server, &mcp.Tool{Name: "grow"}, func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
		mcp.AddTool(f.Server, &mcp.Tool{Name: "new"}, func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
			return say("new"), nil, nil
		})
		return say("grown"), nil, nil
	})
	return f
}

func say(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// ask asks a form and then a URL, in the way that the client's era has.
func ask(ctx context.Context, r *mcp.CallToolRequest, in words) (*mcp.CallToolResult, any, error) {
	form := &mcp.ElicitParams{Message: "Sure, " + in.Word + "?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}`)}
	if r.ProtocolVersion() >= "2026-07-28" {
		if r.Params.RequestState == "" {
			return &mcp.CallToolResult{RequestState: "one", InputRequests: mcp.InputRequestMap{"form": form}}, nil, nil
		}
		answer, ok := r.Params.InputResponses["form"].(*mcp.ElicitResult)
		if !ok {
			return nil, nil, errors.New("no answer")
		}
		return say(fmt.Sprint(r.Params.RequestState, " ", answer.Action, " ", answer.Content["word"])), nil, nil
	}
	first, err := r.Session.Elicit(ctx, form)
	if err != nil {
		return nil, nil, err
	}
	second, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Mode: "url", Message: "Look", URL: "https://fixture.example/look", ElicitationID: "l-" + in.Word})
	if err != nil {
		return nil, nil, err
	}
	return say(fmt.Sprint(first.Action, " ", first.Content["word"], " ", second.Action)), nil, nil
}

// serve offers the fixture over HTTP and returns its URL.
func (f *fixture) serve(t *testing.T, opts *mcp.StreamableHTTPOptions) string {
	return serveHandler(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return f.Server }, opts), func() {
		for session := range f.Sessions() { // those whose client went without a word
			_ = session.Close()
		}
	})
}

func serveHandler(t *testing.T, h http.Handler, before func()) string {
	web := httptest.NewServer(h)
	t.Cleanup(func() {
		if before != nil {
			before()
		}
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL
}

// connect connects to a server, and closes the connection at the end.
func connect(t *testing.T, opts mcpclient.Options) *mcpclient.Conn {
	t.Helper()
	if opts.URL != "" && opts.Client == nil {
		carrier := &http.Transport{}
		opts.Client = &http.Client{Transport: carrier}
		t.Cleanup(carrier.CloseIdleConnections)
	}
	c, err := mcpclient.Connect(t.Context(), &opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// child are the options for this test's binary as a server over stdio.
func child(kind string, more ...string) mcpclient.Options {
	return mcpclient.Options{Command: []string{os.Args[0]}, Env: append([]string{"UPSTREAM_TEST_SERVER=" + kind}, more...), Stderr: os.Stderr}
}

// streaming are the ways to offer the SDK's server that can send more than a
// response.
var streaming = map[string]*mcp.StreamableHTTPOptions{
	"legacy HTTP": {},
	"modern HTTP": {Stateless: true, PropagateRequestCancellation: true},
}

// connecting connects to a server of one kind.
type connecting func(mcpclient.Options) *mcpclient.Conn

// everywhere runs a test against each kind of server.
func everywhere(t *testing.T, test func(*testing.T, connecting)) {
	t.Helper()
	overHTTP(t, "legacy HTTP JSON", &mcp.StreamableHTTPOptions{JSONResponse: true}, test)
	overHTTP(t, "modern HTTP JSON", &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}, test)
	whereStreams(t, test)
}

// whereStreams runs a test against each kind of server that can send more than
// a response.
func whereStreams(t *testing.T, test func(*testing.T, connecting)) {
	t.Helper()
	for _, era := range []string{"modern", "legacy"} {
		inEra(t, era, test)
	}
}

// inEra does that for one era.
func inEra(t *testing.T, era string, test func(*testing.T, connecting)) {
	t.Helper()
	overHTTP(t, era+" HTTP", streaming[era+" HTTP"], test)
	t.Run(era+" stdio", func(t *testing.T) {
		test(t, func(o mcpclient.Options) *mcpclient.Conn {
			program := child(era)
			o.Command, o.Env, o.Stderr = program.Command, program.Env, program.Stderr
			return connectTo(t, o, era == "modern")
		})
	})
}

func overHTTP(t *testing.T, name string, opts *mcp.StreamableHTTPOptions, test func(*testing.T, connecting)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		test(t, func(o mcpclient.Options) *mcpclient.Conn {
			o.URL = newFixture(nil).serve(t, opts)
			return connectTo(t, o, opts.Stateless)
		})
	})
}

func connectTo(t *testing.T, o mcpclient.Options, modern bool) *mcpclient.Conn {
	t.Helper()
	c := connect(t, o)
	if c.Modern() != modern {
		t.Fatalf("the era is wrong: %s", c.Version())
	}
	return c
}

// call is a call of a tool.
func call(t *testing.T, c *mcpclient.Conn, tool, args string, more ...func(*mcpclient.Request)) *mcpclient.Exchange {
	t.Helper()
	r := mcpclient.Request{Method: "tools/call", Name: tool, Params: json.RawMessage(`{"name":"` + tool + `","arguments":` + args + `}`)}
	for _, change := range more {
		change(&r)
	}
	x, err := c.Call(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x
}

func next(t *testing.T, x *mcpclient.Exchange) mcpclient.Message {
	t.Helper()
	m, err := x.Next()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// textOf is the text of a tool's result.
func textOf(t *testing.T, m mcpclient.Message) string {
	t.Helper()
	var result struct {
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(m.Result, &result); err != nil || len(result.Content) != 1 {
		t.Fatalf("no text in %s (%v)", m.Result, m.Error)
	}
	return result.Content[0].Text
}
