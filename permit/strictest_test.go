package permit_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// words is everything that a rule can say, from the least to the most.
func words() []permit.Condition {
	return []permit.Condition{
		{Name: "never", Approve: permit.Never},
		{Name: "unsafe", Approve: permit.Unsafe},
		{Name: "always", Approve: permit.Always},
		{Name: "approvers", Approvers: &permit.Approvers{Need: 1, Of: []string{"carol"}}},
		{Name: "refuse", Approve: permit.Forbid},
	}
}

// verdict is what a word means for a call, as a sentence of a few letters.
func verdict(word string, safe bool) string {
	switch {
	case word == "refuse":
		return "denied"
	case word == "approvers":
		return "required of 1 of [carol]"
	case word == "never", word == "unsafe" && safe:
		return "granted"
	}
	return "required"
}

func (s *site) verdict(t testing.TB, rule permit.Rule, c permit.Call) string {
	t.Helper()
	d, err := s.Check(t.Context(), rule, c)
	if err != nil {
		t.Fatal(err)
	}
	if d.Approvers != nil {
		return fmt.Sprintf("%s of %s", d.Status, d.Approvers)
	}
	return string(d.Status)
}

// The operator's word and the tenant's: whoever says more is heard, wherever
// each of them says it, and Consume says the same as Check.
func TestOfTheOperatorsAndTheTenantsWordTheStricterHolds(t *testing.T) {
	list := words()
	for o, operator := range list {
		for w, tenant := range list {
			for _, safe := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s and %s, safe %t", operator.Name, tenant.Name, safe), func(t *testing.T) {
					want := verdict(list[max(o, w)].Name, safe)
					call := with(transfer(), func(c *permit.Call) { c.ReadOnly = &safe })
					houses := []*permit.Options{{Conditions: []permit.Condition{named("house", operator)}}}
					if operator.Approvers == nil { // a server's own rule names none
						houses = append(houses, &permit.Options{Servers: map[string]permit.Rule{"bank": operator.Approve}})
					}
					for _, house := range houses {
						s := newSite(t, house)
						s.put(t, "", named("own", tenant))
						if got := s.verdict(t, permit.Unsafe, call); got != want {
							t.Errorf("%+v: %s, want %s", house, got, want)
						}
						if err := s.Consume(t.Context(), permit.Unsafe, call); (err == nil) != (want == "granted") {
							t.Errorf("%+v: Consume: %v", house, err)
						}
					}
				})
			}
		}
	}
}

func named(name string, c permit.Condition) permit.Condition {
	c.Name = name
	return c
}

// An operator who says nothing about a server leaves it to the tenant, and a
// condition of the operator's comes before the operator's own rule of a server.
func TestATenantsConditionIsAloneWhereTheOperatorIsSilent(t *testing.T) {
	s := newSite(t, &permit.Options{Servers: map[string]permit.Rule{"other": permit.Forbid}})
	s.put(t, "", permit.Condition{Name: "own", Approve: permit.Never})
	if got := s.verdict(t, permit.Always, transfer()); got != "granted" {
		t.Error(got)
	}
	s = newSite(t, &permit.Options{
		Conditions: []permit.Condition{{Name: "quotes", Tool: "quote", Approve: permit.Never}},
		Servers:    map[string]permit.Rule{"bank": permit.Always},
	})
	if got := s.verdict(t, permit.Always, with(transfer(), func(c *permit.Call) { c.Tool = "quote" })); got != "granted" {
		t.Error(got)
	}
	s.put(t, "", permit.Condition{Name: "own", Approve: permit.Never})
	if got := s.verdict(t, permit.Always, transfer()); got != "required" {
		t.Error(got)
	}
}

// What nobody can evaluate is taken at its worst in either list.
func TestAConditionOfEitherThatFailsIsTakenAtItsWorst(t *testing.T) {
	broken := permit.Condition{Name: "broken", When: "args.missing > 1", Approve: permit.Forbid}
	free := permit.Condition{Name: "free", Approve: permit.Never}
	for name, lists := range map[string][2][]permit.Condition{
		"the operator's": {{broken}, {free}},
		"the tenant's":   {{free}, {broken}},
	} {
		t.Run(name, func(t *testing.T) {
			s := ruled(t, lists[0]...)
			for _, c := range lists[1] {
				s.put(t, "", c)
			}
			if got := s.verdict(t, permit.Never, transfer()); got != "denied" {
				t.Error(got)
			}
		})
	}
}

// A tenant that names approvers of its own does not do away with the operator's:
// what is needed satisfies both.
func TestApproversOfTheOperatorAndOfTheTenantAreBothNeeded(t *testing.T) {
	for _, c := range []struct{ operator, tenant, want string }{
		{"1 of [bob]", "1 of [bob]", "1 of [bob]"},
		{"1 of [bob]", "1 of [mallory]", "2 of [bob, mallory]"},
		{"1 of [bob]", "2 of [mallory, oscar]", "3 of [bob, mallory, oscar]"},
		{"1 of [bob, carol, dave]", "2 of [bob, carol]", "2 of [bob, carol]"},
		{"2 of [bob, carol]", "1 of [bob, carol, dave]", "2 of [bob, carol]"},
		{"2 of [bob, carol, dave]", "2 of [carol, dave, erin]", "3 of [bob, carol, dave, erin]"},
	} {
		operator, err := permit.ParseApprovers(c.operator)
		if err != nil {
			t.Fatal(err)
		}
		tenant, err := permit.ParseApprovers(c.tenant)
		if err != nil {
			t.Fatal(err)
		}
		s := ruled(t, permit.Condition{Name: "house", Approvers: operator})
		s.put(t, "", permit.Condition{Name: "own", Approvers: tenant})
		if diff := cmp.Diff("required of "+c.want, s.verdict(t, permit.Never, transfer())); diff != "" {
			t.Errorf("%s and %s: %s", c.operator, c.tenant, diff)
		}
	}
}

func TestAnUnknownRuleOfAServerIsRefused(t *testing.T) {
	s := newSite(t, nil)
	_, err := permit.New(s.hub, s.store, keyring(t), &permit.Options{Servers: map[string]permit.Rule{"bank": "sometimes"}})
	wantError(t, err, permit.ErrRule)
}

// A tenant's rule that names fewer approvers takes neither their time nor their channel away.
func TestATenantsApproversHaveTheOperatorsTimeAndChannel(t *testing.T) {
	operators := permit.Condition{Name: "house", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob", "carol"}}, TTL: 24 * time.Hour, Slack: "C0123456"}
	for name, tenant := range map[string]permit.Condition{
		"fewer":  {Name: "own", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob"}}},
		"others": {Name: "own", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob", "dave"}}},
		"more":   {Name: "own", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob", "carol", "dave"}}},
		"person": {Name: "own", Approve: permit.Always},
	} {
		s := hooked(t, parley.NewMemoryStore(), &permit.Options{Conditions: []permit.Condition{operators}})
		s.put(t, "", tenant)
		s.await(t, transfer())
		q := s.asked(t, "bob")
		if left := time.Until(q.Expires); left < 23*time.Hour || q.Labels[permit.LabelSlack] != "C0123456" {
			t.Errorf("%s: bob has %v, in %q", name, left, q.Labels[permit.LabelSlack])
		}
	}
}
