package permit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
)

const transferSchema = `{"type":"object","properties":{
	"to":{"type":"string","pattern":"^[^A-Z]+$"},"amount":{"type":"integer","minimum":1,"maximum":1000},"urgent":{"type":"boolean"}},"required":["to","amount"]}`

// editable is the transfer of a tool whose schema is known.
func editable() permit.Call {
	return with(transfer(), func(c *permit.Call) { c.Schema = json.RawMessage(transferSchema) })
}

// made is a call with the arguments that were made of it.
func made(c permit.Call, args string) permit.Call {
	c.Changed = json.RawMessage(args)
	return c
}

// changes allows a call with other arguments.
func changes(format string, a ...any) parley.Answer {
	return parley.Answer{Action: parley.Accept, Content: fmt.Appendf(nil, `{"decision":"changed",`+format+`}`, a...), Via: "chat"}
}

const fifty, fiftyArgs = `"args.to":"bob","args.amount":50`, `{"amount":50,"to":"bob"}`

func guarded(t testing.TB, opts *permit.Options) *site {
	return hooked(t, parley.NewMemoryStore(), opts)
}

func TestWhoChangesACallAllowsWhatTheyMadeOfItAndNothingElse(t *testing.T) {
	s := guarded(t, nil)
	q := s.ask(t, editable())
	s.answer(t, q, changes(fifty))
	d := s.record(t, editable(), q.ID)
	if d.Status != permit.Granted || d.Changed == nil || string(d.Changed.Args) != fiftyArgs ||
		d.Changed.Told != "The person changed the arguments before allowing this call: amount 100 → 50." {
		t.Fatalf("%+v %+v", d, d.Changed)
	}
	s.wantRefused(t, editable(), permit.Denied) // the call as it was
	s.wantRefused(t, made(editable(), `{"amount":51,"to":"bob"}`), permit.Denied)
	s.wantRefused(t, made(editable(), `{"amount":100,"to":"bob"}`), permit.Denied)
	for name, change := range map[string]func(*permit.Call){
		"another id":      func(c *permit.Call) { c.ID = "2" },
		"another session": func(c *permit.Call) { c.Session = "chat-2" },
		"another person":  func(c *permit.Call) { c.User = "eve" },
		"the new call":    func(c *permit.Call) { c.Args, c.Changed = c.Changed, nil },
		"a call from it":  func(c *permit.Call) { c.Args = json.RawMessage(`{"amount":99,"to":"bob"}`) },
	} {
		if err := s.execute(t, with(made(editable(), fiftyArgs), change)); !errors.Is(err, permit.ErrNotPermitted) {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := s.again(t, nil) // a process that took over
	if d := other.wantCheck(t, editable(), permit.Granted); d.Changed == nil || string(d.Changed.Args) != fiftyArgs {
		t.Errorf("%+v", d)
	}
	other.wantExecuted(t, made(editable(), fiftyArgs))
	wantError(t, s.execute(t, made(editable(), fiftyArgs)), permit.ErrConsumed)
	wantError(t, s.execute(t, editable()), permit.ErrConsumed)
	if n := s.server.count(); n != 1 {
		t.Errorf("executed %d times", n)
	}
	settled, err := s.hub.Get(t.Context(), parley.Principal{User: "alice"}, q.ID)
	if choice, _ := permit.Decided(settled); err != nil || choice != permit.Changed || permit.Edited(settled) != "amount 100 → 50" {
		t.Errorf("%q, %v: %s", choice, err, permit.Edited(settled))
	}
}

// HTML has meanings for & < and >, and JSON within JSON is often stored with escapes for them.
func TestAnAnswerAboutAnArgumentWithCharactersOfHTMLCounts(t *testing.T) {
	address := with(editable(), func(c *permit.Call) {
		c.Args = json.RawMessage(`{"to":"https://x.example/?a=1&b=<2>","amount":100}`)
		c.Schema = json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"amount":{"type":"integer","enum":[100,50]},
			"R&D":{"type":"string","enum":["a & b","<c>"]}},"required":["to","amount"]}`)
	})
	for name, answer := range map[string]parley.Answer{
		"allow":  says(permit.AllowOnce),
		"change": changes(`"args.to":"https://x.example/?a=1&b=<2>","args.amount":50`),
	} {
		s := guarded(t, nil)
		q := s.ask(t, address)
		s.answer(t, q, answer)
		d := s.record(t, address, q.ID)
		wantStatus(t, d, permit.Granted)
		c := address
		if d.Changed != nil {
			c.Changed = d.Changed.Args
		}
		if err := s.execute(t, c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	s := guarded(t, nil)
	q := s.ask(t, address)
	s.answer(t, q, says(permit.Refuse))
	wantStatus(t, s.record(t, address, q.ID), permit.Denied)

	s = hooked(t, parley.NewMemoryStore(), quorum(1, "bob"))
	wait := s.await(t, address)
	if err := s.AskAlso(t.Context(), s.asked(t, "bob"), "erin"); err != nil {
		t.Error(err)
	}
	s.answer(t, s.asked(t, "bob"), says(permit.AllowOnce))
	s.wantEnd(t, wait, parley.Accept, "bob allowed it")
	s.wantExecuted(t, address)
}

// The arguments and the digest of what was made of a call are stored together; a record in
// which they are not those of one call allows none.
func TestAChangeWhoseRecordIsNotOfOneCallAllowsNothing(t *testing.T) {
	s := guarded(t, nil)
	q := s.ask(t, editable())
	s.answer(t, q, changes(fifty))
	s.record(t, editable(), q.ID)
	records := seal.Records(s.store, keyring(t), nil)
	altered := 0
	for record, err := range parley.Each(t.Context(), records, parley.Address{Tenant: parley.DefaultTenant, Kind: "permission"}, "") {
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(record.Data, []byte(fiftyArgs)) {
			continue
		}
		altered++
		record.Data = bytes.ReplaceAll(record.Data, []byte(fiftyArgs), []byte(`{"amount":51,"to":"bob"}`))
		if _, err := records.Save(t.Context(), record); err != nil {
			t.Fatal(err)
		}
	}
	if altered != 1 {
		t.Fatalf("%d records have the arguments", altered)
	}
	for _, args := range []string{fiftyArgs, `{"amount":51,"to":"bob"}`} {
		if d, err := s.Check(t.Context(), permit.Always, made(editable(), args)); err == nil || d.Status == permit.Granted {
			t.Errorf("%s: %+v, %v", args, d, err)
		}
		if err := s.execute(t, made(editable(), args)); err == nil {
			t.Errorf("%s was executed", args)
		}
	}
}

// The form of a program of its own, whose fields happen to be called so.
func TestAFormOfSomebodyElsesIsNotReadAsAChange(t *testing.T) {
	s := guarded(t, nil)
	q, err := s.hub.Open(t.Context(), parley.Request{
		To: "alice", From: "x", Mode: parley.Form, Message: "?", Trigger: parley.TriggerApproval,
		Schema: json.RawMessage(`{"type":"object","properties":{"decision":{"type":"string","enum":["allow_once"]},"args.a":{"type":"string","pattern":"("}}}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.answer(t, q, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once","args.a":"x"}`), Via: "chat"})
}

func TestAChangeThatChangesNothingAllowsTheCallAsItIs(t *testing.T) {
	s := guarded(t, nil)
	q := s.ask(t, editable())
	s.answer(t, q, changes(`"args.to":"bob","args.amount":1e2`))
	if d := s.record(t, editable(), q.ID); d.Status != permit.Granted || d.Changed != nil {
		t.Errorf("%+v", d)
	}
	settled, _ := s.hub.Get(t.Context(), parley.Principal{User: "alice"}, q.ID)
	if choice, _ := permit.Decided(settled); choice != permit.AllowOnce {
		t.Errorf("%q", choice)
	}
	s.wantExecuted(t, editable())
}

func TestAnAnswerThatDoesNotSayForSureWhatIsAllowedIsRefused(t *testing.T) {
	s := guarded(t, nil)
	q := s.ask(t, editable())
	for content, path := range map[string]string{
		`{"decision":"allow_once",` + fifty + `}`:                                       "args.amount",
		`{"decision":"always_allow","args.amount":50}`:                                  "args.amount",
		`{"decision":"changed","args.amount":50}`:                                       "args.to", // cleared, or never shown
		`{"decision":"changed","args.to":"b\u200bob","args.amount":50}`:                 "args.to",
		`{"decision":"changed","args.to":"BOB","args.amount":50}`:                       "args.to", // the tool's pattern
		`{"decision":"changed","args.to":"bob","args.amount":1001}`:                     "args.amount",
		`{"decision":"changed","args.to":"bob","args.amount":50.5}`:                     "args.amount",
		`{"decision":"changed","args.to":"bob","args.amount":"50"}`:                     "args.amount",
		`{"decision":"changed","args.to":"bob","args.amount":50,"args.amount":1}`:       "args.amount",
		`{"decision":"changed","args.to":"bob","args.amount":null}`:                     "args.amount",
		`{"decision":"changed","args.to":{"$ref":"x"},"args.amount":50,"reason":"why"}`: "args.to",
	} {
		err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, q.ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(content), Via: "chat"})
		var wrong *form.ContentError
		if !errors.As(err, &wrong) || len(wrong.Violations) == 0 || wrong.Violations[0].Path != path {
			t.Errorf("%s: %v", content, err)
		}
	}
	s.answer(t, q, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"deny","args.amount":50}`), Via: "chat"})
	wantStatus(t, s.record(t, editable(), q.ID), permit.Denied)
}

// A hub without the hook, or an outcome that came past it.
func TestWhatTheHookWouldHaveRefusedAllowsNothing(t *testing.T) {
	for _, content := range []string{
		`{"decision":"allow_once","args.amount":50}`, `{"decision":"always_allow","args.amount":50}`, `{"decision":"changed","args.to":"BOB","args.amount":50}`,
	} {
		s := newSite(t, nil)
		q := s.ask(t, editable())
		s.answer(t, q, parley.Answer{Action: parley.Accept, Content: json.RawMessage(content), Via: "chat"})
		d := s.record(t, editable(), q.ID)
		if d.Status == permit.Granted {
			t.Errorf("%s: %+v", content, d)
		}
	}
}

func TestOnlyWhatComesBackAsItWasCanBeChanged(t *testing.T) {
	const schema = `{"type":"object","$defs":{"color":{"type":"string","enum":["red","blue"]}},"properties":{
		"text":{"type":"string","title":"A lie","description":"another"},"lines":{"type":"string"},"hidden":{"type":"string"},"hebrew":{"type":"string"},
		"n":{"type":"number"},"fine":{"type":"number"},"big":{"type":"integer"},"yes":{"type":"boolean"},"color":{"$ref":"#/$defs/color"},"when":{"type":"string","format":"date-time"},
		"size":{"type":"integer","enum":[1,2]},"list":{"type":"array","items":{"type":"string","enum":["a","b"]}},"deep":{"type":"object"},
		"none":{"type":["string","null"]},"maybe":{"type":["string","null"]},"wrong":{"type":"integer"},"look":{"type":"string","pattern":"(?=x)"},"absent":{"type":"string"}}}`
	const arguments = `{"text":"a","lines":"a\nb","hidden":"a\u200bb","hebrew":"שלום","n":0.1,"fine":0.1234567890123456,"big":9007199254740993,"yes":true,"color":"red",
		"when":"2026-01-01T00:00:00Z","size":1,"list":["b","a"],"deep":{"a":1},"none":null,"maybe":"x","wrong":"x","look":"x","unknown":1}`
	s := newSite(t, nil)
	c := with(transfer(), func(c *permit.Call) { c.Args, c.Schema = json.RawMessage(arguments), json.RawMessage(schema) })
	q := s.ask(t, c)
	var names []string
	for _, f := range fieldsOf(t, q) {
		if name, ok := strings.CutPrefix(f.Name, permit.ArgumentPrefix); ok {
			names = append(names, name)
			if f.Title != name || f.Description != "" || f.Required || f.Default == nil || f.Format != "" {
				t.Errorf("%+v", f)
			}
		}
	}
	if got := strings.Join(names, " "); got != "color lines maybe n size text when yes" {
		t.Errorf("%s", got)
	}
	s.answer(t, q, changes(`"args.size":"2","args.color":"red","args.lines":"a\nb","args.maybe":"x","args.n":0.10,"args.text":"a","args.when":"2026-01-01T00:00:00Z","args.yes":false`))
	d := s.record(t, c, q.ID)
	if d.Changed == nil || d.Changed.Told != "The person changed the arguments before allowing this call: size 1 → 2; yes true → false." {
		t.Fatalf("%+v %+v", d, d.Changed)
	}
	want := strings.NewReplacer(`"size":1`, `"size":2`, `"yes":true`, `"yes":false`).Replace(arguments)
	if canonical, err := permit.Canonical(json.RawMessage(want)); err != nil || string(canonical) != string(d.Changed.Args) {
		t.Errorf("%s, %v", d.Changed.Args, err)
	}
}

func fieldsOf(t testing.TB, q parley.Request) []form.Field {
	t.Helper()
	schema, err := form.Parse(q.Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	return schema.Fields()
}

// offered are the choices of a question.
func offered(t testing.TB, q parley.Request) (values []string) {
	t.Helper()
	for _, o := range fieldsOf(t, q)[0].Options {
		values = append(values, o.Value)
	}
	return values
}

func TestWhatCannotBeDrawnIsNotOffered(t *testing.T) {
	for name, change := range map[string]func(*permit.Call){
		"no schema":   func(c *permit.Call) { c.Schema = nil },
		"of anything": func(c *permit.Call) { c.Schema = json.RawMessage(`{"type":"object"}`) },
		"no object":   func(c *permit.Call) { c.Schema = json.RawMessage(`true`) },
		"twice": func(c *permit.Call) {
			c.Schema = json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"to":{}}}`)
		},
		"somewhere else": func(c *permit.Call) {
			c.Schema = json.RawMessage(`{"type":"object","properties":{"to":{"$ref":"http://x"}}}`)
		},
		"without arguments":   func(c *permit.Call) { c.Args = nil },
		"a call that is long": func(c *permit.Call) { c.Args = fmt.Appendf(nil, `{"to":%q}`, strings.Repeat("a", 17<<10)) },
		"many arguments": func(c *permit.Call) {
			many := map[string]any{"to": "bob"}
			for i := range 40 {
				many[fmt.Sprint("x", i)] = i
			}
			c.Args, _ = json.Marshal(many)
		},
		"a rule against edits": func(c *permit.Call) { c.Choices = []permit.Choice{permit.AllowOnce} },
	} {
		s := newSite(t, &permit.Options{CallBytes: 64 << 10})
		q, err := s.Question(with(editable(), change))
		if err != nil || slices.Contains(offered(t, q), "changed") || strings.Contains(string(q.Schema), permit.ArgumentPrefix) {
			t.Errorf("%s: %s, %v", name, q.Schema, err)
		}
	}
	q, err := newSite(t, nil).Question(editable())
	if got := strings.Join(offered(t, q), " "); err != nil || got != "allow_once always_allow deny asked_back changed" {
		t.Errorf("%s, %v", got, err)
	}
}

