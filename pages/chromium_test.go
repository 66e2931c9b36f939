package pages_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	chromium "github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/vault"
)

// liveSite is a site on a real socket, with a provider whose sign-in page is on
// another origin, and an application that opens the site in a popup.
type liveSite struct {
	*site
	vault    *vault.Vault
	acme     *idp
	app      *httptest.Server // may be told of outcomes
	stranger *httptest.Server // may not
}

func newLiveSite(t *testing.T) *liveSite {
	l := &liveSite{}
	l.app, l.stranger = listen(t, http.HandlerFunc(opener)), listen(t, http.HandlerFunc(opener))
	l.acme = newIDP(t, "")
	signIn := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Acme</title><link rel="icon" href="data:,"><a href="%s&allowed=1">Allow</a>`,
			strings.ReplaceAll(r.URL.Query().Get("back"), "&", "&amp;"))
	}))
	provider := listen(t, nil)
	l.acme.issuer = provider.URL
	provider.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/authorize" && r.URL.Query().Get("allowed") == "" {
			// Another origin than the one that the consent page named.
			away := strings.Replace(signIn.URL, "127.0.0.1", "localhost", 1)
			http.Redirect(w, r, away+"/?back="+url.QueryEscape(provider.URL+r.URL.RequestURI()), http.StatusFound)
			return
		}
		l.acme.ServeHTTP(w, r)
	})
	server := listen(t, nil)
	l.site = newSite(t, server.URL, func(s *site, o *pages.Options) {
		client := outbound.Client(&outbound.Options{Loopback: true})
		t.Cleanup(client.CloseIdleConnections)
		var err error
		l.vault, err = vault.New(s.hub, s.store, s.keys, &vault.Options{
			PublicURL: server.URL, Client: client, Logger: o.Logger, Providers: []vault.Provider{l.acme.asProvider("acme", "Acme Cloud")},
			Servers: []vault.Server{
				{Name: "tracker", Title: "Issue Tracker", URL: "https://tracker.example/mcp", Auth: vault.Auth{
					Type: vault.OAuth2, Scope: vault.User, Provider: "acme", Scopes: []string{"issues:read", "issues:write"}}},
				{Name: "search", Title: "Search", URL: "https://api.search.example/mcp", Auth: vault.Auth{Type: vault.APIKey, Scope: vault.User}},
				{Name: "wiki", Title: "Team Wiki", URL: "https://mcp.wiki.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Provider: "acme", Scopes: []string{"issues:read"}}},
				{Name: "shared", Title: "Shared", URL: "https://shared.example/mcp", Auth: vault.Auth{Type: vault.APIKey, Scope: vault.Platform}},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		o.Connections, o.Origins = l.vault, []string{l.app.URL}
	})
	server.Config.Handler = l.site
	return l
}

// listen starts a server whose handler may be set before the first request.
func listen(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(h)
	server.Start()
	t.Cleanup(server.Close)
	return server
}

// opener is a page that opens another in a popup and writes down what it is
// told.
func opener(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Application</title><link rel="icon" href="data:,">
<button onclick="window.open('%s', 'parley', 'popup,width=480,height=720')">Connect your account</button><p id="told">nothing</p>
<script>addEventListener("message", (e) => { document.getElementById("told").textContent += " " + e.origin + " " + JSON.stringify(e.data); });</script>`,
		r.URL.Query().Get("open"))
}

func (l *liveSite) ask(server string) parley.Request {
	l.t.Helper()
	v := &vaultSite{site: l.site, vault: l.vault}
	return v.askAlice(server)
}

func (l *liveSite) signIn(w *chromium.Window) {
	w.Open(l.url + "/login")
	w.Follow("alice")
	w.WaitFor("You are signed in as alice")
}

func TestChromiumConnectsInAPopupAndTellsTheOpener(t *testing.T) {
	l := newLiveSite(t)
	q := l.ask("tracker")
	alice := chromium.Start(t).Person(t)
	alice.Open(l.app.URL + "/?open=" + url.QueryEscape(q.URL))
	popup := alice.Popup(func() { alice.Click("Connect your account") })
	popup.WaitFor("development server")
	popup.Follow("alice")
	popup.WaitFor("Connect Issue Tracker")
	popup.Screenshot("consent")
	popup.Follow("#main .primary")
	popup.WaitForURL("http://localhost:")
	popup.Click("Allow")
	popup.WaitClosed()
	alice.WaitFor(fmt.Sprintf(`%s {"type":"parley:settled","elicitationId":"%s","action":"accept"}`, l.url, q.ID))
	if o := l.get(q.ID, "alice").Outcome; o == nil || o.Action != parley.Accept {
		t.Errorf("outcome %+v", o)
	}
}

