package agent_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

func asksFirst(before func(ctx context.Context, turn *agent.Turn) error) *agent.Agent {
	return &agent.Agent{Name: "helper", Model: script(func(agent.Prompt) agent.Reply { return agent.Reply{Text: "done"} }), Before: before}
}

func TestAQuestionOfAnAgentStaysOpenForItsOwnTime(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		var action parley.Action
		n := w.node(asksFirst(func(ctx context.Context, turn *agent.Turn) (err error) {
			_, action, err = agent.Elicit[approval](ctx, turn, "Quick?", &agent.ElicitOptions{TTL: time.Minute})
			return err
		}))
		began := time.Now()
		s := n.follow(n.say("c", "x"))
		if open := s.until(agent.Asked).Question.Expires.Sub(began); open != time.Minute {
			t.Errorf("open for %v", open)
		}
		s.until(agent.Finished)
		if took := time.Since(began); action != parley.Expire || took < time.Minute || took > 2*time.Minute {
			t.Errorf("%s after %v", action, took)
		}
	})
}

func TestAnAgentSendsThePersonToAURL(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		page := map[parley.ID]string{} // what the page keeps for the agent
		a := asksFirst(func(ctx context.Context, turn *agent.Turn) error {
			id, action, err := agent.ElicitURL(ctx, turn, "Pay the deposit.", "https://pay.example/{elicitation_id}", &agent.URLOptions{ElicitOptions: agent.ElicitOptions{TTL: time.Hour}})
			if err != nil {
				return err
			}
			turn.Say(string(action) + " " + page[id])
			turn.End()
			return nil
		})
		first := w.node(a)
		ref := first.say("c", "x")
		q := first.follow(ref).until(agent.Asked).Question
		if q.Mode != parley.URL || q.URL != "https://pay.example/"+string(q.ID) || q.From != "helper" || q.Labels["settled_by"] != "page" || time.Until(q.Expires) > time.Hour {
			t.Errorf("asked %+v", q)
		}
		first.kill() // another process runs it again from its start, and asks nothing anew
		second := w.node(a)
		page[q.ID] = "receipt 7"
		second.answer(q, parley.Accept)
		if got := second.follow(ref).reply(); got != "accept receipt 7 done" {
			t.Errorf("got %q", got)
		}
		all, err := second.hub.List(t.Context(), alice, parley.Query{})
		if err != nil || len(all) != 1 {
			t.Errorf("%d questions, %v", len(all), err)
		}
	})
}

func TestGoingThereIsTheAnswerWhereTheAgentSaysSo(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		n := w.node(asksFirst(func(ctx context.Context, turn *agent.Turn) error {
			_, _, err := agent.ElicitURL(ctx, turn, "Read the terms.", "https://terms.example/", &agent.URLOptions{Consent: true})
			return err
		}))
		s := n.follow(n.say("c", "x"))
		q := s.until(agent.Asked).Question
		if _, says := q.Labels["settled_by"]; says {
			t.Errorf("labels %v", q.Labels)
		}
		n.answer(q, parley.Accept)
		s.until(agent.Finished)
	})
}

func TestAProgramsAgentIsToldThatNobodyCanBeAsked(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		n := w.node(asksFirst(func(ctx context.Context, turn *agent.Turn) error {
			_, action, err := agent.Elicit[approval](ctx, turn, "Approve?", nil)
			if err == nil {
				turn.Say(string(action))
				turn.End()
			}
			return err
		}))
		ci := parley.Principal{Kind: parley.KindProgram, Key: "ci"}
		ref, err := n.Start(t.Context(), ci, agent.Message{Agent: "helper", Conversation: "c", Text: "x", CanAsk: true})
		if err != nil {
			t.Fatal(err)
		}
		f := n.Follow(ci, ref)
		defer f.Close()
		said := ""
		for {
			e, err := f.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			said += e.Text
			if e.Type == agent.Finished {
				break
			}
		}
		if !strings.Contains(said, "cancel") {
			t.Errorf("said %q", said)
		}
	})
}

// The hooks of a hub see who an agent acts for, and how they are known.
func TestHooksSeeWhoAnAgentAsksFor(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		seen := make(chan parley.Principal, 1)
		n := w.nodeWith([]parley.Hook{parley.After(parley.OpeningStore, func(_ context.Context, o *parley.Opening) error {
			seen <- o.Principal
			return nil
		})}, helper(callOnce("tracker__do"), &box{name: "tracker", prepare: needsAnswer}))
		n.follow(n.say("c", "x")).until(agent.Asked)
		if got := <-seen; got.User != alice.User || got.Method != alice.Method || got.Method == "" {
			t.Errorf("saw %+v", got)
		}
	})
}

func TestANoticeIsToldOnceHoweverOftenAHookRuns(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		ran := 0
		n := w.node(asksFirst(func(ctx context.Context, turn *agent.Turn) error {
			ran++
			if err := turn.Notify(ctx, "Looking at "+turn.Text); err != nil {
				return err
			}
			if _, _, err := agent.Elicit[approval](ctx, turn, "Approve?", nil); err != nil {
				return err
			}
			return turn.Notify(ctx, "Asked")
		}))
		s := n.follow(n.say("c", "x"))
		if e := s.until(agent.Noted); e.Text != "Looking at x" {
			t.Errorf("told %q", e.Text)
		}
		n.answer(s.until(agent.Asked).Question, parley.Decline)
		if e := s.until(agent.Noted); e.Text != "Asked" || ran != 2 {
			t.Errorf("told %q after %d runs", e.Text, ran)
		}
		s.until(agent.Finished)
	})
}

func TestTheInputOfAnAgentIsReadAsItsType(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		type expense struct{ Amount float64 }
		a := asksFirst(func(_ context.Context, turn *agent.Turn) error {
			in, err := agent.InputOf[expense](turn)
			if err != nil {
				turn.Say("not typed")
			} else if in.Amount > 1000 {
				turn.Say("too much")
			}
			turn.End()
			return nil
		})
		a.Input = []byte(`{"type":"object","properties":{"amount":{"type":"number"}}}`)
		n := w.node(a)
		for text, want := range map[string]string{`{"amount":1001}`: "too much done", "hello": "not typed done"} {
			if got := n.follow(n.say(want, text)).reply(); got != want {
				t.Errorf("%s: %q", text, got)
			}
		}
	})
}

// The node that hears of an answer needs a moment to go on with the run. Whoever
// follows it on another node, and was woken by the same answer, looks again soon.
func TestAFollowerElsewhereDoesNotMissARunThatGoesOnLater(t *testing.T) {
	for range 20 { // in some the second has the run
		inABubble(t, lateStart)
	}
}

func lateStart(t *testing.T, w *world) {
	b := &box{name: "tracker", prepare: needsAnswer}
	a := helper(callOnce("tracker__do"), b)
	first := w.node(a)
	ref := first.say("c", "hello")
	second := w.node(a)
	elsewhere := second.follow(ref)
	q := elsewhere.until(agent.Asked).Question
	time.Sleep(time.Minute) // it is known there that the run waits
	first.writesSlowly(50 * time.Millisecond)
	second.writesSlowly(60 * time.Millisecond) // so that the first has the run, and has not said so
	answered := time.Now()
	first.answer(q, parley.Accept)
	if got := elsewhere.reply(); got != "tracker did it done" {
		t.Errorf("got %q", got)
	}
	if took := time.Since(answered); took > time.Second { // of the bubble's clock
		t.Errorf("told %v after the answer", took)
	}
}
