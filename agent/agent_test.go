package agent_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

func TestQuestionsOfDelegatesAtAnyDepthAppearOnTheParentsStream(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "deep", prepare: needsAnswer}
		agents := []*agent.Agent{
			{Name: "helper", Model: callOnce("delegate_to_middle"), Delegates: []string{"middle"}},
			{Name: "middle", Model: callOnce("delegate_to_bottom"), Delegates: []string{"bottom"}},
			{Name: "bottom", Model: callOnce("deep__do"), Toolboxes: []agent.Toolbox{b}},
		}
		first := w.node(agents...)
		ref := first.say("c", "x")
		s := first.follow(ref)
		asked := s.until(agent.Asked)
		if asked.Question.Session != "c" || asked.Agent != "bottom" {
			t.Errorf("asked %+v", asked)
		}
		first.kill()
		second := w.node(agents...)
		s = second.follow(ref)
		second.answer(s.until(agent.Asked).Question, parley.Accept)
		if got := s.reply(); got != "deep did it done" || b.called() != 1 {
			t.Errorf("got %q after %d calls", got, b.called())
		}
		again := second.follow(ref).rest() // what has ended is told in the same order
		if i := slices.Index(again, "answered bottom deep__do deep Go on? accept"); i < 0 || i > len(again)-2 {
			t.Errorf("told again: %q", again)
		}
		runs, err := second.History(t.Context(), alice, "c")
		if err != nil || len(runs) != 1 {
			t.Errorf("the conversation has %d runs, %v", len(runs), err)
		}
	})
}

func TestDelegationEndsSomewhere(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		depth := 0
		n := w.node(&agent.Agent{Name: "helper", Delegates: []string{"helper"}, Model: script(func(p agent.Prompt) agent.Reply {
			if len(p.Tools) == 0 || last(p).Role == agent.FromTools {
				return agent.Reply{Text: "enough"}
			}
			depth++
			return agent.Reply{Calls: []agent.ToolCall{{ID: "1", Tool: "delegate_to_helper", Args: []byte(`{"task":"again"}`)}}}
		})})
		if got := n.follow(n.say("c", "x")).reply(); got != "enough done" || depth != 5 {
			t.Errorf("got %q at depth %d", got, depth)
		}
	})
}

func TestABoxThatCannotListItsToolsHasAStandIn(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		connected := false
		b := &box{name: "tracker", tools: func(agent.Caller) ([]agent.Tool, error) {
			if !connected {
				return nil, &agent.Pause{Questions: map[string]parley.Request{"credential": {From: "tracker", Message: "Connect"}}}
			}
			return []agent.Tool{{Name: "list"}}, nil
		}}
		var seen []string
		n := w.node(helper(script(func(p agent.Prompt) agent.Reply {
			var names []string
			for _, tool := range p.Tools {
				names = append(names, tool.Name)
			}
			seen = append(seen, strings.Join(names, ","))
			if len(seen) < 3 {
				return agent.Reply{Calls: []agent.ToolCall{{ID: fmt.Sprint(len(seen)), Tool: names[0]}}}
			}
			return agent.Reply{Text: last(p).Results[0].Text}
		}), b))
		s := n.follow(n.say("c", "x"))
		q := s.until(agent.Asked).Question
		if b.called() != 0 {
			t.Error("the box was called without a credential")
		}
		connected = true
		n.answer(q, parley.Accept)
		if got := s.reply(); got != "tracker did it done" {
			t.Errorf("got %q", got)
		}
		if diff := cmp.Diff([]string{"tracker", "tracker__list", "tracker__list"}, seen); diff != "" {
			t.Errorf("the model saw %s", diff)
		}
	})
}

func TestABoxThatFailsIsAskedAgainAndThenLeftOut(t *testing.T) {
	for failures, want := range map[int]agent.EventType{1: agent.ToolsCame, 3: agent.ToolsCame, 4: agent.ToolsGone} {
		inABubble(t, func(t *testing.T, w *world) {
			left := failures
			b := &box{name: "tracker", tools: func(agent.Caller) ([]agent.Tool, error) {
				if left > 0 {
					left--
					return nil, errors.New("connection refused")
				}
				return []agent.Tool{{Name: "list"}}, nil
			}}
			n := w.node(helper(script(func(p agent.Prompt) agent.Reply { return agent.Reply{Text: fmt.Sprint(len(p.Tools), " tools")} }), b))
			start := time.Now()
			s := n.follow(n.say("c", "x"))
			if e := s.until(want); e.Box != "tracker" {
				t.Errorf("%+v", e)
			}
			took := time.Since(start)
			tools := "1 tools done"
			if want == agent.ToolsGone {
				tools = "0 tools done"
			}
			if got := s.reply(); got != tools {
				t.Errorf("after %d failures: %q", failures, got)
			}
			if expected := []time.Duration{0, 1, 3, 7, 7}[failures] * time.Second; took < expected || took > expected+time.Second {
				t.Errorf("after %d failures it took %v", failures, took)
			}
		})
	}
}

