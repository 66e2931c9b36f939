package permit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/permit"
)

func TestTheShorthandOfApprovers(t *testing.T) {
	for text, want := range map[string]permit.Approvers{
		"2 of [alice, bob]":               {Need: 2, Of: []string{"alice", "bob"}},
		"  1 of [a@example.com,b c , d] ": {Need: 1, Of: []string{"a@example.com", "b c", "d"}},
		"1 of [alice, alice]":             {Need: 1, Of: []string{"alice", "alice"}},
	} {
		got, err := permit.ParseApprovers(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, *got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
		again, err := permit.ParseApprovers(got.String())
		if err != nil || !cmp.Equal(got, again) {
			t.Errorf("%q: %v, %v", got, again, err)
		}
	}
	for _, text := range []string{
		"", "2", "2 of", "2 of alice, bob", "of [alice]", "two of [alice, bob]", "-1 of [alice]", "0 of [alice]", "2 of [alice]",
		"2 of [alice, alice]", "1 of []", "1 of [alice,]", "1 of [[alice]]", `1 of ["alice"]`, "1 of [alice] or so", "99999999999999999999 of [alice]",
		"1 of [al\x00ice]", "1 of [" + strings.Repeat("x", 101) + "]", "1.5 of [alice, bob]", "2 OF [alice, bob]",
	} {
		got, err := permit.ParseApprovers(text)
		wantError(t, err, permit.ErrCondition)
		if got != nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}
