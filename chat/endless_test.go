package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/parley-hq/parley/agent"
)

// endless is a model that does not stop to write by itself.
type endless struct{ once bool } // once: it writes all at once, and more than it may

func (m endless) Generate(ctx context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	if p.Messages[len(p.Messages)-1].Text == "Thanks" {
		emit("You are welcome.")
		return agent.Reply{Text: "You are welcome."}, nil
	}
	if m.once {
		return agent.Reply{Text: strings.Repeat("ü", agent.MaxMessage)}, nil
	}
	for ctx.Err() == nil {
		emit(strings.Repeat("ü", 5_000))
	}
	return agent.Reply{}, ctx.Err()
}

func TestAModelThatWritesWithoutEndIsCut(t *testing.T) {
	for _, once := range []bool{true, false} {
		inABubble(t, func(t *testing.T) {
			s := newSite(t, nil, &agent.Agent{Name: "helper", Model: endless{once}})
			written, warnings := 0, 0
			_, raw := s.ask(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go")})
			for line := range strings.Lines(raw) {
				var part struct{ Type, Delta string }
				_ = json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &part)
				written += len(part.Delta)
				if part.Type == "data-warning" {
					warnings += strings.Count(line, "it has reached the longest that the model may write")
				}
			}
			if written != agent.MaxMessage || warnings != 1 {
				t.Errorf("%d bytes and %d warnings reached the person", written, warnings)
			}
			if n := strings.Count(fmt.Sprint(s.shown("c1").Messages[1]), "ü"); n != agent.MaxMessage/2 {
				t.Errorf("the history has %d letters", n)
			}
			if all := strings.Join(s.stream(asked{path: "/run/api/chat", body: turn("c1", "m2", "Thanks")}).rest(), "\n"); !strings.Contains(all, "You are welcome.") {
				t.Errorf("the next turn: %.300s", all)
			}
		})
	}
}

// A turn has as many messages as an agent may have steps: together they are
// bounded too.
func TestATurnThatWritesWithoutEndIsStopped(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		times := 0
		s := newSite(t, nil, &agent.Agent{Name: "helper", Toolboxes: []agent.Toolbox{&box{name: "paint"}}, Model: script(func(agent.Prompt) agent.Reply {
			times++
			return agent.Reply{Text: strings.Repeat("x", agent.MaxMessage), Calls: []agent.ToolCall{{ID: fmt.Sprint("c", times), Tool: "paint__do", Args: []byte(`{}`)}}}
		})})
		_, all := s.ask(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go")})
		if times != 4 || !strings.Contains(all, "The agent was stopped after it had written 4 MiB.") {
			t.Errorf("the model was asked %d times; last %s", times, all[max(0, len(all)-300):])
		}
	})
}
