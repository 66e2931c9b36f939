package pages_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	chromium "github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/permit"
)

// askOrder opens a question about a call whose arguments can be changed.
func (s *site) askOrder(id string) (*permit.Permits, permit.Call, parley.Request) {
	s.t.Helper()
	permits, err := permit.New(s.hub, s.store, s.keys, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	call := permit.Call{
		User: "alice", Session: "s", Server: "shop", ServerTitle: "The Shop", Tool: "order", ID: id,
		Args:   []byte(`{"amount":100,"express":true,"item":"tea","kind":"green","note":"first\nsecond","parts":[1,2]}`),
		Schema: []byte(`{"type":"object","properties":{"amount":{"type":"integer","minimum":1,"maximum":500},"item":{"type":"string"},"express":{"type":"boolean"},"kind":{"type":"string","enum":["green","black"]},"note":{"type":"string"},"parts":{"type":"array"}}}`),
	}
	q, err := permits.Question(call)
	if err != nil {
		s.t.Fatal(err)
	}
	return permits, call, s.open(q)
}

// sentOf is what a page without scripts sends if nobody touches it.
func sentOf(decision string) url.Values {
	return url.Values{
		"action": {"accept"}, "field.decision": {decision}, "field.args.amount": {"100"}, "field.args.express": {"true"}, "field.args.item": {"tea"},
		"field.args.kind": {"option-0"}, "field.args.note": {"first\r\nsecond"}, "field.reason": {""},
	}
}

func TestAPageTakesTheArgumentsAsTheyStandInIt(t *testing.T) {
	s := devSite(t)
	b := s.as("alice")
	permits, call, q := s.askOrder("1")
	a := b.get(path(q)).want(http.StatusOK).says("Change the arguments", "The call is made with what stands here.")
	changed := attr(a.one("button", "id=field-0-4"), "value")

	values := sentOf("option-0") // allow once
	values.Set("field.args.amount", "50")
	b.post(path(q), values).want(http.StatusUnprocessableEntity).says("You changed amount. To use that, choose “Allow with changes”; or put it back.").one("details", "open=")
	values = sentOf(changed)
	values.Set("field.args.amount", "")
	b.post(path(q), values).want(http.StatusUnprocessableEntity)
	values.Set("field.args.amount", "501")
	b.post(path(q), values).want(http.StatusUnprocessableEntity).says("amount must be at most 500.")
	if !s.get(q.ID, "alice").Pending() {
		t.Fatal("it was decided")
	}
	values.Set("field.args.amount", "50")
	values.Set("field.args.express", "false")
	values.Set("field.args.kind", "option-1")
	b.post(path(q), values).want(http.StatusSeeOther)
	b.get(path(q)).want(http.StatusOK).says("Allowed with changes", `with the arguments as you changed them: amount 100 → 50; express true → false; kind "green" → "black".`)
	d, err := permits.Record(t.Context(), call, q.ID)
	if err != nil || d.Changed == nil || string(d.Changed.Args) != `{"amount":50,"express":false,"item":"tea","kind":"black","note":"first\nsecond","parts":[1,2]}` {
		t.Errorf("%+v, %v", d, err)
	}

	// Who sends nothing of them, as a program may, changes nothing either, and cannot
	// allow with changes that nobody has seen.
	permits, call, q = s.askOrder("4")
	b.post(path(q), url.Values{"action": {"accept"}, "field.decision": {changed}}).want(http.StatusUnprocessableEntity).says("amount is missing")
	b.post(path(q), url.Values{"action": {"accept"}, "field.decision": {"option-0"}}).want(http.StatusSeeOther)
	if d, err := permits.Record(t.Context(), call, q.ID); err != nil || d.Status != permit.Granted || d.Changed != nil {
		t.Errorf("%+v, %v", d, err)
	}

	// Who touches nothing has changed nothing.
	for id, decision := range map[string]string{"2": "option-0", "3": changed} {
		permits, call, q := s.askOrder(id)
		b.post(path(q), sentOf(decision)).want(http.StatusSeeOther)
		if d, err := permits.Record(t.Context(), call, q.ID); err != nil || d.Status != permit.Granted || d.Changed != nil {
			t.Errorf("%s: %+v, %v", decision, d, err)
		}
	}
}

func TestTheInboxTakesTheArgumentsAsTheyStandInACard(t *testing.T) {
	s := devSite(t)
	b := s.as("alice")
	permits, call, q := s.askOrder("1")
	const rest = `"args.express":true,"args.item":"tea","args.kind":"green","args.note":"first\nsecond"`
	send := func(content string) *answer {
		return b.send(q, `{"elicitationId":"`+string(q.ID)+`","action":"accept","content":`+content+`}`)
	}
	send(`{"decision":"allow_once","args.amount":50}`).want(http.StatusBadRequest).says("You changed amount.")
	send(`{"decision":"changed","args.amount":50}`).want(http.StatusBadRequest).says("is missing")
	send(`{"decision":"changed","args.amount":50,` + rest + `}`).want(http.StatusOK)
	d, err := permits.Record(t.Context(), call, q.ID)
	if err != nil || d.Changed == nil || string(d.Changed.Args) != strings.Replace(string(call.Args), "100", "50", 1) {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestChromiumChangesAnArgumentOnAPhoneAndAllowsTheCall(t *testing.T) {
	l := newLiveSite(t)
	permits, call, q := l.askOrder("1")
	alice := chromium.Start(t).Person(t)
	l.signIn(alice.Window)
	pictured(t, alice, "changes", l.url+path(q), func(chromium.View) {
		alice.Click("Change the arguments")
		alice.Screenshot("changes open " + alice.URL()[len(l.url):])
		alice.CheckAccessible()
	})
	alice.Emulate(chromium.View{Width: 390})
	alice.Open(l.url + path(q))
	if !onScreen(alice, "fieldset.decision button.choice") {
		t.Error("the decision is below the fold")
	}
	alice.Click("Change the arguments")
	alice.Fill("amount", "100")
	alice.Press("Enter") // which would press the first button
	alice.Fill("amount", "50")
	var wide bool
	alice.Eval(`document.documentElement.scrollWidth > innerWidth`, &wide)
	if wide {
		t.Error("the page is wider than the phone")
	}
	alice.Expect("422")
	alice.Follow("Allow once") // by mistake
	alice.WaitFor("You changed amount.")
	alice.Follow("Allow with changes")
	alice.WaitFor("with the arguments as you changed them")
	d, err := permits.Record(t.Context(), call, q.ID)
	if err != nil || d.Changed == nil || string(d.Changed.Args) != strings.Replace(string(call.Args), "100", "50", 1) {
		t.Errorf("%+v, %v", d, err)
	}
}
