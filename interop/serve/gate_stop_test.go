package serve_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/interop/kit"
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

	g := newGate(t, withParley(t), "memory:", kit.FreeAddresses(t, 1)[0], `
servers:
  slow: {url: "`+web.URL+`/mcp", approve: never}
gateway: {}
`)
	n := g.start(t, strings.TrimPrefix(g.public, "http://"))
	type ended struct {
		answer kit.WireAnswer
		err    error
	}
	done := make(chan ended, 1)
	go func() {
		a, err := kit.WireCall{Tool: "slow__work", Arguments: `{}`}.Try(t.Context(), n.Url, g.token(t, "alice"))
		done <- ended{a, err}
	}()
	<-begun
	if err := n.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	kit.Eventually(t, "the node takes no new requests", func() bool {
		_, _, _, err := kit.HttpTry(t.Context(), http.MethodGet, n.Url+"/healthz", nil, "")
		return err != nil
	})
	close(release)
	e := <-done
	select {
	case <-n.Ended: // another signal just before its end would end it otherwise
	case <-time.After(kit.Patience):
		t.Error("the node does not end")
	}
	return e.answer.Text(), e.err
}
