package gateway_test

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// tallied counts how often a call's journal is written.
type tallied struct {
	parley.Records
	written atomic.Int64
}

func (j *tallied) Save(ctx context.Context, r parley.Record) (int64, error) {
	if r.Kind == "mcp.call" {
		j.written.Add(1)
	}
	return j.Records.Save(ctx, r)
}

// What a server asked and the id of the question that comes of it are in the journal
// before the person sees it, by one write.
func TestWhatAServerAsksIsWrittenOnceBeforeThePersonSeesIt(t *testing.T) {
	s := newShop(t, legacy)
	s.AddTool(&mcp.Tool{Name: "measure", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		given, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Which size?", RequestedSchema: sizeForm})
		if err != nil {
			return nil, err
		}
		return said("%v", given.Content["size"]), nil
	})
	l := &tallied{Records: parley.NewMemoryStore()}
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, func(o *gateway.Options) { o.Records = l })
	var seen atomic.Int64
	v := visit(t, h.url, "alice", legacy, func(*mcp.ElicitParams) *mcp.ElicitResult {
		seen.Store(l.written.Load())
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"size": "L"}}
	})
	if text, err := v.call(t, "shop__measure", map[string]any{}); text != "L" {
		t.Errorf("%q, %v", text, err)
	}
	if n := seen.Load(); n != 1 {
		t.Errorf("the journal was written %d times before the person saw the question", n)
	}
}
