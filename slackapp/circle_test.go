package slackapp_test

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/slackapp"
)

var carol = parley.Principal{Tenant: "default", User: "carol", Method: "dev"}

// circle is a rule whose approvers are asked in a channel.
func circle(channel string) permit.Condition {
	return permit.Condition{Name: "payments", Tool: "pay", Approvers: &permit.Approvers{Need: 2, Of: []string{"alice", "bert", "dora"}}, Slack: channel}
}

// gathers asks the approvers of a call of carol's.
func (o *office) gathers() {
	o.t.Helper()
	c := call("call-1", amount)
	c.User = "carol"
	if _, _, err := o.served.Load().permits.Gather(o.t.Context(), permit.Always, c); err != nil {
		o.t.Fatal(err)
	}
}

func (o *office) rules(of permit.Condition) {
	o.t.Helper()
	if err := o.served.Load().permits.PutCondition(o.t.Context(), "default", of); err != nil {
		o.t.Fatal(err)
	}
}

// TestApproversAreAskedInTheirChannel: one card for all of them, each answers for
// themselves, and it says who has.
func TestApproversAreAskedInTheirChannel(t *testing.T) {
	o := openDesk(t)
	o.linkAs(o.bob, bert)
	eve := o.acme.AddUser("eve")
	o.linkAs(eve, carol)
	o.rules(circle(o.general.ID))
	o.gathers()
	q := o.asked(alice)
	card, err := o.general.WaitFor(o.within(), func(m fakeslack.Message) bool { return m.FromApp && m.Has("parley.allow_once") })
	if err != nil {
		t.Fatal(err)
	}
	if words := card.Words(); !strings.Contains(words, "0 of 2 needed have allowed it. alice has not answered, bert has not answered, dora has not answered.") || !strings.Contains(words, "Asked by: carol") {
		t.Errorf("the card says %q", words)
	}
	for _, who := range []*fakeslack.User{o.ann, o.bob} { // dora is nobody in Slack
		if lead := fmt.Sprint(card.Blocks[0]); !strings.Contains(lead, who.ID) {
			t.Errorf("nobody is told of the card: %s", lead)
		}
	}
	if to := card.Button("parley.open")["url"]; to != "https://parley.example/slack/question/"+string(q.ID) {
		t.Errorf("the page of one of them is for all: %v", to)
	}
	for who, theirs := range map[string]bool{"alice": true, "bert": true, "dora": true, "carol": false} { // whose call it is
		by := parley.Principal{Tenant: "default", User: who}
		own, err := o.served.Load().app.Question(t.Context(), by, q.ID)
		if theirs != (err == nil && own.To == who && own.Pending()) || !theirs && !errors.Is(err, parley.ErrNotFound) {
			t.Errorf("the link leads %s to %+v, %v", who, own, err)
		}
	}
	o.asks(parley.Request{From: "bank", Message: "Something else?", To: "bert"})
	o.press(eve, card, "allow_once") // whose call it is
	o.whispered(o.general, eve, "for somebody else")
	o.press(o.bob, card, "allow_once")
	card, err = o.general.WaitFor(o.within(), func(m fakeslack.Message) bool {
		return m.TS == card.TS && strings.Contains(m.Words(), "1 of 2 needed have allowed it. alice has not answered, bert allowed it") && m.Has("parley.allow_once")
	})
	if err != nil {
		t.Fatalf("the card does not follow: %v, %q", err, lastWords(o.general))
	}
	o.pending(q)
	o.press(o.bob, card, "deny")
	o.whispered(o.general, o.bob, "You have answered already, so nothing was done. Allowed once by bert in Slack.")
	o.press(o.ann, card, "allow_once")
	o.overIn(o.general, card, "2 of 2 needed have allowed it. alice allowed it, bert allowed it, dora is not asked any more.")
	o.overIn(o.general, card, "Allowed once by alice in Slack.")
	if n := o.cards("pay"); n != 1 {
		t.Errorf("%d cards for one call", n)
	}
	if n := o.slack.Count("conversations.history"); n != 0 {
		t.Errorf("no answer was lost, and Slack was asked %d times what the card says", n)
	}
	if n := len(o.ann.DM().Messages()); strings.Contains(lastWords(o.ann.DM()), "pay") {
		t.Errorf("alice was asked directly, too: %d messages", n)
	}
}

