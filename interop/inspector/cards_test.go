// Package inspector_test has the official MCP Inspector, in Chromium, draw the card in
// which hosts that cannot ask show questions, in front of `parley serve`.
package inspector_test

import (
	"flag"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/interop/kit"
)

// draw has the pictures of the documents drawn anew.
var draw = flag.Bool("draw", false, "draw docs/screens/inspector-light.png and inspector-dark.png")

// eras are the protocol's revisions, and what the Inspector calls them.
var eras = map[string]string{"2025-11-25": "legacy", "2026-07-28": "modern"}

func TestTheInspectorShowsTheCard(t *testing.T) {
	kit.NeedNode(t)
	chromium := browser.Start(t)
	s := startSite(t)
	i := startInspector(t, s)
	for version := range eras {
		t.Run("answered in the card "+version, func(t *testing.T) {
			t.Parallel()
			answeredInTheCard(t, newModel(t, s, "card ", version), i.connect(t, chromium, "card "+version))
		})
		t.Run("answered on its page "+version, func(t *testing.T) {
			t.Parallel()
			answeredOnItsPage(t, s, newModel(t, s, "page ", version), i.connect(t, chromium, "page "+version))
		})
		t.Run("answered by nobody here "+version, func(t *testing.T) {
			t.Parallel()
			answeredByNobodyHere(t, s, newModel(t, s, "nobody ", version), i.connect(t, chromium, "nobody "+version))
		})
		t.Run("asked by the Inspector itself "+version, func(t *testing.T) {
			t.Parallel()
			askedByTheInspector(t, i, chromium, "asks "+version)
		})
	}
}

// A form with a field that is wrong at first, the same card in a conversation that is
// opened again, two questions one after the other, and one that is declined.
func answeredInTheCard(t *testing.T, m model, h *host) {
	question := m.asks("flowers__suggest", nil)
	end := m.waits(question)
	c := h.show(question)
	for _, text := range []string{"Flower shop asks", " left", "What are the flowers for, and what may they cost?", "Budget in euros", "From 10 to 200"} {
		c.WaitFor(text)
	}
	c.armed("submit")
	pictures(t, h)
	c.Click("A birthday")
	c.Fill("Budget in euros", "5")
	c.Fill("On the card", "Many happy returns")
	c.press("submit")
	c.WaitFor("Budget in euros must be at least 10.")
	c.WaitFor("Please correct what is marked.")
	c.Fill("Budget in euros", "50")
	c.press("submit")
	c.WaitFor("Answered.")
	m.gets(end, `accept {"budget":50,"note":"Many happy returns","occasion":"birthday"}`)

	c = h.show(question)
	c.WaitFor("Answered.")
	c.lacks(t, "button")

	question = m.asks("flowers__compose", nil)
	end = m.waits(question)
	c = h.show(question)
	c.WaitFor("What is the bouquet for?")
	c.armed("submit")
	c.Click("Thanks")
	c.press("submit")
	c.WaitFor("Answered.")
	told := m.got(end)
	if told.question == "" || told.question == question || !strings.Contains(told.text, "Which colour?") {
		t.Fatalf("after the first question the model got %+v", told)
	}
	end = m.waits(told.question)
	c = h.show(told.question)
	c.WaitFor("Which colour?")
	c.armed("submit")
	c.Click("white")
	c.press("submit")
	c.WaitFor("Answered.")
	m.gets(end, `accept {"budget":40,"occasion":"thanks"}, accept {"colour":"white"}`)

	question = m.asks("flowers__suggest", nil)
	end = m.waits(question)
	c = h.show(question)
	c.press("decline")
	c.WaitFor("Declined.")
	m.gets(end, "decline null")
}

// An approval: the card shows the call and leads to its page, in another tab.
func answeredOnItsPage(t *testing.T, s site, m model, h *host) {
	question := m.asks("flowers__order", map[string]any{"flowers": "roses", "stems": 12})
	end := m.waits(question)
	c := h.show(question)
	for _, text := range []string{"Flower shop", "order", `"flowers": "roses"`, `"stems": 12`, "You will go to " + strings.TrimPrefix(s.url, "http://")} {
		c.WaitFor(text)
	}
	c.lacks(t, "#allow_once")
	page := h.Popup(func() { c.Click("Answer it on its own page") })
	page.WaitForURL(s.url)
	page.Fill("user", m.person)
	page.Follow("Sign in")
	page.WaitForURL(s.url + "/answer/" + question)
	c.WaitFor("Continue in the tab that has opened.")
	page.Follow("Allow once")
	c.WaitFor("Allowed once elsewhere.")
	m.gets(end, `ordered {"flowers":"roses","stems":12}`)
}

// A question that is answered elsewhere while the card shows it, and one whose time ends.
func answeredByNobodyHere(t *testing.T, s site, m model, h *host) {
	alice := kit.NewVisitor(t)
	alice.Send(t, s.url+"/login", url.Values{"user": {m.person}})
	question := m.asks("flowers__suggest", nil)
	end := m.waits(question)
	c := h.show(question)
	c.WaitFor("What are the flowers for, and what may they cost?")
	alice.AnswerOnPage(t, s.url, question, "Decline")
	c.WaitFor("Declined elsewhere.")
	c.lacks(t, "button")
	m.gets(end, "decline null")

	question = m.asks("hurried__order", nil)
	end = m.waits(question)
	c = h.show(question)
	c.WaitFor("Nobody answered in time.")
	c.lacks(t, "button")
	if told := m.got(end); told.question != "" || !strings.HasSuffix(told.text, "Nobody answered in time, so the call is denied.") {
		t.Errorf("after its time the model got %+v", told)
	}
}

// pictures are for people to look at.
func pictures(t *testing.T, h *host) {
	t.Helper()
	for _, theme := range []string{"light", "dark"} {
		file := h.Screenshot(theme)
		if *draw {
			picture, err := os.ReadFile(file)
			if err == nil {
				err = os.WriteFile("../docs/screens/inspector-"+theme+".png", picture, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		h.push("Toggle color scheme")
	}
}
