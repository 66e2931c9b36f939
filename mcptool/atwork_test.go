package mcptool_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// The first call's handler is slow to end after its client gave up. The same
// call, made meanwhile, waits for it and takes up its question.
func TestTheSameCallWaitsForOneThatIsBeingGivenUp(t *testing.T) {
	for _, user := range []string{"", "alice"} {
		s := newSite(t, mcptool.Options{})
		var runs atomic.Int64
		leaving, leave := make(chan struct{}), make(chan struct{})
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "slow"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
			first := runs.Add(1) == 1
			answer, err := mcptool.Elicit[confirm](ctx, call, "Sure?", nil)
			if first {
				close(leaving)
				<-leave
			}
			return string(answer.Action), err
		})
		shown, late := make(chan struct{}, 2), make(chan struct{})
		c := s.connect(t, clientOptions{era: "2025-11-25", user: user, person: func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			shown <- struct{}{}
			<-late
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": true}}, nil
		}})
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			_, _ = c.CallTool(ctx, &mcp.CallToolParams{Name: "slow"})
		}()
		<-shown
		cancel()
		<-gone
		<-leaving // given up, and not yet put away
		again := make(chan string, 1)
		go func() { again <- structured[string](t, call(t, c, "slow", nil)) }()
		for runs.Load() < 2 {
			runtime.Gosched()
		}
		close(late) // the person answers what is on the screen
		close(leave)
		if got := <-again; got != "accept" {
			t.Errorf("user %q: got %q", user, got)
		}
		if stored := openedQuestions(t, s); stored != 1 {
			t.Errorf("user %q: %d questions were made; want the first to be taken up", user, stored)
		}
	}
}

// openedQuestions counts the questions that there ever were.
func openedQuestions(t *testing.T, s *site) int {
	t.Helper()
	list, err := s.store.List(t.Context(), parley.Query{})
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
