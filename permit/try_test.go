package permit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/permit"
)

// asDecided is a decision about a call of which nobody has said anything, in the
// words of a trial.
func asDecided(d permit.Decision) permit.Verdict {
	switch {
	case d.Status == permit.Denied:
		return permit.Forbids
	case d.Status == permit.Granted:
		return permit.Passes
	case d.Approvers != nil:
		return permit.AsksApprovers
	}
	return permit.AsksPerson
}

// What a trial says is what Check says before and after the condition is stored.
func TestATrialSaysWhatWouldHold(t *testing.T) {
	yes := true
	standing := []permit.Condition{
		{Name: "first", Tool: "look*", Approve: permit.Never},
		{Name: "second", Server: "bank", When: `args.amount > 1000`, Approvers: &permit.Approvers{Need: 1, Of: []string{"bob"}}},
	}
	for _, tried := range []permit.Condition{
		{Name: "new", Tool: "transfer", Approve: permit.Never},
		{Name: "new", Approve: permit.Forbid},
		{Name: "new", Server: "bank", When: `args.amount > 50`, Approve: permit.Always},
		{Name: "new", When: `args.nothing == 1`, Approve: permit.Forbid},
		{Name: "new", When: `user == "alice"`, Approvers: &permit.Approvers{Need: 2, Of: []string{"bob", "carol"}}},
		{Name: "new", ReadOnly: &yes, Approve: permit.Always},
		{Name: "first", Tool: "look*", Approve: permit.Forbid},
		{Name: "second", Server: "bank", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob", "carol"}}},
	} {
		s := newSite(t, &permit.Options{Conditions: []permit.Condition{{Name: "house", Tool: "erase", Approve: permit.Forbid}}, Servers: map[string]permit.Rule{"vault": permit.Always}})
		for _, c := range standing {
			if err := s.PutCondition(t.Context(), "", c); err != nil {
				t.Fatal(err)
			}
		}
		var calls []permit.Call
		for _, server := range []string{"bank", "shop", "vault"} {
			for _, tool := range []string{"transfer", "look", "erase"} {
				for _, args := range []string{`{}`, `{"amount":100}`, `{"amount":2000}`} {
					c := permit.Call{User: "alice", Server: server, Tool: tool, Args: json.RawMessage(args), ID: server + tool + args}
					if tool == "look" {
						c.ReadOnly = &yes
					}
					calls = append(calls, c)
				}
			}
		}
		trial, err := s.Try(t.Context(), "", tried)
		if err != nil {
			t.Fatal(err)
		}
		var said, before, after []permit.Verdict
		decide := func() (all []permit.Verdict) {
			for _, c := range calls {
				d, err := s.Check(t.Context(), permit.Unsafe, c)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, asDecided(d))
			}
			return all
		}
		before = decide()
		for i, c := range calls {
			got, err := trial.Judge(t.Context(), permit.Unsafe, c)
			if err != nil {
				t.Fatal(err)
			}
			said = append(said, got.Then.Verdict)
			if got.Now.Verdict != before[i] {
				t.Errorf("%+v: now %s, and Check says %s", c, got.Now.Verdict, before[i])
			}
		}
		if diff := cmp.Diff(before, decide()); diff != "" {
			t.Errorf("%s: the trial changed something: %s", tried.Name, diff)
		}
		if err := s.PutCondition(t.Context(), "", tried); err != nil {
			t.Fatal(err)
		}
		if after = decide(); !cmp.Equal(after, said) {
			t.Errorf("%+v: said and then true: %s", tried, cmp.Diff(said, after))
		}
	}
}

func TestATrialTakesWhatCanBeStoredAndNothingElse(t *testing.T) {
	s := newSite(t, &permit.Options{Conditions: []permit.Condition{{Name: "house", Approve: permit.Never}}})
	for _, c := range []permit.Condition{
		{Name: "", Approve: permit.Never}, {Name: "house", Approve: permit.Always}, {Name: "x"}, {Name: "x", Approve: permit.Never, When: "args.a >"},
		{Name: "x", Approve: permit.Always, Choices: []permit.Choice{"sometimes"}},
	} {
		_, err := s.Try(t.Context(), "", c)
		if stored := s.PutCondition(t.Context(), "", c); !errors.Is(err, permit.ErrCondition) || fmt.Sprint(err) != fmt.Sprint(stored) {
			t.Errorf("%+v: %v, and to be stored: %v", c, err, stored)
		}
	}
}

// Another number of approvers is a change though approvers are asked now as then.
func TestATrialNoticesOtherApprovers(t *testing.T) {
	s := newSite(t, nil)
	two := permit.Condition{Name: "pay", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob", "carol"}}}
	if err := s.PutCondition(t.Context(), "", two); err != nil {
		t.Fatal(err)
	}
	for need, want := range map[int]bool{1: false, 2: true} {
		trial, err := s.Try(t.Context(), "", permit.Condition{Name: "pay", Approvers: &permit.Approvers{Need: need, Of: []string{"carol", "bob"}}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := trial.Judge(t.Context(), permit.Unsafe, transfer())
		if err != nil || got.Changed() != want {
			t.Errorf("%d of two: %+v, %v", need, got, err)
		}
	}
}

// What was not kept of a call is not made up.
func TestATrialSaysWhatItCannotKnow(t *testing.T) {
	yes := true
	outline := permit.Call{User: "alice", Server: "bank", Tool: "transfer"}
	for name, c := range map[string]struct {
		condition permit.Condition
		want      permit.Verdict
	}{
		"the tool is enough":           {permit.Condition{Tool: "transfer", Approve: permit.Forbid}, permit.Forbids},
		"it asks for the arguments":    {permit.Condition{When: "args.amount > 1", Approve: permit.Forbid}, permit.Unknown},
		"it asks for the annotations":  {permit.Condition{ReadOnly: &yes, Approve: permit.Forbid}, permit.Unknown},
		"it depends on what is unsafe": {permit.Condition{Approve: permit.Unsafe}, permit.Unknown},
		"it is about another tool":     {permit.Condition{Tool: "look", When: "args.amount > 1", Approve: permit.Forbid}, permit.AsksPerson},
	} {
		s := newSite(t, nil)
		c.condition.Name = "new"
		trial, err := s.Try(t.Context(), "", c.condition)
		if err != nil {
			t.Fatal(err)
		}
		got, err := trial.JudgeOutline(t.Context(), permit.Unsafe, outline)
		if err != nil || got.Now.Verdict != permit.AsksPerson || got.Then.Verdict != c.want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
