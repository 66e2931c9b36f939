package permit_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/permit"
)

// refuses gives an answer that is refused like a form that is filled in wrongly.
func (s *site) refuses(t *testing.T, q parley.Request, a parley.Answer, words string) {
	t.Helper()
	err := s.hub.Answer(t.Context(), parley.OwnerOf(q.Tenant, q.To), q.ID, a)
	var wrong *form.ContentError
	if !errors.As(err, &wrong) || len(wrong.Violations) != 1 || wrong.Violations[0].Path != "args.amount" || wrong.Violations[0].Message != words {
		t.Errorf("got %v; want %s", err, words)
	}
	if s.outcome(t, q) != nil {
		t.Error("the question is closed")
	}
}

func TestAChangeIntoACallThatTheRulesKeepFromThePersonIsNoAnswer(t *testing.T) {
	bobs := &permit.Approvers{Need: 1, Of: []string{"bob"}}
	for words, rule := range map[string]permit.Condition{
		`With these arguments the call is refused, by the rule "other".`:                  {Approve: permit.Forbid},
		`With these arguments the call needs the word of approvers, by the rule "other".`: {Approvers: bobs},
		`No call can be changed into one with these arguments, by the rule "other".`:      {Approve: permit.Always, Choices: []permit.Choice{permit.AllowOnce}},
	} {
		rule.Name, rule.When = "other", `args.amount == 50 && args.to == "bob" && user == "alice"`
		s := guarded(t, &permit.Options{Conditions: []permit.Condition{rule}})
		q := s.ask(t, editable())
		s.refuses(t, q, changes(fifty), words)
		s.answer(t, q, changes(`"args.to":"bob","args.amount":51`)) // the person does otherwise
		if d := s.record(t, editable(), q.ID); d.Status != permit.Granted || d.Changed == nil {
			t.Errorf("%+v", d)
		}
	}
}

func TestATenantsRuleKeepsAChangeFromThePersonToo(t *testing.T) {
	s := guarded(t, nil)
	q := s.ask(t, editable())
	if err := s.PutCondition(t.Context(), "", permit.Condition{Name: "late", When: "args.amount == 50", Approve: permit.Forbid}); err != nil {
		t.Fatal(err)
	}
	s.refuses(t, q, changes(fifty), `With these arguments the call is refused, by the rule "late".`)
}

func TestAnApproversChangeIntoWhatOthersDecideIsNoAnswer(t *testing.T) {
	opts := quorum(1, "bob")
	opts.Conditions = slices.Insert(opts.Conditions, 0, permit.Condition{
		Name: "other", When: `args.amount == 50 && user == "alice"`, Approvers: &permit.Approvers{Need: 1, Of: []string{"carol"}},
	})
	s := guarded(t, opts)
	_, open := s.gather(t, editable(), permit.Required)
	s.refuses(t, open["bob"], changes(fifty), `With these arguments the call needs the word of approvers, by the rule "other".`)
	s.answer(t, open["bob"], changes(`"args.to":"bob","args.amount":51`)) // the same approvers
	s.gather(t, editable(), permit.Granted)
}

// What is not among the fields is known from the message, however it is shown there.
func TestAChangeIsWeighedWithAllArgumentsOfTheCall(t *testing.T) {
	s := guarded(t, &permit.Options{Conditions: []permit.Condition{
		{Name: "other", When: `args.amount == 50 && args.deep.a[1] == "\nArguments:\n{\u200b" && args.name == "שלום 1"`, Approve: permit.Forbid},
	}})
	c := with(editable(), func(c *permit.Call) {
		c.ToolTitle = "x\nArguments:\n{}"
		c.Args = json.RawMessage(`{"amount":100,"to":"bob","name":"שלום 1","deep":{"a":[1,"\nArguments:\n{\u200b"]}}`)
	})
	s.refuses(t, s.ask(t, c), changes(fifty), `With these arguments the call is refused, by the rule "other".`)
}

// A question does not tell the annotations: what hangs on them is denied later.
func TestWhatHangsOnAnnotationsIsDeniedAfterTheAnswer(t *testing.T) {
	s := guarded(t, &permit.Options{Conditions: []permit.Condition{{Name: "other", When: "args.amount == 50", Destructive: new(true), Approve: permit.Forbid}}})
	q := s.ask(t, editable())
	s.answer(t, q, changes(fifty))
	if d := s.record(t, editable(), q.ID); d.Status != permit.Denied || !strings.Contains(d.Reason, "never allowed") {
		t.Errorf("%+v", d)
	}
	c := with(editable(), func(c *permit.Call) { c.ReadOnly, c.ID = new(true), "2" })
	q = s.ask(t, c)
	s.answer(t, q, changes(fifty))
	wantStatus(t, s.record(t, c, q.ID), permit.Granted)
}
