package chat_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

type told struct {
	ID       string
	Active   bool
	Messages []struct {
		ID, Role string
		Parts    []struct {
			Type, ID, Text, State, ErrorText, ToolCallID string
			Input, Output                                json.RawMessage
			Approval                                     *struct {
				ID       string
				Approved *bool
			}
			Data struct {
				ElicitationID, Message string
				Outcome                *struct{ Action string }
			}
		}
	}
}

func (s *site) history(a asked) told {
	s.t.Helper()
	a.method = "GET"
	status, raw := s.ask(a)
	var got told
	if err := json.Unmarshal([]byte(raw), &got); err != nil || status != http.StatusOK {
		s.t.Fatalf("%d %s", status, raw)
	}
	return got
}

// kinds are the parts of a message, one word each.
func (h told) kinds(i int) string {
	var all []string
	for _, p := range h.Messages[i].Parts {
		word := p.Type
		if p.State != "" {
			word += ":" + p.State
		}
		if p.Data.Outcome != nil {
			word += ":" + p.Data.Outcome.Action
		}
		all = append(all, word)
	}
	return strings.Join(all, " ")
}

func TestTheWireOfAHistory(t *testing.T) {
	recorded(t, "history", "A conversation, looked up after a turn with a question.", func(t *testing.T, open func(*site) *site) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "msg_1", "Paint it"), header: shows})
		s.respond("c1", st.question(), "accept", `{"colour":"red"}`)
		st.rest()
		open(s).ask(asked{method: "GET", path: "/run/api/chat/c1"})
	})
}

func TestHistoryHasWhatWasSaidCalledAndAsked(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		for i, action := range []string{"accept", "decline"} {
			st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "msg_"+action, "Paint it"), header: shows})
			s.respond("c1", st.question(), action, `{"colour":"red"}`)
			st.rest()
			if got := s.history(asked{path: "/run/api/chat/c1"}); len(got.Messages) != 2*(i+1) || got.Active {
				t.Fatalf("%+v", got)
			}
		}
		got := s.history(asked{path: "/run/api/chat/c1"})
		for i, want := range []string{
			"text",
			"step-start text:done tool-paint__do:output-available data-elicitation-request:accept step-start text:done",
			"text",
			"step-start text:done tool-paint__do:output-error data-elicitation-request:decline step-start text:done",
		} {
			if kinds := got.kinds(i); kinds != want {
				t.Errorf("message %d: %s, want %s", i, kinds, want)
			}
		}
		if m := got.Messages[0]; got.ID != "c1" || m.ID != "msg_accept" || m.Role != "user" || m.Parts[0].Text != "Paint it" {
			t.Errorf("%+v", m)
		}
		m := got.Messages[1]
		if m.Role != "assistant" || string(m.Parts[2].Input) != `{"n":7,"a":"b"}` || string(m.Parts[2].Output) != `"paint did it"` ||
			m.Parts[1].Text != "One moment." || m.Parts[1].ID != "" || m.Parts[3].ID != m.Parts[3].Data.ElicitationID {
			t.Errorf("%+v", m)
		}
	})
}

func TestTheMessageThatTheStreamReplaysIsLeftToIt(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		for _, id := range []string{"m1", "m2"} {
			s.stream(asked{path: "/run/api/chat", body: turn("c1", id, "Paint it"), header: shows}).question()
		}
		got := s.history(asked{path: "/run/api/chat/c1"})
		if !got.Active || len(got.Messages) != 3 || got.Messages[2].ID != "m2" {
			t.Fatalf("%+v", got)
		}
		if kinds := got.kinds(1); kinds != "step-start text:done tool-paint__do:input-available data-elicitation-request" {
			t.Errorf("the older turn, which waits too: %s", kinds)
		}
		s.stream(asked{method: "GET", path: "/run/api/chat/c1/stream"}).until("elicitationId")
	})
}

func TestHistoryHasTheQuestionsOfDelegatesWithTheirCall(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		agents := append(bossAndWorker(), &agent.Agent{Name: "chief", Delegates: []string{"boss"}, Model: script(func(p agent.Prompt) agent.Reply {
			if last(p).Role == agent.FromTools {
				return agent.Reply{Text: "done"}
			}
			return agent.Reply{Calls: []agent.ToolCall{{ID: "1", Tool: "delegate_to_boss", Args: []byte(`{"task":"work"}`)}}}
		})})
		s := newSite(t, &chat.Options{DefaultAgent: "chief"}, agents...)
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows})
		s.respond("c1", st.question(), "accept", `{"decision":"deny"}`)
		st.rest()
		got := s.history(asked{path: "/run/api/chat/c1"})
		if kinds := got.kinds(1); kinds != "step-start tool-delegate_to_boss:output-available data-elicitation-request:accept step-start text:done" {
			t.Error(kinds)
		}
	})
}

