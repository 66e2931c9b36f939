package serve_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/interop/kit"
)

const (
	theChat     = "the chat"
	theInbox    = "the inbox"
	theTerminal = "the terminal"
	inSlack     = "Slack"
)

// The same for a question that came up in a thread of Slack's, which the person has
// open in the chat, in the inbox and in a terminal, too. Slack sends messages to one
// node and presses to the other.
func TestAQuestionInSlackClosesWhereverElseItIsOpen(t *testing.T) {
	program := withParley(t)
	chromium := browser.Start(t)
	shared(t, func(t *testing.T, store string) {
		ctx, cancel := context.WithTimeout(t.Context(), 4*kit.Patience)
		t.Cleanup(cancel)
		slack := fakeslack.New(nil)
		t.Cleanup(slack.Close)
		acme := slack.AddWorkspace("Acme")
		ann, general := acme.AddUser("ann"), acme.AddChannel("general")
		e := newEverywhere(t, program, store, fmt.Sprintf("slack: {bot_token: %s, signing_secret: %s, api_url: %q}\n", acme.Install().AccessToken, slack.SigningSecret(), slack.API()))
		slack.SetURLs(e.nodes["a"].Url+"/slack/events", e.nodes["b"].Url+"/slack/interactions")
		ann.Say(ann.DM(), "hello")
		linkInSlack(ctx, t, ann, "alice", e.public)
		chat := e.window(t, chromium, "alice", "a", "/")
		inbox := e.window(t, chromium, "alice", "b", "/inbox")
		inbox.WaitFor("Nothing waits for you")
		for _, place := range []string{theInbox, theChat, theTerminal, inSlack} {
			said := ann.Mention(general, "Please buy something")
			inThread := func(fits func(fakeslack.Message) bool) fakeslack.Message {
				t.Helper()
				m, err := general.WaitFor(ctx, func(m fakeslack.Message) bool { return m.FromApp && m.ThreadTS == said.TS && fits(m) })
				if err != nil {
					t.Fatalf("%v: %+v", err, general.Thread(said.TS))
				}
				return m
			}
			card := inThread(func(m fakeslack.Message) bool { return m.Has(slackAllow) })
			chat.Open(e.public + "/")
			chat.WaitFor("Ask something to begin.")
			chat.Eval(fmt.Sprintf(`void (document.querySelector("parley-chat").conversation = "slack-%s-%s-%s")`, acme.ID, general.ID, said.TS), nil)
			chat.WaitFor(allowOnce)
			inbox.Click(".row")
			inbox.WaitFor(allowOnce)
			form := e.terminal(t)
			e.wares.carriedOut(t, map[string]int{})

			answered := time.Now()
			switch place {
			case theInbox:
				inbox.Click(allowOnce)
			case theChat:
				chat.Click(allowOnce)
			case theTerminal:
				form.allow(t)
			case inSlack:
				if a, err := ann.Press(card, slackAllow); err != nil || a.Status != 200 {
					t.Fatalf("%+v, %v", a, err)
				}
			}
			for _, other := range []struct {
				name   string
				closes func()
			}{
				{theChat, func() { closed(t, chat.Window) }},
				{theInbox, func() { closed(t, inbox.Window) }},
				{theTerminal, func() { received(t, "end of the form in the terminal", form.closed) }},
				{inSlack, func() {
					inThread(func(m fakeslack.Message) bool { return m.TS == card.TS && !m.Has(slackAllow) })
				}},
			} {
				other.closes()
				t.Logf("answered in %s, closed in %s after %v", place, other.name, time.Since(answered))
			}
			inbox.WaitFor("Nothing waits for you")
			inThread(func(m fakeslack.Message) bool { return !m.Streaming && strings.Contains(m.Words(), "buy: {") })
			chat.WaitFor("buy: {")
			e.wares.carriedOut(t, map[string]int{"buy": 1})
			cards := 0
			for _, m := range general.Thread(said.TS) {
				if m.TS == card.TS || m.Has(slackAllow) {
					cards++
				}
			}
			if cards != 1 {
				t.Errorf("the thread has %d cards: %+v", cards, general.Thread(said.TS))
			}
		}
	})
}

// slackAllow is the button of a card that allows a call once.
const slackAllow = "parley.allow_once"
