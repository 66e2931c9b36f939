package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// entitled is a box that people know by another name.
type entitled struct{ *box }

func (entitled) Title() string { return "Acme Tracker" }

func helperOf(model string, b *box) *agent.Agent {
	return &agent.Agent{Name: "helper", Model: callOnce(model), Toolboxes: []agent.Toolbox{entitled{b}}}
}

func TestABoxIsCalledByItsTitle(t *testing.T) {
	connected := false
	standIn := &box{name: "tracker", tools: func(agent.Caller) ([]agent.Tool, error) {
		if connected {
			return []agent.Tool{{Name: "list"}}, nil
		}
		return nil, &agent.Pause{Questions: map[string]parley.Request{"connect": {From: "tracker", Message: "Connect?"}}}
	}}
	for _, tc := range []struct {
		comes bool
		how   agent.EventType
		want  string
	}{
		{false, agent.Failed, "Acme Tracker is still not connected."},
		{true, agent.Succeeded, "Acme Tracker is connected. You can use these tools now: tracker__list"},
	} {
		inABubble(t, func(t *testing.T, w *world) {
			connected = false
			n := w.node(helperOf("tracker", standIn))
			s := n.follow(n.say("c", "x"))
			asked := s.until(agent.Asked).Question
			if got := asked.Text(); got != "[Acme Tracker] Connect?" || asked.From != "tracker" {
				t.Errorf("asked %q, from %s", got, asked.From)
			}
			connected = tc.comes
			n.answer(asked, parley.Accept)
			if got := s.until(tc.how).Result.Text; got != tc.want {
				t.Errorf("the model is told %q, want %q", got, tc.want)
			}
		})
	}
}

// What nobody could be asked is told to the model, which tells the person.
func TestAQuestionThatNobodySeesHasTheTitleOfItsBox(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		n := w.node(helperOf("tracker__do", &box{name: "tracker", call: func(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
			_, err := c.Ask(ctx, "line", parley.Request{From: "tracker", Message: "Sure?"})
			return agent.Result{}, err
		}}))
		ref, err := n.Start(t.Context(), alice, agent.Message{Agent: "helper", Conversation: "c", Text: "x"})
		if err != nil {
			t.Fatal(err)
		}
		s := n.follow(ref)
		if q := s.until(agent.Withheld).Question; q.Service() != "Acme Tracker" {
			t.Errorf("withheld from %q", q.Service())
		}
		if got := s.until(agent.Failed).Result.Text; !strings.Contains(got, "[Acme Tracker] Sure?") {
			t.Errorf("the model is told %q", got)
		}
	})
}

func TestWhatIsSaidOfABoxThatIsMissingHasItsTitle(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		n := w.node(helperOf("tracker", &box{name: "tracker", tools: func(agent.Caller) ([]agent.Tool, error) { return nil, errors.New("connection refused") }}))
		if e := n.follow(n.say("c", "x")).until(agent.ToolsGone); e.Service() != "Acme Tracker" || e.Box != "tracker" {
			t.Errorf("%+v", e)
		}
	})
}
