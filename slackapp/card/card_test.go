package card_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/slackapp/card"
)

const orders = `{"type":"object","properties":{
	"name":{"type":"string","title":"Name","maxLength":40},
	"notes":{"type":"string","title":"Notes"},
	"cups":{"type":"integer","title":"Cups","minimum":1,"maximum":9,"default":2},
	"price":{"type":"number","title":"Price"},
	"mail":{"type":"string","format":"email"},
	"site":{"type":"string","format":"uri"},
	"day":{"type":"string","format":"date"},
	"when":{"type":"string","format":"date-time"},
	"hot":{"type":"boolean","default":true},
	"sure":{"type":"boolean"},
	"size":{"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"m","title":"Medium"}]},
	"town":{"type":"string","enum":["A","B","C","D","E","F","G","H","I","J","K"]},
	"with":{"type":"array","items":{"type":"string","enum":["milk","sugar"]}},
	"more":{"type":"array","items":{"type":"string","enum":["a","b","c","d","e","f","g","h","i","j","k"]}}
},"required":["name","sure"]}`

func TestEveryKindOfQuestionHasItsCard(t *testing.T) {
	settled := func(q card.Question, o parley.Outcome) card.Question {
		o.At = noon.Add(time.Minute)
		q.Outcome = &o
		return q
	}
	call := approval(t, `{"to":"bob","amount":100,"urgent":false}`, nil)
	thread := call
	thread.Mention = []string{"U1"}
	link := asked(parley.Request{From: "github", Mode: parley.URL, URL: "https://parley.example/auth/connect?elicitation_id=" + string(id), Message: "Connect GitHub", Trigger: parley.TriggerCredential})
	for name, q := range map[string]card.Question{
		"approval": call, "thread": thread, "connect": link,
		"form":       asked(parley.Request{From: "coffee", Message: "What may it be?", Schema: []byte(orders)}),
		"visit":      asked(parley.Request{From: "shop", Mode: parley.URL, URL: "https://evil.example/pay", Message: "Pay here"}),
		"confirm":    asked(parley.Request{From: "shop", Message: "Go on?"}),
		"unshown":    asked(parley.Request{From: "shop", Message: "Which?", Schema: []byte(`{"type":"object","properties":{"a":{"type":"string","default":"x\u200by"}}}`)}),
		"hiddenwait": asked(parley.Request{From: "bank", Message: "to: my secret", Trigger: parley.TriggerApprovers, Labels: map[string]string{parley.LabelPage: "only"}}),
		"tells":      withPanel(asked(parley.Request{From: "bank", Message: "Others decide about this call.", Trigger: parley.TriggerApprovers})),
		"page": func() card.Question {
			q := call
			q.Request = call.Clone()
			q.Labels[parley.LabelBrief] = "Decide on its page."
			return q
		}(),
	} {
		t.Run(name, func(t *testing.T) {
			m := card.Open(q)
			limits(t, m.Blocks, 50)
			golden(t, name, m)
		})
	}
	for name, q := range map[string]card.Question{
		"allowed":   settled(call, parley.Outcome{Action: parley.Accept, Content: []byte(`{"decision":"allow_once"}`), By: "alice", Via: "slack"}),
		"denied":    settled(call, parley.Outcome{Action: parley.Accept, Content: []byte(`{"decision":"deny","reason":"my secret"}`), By: "alice", Via: "chat"}),
		"changed":   settled(call, parley.Outcome{Action: parley.Accept, Content: []byte(`{"decision":"changed","args.to":"bob","args.amount":50,"args.urgent":false}`), By: "alice", Via: "inbox"}),
		"always":    settled(call, parley.Outcome{Action: parley.Accept, Content: []byte(`{"decision":"always_allow","scope":"tool"}`), By: "alice", Via: "terminal"}),
		"expired":   settled(call, parley.Outcome{Action: parley.Expire, Reason: "expired"}),
		"withdrawn": settled(call, parley.Outcome{Action: parley.Cancel, Reason: "withdrawn: the run was stopped"}),
		"cancelled": settled(call, parley.Outcome{Action: parley.Cancel, Reason: "withdrawn: by the program that asked"}),
		"back":      settled(call, parley.Outcome{Action: parley.Accept, Content: []byte(`{"decision":"asked_back","reason":"my secret"}`), By: "alice", Via: "slack"}),
		"hidden": settled(func() card.Question {
			q := call
			q.Request = call.Clone()
			q.Labels[parley.LabelBrief], q.Labels[parley.LabelPage] = "Decide on its page.", "only"
			return q
		}(), parley.Outcome{Action: parley.Accept, Content: []byte(`{"decision":"changed","args.to":"my secret","args.amount":50,"args.urgent":false}`), By: "alice", Via: "page"}),
		"connected": settled(link, parley.Outcome{Action: parley.Accept, By: "alice", Via: "page"}),
		"gone":      call,
	} {
		t.Run(name, func(t *testing.T) {
			m := card.Settled(q)
			limits(t, m.Blocks, 50)
			if got := buttons(m); got != nil {
				t.Errorf("there is something to press: %q", got)
			}
			if strings.Contains(string(wire(t, m)), "my secret") {
				t.Error("it shows what the person typed")
			}
			golden(t, "settled_"+name, m)
		})
	}
}

