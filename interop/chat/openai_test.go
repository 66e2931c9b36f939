package chat_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// completionReport is what npm/openai.mjs prints.
type completionReport struct {
	Text      string       `json:"text"`
	Finish    string       `json:"finish"`
	Chunks    int          `json:"chunks"`
	Questions []shown      `json:"questions"`
	Notices   []any        `json:"notices"`
	Done      bool         `json:"done"` // the last thing on the wire was [DONE]
	Error     *kit.TsError `json:"error"`
	Answered  *struct {    // the question
		Status int `json:"status"`
	} `json:"answered"`
}

// complete checks a completion, streamed or not.
func (r completionReport) complete(t *testing.T, streamed bool, says string) {
	t.Helper()
	if r.Error != nil || r.Finish != "stop" || r.Done != streamed || !strings.Contains(r.Text, says) {
		t.Errorf("error %+v, finish %q, [DONE] %v, text %q; want %q", r.Error, r.Finish, r.Done, r.Text, says)
	}
}

// asked checks that the question came, and then its outcome.
func (r completionReport) asked(t *testing.T) {
	t.Helper()
	if len(r.Questions) != 2 || r.Questions[0].Outcome != nil || r.Questions[1].Outcome == nil || r.Questions[0].ID != r.Questions[1].ID {
		t.Fatalf("questions %+v; want one, and the same with its outcome", r.Questions)
	}
	if r.Questions[0].Context.Trigger != "mcp_elicitation" || r.Questions[1].Outcome.Action != "accept" {
		t.Errorf("question %+v with outcome %+v", r.Questions[0], r.Questions[1].Outcome)
	}
}

func TestChatClientsOfOpenAIReadToTheEnd(t *testing.T) {
	kit.NeedNode(t)
	site := startChat(t)
	for _, reader := range []string{"create", "stream"} {
		t.Run(reader, func(t *testing.T) {
			var r completionReport
			site.drive(t, "openai.mjs", reader, kit.Fields{"reader": reader, "text": "Book a trip", "content": trip}, &r)
			r.complete(t, true, booked)
			r.asked(t)
			if r.Answered == nil || r.Answered.Status != http.StatusOK {
				t.Errorf("the answer got %+v", r.Answered)
			}
		})
	}
}

func TestChatClientsOfOpenAIThatShowNoQuestionsAreAskedNone(t *testing.T) {
	kit.NeedNode(t)
	site := startChat(t)
	for _, reader := range []string{"create", "stream", "whole"} {
		t.Run(reader, func(t *testing.T) {
			headers := kit.Fields{}
			if reader == "whole" {
				headers["x-supports-elicitation"] = "true" // who waits for the whole cannot be asked
			}
			var r completionReport
			site.drive(t, "openai.mjs", reader, kit.Fields{"reader": reader, "text": "List the tickets in my tracker", "headers": headers}, &r)
			r.complete(t, reader != "whole", "That did not work")
			if len(r.Questions) > 0 || len(site.questions(t, reader)) > 0 {
				t.Errorf("asked: %+v", r.Questions)
			}
			if want := map[bool]int{true: 0, false: 1}[reader == "whole"]; len(r.Notices) != want {
				t.Errorf("%d notices; want %d", len(r.Notices), want)
			}
		})
	}
}
