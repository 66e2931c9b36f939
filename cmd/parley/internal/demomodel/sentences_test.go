package demomodel_test

import (
	"testing"

	"github.com/parley-hq/parley/agent"
)

// A person reads what the demonstration says, so it says sentences.
func TestResultsAreToldInSentences(t *testing.T) {
	for result, want := range map[string]string{
		`{"booked":true,"to":"Bergen","travellers":2}`:        "Booked: yes. To: Bergen. Travellers: 2.",
		`{"booked":false,"why":"the traveller said decline"}`: "Booked: no. Why: the traveller said decline.",
		`Ticket 7 is closed.`:                                 `Ticket 7 is closed.`,
		`{"rows":[1,2]}`:                                      `{"rows":[1,2]}`,
	} {
		reply, _ := ask(t, tools, user("Book a trip"), agent.PromptMessage{Role: agent.FromTools, Results: []agent.ToolResult{{Tool: "travel__book_trip", Text: result}}})
		if reply.Text != want {
			t.Errorf("%s is told as %q", result, reply.Text)
		}
	}
}

func TestATextArgumentIsWhatTheSentenceIsAbout(t *testing.T) {
	for said, want := range map[string]string{
		"Order 3 boxes of pens":           `shop__order {"item":"boxes of pens","quantity":3}`,
		"All right, order 2 bags of tea.": `shop__order {"item":"bags of tea","quantity":2}`,
		"Order":                           `shop__order {"item":"Order","quantity":1}`,
	} {
		if _, got := ask(t, tools[1:2], user(said)); got != want {
			t.Errorf("%q calls %s", said, got)
		}
	}
}
