package agent_test

import (
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// A model's client has its person's token, and can write where chats do.
func TestWhoGoesOnByATokenWithWhatAModelBeganIsInItsCircle(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "box", prepare: needsAnswer}
		n := w.node(helper(callOnce("box__do"), b))
		circleOf := func(method, conversation, circle string) string {
			t.Helper()
			who := parley.Principal{User: "alice", Method: method}
			ref, refused := n.begin(who, agent.Message{Conversation: conversation, Text: "Go", CanAsk: true, Circle: circle})
			if refused != "" {
				t.Fatal(refused)
			}
			s := n.follow(ref)
			q := s.until(agent.Asked).Question
			n.answer(q, parley.Decline)
			s.until(agent.Finished)
			return q.Labels[agent.CircleLabel]
		}
		if got := circleOf("jwt", "theirs", "a2a/theirs"); got != "a2a/theirs" {
			t.Fatalf("the model's own message is in the circle %q", got)
		}
		if got := circleOf("jwt", "theirs", ""); got != "a2a/theirs" {
			t.Errorf("a token's message is in the circle %q", got)
		}
		if got := circleOf("oidc", "theirs", ""); got != "" {
			t.Errorf("the message of the person, signed in, is in the circle %q", got)
		}
		if got := circleOf("jwt", "own", ""); got != "" {
			t.Errorf("a token's message in a conversation of its own is in the circle %q", got)
		}
	})
}
