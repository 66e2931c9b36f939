package chat_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

// body is a request with messages, given as JSON.
func body(conversation string, messages ...string) string {
	return fmt.Sprintf(`{"id":%q,"trigger":"submit-message","messages":[%s]}`, conversation, strings.Join(messages, ","))
}

// responded is a message with an answer.
func responded(id, action, content string) string {
	return fmt.Sprintf(`{"id":"u9","role":"user","parts":[{"type":"data-elicitation-response","id":%q,"data":{"elicitationId":%q,"action":%q,"content":%s}}]}`,
		id, id, action, content)
}

func said(id, text string) string {
	return fmt.Sprintf(`{"id":%q,"role":"user","parts":[{"type":"text","text":%q}]}`, id, text)
}

// answers reads the reply to answers that came as parts.
type answers struct {
	Success bool
	Error   string
	Results []struct {
		ElicitationID, Action, Error string
		Success                      bool
		Fields                       []struct{ Field, Message string }
	}
}

func (s *site) answersTo(a asked) answers {
	s.t.Helper()
	status, raw := s.ask(a)
	var got answers
	if err := json.Unmarshal([]byte(raw), &got); err != nil || status != http.StatusOK {
		s.t.Fatalf("%d %s", status, raw)
	}
	return got
}

func TestTheWireOfAnAnswerInAMessage(t *testing.T) {
	recorded(t, "part", "The answer comes as a part of a message, and again with the next one.", func(t *testing.T, open func(*site) *site) {
		s := open(newSite(t, nil, painter()))
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "msg_1", "Paint it"), header: shows})
		id := st.question()
		s.ask(asked{path: "/run/api/chat", body: body("c1", responded(id, "accept", `{"colour":"red"}`)), header: shows})
		st.rest()
		next := body("c1", responded(id, "accept", `{"colour":"red"}`), said("msg_2", "And again"))
		s.stream(asked{path: "/run/api/chat", body: next, header: shows}).question()
		if got := s.runs("c1"); got != 2 {
			t.Errorf("%d runs", got)
		}
	})
}

func TestAnAnswerMayBeWrittenIntoThePartThatAsked(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows})
		id := st.question()
		asking := func(action string) string {
			return fmt.Sprintf(`{"id":"a1","role":"assistant","parts":[{"type":"step-start"},{"type":"data-elicitation-request","id":%q,`+
				`"data":{"elicitationId":%q,"message":"Which colour?"%s,"content":{"colour":"red"}}}]}`, id, id, action)
		}
		if status, raw := s.ask(asked{path: "/run/api/chat", body: body("c1", said("m1", "Go"), asking("")), header: shows}); status != http.StatusBadRequest {
			t.Errorf("a part without an answer: %d %s", status, raw)
		}
		got := s.answersTo(asked{path: "/run/api/chat", body: body("c1", said("m1", "Go"), asking(`,"action":"accept"`)), header: shows})
		if !got.Success || len(got.Results) != 1 || got.Results[0].ElicitationID != id || got.Results[0].Action != "accept" {
			t.Errorf("%+v", got)
		}
		st.until("paint did it")
		if n := s.runs("c1"); n != 1 {
			t.Errorf("%d runs", n)
		}
	})
}

func TestAnAnswerThatDoesNotFitIsRefusedAndTheQuestionStaysOpen(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows})
		id := st.question()
		got := s.answersTo(asked{path: "/run/api/chat", body: body("c1", responded(id, "accept", `{"colour":"x"}`))})
		if got.Success || len(got.Results) != 1 || len(got.Results[0].Fields) != 1 || got.Results[0].Fields[0].Field != "colour" {
			t.Errorf("%+v", got)
		}
		if got := s.answersTo(asked{path: "/run/api/chat", body: body("c1", responded(id, "completed", `null`))}); got.Success || !strings.Contains(got.Results[0].Error, "accept, decline or cancel") {
			t.Errorf("an unknown action: %+v", got)
		}
		if got := s.answersTo(asked{path: "/run/api/chat", body: body("c1", responded(id, "decline", `null`))}); !got.Success {
			t.Errorf("%+v", got)
		}
	})
}

// staleSite is where a question of c1 was declined on another surface.
func staleSite(t *testing.T) (s *site, id string) {
	t.Helper()
	s = newSite(t, nil, painter())
	st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows})
	id = st.question()
	s.settle(id, parley.Answer{Action: parley.Decline})
	st.rest()
	return s, id
}

