package demo_test

import (
	"context"
	"io"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/parley-hq/parley/cmd/parley/internal/demo"
	"github.com/parley-hq/parley/internal/testkit/browser"
)

func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }

func started(t *testing.T) *demo.Demo { return startedFor(t, 0) }

// startedFor is a demonstration whose questions stay open for a while only.
func startedFor(t *testing.T, ttl time.Duration) *demo.Demo {
	t.Helper()
	d, err := demo.New(t.Context(), &demo.Options{Addr: "127.0.0.1:0", Dir: t.TempDir(), TTL: ttl, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		if n := d.Naked(); n != 0 {
			t.Errorf("the tracker got %d requests without a credential", n)
		}
	})
	return d
}

// say types a message and sends it.
func say(w *browser.Window, text string) {
	w.Fill("Write a message", text)
	w.Click("[aria-label=Send][aria-disabled=false]") // not before the turn before has ended
}

// signedIn is a person in front of the chat.
func signedIn(t *testing.T, chromium *browser.Browser, d *demo.Demo, name string) *browser.Person {
	t.Helper()
	p := chromium.Person(t)
	p.Open(d.URL)
	p.WaitFor("Sign in")
	p.Fill("user", name)
	p.Follow("Sign in")
	p.WaitFor("Ask something to begin.")
	return p
}

// connect goes through the provider in the popup that a card opens.
func connect(card *browser.Window) {
	popup := card.Popup(func() { card.Click("#go") })
	popup.WaitFor("Connect Acme Tracker")
	popup.Follow("[value=connect]")
	popup.WaitFor("Pick a user")
	popup.Follow("alice")
	popup.WaitFor("It will be able to")
	popup.Click("Allow")
	popup.WaitClosed()
}

func TestTheDemoInChromium(t *testing.T) {
	chromium := browser.Start(t)

	t.Run("connecting, approving and denying", func(t *testing.T) {
		d := started(t)
		alice := signedIn(t, chromium, d, "alice")
		say(alice.Window, "List the tickets in my tracker")
		alice.WaitFor("Acme Tracker requires authentication")
		alice.Screenshot("connect card")
		alice.CheckAccessible()
		connect(alice.Window)
		alice.WaitFor("Ticket 7 (open): The coffee machine is out of order")
		alice.Screenshot("tickets")

		say(alice.Window, "Close ticket 7")
		alice.WaitFor("[data-decision=allow_once]")
		alice.Screenshot("approval card")
		alice.CheckAccessible()
		alice.Click("[data-decision=allow_once]")
		alice.WaitFor("Ticket 7 is closed.")

		say(alice.Window, "Order 300 boxes of pens")
		alice.WaitFor("[data-decision=deny]")
		alice.Click("[data-decision=deny]")
		alice.WaitFor("That did not work")
		alice.Screenshot("denied")
	})

	t.Run("a form, declined and filled in", func(t *testing.T) {
		alice := signedIn(t, chromium, started(t), "alice")
		say(alice.Window, "Book a trip")
		alice.WaitFor("Where would you like to go?")
		alice.Click("Decline")
		alice.WaitFor("the traveller said decline")
		say(alice.Window, "Book a trip again")
		alice.WaitFor("#decline")
		alice.Fill("Where to", "Bergen")
		alice.Fill("Day", "2026-12-24")
		alice.Fill("Send the ticket to", "alice@example.com")
		alice.Screenshot("form card")
		alice.CheckAccessible()
		alice.Click(".buttons .primary")
		alice.WaitFor("To: Bergen")
		alice.Screenshot("booked")
	})

	t.Run("a reload in the middle, and an answer in a second tab", func(t *testing.T) {
		d := started(t)
		alice := signedIn(t, chromium, d, "alice")
		say(alice.Window, "List the tickets in my tracker")
		alice.WaitFor("Acme Tracker requires authentication")
		alice.Open(d.URL)
		alice.WaitFor("Acme Tracker requires authentication")
		alice.Screenshot("after the reload")
		connect(alice.Window)
		alice.WaitFor("Ticket 7 (open)")

		say(alice.Window, "Close ticket 9")
		alice.WaitFor("[data-decision=allow_once]")
		var id string
		alice.Eval(`[...document.querySelector("parley-chat").shadowRoot.querySelectorAll("parley-question")].find((q) => q.pending).request.elicitationId`, &id)
		tab := chromium.Person(t)
		for _, c := range alice.Cookies() {
			tab.SetCookie(d.URL, c)
		}
		tab.Open(d.URL + "/answer/" + id)
		tab.WaitFor("close_ticket")
		tab.Screenshot("the same question in a second tab")
		tab.CheckAccessible()
		tab.Follow("Allow once")
		tab.WaitFor("You allowed this call")
		alice.WaitFor("Ticket 9 is closed.")
		alice.Screenshot("answered in a second tab")
	})

	t.Run("nobody answers in time", func(t *testing.T) {
		// Long enough to be seen, on a slow machine too.
		alice := signedIn(t, chromium, startedFor(t, 10*time.Second), "alice")
		say(alice.Window, "Order 3 boxes of pens")
		alice.WaitFor("[data-decision=allow_once]")
		alice.WaitFor("That did not work")
		alice.WaitFor("xpired")
		alice.Screenshot("expired")
	})

	t.Run("a question of another agent", func(t *testing.T) {
		alice := signedIn(t, chromium, started(t), "alice")
		say(alice.Window, "Delegate to the researcher: tea")
		alice.WaitFor("On which shelf shall I look?")
		alice.Screenshot("delegated question")
		alice.Click("Decline")
		alice.WaitFor("Found: no.")
	})
}
