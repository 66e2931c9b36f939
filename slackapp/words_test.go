package slackapp_test

import (
	"testing"
)

// TestStopSaidToTheAppAloneStopsWhatGoesOnThere: in no thread it means all of them.
func TestStopSaidToTheAppAloneStopsWhatGoesOnThere(t *testing.T) {
	o := openOffice(t, nil)
	o.link()
	o.waitForJobs()
	o.ann.Say(o.ann.DM(), "stop")
	o.whispered(o.ann.DM(), o.ann, "Nothing is going on for you here.")
	release := o.model.hold("zwei")
	defer release()
	o.ann.Say(o.ann.DM(), "say eins zwei drei")
	o.whispered(o.ann.DM(), o.ann, "eins")
	o.ann.Say(o.ann.DM(), "stop")
	o.waitFor(o.ann.DM(), "Stopped. What was done until then is done.")
}

// TestWhoIsNotLinkedEndsNothing: not later either, when they are.
func TestWhoIsNotLinkedEndsNothing(t *testing.T) {
	o := openOffice(t, nil)
	for n, word := range []string{"unlink", "Stop."} {
		o.ann.Say(o.ann.DM(), word)
		o.toldOften(o.ann, "so there is nothing to end", n+1)
	}
	o.waitForJobs()
	o.link()
	o.waitForJobs()
	if all, err := o.served.Load().app.Accounts(t.Context(), alice); err != nil || len(all) != 1 || all[0].Name != "ann" {
		t.Errorf("%v, %v", all, err)
	}
}

// TestFilesAreNotRead: and their author is told so.
func TestFilesAreNotRead(t *testing.T) {
	o := openOffice(t, nil)
	o.link()
	o.waitForJobs()
	attached := func(ts, text string) {
		o.slack.SendEvent(o.acme, map[string]any{
			"type": "message", "subtype": "file_share", "channel_type": "im", "channel": o.ann.DM().ID, "user": o.ann.ID, "ts": ts, "text": text, "files": []any{map[string]any{"id": "F1"}},
		})
	}
	with := o.ann.Say(o.ann.DM(), "say first")
	o.waitFor(o.ann.DM(), "first")
	attached(with.TS, "")
	o.whispered(o.ann.DM(), o.ann, "what you attached was not read. Write what you want.")
	attached(o.ann.Say(o.ann.DM(), "say one").TS, "say one")
	o.whispered(o.ann.DM(), o.ann, "I read text only: what you attached was not read.")
	o.waitFor(o.ann.DM(), "one")
}
