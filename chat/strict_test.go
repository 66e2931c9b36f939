package chat_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
)

// twofold are the members of an answer to the question id of which one program makes a
// no, or another colour, and another a yes to red; and what names the one that is wrong.
func twofold(id string) map[string]string {
	q := fmt.Sprintf(`"elicitationId":%q,`, id)
	return map[string]string{
		q + `"action":"decline","action":"accept","content":{"colour":"red"}`:                                "action is given twice",
		q + `"action":"decline","\u0061ction":"accept","content":{"colour":"red"}`:                           "action is given twice",
		q + `"action":"decline","Action":"accept","content":{"colour":"red"}`:                                "Action is",
		q + `"Action":"accept","content":{"colour":"red"}`:                                                   "Action is",
		q + `"action":"accept","content":{"colour":"blue"},"content":{"colour":"red"}`:                       "content is given twice",
		q + `"action":"accept","content":{"colour":"blue"},"Content":{"colour":"red"}`:                       "Content is",
		q + `"action":"accept","content":{"colour":"blue","colour":"red"}`:                                   "content.colour is given twice",
		q + `"action":"accept","content":{"colour":"red","Colour":"blue"}`:                                   "content.Colour stands beside",
		q + `"action":"decline","content":{"colour":"red","colour":"blue"}`:                                  "content.colour is given twice",
		q + `"elicitationId":"other","action":"decline"`:                                                     "elicitationId is given twice",
		`"elicitationid":"other",` + q + `"action":"decline"`:                                                "elicitationid is",
		"\"ELICITATIONID\":\"other\"," + q + "\"action\":\"accept\",\"content\":{\"colour\":\"red\"}":        "ELICITATIONID is",
		q + "\"action\":\"decline\",\"action\":\"accept\",\"x\":1,\"content\":{\"colour\":\"red\",\"x\":[]}": "action is given twice",
	}
}

// surplus are members that nobody reads, whatever is in them.
const surplus = `"client":{"a":1,"a":2,"A":3},"Client":"x"`

// open fails unless the question is open.
func (s *site) open(id, after string) {
	s.t.Helper()
	if q, err := s.hub.Get(s.t.Context(), alice, parley.ID(id)); err != nil || !q.Pending() {
		s.t.Fatalf("after %s the outcome is %+v, %v", after, q.Outcome, err)
	}
}

func TestAnAnswerThatTwoProgramsReadDifferentlyIsRefusedByTheEndpoint(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows})
		id := st.question()
		give := func(body, says string) {
			t.Helper()
			status, raw := s.ask(asked{path: "/run/api/elicitation-responses", body: body})
			if status != http.StatusBadRequest || !strings.HasPrefix(raw, `{"success":false,"error":"`) || !strings.Contains(raw, says) {
				t.Errorf("%s: %d %s", body, status, raw)
			}
			s.open(id, body)
		}
		for members, says := range twofold(id) {
			give(`{"conversationId":"c1",`+members+`}`, says)
			give(`{`+members+`,"conversationId":"c1"}`, says)
		}
		give(`{"conversationId":"c2","conversationId":"c1","elicitationId":"`+id+`","action":"decline"}`, "conversationId is given twice")
		give(`{"ConversationId":"c2","conversationId":"c1","elicitationId":"`+id+`","action":"decline"}`, "ConversationId is")
		status, raw := s.ask(asked{path: "/run/api/elicitation-responses", body: `{"conversationId":"c1","elicitationId":"` + id + `","action":"accept","content":{"colour":"red"},` + surplus + `}`})
		if status != http.StatusOK {
			t.Errorf("with more than is read: %d %s", status, raw)
		}
		st.until("paint did it")
	})
}

