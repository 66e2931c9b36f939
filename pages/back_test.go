package pages_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
)

// appSite is a site that https://app.example may use.
func appSite(t *testing.T) *vaultSite {
	v := newVaultSite(t)
	handler, err := pages.New(v.hub, &pages.Options{
		PublicURL: local, Records: v.store, Keys: v.keys, SignIn: pages.Dev(), Connections: v.vault, Origins: []string{"https://app.example"},
	})
	if err != nil {
		t.Fatal(err)
	}
	v.web.serve("127.0.0.1:8420", handler)
	return v
}

// connects goes the whole way: to the connect page from where it is told, to the
// provider and back.
func (v *vaultSite) connects(b *browser, link, referer string) *answer {
	v.t.Helper()
	r := b.request(http.MethodGet, link, nil)
	if referer != "" {
		r.Header.Set("Referer", referer)
	}
	shown := b.follow(b.do(r))
	shown.want(http.StatusOK).says("Connect Search")
	to := ""
	for _, form := range shown.find("form", "id=decline") {
		to = attr(form, "action")
	}
	return b.follow(b.post(to, url.Values{"action": {"connect"}, "key": {"k-123"}})).want(http.StatusOK).says("Connected")
}

func TestAfterConnectingThePageLeadsBackToWhereThePersonCameFrom(t *testing.T) {
	for name, c := range map[string]struct {
		query, referer string
		to, host       string
		byItself       bool
	}{
		"as the link says":             {"&return_to=https%3A%2F%2Fapp.example%2Fchat%2F5%3Fa%3Db", "", "https://app.example/chat/5?a=b", "app.example", true},
		"as the browser says":          {"", "https://app.example/", "https://app.example/", "app.example", false},
		"a page, as the browser says":  {"", "https://app.example/chat/7", "https://app.example/chat/7", "app.example", false},
		"the link, not the browser":    {"&return_to=https%3A%2F%2Fapp.example%2Fx", "https://app.example/y", "https://app.example/x", "app.example", true},
		"this site's home page":        {"", local + "/", local + "/", "127.0.0.1:8420", false},
		"a page of this site, on it":   {"", local + "/login?next=x", "", "", false},
		"another site":                 {"&return_to=https%3A%2F%2Fevil.example%2F", "", "", "", false},
		"another site, of the browser": {"", "https://evil.example/", "", "", false},
		"another port":                 {"&return_to=https%3A%2F%2Fapp.example%3A444%2F", "", "", "", false},
		"another scheme":               {"&return_to=http%3A%2F%2Fapp.example%2F", "", "", "", false},
		"a name in front":              {"&return_to=https%3A%2F%2Fapp.example%40evil.example%2F", "", "", "", false},
		"a backslash":                  {"&return_to=https%3A%2F%2Fapp.example%5C%40evil.example%2F", "", "", "", false},
		"a script":                     {"&return_to=javascript%3Aalert(1)", "", "", "", false},
		"a path":                       {"&return_to=%2F%2Fevil.example", "", "", "", false},
		"nothing":                      {"", "", "", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			v := appSite(t)
			alice := v.as("alice")
			q := v.askAlice("search")
			done := v.connects(alice, connectPath(q)+c.query, c.referer)
			want := ""
			if c.byItself {
				want = "3; url=" + c.to
			}
			if got := done.Header.Get("Refresh"); got != want {
				t.Errorf("goes to %q by itself, want %q", got, want)
			}
			if c.to == "" {
				done.says("You can close this window and go back to where you came from.").lacks("Back to", "evil.example")
				return
			}
			done.says("Back to " + c.host).lacks("You can close this window")
			done.one("a", "href="+c.to)
			// Once: who looks again stays there.
			alice.get(connectPath(q)).want(http.StatusOK).lacks("Back to")
		})
	}
}

func TestTheWayBackSurvivesTheSignInAndIsOfOneQuestion(t *testing.T) {
	v := appSite(t)
	q, other := v.askAlice("search"), v.askAlice("notes")
	b := v.browser()
	r := b.request(http.MethodGet, connectPath(q), nil)
	r.Header.Set("Referer", "https://app.example/")
	b.do(r).want(http.StatusSeeOther)
	b.post("/login", url.Values{"user": {"alice"}})
	if err := v.vault.Decline(t.Context(), parley.Principal{User: "alice"}, other.ID); err != nil {
		t.Fatal(err)
	}
	b.get(connectPath(other)).want(http.StatusOK).lacks("Back to")
	v.connects(b, connectPath(q), "").says("Back to app.example")
}

func TestALinkToAServerLeadsBackToo(t *testing.T) {
	v := appSite(t)
	// Browsers take the page that they came from along on a redirect.
	b := v.as("alice")
	b.client.CheckRedirect = nil
	r := b.request(http.MethodGet, "/auth/connect?server=notes&return_to=https%3A%2F%2Fapp.example%2Fthere", nil)
	r.Header.Set("Referer", "https://app.example/")
	at := b.do(r).want(http.StatusOK).Request.URL
	if err := v.vault.Decline(t.Context(), parley.Principal{User: "alice"}, parley.ID(at.Query().Get("elicitation_id"))); err != nil {
		t.Fatal(err)
	}
	b.get(at.String()).want(http.StatusOK).one("a", "href=https://app.example/there")
	v.connects(v.as("alice"), "/auth/connect?server=search&return_to=https%3A%2F%2Fapp.example%2F", "").says("Back to app.example")
}
