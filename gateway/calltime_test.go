package gateway_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// addHanging adds a tool that hangs until its call is cancelled, and says so.
func addHanging(s *shop) (began, cancelled chan struct{}) {
	began, cancelled = make(chan struct{}, 9), make(chan struct{}, 9)
	mcp.AddTool(s.Server, &mcp.Tool{Name: "hang"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
		began <- struct{}{}
		select {
		case <-ctx.Done():
			cancelled <- struct{}{}
		case <-s.life.Done():
		}
		return nil, nil, ctx.Err()
	})
	return began, cancelled
}

func TestACallWhoseServerHangsHasAnEnd(t *testing.T) {
	for _, server := range []string{legacy, modern} {
		for _, client := range []string{legacy, modern} {
			t.Run("server "+server+", client "+client, func(t *testing.T) {
				s := newShop(t, server)
				began, cancelled := addHanging(s)
				h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, func(o *gateway.Options) { o.CallTime = 300 * time.Millisecond })
				v := visit(t, h.url, "alice", client, agreeing)
				text, err := v.call(t, "shop__hang", map[string]any{})
				const words = "ERROR shop has not answered for 300ms: whether the call was carried out is not known. Find out before you make it again."
				if err != nil || text != words {
					t.Errorf("%q, %v", text, err)
				}
				if len(began) != 1 {
					t.Errorf("the server was called %d times", len(began))
				}
				if server == legacy { // the SDK's server of 2026-07-28 does not look at its connection
					<-cancelled
				}
			})
		}
	}
}

// A client of a session may drop its connection: that cancels nothing, and nobody
// reads what comes.
func TestACallThatNobodyReadsHasAnEnd(t *testing.T) {
	s := newShop(t, legacy)
	began, cancelled := addHanging(s)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, func(o *gateway.Options) { o.CallTime = 500 * time.Millisecond })
	v := visit(t, h.url, "alice", legacy, nil)
	ctx, drop := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url, strings.NewReader(
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"shop__hang","arguments":{}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer token-of-alice",
		"Mcp-Protocol-Version": legacy, "Mcp-Session-Id": v.ID(),
	} {
		r.Header.Set(name, value)
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if answer, err := http.DefaultClient.Do(r); err == nil {
			answer.Body.Close()
			t.Error("the call was answered")
		}
	}()
	<-began
	drop()
	<-gone
	<-cancelled
}

func TestAServerThatGivesSignsOfLifeHasItsTime(t *testing.T) {
	t.Parallel()
	const limit = 2 * time.Second
	s := newShop(t, legacy)
	mcp.AddTool(s.Server, &mcp.Tool{Name: "slow"}, func(ctx context.Context, r *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
		for i := range 8 {
			time.Sleep(limit / 5)
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i)})
		}
		return said("done"), nil, nil
	})
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, func(o *gateway.Options) { o.CallTime = limit })
	v := visit(t, h.url, "alice", legacy, func(p *mcp.ElicitParams) *mcp.ElicitResult {
		time.Sleep(limit * 3 / 2) // a person takes all the time that there is
		return agreeing(p)
	})
	params := &mcp.CallToolParams{Name: "shop__slow", Arguments: map[string]any{}}
	params.SetProgressToken("p")
	if r, err := v.CallTool(t.Context(), params); err != nil || r.IsError {
		t.Errorf("%+v, %v", r, err)
	}
	if text, err := v.call(t, "shop__order", map[string]any{}); err != nil || strings.HasPrefix(text, "ERROR") {
		t.Errorf("%q, %v", text, err)
	}
}
