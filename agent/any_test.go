package agent_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// eager asks two things at once and goes on with each answer by itself.
func eager(entered func(answers map[string]parley.Request), ends func(answers map[string]parley.Request) bool) *box {
	return &box{
		name: "far",
		tools: func(agent.Caller) ([]agent.Tool, error) {
			yes := true
			return []agent.Tool{{Name: "do", Idempotent: &yes}}, nil
		},
		call: func(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
			entered(c.Answers)
			if ctx.Err() != nil {
				return agent.Result{}, ctx.Err()
			}
			if ends(c.Answers) {
				return agent.Result{Text: fmt.Sprintf("ended with %d", len(c.Answers))}, nil
			}
			return agent.Result{}, &agent.Pause{Any: true, Questions: map[string]parley.Request{"a": {From: "far", Message: "a?"}, "b": {From: "far", Message: "b?"}}}
		},
	}
}

func (n *node) open(t *testing.T) map[string]*parley.Request {
	t.Helper()
	synctest.Wait()
	list, err := n.hub.List(t.Context(), alice, parley.Query{Pending: true})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*parley.Request{}
	for _, q := range list {
		all[q.Message] = &q
	}
	return all
}

// A call that waits for any of its questions goes on with the first answer, and what it
// does not ask any more is withdrawn.
func TestACallThatWaitsForAnyAnswerGoesOnWithTheFirst(t *testing.T) {
	for name, tc := range map[string]struct {
		ends func(map[string]parley.Request) bool
		want string
		open int // after the first answer
	}{
		"it ends with the first": {func(a map[string]parley.Request) bool { return len(a) == 1 }, "ended with 1 done", 0},
		"it waits for both":      {func(a map[string]parley.Request) bool { return len(a) == 2 }, "ended with 2 done", 1},
	} {
		t.Run(name, func(t *testing.T) {
			inABubble(t, func(t *testing.T, w *world) {
				entries := 0
				b := eager(func(map[string]parley.Request) { entries++ }, tc.ends)
				n := w.node(&agent.Agent{Name: "helper", Model: callOnce("far__do"), Toolboxes: []agent.Toolbox{b}})
				story := n.follow(n.say("c", "x"))
				story.until(agent.Asked)
				n.answer(n.open(t)["a?"], parley.Decline)
				open := n.open(t)
				if len(open) != tc.open || entries != 2 {
					t.Fatalf("%d open, %d entries", len(open), entries)
				}
				if q := open["b?"]; q != nil {
					n.answer(q, parley.Accept)
				}
				if got := story.reply(); got != tc.want {
					t.Error(got)
				}
				if len(n.open(t)) != 0 {
					t.Error("a question is left open")
				}
			})
		})
	}
}

// A process that dies while such a call goes on leaves the other questions as they are.
func TestTheOtherQuestionsOutliveAProcessThatDies(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		hold := true
		release := make(chan struct{})
		b := eager(func(a map[string]parley.Request) {
			if len(a) == 1 && hold {
				<-release
			}
		}, func(a map[string]parley.Request) bool { return len(a) == 2 })
		helper := &agent.Agent{Name: "helper", Model: callOnce("far__do"), Toolboxes: []agent.Toolbox{b}}
		n := w.node(helper)
		ref := n.say("c", "x")
		n.follow(ref).until(agent.Asked)
		before := n.open(t)
		n.answer(before["a?"], parley.Accept)
		synctest.Wait()
		hold = false
		n.lives(0)
		close(release)
		n.kill()
		n = w.node(helper)
		time.Sleep(time.Minute) // until it has the run
		story := n.follow(ref)
		q := n.open(t)["b?"]
		if q == nil || q.ID != before["b?"].ID {
			t.Fatalf("open: %v", q)
		}
		n.answer(q, parley.Accept)
		if got := story.reply(); got != "ended with 2 done" {
			t.Error(got)
		}
	})
}
