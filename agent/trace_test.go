package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/internal/testkit/spans"
	"github.com/parley-hq/parley/tracing"
)

// told is a tracer that remembers.
type told struct{ spans.Kept }

// tree is what was told, a line a span: what it is, in what, and what it goes on with.
func (o *told) tree(t *testing.T) []string {
	t.Helper()
	names := map[tracing.Context]string{}
	of := func(s tracing.Span, key string) any {
		if said := spans.Of(s, key); said != nil {
			return said
		}
		return ""
	}
	for _, s := range o.All() {
		name := fmt.Sprintf("%s %v%v%v", s.Name, of(s, "gen_ai.agent.name"), of(s, "toolName"), of(s, "parley.part"))
		if s.Name == "model.message" {
			name = fmt.Sprintf("%s %v%v", s.Name, of(s, "gen_ai.agent.name"), of(s, "parley.step"))
		}
		if names[s.Context] != "" {
			t.Errorf("%s was told twice", name)
		}
		names[s.Context] = name
	}
	var all []string
	for _, s := range o.All() {
		line := names[s.Context]
		if s.Parent.Span != [8]byte{} {
			line += " in " + names[s.Parent]
		}
		for _, l := range s.Links {
			line += " after " + names[l]
		}
		if outcome := of(s, "outcome"); outcome != "" {
			line += fmt.Sprintf(": %v", outcome)
		}
		if s.End.Before(s.Start) || s.Start.IsZero() {
			t.Errorf("%s: %v to %v", line, s.Start, s.End)
		}
		all = append(all, line)
	}
	return all
}

func delegating(tell *box) []*agent.Agent {
	return []*agent.Agent{
		{Name: "helper", Model: callOnce("delegate_to_clerk"), Delegates: []string{"clerk"}},
		{Name: "clerk", Model: callOnce("tracker__do"), Toolboxes: []agent.Toolbox{tell}},
	}
}

// A run that waits, is gone on with elsewhere, and ends, is one trace: what goes on
// says what it goes on with.
func TestARunIsOneTraceInAllItsProcesses(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		trace := &told{}
		w.trace = trace
		var inCall, inQuestion tracing.Context
		b := &box{name: "tracker", prepare: needsAnswer, call: func(ctx context.Context, _ *agent.Invocation) (agent.Result, error) {
			inCall = tracing.From(ctx)
			return agent.Result{Text: "done"}, nil
		}}
		given, _ := tracing.Parse("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "")
		n := w.nodeWith([]parley.Hook{parley.After(parley.OpeningStore, func(ctx context.Context, _ *parley.Opening) error {
			inQuestion = tracing.From(ctx)
			return nil
		})}, delegating(b)...)
		ref, err := n.Start(tracing.With(t.Context(), given), alice, agent.Message{Agent: "helper", Conversation: "c", Text: "what was said", CanAsk: true})
		if err != nil {
			t.Fatal(err)
		}
		q := n.follow(ref).until(agent.Asked).Question
		time.Sleep(time.Minute)
		n.kill()
		n = w.node(delegating(b)...)
		n.answer(q, parley.Accept)
		n.follow(ref).until(agent.Finished)
		n.stop()
		want := []string{
			"agent.run helper1: waiting", "model.message helper1 in agent.run helper1",
			"agent.run clerk1 in tool.call clerk: waiting", "model.message clerk1 in agent.run clerk1",
			"agent.run clerk2 in agent.run clerk1 after agent.run clerk1: done", "tool.call do in agent.run clerk1: succeeded", "model.message clerk2 in agent.run clerk2",
			"agent.run helper2 in agent.run helper1 after agent.run helper1: done", "tool.call clerk in agent.run helper1: succeeded", "model.message helper2 in agent.run helper2",
		}
		got := trace.tree(t)
		slices.Sort(got)
		for i := range got { // its parent is whoever called
			got[i] = strings.Replace(got[i], "agent.run helper1 in : waiting", "agent.run helper1: waiting", 1)
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		nodes := map[string]bool{}
		for _, s := range trace.All() {
			if s.Context.Trace != given.Trace {
				t.Errorf("%s is in another trace", s.Name)
			}
			if s.Name == "tool.call" && s.Context != inCall && strings.Contains(fmt.Sprint(s.Attributes), "tracker") {
				t.Error("the tool was called in another span")
			}
			for _, a := range s.Attributes {
				if a.Key == "parley.node" {
					nodes[a.Value.(string)] = true
				}
				if strings.Contains(fmt.Sprint(a.Value), "what was said") {
					t.Errorf("%s tells what was said", s.Name)
				}
			}
		}
		if len(nodes) != 2 || inQuestion != inCall || !inCall.Valid() {
			t.Errorf("nodes %v, asked in %v, called in %v", nodes, inQuestion, inCall)
		}
		if r, err := n.Find(t.Context(), alice, "c", ref.Run); err != nil || r.Trace() != given.TraceID() {
			t.Errorf("the run's trace is %q, %v", r.Trace(), err)
		}
	})
}

// What a process did before it was killed in the midst of it is told by the next.
func TestWhatADeadProcessDidIsToldByWhoTakesTheRunUp(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		trace := &told{}
		w.trace = trace
		stuck := make(chan struct{})
		b := &box{name: "tracker", call: func(ctx context.Context, _ *agent.Invocation) (agent.Result, error) {
			close(stuck)
			<-ctx.Done()
			return agent.Result{}, ctx.Err()
		}}
		n := w.node(helper(callOnce("tracker__do"), b))
		ref := n.say("c", "hello")
		<-stuck
		n.kill()
		if len(trace.All()) != 0 {
			t.Errorf("%v", trace.tree(t))
		}
		n = w.node(helper(callOnce("tracker__do"), b))
		n.follow(ref).until(agent.Finished)
		n.stop()
		want := []string{
			"agent.run helper1: left", "model.message helper1 in agent.run helper1",
			"agent.run helper2 in agent.run helper1 after agent.run helper1: done", "tool.call do in agent.run helper1: failed", "model.message helper2 in agent.run helper2",
		}
		if diff := cmp.Diff(want, trace.tree(t)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestARunThatNobodyTracesIsInNoTrace(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		given, _ := tracing.Parse("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "")
		inCall := given
		n := w.node(helper(callOnce("tracker__do"), &box{name: "tracker", call: func(ctx context.Context, _ *agent.Invocation) (agent.Result, error) {
			inCall = tracing.From(ctx)
			return agent.Result{Text: "done"}, nil
		}}))
		ref, err := n.Start(tracing.With(t.Context(), given), alice, agent.Message{Agent: "helper", Conversation: "c", Text: "hello"})
		if err != nil {
			t.Fatal(err)
		}
		n.follow(ref).until(agent.Finished)
		if r, err := n.Find(t.Context(), alice, "c", ref.Run); err != nil || r.Trail.Origin.Valid() || r.Trace() != "" || inCall.Valid() {
			t.Errorf("%+v, called in %v, %v", r.Trail, inCall, err)
		}
	})
}