func TestANewMessageWhileAQuestionIsOpenIsAnswered(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		var prompts []agent.Prompt
		model := script(func(p agent.Prompt) agent.Reply {
			prompts = append(prompts, p)
			if last(p).Text == "never mind, what is the time?" {
				return agent.Reply{Text: "noon"}
			}
			return callOnce("tracker__do")(p)
		})
		n := w.node(helper(model, &box{name: "tracker", prepare: needsAnswer}))
		first := n.say("c", "close ticket 7")
		q := n.follow(first).until(agent.Asked).Question
		second := n.say("c", "never mind, what is the time?")
		if got := n.follow(second).reply(); got != "noon done" {
			t.Errorf("got %q", got)
		}
		seen := prompts[len(prompts)-1].Messages
		if len(seen) != 4 || !strings.Contains(seen[2].Results[0].Text, "not answered") {
			t.Errorf("the model saw %+v", seen)
		}
		if now, err := n.Current(t.Context(), alice, "c"); err != nil || now != first {
			t.Errorf("current: %v, %v", now, err)
		}
		n.answer(q, parley.Accept) // the card is still there
		if got := n.follow(first).reply(); got != "tracker did it done" {
			t.Errorf("got %q", got)
		}
		if _, err := n.Current(t.Context(), alice, "c"); !errors.Is(err, agent.ErrNoRun) {
			t.Errorf("current: %v", err)
		}
	})
}

type approval struct {
	Approved bool `json:"approved" jsonschema:"Approve this expense"`
}

func TestAnAgentInGoAsksBeforeAndAfterItsLoop(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		asked := 0
		a := &agent.Agent{
			Name: "helper", Model: script(func(agent.Prompt) agent.Reply { return agent.Reply{Text: "categorised"} }),
			Before: func(ctx context.Context, turn *agent.Turn) error {
				answer, action, err := agent.Elicit[approval](ctx, turn, "Approve "+turn.Text+"?", nil)
				if err != nil {
					return err
				}
				asked++
				if action != parley.Accept || !answer.Approved {
					turn.Say("Rejected.")
					turn.End()
				}
				return nil
			},
			After: func(ctx context.Context, turn *agent.Turn) error {
				_, action, err := agent.Elicit[struct{}](ctx, turn, "File it?", nil)
				if err == nil && action == parley.Accept {
					turn.Say(turn.Reply + " and filed")
				}
				return err
			},
		}
		first := w.node(a)
		yes := first.say("yes", "$900")
		q := first.follow(yes).until(agent.Asked).Question
		if err := first.hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"approved":true}`)}); err != nil {
			t.Fatal(err)
		}
		s := first.follow(yes)
		s.until(agent.Asked)
		q = s.until(agent.Asked).Question
		first.kill()
		second := w.node(a)
		second.answer(q, parley.Accept)
		if got := second.follow(yes).reply(); got != "categorised and filed done" {
			t.Errorf("got %q", got)
		}
		no := second.say("no", "$901")
		s = second.follow(no)
		second.answer(s.until(agent.Asked).Question, parley.Decline)
		if got := s.reply(); got != "Rejected. done" {
			t.Errorf("got %q", got)
		}
	})
}

func TestAModelThatFailsOrDoesNotEndFinishesTheTurnWithASentence(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		for name, c := range map[string]struct {
			model agent.Model
			want  string
			log   string
		}{
			"fails":    {failing{errors.New("api key sk-123 refused")}, "The model could not be reached.", "level=ERROR msg=\"run failed\""},
			"says why": {failing{&agent.PublicError{Text: "The model is overloaded."}}, "overloaded", "level=WARN msg=\"run failed\""},
			"endless":  {callAlways{}, "after 20 steps", ""},
		} {
			logged := &lines{}
			w.log = slog.New(slog.NewTextHandler(logged, &slog.HandlerOptions{Level: slog.LevelWarn}))
			n := w.node(helper(c.model, &box{name: "tracker"}))
			lines := n.follow(n.say(name, "x")).rest()
			if got := lines[len(lines)-1]; !strings.Contains(got, c.want) || strings.Contains(got, "sk-123") {
				t.Errorf("%s: %s", name, got)
			}
			n.stop()
			if !strings.Contains(logged.String(), c.log) {
				t.Errorf("%s: the log has\n%s", name, logged.String())
			}
		}
	})
}

type failing struct{ err error }

func (f failing) Generate(_ context.Context, _ agent.Prompt, emit func(string)) (agent.Reply, error) {
	emit("half a ")
	return agent.Reply{}, f.err
}

type callAlways struct{}

func (callAlways) Generate(context.Context, agent.Prompt, func(string)) (agent.Reply, error) {
	return agent.Reply{Calls: []agent.ToolCall{{ID: "1", Tool: "tracker__do"}}}, nil
}

func TestWhatAModelMakesUpIsAnError(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "tracker"}
		calls := []agent.ToolCall{{ID: "1", Tool: "made_up"}, {ID: "2", Tool: "tracker__do", Args: []byte("{not json")}, {ID: "3", Tool: "tracker__do", Args: []byte("[1]")}}
		n := w.node(helper(script(func(p agent.Prompt) agent.Reply {
			if last(p).Role == agent.FromTools {
				return agent.Reply{Text: fmt.Sprint(last(p).Results[0].Failed, last(p).Results[1].Failed, last(p).Results[2].Failed)}
			}
			return agent.Reply{Calls: calls}
		}), b))
		if got := n.follow(n.say("c", "x")).reply(); got != "true true true done" || b.called() != 0 {
			t.Errorf("got %q after %d calls", got, b.called())
		}
	})
}

func TestRunsAreSealed(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		n := w.node(helper(script(func(agent.Prompt) agent.Reply { return agent.Reply{Text: "the-answer"} })))
		n.follow(n.say("c", "the-question")).rest()
		synctest.Wait()
		rows, err := w.store.Scan(t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: "run"}, "", 0)
		if err != nil || len(rows) != 1 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		if data := string(rows[0].Data); strings.Contains(data, "the-answer") || strings.Contains(data, "the-question") {
			t.Error("a run is stored in plain")
		}
	})
}
