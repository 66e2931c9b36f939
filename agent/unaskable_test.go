package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/form"
)

var nestedForm = []byte(`{"type":"object","properties":{"x":{"type":"object"}}}`)

func TestAQuestionThatCannotBeShownIsAnErrorForWhoAsksIt(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		var refused error
		b := &box{name: "tracker", call: func(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
			_, refused = c.Ask(ctx, "q", parley.Request{From: "tracker", Message: "Which?", Schema: nestedForm})
			return agent.Result{Text: "went on"}, nil
		}}
		n := w.node(helper(callOnce("tracker__do"), b))
		if got := n.follow(n.say("c", "x")).reply(); got != "went on done" {
			t.Errorf("got %q", got)
		}
		if !errors.Is(refused, agent.ErrUnaskable) || !errors.Is(refused, form.ErrNested) {
			t.Errorf("who asks was told %v", refused)
		}
	})
}

func TestACallThatPausesForWhatCannotBeShownEndsWithTheReason(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "tracker", call: func(context.Context, *agent.Invocation) (agent.Result, error) {
			return agent.Result{}, &agent.Pause{Questions: map[string]parley.Request{"q": {From: "tracker", Message: "Which?", Schema: nestedForm}}}
		}}
		n := w.node(helper(callOnce("tracker__do"), b))
		got := n.follow(n.say("c", "x")).reply()
		if !strings.Contains(got, "tracker asks a question that cannot be shown; the call was given up: properties.x: nested objects are not allowed") || b.called() != 1 {
			t.Errorf("got %q after %d calls", got, b.called())
		}
	})
}
