package a2a_test

import (
	"context"
	"testing"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/tracing"
)

// deaf is a tracer that begins no trace and keeps nothing.
type deaf struct{}

func (deaf) Origin(ctx context.Context) tracing.Context { return tracing.From(ctx) }

func (deaf) Ended(tracing.Span) {}

// A task is in the trace that its message names, by every transport, and what its tools
// call is too. One that is not as the specification has it is none.
func TestATaskIsInTheTraceOfItsMessage(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		heard := make(chan tracing.Context, 1)
		tool := &box{name: "tool", call: func(ctx context.Context, _ *agent.Invocation) (agent.Result, error) {
			heard <- tracing.From(ctx)
			return agent.Result{Text: "done"}, nil
		}}
		s := newSite(t, nil, &agent.Agent{Name: "helper", Description: "Helps.", Model: calls("tool__do"), Toolboxes: []agent.Toolbox{tool}})
		c := s.client("alice", way)
		say := func(metadata map[string]any) tracing.Context {
			t.Helper()
			m := says("Do it")
			m.Metadata = metadata
			state(t, c.send(m), wire.TaskStateCompleted)
			return <-heard
		}
		const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
		given, _ := tracing.Parse(parent, "shop=1")
		got := say(map[string]any{"traceparent": parent, "tracestate": "shop=1"})
		if got.Trace != given.Trace || got.State != given.State || !got.Sampled || got.Span == given.Span {
			t.Errorf("%+v is not below %+v", got, given)
		}
		for _, strange := range []any{"00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", 7, nil} {
			if got := say(map[string]any{"traceparent": strange}); got.Valid() {
				t.Errorf("%v is %+v", strange, got)
			}
		}
	})
}
