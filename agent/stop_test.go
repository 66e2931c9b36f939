package agent_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// lines are what was logged.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A stop withdraws the question, which wakes the run, and then ends what the run is at: that
// may be no more than to be taken up.
func TestAStopWhileARunIsTakenUpIsNoError(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		logged := &lines{}
		w.log = slog.New(slog.NewTextHandler(logged, &slog.HandlerOptions{Level: slog.LevelError}))
		slow := parley.After(parley.AnsweringFinish, func(context.Context, *parley.Answering) error {
			time.Sleep(20 * time.Millisecond) // the run is being taken up
			return nil
		})
		n := w.nodeWith([]parley.Hook{slow}, helper(callOnce("box__do"), &box{name: "box", prepare: needsAnswer}))
		ref := n.say("c", "Go")
		s := n.follow(ref)
		s.until(agent.Asked)
		synctest.Wait() // it is parked
		n.writesSlowly(50 * time.Millisecond)
		if err := n.StopRun(t.Context(), alice, "c", ref.Run); err != nil {
			t.Fatal(err)
		}
		if e := s.until(agent.Finished); e.Reason != agent.Stopped {
			t.Errorf("%+v", e)
		}
		synctest.Wait()
		if logged.String() != "" {
			t.Error(logged)
		}
	})
}
