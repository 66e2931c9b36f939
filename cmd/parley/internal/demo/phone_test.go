package demo_test

import (
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

// The first approval of the demonstration, on a phone: who asks is on the screen, and
// so is every button.
func TestAnApprovalOnAPhoneIsOnTheScreen(t *testing.T) {
	d := started(t)
	p := signedIn(t, browser.Start(t), d, "ann")
	p.Emulate(browser.View{Width: 390, Height: 664})
	say(p.Window, "Order 3 boxes of pens")
	p.WaitFor("Deny")
	time.Sleep(2 * time.Second) // what is beside the question has come, too
	var seen struct{ Log, Heading, Deny, Composer float64 }
	p.Eval(`(() => {
		const chat = document.querySelector("parley-chat").shadowRoot;
		const card = [...chat.querySelectorAll("parley-question")].at(-1).shadowRoot;
		const deny = [...card.querySelectorAll("button")].find((b) => b.textContent.trim() === "Deny");
		const box = (e) => e.getBoundingClientRect();
		return { Log: box(chat.querySelector(".log")).top, Heading: box(card.querySelector("#title")).top, Deny: box(deny).bottom, Composer: box(chat.querySelector(".log")).bottom };
	})()`, &seen)
	if seen.Heading < seen.Log || seen.Deny > seen.Composer {
		t.Errorf("the heading begins at %v and Deny ends at %v; the log is from %v to %v", seen.Heading, seen.Deny, seen.Log, seen.Composer)
	}
	p.Screenshot("approval on a phone")
}
