package chat_test

import (
	"testing"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

func TestATaleNotesEachServerThatIsMissingOnce(t *testing.T) {
	var tale chat.Tale
	for _, box := range []string{"drive", "mail", "drive"} {
		label := map[string]string{"drive": "Team Drive"}[box]
		tale.Take(agent.Event{Type: agent.ToolsGone, Box: box, Label: label, Text: "dial tcp 10.0.0.7:443"})
	}
	want := "The tools of Team Drive are not available just now. The answer comes without them.\n\nThe tools of mail are not available just now. The answer comes without them."
	if got := tale.Reply().Told(); got != want {
		t.Errorf("%q", got)
	}
}
