package apps_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

const (
	oldEra = "2025-11-25"
	newEra = "2026-07-28"
)

// table is what is shown with either bridge, each in one way to draw apps: over both,
// every way meets every bridge.
var table = []struct {
	name string
	play func(*testing.T, *conversation)
	ways [2]way
}{
	{"a form", form, [2]way{
		{bridge: "2.0.4", era: newEra, sessions: 1, mount: "parallel", server: "new"},
		{bridge: "1.7.5", era: oldEra, sessions: 2, mount: "after", server: "old", theme: "dark"},
	}},
	{"a wrong field", wrongField, [2]way{
		{bridge: "2.0.4", era: oldEra, sessions: 2, mount: "held", server: "new"},
		{bridge: "1.7.5", era: newEra, sessions: 1, mount: "parallel", server: "old"},
	}},
	{"an approval", approval, [2]way{
		{bridge: "2.0.4", era: newEra, sessions: 2, mount: "after", server: "gated", theme: "dark"},
		{bridge: "1.7.5", era: oldEra, sessions: 1, mount: "held", server: "gated"},
	}},
	{"two questions", twoQuestions, [2]way{
		{bridge: "2.0.4", era: oldEra, sessions: 1, mount: "parallel", server: "old"},
		{bridge: "1.7.5", era: newEra, sessions: 2, mount: "held", server: "new"},
	}},
	{"a no", decline, [2]way{
		{bridge: "2.0.4", era: newEra, sessions: 1, mount: "bare", server: "old"},
		{bridge: "1.7.5", era: oldEra, sessions: 1, mount: "parallel", server: "new"},
	}},
	{"no answer in time", expiry, [2]way{
		{bridge: "2.0.4", era: newEra, sessions: 1, mount: "held", server: "new", brief: true},
		{bridge: "1.7.5", era: oldEra, sessions: 2, mount: "after", server: "old", brief: true},
	}},
	{"answered elsewhere", elsewhere, [2]way{
		{bridge: "2.0.4", era: oldEra, sessions: 1, mount: "after", server: "new"},
		{bridge: "1.7.5", era: newEra, sessions: 1, mount: "bare", server: "new"},
	}},
	{"never drawn", neverDrawn, [2]way{
		{bridge: "2.0.4", era: oldEra, sessions: 2, mount: "never", server: "old"},
		{bridge: "1.7.5", era: newEra, sessions: 1, mount: "never", server: "new"},
	}},
	{"opened again", openedAgain, [2]way{
		{bridge: "2.0.4", era: newEra, sessions: 2, mount: "parallel", server: "new"},
		{bridge: "1.7.5", era: oldEra, sessions: 1, mount: "parallel", server: "new"},
	}},
}

// What a person reads and does in the card, and what the model gets of it, in a browser
// with the reference bridges.
func TestQuestionsInTheReferenceBridges(t *testing.T) {
	w := newWorld(t)
	t.Run("all", func(t *testing.T) {
		for i, row := range table {
			for _, how := range row.ways {
				t.Run(row.name+" "+how.bridge, func(t *testing.T) {
					t.Parallel()
					options := kit.AppOptions{}
					if how.brief {
						options.URL = w.brief + "/mcp"
					}
					c := w.chat(t, how, fmt.Sprintf("alice%d-%s", i, strings.ReplaceAll(how.bridge, ".", "")), options)
					row.play(t, c)
					c.secret(t)
				})
			}
		}
		for i, how := range []way{
			{bridge: "2.0.4", era: newEra, sessions: 2, mount: "parallel", server: "new"},
			{bridge: "1.7.5", era: oldEra, sessions: 2, mount: "parallel", server: "new"},
		} { // a server up to 2025-11-25 asks on a connection of the node's, and its question goes with that
			t.Run("a node is killed "+how.bridge, func(t *testing.T) {
				t.Parallel()
				killed(t, w, how, fmt.Sprint("kim", i))
			})
		}
		t.Run("attacks", func(t *testing.T) {
			t.Parallel()
			for i, how := range []way{
				{bridge: "2.0.4", era: newEra, sessions: 1, mount: "parallel", server: "new"},
				{bridge: "1.7.5", era: oldEra, sessions: 2, mount: "parallel", server: "new"},
			} { // one after the other: they are counted
				t.Run(how.bridge, func(t *testing.T) { attack(t, w, how, i) })
			}
		})
	})
}

