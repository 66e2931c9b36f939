package permit_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/softkey"
	"github.com/parley-hq/parley/passkey"
	"github.com/parley-hq/parley/permit"
)

const ours = "https://parley.example"

// signing is a site whose people have passkeys.
type signing struct {
	*site
	keys    *passkey.Keys
	devices map[string]*softkey.Device // by tenant and user
	log     bytes.Buffer
}

// signers is a site with these rules, and a passkey for each of these people.
func signers(t testing.TB, store *parley.MemoryStore, rules []permit.Condition, people ...parley.Principal) *signing {
	t.Helper()
	keys, err := passkey.New(parley.NewMemoryStore(), &passkey.Options{PublicURL: ours})
	if err != nil {
		t.Fatal(err)
	}
	s := &signing{keys: keys, devices: map[string]*softkey.Device{}}
	var permits *site
	permits = newSiteOn(t, store, &permit.Options{Conditions: rules, Logger: slog.New(slog.NewTextHandler(&s.log, nil))}, &parley.Options{Hooks: []parley.Hook{
		permit.Guard(), permit.Signing(keys),
		parley.After(parley.AnsweringValidate, func(ctx context.Context, a *parley.Answering) error { return permits.Weigh(ctx, a) }),
		parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return permits.Settled(ctx, a) }),
	}})
	s.site = permits
	for _, who := range people {
		c, err := keys.Begin(t.Context(), who, who.User, true)
		if err != nil {
			t.Fatal(err)
		}
		d := softkey.New(t, ours, "parley.example")
		if _, err := keys.Finish(t.Context(), who, passkey.Enrolment{Ceremony: c.ID, Response: d.Create(t, c.Create)}); err != nil {
			t.Fatal(err)
		}
		s.devices[who.Tenant+"/"+who.User] = d
	}
	return s
}

// signed is an answer on the page that a device of somebody's has signed for a question.
func (s *signing) signed(t testing.TB, who string, q parley.Request, content string) parley.Answer {
	t.Helper()
	statement, needed := permit.ToSign(q, json.RawMessage(content))
	if !needed {
		t.Fatal("it need not be signed")
	}
	return parley.Answer{
		Action: parley.Accept, Via: "page", Content: json.RawMessage(content),
		Assertion: s.devices[who].Sign(t, base64.RawURLEncoding.EncodeToString(statement.Challenge())),
	}
}

var (
	aliceHere  = parley.Principal{Tenant: "default", User: "alice"}
	bobHere    = parley.Principal{Tenant: "default", User: "bob"}
	carolHere  = parley.Principal{Tenant: "default", User: "carol"}
	aliceThere = parley.Principal{Tenant: "umbrella", User: "alice"}
)

const (
	once  = `{"decision":"allow_once"}`
	of50  = `{"args.amount":50,"args.to":"bob","decision":"changed"}`
	of60  = `{"args.amount":60,"args.to":"bob","decision":"changed"}`
	plain = `{"args.amount":100,"args.to":"bob","decision":"allow_once"}`
)

var signedTransfers = permit.Condition{Name: "transfers", Tool: "transfer", Approve: permit.Always, Sign: permit.SignPasskey}

// required gives a call what a decision says of its question.
func required(t testing.TB, s *site, c permit.Call) permit.Call {
	t.Helper()
	d := s.wantCheck(t, c, permit.Required)
	if d.Sign != "transfers" || !d.Page || slices.Contains(d.Choices, permit.AlwaysAllow) || !slices.Contains(d.Choices, permit.AllowOnce) {
		t.Fatalf("%+v", d)
	}
	c.Choices, c.Page, c.Sign = d.Choices, d.Page, d.Sign
	return c
}

