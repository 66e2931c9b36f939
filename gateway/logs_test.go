package gateway_test

//lint:file-ignore SA1019 clients and servers still have roots, sampling and logging, which 2026-07-28 deprecates

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// talker logs at three levels in each call, and with "later" once more when the
// call is over.
func talker(t *testing.T, era string) gateway.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "talker", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "work", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, level := range []mcp.LoggingLevel{"debug", "info", "error"} {
			if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: level, Logger: "db", Data: map[string]any{"is": level}}); err != nil {
				return nil, err
			}
		}
		return said("done"), nil
	})
	server.AddTool(&mcp.Tool{Name: "later", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		go func() {
			_ = r.Session.Log(context.Background(), &mcp.LoggingMessageParams{Level: "error", Data: "late"})
		}()
		return said("done"), nil
	})
	url := serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: era == modern}))
	t.Cleanup(func() {
		for session := range server.Sessions() {
			_ = session.Close()
		}
	})
	return gateway.Server{Name: "talker", URL: url, Approve: permit.Never}
}

// listener is a client that hears log messages.
func listener(t *testing.T, url, era string) (*mcp.ClientSession, <-chan string) {
	t.Helper()
	heard := make(chan string, 100)
	client := mcp.NewClient(&mcp.Implementation{Name: "listener", Version: "1"}, &mcp.ClientOptions{
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
			data, _ := json.Marshal(r.Params.Data)
			heard <- fmt.Sprintf("%s %s %s", r.Params.Level, r.Params.Logger, data)
		},
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer{"token-of-alice"}}}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session, heard
}

// next returns so many messages.
func next(t *testing.T, heard <-chan string, n int) (all []string) {
	t.Helper()
	for range n {
		select {
		case one := <-heard:
			all = append(all, one)
		case <-t.Context().Done():
			t.Fatalf("heard %q, and no more", all)
		}
	}
	return all
}

// A client of 2026-07-28 says in each call what it wants to hear, and hears it on
// the stream of that call: here by the shortcut, and without it.
func TestACallHasTheLogMessagesThatItAsksFor(t *testing.T) {
	const info = `,"io.modelcontextprotocol/logLevel":"info"`
	for _, server := range []string{legacy, modern} {
		for _, expose := range []gateway.Expose{gateway.Tools, gateway.Execute} {
			h := newHouse(t, catalogue{talker(t, server)}, func(o *gateway.Options) { o.Expose = expose })
			awaitUp(t, h, "talker")
			name, params := "talker__work", `,"name":"talker__work","arguments":{}`
			if expose == gateway.Execute {
				name, params = "execute_tool", `,"name":"execute_tool","arguments":{"name":"talker__work","arguments":{}}`
			}
			for _, c := range []struct {
				meta string
				want int
			}{{info, 2}, {"", 0}, {info, 2}} {
				body := sendModern(t, h.url, "tools/call", name, params, c.meta)
				if n := strings.Count(body, "notifications/message"); n != c.want || !strings.Contains(body, "done") || strings.Contains(body, "debug") {
					t.Errorf("server %s, %s, with %q: %d messages; want %d: %s", server, expose, c.meta, n, c.want, body)
				}
			}
		}
	}
}

// An older server has one level for a connection, and two calls may be on it.
func TestACallThatWantsFewLogMessagesTakesNoneFromAnother(t *testing.T) {
	begun, goOn := make(chan struct{}, 10), make(chan struct{})
	server := mcp.NewServer(&mcp.Implementation{Name: "talker", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "wait", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		begun <- struct{}{}
		<-goOn
		return said("done"), r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: "goes on"})
	})
	server.AddTool(&mcp.Tool{Name: "work", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return said("done"), nil
	})
	url := serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(func() {
		for session := range server.Sessions() {
			_ = session.Close()
		}
	})
	h := newHouse(t, catalogue{{Name: "talker", URL: url, Approve: permit.Never}}, nil)
	awaitUp(t, h, "talker")
	heard := make(chan string, 1)
	go func() {
		body := ""
		defer func() { heard <- body }()
		body = sendModern(t, h.url, "tools/call", "talker__wait", `,"name":"talker__wait","arguments":{}`, `,"io.modelcontextprotocol/logLevel":"debug"`)
	}()
	<-begun
	if body := sendModern(t, h.url, "tools/call", "talker__work", `,"name":"talker__work","arguments":{}`, `,"io.modelcontextprotocol/logLevel":"error"`); !strings.Contains(body, "done") {
		t.Error(body)
	}
	close(goOn)
	if body := <-heard; !strings.Contains(body, "goes on") {
		t.Errorf("the call that wanted all hears %s", body)
	}
}

