package interop_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A node that is told to stop takes no new requests and finishes those that it
// has. It waits for three seconds: a machine that stands still for so long gets
// another try.
func TestANodeThatStopsFinishesItsCalls(t *testing.T) {
	var text string
	var err error
	for range 5 {
		if text, err = callWhileItStops(t); err == nil && text == "done" {
			return
		}
	}
	t.Errorf("got %q, %v", text, err)
}

func callWhileItStops(t *testing.T) (string, error) {
	begun, release := make(chan struct{}), make(chan struct{})
	s := mcp.NewServer(&mcp.Implementation{Name: "slow", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "work", InputSchema: anyObject}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(begun)
		select {
		case <-release:
			return wareText("done"), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true}))
	defer web.Close()

	g := newGate(t, withParley(t), "memory:", freeAddresses(t, 1)[0], `
servers:
  slow: {url: "`+web.URL+`/mcp", approve: never}
gateway: {}
`)
	n := g.start(t, strings.TrimPrefix(g.public, "http://"))
	type ended struct {
		answer wireAnswer
		err    error
	}
	done := make(chan ended, 1)
	go func() {
		a, err := wireCall{tool: "slow__work", arguments: `{}`}.try(t.Context(), n.url, g.token(t, "alice"))
		done <- ended{a, err}
	}()
	<-begun
	if err := n.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the node takes no new requests", func() bool {
		_, _, _, err := httpTry(t.Context(), http.MethodGet, n.url+"/healthz", nil, "")
		return err != nil
	})
	close(release)
	e := <-done
	select {
	case <-n.ended: // another signal just before its end would end it otherwise
	case <-time.After(patience):
		t.Error("the node does not end")
	}
	return e.answer.text(), e.err
}