func TestAnAnswerThatTwoProgramsReadDifferentlyIsRefusedInAMessage(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows})
		id := st.question()
		give := func(body, says string) {
			t.Helper()
			status, raw := s.ask(asked{path: "/run/api/chat", body: body})
			if status != http.StatusBadRequest || !strings.HasPrefix(raw, `{"success":false,"error":"`) || !strings.Contains(raw, says) {
				t.Errorf("%s: %d %s", body, status, raw)
			}
			s.open(id, body)
		}
		message := func(parts ...string) string {
			return `{"id":"u9","role":"user","parts":[` + strings.Join(parts, ",") + `]}`
		}
		for members, says := range twofold(id) {
			for _, kind := range []string{"response", "request"} {
				give(body("c1", message(`{"type":"data-elicitation-`+kind+`","data":{`+members+`}}`)), says)
			}
		}
		yes := fmt.Sprintf(`{"elicitationId":%q,"action":"accept","content":{"colour":"red"}}`, id)
		no := fmt.Sprintf(`{"elicitationId":%q,"action":"decline"}`, id)
		for part, says := range map[string]string{
			`{"type":"data-elicitation-response","data":` + no + `,"data":` + yes + `}`:         "data is given twice",
			`{"type":"data-elicitation-response","data":` + no + `,"Data":` + yes + `}`:         "Data is",
			`{"type":"text","text":"Hi","type":"data-elicitation-response","data":` + yes + `}`: "type is given twice",
			`{"type":"text","text":"Hi","Type":"data-elicitation-response","data":` + yes + `}`: "Type is",
			`{"type":"text","text":"Hi","Text":"Ho"}`:                                           "Text is",
		} {
			give(body("c1", message(part)), says)
			give(body("c1", message(`{"type":"text","text":"And this"}`, part)), says)
		}
		whole := message(`{"type":"data-elicitation-response","data":` + yes + `}`)
		give(`{"id":"c1","messages":[`+whole+`],"messages":[`+whole+`]}`, "messages is given twice")
		give(`{"id":"c1","messages":[],"Messages":[`+whole+`]}`, "Messages is")
		give(`{"conversationId":"c2","conversationid":"c1","messages":[`+whole+`]}`, "conversationid is")
		give(body("c1", strings.Replace(whole, `"role"`, `"parts":[],"role"`, 1)), "parts is given twice")
		give(body("c1", strings.Replace(whole, `"role":"user"`, `"role":"user","Role":"assistant"`, 1)), "Role is")
		// What tools and other programs left in a message is theirs.
		others := []string{
			`{"type":"tool-x","toolCallId":"t","state":"output-available","output":{"ID":1,"id":2,"id":3}}`, `{"type":"data-x","data":{"Action":1,"action":2}}`,
			`{"type":"data-y","data":"text"}`, `{"type":7}`, `null`, `{` + surplus + `}`,
		}
		answer := `{"type":"data-elicitation-response","data":` + strings.TrimSuffix(yes, "}") + `,` + surplus + `}}`
		old := `{"id":"a1","role":"assistant","parts":[],"parts":[{"type":"x","Type":"y"}]}`
		if got := s.answersTo(asked{path: "/run/api/chat", body: body("c1", old, message(append(others, answer)...))}); !got.Success || len(got.Results) != 1 {
			t.Errorf("%+v", got)
		}
		st.until("paint did it")
	})
}

func TestAnApprovalThatTwoProgramsReadDifferentlyIsRefusedInAMessage(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		b := &box{}
		s := newSite(t, nil, banker(b))
		opted := with("x-tool-approval", "stream")
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Pay"), header: opted})
		call := st.requested()
		id := s.onlyQuestion()
		yes := decided(true, call)
		for from, to := range map[string]string{
			`"approved":true`:              `"approved":false,"approved":true`,
			`"approval":{`:                 `"approval":{"Approved":false,`,
			`"state":"approval-responded"`: `"state":"approval-requested","state":"approval-responded"`,
			`"toolCallId":`:                `"toolcallid":"other","toolCallId":`,
			`"input":{"n":7}`:              `"Approval":{"approved":false}`,
		} {
			given := strings.Replace(yes, from, to, 1)
			status, raw := s.ask(asked{path: "/run/api/chat", body: body("c1", said("m1", "Pay"), given), header: opted})
			if given == yes || status != http.StatusBadRequest || !strings.Contains(raw, "in one way only") {
				t.Errorf("%s: %d %s", given, status, raw)
			}
			s.open(id, given)
		}
		s.ask(asked{path: "/run/api/chat", body: body("c1", said("m1", "Pay"), strings.Replace(yes, `{"n":7}`, `{"n":7,"N":8}`, 1)), header: opted})
		st.rest()
		if b.called() != 1 {
			t.Errorf("%d calls", b.called())
		}
	})
}

func TestAnAnswerThatTwoProgramsReadDifferentlyIsRefusedOnASocket(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows})
		id := st.question()
		k := s.talk()
		give := func(message, says string) {
			t.Helper()
			k.say(message)
			if got, _ := k.line(); !strings.HasPrefix(got, `{"type":"elicitation_result"`) || !strings.Contains(got, `"success":false`) || !strings.Contains(got, says) {
				t.Errorf("%s: %s", message, got)
			}
			s.open(id, message)
		}
		for members, says := range twofold(id) {
			give(`{"type":"elicitation_response","session_id":"c1",`+members+`}`, says)
			give(`{`+members+`,"session_id":"c1","type":"elicitation_response"}`, says)
		}
		no := fmt.Sprintf(`"elicitationId":%q,"action":"decline"`, id)
		give(`{"type":"elicitation_response","session_id":"c2","session_id":"c1",`+no+`}`, "session_id is given twice")
		give(`{"type":"elicitation_response","session_id":"c1","Session_ID":"c2",`+no+`}`, "Session_ID is")
		give(`{"type":"other","type":"elicitation_response","session_id":"c1",`+no+`}`, "type is given twice")
		give(`{"Type":"elicitation_response","session_id":"c1",`+no+`}`, "Type is")
		k.say(`{"type":"elicitation_response","session_id":"c1","elicitationId":"` + id + `","action":"accept","content":{"colour":"red"},` + surplus + `}`)
		if got := k.until("elicitation_result"); !strings.Contains(got, `"success":true`) {
			t.Errorf("with more than is read: %s", got)
		}
		st.until("paint did it")

		k.say(`{"message":"Stop","Message":"Go on","session_id":"c2"}`)
		if got, _ := k.line(); !strings.Contains(got, "Message is") || !strings.Contains(got, `"status_code":400`) {
			t.Errorf("a message that is no answer: %s", got)
		}
	})
}
