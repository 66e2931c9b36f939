package demo_test

import (
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

// Who has lost their account's connection calls a tool by its own name all the same:
// the call waits for the account, is approved as what it is, and runs.
func TestACallThatWaitsForItsAccountIsTheOneThatRuns(t *testing.T) {
	d := started(t)
	alice := signedIn(t, browser.Start(t), d, "alice")
	say(alice.Window, "List the tickets in my tracker")
	alice.WaitFor("Acme Tracker requires authentication")
	connect(alice.Window)
	alice.WaitFor("Ticket 7 (open)")

	var status int
	alice.Eval(`fetch("/api/connections/tracker", { method: "DELETE" }).then((r) => r.status)`, &status)
	if status != 200 {
		t.Fatalf("the account is not disconnected: %d", status)
	}
	say(alice.Window, "Close ticket 9")
	alice.WaitFor("Close a ticket") // the tool itself waits, no stand-in for it
	popup := alice.Popup(func() { alice.Click("#go") })
	popup.WaitFor("Connect Acme Tracker")
	popup.Follow("[value=connect]")
	popup.WaitFor("It will be able to") // the provider knows who she is
	popup.Click("Allow")
	popup.WaitClosed()
	alice.WaitFor("[data-decision=allow_once]")
	alice.WaitFor(`"number": 9`)
	alice.Screenshot("the approval after the account")
	alice.Click("[data-decision=allow_once]")
	alice.WaitFor("Ticket 9 is closed.")
}
