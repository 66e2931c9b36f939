package permit_test

import (
	"encoding/json"
	"testing"

	"github.com/parley-hq/parley/permit"
)

func TestWhichCallsNeedAnApproval(t *testing.T) {
	yes, no := new(true), new(false)
	for _, tc := range []struct {
		name                  string
		readOnly, destructive *bool
		unsafe                bool
	}{
		{"nothing declared", nil, nil, true},
		{"not read-only", no, nil, true},
		{"not destructive", nil, no, true},
		{"destructive", nil, yes, true},
		{"read-only", yes, nil, false},
		{"read-only and not destructive", yes, no, false},
		{"read-only and destructive", yes, yes, true},
	} {
		c := with(transfer(), func(c *permit.Call) { c.ReadOnly, c.Destructive = tc.readOnly, tc.destructive })
		for rule, want := range map[permit.Rule]bool{
			permit.Never: false, permit.Unsafe: tc.unsafe, "": tc.unsafe, permit.Always: true,
		} {
			if got, err := rule.Applies(c); got != want || err != nil {
				t.Errorf("%s, %q: %t, %v", tc.name, rule, got, err)
			}
		}
	}
}

func TestACallThatNeedsNoApprovalPasses(t *testing.T) {
	s := newSite(t, nil)
	// No question will show it, so nothing hangs on what its arguments mean.
	odd := with(transfer(), func(c *permit.Call) { c.Args = json.RawMessage(`{"a":1,"a":2}`) })
	for range 2 {
		if d, err := s.Check(t.Context(), permit.Never, odd); err != nil || d.Status != permit.Granted || d.Grant != "" {
			t.Errorf("%+v, %v", d, err)
		}
		if err := s.Consume(t.Context(), permit.Never, odd); err != nil {
			t.Error(err)
		}
	}
	// And it is no approval for when the rule becomes stricter.
	s.wantRefused(t, transfer(), permit.Required)
}

func TestAnUnknownRulePermitsNothing(t *testing.T) {
	s := newSite(t, nil)
	s.decided(t, transfer(), permit.AllowOnce)
	_, err := s.Check(t.Context(), "nevre", transfer())
	wantError(t, err, permit.ErrRule)
	wantError(t, s.Consume(t.Context(), "nevre", transfer()), permit.ErrRule)
	s.wantExecuted(t, transfer())
}

func TestRulesAreReadFromAConfiguration(t *testing.T) {
	for text, want := range map[string]permit.Rule{"": permit.Unsafe, "never": permit.Never, "unsafe": permit.Unsafe, "always": permit.Always} {
		if got, err := permit.ParseRule(text); got != want || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"Never", "none", " never", "false"} {
		_, err := permit.ParseRule(text)
		wantError(t, err, permit.ErrRule)
	}
}
