package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/parley-hq/parley/agent"
)

func TestWhoDelegatesHearsThatTheAnswerWasCut(t *testing.T) {
	for _, tc := range []struct {
		reply agent.Reply
		want  string
	}{
		{agent.Reply{Text: "Once upon", Cut: agent.CutByLength}, "Once upon\n\n(The answer ends here because it has reached the longest"},
		{agent.Reply{Cut: agent.CutByLength}, "(The model's answer was cut off before it had said anything."},
		{agent.Reply{Cut: agent.CutByProvider}, "(The model's provider withheld the answer."},
		{agent.Reply{}, "(The agent finished without an answer.)"},
	} {
		inABubble(t, func(t *testing.T, w *world) {
			n := w.node(
				&agent.Agent{Name: "helper", Model: callOnce("delegate_to_teller"), Delegates: []string{"teller"}},
				&agent.Agent{Name: "teller", Model: script(func(agent.Prompt) agent.Reply { return tc.reply })},
			)
			if got := n.follow(n.say("c", "x")).until(agent.Succeeded).Result.Text; !strings.HasPrefix(got, tc.want) {
				t.Errorf("%+v: the agent that delegated is told %q", tc.reply, got)
			}
		})
	}
}

// What an agent without words of its own passes on is a failure where it is one: a model
// that delegated must not take it for an answer.
func TestWhoDelegatesToARelayHearsThatItFailed(t *testing.T) {
	for _, tc := range []struct {
		box    *box
		relays bool
		want   agent.EventType
		text   string
	}{
		{&box{name: "far", call: answers(agent.Result{Text: "It broke.", Failed: true}, nil)}, true, agent.Failed, "It broke."},
		{&box{name: "far", call: answers(agent.Result{}, &agent.PublicError{Text: "It is not known."})}, true, agent.Failed, "It is not known."},
		{&box{name: "far", prepare: func(*agent.Invocation) error { return &agent.Denied{Reason: "No."} }}, true, agent.Failed, "No."},
		{&box{name: "far", call: answers(agent.Result{Text: "Booked."}, nil)}, true, agent.Succeeded, "Booked."},
		{&box{name: "far", call: answers(agent.Result{Text: "It broke.", Failed: true}, nil)}, false, agent.Succeeded, "It broke."},
	} {
		inABubble(t, func(t *testing.T, w *world) {
			n := w.node(
				&agent.Agent{Name: "helper", Model: callOnce("delegate_to_relay"), Delegates: []string{"relay"}},
				&agent.Agent{Name: "relay", Model: callOnce("far__do"), Toolboxes: []agent.Toolbox{tc.box}, Relays: tc.relays},
			)
			story := n.follow(n.say("c", "x"))
			e := story.next()
			for ; e.Agent != "" || e.Result == nil; e = story.next() {
			}
			if e.Type != tc.want || e.Result.Text != tc.text || e.Result.Failed != (tc.want == agent.Failed) {
				t.Errorf("%v of %q: %s %+v", tc.relays, tc.text, e.Type, e.Result)
			}
		})
	}
}

// answers is the Call of a box that has one result.
func answers(r agent.Result, err error) func(context.Context, *agent.Invocation) (agent.Result, error) {
	return func(context.Context, *agent.Invocation) (agent.Result, error) { return r, err }
}