func TestWhoChangesACallHasNoMoreSayThanTheRulesGiveThem(t *testing.T) {
	condition := func(when string, change func(*permit.Condition)) permit.Condition {
		c := permit.Condition{Name: "other", When: when, Approve: permit.Always}
		change(&c)
		return c
	}
	for name, rule := range map[string]permit.Condition{
		"refused":       condition("args.amount == 50", func(c *permit.Condition) { c.Approve = permit.Forbid }),
		"others decide": condition("args.amount == 50", func(c *permit.Condition) { c.Approvers = &permit.Approvers{Need: 1, Of: []string{"bob"}} }),
		"no edits":      condition("args.amount == 50", func(c *permit.Condition) { c.Choices = []permit.Choice{permit.AllowOnce} }),
	} {
		s := newSite(t, &permit.Options{Conditions: []permit.Condition{rule}}) // a hub without the hook that refuses the answer
		q := s.ask(t, editable())
		s.answer(t, q, changes(fifty))
		if d := s.record(t, editable(), q.ID); d.Status != permit.Denied || d.Changed != nil || !strings.Contains(d.Reason, `by the rule "other"`) {
			t.Errorf("%s: %+v", name, d)
		} else if again := strings.Contains(d.Reason, "Make it anew with the changed arguments: amount 100 → 50."); again != (name == "others decide") {
			t.Errorf("%s: %s", name, d.Reason)
		}
		s.wantRefused(t, editable(), permit.Denied)
		if err := s.execute(t, made(editable(), fiftyArgs)); !errors.Is(err, permit.ErrNotPermitted) {
			t.Errorf("%s: %v", name, err)
		}
	}

	// A rule that comes after the answer counts as well.
	s := guarded(t, nil)
	q := s.ask(t, editable())
	s.answer(t, q, changes(fifty))
	wantStatus(t, s.record(t, editable(), q.ID), permit.Granted)
	if err := s.PutCondition(t.Context(), "", permit.Condition{Name: "late", When: "args.amount == 50", Approve: permit.Forbid}); err != nil {
		t.Fatal(err)
	}
	s.wantRefused(t, made(editable(), fiftyArgs), permit.Denied)

	// A call into which nobody has to be asked is used up like any other.
	s = guarded(t, &permit.Options{Conditions: []permit.Condition{{Name: "small", When: "args.amount == 50", Approve: permit.Never}}})
	q = s.ask(t, editable())
	s.answer(t, q, changes(fifty))
	wantStatus(t, s.record(t, editable(), q.ID), permit.Granted)
	s.wantExecuted(t, made(editable(), fiftyArgs))
	wantError(t, s.execute(t, made(editable(), fiftyArgs)), permit.ErrConsumed)
}

