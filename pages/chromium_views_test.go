package pages_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	chromium "github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/permit"
)

// views are how people look at a page: at a desk, on a phone, and in the dark.
var views = []chromium.View{{}, {Width: 390}, {Width: 390, Dark: true}}

// pictured looks at a page in every view: it fits, everybody can use it, and its
// picture is kept.
func pictured(t *testing.T, w *chromium.Person, name, address string, look func(chromium.View)) {
	t.Helper()
	for _, view := range views {
		w.Emulate(view)
		w.Open(address)
		w.CheckAccessible()
		var wider bool
		w.Eval(`document.documentElement.scrollWidth > document.documentElement.clientWidth`, &wider)
		if wider {
			t.Errorf("%s, %+v: it is wider than the window", name, view)
		}
		w.Screenshot(fmt.Sprintf("%s %d dark=%t", name, view.Width, view.Dark))
		if look != nil {
			look(view)
		}
	}
	w.Emulate(chromium.View{})
}

// onScreen reports whether the elements lie within the window, unscrolled.
func onScreen(w *chromium.Person, css string) (all bool) {
	w.Eval(fmt.Sprintf(`[...document.querySelectorAll(%q)].length > 0 && [...document.querySelectorAll(%[1]q)].every((e) => { const r = e.getBoundingClientRect(); return r.height > 0 && r.top >= 0 && r.bottom <= innerHeight; })`, css), &all)
	return all
}

// aLongCall is more than a form shows.
var aLongCall = `{"first":"BEGINS HERE","list":"` + strings.Repeat("a pound of tea, ", 1_200) + `","note":"ENDS HERE"}`