// TestAnApproverWhomTheCardDoesNotMentionIsToldDirectly: who is asked later, for whom Slack
// makes no noise.
func TestAnApproverWhomTheCardDoesNotMentionIsToldDirectly(t *testing.T) {
	o := openDesk(t)
	o.linkAs(o.bob, bert)
	rule := circle(o.general.ID)
	rule.Approvers = &permit.Approvers{Need: 1, Of: []string{"alice"}}
	o.rules(rule)
	o.gathers()
	q := o.asked(alice)
	shared := o.cardIn(o.general, q)
	if err := o.served.Load().permits.AskAlso(t.Context(), q, "bert"); err != nil {
		t.Fatal(err)
	}
	later := o.asked(bert)
	own := o.cardIn(o.bob.DM(), later)
	o.press(o.bob, own, "allow_once")
	o.overIn(o.bob.DM(), own, "Allowed once by bert in Slack.")
	o.overIn(o.general, shared, "Allowed once by bert in Slack.")
	if strings.Contains(lastWords(o.ann.DM()), "pay") {
		t.Error("who was mentioned is told directly, too")
	}
}

// TestWhereTheChannelOfARuleTakesNoCardItsApproversAreToldDirectly: the app is not in it,
// or it does not exist. The operator reads which rule it is.
func TestWhereTheChannelOfARuleTakesNoCardItsApproversAreToldDirectly(t *testing.T) {
	for name, change := range map[string]func(*fakeslack.Channel) string{
		"not invited": func(c *fakeslack.Channel) string { c.RemoveBot(); return c.ID },
		"archived":    func(c *fakeslack.Channel) string { c.Archive(); return c.ID },
		"unknown":     func(*fakeslack.Channel) string { return "C0F88888888" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log record
			o := openOffice(t, nil, func(o *office) { o.desk = &desk{logger: slog.New(slog.NewTextHandler(&log, nil))} })
			o.link()
			channel := change(o.acme.AddChannel("money"))
			o.rules(circle(channel))
			o.gathers()
			q := o.asked(alice)
			card := o.cardIn(o.ann.DM(), q)
			o.press(o.ann, card, "deny")
			o.overIn(o.ann.DM(), card, "Denied by alice in Slack.")
			if said := log.String(); !strings.Contains(said, "level=WARN") || !strings.Contains(said, "payments") || !strings.Contains(said, channel) || !strings.Contains(said, "/invite") {
				t.Errorf("the log says %s", said)
			}
		})
	}
}

// TestADirectCardFollowsTheQuorum: also where others answer elsewhere.
func TestADirectCardFollowsTheQuorum(t *testing.T) {
	o := openDesk(t)
	rule := circle("")
	o.rules(rule)
	o.gathers()
	q := o.asked(alice)
	card := o.cardIn(o.ann.DM(), q)
	other := o.asked(bert)
	if err := o.served.Load().hub.Answer(t.Context(), bert, other.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"decision":"deny"}`), Via: "inbox"}); err != nil {
		t.Fatal(err)
	}
	if _, err := o.ann.DM().WaitFor(o.within(), func(m fakeslack.Message) bool {
		return m.TS == card.TS && strings.Contains(m.Words(), "bert denied it") && m.Has("parley.allow_once")
	}); err != nil {
		t.Fatalf("the card does not follow: %v, %q", err, lastWords(o.ann.DM()))
	}
}

// TestAnAnswerAtOneNodeClosesTheCardOfAnother: one post and one change, whichever node.
func TestAnAnswerAtOneNodeClosesTheCardOfAnother(t *testing.T) {
	o := openDesk(t)
	second := o.begin()
	q := o.asksToPay(amount)
	card := o.cardIn(o.ann.DM(), q)
	if err := second.hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"decision":"deny"}`), Via: "chat"}); err != nil {
		t.Fatal(err)
	}
	o.overIn(o.ann.DM(), card, "Denied by alice in the chat.")
	o.serve(second)
	next := o.asksToPay(amount)
	again := o.cardIn(o.ann.DM(), next)
	o.press(o.ann, again, "allow_once")
	over := o.overIn(o.ann.DM(), again, "Allowed once by alice in Slack.")
	if n := o.cards("pay"); n != 2 || over.Edits != 1 {
		t.Errorf("%d cards for two questions, of which one was changed %d times", n, over.Edits)
	}
}

// TestADeadProcessLeavesOneCard: it died after Slack had posted, and before it was written
// down.
func TestADeadProcessLeavesOneCard(t *testing.T) {
	o := openOffice(t, nil, func(o *office) { o.desk = &desk{claim: 17 * time.Second} })
	o.link()
	first := o.served.Load()
	first.life.after.Store(new("chat.postMessage"))
	q := o.asksToPay(amount)
	select {
	case <-first.life.died:
	case <-o.within().Done():
		t.Fatal("nothing was posted")
	}
	first.kill()
	o.serve(o.begin())
	card := o.cardIn(o.ann.DM(), q)
	o.press(o.ann, card, "allow_once")
	if over := o.overIn(o.ann.DM(), card, "Allowed once by alice in Slack."); over.Edits != 1 {
		t.Errorf("it was changed %d times", over.Edits)
	}
	if n := o.cards("pay"); n != 1 {
		t.Errorf("%d cards for one question", n)
	}
}