// Rules that no longer ask do not bring the call back that the person has changed.
func TestAChangedCallStaysChangedWhenNobodyNeedBeAskedAnyMore(t *testing.T) {
	s := guarded(t, nil)
	q := s.ask(t, editable())
	s.answer(t, q, changes(fifty))
	s.record(t, editable(), q.ID)
	if err := s.PutCondition(t.Context(), "", permit.Condition{Name: "free", Approve: permit.Never}); err != nil {
		t.Fatal(err)
	}
	d, err := s.Check(t.Context(), permit.Always, made(editable(), fiftyArgs))
	if err != nil || d.Changed == nil || string(d.Changed.Args) != fiftyArgs {
		t.Errorf("%+v, %v", d, err)
	}
	s.wantExecuted(t, made(editable(), fiftyArgs))
	wantError(t, s.execute(t, made(editable(), fiftyArgs)), permit.ErrConsumed)
}

func TestTheApproverWhoseWordDecidesMayChangeTheCall(t *testing.T) {
	s := guarded(t, quorum(1, "bob", "carol"))
	wait := s.await(t, editable())
	bobs, carols := s.asked(t, "bob"), s.asked(t, "carol")
	if got := strings.Join(offered(t, bobs), " "); got != "allow_once deny changed" {
		t.Fatal(got)
	}
	s.answer(t, bobs, changes(fifty))
	if o := s.outcome(t, carols); o == nil || o.Action != parley.Cancel {
		t.Errorf("carol is still asked: %+v", o)
	}
	if o := s.outcome(t, wait); o == nil || o.Action != parley.Accept || o.Reason != "bob allowed it with changes" {
		t.Errorf("%+v", o)
	}
	if panel, err := s.Panel(t.Context(), wait); err != nil || panel.People[0].Said != permit.Changed {
		t.Errorf("%+v, %v", panel, err)
	}
	for _, p := range []*site{s, s.again(t, quorum(1, "bob", "carol"))} {
		d, _, err := p.Await(t.Context(), permit.Never, editable())
		if err != nil || d.Status != permit.Granted || d.Changed == nil || string(d.Changed.Args) != fiftyArgs ||
			d.Changed.Told != "bob changed the arguments before allowing this call: amount 100 → 50." {
			t.Fatalf("%+v, %v", d, err)
		}
	}
	s.wantRefused(t, editable(), permit.Denied)
	s.wantRefused(t, made(editable(), `{"amount":51,"to":"bob"}`), permit.Denied)
	s.wantExecuted(t, made(editable(), fiftyArgs))
	wantError(t, s.execute(t, made(editable(), fiftyArgs)), permit.ErrConsumed)
}

