package pages_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
)

func TestALinkToAServerLeadsToConnectingItsAccountNow(t *testing.T) {
	v := newVaultSite(t)
	alice := v.as("alice")
	shown := alice.follow(alice.get("/auth/connect?server=search"))
	shown.want(http.StatusOK).says("Connect Search")
	to := ""
	for _, form := range shown.find("form", "method=post") {
		if strings.HasPrefix(attr(form, "action"), "/auth/connect") {
			to = attr(form, "action")
		}
	}
	alice.follow(alice.post(to, url.Values{"action": {"connect"}, "key": {"k-123"}})).want(http.StatusOK).says("Connected")
	if !v.connected("search") {
		t.Error("the account is not connected")
	}
	alice.get("/auth/connect?server=search").want(http.StatusOK).says("Your account at Search is connected. There is nothing to do.")
}

func TestALinkToAServerOpensOneQuestion(t *testing.T) {
	v := newVaultSite(t)
	alice := v.as("alice")
	asked := v.askAlice("search") // a call waits for it already
	for range 3 {
		alice.get("/auth/connect?server=search").want(http.StatusSeeOther).leads(connectPath(asked))
		alice.get("/auth/connect?server=notes").want(http.StatusSeeOther)
	}
	all, err := v.hub.List(t.Context(), parley.Principal{User: "alice"}, parley.Query{Pending: true})
	if err != nil || len(all) != 2 {
		t.Errorf("%d questions, %v", len(all), err)
	}
}

func TestALinkToAServerIsForWhoCanConnectIt(t *testing.T) {
	v := newVaultSite(t)
	alice := v.as("alice")
	for _, server := range []string{"nowhere", "shared", "agents"} {
		alice.get("/auth/connect?server=" + server).want(http.StatusNotFound).says("not yours to connect")
	}
	// Who is not signed in does that first, and comes back.
	if to := v.browser().get("/auth/connect?server=search").want(http.StatusSeeOther).Header.Get("Location"); to != "/login?next=%2Fauth%2Fconnect%3Fserver%3Dsearch" {
		t.Errorf("leads to %s", to)
	}
	all, err := v.hub.List(t.Context(), parley.Principal{User: "alice"}, parley.Query{})
	if err != nil || len(all) != 0 {
		t.Errorf("%d questions, %v", len(all), err)
	}
}