func TestLogMessagesOfServersReachTheClientThatWantsThem(t *testing.T) {
	for _, server := range []string{legacy, modern} {
		for _, era := range []string{legacy, modern} {
			t.Run(fmt.Sprintf("client %s, server %s", era, server), func(t *testing.T) {
				h := newHouse(t, catalogue{talker(t, server)}, nil)
				v, heard := listener(t, h.url, era)
				params := &mcp.CallToolParams{Name: "talker__work"}
				if era == legacy {
					if err := v.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "info"}); err != nil {
						t.Fatal(err)
					}
				} else {
					params.Meta = mcp.Meta{mcp.MetaKeyLogLevel: "info"}
				}
				if _, err := v.CallTool(t.Context(), params); err != nil {
					t.Fatal(err)
				}
				want := []string{`info talker/db {"is":"info"}`, `error talker/db {"is":"error"}`}
				if diff := cmp.Diff(want, next(t, heard, 2)); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				if era == modern { // a call that does not want any gets none
					params.Meta = nil
				} else if err := v.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "error"}); err != nil {
					t.Fatal(err)
				}
				if _, err := v.CallTool(t.Context(), params); err != nil {
					t.Fatal(err)
				}
				want = []string{`error talker/db {"is":"error"}`}
				if era == modern {
					want = nil
				}
				if diff := cmp.Diff(want, next(t, heard, len(want))); diff != "" || len(heard) > 0 {
					t.Errorf("%d more, (-want +got)\n%s", len(heard), diff)
				}
			})
		}
	}
}

func TestALogMessageBetweenCallsReachesTheSession(t *testing.T) {
	h := newHouse(t, catalogue{talker(t, legacy)}, nil)
	other, others := listener(t, h.url, legacy)
	v, heard := listener(t, h.url, legacy)
	for _, s := range []*mcp.ClientSession{v, other} {
		if err := s.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "debug"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: "talker__later"}); err != nil {
		t.Fatal(err)
	}
	if got := next(t, heard, 1)[0]; got != `error talker "late"` {
		t.Errorf("heard %s", got)
	}
	if len(others) > 0 {
		t.Errorf("another session hears %s", <-others)
	}
}

func TestALogLevelIsOneSessionsOwn(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "talker", Version: "1"}, nil)
	goOn := make(chan struct{})
	server.AddTool(&mcp.Tool{Name: "later", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		go func() {
			<-goOn
			_ = r.Session.Log(context.Background(), &mcp.LoggingMessageParams{Level: "info", Data: "late"})
		}()
		return said("done"), nil
	})
	url := serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(func() {
		for session := range server.Sessions() {
			_ = session.Close()
		}
	})
	h := newHouse(t, catalogue{{Name: "talker", URL: url, Approve: permit.Never}}, nil)
	v, heard := listener(t, h.url, legacy)
	other, others := listener(t, h.url, legacy)
	for _, c := range []struct {
		session *mcp.ClientSession
		level   mcp.LoggingLevel
	}{{v, "debug"}, {other, "error"}} {
		if _, err := c.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "talker__later"}); err != nil {
			t.Fatal(err)
		}
		if err := c.session.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: c.level}); err != nil {
			t.Fatal(err)
		}
	}
	close(goOn)
	eventually(t, "who wants all hears all", func() bool { return len(heard) == 1 })
	if len(others) > 0 {
		t.Errorf("who wants errors hears %s", <-others)
	}
}

// There is no such method for clients without a session, who would set it for
// everybody.
func TestWhoHasNoSessionSetsNoLogLevel(t *testing.T) {
	h := newHouse(t, catalogue{talker(t, legacy)}, nil)
	awaitUp(t, h, "talker")
	if body := sendModern(t, h.url, "logging/setLevel", "", `,"level":"debug"`, ""); !strings.Contains(body, `"error"`) {
		t.Errorf("got %s", body)
	}
}

func TestALogLevelThatThereIsNotIsRefused(t *testing.T) {
	h := newHouse(t, catalogue{talker(t, legacy)}, nil)
	v, _ := listener(t, h.url, legacy)
	if err := v.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "loud"}); codeOf(err) != jsonrpc.CodeInvalidParams {
		t.Errorf("got %v; want %d", err, jsonrpc.CodeInvalidParams)
	}
}

// A server that says more than its client reads fills no memory, and does not wait.
func TestOfWhatAServerSaysAndNobodyReadsOnlySoMuchWaits(t *testing.T) {
	for _, c := range []struct{ said, size, want int }{{256, 10, 256}, {5000, 10, 256}, {10, 64 << 10, 10}, {10, 64<<10 + 1, 0}} {
		if got := gateway.Told(c.said, c.size); got != c.want {
			t.Errorf("of %d messages of %d bytes %d wait, not %d", c.said, c.size, got, c.want)
		}
	}
}
