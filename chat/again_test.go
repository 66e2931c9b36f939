package chat_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
)

// A client written after document 000 posts accept when its popup has closed. By
// then the vault has settled the question for the same person.
func TestAnAcceptAfterThePopupIsTaken(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		a, b := googleDrive(t)
		s := newSite(t, nil, a)
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "List files"), header: shows})
		id := st.question()
		s.settle(id, parley.Answer{Action: parley.Accept, Via: "page"}) // what vault.Callback does
		st.until("[DONE]")
		give := func(user, action string) (int, string) {
			return s.ask(asked{path: "/run/api/elicitation-responses", user: user, body: fmt.Sprintf(`{"conversationId":"c1","elicitationId":%q,"action":%q}`, id, action)})
		}
		for range 2 {
			if status, raw := give("", "accept"); status != http.StatusOK || strings.TrimSpace(raw) != `{"success":true}` {
				t.Errorf("by endpoint: %d %s", status, raw)
			}
		}
		if got := s.answersTo(asked{path: "/run/api/chat", body: body("c1", responded(id, "accept", "null"))}); !got.Success || len(got.Results) != 1 || !got.Results[0].Success {
			t.Errorf("by part: %+v", got)
		}
		for _, refused := range []struct {
			user, action string
			status       int
		}{{"", "decline", 409}, {"", "cancel", 409}, {"mallory", "accept", 404}} {
			if status, raw := give(refused.user, refused.action); status != refused.status {
				t.Errorf("%+v: %d %s", refused, status, raw)
			}
		}
		k := s.talk()
		k.say(fmt.Sprintf(`{"type":"elicitation_response","session_id":"c1","elicitationId":%q,"action":"accept"}`, id))
		if line, _ := k.line(); line != fmt.Sprintf(`{"type":"elicitation_result","elicitationId":%q,"success":true}`, id) {
			t.Errorf("by socket: %s", line)
		}
		k.say(fmt.Sprintf(`{"type":"elicitation_response","session_id":"c1","elicitationId":%q,"action":"decline"}`, id))
		if line, _ := k.line(); !strings.Contains(line, `"success":false,"error":"This question is already settled`) {
			t.Errorf("by socket: %s", line)
		}
		if b.called() != 1 {
			t.Errorf("%d calls", b.called())
		}
	})
}
