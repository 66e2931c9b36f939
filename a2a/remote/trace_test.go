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
			told := 0
			for _, h := range heard {
				got := tracing.OfHeader(h)
				if !got.Valid() {
					continue // it was only looked at: on a busy machine, the answer's stream begins late
				}
				if told++; got.Trace != given.Trace || got.State != given.State || got.Span == given.Span {
					t.Errorf("told %v, which is not below %v", got, given)
				}
			}
			if told < 2 {
				t.Errorf("it was told %d times, by %d requests", told, len(heard))
			}
		})
	}
}