// TestAnAnswerThatGotLostLeavesOneCard: Slack has posted, and the connection was gone.
func TestAnAnswerThatGotLostLeavesOneCard(t *testing.T) {
	o := openDesk(t)
	o.slack.Fail(fakeslack.Fault{Method: "chat.postMessage", Drop: true, Times: 1})
	q := o.asksToPay(amount)
	card := o.cardIn(o.ann.DM(), q)
	o.cardIn(o.ann.DM(), o.asks(parley.Request{From: "bank", Message: "Another one?"}))
	for ctx := o.within(); ctx.Err() == nil && o.slack.Count("conversations.history") == 0; {
		time.Sleep(5 * time.Millisecond) // until it is looked for
	}
	o.press(o.ann, card, "deny")
	if over := o.overIn(o.ann.DM(), card, "Denied by alice in Slack."); over.Edits != 1 {
		t.Errorf("it was changed %d times", over.Edits)
	}
	posts := 0
	for _, m := range o.ann.DM().Messages() {
		if strings.Contains(m.Words(), "Service: bank") {
			posts++
		}
	}
	if posts != 1 {
		t.Errorf("%d cards for one question", posts)
	}
}

// TestAnUpdateThatGotLostIsMadeOnce: Slack has changed the card, and the connection was
// gone.
func TestAnUpdateThatGotLostIsMadeOnce(t *testing.T) {
	lost := func(t *testing.T, o *office, in *fakeslack.Channel, q parley.Request, verb, says string) {
		card := o.cardIn(in, q)
		o.slack.Fail(fakeslack.Fault{Method: "chat.update", Drop: true, Times: 1})
		o.press(o.ann, card, verb)
		o.outcome(q)
		o.waitForTellings()
		if over := o.overIn(in, card, says); over.Edits != 1 {
			t.Errorf("it was changed %d times", over.Edits)
		}
	}
	t.Run("direct", func(t *testing.T) {
		t.Parallel()
		o := openDesk(t)
		lost(t, o, o.ann.DM(), o.asksToPay(amount), "deny", "Denied by alice in Slack.")
	})
	t.Run("thread", func(t *testing.T) {
		t.Parallel()
		o := openDesk(t)
		o.ann.Mention(o.general, "ask")
		lost(t, o, o.general, o.asked(alice), "accept", "by alice in Slack.")
	})
	t.Run("channel", func(t *testing.T) { // first while others are still asked, then with the last word
		t.Parallel()
		o := openDesk(t)
		o.linkAs(o.bob, bert)
		rule := circle(o.general.ID)
		rule.Approvers.Of = []string{"alice", "bert"}
		o.rules(rule)
		o.gathers()
		says := func(words string) fakeslack.Message {
			t.Helper()
			m, err := o.general.WaitFor(o.within(), func(m fakeslack.Message) bool { return m.FromApp && strings.Contains(m.Words(), words) })
			if err != nil {
				t.Fatalf("%v, %q", err, lastWords(o.general))
			}
			return m
		}
		card := says("0 of 2 needed")
		for edits, one := range []struct {
			by    *fakeslack.User
			words string
		}{{o.bob, "1 of 2 needed"}, {o.ann, "2 of 2 needed"}} {
			o.slack.Fail(fakeslack.Fault{Method: "chat.update", Drop: true, Times: 1})
			looked := o.slack.Count("conversations.history")
			o.press(one.by, card, "allow_once")
			says(one.words)
			for ctx := o.within(); ctx.Err() == nil && o.slack.Count("conversations.history") == looked; {
				time.Sleep(5 * time.Millisecond) // until it is asked what the card says
			}
			if edits == 1 {
				o.waitForTellings()
			}
			if n := says(one.words).Edits; n != edits+1 {
				t.Errorf("%q: it was changed %d times", one.words, n)
			}
		}
		if over := says("2 of 2 needed"); over.TS != card.TS {
			t.Error("there are two cards")
		}
	})
}

