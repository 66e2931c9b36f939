package notify_test

import (
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/permit"
)

func TestATitleSaysForWhomACallIsAsPeopleAreKnown(t *testing.T) {
	for asker, want := range map[string]string{
		"":                                      "May pay be called?",
		"alice":                                 "May pay be called for alice?",
		parley.SessionPrincipal("", "4f1").User: "May pay be called for somebody who is not signed in?",
		parley.CallPrincipal("", "4f1").User:    "May pay be called for somebody who is not signed in?",
	} {
		q := parley.Request{Trigger: parley.TriggerApproval, Labels: map[string]string{permit.LabelTool: "pay", parley.LabelAsker: asker}}
		if got := notify.Title(q); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}
