package chat_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestWhoAnswersAQuestionThatWasWithdrawnIsToldSo(t *testing.T) {
	const sentence = "This question was withdrawn: the conversation was stopped. Your answer was not taken; ask the agent again."
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		id := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows}).question()
		if status, raw := s.ask(asked{method: http.MethodDelete, path: "/run/api/chat/c1/stream"}); status != http.StatusNoContent {
			t.Fatalf("%d %s", status, raw)
		}
		if status, raw := s.respond("c1", id, "accept", `{"colour":"red"}`); status != http.StatusConflict || !strings.Contains(raw, sentence) {
			t.Errorf("%d %s", status, raw)
		}
		part := fmt.Sprintf(`{"id":"u9","role":"user","parts":[{"type":"data-elicitation-response","data":{"elicitationId":%q,"action":"accept","content":{"colour":"red"}}}]}`, id)
		got := s.answersTo(asked{path: "/run/api/chat", body: body("c1", part), header: shows})
		if got.Success || len(got.Results) != 1 || got.Results[0].Error != sentence {
			t.Errorf("%+v", got)
		}
		// It stays stale: a text beside it is a turn.
		s.stream(asked{path: "/run/api/chat", body: body("c1", answeredBeside(id, `{"colour":"red"}`, "And the door")), header: shows}).question()
		if n := s.runs("c1"); n != 2 {
			t.Errorf("%d runs", n)
		}
	})
}

func TestAFileIsRefusedAndNothingOfItsMessageIsTaken(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		id := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m1", "Go"), header: shows}).question()
		answer := fmt.Sprintf(`{"type":"data-elicitation-response","data":{"elicitationId":%q,"action":"accept","content":{"colour":"red"}}},`, id)
		const file = `{"type":"file","mediaType":"image/png","url":"data:image/png;base64,AA=="}`
		for what, message := range map[string]string{
			"beside a text":                `{"id":"u2","role":"user","parts":[{"type":"text","text":"Look"},` + file + `]}`,
			"alone":                        `{"id":"u3","role":"user","parts":[` + file + `]}`,
			"beside an answer and a text":  `{"id":"u4","role":"user","parts":[` + answer + file + `,{"type":"text","text":"Look"}]}`,
			"in a list of content":         `{"id":"u5","role":"user","content":[{"type":"text","text":"Look"},` + file + `]}`,
			"as an image of other clients": `{"id":"u6","role":"user","content":[{"type":"text","text":"Look"},{"type":"image_url","image_url":{"url":"https://x.example/"}}]}`,
		} {
			status, raw := s.ask(asked{path: "/run/api/chat", body: body("c1", message), header: shows})
			if status != http.StatusBadRequest || !strings.Contains(raw, "is not taken here: agents are sent text alone. Send the message without it.") {
				t.Errorf("%s: %d %s", what, status, raw)
			}
		}
		if n := s.runs("c1"); n != 1 {
			t.Errorf("%d runs", n)
		}
		if open := s.onlyQuestion(); open != id {
			t.Errorf("the question %s is open, and not %s", open, id)
		}
	})
}
