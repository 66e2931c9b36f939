package mcpbridge_test

import (
	"context"
	"net/http"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpbridge"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

type paint struct {
	Colour string `json:"colour"`
}

// newAsker returns Parley's own HTTP side, with a tool that asks.
func newAsker(t *testing.T) (handler func() http.Handler, drop func()) {
	t.Helper()
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{Logger: quiet})
	server := mcp.NewServer(&mcp.Implementation{Name: "asker", Version: "1"}, &mcp.ServerOptions{Logger: quiet})
	asker, err := mcptool.New(hub, &mcptool.Options{Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	mcptool.AddTool(asker, server, &mcp.Tool{Name: "paint"}, func(ctx context.Context, c *mcptool.Call, _ struct{}) (paint, error) {
		answer, err := mcptool.Elicit[paint](ctx, c, "Which?", nil)
		return answer.Content, err
	})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = hub.Run(ctx) })
	drop = func() {
		for session := range server.Sessions() {
			session.Close()
		}
	}
	t.Cleanup(func() {
		cancel()
		running.Wait()
		drop()
	})
	return func() http.Handler { return mcphttp.New(asker, server, &mcphttp.Options{Logger: quiet}) }, drop
}

func painted(t *testing.T, c *mcp.ClientSession) any {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "paint"})
	if err != nil {
		t.Fatal(err)
	}
	content, _ := r.StructuredContent.(map[string]any)
	return content["colour"]
}

func TestToolsOfParleyAskThroughTheBridge(t *testing.T) {
	eachEra(t, func(t *testing.T, way func(*testing.T, http.Handler) *mcpbridge.Options, era string) {
		handler, _ := newAsker(t)
		asked := make(chan string, 1)
		c := connect(t, way(t, handler()), era, asking(asked))
		if got := painted(t, c); got != "red" {
			t.Errorf("painted %v", got)
		}
		<-asked
	})
}

func TestASessionThatParleyForgotIsBegunAnew(t *testing.T) {
	handler, drop := newAsker(t)
	s := &site{handler: handler(), listening: make(chan struct{}, 10)}
	asked := make(chan string, 2)
	c := connect(t, overHTTP(t, s), legacy, asking(asked))
	painted(t, c)
	drop()
	if got := painted(t, c); got != "red" {
		t.Errorf("painted %v", got)
	}
	if begun := len(s.begun()); begun != 2 {
		t.Errorf("%d sessions", begun)
	}
}