func TestACallIsAllowedWithThePasskeyOfItsPersonAndNothingElse(t *testing.T) {
	s := signers(t, parley.NewMemoryStore(), []permit.Condition{signedTransfers}, aliceHere, bobHere, aliceThere)
	c := required(t, s.site, editable())
	q := s.ask(t, c)
	second := with(c, func(c *permit.Call) { c.ID = "run-1/call-2" })
	other := s.ask(t, second)
	plainly := func(a parley.Answer, change func(*parley.Answer)) parley.Answer { change(&a); return a }
	for name, one := range map[string]struct {
		answer parley.Answer
		want   error
	}{
		"unsigned":              {parley.Answer{Action: parley.Accept, Via: "page", Content: json.RawMessage(plain)}, passkey.ErrNotSigned},
		"in the inbox":          {plainly(s.signed(t, "default/alice", q, plain), func(a *parley.Answer) { a.Via = "inbox" }), permit.ErrNotShown},
		"in Slack":              {plainly(s.signed(t, "default/alice", q, plain), func(a *parley.Answer) { a.Via = "slack" }), permit.ErrNotShown},
		"in a terminal":         {plainly(s.signed(t, "default/alice", q, plain), func(a *parley.Answer) { a.Via = "terminal" }), permit.ErrNotShown},
		"by somebody else":      {s.signed(t, "default/bob", q, plain), passkey.ErrNotSigned},
		"by one of the name":    {s.signed(t, "umbrella/alice", q, plain), passkey.ErrNotSigned},
		"for another question":  {s.signed(t, "default/alice", other, plain), passkey.ErrNotSigned},
		"with other arguments":  {plainly(s.signed(t, "default/alice", q, of50), func(a *parley.Answer) { a.Content = json.RawMessage(of60) }), passkey.ErrNotSigned},
		"changed after":         {plainly(s.signed(t, "default/alice", q, plain), func(a *parley.Answer) { a.Content = json.RawMessage(of60) }), passkey.ErrNotSigned},
		"unchanged after":       {plainly(s.signed(t, "default/alice", q, of50), func(a *parley.Answer) { a.Content = json.RawMessage(plain) }), passkey.ErrNotSigned},
		"with other words":      {s.signed(t, "default/alice", reworded(q), plain), passkey.ErrNotSigned},
		"for another rule":      {s.signed(t, "default/alice", relabelled(q, parley.LabelSign), plain), passkey.ErrNotSigned},
		"for another call":      {s.signed(t, "default/alice", relabelled(q, permit.LabelDigest), plain), passkey.ErrNotSigned},
		"for somebody's call":   {s.signed(t, "default/alice", relabelled(q, permit.LabelAsker), plain), passkey.ErrNotSigned},
		"with a made-up result": {parley.Answer{Action: parley.Accept, Via: "page", Content: json.RawMessage(`{"decision":"allow_once","signed":{}}`)}, nil},
	} {
		err := s.hub.Answer(t.Context(), aliceHere, q.ID, one.answer)
		if one.want == nil && err != nil {
			continue
		}
		if one.want == nil {
			t.Errorf("%s: it was taken", name)
		} else {
			wantError(t, err, one.want)
		}
	}
	if got, err := s.hub.Get(t.Context(), aliceHere, q.ID); err != nil || !got.Pending() {
		t.Fatalf("it is settled: %+v, %v", got.Outcome, err)
	}
	right := s.signed(t, "default/alice", q, of50)
	if err := s.hub.Answer(t.Context(), aliceHere, q.ID, right); err != nil {
		t.Fatal(err)
	}
	wantError(t, s.hub.Answer(t.Context(), aliceHere, q.ID, right), parley.ErrSettled)
	wantError(t, s.hub.Answer(t.Context(), aliceHere, other.ID, right), passkey.ErrNotSigned)
	if d := s.record(t, c, q.ID); d.Status != permit.Granted || d.Changed == nil {
		t.Fatalf("%+v", d)
	}
	s.wantRefused(t, c, permit.Denied) // as it was
	s.wantExecuted(t, made(c, fiftyArgs))

	settled, err := s.hub.Get(t.Context(), aliceHere, q.ID)
	if err != nil || permit.SignedBy(settled) == nil || string(permit.ChangesOf(settled)) != `{"amount":50}` {
		t.Errorf("%s, %v", settled.Outcome.Content, err)
	}
	no := parley.Answer{Action: parley.Accept, Via: "page", Content: json.RawMessage(`{"decision":"deny"}`)} // needs none
	if err := s.hub.Answer(t.Context(), aliceHere, other.ID, no); err != nil {
		t.Error(err)
	}
	s.record(t, second, other.ID)
	s.wantRefused(t, second, permit.Denied)
}

