package demo_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

// tabOf is another tab of a person who is signed in.
func tabOf(t *testing.T, chromium *browser.Browser, p *browser.Person, address string) *browser.Person {
	t.Helper()
	tab := chromium.Person(t)
	for _, c := range p.Cookies() {
		tab.SetCookie(address, c)
	}
	return tab
}

// tabTo goes with the keyboard to what is called that.
func tabTo(w *browser.Window, name string) {
	for range 40 {
		if w.Press("Tab"); strings.Contains(w.Focused(), name) {
			return
		}
	}
}

func TestTheInboxInChromium(t *testing.T) {
	chromium := browser.Start(t)
	d := started(t)
	alice := signedIn(t, chromium, d, "alice")
	bob := chromium.Person(t)

	// Who is not signed in is sent to sign in, and back.
	bob.Open(d.URL + "/inbox")
	bob.WaitFor("Sign in")
	bob.Fill("user", "bob")
	bob.Follow("Sign in")
	bob.WaitFor("Nothing waits for you")
	if got := bob.URL(); got != d.URL+"/inbox" {
		t.Errorf("bob came back to %s", got)
	}
	bob.CheckAccessible()

	first, second := tabOf(t, chromium, alice, d.URL), tabOf(t, chromium, alice, d.URL)
	for _, tab := range []*browser.Person{first, second} {
		tab.Open(d.URL + "/inbox")
		tab.WaitFor("Nothing waits for you")
	}
	say(alice.Window, "Book a trip")
	alice.WaitFor("Where would you like to go?")

	// It arrives by itself, and is answered without a mouse.
	second.WaitFor(".row")
	second.Click(".row")
	second.WaitFor("#decline")
	first.WaitFor(".row")
	first.Screenshot("inbox list")
	first.CheckAccessible()
	tabTo(first.Window, "asks you")
	first.Press("Enter")
	first.WaitFor("#decline")
	first.Screenshot("inbox question")
	first.CheckAccessible()
	tabTo(first.Window, "Decline")
	first.Press("Enter")
	first.WaitFor("Declined.")
	first.WaitFor("Nothing else waits for you.")

	// It closes in the other tab and in the chat, which goes on.
	second.WaitFor("Declined elsewhere.")
	second.WaitFor("Nothing waits for you")
	alice.WaitFor("the traveller said decline")

	first.Click("History")
	first.WaitFor("in the inbox")
	first.Screenshot("inbox history")
	first.CheckAccessible()
	first.Emulate(browser.View{Width: 390, Height: 844, Dark: true})
	first.Screenshot("inbox history, dark phone")

	// Nothing of it was ever shown to somebody else.
	bob.WaitFor("Nothing waits for you")
	bob.Click("History")
	bob.WaitFor("Nothing was asked of you yet")
}
