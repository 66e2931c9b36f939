package permit_test

import (
	"bytes"
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

// impossible are names of approvers whom nobody can be, or who are no people.
var impossible = map[string][]string{
	"nobody can be called that":  {"mcp-session:x"},
	"it is the name of":          {"parley-program:release"},
	"spaces around it":           {"bob "},
	"characters that cannot":     {"a\u202eb"},
	"cannot be seen":             {"a\u200bb"},
	"that cannot be seen":        {"a\u00a0b"},
	"is a group":                 {"group:oncall"},
	"groups are for escalate":    {"group:nobody"},
	"List the people instead: ":  {"bob", "oncall"},
	"instead: dora, emil":        {"oncall"},
	"is named twice":             {"bob", "carol", "bob"},
	"characters that cannot be ": {"a\nb"},
	"no approver":                {""},
}

func TestApproversArePeopleWhoCanBe(t *testing.T) {
	opts := &permit.Options{Groups: map[string][]string{"oncall": {"dora", "emil"}}}
	s := newSite(t, opts)
	for want, of := range impossible {
		c := permit.Condition{Name: "x", Approvers: &permit.Approvers{Need: 1, Of: of}}
		_, trial := s.Try(t.Context(), "", c)
		_, configured := permit.New(s.hub, s.store, keyring(t), &permit.Options{Groups: opts.Groups, Conditions: []permit.Condition{c}})
		for how, err := range map[string]error{"stored": s.PutCondition(t.Context(), "", c), "tried": trial, "configured": configured} {
			if wantError(t, err, permit.ErrCondition); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %q: %v; want %q", how, of, err, want)
			}
		}
	}
	for _, of := range [][]string{{"bob"}, {"a@example.com", "b c", "דוד"}} {
		if err := s.PutCondition(t.Context(), "", permit.Condition{Name: "x", Approvers: &permit.Approvers{Need: 1, Of: of}}); err != nil {
			t.Errorf("%q: %v", of, err)
		}
	}
}

// A rule of before names were looked at lets nothing through, and asks whom there are.
func TestAStoredApproverWhomNobodyCanBeIsNotAsked(t *testing.T) {
	s := newSite(t, nil)
	if err := s.PutCondition(t.Context(), "", permit.Condition{Name: "x", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob", "PLACE"}}}); err != nil {
		t.Fatal(err)
	}
	rewriteRules(t, s.store, func(data []byte) []byte { return bytes.ReplaceAll(data, []byte("PLACE"), []byte("mcp-session:x")) })
	_, open := s.again(t, nil).gather(t, transfer(), permit.Required)
	if people(open) != "bob" {
		t.Errorf("asked %s", people(open))
	}
	rewriteRules(t, s.store, func(data []byte) []byte { return bytes.ReplaceAll(data, []byte(`"bob"`), []byte(`"group:oncall"`)) })
	d, err := s.again(t, nil).Check(t.Context(), permit.Never, transfer())
	if err != nil || d.Status != permit.Denied {
		t.Errorf("%+v, %v", d, err)
	}
}
