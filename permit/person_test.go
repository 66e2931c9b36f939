package permit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// bigPayments are for an approver to allow, all others by the server's own rule.
func bigPayments(servers map[string]permit.Rule) *permit.Options {
	return &permit.Options{Servers: servers, Conditions: []permit.Condition{{
		Name: "big", When: "args.amount > 60", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob", "carol"}},
	}}}
}

// awaitBy is await with the rule of the server.
func (s *site) awaitBy(t testing.TB, rule permit.Rule, c permit.Call) parley.Request {
	t.Helper()
	d, q, err := s.Await(t.Context(), rule, c)
	if err != nil || !d.Ask() {
		t.Fatalf("%+v, %v", d, err)
	}
	if q, err = s.hub.Open(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	return q
}

// An approver has no say about what the person decides, whoever says that the person does.
func TestAnApproverChangesNothingIntoWhatThePersonDecides(t *testing.T) {
	for name, one := range map[string]struct {
		opts *permit.Options
		rule permit.Rule
	}{
		"the server's rule":            {bigPayments(map[string]permit.Rule{"bank": permit.Always}), permit.Always},
		"the rule of a tenant's own":   {bigPayments(nil), permit.Always},
		"a tool that is not read-only": {bigPayments(nil), permit.Unsafe},
	} {
		t.Run(name, func(t *testing.T) {
			s := guarded(t, one.opts)
			wait := s.awaitBy(t, one.rule, editable())
			s.refuses(t, s.asked(t, "bob"), changes(fifty), "With these arguments it is for the person whose call it is to allow the call.")
			if o := s.outcome(t, wait); o != nil {
				t.Errorf("it is over: %+v", o)
			}

			// Past the hook the call is denied.
			s = newSite(t, one.opts)
			_, open, err := s.Gather(t.Context(), one.rule, editable())
			if err != nil || len(open) != 2 {
				t.Fatal(open, err)
			}
			s.answer(t, s.asked(t, "bob"), changes(fifty))
			d, _, err := s.Gather(t.Context(), one.rule, editable())
			if err != nil || d.Status != permit.Denied || !strings.Contains(d.Reason, "it is for the person to allow such a call") {
				t.Errorf("%+v, %v", d, err)
			}
			if err := s.Consume(t.Context(), one.rule, made(editable(), fiftyArgs)); !errors.Is(err, permit.ErrNotPermitted) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestAnApproverMayChangeACallIntoOneThatNeedsNobody(t *testing.T) {
	readOnly := with(editable(), func(c *permit.Call) { c.ReadOnly = new(true) })
	for rule, call := range map[permit.Rule]permit.Call{permit.Never: editable(), permit.Unsafe: readOnly} {
		s := guarded(t, bigPayments(nil))
		s.awaitBy(t, rule, call)
		s.answer(t, s.asked(t, "bob"), changes(fifty))
		if err := s.Consume(t.Context(), rule, made(call, fiftyArgs)); err != nil {
			t.Errorf("%s: %v", rule, err)
		}
	}
}

// What the person has refused no approver brings back, whatever the rules say since.
func TestARefusalOfThePersonsWinsOverAnApproversChange(t *testing.T) {
	small := with(editable(), func(c *permit.Call) { c.ID, c.Session, c.Args = "small", "another chat", []byte(fiftyArgs) })
	refused := func(t *testing.T, s *site) {
		t.Helper()
		q := s.ask(t, small)
		s.answer(t, q, says(permit.Refuse))
		wantStatus(t, s.record(t, small, q.ID), permit.Denied)
	}
	place := func(c permit.Call) permit.Call { c.Place = "https://bank.example/mcp"; return c }
	small = place(small)

	s := guarded(t, bigPayments(nil))
	refused(t, s)
	s.awaitBy(t, permit.Never, place(editable()))
	s.refuses(t, s.asked(t, "bob"), changes(fifty), "The person whose call it is has refused a call with these arguments.")

	// Where the refusal comes after the approver's word it wins as well.
	s = guarded(t, bigPayments(nil))
	s.awaitBy(t, permit.Never, place(editable()))
	s.answer(t, s.asked(t, "bob"), changes(fifty))
	refused(t, s)
	err := s.Consume(t.Context(), permit.Never, made(place(editable()), fiftyArgs))
	if !errors.Is(err, permit.ErrNotPermitted) || !strings.Contains(err.Error(), "the person has refused such a call") {
		t.Errorf("%v", err)
	}
	d, _, err := s.Await(t.Context(), permit.Never, place(editable()))
	if err != nil || d.Status != permit.Denied {
		t.Errorf("%+v, %v", d, err)
	}

	// Taken back, it does not.
	list := s.listed(t, "alice")
	for _, one := range list {
		if one.Effect == permit.Deny {
			if err := s.Revoke(t.Context(), "", "alice", one.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Consume(t.Context(), permit.Never, made(place(editable()), fiftyArgs)); err != nil {
		t.Error(err)
	}
}

// A refusal is about the arguments that were refused: it bars no change into others.
func TestARefusalOfOtherArgumentsBarsNoChange(t *testing.T) {
	forty := strings.Replace(fiftyArgs, "50", "40", 1)
	other := with(editable(), func(c *permit.Call) { c.ID, c.Session, c.Args = "small", "another chat", []byte(forty) })
	s := guarded(t, bigPayments(nil))
	q := s.ask(t, other)
	s.answer(t, q, says(permit.Refuse))
	wantStatus(t, s.record(t, other, q.ID), permit.Denied)
	s.awaitBy(t, permit.Never, editable())
	s.answer(t, s.asked(t, "bob"), changes(fifty))
	if err := s.Consume(t.Context(), permit.Never, made(editable(), fiftyArgs)); err != nil {
		t.Error(err)
	}
}