func withPanel(q card.Question) card.Question {
	q.Panel = &permit.Panel{Need: 2, People: []permit.Approver{
		{Name: "bob", Said: permit.AllowOnce, At: noon}, {Name: "carol"}, {Name: "dave", Said: permit.Refuse, At: noon}, {Name: "eve", At: noon}, {Name: "fay", Withdrawn: "x", At: noon},
	}}
	return q
}

// TestNoTextOfOthersIsReadAsMarkup: nothing that a service says makes a link, mentions
// anybody or hides a character.
func TestNoTextOfOthersIsReadAsMarkup(t *testing.T) {
	const bad = "<!channel> <@U666> <https://evil.example|Approve> &lt; *b* `x` ``` \u202e\u200b\x00 :tada:\n> quote"
	schema := fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"string","title":%q,"description":%q},"pick":{"type":"string","oneOf":[{"const":"a","title":%q}]}}}`,
		"a<!here>", "T <!channel> \u202e", "D <@U666>", "O <!everyone>")
	questions := map[string]card.Question{
		"form":     asked(parley.Request{From: bad, Message: bad, Schema: []byte(schema), Labels: map[string]string{parley.LabelTitle: "<!here> \u202e"}}),
		"url":      asked(parley.Request{From: bad, Message: bad, Mode: parley.URL, URL: "https://parley.example.evil/|x"}),
		"account":  asked(parley.Request{From: bad, Message: bad, Mode: parley.URL, URL: "https://evil.example/auth", Trigger: parley.TriggerCredential}),
		"brief":    asked(parley.Request{From: "x", Message: bad, Trigger: parley.TriggerApproval, Labels: map[string]string{parley.LabelBrief: bad, "tool": bad}}),
		"approval": approval(t, `{"to":"<!channel> \u202e <https://evil.example|x>","amount":1}`, func(c *permit.Call) { c.ServerTitle = "<!channel>" }),
	}
	for name, q := range questions {
		q.Panel = &permit.Panel{Need: 1, People: []permit.Approver{{Name: "<!channel>\u202e"}}}
		settled := q
		settled.Outcome = &parley.Outcome{Action: parley.Cancel, Reason: "withdrawn: <!channel>\u202e", At: noon}
		by := q
		by.Outcome = &parley.Outcome{Action: parley.Decline, By: "<@U666>\u202e", Via: "<!here>", At: noon}
		all := map[string][]slack.Block{"open": card.Open(q).Blocks, "settled": card.Settled(settled).Blocks, "by": card.Settled(by).Blocks}
		if v, ok := card.Modal(q, card.Answer); ok {
			all["modal"] = v.Blocks.BlockSet
		} else if name == "form" {
			t.Error("the form has no modal")
		}
		for where, blocks := range all {
			limits(t, blocks, 100)
			for _, c := range string(wire(t, blocks)) {
				if c == '\u202e' || c == '\u200b' || c == 0 {
					t.Errorf("%s, %s: a hidden character goes through", name, where)
					break
				}
			}
		}
		for _, m := range []card.Message{card.Open(q), card.Settled(settled), card.Settled(by)} {
			if strings.ContainsAny(m.Text, "<>") {
				t.Errorf("%s: its text is %q", name, m.Text)
			}
		}
		if links := string(wire(t, all["open"])); strings.Contains(links, `"url": "https://evil`) || strings.Contains(links, `"url": "https://parley.example.evil`) {
			t.Errorf("%s: a button leads to a stranger's page", name)
		}
	}
	golden(t, "hostile", card.Open(questions["approval"]))
}