// Whatever an approval depends on is signed: nothing of it is left out of the statement.
func TestTheStatementSaysAllThatIsDecided(t *testing.T) {
	s := signers(t, parley.NewMemoryStore(), []permit.Condition{signedTransfers}, aliceThere)
	q := s.ask(t, required(t, s.site, with(editable(), func(c *permit.Call) { c.Tenant = "umbrella" })))
	q.Labels[permit.LabelAsker] = "bob"
	got, needed := permit.ToSign(q, json.RawMessage(of50))
	want := passkey.Statement{
		Question: string(q.ID), Tenant: "umbrella", Person: "alice", For: "bob", Server: q.Labels[permit.LabelServer], Tool: "transfer", Call: q.Labels[permit.LabelCall],
		Digest: q.Labels[permit.LabelDigest], Changes: passkey.Changes([]byte(`{"amount":50}`)), Decision: "changed", Rule: "transfers", Shown: parley.ShownTo(q).Digest(),
	}
	if !needed || got != want {
		t.Errorf("%+v\nnot\n%+v", got, want)
	}
	for name, value := range map[string]string{"server": want.Server, "call": want.Call, "digest": want.Digest, "shown": want.Shown, "changes": want.Changes} {
		if value == "" {
			t.Errorf("there is no %s", name)
		}
	}
	elsewhere := q
	elsewhere.Trigger = parley.TriggerTool
	if _, needed := permit.ToSign(elsewhere, json.RawMessage(of50)); needed {
		t.Error("a question that approves nothing is signed")
	}
}

