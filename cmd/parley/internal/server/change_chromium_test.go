package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

// at signs somebody in on a phone, at a path.
func at(t *testing.T, chromium *browser.Browser, base, user, path string) *browser.Person {
	t.Helper()
	p := chromium.Person(t)
	p.Emulate(browser.View{Width: 390, Height: 844})
	p.Open(base + path)
	p.WaitFor("Sign in")
	p.Fill("user", user)
	p.Follow("Sign in")
	return p
}

// Two approvers have the same call before them, one in the inbox, one on its page, both
// on a phone. Bob changes it; alice's chat goes on, and carol is not asked any more.
func TestChromiumAnApproverChangesACallOnAPhone(t *testing.T) {
	chromium := browser.Start(t)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	for _, where := range []string{"inbox", "page"} {
		t.Run(where, func(t *testing.T) {
			base, made := changing(t, "rules: [{name: transfers, server: bank, approvers: \"1 of [bob, carol]\", ttl: 3d}]\n")
			said := turn(t, base)
			carols := waitingFor(t, base, named(t, "carol"))
			bobs := waitingFor(t, base, named(t, "bob"))
			carol := at(t, chromium, base, "carol", "/answer/"+carols.ID)
			carol.WaitFor("Asked by: alice")
			var bob *browser.Person
			if where == "inbox" {
				bob = at(t, chromium, base, "bob", "/inbox")
				bob.WaitFor(".row")
				bob.Click(".row")
			} else {
				bob = at(t, chromium, base, "bob", "/answer/"+bobs.ID)
			}
			bob.WaitFor("Asked by: alice")
			bob.WaitFor("Change the arguments")
			bob.Click("Change the arguments")
			bob.Fill("amount", "50")
			bob.Screenshot("an approver changes a call, " + where)
			bob.CheckAccessible()
			bob.Click("Allow with changes")
			if where == "inbox" {
				bob.WaitFor("You allowed it with changes.")
			} else {
				bob.WaitFor("with the arguments as you changed them")
			}
			if got := <-said; !strings.Contains(got, "bob changed the arguments before allowing this call: amount 100 → 50.") {
				t.Errorf("%s", got)
			}
			carol.WaitFor("No longer asked")
			if got := made.all(); got != half {
				t.Errorf("the bank got %s", got)
			}
		})
	}
}