// TestWhatIsShownIsWhatIsAsked: the whole message of an approval is on the card, or in
// the modal without which nothing can be allowed.
func TestWhatIsShownIsWhatIsAsked(t *testing.T) {
	short := approval(t, `{"to":"bob","amount":1}`, nil)
	if got := shown(card.Open(short).Blocks); got != short.Message {
		t.Errorf("the card shows %q of %q", got, short.Message)
	}
	long := approval(t, `{"to":"`+strings.Repeat("0123456789 é😀", 700)+`","amount":1}`, nil)
	m := card.Open(long)
	limits(t, m.Blocks, 50)
	if got := buttons(m); !slices.Equal(got, []string{"Show all and decide…", "Deny", "Deny with a reason…", "Ask back…", "Open its page"}) {
		t.Errorf("a card with a part of the message offers %q", got)
	}
	if !strings.Contains(string(wire(t, m)), "This is the beginning") {
		t.Error("it was cut without a word")
	}
	for _, verb := range []card.Verb{card.Allow, card.Always} {
		if _, ok := card.Says(long, verb); ok {
			t.Errorf("%s is taken of a card that shows a part", verb)
		}
	}
	v, ok := card.Modal(long, card.Answer)
	if !ok {
		t.Fatal("there is no modal with all of it")
	}
	limits(t, v.Blocks.BlockSet, 100)
	if got := shown(v.Blocks.BlockSet); got != long.Message {
		t.Errorf("the modal shows %d bytes of %d", len(got), len(long.Message))
	}
	golden(t, "modal_long", modalOf(t, approval(t, `{"to":"`+strings.Repeat("x", 3100)+`","amount":1}`, nil), card.Answer))
}

func modalOf(t testing.TB, q card.Question, v card.Verb) slack.ModalViewRequest {
	t.Helper()
	m, ok := card.Modal(q, v)
	if !ok {
		t.Fatalf("no modal for %s", v)
	}
	limits(t, m.Blocks.BlockSet, 100)
	return m
}

func TestAPressCarriesNothingThatDecides(t *testing.T) {
	q := approval(t, `{"to":"bob","amount":1}`, nil)
	for _, b := range card.Open(q).Blocks {
		a, ok := b.(*slack.ActionBlock)
		if !ok {
			continue
		}
		for _, e := range a.Elements.ElementSet {
			button := e.(*slack.ButtonBlockElement)
			if button.Value != string(id) {
				t.Errorf("%s carries %q", button.ActionID, button.Value)
			}
			p, ok := card.Pressed(slack.BlockAction{ActionID: button.ActionID, Value: button.Value})
			if !ok || p.Question != id {
				t.Errorf("%s is read as %v", button.ActionID, p)
			}
		}
	}
	for _, a := range []slack.BlockAction{{ActionID: "other.allow_once", Value: string(id)}, {ActionID: "parley.", Value: string(id)}, {ActionID: "parley.deny", Value: "nothing"}} {
		if p, ok := card.Pressed(a); ok {
			t.Errorf("%v is taken for %v", a, p)
		}
	}
}

// TestOnlyWhatIsOfferedIsTaken: a forged button says nothing.
func TestOnlyWhatIsOfferedIsTaken(t *testing.T) {
	q := approval(t, `{"to":"bob","amount":1}`, nil)
	for verb, content := range map[card.Verb]string{card.Allow: `{"decision":"allow_once"}`, card.Always: `{"decision":"always_allow"}`, card.Deny: `{"decision":"deny"}`} {
		if a, ok := card.Says(q, verb); !ok || string(a.Content) != content || a.Action != parley.Accept || a.Via != "slack" {
			t.Errorf("%s says %s %s, %v", verb, a.Action, a.Content, ok)
		}
	}
	once := approval(t, `{"to":"bob","amount":1}`, func(c *permit.Call) { c.Choices = []permit.Choice{permit.AllowOnce} })
	page := q
	page.Request = q.Clone()
	page.Labels[parley.LabelBrief] = "On its page."
	tells := asked(parley.Request{Trigger: parley.TriggerApprovers, Message: "Others decide."})
	connect := asked(parley.Request{Mode: parley.URL, URL: "https://parley.example/auth/connect", Trigger: parley.TriggerCredential})
	for name, forged := range map[string]struct {
		card.Question
		verbs []card.Verb
	}{
		"a rule offers once":    {once, []card.Verb{card.Always, card.Change, card.AskBack, card.Accept}},
		"a rule wants the page": {page, []card.Verb{card.Allow, card.Always, card.Change, card.Answer, card.Accept}},
		"others decide":         {tells, []card.Verb{card.Accept, card.Allow, card.Answer}},
		"an account":            {connect, []card.Verb{card.Accept, card.Allow, card.Answer}},
	} {
		for _, verb := range forged.verbs {
			if a, ok := card.Says(forged.Question, verb); ok {
				t.Errorf("%s: %s says %s", name, verb, a.Content)
			}
			if a, ok := card.Entered(forged.Question, verb, nil); ok {
				t.Errorf("%s: the modal of %s says %s", name, verb, a.Content)
			}
			if _, ok := card.Modal(forged.Question, verb); ok {
				t.Errorf("%s: %s has a modal", name, verb)
			}
		}
	}
}

