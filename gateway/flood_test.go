package gateway_test

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/permit"
)

func TestAServerThatAsksWithoutEndWhileAPersonThinksIsRefused(t *testing.T) {
	s := newShop(t, legacy)
	refused := make(chan struct{})
	var n atomic.Int64
	s.AddTool(&mcp.Tool{Name: "flood", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		context.AfterFunc(s.over, stop)
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
