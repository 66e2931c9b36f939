package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/agent"
)

// twoWaiting is a conversation with two turns that wait, and their questions.
func twoWaiting(s *site) (older, newer string) {
	s.t.Helper()
	one := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "One"), header: shows})
	older = one.question()
	two := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m2", "Two"), header: shows})
	newer = two.question()
	one.leave()
	two.leave()
	synctest.Wait()
	return older, newer
}

// shownHistory is the part of a history that these tests read.
type shownHistory struct {
	Active         bool
	ActiveMessages []string
	Messages       []struct {
		ID, Role string
		Parts    []struct {
			Type, Text string
			Data       json.RawMessage
		}
	}
}

func (s *site) shown(conversation string) shownHistory {
	s.t.Helper()
	status, raw := s.ask(asked{method: http.MethodGet, path: "/run/api/chat/" + conversation, header: shows})
	var got shownHistory
	if err := json.Unmarshal([]byte(raw), &got); err != nil || status != http.StatusOK {
		s.t.Fatalf("%d %s", status, raw)
	}
	return got
}

func TestAfterAReloadEachOfTwoWaitingTurnsCanBeFollowed(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		older, newer := twoWaiting(s)
		told := s.shown("c1")
		if !told.Active || len(told.ActiveMessages) != 2 {
			t.Fatalf("%+v", told)
		}
		path := "/run/api/chat/c1/stream"
		current := s.stream(asked{method: http.MethodGet, path: path, header: shows})
		if current.question() != newer {
			t.Error("the stream is not that of the newest turn")
		}
		first := s.stream(asked{method: http.MethodGet, path: path + "?message=" + told.ActiveMessages[0], header: shows})
		if first.question() != older {
			t.Error("the stream is not that of the turn that was named")
		}
		s.respond("c1", older, "accept", `{"colour":"red"}`)
		first.until("paint did it")
		first.until("[DONE]")
		if left := s.shown("c1"); len(left.ActiveMessages) != 1 || left.ActiveMessages[0] != told.ActiveMessages[1] {
			t.Errorf("%+v", left)
		}
	})
}

func TestATurnThatIsNotOfTheConversationIsNotFollowed(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		twoWaiting(s)
		id := s.shown("c1").ActiveMessages[0]
		for _, a := range []asked{
			{path: "/run/api/chat/c2/stream?message=" + id},
			{path: "/run/api/chat/c1/stream?message=" + id, user: "mallory"},
			{path: "/run/api/chat/c1/stream?message=nothing"},
			{path: "/run/api/chat/c1/stream?message=" + strings.Repeat("x", 5000)},
		} {
			a.method = http.MethodGet
			if status, raw := s.ask(a); status != http.StatusNotFound {
				t.Errorf("%.60s: %d %s", a.path, status, raw)
			}
		}
	})
}

// answeredBeside is a message with an answer and a text.
func answeredBeside(id, content, text string) string {
	return fmt.Sprintf(`{"id":"u9","role":"user","parts":[{"type":"data-elicitation-response","data":{"elicitationId":%q,"action":"accept","content":%s}},{"type":"text","text":%q}]}`,
		id, content, text)
}

func TestATextBesideAnAnswerIsATurn(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows})
		id := st.question()
		next := s.stream(asked{path: "/run/api/chat", body: body("c1", answeredBeside(id, `{"colour":"red"}`, "And the door")), header: shows})
		next.question()
		st.until("paint did it")
		runs, err := s.rt.History(t.Context(), alice, "c1")
		if err != nil || len(runs) != 2 || runs[1].Text != "And the door" {
			t.Errorf("%d runs, %v", len(runs), err)
		}
	})
}

func TestATextBesideAnAnswerThatDoesNotFitWaitsForARightOne(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		id := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows}).question()
		got := s.answersTo(asked{path: "/run/api/chat", body: body("c1", answeredBeside(id, `{"colour":"x"}`, "And the door")), header: shows})
		if got.Success || len(got.Results) != 1 || len(got.Results[0].Fields) != 1 || !strings.Contains(got.Error, "message was not taken") {
			t.Errorf("%+v", got)
		}
		if n := s.runs("c1"); n != 1 {
			t.Errorf("%d runs", n)
		}
		s.stream(asked{path: "/run/api/chat", body: body("c1", answeredBeside(id, `{"colour":"red"}`, "And the door")), header: shows}).question()
		if n := s.runs("c1"); n != 2 {
			t.Errorf("%d runs", n)
		}
	})
}

func TestAToolsWordsDoNotEndTheTurn(t *testing.T) {
	for _, text := range []string{
		"Could not build OAuth URL for MCP server 'x'.",
		"MCP connection for server 'x' is configured for OAuth2 but has no connected service.",
	} {
		inABubble(t, func(t *testing.T) {
			s := newSite(t, nil, driver(&box{name: "drive", call: func(context.Context, *agent.Invocation) (agent.Result, error) {
				return agent.Result{Text: text, Failed: true}, nil
			}}))
			if all := strings.Join(s.stream(sse("List files")).rest(), "\n"); strings.Contains(all, "status_code") || !strings.Contains(all, `"done"`) {
				t.Error(all)
			}
		})
		inABubble(t, func(t *testing.T) {
			s := newSite(t, nil, driver(&box{name: "drive", tools: func(agent.Caller) ([]agent.Tool, error) { return nil, errors.New(text) }}))
			if all := strings.Join(s.stream(sse("List files")).rest(), "\n"); strings.Contains(all, "status_code") || !strings.Contains(all, `"done"`) {
				t.Error(all)
			}
		})
	}
}