func TestWhatSlackCannotShowIsLeftToThePage(t *testing.T) {
	many := make([]string, 101)
	for i := range many {
		many[i] = fmt.Sprintf(`"o%d"`, i)
	}
	var fields []string
	for i := range 64 {
		fields = append(fields, fmt.Sprintf(`"f%d":{"type":"string"}`, i))
	}
	for name, properties := range map[string]string{
		"too many options":             `"a":{"type":"string","enum":[` + strings.Join(many, ",") + `]}`,
		"an option that is too long":   `"a":{"type":"string","enum":["` + strings.Repeat("x", 76) + `"]}`,
		"a default that is too long":   `"a":{"type":"string","default":"` + strings.Repeat("x", 3001) + `"}`,
		"a default that hides letters": `"a":{"type":"string","default":"a\u202eb"}`,
		"more than can be entered":     `"a":{"type":"string","minLength":3001}`,
		"a label that is too long":     `"a":{"type":"string","title":"` + strings.Repeat("x", 2001) + `"}`,
		"too many fields":              strings.Join(fields, ","),
	} {
		q := asked(parley.Request{From: "x", Message: "m", Schema: []byte(`{"type":"object","properties":{` + properties + `}}`)})
		if got := buttons(card.Open(q)); !slices.Equal(got, []string{"Decline", "Open its page"}) {
			t.Errorf("%s: the card offers %q", name, got)
		}
	}
}

// TestWhatNoModalShowsWholeIsReadOnItsPage: the card says so and leads there, and nothing can be
// allowed in Slack, whoever makes the button.
func TestWhatNoModalShowsWholeIsReadOnItsPage(t *testing.T) {
	const whole = 40 * 3000 // what a modal has room for
	yes := []byte(`{"type":"object","properties":{"sure":{"type":"boolean"}}}`)
	page, own := "https://parley.example/answer/"+string(id), "https://parley.example/slack/question/"+string(id)
	call := func(n int) card.Question {
		q := approval(t, `{"to":"bob","amount":1}`, nil)
		q.Message = strings.Repeat("x", n)
		return q
	}
	several := call(whole + 1)
	several.Several = true
	for name, one := range map[string]struct {
		q       card.Question
		buttons []string
		link    string
		note    string
	}{
		"a call that just fits": {call(whole), []string{"Show all and decide…", "Deny", "Deny with a reason…", "Ask back…", "Open its page"}, page, "Look at all of it before you answer."},
		"a call":                {call(whole + 1), []string{"Deny", "Open its page"}, page, "All of it is on its page"},
		"a call for several":    {several, []string{"Deny", "Open its page"}, own, "All of it is on its page"},
		"a form":                {asked(parley.Request{From: "x", Message: strings.Repeat("x", whole+1), Schema: yes}), []string{"Decline", "Open its page"}, page, "All of it is on its page"},
		"a yes or no":           {asked(parley.Request{From: "x", Message: strings.Repeat("x", whole+1)}), []string{"Decline", "Open its page"}, page, "All of it is on its page"},
		"what others decide":    {asked(parley.Request{From: "x", Message: strings.Repeat("x", 3001), Trigger: parley.TriggerApprovers}), []string{"Take it back", "Open its page"}, page, "All of it is on its page"},
		"an account": {asked(parley.Request{From: "x", Message: strings.Repeat("x", 3001), Mode: parley.URL, URL: "https://parley.example/auth/connect?x", Trigger: parley.TriggerCredential}),
			[]string{"Decline", "Connect"}, page, "All of it is on its page"},
	} {
		m := card.Open(one.q)
		limits(t, m.Blocks, 50)
		if got := buttons(m); !slices.Equal(got, one.buttons) {
			t.Errorf("%s: the card offers %q", name, got)
		}
		said := string(wire(t, m))
		if !strings.Contains(said, "This is the beginning: 3000 of ") || !strings.Contains(said, one.note) || !strings.Contains(said, `"url": "`+one.link+`"`) {
			t.Errorf("%s: the card says %s", name, said[max(0, len(said)-2000):])
		}
		for _, verb := range []card.Verb{card.Allow, card.Always, card.Accept, card.Change} {
			if _, ok := card.Says(one.q, verb); ok {
				t.Errorf("%s: %s is taken", name, verb)
			}
		}
		for _, verb := range []card.Verb{card.Answer, card.Change} {
			_, shows := card.Modal(one.q, verb)
			_, takes := card.Entered(one.q, verb, nil)
			if fits := name == "a call that just fits" && verb == card.Answer; shows != fits || takes != fits {
				t.Errorf("%s: %s has a modal: %t, and is taken: %t", name, verb, shows, takes)
			}
		}
		over := one.q
		over.Outcome = &parley.Outcome{Action: parley.Expire, At: noon}
		if said := string(wire(t, card.Settled(over))); !strings.Contains(said, "This is the beginning") || strings.Contains(said, "before you answer") {
			t.Errorf("%s: it is over, and the card says %s", name, said[max(0, len(said)-1000):])
		}
	}
}