func form(t *testing.T, c *conversation) {
	turn := c.begin("form")
	card := c.App(0)
	card.WaitFor("What is your name?")
	card.WaitFor("The " + c.server + " desk asks")
	card.WaitFor("left") // the time
	c.Screenshot("form")
	card.Fill("Name", "Ada")
	c.Press(card, "submit")
	card.WaitFor("Answered.")
	c.got(t, turn, `form accept {"name":"Ada"}`, 1)
}

// What the app sees to be wrong it says itself; what the server finds wrong comes back
// with another nonce. Either stands at its field.
func wrongField(t *testing.T, c *conversation) {
	turn := c.begin("form")
	card := c.App(0)
	card.WaitFor("What is your name?")
	c.Press(card, "submit")
	if said := card.Text("#field-0-error"); !strings.Contains(said, "Name is required.") {
		t.Errorf("the field says %q", said)
	}
	if n := len(c.called(0, "parley_answer")); n != 0 {
		t.Errorf("%d answers were sent", n)
	}
	card.Fill("Name", "Ada")
	c.Eval(`void (host.alter = (name, args) => {
		if (name !== 'parley_answer') return args;
		host.alter = undefined;
		return { ...args, content: { name: '' } };
	})`, nil)
	c.Press(card, "submit")
	said := card.Text("#field-0-error")
	first := askOf(t, c.called(0, "parley_answer")[0].Result)
	if len(first.Violations) != 1 || first.Violations[0].Field != "name" || !strings.Contains(said, first.Violations[0].Message) || first.Nonce == "" {
		t.Errorf("the server said %+v, and the field says %q", first, said)
	}
	c.carriedOut(t, 0)
	c.Press(card, "submit")
	card.WaitFor("Answered.")
	if last := c.called(0, "parley_answer")[1]; last.Arguments["nonce"] == c.called(0, "parley_answer")[0].Arguments["nonce"] {
		t.Error("both answers have one nonce")
	}
	c.got(t, turn, `form accept {"name":"Ada"}`, 1)
}

// An approval is shown whole and given on its page.
func approval(t *testing.T, c *conversation) {
	turn := c.begin("plain")
	card := c.App(0)
	card.WaitFor("The safe asks")
	card.WaitFor("plain")
	card.WaitFor(c.token) // the argument
	id := c.asked(t, 1)
	var buttons []string
	card.Eval("[...document.querySelectorAll('button')].map((b) => b.id)", &buttons)
	if len(buttons) != 1 || buttons[0] != "go" {
		t.Errorf("the card has the buttons %q", buttons)
	}
	c.Screenshot("approval")
	page := c.Popup(func() { card.Click("#go") })
	if links := c.Links(); len(links) != 1 || links[0] != c.w.site+"/answer/"+id {
		t.Errorf("the host was to open %q", links)
	}
	card.WaitFor("Continue in the tab that has opened.")
	signIn(page, c.person)
	page.WaitFor(c.token)
	c.carriedOut(t, 0)
	page.Click("Allow once")
	card.WaitFor("elsewhere.")
	c.got(t, turn, "plain "+c.token, 1)
}

func twoQuestions(t *testing.T, c *conversation) {
	turn := c.begin("rounds")
	first := c.App(0)
	first.WaitFor("What is your name?")
	first.Fill("Name", "Ada")
	c.Press(first, "submit")
	second := c.App(1)
	second.WaitFor("Which color do you like best, Ada?")
	second.Click("green")
	c.Press(second, "submit")
	second.WaitFor("Answered.")
	c.got(t, turn, `rounds accept {"color":"green","name":"Ada"}`, 1)
	first.WaitFor("Answered.")
}

func decline(t *testing.T, c *conversation) {
	turn := c.begin("form")
	card := c.App(0)
	card.WaitFor("What is your name?")
	c.Press(card, "decline")
	card.WaitFor("Declined.")
	c.got(t, turn, "form decline", 0)
}

// The server hears that nobody answered. A card that comes too late is no reason to fail: it is
// drawn again.
func expiry(t *testing.T, c *conversation) {
	for n := range 5 {
		turn := c.begin("form")
		card := c.App(n)
		var seen bool
		kit.Eventually(t, "the card shows something", func() bool {
			var text string
			card.Eval("document.body.innerText", &text)
			seen = strings.Contains(text, c.token)
			return seen || strings.Contains(text, "in time")
		})
		card.WaitFor("Nobody answered in time.")
		c.got(t, turn, "form cancel", 0)
		if seen {
			return
		}
	}
	t.Error("no card was there in time")
}