// Clients keep the answers that they gave and send them again.
func TestTheSameAnswerAgainIsASuccess(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s, id := staleSite(t)
		for _, user := range []string{"", "mallory"} {
			got := s.answersTo(asked{path: "/run/api/chat", user: user, body: body("c1", responded(id, "decline", `null`))})
			if ok := user == ""; got.Success != ok || len(got.Results) != 1 || got.Results[0].Success != ok || (got.Results[0].Error == "") != ok {
				t.Errorf("%q: %+v", user, got)
			}
		}
		if n := s.runs("c1"); n != 1 {
			t.Errorf("%d runs", n)
		}
	})
}

func TestStaleAnswersAloneAreToldSo(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s, id := staleSite(t)
		got := s.answersTo(asked{path: "/run/api/chat", body: body("c1", responded(id, "accept", `{"colour":"red"}`))})
		if got.Success || len(got.Results) != 1 || !strings.Contains(got.Results[0].Error, "already settled") {
			t.Errorf("%+v", got)
		}
		if n := s.runs("c1"); n != 1 {
			t.Errorf("%d runs", n)
		}
	})
}

func TestStaleAnswersDoNotKeepAMessageFromBeingSaid(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s, id := staleSite(t)
		both := fmt.Sprintf(`{"id":"m2","role":"user","parts":[{"type":"text","text":"Go on"},`+
			`{"type":"data-elicitation-response","data":{"elicitationId":%q,"action":"accept"}},`+
			`{"type":"tool-x","toolCallId":"unknown","state":"approval-responded","approval":{"id":"x","approved":true}}]}`, id)
		s.stream(asked{path: "/run/api/chat", body: body("c1", both), header: shows}).question()
		if n := s.runs("c1"); n != 2 {
			t.Errorf("%d runs", n)
		}
	})
}

func TestStaleAnswersBesideAFreshOneAreLeftOut(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s, id := staleSite(t)
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m2", "Go"), header: shows})
		open := st.question()
		both := fmt.Sprintf(`{"id":"a","role":"assistant","parts":[{"type":"data-elicitation-request","data":{"elicitationId":%q,"action":"accept"}},`+
			`{"type":"data-elicitation-request","data":{"elicitationId":%q,"action":"decline"}}]}`, id, open)
		got := s.answersTo(asked{path: "/run/api/chat", body: body("c1", both)})
		if !got.Success || len(got.Results) != 1 || got.Results[0].ElicitationID != open {
			t.Errorf("%+v", got)
		}
		st.until("[DONE]")
	})
}

func TestAnAnswerInAnOlderMessageIsNone(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows})
		id := st.question()
		s.stream(asked{path: "/run/api/chat", body: body("c1", responded(id, "decline", "null"), said("m2", "Something else")), header: shows}).question()
		if q, err := s.hub.Get(t.Context(), alice, parley.ID(id)); err != nil || !q.Pending() {
			t.Errorf("%+v, %v", q.Outcome, err)
		}
	})
}

func TestAnswersOfSomebodyElseOrToAnotherConversationChangeNothing(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows})
		id := st.question()
		call := `{"id":"a","role":"assistant","parts":[{"type":"tool-paint__do","toolCallId":"%s","state":"approval-responded","approval":{"id":"x","approved":true}}]}`
		for what, a := range map[string]asked{
			"somebody else's":              {user: "mallory", body: body("c1", responded(id, "decline", "null"))},
			"in another conversation":      {body: body("c2", responded(id, "decline", "null"))},
			"an id that is none":           {body: body("c1", responded("no such", "decline", "null"))},
			"an approval that is a colour": {body: body("c1", fmt.Sprintf(call, callOf(t, s)))},
		} {
			a.path = "/run/api/chat"
			if got := s.answersTo(a); got.Success || len(got.Results) != 1 || !strings.Contains(got.Results[0].Error, "no such question") {
				t.Errorf("%s: %+v", what, got)
			}
		}
		if q, err := s.hub.Get(t.Context(), alice, parley.ID(id)); err != nil || !q.Pending() {
			t.Errorf("%+v, %v", q.Outcome, err)
		}
	})
}

// callOf returns the call of the only run of c1.
func callOf(t *testing.T, s *site) string {
	t.Helper()
	runs, err := s.rt.History(t.Context(), alice, "c1")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range runs[0].Events() {
		if e.Type == agent.Called {
			return e.ID
		}
	}
	t.Fatal("there is no call")
	return ""
}

func TestAnAnswerNeedsItsConversation(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		status, raw := s.ask(asked{path: "/run/api/chat", body: `{"messages":[` + responded("x", "accept", "null") + `]}`})
		if status != http.StatusBadRequest || !strings.HasPrefix(raw, `{"success":false,"error":"conversationId is required`) {
			t.Errorf("%d %s", status, raw)
		}
	})
}

