package agent_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// rack has boxes that come and go.
type rack struct {
	mu    sync.Mutex
	boxes map[string][]agent.Toolbox // by person
}

func (r *rack) set(user string, boxes ...agent.Toolbox) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.boxes[user] = boxes
}

func (r *rack) more(_ context.Context, who agent.Caller) ([]agent.Toolbox, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.boxes[who.User], nil
}

// seen is a model that says which tools it has, in the step after it has called
// what it was told to.
func seen(p agent.Prompt) agent.Reply {
	if last(p).Role != agent.FromTools {
		return agent.Reply{Calls: []agent.ToolCall{{ID: "m", Tool: last(p).Text}}}
	}
	var names []string
	for _, tool := range p.Tools {
		names = append(names, tool.Name)
	}
	return agent.Reply{Text: last(p).Results[0].Text + ": " + strings.Join(names, " ")}
}

func TestAnAgentHasTheBoxesThatAreThereAtEachStep(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		r := &rack{boxes: map[string][]agent.Toolbox{}}
		late := &box{name: "late"}
		first := &box{name: "first", call: func(context.Context, *agent.Invocation) (agent.Result, error) {
			r.set("alice", late, &box{name: "first"})
			return agent.Result{Text: "called"}, nil
		}}
		n := w.node(&agent.Agent{Name: "helper", Model: script(seen), Toolboxes: []agent.Toolbox{first}, ExtraToolboxes: r.more})
		if got := n.follow(n.say("c", "first__do")).reply(); got != "called: first__do late__do done" {
			t.Errorf("got %q", got)
		}
		if got := n.follow(n.say("d", "late__do")).reply(); got != "late did it: first__do late__do done" || late.called() != 1 {
			t.Errorf("got %q after %d calls", got, late.called())
		}
	})
}

func TestABoxThatIsTakenAwayWhileItsQuestionWaitsIsNotUsed(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		r := &rack{boxes: map[string][]agent.Toolbox{}}
		mine := &box{name: "mine", prepare: needsAnswer}
		r.set("alice", mine)
		r.set("bob", &box{name: "his"})
		n := w.node(&agent.Agent{Name: "helper", Model: script(seen), ExtraToolboxes: r.more})
		s := n.follow(n.say("c", "mine__do"))
		asked := s.until(agent.Asked)
		r.set("alice")
		n.answer(asked.Question, parley.Accept)
		if got := s.reply(); got != "mine is no longer there.:  done" || mine.called() != 0 {
			t.Errorf("got %q after %d calls", got, mine.called())
		}
	})
}