func TestHistoryInTheWordsOfApprovals(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, banker(&box{}))
		opted := with("x-tool-approval", "suspend")
		for i, yes := range []bool{true, false} {
			st := s.stream(asked{path: "/run/api/chat", body: turn("c1", string(rune('a'+i)), "Pay"), header: opted})
			call := st.requested()
			st.rest()
			s.stream(asked{path: "/run/api/chat", body: body("c1", decided(yes, call)), header: opted}).rest()
		}
		s.stream(asked{path: "/run/api/chat", body: turn("c1", "c", "Pay"), header: opted}).requested()
		s.stream(asked{path: "/run/api/chat", body: turn("c1", "d", "Pay"), header: opted}).requested()
		for header, want := range map[string][3]string{"suspend": {"output-available", "output-denied", "approval-requested"}, "": {"output-available", "output-error", "input-available"}} {
			got := s.history(asked{path: "/run/api/chat/c1", header: with("x-tool-approval", header)})
			for i, state := range want {
				p := got.Messages[2*i+1].Parts[2]
				if p.State != state || (p.Approval != nil) != (header != "") {
					t.Errorf("%q: turn %d: %+v", header, i, p)
				}
				if header == "" {
					continue
				}
				if i == 2 && (p.Approval.Approved != nil || p.Approval.ID != "aitxt-"+p.ToolCallID) || i < 2 && *p.Approval.Approved != (i == 0) {
					t.Errorf("turn %d: %+v", i, p.Approval)
				}
			}
		}
	})
}

func TestHistorySaysWhyATurnFailed(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: says("(broken)")})
		s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go")}).rest()
		got := s.history(asked{path: "/run/api/chat/c1"})
		if p := got.Messages[1].Parts; len(p) != 2 || p[1].Type != "data-warning" || p[1].Data.Message != "The model is out of order." {
			t.Errorf("%+v", got)
		}
	})
}

func TestNobodySeesAConversationOfSomebodyElse(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows})
		id := st.question()
		if got := s.history(asked{path: "/run/api/chat/c1", user: "mallory"}); got.Active || len(got.Messages) != 0 || got.Messages == nil {
			t.Errorf("%+v", got)
		}
		if status, raw := s.ask(asked{method: "GET", path: "/run/api/chat/c1/stream", user: "mallory"}); status != http.StatusNoContent {
			t.Errorf("%d %s", status, raw)
		}
		if status, raw := s.ask(asked{method: "DELETE", path: "/run/api/chat/c1/stream", user: "mallory"}); status != http.StatusNoContent {
			t.Errorf("%d %s", status, raw)
		}
		// The same name is another conversation, and the same message another one.
		s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows, user: "mallory"}).question()
		if q, err := s.hub.Get(t.Context(), alice, parley.ID(id)); err != nil || !q.Pending() || s.runs("c1") != 1 {
			t.Errorf("%+v, %v, %d runs", q.Outcome, err, s.runs("c1"))
		}
	})
}

func TestNamesThatNoConversationHasAreRefused(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		for _, name := range []string{"a%00b", "a%0Ab", "%FF", strings.Repeat("x", 201)} {
			for _, a := range []asked{
				{method: "GET", path: "/run/api/chat/" + name}, {method: "GET", path: "/run/api/chat/" + name + "/stream"},
				{method: "DELETE", path: "/run/api/chat/" + name + "/stream"},
			} {
				if status, raw := s.ask(a); status != http.StatusBadRequest {
					t.Errorf("%s %s: %d %s", a.method, a.path, status, raw)
				}
			}
		}
		// Others are names like any other, however odd.
		for _, name := range []string{"a/b", "ä ?&%", "c.1"} {
			body := strings.Replace(turn("c1", "m", "Go"), `"c1"`, string(must(json.Marshal(name))), 1)
			st := s.stream(asked{path: "/run/api/chat", body: body, header: shows})
			st.question()
			if got := s.history(asked{path: "/run/api/chat/" + url.PathEscape(name)}); got.ID != name || !got.Active {
				t.Errorf("%q: %+v", name, got)
			}
		}
	})
}

func must(raw []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return raw
}
