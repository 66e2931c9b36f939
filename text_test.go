package parley_test

import (
	"testing"

	"github.com/parley-hq/parley"
)

func TestTheTextOfAQuestionTurnsNothingAround(t *testing.T) {
	for want, r := range map[string]parley.Request{
		"[shop] One\n\ttwo 👩\u200d💻":                        {From: "shop", Message: "One\n\ttwo 👩\u200d💻"},
		`[sh\u202eop\u000a] a\u2066b\u200b\u001b`:           {From: "sh\u202eop\n", Message: "a\u2066b\u200b\x1b"},
		"[בנק] שלום, 100":                                   {From: "בנק", Message: "שלום, 100"}, // prose is for those who read it
		`[\u05d1\u05e0\u05e7] Allow?` + "\n\"a\": \"שלום\"": {From: "בנק", Message: "Allow?\n\"a\": \"שלום\"", Trigger: parley.TriggerApproval},
		`[\u05d1\u05e0\u05e7 24] Hello`:                     {From: "בנק 24", Message: "Hello"},
		"plain":                                             {Message: "plain"},
	} {
		if got := r.Text(); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}