// TestAnUpdateThatDidNotArriveIsMade: the connection was gone before.
func TestAnUpdateThatDidNotArriveIsMade(t *testing.T) {
	o := openDesk(t)
	q := o.asksToPay(amount)
	card := o.cardIn(o.ann.DM(), q)
	o.slack.Fail(fakeslack.Fault{Method: "chat.update", Die: true, Times: 1})
	o.press(o.ann, card, "deny")
	o.outcome(q)
	o.waitForTellings()
	if over := o.overIn(o.ann.DM(), card, "Denied by alice in Slack."); over.Edits != 1 {
		t.Errorf("it was changed %d times", over.Edits)
	}
}

// TestSlackIsLeftAloneForAsLongAsItSays: and each question is told once.
func TestSlackIsLeftAloneForAsLongAsItSays(t *testing.T) {
	o := openDesk(t)
	o.slack.SetLimits(fakeslack.Limits{Channel: fakeslack.Rate{Every: 300 * time.Millisecond, Burst: 1}})
	const several = 6
	var all []parley.Request
	for range several {
		all = append(all, o.asksToPay(amount))
	}
	for _, q := range all {
		card := o.cardIn(o.ann.DM(), q)
		o.press(o.ann, card, "deny")
		o.overIn(o.ann.DM(), card, "Denied by alice in Slack.")
	}
	if n := o.cards("pay"); n != several {
		t.Errorf("%d cards for %d questions", n, several)
	}
}

// TestNobodyIsToldWhoIsNotLinkedAnyMore: nor is their press taken.
func TestNobodyIsToldWhoIsNotLinkedAnyMore(t *testing.T) {
	o := openDesk(t)
	q := o.asksToPay(amount)
	card := o.cardIn(o.ann.DM(), q)
	if err := o.served.Load().app.Unlink(t.Context(), alice, o.acme.ID, o.ann.ID); err != nil {
		t.Fatal(err)
	}
	o.press(o.ann, card, "allow_once")
	o.whispered(o.ann.DM(), o.ann, "Link your Slack account")
	o.pending(q)
	if err := o.served.Load().hub.Cancel(t.Context(), q.ID, "the run was stopped"); err != nil {
		t.Fatal(err)
	}
	o.overIn(o.ann.DM(), card, "No longer asked")
}

// TestADirectMessageGoesToWhoIsLinkedNow: what was planned before counts for nothing.
func TestADirectMessageGoesToWhoIsLinkedNow(t *testing.T) {
	o := openOffice(t, nil)
	o.link()
	app := o.served.Load().app
	places, err := app.Direct(t.Context(), "default", "alice")
	if err != nil || len(places) != 1 {
		t.Fatalf("%q, %v", places, err)
	}
	q := o.asks(parley.Request{From: "bank", Message: "The PIN?"})
	tell := notify.Telling{Event: notify.EventOpened, Question: q.ID, Tenant: "default", To: "bert", Place: places[0]}
	if err := app.Tell(t.Context(), tell); !errors.Is(err, slackapp.ErrNotLinked) {
		t.Errorf("somebody else's: %v", err)
	}
	if err := app.Unlink(t.Context(), alice, o.acme.ID, o.ann.ID); err != nil {
		t.Fatal(err)
	}
	tell.To = "alice"
	if err := app.Tell(t.Context(), tell); !errors.Is(err, slackapp.ErrNotLinked) {
		t.Errorf("no longer linked: %v", err)
	}
	if n := o.cards(""); n != 0 {
		t.Errorf("%d cards", n)
	}
}

// TestAChannelIsOneOfTheTenants: a rule of another tenant does not reach it.
func TestAChannelIsOneOfTheTenants(t *testing.T) {
	o := openOffice(t, nil)
	for _, one := range []struct {
		tenant, channel string
		places          int
	}{{"default", o.acme.ID + "/" + o.general.ID, 1}, {"default", o.general.ID, 1}, {"other", o.acme.ID + "/" + o.general.ID, 0}, {"other", o.general.ID, 0}} {
		r := parley.Request{Tenant: one.tenant, To: "alice", Trigger: parley.TriggerApproval, Labels: map[string]string{
			permit.LabelAsker: "carol", permit.LabelQuorum: "q.1", permit.LabelSlack: one.channel,
		}}
		places, err := o.served.Load().app.Places(t.Context(), r)
		if err != nil || len(places) != one.places {
			t.Errorf("%s, %s: %q, %v", one.tenant, one.channel, places, err)
		}
		delete(r.Labels, permit.LabelQuorum) // nobody but permit says so
		if places, err := o.served.Load().app.Places(t.Context(), r); err != nil || len(places) != 0 {
			t.Errorf("of no quorum: %q, %v", places, err)
		}
	}
}