func elsewhere(t *testing.T, c *conversation) {
	turn := c.begin("form")
	card := c.App(0)
	card.WaitFor("What is your name?")
	id := c.asked(t, 1)
	status, _, said := kit.HttpDo(t, http.MethodPost, c.w.site+"/answer/"+id, kit.Headers("dev-user:"+c.person), `{"elicitationId":"`+id+`","action":"accept","content":{"name":"Eve"}}`)
	if status != http.StatusOK {
		t.Fatalf("the answer: %d %s", status, said)
	}
	card.WaitFor("Answered elsewhere.")
	c.got(t, turn, `form accept {"name":"Eve"}`, 1)
}

// Where no card comes the model has the link of the page before its call is over.
func neverDrawn(t *testing.T, c *conversation) {
	turn := c.begin("form")
	id := c.asked(t, 1)
	link := c.w.site + "/answer/" + id
	c.Hears("Give the user this link to answer it: " + link)
	page := c.w.chromium.Person(t)
	page.Open(link)
	signIn(page.Window, c.person)
	page.Fill("Name", "Ada")
	page.Follow("[value=accept]")
	c.got(t, turn, `form accept {"name":"Ada"}`, 1)
	if calls := c.Calls(); len(calls) != 0 {
		t.Errorf("apps called %+v", calls)
	}
}

// A conversation that is opened again shows its cards again: one that is open can be
// answered, and one that is not says so.
func openedAgain(t *testing.T, c *conversation) {
	c.begin("form")
	c.App(0).WaitFor("What is your name?")
	id := c.asked(t, 1)
	c.Hears("The user is shown the question.")
	c.secret(t)

	c.Reopen("parallel")
	card := c.App(0)
	card.WaitFor("What is your name?")
	card.Fill("Name", "Ada")
	c.Press(card, "submit")
	card.WaitFor("Answered.")
	if got := c.Call("waitForElicitationResult", kit.Fields{"elicitId": id}); got.Text != `form accept {"name":"Ada"}` {
		t.Errorf("the model got %+v", got)
	}
	c.carriedOut(t, 1)

	c.Reopen("held")
	card = c.App(0)
	card.WaitFor("Answered.")
	var fields int
	if card.Eval("document.querySelectorAll('input, button').length", &fields); fields != 0 {
		t.Errorf("a card that is over has %d fields and buttons", fields)
	}
	c.Reopen("bare")
	c.App(0).WaitFor("There is nothing to answer.")
}

// The node dies that holds the model's call. The card answers by another one, where the
// model's next wait has the result, once.
func killed(t *testing.T, w *world, how way, person string) {
	node := w.serve(t, kit.FreeAddresses(t, 1)[0])
	var dead atomic.Bool
	model := w.host.Reach("model-"+person, func() string {
		if dead.Load() {
			return w.site
		}
		return node.Url
	})
	c := w.chat(t, how, person, kit.AppOptions{URL: model + "/mcp", Apps: w.reached + "/mcp", Timeout: 15_000})
	c.Expect("Failed to load resource") // the call that is held, and whatever else comes just then
	turn := c.begin("form")
	card := c.App(0)
	card.WaitFor("What is your name?")
	id := c.asked(t, 1)
	kit.Eventually(t, "the model waits", func() bool {
		var tool string
		c.Eval("host.calling ?? ''", &tool)
		return tool == "waitForElicitationResult"
	})
	dead.Store(true)
	node.Kill(t)
	card.Fill("Name", "Ada")
	c.Press(card, "submit")
	card.WaitFor("Answered.")
	const want = `form accept {"name":"Ada"}`
	c.got(t, turn, want, 1)
	broken, times := 0, 0
	c.Call("waitForElicitationResult", kit.Fields{"elicitId": id})
	for _, h := range c.Heard() {
		if h.Failed != "" {
			broken++
		}
		if h.Text == want {
			times++
		}
	}
	if broken == 0 || times != 1 {
		t.Errorf("%d calls broke off, and the model had the result %d times", broken, times)
	}
	c.carriedOut(t, 1)
	c.secret(t)
}
