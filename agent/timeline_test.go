package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// deliberate is a model that takes its time.
type deliberate struct{ script }

func (s deliberate) Generate(ctx context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	time.Sleep(2 * time.Second)
	return s.script.Generate(ctx, p, emit)
}

func TestATimelineSaysWhatARunWasSpentOn(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "tracker", prepare: needsAnswer, call: func(context.Context, *agent.Invocation) (agent.Result, error) {
			time.Sleep(3 * time.Second)
			return agent.Result{Text: "done"}, nil
		}}
		n := w.node(helper(deliberate{callOnce("tracker__do")}, b))
		began := time.Now()
		ref := n.say("c", "hello")
		s := n.follow(ref)
		q := s.until(agent.Asked).Question
		time.Sleep(5 * time.Minute)
		n.kill() // what is on record counts
		n = w.node(helper(deliberate{callOnce("tracker__do")}, b))
		n.answer(q, parley.Accept)
		n.follow(ref).until(agent.Finished)

		r, err := n.Find(t.Context(), alice, "c", ref.Run)
		if err != nil {
			t.Fatal(err)
		}
		at := func(when time.Time) string { return when.Sub(began).Round(time.Second).String() }
		var got []string
		for _, s := range r.Timeline() {
			text := fmt.Sprintf("%s %d %s %s-%s %s", s.Kind, s.Step, strings.Join([]string{s.Box, s.Tool}, "."), at(s.From), at(s.To), s.How)
			if s.Question != nil {
				text += fmt.Sprintf("%s by %s", s.Question.Outcome.Action, s.Question.Outcome.By)
			}
			got = append(got, strings.TrimSpace(text))
		}
		want := []string{
			"model 1 . 0s-2s", "call 1 tracker.do 2s-5m5s succeeded", "wait 1 tracker.do 2s-5m2s accept by alice", "model 2 . 5m5s-5m7s",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestATimelineOfWhatGoesOnHasNoEnd(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		n := w.node(helper(callOnce("tracker__do"), &box{name: "tracker", prepare: needsAnswer}))
		ref := n.say("c", "hello")
		n.follow(ref).until(agent.Asked)
		r, err := n.Find(t.Context(), alice, "c", ref.Run)
		if err != nil {
			t.Fatal(err)
		}
		spans := r.Timeline()
		if len(spans) != 3 || !spans[1].To.IsZero() || !spans[2].To.IsZero() || spans[1].How != "" || spans[2].Question.Outcome != nil {
			t.Errorf("%+v", spans)
		}
	})
}

func TestASurveyFindsTheRunsOfATenantAndNoOthers(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		n := w.node(helper(callOnce(), &box{name: "tracker"}))
		say := func(who parley.Principal, text string) {
			t.Helper()
			ref, err := n.Start(t.Context(), who, agent.Message{Agent: "helper", Conversation: "c", Text: text})
			if err != nil {
				t.Fatal(err)
			}
			f := n.Follow(who, ref)
			defer f.Close()
			for e, err := f.Next(t.Context()); e.Type != agent.Finished; e, err = f.Next(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		say(alice, "first")
		time.Sleep(time.Hour)
		say(bob, "second")
		say(parley.Principal{User: "alice", Tenant: "globex", Method: "test"}, "elsewhere")
		say(parley.Principal{User: "alice/x", Method: "test"}, "not alice's")
		time.Sleep(time.Hour)
		say(alice, "third")
		now := time.Now()
		for name, c := range map[string]struct {
			tenant string
			q      agent.Survey
			want   string
		}{
			"all":            {"", agent.Survey{}, "first third second not alice's"},
			"another tenant": {"globex", agent.Survey{}, "elsewhere"},
			"a person":       {"default", agent.Survey{User: "alice"}, "first third"},
			"since":          {"", agent.Survey{Since: now.Add(-90 * time.Minute)}, "third second not alice's"},
			"until":          {"", agent.Survey{User: "alice", Until: now.Add(-90 * time.Minute)}, "first"},
			"nobody":         {"", agent.Survey{User: "zoe"}, ""},
			"conversations":  {"", agent.Survey{User: "alice", Prefix: "c"}, "first third"},
			"no such ones":   {"", agent.Survey{User: "alice", Prefix: "c/"}, ""},
		} {
			var got []string
			so, err := n.Survey(t.Context(), c.tenant, c.q, func(r *agent.Run) { got = append(got, r.Text) })
			if err != nil || !so.Complete {
				t.Errorf("%s: %+v, %v", name, so, err)
			}
			if diff := cmp.Diff(sorted(c.want), sorted(strings.Join(got, " "))); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	})
}

func sorted(words string) string {
	all := strings.Fields(words)
	slices.Sort(all)
	return strings.Join(all, " ")
}

// What is looked through is bounded, and who asks is told.
func TestASurveyStopsWhereItHasLookedAtMuch(t *testing.T) {
	w := newWorld(t)
	w.most = agent.Limits{InAll: -1, PerTenant: -1, PerPerson: -1}
	n := w.node(helper(callOnce(), &box{name: "tracker"}))
	const most = 5000
	survey := func(want int, complete bool) {
		t.Helper()
		found := 0
		so, err := n.Survey(t.Context(), "", agent.Survey{}, func(*agent.Run) { found++ })
		if err != nil || found != want || so.Runs != want || so.Complete != complete {
			t.Errorf("%d found, %+v, %v", found, so, err)
		}
	}
	n.stop()
	for i := range most {
		n.say(fmt.Sprint(i), "hello")
	}
	survey(most, true)
	n.say("one more", "hello")
	survey(most, false)
}

func TestARunKnowsTheCallsOfItsTools(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		wants := func(p agent.Prompt) agent.Reply {
			if last(p).Role == agent.FromTools {
				return agent.Reply{Text: "done"}
			}
			return agent.Reply{Calls: []agent.ToolCall{
				{ID: "1", Tool: "tracker__do", Args: []byte(`{"n":1}`)},
				{ID: "2", Tool: "tracker__nothing", Args: []byte(`{}`)},
				{ID: "3", Tool: "delegate_to_other", Args: []byte(`{"task":"x"}`)},
				{ID: "4", Tool: "tracker__do", Args: []byte(`{"n":1,"n":2}`)},
			}}
		}
		b := &box{name: "tracker", prepare: func(*agent.Invocation) error { return &agent.Denied{Reason: "no"} }}
		first := helper(script(wants), b)
		first.Delegates = []string{"other"}
		n := w.node(first, &agent.Agent{Name: "other", Model: callOnce()})
		ref := n.say("c", "hello")
		n.follow(ref).until(agent.Finished)
		r, err := n.Find(t.Context(), alice, "c", ref.Run)
		if err != nil {
			t.Fatal(err)
		}
		made := r.Made()
		if len(made) != 1 || made[0].Box != "tracker" || made[0].Tool.Name != "do" || string(made[0].Args) != `{"n":1}` || made[0].How != agent.Refused || made[0].At.IsZero() {
			t.Errorf("%+v", made)
		}
	})
}
