package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

// titled is a box that its operator calls something.
type titled struct {
	*box
	title string
}

func (b titled) Title() string { return b.title }

func (s *site) historyText(conversation string) string {
	s.t.Helper()
	status, raw := s.ask(asked{method: "GET", path: "/run/api/chat/" + conversation})
	if status != http.StatusOK {
		s.t.Fatalf("%d %s", status, raw)
	}
	return strings.Join(strings.Fields(raw), "")
}

// has fails unless a text has all of the words, without regard to spaces.
func has(t *testing.T, what, text string, words ...string) {
	t.Helper()
	text = strings.Join(strings.Fields(text), "")
	for _, w := range words {
		if !strings.Contains(text, strings.Join(strings.Fields(w), "")) {
			t.Errorf("%s lacks %s:\n%s", what, w, text)
		}
	}
}

// upTo is everything up to a question, and its id.
func (s *stream) upTo() (all, id string) {
	s.t.Helper()
	for !strings.Contains(all, "elicitationId") {
		line, ok := s.line()
		if !ok {
			s.t.Fatal("the stream ended without a question")
		}
		all += line + "\n"
	}
	_, after, _ := strings.Cut(all, `"elicitationId":"`)
	id, _, _ = strings.Cut(after, `"`)
	return all, id
}

func (s *stream) restText() string {
	s.t.Helper()
	return strings.Join(s.rest(), "\n")
}

func TestCallsAndQuestionsHaveTheTitlesThatPeopleKnow(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: calls("paint__do"), Toolboxes: []agent.Toolbox{
			titled{&box{name: "paint", prepare: asking(colour)}, "Paint & Co"},
		}})
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Paint it"), header: shows})
		raw, id := st.upTo()
		title := `"title":"Do it","service":"paint","serviceTitle":"Paint & Co"`
		has(t, "the stream", raw, `"transient":true`, title, `"service":"paint","serviceTitle":"Paint & Co","account":"alice"`)
		s.respond("c1", id, "accept", `{"colour":"red"}`)
		st.rest()
		has(t, "the history", s.historyText("c1"), title, `"service":"paint","serviceTitle":"Paint & Co","account":"alice"`)
	})
}

func TestTheTitleOfABoxIsNotThatOfAnotherWhoAsks(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		other := colour
		other.From = "somebody"
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: calls("paint__do"), Toolboxes: []agent.Toolbox{
			titled{&box{name: "paint", prepare: asking(other)}, "Your bank"},
		}})
		raw, _ := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Paint it"), header: shows}).upTo()
		has(t, "the question", raw, `"service":"somebody","account":"alice"`)
	})
}

func TestADelegatesQuestionNamesTheCallThatWaitsForIt(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		agents := append(bossAndWorker(), &agent.Agent{Name: "chief", Delegates: []string{"boss"}, Model: script(func(p agent.Prompt) agent.Reply {
			if last(p).Role == agent.FromTools {
				return agent.Reply{Text: "done"}
			}
			return agent.Reply{Calls: []agent.ToolCall{{ID: "1", Tool: "delegate_to_boss", Args: []byte(`{"task":"work"}`)}}}
		})})
		s := newSite(t, &chat.Options{DefaultAgent: "chief"}, agents...)
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows})
		raw, id := st.upTo()
		_, after, _ := strings.Cut(raw, `"tool-input-start","toolCallId":"`)
		call, _, _ := strings.Cut(after, `"`)
		if call == "" {
			t.Fatal(raw)
		}
		has(t, "the question", raw, `"parentToolCallId":"`+call+`"`)
		s.respond("c1", id, "accept", `{"decision":"deny"}`)
		st.rest()
		has(t, "the history", s.historyText("c1"), `"parentToolCallId":"`+call+`"`)
	})
}

