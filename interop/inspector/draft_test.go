package inspector_test

import (
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/interop/kit"
)

// The Inspector runs the tool and is asked by elicitation. It has our card draw the form and gives the
// card's answer to the tool (a draft), in whose place it has a form of its own.
func askedByTheInspector(t *testing.T, i inspector, chromium *browser.Browser, server string) {
	c, h := drafted(t, i, chromium, server)
	c.WaitFor("Flower shop] What are the flowers for, and what may they cost?")
	c.armed("submit")
	c.Click("A wedding")
	c.Fill("Budget in euros", "500")
	c.press("submit")
	c.WaitFor("Budget in euros must be at most 200.")
	c.Fill("Budget in euros", "150")
	c.press("submit")
	h.WaitFor(`accept {"budget":150,"occasion":"wedding"}`)
	c.WaitClosed()
}

// drafted runs the tool until the card is there: one that is not within 15 seconds the
// Inspector gives up, and shows its own form.
func drafted(t *testing.T, i inspector, chromium *browser.Browser, server string) (card, *host) {
	t.Helper()
	for range 3 {
		h := i.connect(t, chromium, server)
		h.Click("Tools")
		kit.Eventually(t, "the tool is chosen", func() (chosen bool) { // no longer is, when the list is read again meanwhile
			h.Click("flowers__suggest")
			h.Eval(`[...document.querySelectorAll("button")].some(b => b.innerText.trim() === "Execute Tool")`, &chosen)
			return chosen
		})
		h.Click("Execute Tool")
		var state string
		kit.Eventually(t, "the Inspector asks", func() bool {
			h.Eval(`document.querySelector("[data-testid=app-elicitation]")?.dataset.appElicitationStatus === "ready" ? "card" : document.body.innerText.includes("Elicitation Request") ? "form" : ""`, &state)
			return state != ""
		})
		if state == "card" {
			return card{h.Frame("iframe")}, h
		}
		t.Log("the card was too slow for the Inspector")
	}
	t.Fatal("the card is never there in time")
	return card{}, nil
}