func TestWhereSeveralMustAgreeNobodyChangesTheCall(t *testing.T) {
	for name, opts := range map[string]*permit.Options{
		"two": quorum(2, "bob", "carol"),
		"a rule against it": {Conditions: []permit.Condition{{
			Name: "transfers", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob", "carol"}}, Choices: []permit.Choice{permit.AllowOnce},
		}}},
	} {
		s := guarded(t, opts)
		s.gather(t, editable(), permit.Required)
		q := s.asked(t, "bob")
		if got := strings.Join(offered(t, q), " "); got != "allow_once deny" {
			t.Errorf("%s: %s", name, got)
		}
		if err := s.hub.Answer(t.Context(), parley.Principal{User: "bob"}, q.ID, changes(fifty)); !errors.Is(err, form.ErrContent) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestApproversAreAskedAnewWhenAnotherThingCanBeChanged(t *testing.T) {
	s := guarded(t, quorum(1, "bob"))
	_, open := s.gather(t, transfer(), permit.Required) // its schema was not known yet
	_, next := s.gather(t, editable(), permit.Required)
	if open["bob"].ID == next["bob"].ID || s.outcome(t, open["bob"]) == nil {
		t.Errorf("%v %v", open, next)
	}
	s.answer(t, next["bob"], changes(fifty))
	d, _ := s.gather(t, editable(), permit.Granted)
	if d.Changed == nil {
		t.Errorf("%+v", d)
	}
}

// What approvers may decide about the call as it was is not all that they may decide.
func TestAnApproverChangesNothingIntoWhatOthersDecide(t *testing.T) {
	opts := quorum(1, "bob")
	opts.Conditions = slices.Insert(opts.Conditions, 0, permit.Condition{
		Name: "other", When: "args.amount == 50", Approvers: &permit.Approvers{Need: 1, Of: []string{"carol"}},
	})
	s := newSite(t, opts)
	_, open := s.gather(t, editable(), permit.Required)
	s.answer(t, open["bob"], changes(fifty))
	s.gather(t, editable(), permit.Denied)
	s.wantRefused(t, editable(), permit.Denied)
	if err := s.execute(t, made(editable(), fiftyArgs)); !errors.Is(err, permit.ErrNotPermitted) {
		t.Errorf("%v", err)
	}
}

// Whoever comes back for what was asked about comes for another call than was shown.
func TestWhatNobodyHasToAllowIsMadeAsItWasChanged(t *testing.T) {
	for _, asked := range []permit.Asked{permit.AskedNobody, permit.AskedPerson, permit.AskedApprovers} {
		call := editable()
		call.Asked = asked
		big := permit.Condition{Name: "big", When: "args.amount > 60"}
		if asked != permit.AskedPerson {
			big.Approvers = &permit.Approvers{Need: 1, Of: []string{"bob"}}
		} else {
			big.Approve = permit.Always
		}
		s := guarded(t, &permit.Options{Conditions: []permit.Condition{big}})
		if asked == permit.AskedPerson {
			q := s.ask(t, editable())
			s.answer(t, q, changes(fifty))
			s.record(t, editable(), q.ID)
		} else {
			_, open := s.gather(t, editable(), permit.Required)
			s.answer(t, open["bob"], changes(fifty))
			s.gather(t, call, permit.Granted)
		}
		d, err := s.Check(t.Context(), permit.Never, call)
		if err != nil || d.Status != permit.Granted || d.Changed == nil {
			t.Errorf("asked %d: %+v, %v", asked, d, err)
		}
	}
}

// Clients that keep numbers as doubles give back others than their person wrote.
func TestANumberThatAClientMayHaveRoundedIsRefused(t *testing.T) {
	s := guarded(t, nil)
	call := editable()
	call.Schema = json.RawMessage(`{"type":"object","properties":{"amount":{"type":"number"},"to":{"type":"string"}}}`)
	q := s.ask(t, call)
	for _, amount := range []string{"9007199254740993", "9007199254740992", "1.2345678901234568e17", "0.1234567890123456"} {
		content := `{"decision":"changed","args.to":"bob","args.amount":` + amount + `}`
		err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, q.ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(content), Via: "chat"})
		var wrong *form.ContentError
		if !errors.As(err, &wrong) || len(wrong.Violations) != 1 || wrong.Violations[0].Path != "args.amount" || wrong.Violations[0].Rule != "digits" {
			t.Errorf("%s: %v", amount, err)
		}
	}
}

