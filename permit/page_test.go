package permit_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// TestWhatARuleHasDecidedOnItsPageIsDecidedNowhereElse: whoever says yes elsewhere is
// refused, and the question stays open.
func TestWhatARuleHasDecidedOnItsPageIsDecidedNowhereElse(t *testing.T) {
	for name, rule := range map[string]permit.Condition{
		"by the person":    {Name: "transfers", Tool: "transfer", Approve: permit.Always, Page: true},
		"by an approver":   {Name: "transfers", Tool: "transfer", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob"}}, Page: true},
		"nobody can tell":  {Name: "transfers", Tool: "transfer", When: "args.missing > 1", Approve: permit.Always, Page: true},
		"of two it is one": {Name: "transfers", Tool: "transfer", Approve: permit.Always},
	} {
		t.Run(name, func(t *testing.T) {
			s := hooked(t, parley.NewMemoryStore(), &permit.Options{Conditions: []permit.Condition{rule}})
			if name == "of two it is one" {
				if err := s.PutCondition(t.Context(), parley.DefaultTenant, permit.Condition{Name: "ours", Tool: "*", Approve: permit.Always, Page: true}); err != nil {
					t.Fatal(err)
				}
			}
			c := transfer()
			d := s.wantCheck(t, c, permit.Required)
			var q parley.Request
			if rule.Approvers != nil {
				if wait := s.await(t, c); wait.Labels[parley.LabelPage] == "" {
					t.Error("the question of whose call it is does not say that the call is for its page")
				}
				q = s.asked(t, "bob")
			} else {
				if !d.Page {
					t.Fatal("the decision does not say so")
				}
				c.Page, c.Choices = d.Page, d.Choices
				q = s.ask(t, c)
			}
			if brief := q.Labels[parley.LabelBrief]; !strings.Contains(brief, "on its page") || q.Labels[parley.LabelPage] == "" {
				t.Errorf("labels: %v", q.Labels)
			}
			who := parley.Principal{Tenant: q.Tenant, User: q.To}
			for _, via := range []string{"slack", "chat", "terminal", "inbox", "mcp"} {
				yes := says(permit.AllowOnce)
				yes.Via = via
				wantError(t, s.hub.Answer(t.Context(), who, q.ID, yes), permit.ErrNotShown)
			}
			yes := says(permit.AllowOnce)
			yes.Via = "page"
			if err := s.hub.Answer(t.Context(), who, q.ID, yes); err != nil {
				t.Fatal(err)
			}
			if rule.Approvers == nil {
				s.record(t, c, q.ID)
			}
			s.wantExecuted(t, c)
		})
	}
}

// TestACallThatIsDecidedOnItsPageIsNotALongOne: how many may be open is counted as for
// any other.
func TestACallThatIsDecidedOnItsPageIsNotALongOne(t *testing.T) {
	s := hooked(t, parley.NewMemoryStore(), &permit.Options{Conditions: []permit.Condition{{Name: "transfers", Tool: "transfer", Approve: permit.Always, Page: true}}})
	for i := range 20 {
		c := transfer()
		c.ID, c.Page, c.Session = strings.Repeat("x", i+1), true, ""
		s.ask(t, c)
	}
}

func TestARuleNamesTheChannelOfItsApprovers(t *testing.T) {
	rule := permit.Condition{Name: "transfers", Tool: "transfer", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob"}}, Slack: "T0AB/C0123456"}
	s := hooked(t, parley.NewMemoryStore(), &permit.Options{Conditions: []permit.Condition{rule}})
	wait := s.await(t, transfer())
	if got := s.asked(t, "bob").Labels[permit.LabelSlack]; got != rule.Slack {
		t.Errorf("the approver's question names %q", got)
	}
	if got := wait.Labels[permit.LabelSlack]; got != "" {
		t.Errorf("the person's question names %q", got)
	}
	for _, bad := range []string{"general", "#general", "c0123456", "C0123456 ", "C0123456/T0AB", "D0123456", "T0AB/", "C<!here>"} {
		rule.Slack = bad
		wantError(t, rule.Validate(), permit.ErrCondition)
	}
	wantError(t, permit.Condition{Name: "x", Approve: permit.Always, Slack: "C0123456"}.Validate(), permit.ErrCondition)
	wantError(t, permit.Condition{Name: "x", Approve: permit.Never, Page: true}.Validate(), permit.ErrCondition)
}