// askCall opens a question for the approval of a call.
func (l *liveSite) askCall(arguments string) parley.Request {
	l.t.Helper()
	permits, err := permit.New(l.hub, l.store, l.keys, &permit.Options{CallBytes: 256 << 10})
	if err != nil {
		l.t.Fatal(err)
	}
	q, err := permits.Question(permit.Call{
		Tenant: "default", User: "alice", Session: "s", Server: "shop", ServerTitle: "The Shop", Place: "https://shop.example/mcp", Tool: "order", ToolTitle: "Place an order", ID: "c1",
		Args: []byte(arguments),
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return l.open(q)
}

// All of a long call is in the document, in a box that scrolls, and the decision
// is on the screen beside it.
func TestChromiumShowsALongCallWholeAndTheDecisionBesideIt(t *testing.T) {
	l := newLiveSite(t)
	q := l.askCall(aLongCall)
	alice := chromium.Start(t).Person(t)
	l.signIn(alice.Window)
	pictured(t, alice, "long", l.url+path(q), func(view chromium.View) {
		alice.WaitFor(fmt.Sprintf("This is a long call: %d bytes, all of them in the box below.", len(q.Message)))
		alice.WaitFor("Digest of the call: " + q.Labels[permit.LabelDigest])
		var box struct {
			Text     string
			Scrolls  bool
			Tall, Of float64
		}
		alice.Eval(`(() => { const b = document.querySelector(".message.long"); return {
			text: b.textContent, scrolls: b.scrollHeight > 3 * b.clientHeight, tall: b.clientHeight, of: innerHeight }; })()`, &box)
		if box.Text != q.Message || !strings.Contains(box.Text, "BEGINS HERE") || !strings.Contains(box.Text, "ENDS HERE") {
			t.Errorf("%+v: of %d bytes the page has %d", view, len(q.Message), len(box.Text))
		}
		if !box.Scrolls || box.Tall > box.Of/2 || box.Tall < 120 {
			t.Errorf("%+v: the box is %v of %v high, and scrolls: %t", view, box.Tall, box.Of, box.Scrolls)
		}
		if !onScreen(alice, "button.choice") {
			t.Errorf("%+v: the decision is below the fold", view)
		}
	})
	// The keyboard reaches the box, and its end.
	alice.Emulate(chromium.View{Width: 390})
	alice.Open(l.url + path(q))
	for range 20 {
		if strings.Contains(alice.Focused(), "BEGINS HERE") || strings.HasPrefix(alice.Focused(), "The whole call") {
			break
		}
		alice.Press("Tab")
	}
	var focused bool
	alice.Eval(`document.activeElement.matches(".message.long")`, &focused)
	if !focused {
		t.Errorf("the keyboard does not come to the box: it is at %.80q", alice.Focused())
	}
	alice.Follow("Allow once")
	alice.WaitFor("You allowed this call, this once.")
	if o := l.get(q.ID, "alice").Outcome; o == nil || o.Action != parley.Accept || !strings.Contains(string(o.Content), "allow_once") {
		t.Errorf("outcome %+v", o)
	}
}

// There is one way to say no, and it is on the screen.
func TestChromiumShowsAnApprovalWithItsDecisionOnTheScreen(t *testing.T) {
	l := newLiveSite(t)
	q := l.askCall(`{"item":"green tea","amount":2,"express":true}`)
	alice := chromium.Start(t).Person(t)
	l.signIn(alice.Window)
	pictured(t, alice, "approval", l.url+path(q), func(view chromium.View) {
		alice.WaitFor("Your approval is needed")
		alice.WaitFor(`"item": "green tea"`)
		text := alice.Text("#main")
		if strings.Contains(text, "Decline") || strings.Count(text, "Deny") != 1 || strings.Count(text, "green tea") != 1 {
			t.Errorf("%+v: the page says %s", view, text)
		}
		if !onScreen(alice, "button.choice") {
			t.Errorf("%+v: the decision is below the fold", view)
		}
	})
	alice.Follow("Deny")
	alice.WaitFor("You denied this call")

	// One that a form could show, and a screen could not.
	q = l.askCall(`{"list":"` + strings.Repeat("a pound of tea, ", 300) + `"}`)
	pictured(t, alice, "tall", l.url+path(q), func(view chromium.View) {
		if !onScreen(alice, "button.choice") {
			t.Errorf("%+v: the decision of a tall call is below the fold", view)
		}
	})
}

func TestChromiumSaysWhoIsSignedInWhereNobodyWasOnTheirWay(t *testing.T) {
	l := newLiveSite(t)
	alice := chromium.Start(t).Person(t)
	alice.Open(l.url + "/login")
	alice.Screenshot("picker")
	l.signIn(alice.Window)
	pictured(t, alice, "signed in", l.url+"/login", func(chromium.View) {
		alice.WaitFor("You are signed in as alice. Open a question from the link that you were given.")
		if !onScreen(alice, "#main button") {
			t.Error("its buttons are below the fold")
		}
	})
	alice.Follow("Use another account")
	alice.Follow("bob")
	alice.WaitFor("You are signed in as bob")
	alice.Follow("#main form button")
	alice.WaitFor("Nobody is signed in in this browser.")
}

// With a home page it is one click away.
func TestChromiumLeadsHomeAfterSigningIn(t *testing.T) {
	server := listen(t, nil)
	s := newSite(t, server.URL, func(_ *site, o *pages.Options) { o.Home = pages.Link{Path: "/login?home", Text: "Open the chat"} })
	server.Config.Handler = s
	alice := chromium.Start(t).Person(t)
	alice.Open(server.URL + "/login")
	alice.Follow("alice")
	alice.WaitFor("You are signed in as alice.")
	alice.Follow("Open the chat")
	if got := alice.URL(); got != server.URL+"/login?home" {
		t.Errorf("it leads to %s", got)
	}
}

// goes connects search from a page of the application's or of a stranger's, in the
// same window.
func (l *liveSite) goes(w *chromium.Person, from, query string) {
	l.t.Helper()
	l.goesFrom(w, from, "server=search"+query)
	w.WaitFor("Connect Search")
	w.Fill("key", "k-123")
	w.Follow("#main .primary")
	w.WaitFor("Your account is connected, and the program goes on.")
}

// goesFrom follows a link to a connect page on another site's page.
func (l *liveSite) goesFrom(w *chromium.Person, from, query string) {
	l.t.Helper()
	w.Open(from + "/")
	w.Eval(fmt.Sprintf(`(() => { const a = document.createElement("a"); a.href = %q; a.textContent = "Go there"; document.body.append(a); })()`,
		l.url+"/auth/connect?"+query), nil)
	w.Follow("Go there")
}

func TestChromiumLeadsBackToWhereThePersonCameFrom(t *testing.T) {
	l := newLiveSite(t)
	host := strings.TrimPrefix(l.app.URL, "http://")
	alice := chromium.Start(t).Person(t)
	l.signIn(alice.Window)
	l.goes(alice, l.app.URL, "")
	alice.WaitFor("Back to " + host)
	alice.Screenshot("back")
	alice.Emulate(chromium.View{Width: 390, Dark: true})
	alice.Screenshot("back 390 dark=true")
	alice.CheckAccessible()
	alice.Follow("Back to " + host)
	alice.WaitForURL(l.app.URL + "/")
	alice.WaitFor("Connect your account")
}

// Where the link says where to return to, it does so by itself.
func TestChromiumReturnsByItselfWhereTheLinkSaysSo(t *testing.T) {
	l := newLiveSite(t)
	alice := chromium.Start(t).Person(t)
	l.signIn(alice.Window)
	l.goes(alice, l.app.URL, "&return_to="+url.QueryEscape(l.app.URL+"/chat/5"))
	alice.WaitForURL(l.app.URL + "/chat/5")
}

func TestChromiumLeadsNobodyBackToASiteThatIsNotListed(t *testing.T) {
	for name, asked := range map[string]bool{"the browser says so": false, "the link says so": true} {
		t.Run(name, func(t *testing.T) {
			l := newLiveSite(t)
			alice := chromium.Start(t).Person(t)
			l.signIn(alice.Window)
			query := ""
			if asked {
				query = "&return_to=" + url.QueryEscape(l.stranger.URL+"/")
			}
			l.goes(alice, l.stranger.URL, query)
			alice.WaitFor("You can close this window and go back to where you came from.")
			var back, refreshed bool
			alice.Eval(`document.body.innerText.includes("Back to")`, &back)
			alice.Eval(`fetch(location.href).then((r) => r.headers.has("Refresh"))`, &refreshed)
			if back || refreshed {
				t.Errorf("it leads back: by a button %t, by itself %t", back, refreshed)
			}
		})
	}
}

func TestChromiumConnectsAServerByItsName(t *testing.T) {
	l := newLiveSite(t)
	alice := chromium.Start(t).Person(t)
	// Who is not signed in does that first, and is then where they wanted to be.
	alice.Open(l.url + "/auth/connect?server=tracker")
	alice.Follow("alice")
	alice.WaitFor("Connect Issue Tracker")
	pictured(t, alice, "connect", alice.URL(), func(view chromium.View) {
		for _, words := range []string{"Asked by", "Where you sign in", "The credential goes to", "tracker.example", "issues:read", "issues:write"} {
			alice.WaitFor(words)
		}
		if !onScreen(alice, "#main .buttons button") {
			t.Errorf("%+v: the buttons are below the fold", view)
		}
	})
	alice.Follow("#main .primary")
	alice.WaitForURL("http://localhost:")
	alice.Follow("Allow")
	alice.WaitFor("Your account is connected, and the program goes on.")
	pictured(t, alice, "connected already", l.url+"/auth/connect?server=tracker", func(chromium.View) {
		alice.WaitFor("Your account at Issue Tracker is connected. There is nothing to do.")
	})
	l.goesFrom(alice, l.app.URL, "server=tracker")
	alice.WaitFor("Your account at Issue Tracker is connected. There is nothing to do.")
	alice.Follow("Back to " + strings.TrimPrefix(l.app.URL, "http://"))
	alice.WaitForURL(l.app.URL + "/")
	l.goesFrom(alice, l.stranger.URL, "server=tracker&return_to="+url.QueryEscape(l.stranger.URL))
	alice.WaitFor("Your account at Issue Tracker is connected. There is nothing to do.")
	if text := alice.Text("#main"); strings.Contains(text, "Back to") {
		t.Errorf("it leads back to a site that is not listed: %s", text)
	}
	alice.Expect("404")
	for name, server := range map[string]string{"unknown": "nowhere", "somebody else's": "shared"} {
		alice.Open(l.url + "/auth/connect?server=" + server)
		alice.WaitFor("There is no such service, or its account is not yours to connect. Check the link, or ask who runs this site.")
		alice.WaitFor("You are signed in as alice.")
		alice.WaitFor("Use another account")
		alice.CheckAccessible()
		alice.Screenshot("not " + name)
	}
	all, err := l.hub.List(t.Context(), parley.Principal{User: "alice"}, parley.Query{Pending: true})
	if err != nil || len(all) != 0 {
		t.Errorf("%d questions wait, %v", len(all), err)
	}
}
