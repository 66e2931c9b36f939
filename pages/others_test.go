package pages_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	chromium "github.com/parley-hq/parley/internal/testkit/browser"
)

// agreeOn is what the form on the page that b sees sends when Connect is pressed.
func agreeOn(a *answer) url.Values {
	form := url.Values{"action": {"connect"}}
	for _, field := range a.find("input", "type=hidden") {
		form.Add(attr(field, "name"), attr(field, "value"))
	}
	return form
}

// agrees goes from our page to the provider and back.
func (v *vaultSite) agrees(b *browser, q parley.Request, form url.Values) {
	v.t.Helper()
	to := strings.TrimPrefix(b.post(oauthPath("acme", q), form).want(http.StatusOK).Header.Get("Refresh"), "0; url=")
	b.get(b.get(to).want(http.StatusFound).Header.Get("Location")).leads(connectPath(q))
}

func TestAConnectPageNamesTheOtherServersThatWillUseTheAccount(t *testing.T) {
	v := newVaultSite(t)
	waits, q := v.askAlice("wiki"), v.askAlice("tracker")
	b := v.as("alice")
	shown := b.get(connectPath(q)).want(http.StatusOK).says(
		"The credential goes to tracker.example (mcp.tracker.example)",
		"It also goes to Team <i>Wiki</i>: wiki.example (mcp.wiki.example)",
		"It waits for the same account, and will not ask you again.")
	if len(shown.find("i")) > 0 {
		t.Error("names are markup")
	}
	v.agrees(b, q, agreeOn(shown))
	b.get(connectPath(waits)).want(http.StatusOK).says("Your account is connected")
	if o := v.get(waits.ID, "alice").Outcome; o == nil || o.Action != parley.Accept || !v.connected("wiki") {
		t.Errorf("outcome %+v, connected %t", o, v.connected("wiki"))
	}
}

func TestAConnectPageThatNamedNobodyElseConnectsNobodyElse(t *testing.T) {
	v := newVaultSite(t)
	q := v.askAlice("tracker")
	b := v.as("alice")
	shown := b.get(connectPath(q)).want(http.StatusOK).lacks("also goes to", "same account")
	late := v.askAlice("wiki")
	v.agrees(b, q, agreeOn(shown))
	b.get(connectPath(late)).want(http.StatusOK).says("Connect Team <i>Wiki</i>", "Connect at acme.co.uk").lacks("Your account is connected")
	if v.get(late.ID, "alice").Outcome != nil || v.connected("wiki") {
		t.Error("wiki got the account without being named")
	}
}

func TestChromiumNamesTheOtherServersBeforeAPersonAgrees(t *testing.T) {
	l := newLiveSite(t)
	waits, q := l.ask("wiki"), l.ask("tracker")
	alice := chromium.Start(t).Person(t)
	l.signIn(alice.Window)
	pictured(t, alice, "connect two", q.URL, func(chromium.View) {
		for _, words := range []string{"It also goes to", "Team Wiki", "wiki.example", "It waits for the same account, and will not ask you again."} {
			alice.WaitFor(words)
		}
	})
	alice.Follow("#main .primary")
	alice.WaitForURL("http://localhost:")
	alice.Follow("Allow")
	alice.WaitFor("Your account is connected, and the program goes on.")
	alice.Open(waits.URL)
	alice.WaitFor("Your account is connected, and the program goes on.")
}