// Whoever sends something that the form does not have means something by it.
func TestWhatTheFormDoesNotHaveIsRefused(t *testing.T) {
	s := guarded(t, nil)
	q := s.ask(t, editable())
	for _, one := range []struct{ decision, member, name string }{
		{"changed", `"args.urgent":true`, "args.urgent"}, {"allow_once", `"args.urgent":true`, "args.urgent"}, {"allow_once", `"amount":5`, "amount"},
		{"always_allow", `"args":{"amount":5}`, "args"}, {"allow_once", `"dry_run":true`, "dry_run"},
	} {
		decision := one.decision
		content := `{"decision":"` + decision + `","args.to":"bob","args.amount":100,` + one.member + `}`
		err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, q.ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(content), Via: "chat"})
		var wrong *form.ContentError
		if !errors.As(err, &wrong) || !slices.ContainsFunc(wrong.Violations, func(v form.Violation) bool { return v.Path == one.name && v.Rule == "unknown" }) {
			t.Errorf("%s %s: %v", decision, one.member, err)
		}
	}
	if got := s.outcome(t, q); got != nil {
		t.Errorf("it counts: %+v", got)
	}
}

// A pattern of a server's is work like that of a rule.
func TestAnArgumentWithAPatternThatIsTooMuchWorkCannotBeChanged(t *testing.T) {
	s := guarded(t, nil)
	call := editable()
	call.Schema = json.RawMessage(`{"type":"object","properties":{"amount":{"type":"number"},"to":{"type":"string","pattern":"` + strings.Repeat(".{0,1000}", 40) + `"}}}`)
	if q := s.ask(t, call); strings.Contains(string(q.Schema), "args.to") || !strings.Contains(string(q.Schema), "args.amount") {
		t.Errorf("%s", q.Schema)
	}
}