func TestHistoryHasWhatWasDecidedAndNothingElseThatWasAnswered(t *testing.T) {
	lasting := mayI
	lasting.Schema = json.RawMessage(`{"type":"object","properties":{"decision":{"type":"string","enum":["allow_once","always_allow","deny"]},` +
		`"until":{"type":"string","oneOf":[{"const":"hour","title":"For an hour"},{"const":"day","title":"For a day"}]},"note":{"type":"string"}},"required":["decision"]}`)
	for content, want := range map[string]string{
		`{"decision":"allow_once"}`: `"outcome":{"action":"accept","decision":"allow_once","by":"alice"`,
		`{"decision":"deny"}`:       `"outcome":{"action":"accept","decision":"deny","by":"alice"`,
		`{"decision":"always_allow","until":"hour","note":"my secret"}`: `"outcome":{"action":"accept","decision":"always_allow","limits":{"until":"hour"},"by":"alice"`,
		`{"decision":"allow_once","until":"hour"}`:                      `"outcome":{"action":"accept","decision":"allow_once","by":"alice"`,
	} {
		t.Run(content, func(t *testing.T) {
			inABubble(t, func(t *testing.T) {
				s := newSite(t, nil, &agent.Agent{Name: "helper", Model: calls("bank__do"), Toolboxes: []agent.Toolbox{&box{name: "bank", prepare: asking(lasting)}}})
				st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Pay"), header: shows})
				s.respond("c1", st.question(), "accept", content)
				rest := st.restText()
				history := s.historyText("c1")
				has(t, "the stream", rest, want)
				has(t, "the history", history, want)
				if strings.Contains(rest+history, "secret") {
					t.Error("what somebody typed is told")
				}
			})
		})
	}
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Paint it"), header: shows})
		s.respond("c1", st.question(), "accept", `{"colour":"hush"}`)
		if all := st.restText() + s.historyText("c1"); strings.Contains(all, "hush") || strings.Contains(all, `"decision"`) {
			t.Error(all)
		}
	})
}

// exhausted is a model whose server takes nothing any more.
type exhausted struct{}

func (exhausted) Generate(context.Context, agent.Prompt, func(string)) (agent.Reply, error) {
	return agent.Reply{}, fmt.Errorf("refused: %w", &agent.PublicError{Text: "This is too long. Start a new one.", Cause: agent.ErrPromptTooLong})
}

func TestATurnThatFailedOrWasStoppedLeavesItsMark(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Paint it"), header: shows})
		st.question()
		s.ask(asked{method: "DELETE", path: "/run/api/chat/c1/stream"})
		has(t, "the stream", st.restText(), `"type":"abort"`)
		has(t, "the history", s.historyText("c1"), `{"type":"data-warning","id":"stopped","data":{"message":"This answer was stopped.","ended":"stopped"}}`)
	})
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: says("(broken)")})
		raw := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go")}).restText()
		if strings.Contains(raw, "data-warning") {
			t.Errorf("what the error says is said twice: %s", raw)
		}
		has(t, "the history", s.historyText("c1"), `{"type":"data-warning","id":"failure","data":{"message":"The model is out of order.","ended":"failed"}}`)
	})
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: exhausted{}})
		mark := `"type":"data-warning","id":"failure","data":{"message":"This is too long. Start a new one.","ended":"failed","code":"conversation_too_long"}`
		raw := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go")}).restText()
		has(t, "the stream", raw, mark, `"type":"error","errorText":"This is too long. Start a new one."`)
		history := s.historyText("c1")
		has(t, "the history", history, mark)
		if strings.Count(history, "data-warning") != 1 {
			t.Error(history)
		}
	})
}

func TestAnAnswerSaysWhoseConversationsItShowsAndNoName(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, &chat.Options{Origins: []string{"https://app.example"}}, painter())
		account := func(user string) string {
			h := with("Authorization", "Bearer "+user, "Origin", "https://app.example")
			r := s.do(asked{method: "GET", path: "/run/api/chat/c1", header: h})
			defer r.Body.Close()
			if !strings.Contains(r.Header.Get("Access-Control-Expose-Headers"), "x-parley-account") {
				t.Error("pages of other origins may not read it")
			}
			return r.Header.Get("X-Parley-Account")
		}
		a, b := account("alice"), account("bob")
		if a == "" || a == b || a != account("alice") || strings.Contains(a, "alice") {
			t.Errorf("%q, %q", a, b)
		}
	})
}

func TestFieldsThatABrowserWouldReorderComeWithTheirOrder(t *testing.T) {
	for properties, want := range map[string]string{
		`"b":{"type":"string"},"10":{"type":"string"},"2":{"type":"string"}`:  `"fieldOrder":["b","10","2"]`,
		`"b":{"type":"string"},"a":{"type":"string"},"1.5":{"type":"string"}`: `"requestedSchema":{"type":"object","properties":{"b":{"type":"string"},"a":`,
	} {
		inABubble(t, func(t *testing.T) {
			q := parley.Request{From: "paint", Message: "Which?", Trigger: parley.TriggerMCP, Schema: json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":["b"]}`)}
			s := newSite(t, nil, &agent.Agent{Name: "helper", Model: calls("paint__do"), Toolboxes: []agent.Toolbox{&box{name: "paint", prepare: asking(q)}}})
			raw, _ := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows}).upTo()
			has(t, "the question", raw, want)
			if strings.Contains(want, "fieldOrder") != strings.Contains(raw, "fieldOrder") {
				t.Error(raw)
			}
		})
	}
}
