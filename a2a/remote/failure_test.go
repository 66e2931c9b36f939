package remote_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley/agent"
)

// A model that delegates is told of a failure as one, in words that say what is known.
func TestAFailureIsNoAnswerToTheModel(t *testing.T) {
	ends := func(state a2a.TaskState, text string) func(context.Context, *a2asrv.ExecutorContext, func(a2a.Event)) {
		return func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			emit(a2a.NewStatusUpdateEvent(ec, state, a2a.NewMessageForTask(a2a.MessageRoleAgent, ec, a2a.NewTextPart(text))))
		}
	}
	lost := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				panic(http.ErrAbortHandler) // when it has the message
			}
			next.ServeHTTP(w, r)
		})
	}
	for name, tc := range map[string]struct {
		desk *desk
		want string // empty: it is an answer
	}{
		"completed": {&desk{work: ends(a2a.TaskStateCompleted, "Booked.")}, ""},
		"failed":    {&desk{work: ends(a2a.TaskStateFailed, "No planes.")}, "desk could not do it. No planes."},
		"rejected":  {&desk{work: ends(a2a.TaskStateRejected, "We are closed.")}, "desk refused the task. We are closed."},
		"cancelled": {&desk{work: ends(a2a.TaskStateCanceled, "Too late.")}, "desk did not finish: the task was cancelled there. Too late."},
		"unknown":   {&desk{work: ends(a2a.TaskStateCompleted, ""), front: lost}, "desk went away during the call: whether it was carried out is not known"},
		"not sent":  {&desk{work: ends(a2a.TaskStateCompleted, ""), card: func(c *a2a.AgentCard) { c.SupportedInterfaces[0].URL = "https://other.example/rpc" }}, "the task was not sent"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newWorld(t, tc.desk).node()
			f := n.Follow(alice, n.say("Book a trip."))
			defer f.Close()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			for {
				e, err := f.Next(ctx)
				if err != nil {
					t.Fatal(err)
				}
				if e.Agent != "" || e.Result == nil {
					continue
				}
				if e.Result.Failed != (tc.want != "") || e.Result.Failed != (e.Type == agent.Failed) || !strings.Contains(e.Result.Text, tc.want) {
					t.Errorf("%s %+v", e.Type, e.Result)
				}
				return
			}
		})
	}
}