func TestAnAcceptWithoutAConnectionResolvesNothing(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, driver(&box{name: "drive", prepare: func(c *agent.Invocation) error {
			if _, asked := c.Answers["q"]; asked {
				return &agent.PublicError{Text: "drive is not connected."}
			}
			return asking(connect)(c)
		}}))
		st := s.stream(sse("List files"))
		st.until("oauth_required")
		const session = "a1b2c3d4-e5f6-7890-abcd-ef1234567890"
		if status, raw := s.respond(session, s.onlyQuestion(), "accept", "null"); status != http.StatusOK {
			t.Fatal(status, raw)
		}
		time.Sleep(time.Second)
		all := strings.Join(st.rest(), "\n")
		if strings.Contains(all, "oauth_connection_resolved") {
			t.Error(all)
		}
	})
}

func TestAnAcceptWhoseConnectionIsThereResolvesIt(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, driver(&box{name: "drive", prepare: asking(connect)}))
		st := s.stream(sse("List files"))
		st.until("oauth_required")
		s.respond("a1b2c3d4-e5f6-7890-abcd-ef1234567890", s.onlyQuestion(), "accept", "null")
		all := strings.Join(st.rest(), "\n")
		if strings.Count(all, "oauth_connection_resolved") != 1 || !strings.Contains(all, "drive did it") {
			t.Error(all)
		}
	})
}

func TestOneTurnTooManyOnASocketIsRefusedAlone(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		k := s.talk()
		var ids []string
		for range 8 {
			k.say(`{"message":"Go","session_id":"s1"}`)
			line := k.until("elicitationId")
			_, after, _ := strings.Cut(line, `"elicitationId":"`)
			id, _, _ := strings.Cut(after, `"`)
			ids = append(ids, id)
		}
		k.say(`{"message":"One too many","message_id":"m9"}`)
		if got := k.until("status_code"); got != `{"error":"These are too many messages at once. Wait for an answer first.","status_code":429,"message_id":"m9"}` {
			t.Error(got)
		}
		for _, id := range ids {
			k.say(`{"type":"elicitation_response","elicitationId":"` + id + `","action":"accept","content":{"colour":"red"}}`)
		}
		for range ids {
			k.until(`"done"`)
		}
		k.say(`{"message":"Now there is room","message_id":"m9"}`)
		k.until("elicitationId")
		if n := s.runs("s1"); n != 9 {
			t.Errorf("%d runs", n)
		}
	})
}

func TestAMessageThatCannotBeReadLeavesTheTurnsOfItsSocket(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		k := s.talk()
		k.say(`{"message":"Go","session_id":"s1"}`)
		k.until("elicitationId")
		k.say(`{`)
		if got := k.until("status_code"); !strings.Contains(got, `"status_code":400`) {
			t.Error(got)
		}
		k.say(`{"type":"elicitation_response","elicitationId":"` + s.onlyQuestion() + `","action":"accept","content":{"colour":"red"}}`)
		k.until("paint did it")
		if got := k.closed(); !strings.Contains(got, `"done"`) {
			t.Error(got)
		}
	})
}

func TestATurnThatFailsOnASocketLeavesTheOthers(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter(), &agent.Agent{Name: "broken", Model: says("(broken)")})
		k := s.talk()
		k.say(`{"message":"Go","session_id":"s1","agent":"helper"}`)
		k.until("elicitationId")
		k.say(`{"message":"Go","session_id":"s2","agent":"broken","message_id":"m2"}`)
		k.until(`"error":"The model is out of order.","status_code":500`)
		k.say(`{"type":"elicitation_response","session_id":"s1","elicitationId":"` + s.onlyQuestion() + `","action":"accept","content":{"colour":"red"}}`)
		k.until("paint did it")
		if got := k.closed(); !strings.Contains(got, `"done"`) { // the error's, now that nothing else goes on
			t.Error(got)
		}
	})
}

// brokenOff is a model whose stream ends in the middle of a text.
type brokenOff struct{ said string }

func (b brokenOff) Generate(_ context.Context, _ agent.Prompt, emit func(string)) (agent.Reply, error) {
	emit(b.said)
	return agent.Reply{}, &agent.PublicError{Text: "The connection to the model broke off. Try again in a moment."}
}

