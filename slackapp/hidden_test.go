package slackapp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/permit"
)

// What the arguments of a call were, and what an approver made of them.
const (
	secretCall   = `{"to":"TOPSECRET","amount":8}`
	secretChange = `{"decision":"changed","args.amount":8,"args.to":"OTHERSECRET"}`
)

// awaits has a call of a person's wait for its approvers, in a thread of theirs.
func (o *office) awaits(who parley.Principal, thread fakeslack.Message, args string) parley.Request {
	o.t.Helper()
	n := o.served.Load()
	c := call("call-1", args)
	c.User, c.Session = who.User, "slack-"+o.acme.ID+"-"+o.general.ID+"-"+thread.TS
	_, q, err := n.permits.Await(o.t.Context(), permit.Always, c)
	if err != nil {
		o.t.Fatal(err)
	}
	if q, err = n.hub.Open(o.t.Context(), q); err != nil {
		o.t.Fatal(err)
	}
	return q
}

// TestWhatIsForItsPageIsOnNoCard: not on that of whose call it is, not on that of who
// decides, open and settled, where it was changed on its page.
func TestWhatIsForItsPageIsOnNoCard(t *testing.T) {
	silent := func(o *office) {
		t.Helper()
		if err := o.slack.Wait(o.within()); err != nil {
			t.Fatal(err)
		}
		for _, c := range o.slack.Calls() {
			if line := fmt.Sprint(c.Args); strings.Contains(line, "SECRET") {
				t.Errorf("%s has %s", c.Method, line)
			}
		}
	}
	changes := func(o *office, who parley.Principal, q parley.Request) {
		t.Helper()
		if err := o.served.Load().hub.Answer(t.Context(), who, q.ID, parley.Answer{Action: parley.Accept, Content: []byte(secretChange), Via: "page"}); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("approvers", func(t *testing.T) {
		o := openDesk(t)
		o.linkAs(o.bob, bert)
		money := o.acme.AddChannel("money")
		o.rules(permit.Condition{Name: "payments", Tool: "pay", Approvers: &permit.Approvers{Need: 1, Of: []string{"bert", "dora"}}, Slack: money.ID, Page: true})
		first := o.ann.Mention(o.general, "say hello")
		o.waitFor(o.general, "hello")
		wait := o.awaits(alice, first, secretCall)
		own := o.cardIn(o.general, wait)
		if words := own.Words(); !strings.Contains(words, "Others decide about your call") || !own.Has("parley.open") || own.ThreadTS != first.TS {
			t.Errorf("the asker's card says %q", words)
		}
		shared := o.cardIn(money, o.asked(bert))
		changes(o, bert, o.asked(bert))
		o.overIn(money, shared, "Allowed with changes by bert on its page.")
		o.overIn(o.general, own, "Allowed: bert allowed it with changes.")
		lines := slices.DeleteFunc(strings.Split(o.wire(), "\n"), func(line string) bool { return !strings.HasPrefix(line, "> chat.postMessage") })
		slices.Sort(lines) // the two cards do not wait for each other; how often they are changed depends
		o.goldenOf("hidden_approvers", strings.Join(lines, "\n"))
		silent(o)
	})
	t.Run("the person", func(t *testing.T) {
		o := openDesk(t, permit.Condition{Name: "payments", Tool: "pay", Approve: permit.Always, Page: true})
		q := o.asksToPay(secretCall)
		card := o.cardIn(o.ann.DM(), q)
		changes(o, alice, q)
		o.overIn(o.ann.DM(), card, "Allowed with changes by alice on its page.")
		silent(o)
	})
}
