package gateway_test

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// The call is given up between its server's two questions, and made again when
// the second one is there. When that comes too early for it, another call is
// begun, and nothing is shown: it is tried again.
func TestAnAnswerThatNobodyWasAskedForIsGivenToItsOwnQuestion(t *testing.T) {
	for range 10 {
		text, sure := givenUpBetween(t)
		if text == "again" {
			continue
		}
		if text != "done" || sure != true {
			t.Errorf("%q: the second question was answered with %v", text, sure)
		}
		return
	}
	t.Error("the call was never taken up")
}

func givenUpBetween(t *testing.T) (text string, sure any) {
	s := newShop(t, legacy)
	first, goOn := make(chan struct{}), make(chan struct{})
	var calls atomic.Int64
	answered := make(chan any, 1)
	s.AddTool(&mcp.Tool{Name: "both", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		n := calls.Add(1)
		colour := json.RawMessage(`{"type":"object","properties":{"colour":{"type":"string","default":"red"}}}`)
		if _, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Which colour?", RequestedSchema: colour}); err != nil {
			return nil, err
		}
		if n > 1 {
			return said("again"), nil
		}
		close(first)
		<-goOn
		question := json.RawMessage(`{"type":"object","properties":{"sure":{"type":"boolean"}},"required":["sure"]}`)
		given, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Sure?", RequestedSchema: question})
		if err != nil {
			return nil, err
		}
		answered <- given.Content["sure"]
		return said("done"), nil
	})
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, func(o *gateway.Options) { o.Fallback = mcptool.Allow })
	v := visit(t, h.url, "alice", legacy, nil)
	ctx, giveUp := context.WithCancel(t.Context())
	var left sync.WaitGroup
	left.Go(func() { _, _ = v.CallTool(ctx, &mcp.CallToolParams{Name: "shop__both", Arguments: map[string]any{}}) })
	<-first
	giveUp()
	left.Wait()
	time.Sleep(200 * time.Millisecond) // the gateway hears that the call was given up
	close(goOn)
	time.Sleep(200 * time.Millisecond) // the second question is on its way
	text, err := v.call(t, "shop__both", map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	if text == "done" {
		sure = <-answered
	}
	return text, sure
}

func TestAServerThatAsksWithoutEndWhileAPersonThinksIsRefused(t *testing.T) {
	s := newShop(t, legacy)
	refused := make(chan struct{})
	var n atomic.Int64
	s.AddTool(&mcp.Tool{Name: "flood", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		context.AfterFunc(s.life.Context(), stop)
		var asks sync.WaitGroup
		for range 100 {
			asks.Go(func() {
				if _, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "And?", RequestedSchema: sizeForm}); err != nil && ctx.Err() == nil {
					if n.Add(1) == 100-21 { // all but the one that is open and those that wait
						close(refused)
					}
				}
			})
		}
		<-refused
		stop()
		asks.Wait()
		return said("enough"), nil
	})
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
	v := visit(t, h.url, "alice", legacy, func(*mcp.ElicitParams) *mcp.ElicitResult {
		<-refused // the person thinks
		return &mcp.ElicitResult{Action: "cancel"}
	})
	if text, err := v.call(t, "shop__flood", map[string]any{}); text != "enough" {
		t.Error(text, err)
	}
}
