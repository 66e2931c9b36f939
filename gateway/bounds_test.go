package gateway_test

//lint:file-ignore SA1019 clients and servers still have roots, sampling and logging, which 2026-07-28 deprecates

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// oneTool is an older server with the tool "work".
func oneTool(t *testing.T, work mcp.ToolHandler) gateway.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "one", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "work", InputSchema: json.RawMessage(`{"type":"object"}`)}, work)
	url := serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(func() {
		for session := range server.Sessions() {
			_ = session.Close()
		}
	})
	return gateway.Server{Name: "one", URL: url, Approve: permit.Never}
}

func TestALogMessageOf64KiBIsNotPassedOnAndTheNextOneIs(t *testing.T) {
	h := newHouse(t, catalogue{oneTool(t, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, data := range []string{strings.Repeat("x", 64<<10), strings.Repeat("y", 60<<10), "z"} {
			if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "error", Data: data}); err != nil {
				return nil, err
			}
		}
		return said("done"), nil
	})}, nil)
	v, heard := listener(t, h.url, legacy)
	if err := v.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "debug"}); err != nil {
		t.Fatal(err)
	}
	if got := textOf(t, v, "one__work"); got != "done" {
		t.Fatal(got)
	}
	want := []string{`error one "` + strings.Repeat("y", 60<<10) + `"`, `error one "z"`}
	if diff := cmp.Diff(want, next(t, heard, 2)); diff != "" {
		t.Errorf("(-want +got) %.300s", diff)
	}
}

func TestAServerBorrowsTwentyTimesInACallAtMost(t *testing.T) {
	ask := &mcp.CreateMessageParams{MaxTokens: 10, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "moon"}}}}
	h := newHouse(t, catalogue{oneTool(t, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for n := range 100 {
			if _, err := r.Session.CreateMessage(ctx, ask); err != nil {
				return said("%d times, then %v", n, err), nil
			}
		}
		return said("without end"), nil
	})}, nil)
	var asked atomic.Int32
	_, v := lender(t, h.url, legacy, func(string) (string, error) {
		asked.Add(1)
		return "June", nil
	})
	for range 2 { // each call has its own
		asked.Store(0)
		if got := textOf(t, v, "one__work"); !strings.HasPrefix(got, "20 times, then ") || !strings.Contains(got, "too many requests in one call") {
			t.Errorf("the server got %s", got)
		}
		if asked.Load() != 20 {
			t.Errorf("the model was asked %d times", asked.Load())
		}
	}
}

func TestASessionHearsOf256ResourcesAtMost(t *testing.T) {
	const most = 256
	d := newDiary(t, legacy)
	for n := range most + 1 {
		d.AddResource(&mcp.Resource{Name: fmt.Sprint(n), URI: fmt.Sprintf("diary:%d", n)}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{}, nil
		})
	}
	h := newHouse(t, catalogue{{Name: "diary", URL: d.url}}, nil)
	v, _ := reader(t, h.url, "alice", legacy)
	other, _ := reader(t, h.url, "bob", legacy)
	to := func(s *mcp.ClientSession, n int) error {
		return s.Subscribe(t.Context(), &mcp.SubscribeParams{URI: fmt.Sprintf("diary:%d", n)})
	}
	for n := range most {
		if err := to(v, n); err != nil {
			t.Fatalf("%d: %v", n, err)
		}
	}
	if err := to(v, most); codeOf(err) != jsonrpc.CodeInvalidRequest || !strings.Contains(err.Error(), "a session hears of 256 resources at most") {
		t.Errorf("one more: %v", err)
	}
	if err := to(v, 0); err != nil {
		t.Errorf("one that it hears of: %v", err)
	}
	if err := to(other, most); err != nil {
		t.Errorf("another session: %v", err)
	}
	if err := v.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: "diary:0"}); err != nil {
		t.Fatal(err)
	}
	if err := to(v, most); err != nil {
		t.Errorf("after one was given up: %v", err)
	}
}