func TestOfManyWhoAnswerOneCounts(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows})
		id := st.question()
		const many = 8
		type told struct {
			action string
			status int
		}
		all := make(chan told, many)
		for i := range many {
			go func() {
				action := []string{"accept", "decline"}[i%2]
				body := fmt.Sprintf(`{"conversationId":"c1","elicitationId":%q,"action":%q,"content":{"colour":"red"}}`, id, action)
				all <- told{action, s.do(asked{path: "/run/api/elicitation-responses", body: body}).StatusCode}
			}()
		}
		counts := map[told]int{}
		for range many {
			counts[<-all]++
		}
		q, err := s.hub.Get(t.Context(), alice, parley.ID(id))
		if err != nil || q.Pending() {
			t.Fatalf("outcome %+v, %v", q.Outcome, err)
		}
		for _, action := range []string{"accept", "decline"} {
			status := http.StatusConflict
			if action == string(q.Outcome.Action) {
				status = http.StatusOK // whether first or again
			}
			if counts[told{action, status}] != many/2 {
				t.Errorf("%s counts, and they were told %v", q.Outcome.Action, counts)
			}
		}
		st.until("[DONE]")
	})
}

func TestTheStatusesOfTheEndpoint(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, &chat.Options{Limits: chat.Limits{Body: 1000}}, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows})
		id := st.question()
		give := func(conversation, id, rest string) string {
			return fmt.Sprintf(`{"conversationId":%q,"elicitationId":%q,%s}`, conversation, id, rest)
		}
		taken := false
		for _, tc := range []struct {
			what, user, body string
			status           int
			says             string
		}{
			{"no credential", "-", give("c1", id, `"action":"accept"`), 401, "signed in"},
			{"a service", "service", give("c1", id, `"action":"accept"`), 403, "belongs to a person"},
			{"somebody else", "mallory", give("c1", id, `"action":"accept"`), 404, "no such question"},
			{"another conversation", "", give("c2", id, `"action":"accept"`), 404, "no such question"},
			{"an unknown id", "", give("c1", "00000000000000000000000000000000", `"action":"accept"`), 404, "no such question"},
			{"no conversation", "", fmt.Sprintf(`{"elicitationId":%q,"action":"accept"}`, id), 400, "conversationId"},
			{"no id", "", `{"conversationId":"c1","action":"accept"}`, 400, "elicitationId"},
			{"an unknown action", "", give("c1", id, `"action":"completed"`), 400, "accept, decline or cancel"},
			{"no action", "", give("c1", id, `"content":{}`), 400, "accept, decline or cancel"},
			{"expire is nobody's action", "", give("c1", id, `"action":"expire"`), 400, "accept, decline or cancel"},
			{"content that does not fit", "", give("c1", id, `"action":"accept","content":{}`), 400, `"fields":[{"field":"colour"`},
			{"not JSON", "", `{"conversationId":`, 400, "JSON"},
			{"another JSON", "", `[]`, 400, "JSON"},
			{"another type", "", `{"conversationId":7}`, 400, "JSON"},
			{"too much", "", give("c1", id, `"action":"accept","content":{"colour":"`+strings.Repeat("x", 1000)+`"}`), 413, "Shorten"},
			{"who answers is not in the body", "mallory", give("c1", id, `"action":"accept","to":"alice","user":"alice","principal":{"user":"alice"}`), 404, "no such"},
			{"taken", "", give("c1", id, `"action":"accept","content":{"colour":"red"},"unknown":1`), 200, `{"success":true}`},
			{"twice", "", give("c1", id, `"action":"accept","content":{"colour":"red"}`), 200, `{"success":true}`},
			{"twice, differently", "", give("c1", id, `"action":"accept","content":{"colour":"blue"}`), 409, "already settled"},
			{"no after yes", "", give("c1", id, `"action":"decline"`), 409, "already settled"},
			{"the same by somebody else", "mallory", give("c1", id, `"action":"accept","content":{"colour":"red"}`), 404, "no such question"},
			{"the same in another conversation", "", give("c2", id, `"action":"accept","content":{"colour":"red"}`), 404, "no such question"},
		} {
			status, raw := s.ask(asked{path: "/run/api/elicitation-responses", user: tc.user, body: tc.body})
			if status != tc.status || !strings.Contains(raw, tc.says) {
				t.Errorf("%s: %d %s", tc.what, status, raw)
			}
			if ok := strings.HasPrefix(raw, `{"success":true`); ok != (status == 200) || !ok && !strings.HasPrefix(raw, `{"success":false,"error":"`) {
				t.Errorf("%s: %s", tc.what, raw)
			}
			q, err := s.hub.Get(t.Context(), alice, parley.ID(id))
			if taken = taken || tc.what == "taken"; err != nil || q.Pending() == taken {
				t.Errorf("after %s the outcome is %+v, %v", tc.what, q.Outcome, err)
			}
		}
		st.until("[DONE]")
	})
}