func TestWhatAModelSaidBeforeItsStreamBrokeOffStaysSaid(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		var prompt agent.Prompt
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: brokenOff{"The first half"}},
			&agent.Agent{Name: "later", Model: script(func(p agent.Prompt) agent.Reply { prompt = p; return agent.Reply{Text: "Yes."} })})
		all := strings.Join(s.stream(asked{path: "/run/api/chat", body: `{"agent":"helper",` + turn("c1", "m1", "Go")[1:]}).rest(), "\n")
		if strings.Count(all, "The first half") != 1 || !strings.Contains(all, `"errorText":"The connection to the model broke off.`) {
			t.Error(all)
		}
		shown := s.shown("c1").Messages[1]
		if raw := fmt.Sprint(shown); !strings.Contains(raw, "The first half") || !strings.Contains(raw, "data-warning") {
			t.Error(raw)
		}
		s.stream(asked{path: "/run/api/chat", body: `{"agent":"later",` + turn("c1", "m2", "Go on")[1:]}).rest()
		if !strings.Contains(fmt.Sprint(prompt.Messages), "The first half") {
			t.Errorf("%+v", prompt.Messages)
		}
	})
}

func TestWhatAModelSaidBeforeItWasStoppedStaysSaid(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		next := make(chan struct{}, 1)
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: writer{[]string{"The first half", " and the rest"}, next}})
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go")})
		next <- struct{}{}
		st.until("The first half")
		s.ask(asked{method: http.MethodDelete, path: "/run/api/chat/c1/stream"})
		if all := strings.Join(st.rest(), "\n"); strings.Contains(all, "The first half") || !strings.Contains(all, `"abort"`) {
			t.Error(all)
		}
		if raw := fmt.Sprint(s.shown("c1").Messages[1]); strings.Count(raw, "The first half") != 1 {
			t.Error(raw)
		}
	})
}

func TestAnEmptyReplyIsTold(t *testing.T) {
	const sentence = "The model ended without an answer. Ask again, or in another way."
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: says("")})
		for path, request := range map[string]string{
			"/run/api/chat": turn("c1", "m1", "Go"), "/run/sse": `{"message":"Go"}`,
			"/run/v1/chat/completions": `{"model":"helper","stream":true,"messages":[{"role":"user","content":"Go"}]}`,
		} {
			if all := strings.Join(s.stream(asked{path: path, body: request}).rest(), "\n"); strings.Count(all, sentence) != 1 {
				t.Errorf("%s: %s", path, all)
			}
		}
		for path, request := range map[string]string{
			"/run/api/chat": `{"stream":false,` + turn("c2", "m1", "Go")[1:], "/run/v1/chat/completions": `{"model":"helper","messages":[{"role":"user","content":"Go"}]}`,
		} {
			if _, raw := s.ask(asked{path: path, body: request}); strings.Count(raw, sentence) != 1 {
				t.Errorf("%s: %s", path, raw)
			}
		}
		if raw := fmt.Sprint(s.shown("c1").Messages[1]); !strings.Contains(raw, "data-warning") {
			t.Error(raw)
		}
	})
}

func TestAReplyThatWasCutIsTold(t *testing.T) {
	for cut, tc := range map[agent.Cut]struct{ sentence, reason string }{
		agent.CutByLength:   {"it has reached the longest that the model may write", `"finish_reason":"length"`},
		agent.CutByProvider: {"the model's provider stopped it", `"finish_reason":"content_filter"`},
	} {
		inABubble(t, func(t *testing.T) {
			s := newSite(t, nil, &agent.Agent{Name: "helper", Model: script(func(agent.Prompt) agent.Reply { return agent.Reply{Text: "Once upon", Cut: cut} })})
			for path, request := range map[string]string{"/run/api/chat": turn("c1", "m1", "Go"), "/run/sse": `{"message":"Go"}`} {
				if all := strings.Join(s.stream(asked{path: path, body: request}).rest(), "\n"); strings.Count(all, tc.sentence) != 1 || strings.Count(all, "Once upon") != 1 {
					t.Errorf("%s: %s", path, all)
				}
			}
			if raw := fmt.Sprint(s.shown("c1").Messages[1]); !strings.Contains(raw, "Once upon") || !strings.Contains(raw, "data-warning") {
				t.Error(raw)
			}
			ask := `"model":"helper","messages":[{"role":"user","content":"Go"}]}`
			all := strings.Join(s.stream(asked{path: "/run/v1/chat/completions", body: `{"stream":true,` + ask}).rest(), "\n")
			_, whole := s.ask(asked{path: "/run/v1/chat/completions", body: "{" + ask})
			for _, raw := range []string{all, whole} { // clients of this API know the reason
				if strings.Contains(raw, tc.sentence) || strings.Count(raw, tc.reason) != 1 || strings.Count(raw, "Once upon") != 1 {
					t.Error(raw)
				}
			}
		})
	}
}

func TestACutMessageWithCallsGoesOn(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Toolboxes: []agent.Toolbox{&box{name: "paint"}}, Model: script(func(p agent.Prompt) agent.Reply {
			r := calls("paint__do")(p)
			if len(r.Calls) > 0 {
				r.Cut = agent.CutByLength
			}
			return r
		})})
		all := strings.Join(s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go")}).rest(), "\n")
		if strings.Contains(all, "data-warning") || !strings.Contains(all, "paint did it") {
			t.Error(all)
		}
	})
}
