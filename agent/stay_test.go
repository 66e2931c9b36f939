package agent_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/internal/testkit/spans"
	"github.com/parley-hq/parley/tracing"
)

// staysOf are the nodes of a run as its record has them.
func (n *node) staysOf(ref agent.Ref) []agent.Stay {
	n.t.Helper()
	r, err := n.Find(n.t.Context(), alice, "c", ref.Run)
	if err != nil {
		n.t.Fatal(err)
	}
	return r.Stays()
}

// What the timeline says of nodes is what the spans and their links say.
func TestARunKnowsTheNodesAtWhichItWentOn(t *testing.T) {
	for _, traced := range []bool{true, false} {
		t.Run(fmt.Sprint("traced ", traced), func(t *testing.T) {
			inABubble(t, func(t *testing.T, w *world) {
				trace := &told{}
				if traced {
					w.trace = trace
				}
				stuck := make(chan struct{}, 1)
				b := &box{name: "tracker", prepare: needsAnswer, call: func(ctx context.Context, _ *agent.Invocation) (agent.Result, error) {
					stuck <- struct{}{}
					<-ctx.Done()
					return agent.Result{}, ctx.Err()
				}}
				n := w.node(helper(callOnce("tracker__do"), b))
				began := time.Now()
				ref := n.say("c", "hello")
				q := n.follow(ref).until(agent.Asked).Question
				time.Sleep(time.Minute)
				n.kill()
				n = w.node(helper(callOnce("tracker__do"), b))
				n.answer(q, parley.Accept)
				<-stuck
				n.kill()
				n = w.node(helper(callOnce("tracker__do"), b))
				n.follow(ref).until(agent.Finished)
				n.stop()

				stays := n.staysOf(ref)
				if len(stays) != 3 || stays[0].After != "" || stays[1].After != agent.AfterWaiting || stays[2].After != agent.AfterLeft {
					t.Fatalf("%+v", stays)
				}
				if !stays[0].From.Equal(began) || stays[1].From.Before(began.Add(time.Minute)) || stays[2].From.Before(stays[1].From) {
					t.Errorf("began at %v: %+v", began, stays)
				}
				if traced {
					sameNodes(t, stays, trace.Named("agent.run"))
				}
			})
		})
	}
}

func sameNodes(t *testing.T, stays []agent.Stay, runs []tracing.Span) {
	t.Helper()
	slices.SortFunc(runs, func(a, b tracing.Span) int { return a.Start.Compare(b.Start) })
	if len(runs) != len(stays) {
		t.Fatalf("%d stays and %+v", len(stays), runs)
	}
	for i, s := range runs {
		if spans.Of(s, "parley.node") != stays[i].Node || !s.Start.Equal(stays[i].From) || stays[i].Part != i+1 || len(s.Links) != cmp.Compare(i, 0) {
			t.Errorf("%+v was at %+v", s, stays[i])
		}
	}
}

// asksOften asks some questions, one after the other.
func asksOften(times int) func(*agent.Invocation) error {
	return func(c *agent.Invocation) error {
		if n := len(c.Answers); n < times {
			return &agent.Pause{Questions: map[string]parley.Request{fmt.Sprint(n): {From: "box", Message: "Go on?"}}}
		}
		return nil
	}
}

func TestARunThatGoesOnWhereItWasHasOneNode(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		n := w.node(helper(callOnce("tracker__do"), &box{name: "tracker", prepare: asksOften(2)}))
		ref := n.say("c", "hello")
		s := n.follow(ref)
		for range 2 {
			q := s.until(agent.Asked).Question
			time.Sleep(time.Minute)
			n.answer(q, parley.Accept)
		}
		s.until(agent.Finished)
		if stays := n.staysOf(ref); len(stays) != 1 || stays[0].After != "" {
			t.Errorf("%+v", stays)
		}
	})
}

// However often a run moves, its record does not grow without end.
func TestOfManyNodesTheFirstAndTheLastAreKept(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		const moves = 55
		agents := helper(callOnce("tracker__do"), &box{name: "tracker", prepare: asksOften(moves)})
		n := w.node(agents)
		ref := n.say("c", "hello")
		var first agent.Stay
		for i := range moves {
			time.Sleep(time.Minute)
			if i == 0 {
				first = n.staysOf(ref)[0]
			}
			n.stop()
			n = w.node(agents)
			for _, q := range n.open(t) {
				n.answer(q, parley.Accept)
			}
		}
		n.follow(ref).until(agent.Finished)
		stays := n.staysOf(ref)
		if len(stays) != 50 || stays[0] != first || !stays[49].From.After(stays[48].From) {
			t.Errorf("%d: %+v", len(stays), stays)
		}
	})
}

// Whoever only looks whether a run can go on was not there.
func TestANodeAtWhichNothingHappenedIsNoStay(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		trace := &told{}
		w.trace = trace
		agents := helper(callOnce("tracker__do"), &box{name: "tracker", prepare: func(c *agent.Invocation) error {
			if len(c.Answers) < 2 {
				return &agent.Pause{Questions: map[string]parley.Request{"a": {From: "box", Message: "a?"}, "b": {From: "box", Message: "b?"}}}
			}
			return nil
		}})
		n := w.node(agents)
		ref := n.say("c", "hello")
		n.follow(ref).until(agent.Asked)
		time.Sleep(time.Minute)
		n.stop()
		n = w.node(agents) // it shows the run, and no more
		n.follow(ref).until(agent.Asked)
		n.Settled(t.Context(), &parley.Answering{Request: *n.open(t)["a?"]})
		time.Sleep(time.Minute)
		n.stop()
		n = w.node(agents)
		for _, q := range n.open(t) {
			n.answer(q, parley.Accept)
		}
		n.follow(ref).until(agent.Finished)
		n.stop()
		stays, nodes := n.staysOf(ref), map[any]bool{}
		for _, s := range trace.Named("agent.run") {
			nodes[spans.Of(s, "parley.node")] = true
		}
		if len(stays) != 2 || !nodes[stays[0].Node] || !nodes[stays[1].Node] {
			t.Errorf("%+v, told of %v", stays, nodes)
		}
	})
}
