package agent_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// counting counts the runs that are read.
type counting struct {
	*parley.MemoryStore
	runs atomic.Int64
}

func (c *counting) Scan(ctx context.Context, from parley.Address, after string, limit int) ([]parley.Record, error) {
	page, err := c.MemoryStore.Scan(ctx, from, after, limit)
	if from.Kind == "run" {
		c.runs.Add(int64(len(page)))
	}
	return page, err
}

func words(p agent.Prompt) (all string) {
	for _, m := range p.Messages {
		all += m.Text + "\n"
	}
	return all
}

// talkOf has so many turns of a hundred bytes each with an agent, and returns its
// last prompt and how many runs were read for that.
func talkOf(t *testing.T, turns int, a *agent.Agent) (last agent.Prompt, read int64) {
	t.Helper()
	store := &counting{MemoryStore: parley.NewMemoryStore()}
	a.Name = "helper"
	a.Model = script(func(p agent.Prompt) agent.Reply { last = p; return agent.Reply{Text: "Yes."} })
	hub := parley.New(store, &parley.Options{Logger: quiet})
	rt, err := agent.New(hub, store, nil, &agent.Options{Agents: []*agent.Agent{a}, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = rt.Run(ctx) }()
	defer func() { cancel(); <-done }()
	n := &node{Runtime: rt, t: t, hub: hub}
	for i := range turns {
		store.runs.Store(0)
		n.follow(n.say("c", fmt.Sprintf("turn %d %s", i, strings.Repeat("x", 90)))).until(agent.Finished)
		read = store.runs.Load()
	}
	return last, read
}

func TestAModelIsGivenNoMoreOfAConversationThanItsBudget(t *testing.T) {
	inABubble(t, func(t *testing.T, _ *world) {
		p, read := talkOf(t, 60, &agent.Agent{History: 2000})
		said := words(p)
		if n := len(said); n > 2400 || !strings.Contains(said, "turn 59 ") || !strings.Contains(said, "turn 52 ") || strings.Contains(said, "turn 30 ") {
			t.Errorf("%d bytes: %s", n, said)
		}
		if !strings.HasPrefix(said, "(The beginning of this conversation is left out") {
			t.Errorf("the model is not told: %.100s", said)
		}
		if read > 25 {
			t.Errorf("%d runs were read for a prompt with twenty", read)
		}
	})
}

func TestAShortConversationIsGivenWhole(t *testing.T) {
	inABubble(t, func(t *testing.T, _ *world) {
		p, _ := talkOf(t, 15, &agent.Agent{})
		if said := words(p); strings.Contains(said, "left out") || !strings.Contains(said, "turn 0 ") || len(p.Messages) != 29 {
			t.Errorf("%d messages: %s", len(p.Messages), said)
		}
	})
}

func TestHoweverShortItsTurnsAConversationIsReadUpToALimit(t *testing.T) {
	inABubble(t, func(t *testing.T, _ *world) {
		_, read := talkOf(t, 170, &agent.Agent{History: -1})
		if read > 102 {
			t.Errorf("%d runs were read", read)
		}
	})
}

// narrow is a model that takes so many bytes.
type narrow struct {
	most  int
	asked int
	last  agent.Prompt
}

func (m *narrow) Generate(_ context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	m.asked++
	n := 0
	for _, one := range p.Messages {
		n += len(one.Text)
		for _, r := range one.Results {
			n += len(r.Text)
		}
	}
	if n > m.most {
		return agent.Reply{}, &agent.PublicError{Text: "This conversation has become too long for the model. Start a new one.", Cause: agent.ErrPromptTooLong}
	}
	m.last = p
	emit("Yes.")
	return agent.Reply{Text: "Yes."}, nil
}

func TestAConversationThatIsTooLongForTheModelIsShortened(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		m := &narrow{most: 2000}
		n := w.node(&agent.Agent{Name: "helper", Model: m})
		told := 0
		for i := range 40 {
			for _, line := range n.follow(n.say("c", fmt.Sprintf("turn %d %s", i, strings.Repeat("x", 90)))).rest() {
				if strings.HasPrefix(line, "noted This conversation has become too long for the model") {
					told++
				}
				if strings.HasPrefix(line, "finished") && line != "finished done" {
					t.Fatalf("turn %d: %s", i, line)
				}
			}
		}
		said := words(m.last)
		if !strings.HasPrefix(said, "(The beginning of this conversation is left out") || !strings.Contains(said, "turn 38 ") {
			t.Error(said)
		}
		if told == 0 || told > 6 || m.asked > 40+12 {
			t.Errorf("told %d times, asked %d times for 40 turns", told, m.asked)
		}
	})
}

func TestAResultThatIsTooLongForTheModelIsShortened(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		m := &narrow{most: 8000}
		first := true
		model := modelFunc(func(ctx context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
			if first {
				first = false
				return callOnce("box__do")(p), nil
			}
			return m.Generate(ctx, p, emit)
		})
		b := &box{name: "box", call: func(context.Context, *agent.Invocation) (agent.Result, error) {
			return agent.Result{Text: strings.Repeat("é", 10_000)}, nil
		}}
		n := w.node(&agent.Agent{Name: "helper", Model: model, Toolboxes: []agent.Toolbox{b}})
		if got := n.follow(n.say("c", "Go")).reply(); got != "Yes. done" {
			t.Fatal(got)
		}
		text := last(m.last).Results[0].Text
		if len(text) > 5000 || !strings.Contains(text, "The rest of this result is left out") || strings.ContainsRune(text, '\uFFFD') {
			t.Errorf("%d bytes, …%s", len(text), text[max(0, len(text)-100):])
		}
	})
}

func TestAMessageThatIsTooLongByItselfIsRefusedWithASentence(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		m := &narrow{most: 10}
		n := w.node(&agent.Agent{Name: "helper", Model: m})
		e := n.follow(n.say("c", "This is more than it takes")).until(agent.Finished)
		if e.Reason != agent.Broken || !strings.HasPrefix(e.Text, "This conversation has become too long") || m.asked != 1 {
			t.Errorf("%+v, asked %d times", e, m.asked)
		}
	})
}

// modelFunc is a model that is a function.
type modelFunc func(context.Context, agent.Prompt, func(string)) (agent.Reply, error)

func (f modelFunc) Generate(ctx context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	return f(ctx, p, emit)
}
