package remote_test

import (
	"context"
	"net/http"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/tracing"
)

// deaf is a tracer that begins no trace and keeps nothing.
type deaf struct{}

func (deaf) Origin(ctx context.Context) tracing.Context { return tracing.From(ctx) }

func (deaf) Ended(tracing.Span) {}

// An agent elsewhere is told by every transport in which trace it is called, at the first
// message and at the answer, which is sent when the run goes on.
func TestAnAgentElsewhereIsToldWhereItsTaskBelongs(t *testing.T) {
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	given, _ := tracing.Parse(parent, "shop=1")
	for _, binding := range []string{"", "rest", "legacy"} {
		t.Run("binding "+binding, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var heard []http.Header
			d := &desk{binding: binding, work: booking, front: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method == http.MethodPost {
						mu.Lock()
						heard = append(heard, r.Header.Clone())
						mu.Unlock()
					}
					next.ServeHTTP(w, r)
				})
			}}
			n := newWorld(t, d).node()
			ref, err := n.Start(tracing.With(t.Context(), given), alice, agent.Message{Agent: "helper", Conversation: "c", Text: "Book it", CanAsk: true})
			if err != nil {
				t.Fatal(err)
			}
			n.answer(n.question(), parley.Accept, `{"city":"Oslo","nights":2}`)
			n.reply(ref)
			mu.Lock()
			defer mu.Unlock()
			if len(heard) < 2 {
				t.Fatalf("it was called %d times", len(heard))
			}
			for _, h := range heard {
				if got := tracing.OfHeader(h); got.Trace != given.Trace || got.State != given.State || got.Span == given.Span {
					t.Errorf("told %v, which is not below %v", got, given)
				}
			}
		})
	}
}
