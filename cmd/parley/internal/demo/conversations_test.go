package demo_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

// A browser that has never seen the conversation finds it: the server knows it.
func TestAConversationIsTakenUpAgainInChromium(t *testing.T) {
	chromium := browser.Start(t)
	d := started(t)
	alice := signedIn(t, chromium, d, "alice")
	say(alice.Window, "Book a trip")
	alice.WaitFor("Where would you like to go?")

	other := tabOf(t, chromium, alice, d.URL)
	other.Open(d.URL + "/inbox#conversations")
	other.WaitFor("Waits for you")
	other.Screenshot("conversations")
	other.CheckAccessible()
	other.Follow("Book a trip")
	other.WaitFor("Where would you like to go?")
	if at := other.URL(); !strings.Contains(at, "conversation=") {
		t.Errorf("it is at %s", at)
	}
	other.Emulate(browser.View{Width: 390, Height: 844, Dark: true})
	other.Screenshot("taken up, dark phone")
	other.CheckAccessible()

	other.Follow("Conversations")
	other.WaitFor("Waits for you")
	other.Follow("New conversation")
	other.WaitFor("Ask something to begin.")

	// Somebody else's list is their own, and the same address leads into nobody's conversation.
	bob := signedIn(t, chromium, d, "bob")
	bob.Open(d.URL + "/inbox#conversations")
	bob.WaitFor("You have not said anything yet.")
	bob.Open(d.URL + "/inbox#notifications")
	bob.WaitFor("This server tells nobody of questions.")
	bob.CheckAccessible()
}