// Whoever of the two wants a signature, the operator or the tenant, gets one, however strict
// the other is; and a rule whose condition cannot be told wants it too.
func TestASignatureThatAnybodyWantsIsWanted(t *testing.T) {
	unsigned := permit.Condition{Name: "others", Tool: "transfer", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob"}}}
	doubtful := signedTransfers
	doubtful.When = "args.missing > 1"
	for name, rules := range map[string]struct{ operators, tenants permit.Condition }{
		"the operator": {signedTransfers, unsigned}, "the tenant": {unsigned, signedTransfers},
		"the operator, in doubt": {doubtful, unsigned}, "the tenant, in doubt": {unsigned, doubtful},
	} {
		s := hooked(t, parley.NewMemoryStore(), &permit.Options{Conditions: []permit.Condition{rules.operators}})
		if err := s.PutCondition(t.Context(), parley.DefaultTenant, rules.tenants); err != nil {
			t.Fatal(err)
		}
		s.await(t, transfer())
		if q := s.asked(t, "bob"); q.Labels[parley.LabelSign] != "transfers" || q.Labels[parley.LabelPage] == "" {
			t.Errorf("%s: %v", name, q.Labels)
		}
	}
}

func reworded(q parley.Request) parley.Request {
	q.Message += " "
	return q
}

func relabelled(q parley.Request, label string) parley.Request {
	labels := map[string]string{}
	for name, value := range q.Labels {
		labels[name] = value
	}
	labels[label] += "x"
	q.Labels = labels
	return q
}

// What was said before the rule wanted a signature, or for more than one call, allows nothing.
func TestAKeptPermissionDoesNotStandForASignature(t *testing.T) {
	for _, choice := range []permit.Choice{permit.AlwaysAllow, permit.AllowOnce} {
		store := parley.NewMemoryStore()
		before := hooked(t, store, &permit.Options{})
		if d := before.decided(t, transfer(), choice); d.Status != permit.Granted {
			t.Fatalf("%+v", d)
		}
		s := signers(t, store, []permit.Condition{signedTransfers}, aliceHere)
		s.wantCheck(t, transfer(), permit.Required)
		s.wantRefused(t, transfer(), permit.Required)
	}
}

// A hub without the hook takes the answer, and the call is not made.
func TestWithoutTheHookNothingIsAllowed(t *testing.T) {
	s := hooked(t, parley.NewMemoryStore(), &permit.Options{Conditions: []permit.Condition{signedTransfers}})
	for i, content := range []string{once, `{"decision":"allow_once","reason":"x"}`} {
		c := required(t, s, with(transfer(), func(c *permit.Call) { c.ID = fmt.Sprint(i); c.Session = c.ID }))
		q := s.ask(t, c)
		if err := s.hub.Answer(t.Context(), aliceHere, q.ID, parley.Answer{Action: parley.Accept, Via: "page", Content: json.RawMessage(content)}); err != nil {
			t.Fatal(err)
		}
		if d := s.record(t, c, q.ID); d.Status != permit.Denied {
			t.Errorf("%+v", d)
		}
		s.wantRefused(t, c, permit.Denied)
	}
	nobody := newSiteOn(t, parley.NewMemoryStore(), &permit.Options{Conditions: []permit.Condition{signedTransfers}}, &parley.Options{Hooks: []parley.Hook{permit.Signing(nil)}})
	q := nobody.ask(t, required(t, nobody, transfer()))
	wantError(t, nobody.hub.Answer(t.Context(), aliceHere, q.ID, parley.Answer{Action: parley.Accept, Via: "page", Content: json.RawMessage(once)}), passkey.ErrNotSigned)
}

// A question that was asked before the rule wanted a signature is no question of the rule.
func TestAQuestionOfBeforeTheRuleIsNotEnough(t *testing.T) {
	store := parley.NewMemoryStore()
	before := hooked(t, store, &permit.Options{Conditions: []permit.Condition{{Name: "transfers", Tool: "transfer", Approve: permit.Always, Choices: []permit.Choice{permit.AllowOnce, permit.Changed, permit.Refuse, permit.AskBack}}}})
	c := with(transfer(), func(c *permit.Call) {
		c.Choices = []permit.Choice{permit.AllowOnce, permit.Changed, permit.Refuse, permit.AskBack}
	})
	q := before.ask(t, c)
	before.answer(t, q, says(permit.AllowOnce))
	s := signers(t, store, []permit.Condition{signedTransfers}, aliceHere)
	_, err := s.Record(t.Context(), c, q.ID)
	wantError(t, err, permit.ErrMismatch)
}

func TestEachApproverSigns(t *testing.T) {
	rule := permit.Condition{Name: "transfers", Tool: "transfer", Approvers: &permit.Approvers{Need: 2, Of: []string{"bob", "carol"}}, Sign: permit.SignPasskey}
	store := parley.NewMemoryStore()
	unsigned := rule
	unsigned.Sign = ""
	before := hooked(t, store, &permit.Options{Conditions: []permit.Condition{unsigned}})
	before.await(t, transfer())
	for _, who := range []string{"bob", "carol"} {
		before.answer(t, before.asked(t, who), says(permit.AllowOnce))
	}
	before.wantCheck(t, transfer(), permit.Granted)

	s := signers(t, store, []permit.Condition{rule}, aliceHere, bobHere, carolHere)
	s.wantCheck(t, transfer(), permit.Required) // that was without a signature
	s.await(t, transfer())
	bobs, carols := s.asked(t, "bob"), s.asked(t, "carol")
	wantError(t, s.hub.Answer(t.Context(), bobHere, bobs.ID, parley.Answer{Action: parley.Accept, Via: "page", Content: json.RawMessage(once)}), passkey.ErrNotSigned)
	wantError(t, s.hub.Answer(t.Context(), bobHere, bobs.ID, s.signed(t, "default/carol", bobs, once)), passkey.ErrNotSigned)
	wantError(t, s.hub.Answer(t.Context(), bobHere, bobs.ID, s.signed(t, "default/bob", carols, once)), passkey.ErrNotSigned)
	for who, q := range map[parley.Principal]parley.Request{bobHere: bobs, carolHere: carols} {
		if err := s.hub.Answer(t.Context(), who, q.ID, s.signed(t, "default/"+who.User, q, once)); err != nil {
			t.Fatal(err)
		}
		settled, err := s.hub.Get(t.Context(), who, q.ID)
		if err != nil || permit.SignedBy(settled) == nil {
			t.Errorf("%s: %+v, %v", who.User, settled.Outcome, err)
		}
	}
	s.wantExecuted(t, transfer())
}

// A call is not changed into one that would have to be signed.
func TestACallIsNotChangedIntoOneThatIsSigned(t *testing.T) {
	s := signers(t, parley.NewMemoryStore(), []permit.Condition{
		{Name: "large", Tool: "transfer", When: "args.amount > 100", Approve: permit.Always, Sign: permit.SignPasskey},
	}, aliceHere)
	q := s.ask(t, editable())
	err := s.hub.Answer(t.Context(), aliceHere, q.ID, parley.Answer{Action: parley.Accept, Via: "page", Content: json.RawMessage(`{"args.amount":500,"args.to":"bob","decision":"changed"}`)})
	if err == nil {
		t.Error("it was taken")
	}
	bare := newSite(t, &permit.Options{Conditions: []permit.Condition{{Name: "large", Tool: "transfer", When: "args.amount > 100", Approve: permit.Always, Sign: permit.SignPasskey}}})
	q = bare.ask(t, editable())
	bare.answer(t, q, changes(`"args.amount":500,"args.to":"bob"`))
	if d := bare.record(t, editable(), q.ID); d.Status != permit.Denied {
		t.Errorf("%+v", d)
	}
}

func TestARuleSaysHowItIsSigned(t *testing.T) {
	for _, bad := range []permit.Condition{
		{Name: "x", Approve: permit.Always, Sign: "pen"},
		{Name: "x", Approve: permit.Never, Sign: permit.SignPasskey},
		{Name: "x", Approve: permit.Forbid, Sign: permit.SignPasskey},
		{Name: "x", Approve: permit.Always, Sign: permit.SignPasskey, Choices: []permit.Choice{permit.AlwaysAllow}},
	} {
		wantError(t, bad.Validate(), permit.ErrCondition)
	}
	if err := signedTransfers.Validate(); err != nil {
		t.Error(err)
	}
}

// The log names the rule that wanted a signature, and says which decisions were signed.
func TestWhatWasSignedIsLoggedAsSigned(t *testing.T) {
	alone := []permit.Condition{signedTransfers}
	together := permit.Condition{Name: "board", Tool: "transfer", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob"}}, Sign: permit.SignPasskey}
	s := signers(t, parley.NewMemoryStore(), alone, aliceHere)
	line := func(of *signing, want string, signed bool) {
		t.Helper()
		said := of.log.String()
		of.log.Reset()
		if !strings.Contains(said, want) || strings.Contains(said, "signed=passkey") != signed {
			t.Errorf("said %q; want %s, signed %v", said, want, signed)
		}
	}
	q := s.ask(t, required(t, s.site, editable()))
	s.answer(t, q, s.signed(t, "default/alice", q, plain))
	line(s, `rule=transfers via=page`, true)
	q = s.ask(t, required(t, s.site, with(editable(), func(c *permit.Call) { c.ID = "run-1/call-2" })))
	s.answer(t, q, parley.Answer{Action: parley.Accept, Via: "page", Content: json.RawMessage(`{"decision":"deny"}`)})
	line(s, `msg="approval denied"`, false)

	panel := signers(t, parley.NewMemoryStore(), []permit.Condition{together}, bobHere)
	panel.await(t, transfer())
	bobs := panel.asked(t, "bob")
	panel.answer(t, bobs, panel.signed(t, "default/bob", bobs, once))
	line(panel, `rule=board via=page`, true)
}
