package slackapp_test

import (
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/permit"
)

const amount = `{"to":"bob","amount":100}`

// TestAnApprovalIsGivenInSlack: each way to decide, from the card to the outcome and back.
func TestAnApprovalIsGivenInSlack(t *testing.T) {
	for _, one := range []struct {
		name, verb string
		values     map[string]any // of its modal
		content    string
		words      string
	}{
		{"once", "allow_once", nil, `{"decision":"allow_once","args.amount":100,"args.to":"bob"}`, "Allowed once by alice in Slack."},
		{"always", "always_allow", nil, `{"decision":"always_allow","args.amount":100,"args.to":"bob"}`, "Allowed (Always allow this tool) by alice in Slack."},
		{"deny", "deny", nil, `{"decision":"deny","args.amount":100,"args.to":"bob"}`, "Denied by alice in Slack."},
		{"reason", "because", map[string]any{"What the agent is told": "not today"}, `{"decision":"deny","args.amount":100,"args.to":"bob","reason":"not today"}`, "Denied by alice in Slack."},
		{"change", "changed", map[string]any{"amount": "50"}, `{"decision":"changed","args.amount":50,"args.to":"bob"}`, "Allowed with changes (amount 100 → 50) by alice in Slack."},
		{"back", "asked_back", map[string]any{"What the agent is told": "why?"}, `{"decision":"asked_back","args.amount":100,"args.to":"bob","reason":"why?"}`, "Asked back by alice in Slack: the call is not made."},
	} {
		t.Run(one.name, func(t *testing.T) {
			o := openDesk(t)
			q := o.asksToPay(amount)
			card := o.cardIn(o.ann.DM(), q)
			o.press(o.ann, card, one.verb)
			if one.values != nil {
				if got := o.fills(o.ann, one.values); got.Action != "" {
					t.Fatalf("the modal says %+v", got)
				}
			}
			out := o.outcome(q)
			if out.Via != "slack" || out.By != "alice" || string(out.Content) != one.content {
				t.Errorf("outcome: %s by %s via %s", out.Content, out.By, out.Via)
			}
			over := o.overIn(o.ann.DM(), card, one.words)
			if strings.Contains(over.Words(), "not today") || strings.Contains(over.Words(), "why?") {
				t.Error("the card shows what was typed")
			}
			o.golden("approval_" + one.name)
		})
	}
}

func TestAFormIsFilledInInSlack(t *testing.T) {
	o := openDesk(t)
	q := o.asks(parley.Request{From: "bank", Message: "What may it be?", Schema: []byte(
		`{"type":"object","properties":{"name":{"type":"string","title":"Name"},"cups":{"type":"integer","title":"Cups","maximum":9}},"required":["name","cups"]}`)})
	card := o.cardIn(o.ann.DM(), q)
	o.press(o.ann, card, "answer")
	wrong := o.fills(o.ann, map[string]any{"Name": "Z", "Cups": "12"})
	if wrong.Action != "errors" || wrong.Errors["field-1"] != "Cups must be at most 9." || len(wrong.Errors) != 1 {
		t.Fatalf("the modal says %+v", wrong)
	}
	o.pending(q)
	if got := o.fills(o.ann, map[string]any{"Name": "Z", "Cups": "3"}); got.Action != "" {
		t.Fatalf("the modal says %+v", got)
	}
	if out := o.outcome(q); string(out.Content) != `{"name":"Z","cups":3}` || out.Via != "slack" {
		t.Errorf("outcome: %+v", out)
	}
	o.overIn(o.ann.DM(), card, "Answered by alice in Slack.")
	o.golden("form")
}

func TestAnAccountIsConnectedOnItsPage(t *testing.T) {
	o := openDesk(t)
	q := o.asks(parley.Request{From: "bank", Message: "Connect your bank", Mode: parley.URL, URL: "https://parley.example/auth/connect?elicitation_id=x", Trigger: parley.TriggerCredential})
	card := o.cardIn(o.ann.DM(), q)
	if got := card.Button("parley.open")["url"]; got != q.URL {
		t.Errorf("the button leads to %v", got)
	}
	o.press(o.ann, card, "open") // Slack tells of links, too
	if err := o.slack.Wait(o.within()); err != nil {
		t.Fatal(err)
	}
	o.pending(q)
	if err := o.served.Load().hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept, Via: "page"}); err != nil {
		t.Fatal(err)
	}
	o.overIn(o.ann.DM(), card, "Connected by alice on its page.")
	o.golden("connect")
}