func TestChromiumDoesNotTellOtherSites(t *testing.T) {
	l := newLiveSite(t)
	q := l.open(parley.Request{})
	alice := chromium.Start(t).Person(t)
	l.signIn(alice.Window)
	// Chromium's complaint about the origin is lost when the popup closes too
	// soon: it may come, so the test makes sure that one does.
	const complaint = "does not match the recipient window's origin"
	alice.Expect(complaint)
	alice.Open(l.stranger.URL + "/?open=" + url.QueryEscape(l.url+path(q)))
	alice.Eval(`console.error("`+complaint+`")`, nil)
	popup := alice.Popup(func() { alice.Click("Connect your account") })
	popup.WaitFor("Send answer")
	popup.Click("Decline")
	popup.WaitClosed()
	// Asked of the page itself: a message that was sent has arrived by now.
	alice.Eval(`new Promise((done) => { addEventListener("message", done); postMessage("last", origin); })`, nil)
	if got := alice.Text("#told"); strings.Contains(got, "parley") {
		t.Errorf("the stranger was told %s", got)
	}
}

func TestChromiumWorksWithoutAPopup(t *testing.T) {
	l := newLiveSite(t)
	q := l.ask("tracker")
	alice := chromium.Start(t).Person(t)
	alice.Open(q.URL)
	alice.Follow("alice")
	alice.WaitFor("Connect Issue Tracker")
	alice.Follow("#main .primary")
	alice.WaitForURL("http://localhost:")
	alice.Click("Allow")
	alice.WaitFor("Your account is connected")
	if got := alice.URL(); got != l.url+connectPath(q) {
		t.Errorf("the address is %s", got)
	}
	alice.WaitFor("You can close this window")
	alice.Screenshot("connected")
	alice.CheckAccessible()
}

func TestChromiumRefusalAtTheCallbackLeavesNoCodeBehind(t *testing.T) {
	l := newLiveSite(t)
	alice := chromium.Start(t).Person(t)
	l.signIn(alice.Window)
	alice.Open(l.url + "/oauth/callback/acme?code=SECRET&state=unknown")
	alice.WaitFor("Not connected")
	if got := alice.WaitForURL(l.url + "/oauth/callback/acme"); strings.Contains(got, "SECRET") {
		t.Errorf("the address is %s", got)
	}
}

// focuses waits until the keyboard is where it should be. A page gives it away
// when it is drawn, which is some time after it was loaded or a link was clicked.
func focuses(t *testing.T, w *chromium.Window, what string, is func(name string) bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		got := w.Focused()
		if is(got) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: the keyboard is at %q", what, got)
		}
	}
}

func TestChromiumAnswersAForm(t *testing.T) {
	l := newLiveSite(t)
	q := l.open(parley.Request{From: "expenses", Message: "Please check this.\n\nIt is for the trip to Lisbon.", Schema: formOf(`
		"purpose":{"type":"string","title":"Purpose","minLength":3},
		"day":{"type":"string","format":"date","title":"Day"},
		"at":{"type":"string","format":"date-time","title":"Departure"},
		"people":{"type":"integer","title":"People","minimum":1,"maximum":9},
		"billable":{"type":"boolean","title":"Bill it"},
		"sure":{"type":"boolean","title":"Was it approved?"},
		"kind":{"type":"string","title":"Kind","oneOf":[{"const":"t","title":"Travel"},{"const":"f","title":"Food"}]},
		"month":{"type":"string","title":"Month","enum":["Jan","Feb","Mar","Apr","May","Jun","Jul","Aug"]},
		"tags":{"type":"array","title":"Tags","items":{"type":"string","enum":["urgent","private"]}}`, `"purpose","people","sure"`)})
	alice := chromium.Start(t).Person(t)
	l.signIn(alice.Window)
	alice.Open(l.url + path(q))
	alice.Fill("Purpose", "x")
	alice.Fill("People", "many")
	alice.Fill("Month", "Mar")
	alice.Click("Bill it")
	alice.Click("Food")
	alice.Click("urgent")
	alice.Eval(`document.getElementById("field-1").value = "2026-03-04", document.getElementById("field-2").value = "2026-03-04T05:06"`, nil)
	alice.Fill("[name='field.at.zone']", "UTC+05:45")
	alice.Follow("Send answer")
	alice.WaitFor("Please correct this")
	focuses(t, alice.Window, "after the errors have come", func(name string) bool { return strings.Contains(name, "Please correct this") })
	alice.Screenshot("errors")
	alice.CheckAccessible()
	alice.Press("Tab")
	if got := alice.Focused(); got != "Purpose must be at least 3 characters long." {
		t.Errorf("behind the heading comes %q", got)
	}
	alice.Click("Purpose must be at least 3 characters long.")
	focuses(t, alice.Window, "behind the first error", func(name string) bool {
		return strings.HasPrefix(name, "Purpose") && !strings.Contains(name, "must be") // that is the error itself
	})
	alice.Fill("Purpose", "Trip")
	alice.Fill("People", "3")
	alice.Click("Yes")
	alice.Follow("Send answer")
	alice.WaitFor("Your answer was taken")
	want := `{"purpose":"Trip","day":"2026-03-04","at":"2026-03-04T05:06:00+05:45","people":3,"billable":true,"sure":true,"kind":"f","month":"Mar","tags":["urgent"]}`
	if got := string(l.get(q.ID, "alice").Outcome.Content); got != want {
		t.Errorf("content %s\nwant    %s", got, want)
	}
}

