package agent_test

import (
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