// TestOnlyWhoIsAskedMayPress: in a thread everybody sees the card, and nobody else is told
// anything of it.
func TestOnlyWhoIsAskedMayPress(t *testing.T) {
	o := openDesk(t)
	first := o.ann.Mention(o.general, "ask")
	q := o.asked(alice)
	card := o.cardIn(o.general, q)
	if card.ThreadTS != first.TS || !strings.Contains(card.Words(), "Go on?") {
		t.Errorf("the card is in %s and says %q", card.ThreadTS, card.Words())
	}
	o.press(o.bob, card, "accept")
	if m := o.whispered(o.general, o.bob, "Link your Slack account"); !m.Has("parley_link") {
		t.Errorf("somebody unknown is told %q", m.Words())
	}
	o.linkAs(o.bob, bert)
	o.press(o.bob, card, "accept")
	if m := o.whispered(o.general, o.bob, "for somebody else"); strings.Contains(m.Words(), "Go on?") || strings.Contains(m.Words(), "alice") {
		t.Errorf("it says %q", m.Words())
	}
	o.pending(q)
	o.press(o.ann, card, "accept")
	if out := o.outcome(q); out.By != "alice" || out.Via != "slack" {
		t.Errorf("outcome: %+v", out)
	}
	o.overIn(o.general, card, "Answered by alice in Slack.")
	o.waitFor(o.general, "You said accept")
	if n := o.cards(""); n != 1 {
		t.Errorf("%d cards, one of them alice's own", n)
	}
	o.golden("wrong_person")
}