func TestChromiumGoesWhereAQuestionLeads(t *testing.T) {
	l := newLiveSite(t)
	q := l.open(parley.Request{From: "travel", Mode: parley.URL, URL: strings.Replace(l.stranger.URL, "127.0.0.1", "localhost", 1) + "/check-in?a=1&b=%22%3C", Message: "Check in."})
	alice := chromium.Start(t).Person(t)
	l.signIn(alice.Window)
	alice.Open(l.url + path(q))
	alice.Screenshot("visit")
	alice.CheckAccessible()
	alice.Follow("#main .primary")
	if got := alice.WaitForURL(q.URL); got != q.URL {
		t.Errorf("went to %s, want %s", got, q.URL)
	}
}

func TestChromiumNoticesWhatIsSettledElsewhere(t *testing.T) {
	l := newLiveSite(t)
	q := l.open(parley.Request{})
	alice := chromium.Start(t).Person(t)
	l.signIn(alice.Window)
	alice.Open(l.url + path(q))
	alice.WaitFor("Send answer")
	if err := l.hub.Answer(t.Context(), parley.Principal{User: "alice"}, q.ID, parley.Answer{Action: parley.Accept, Via: "slack"}); err != nil {
		t.Fatal(err)
	}
	alice.WaitFor("Your answer was taken")
	alice.WaitFor("slack")
}

func TestChromiumPagesAreAccessibleInEveryView(t *testing.T) {
	l := newLiveSite(t)
	long := strings.Repeat("averyveryverylongwordwithoutanybreak", 20)
	for name, where := range map[string]string{
		"form":     path(l.open(parley.Request{From: "expenses", Message: "Please check this.", Schema: everyKind(), Expires: time.Now().Add(time.Hour)})),
		"approval": path(l.open(parley.Request{From: "files", Trigger: parley.TriggerApproval, Message: "delete_folder\n{\n  \"path\": \"/reports\"\n}\n" + long, Schema: formOf(`"d":{"type":"string","title":"May it run?","enum":["Allow once","Always allow","Do not allow"]}`, `"d"`)})),
		"consent":  connectPath(l.ask("tracker")),
		"key":      connectPath(l.ask("search")),
		"picker":   "/login?switch=1",
		"signedin": "/login",
		"missing":  "/answer/x",
	} {
		t.Run(name, func(t *testing.T) {
			alice := chromium.Start(t).Person(t)
			l.signIn(alice.Window)
			for _, view := range []chromium.View{{}, {Dark: true}, {Width: 360}, {Width: 360, Dark: true}} {
				alice.Emulate(view)
				alice.Open(l.url + where)
				alice.CheckAccessible()
				var wider bool
				alice.Eval(`document.documentElement.scrollWidth > document.documentElement.clientWidth`, &wider)
				if wider {
					t.Errorf("%+v: it is wider than the window", view)
				}
				alice.Screenshot(fmt.Sprintf("%s %d dark=%t", name, view.Width, view.Dark))
			}
		})
	}
}
