package pages_test

import (
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
)

// The error that a chat shows says to retry after completing the flow. The link in
// its prompt is the only way there.
func TestAConnectLinkGoesOnWorkingAfterItsQuestionExpired(t *testing.T) {
	for name, end := range map[string]func(*vaultSite, parley.Request) error{
		"nobody has noticed": func(*vaultSite, parley.Request) error { return nil },
		"it was settled": func(v *vaultSite, q parley.Request) error {
			_, err := v.hub.Wait(v.t.Context(), q.ID)
			return err
		},
		"its turn was stopped": func(v *vaultSite, q parley.Request) error {
			return v.hub.Cancel(v.t.Context(), q.ID, "the turn was stopped")
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				v := newVaultSite(t)
				q := v.askAlice("tracker")
				b := v.as("alice")
				if name != "its turn was stopped" {
					time.Sleep(time.Until(q.Expires))
				}
				if err := end(v, q); err != nil {
					t.Fatal(err)
				}
				a := b.get(connectPath(q)).want(http.StatusOK).says(
					"Connect Issue <i>Tracker</i>", "Nobody waits for this any more", "You can still connect this account",
					"The credential goes to tracker.example", "issues:read", "Connect at acme.co.uk").lacks("Open until", "Decline")
				if main := a.one("main"); has(main, "data-watch") || has(main, "data-settled") {
					t.Errorf("the page is told %v", main.Attr)
				}
				v.as("bob").get(connectPath(q)).want(http.StatusNotFound)
				b.get(v.consent(b, "acme", q)).leads(connectPath(q))
				b.get(connectPath(q)).want(http.StatusOK).says("Connected", "Your account is connected", "Send your message again").lacks("Connect at")
				b.post(oauthPath("acme", q), agree).want(http.StatusOK).says("Connected")
				if !v.connected("tracker") {
					t.Error("not connected")
				}
				if o := v.get(q.ID, "alice").Outcome; o == nil || o.Action == parley.Accept {
					t.Errorf("the question is settled with %+v", o)
				}
			})
		})
	}
}

func TestALateConnectionResolvesWhatWaitsForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVaultSite(t)
		q := v.askAlice("tracker")
		time.Sleep(time.Until(q.Expires))
		again := v.askAlice("tracker")
		b := v.as("alice")
		b.get(v.consent(b, "acme", q)).leads(connectPath(q))
		if o := v.get(again.ID, "alice").Outcome; o == nil || o.Action != parley.Accept || o.By != "alice" {
			t.Errorf("the question of the next message: %+v", o)
		}
	})
}

func TestKeysAndSourcesAreTakenLateToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVaultSite(t)
		search, mail := v.askAlice("search"), v.askAlice("mail")
		time.Sleep(time.Until(mail.Expires))
		b := v.as("alice")
		b.get(connectPath(search)).want(http.StatusOK).says("You can still connect this account", "Key or token for Search").lacks("Decline")
		b.post(connectPath(search), url.Values{"action": {"connect"}, "key": {"k3y"}}).leads(connectPath(search))
		b.get(connectPath(search)).want(http.StatusOK).says("Connected", "Send your message again")
		b.get(connectPath(mail)).want(http.StatusOK).says("You can still connect this account", "Reload this page").lacks("Decline")
		b.post(connectPath(mail), agree).forwards("https://connect.shelf.example/?q=" + string(mail.ID))
		b.get(connectPath(mail)).want(http.StatusOK).says("You can still connect this account")
		v.source.mu.Lock()
		v.source.have = true
		v.source.mu.Unlock()
		b.get(connectPath(mail)).want(http.StatusOK).says("Connected", "Send your message again")
		for _, server := range []string{"search", "mail"} {
			if !v.connected(server) {
				t.Errorf("%s is not connected", server)
			}
		}
	})
}

// Who said no meant it, and who was connected is.
func TestALinkThatItsPersonEndedStaysEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVaultSite(t)
		q := v.askAlice("tracker")
		b := v.as("alice")
		b.post(oauthPath("acme", q), refuse).leads(connectPath(q))
		time.Sleep(time.Until(q.Expires))
		b.get(connectPath(q)).want(http.StatusOK).says("Not connected", "You declined").lacks("Connect at")
		b.post(oauthPath("acme", q), agree).want(http.StatusOK).says("You declined")
		if _, err := v.vault.Begin(t.Context(), parley.Principal{User: "alice"}, q.ID, "acme"); err == nil {
			t.Error("an attempt began")
		}
		// The page of an expired question leads to where the account is connected.
		late := v.askAlice("notes")
		time.Sleep(time.Until(late.Expires))
		b.get(path(late)).leads(connectPath(late))
		if n := v.web.count("login.acme.co.uk/authorize"); n != 0 {
			t.Error("somebody was sent to the provider")
		}
	})
}

// A late attempt that fails may be made again.
func TestALateAttemptThatFailsMayBeMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVaultSite(t)
		q := v.askAlice("tracker")
		time.Sleep(time.Until(q.Expires))
		b := v.as("alice")
		b.get(oauthPath("hooli", q)).want(http.StatusBadRequest).says("another provider", "Try again").lacks("Decline")
		back := v.consent(b, "acme", q)
		u, err := url.Parse(back)
		if err != nil {
			t.Fatal(err)
		}
		given := u.Query()
		given.Del("code")
		given.Set("error", "temporarily_unavailable")
		u.RawQuery = given.Encode()
		b.get(u.String()).want(http.StatusBadGateway).says("Try again").lacks("Decline")
	})
}

// Any client can say yes. Whether the account is connected is looked up.
func TestAYesIsNoConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVaultSite(t)
		alice := parley.Principal{User: "alice", Method: "test"}
		q := v.askAlice("tracker")
		if err := v.hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept, Via: "chat"}); err != nil {
			t.Fatal(err)
		}
		b := v.as("alice")
		b.get(path(q)).leads(connectPath(q))
		b.get(connectPath(q)).want(http.StatusOK).says("Nobody waits for this any more", "Connect at acme.co.uk").lacks("Your account is connected")
		b.get(v.consent(b, "acme", q)).leads(connectPath(q))
		if !v.connected("tracker") {
			t.Error("not connected")
		}
		b.get(connectPath(q)).want(http.StatusOK).says("Connected", "If the program has given up meanwhile, send your message again.").lacks("Connect at")
		b.post(oauthPath("acme", q), agree).want(http.StatusOK).says("Connected") // once
	})
}