// TestAModalIsSubmittedByWhoIsAsked: a forged submission says nothing.
func TestAModalIsSubmittedByWhoIsAsked(t *testing.T) {
	for _, linked := range []bool{true, false} {
		o := openDesk(t)
		if linked {
			o.linkAs(o.bob, bert)
		}
		q := o.asksToPay(amount)
		o.press(o.ann, o.cardIn(o.ann.DM(), q), "because")
		v, err := o.ann.WaitForView(o.within(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := o.bob.Force(v, map[string]any{})
		if err != nil || got.Action != "update" || strings.Contains(string(got.Answer.Response), "pay") {
			t.Errorf("linked: %t: %+v %s, %v", linked, got, got.Answer.Response, err)
		}
		o.pending(q)
	}
}

// asked waits for a question to somebody.
func (o *office) asked(who parley.Principal) parley.Request {
	o.t.Helper()
	for ctx := o.within(); ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
		all, err := o.served.Load().hub.List(ctx, who, parley.Query{Pending: true})
		if err == nil && len(all) > 0 {
			return all[0]
		}
	}
	o.t.Fatal("nobody was asked")
	return parley.Request{}
}

func TestAnExpiredQuestionCannotBePressed(t *testing.T) {
	o := openDesk(t)
	q := o.asks(parley.Request{From: "bank", Message: "Quick?", Expires: time.Now().Add(2 * time.Second)})
	card := o.cardIn(o.ann.DM(), q)
	o.overIn(o.ann.DM(), card, "Expired: nobody answered in time.")
	o.golden("expired")
}

// TestWhatIsAnsweredElsewhereIsSaid: while the card, and a modal of it, are open.
func TestWhatIsAnsweredElsewhereIsSaid(t *testing.T) {
	for _, via := range []string{"chat", "inbox", "terminal"} {
		t.Run(via, func(t *testing.T) {
			o := openDesk(t)
			q := o.asksToPay(amount)
			card := o.cardIn(o.ann.DM(), q)
			o.press(o.ann, card, "because")
			if _, err := o.ann.WaitForView(o.within(), nil); err != nil {
				t.Fatal(err)
			}
			if err := o.served.Load().hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"decision":"allow_once"}`), Via: via}); err != nil {
				t.Fatal(err)
			}
			over := o.overIn(o.ann.DM(), card, "Allowed once by alice")
			if got := o.fills(o.ann, nil); got.Action != "update" || !strings.Contains(string(got.Answer.Response), "Allowed once by alice") {
				t.Errorf("the modal says %+v %s", got, got.Answer.Response)
			}
			if _, err := o.ann.Press(over, "parley.deny"); err == nil {
				t.Error("there is a button")
			}
			o.golden("elsewhere_" + via)
		})
	}
}

// TestAPressThatComesTooLateIsTold: Slack's clients may show a card that is old.
func TestAPressThatComesTooLateIsTold(t *testing.T) {
	o := openDesk(t)
	q := o.asksToPay(amount)
	card := o.cardIn(o.ann.DM(), q)
	o.press(o.ann, card, "allow_once")
	o.overIn(o.ann.DM(), card, "Allowed once")
	before := o.slack.Deliveries("block_actions")
	late := before[len(before)-1]
	forged := strings.ReplaceAll(string(late.Payload), "parley.allow_once", "parley.deny")
	forged = strings.ReplaceAll(forged, `"trigger_id":"`, `"trigger_id":"late`)
	o.sends(forged)
	o.whispered(o.ann.DM(), o.ann, "You have answered already, so nothing was done. Allowed once by alice in Slack.")
	if status, err := o.slack.Replay(late); err != nil || status != 200 {
		t.Errorf("a replay: %d, %v", status, err)
	}
}

// sends delivers a payload as if Slack had made it.
func (o *office) sends(payload string) {
	o.t.Helper()
	if a, err := o.slack.Send(jsonText(payload)); err != nil || a.Status != 200 {
		o.t.Fatalf("%+v, %v", a, err)
	}
}

type jsonText string

// MarshalJSON implements json.Marshaler.
func (j jsonText) MarshalJSON() ([]byte, error) { return []byte(j), nil }

// TestAHighRiskCallIsDecidedOnItsPage: the card has only the link, and a forged press is
// refused.
func TestAHighRiskCallIsDecidedOnItsPage(t *testing.T) {
	o := openDesk(t, permit.Condition{Name: "payments", Tool: "pay", Approve: permit.Always, Page: true})
	other := o.asks(parley.Request{From: "bank", Message: "Plain?"})
	plain := o.cardIn(o.ann.DM(), other)
	q := o.asksToPay(amount)
	card := o.cardIn(o.ann.DM(), q)
	var actions []string
	for _, e := range card.Elements() {
		actions = append(actions, e.Action())
	}
	if strings.Join(actions, " ") != "parley.decline parley.open" || card.Button("parley.open")["url"] != "https://parley.example/answer/"+string(q.ID) {
		t.Errorf("the card has %q", actions)
	}
	if strings.Contains(card.Words(), "100") {
		t.Error("the card has the arguments")
	}
	o.press(o.ann, plain, "accept")
	o.overIn(o.ann.DM(), plain, "Answered")
	real := o.slack.Deliveries("block_actions")
	for i, verb := range []string{"allow_once", "always_allow", "changed", "accept", "answer"} {
		forged := strings.ReplaceAll(string(real[0].Payload), "parley.accept", "parley."+verb)
		forged = strings.ReplaceAll(forged, string(other.ID), string(q.ID))
		forged = strings.ReplaceAll(forged, `"trigger_id":"`, `"trigger_id":"forged`+verb)
		o.sends(forged)
		o.toldOften(o.ann, "answered on its page, and nowhere else", i+1)
		o.pending(q)
	}
	if _, open := o.ann.View(); open {
		t.Error("a modal is open")
	}
}

// toldOften waits until somebody was told something so often, where they talk to the app.
func (o *office) toldOften(who *fakeslack.User, words string, n int) {
	o.t.Helper()
	for ctx := o.within(); ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
		found := 0
		for _, m := range who.DM().Seen(who) {
			if strings.Contains(m.Words(), words) {
				found++
			}
		}
		if found >= n {
			return
		}
	}
	o.t.Fatalf("it was not said %d times that %q", n, words)
}

// Slack is asked for somebody's direct message once: it takes fewer such calls than
// messages.
func TestADirectMessageIsOpenedOnce(t *testing.T) {
	o := openDesk(t)
	for range 3 {
		q := o.asksToPay(amount)
		o.press(o.ann, o.cardIn(o.ann.DM(), q), "allow_once")
		o.outcome(q)
	}
	if n := o.slack.Count("conversations.open"); n != 1 {
		t.Errorf("it was opened %d times", n)
	}
}
