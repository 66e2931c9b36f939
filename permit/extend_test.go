package permit_test

import (
	"context"
	"errors"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

func pendingOf(t *testing.T, s *site, user string) []parley.Request {
	t.Helper()
	all, err := s.hub.List(t.Context(), parley.Principal{User: user}, parley.Query{Pending: true})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestADeputysWordCountsAndEverybodyElsesQuestionCloses(t *testing.T) {
	s := ruled(t, permit.Condition{Name: "four eyes", Approvers: &permit.Approvers{Need: 1, Of: []string{"carol", "dave"}}})
	if _, _, err := s.Gather(t.Context(), permit.Always, transfer()); err != nil {
		t.Fatal(err)
	}
	q := pendingOf(t, s, "carol")[0]
	of := &permit.Approvers{Need: 1, Of: []string{"dave", "carol"}}
	for range 3 {
		if err := s.again(t, nil).Extend(t.Context(), q, of, "erin", "carol", "alice", "erin"); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(pendingOf(t, s, "alice")); n != 0 {
		t.Errorf("the asker has %d questions", n)
	}
	erins := pendingOf(t, s, "erin")
	if len(erins) != 1 || erins[0].Message != q.Message || len(pendingOf(t, s, "carol")) != 1 {
		t.Fatalf("%+v", erins)
	}
	if err := s.hub.Answer(t.Context(), parley.Principal{User: "erin"}, erins[0].ID, says(permit.AllowOnce)); err != nil {
		t.Fatal(err)
	}
	d, open, err := s.Gather(t.Context(), permit.Always, transfer())
	if err != nil || d.Status != permit.Granted || len(open) != 0 {
		t.Errorf("%+v, %v, %v", d, open, err)
	}
	for _, other := range []string{"carol", "dave"} {
		if n := len(pendingOf(t, s, other)); n != 0 {
			t.Errorf("%s has %d questions", other, n)
		}
	}
}

func TestNothingIsExtendedThatIsNotOpenOrOfOthers(t *testing.T) {
	s := ruled(t, permit.Condition{Name: "four eyes", Approvers: &permit.Approvers{Need: 1, Of: []string{"carol"}}})
	if _, _, err := s.Gather(t.Context(), permit.Always, transfer()); err != nil {
		t.Fatal(err)
	}
	q := pendingOf(t, s, "carol")[0]
	forged := q.Clone()
	forged.To = "mallory"
	stolen := q.Clone()
	stolen.ID = parley.NewID()
	for name, err := range map[string]error{
		"other approvers": s.Extend(t.Context(), q, &permit.Approvers{Need: 1, Of: []string{"bob"}}, "erin"),
		"another person":  s.Extend(t.Context(), forged, nil, "erin"),
		"another id":      s.Extend(t.Context(), stolen, nil, "erin"),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(pendingOf(t, s, "erin")); n != 0 {
		t.Errorf("%d were asked", n)
	}
	if err := s.hub.Answer(t.Context(), parley.Principal{User: "carol"}, q.ID, says(permit.Refuse)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Gather(t.Context(), permit.Always, transfer()); err != nil {
		t.Fatal(err)
	}
	if err := s.Extend(t.Context(), q, nil, "erin"); err != nil || len(pendingOf(t, s, "erin")) != 0 {
		t.Errorf("a decided question was extended: %v", err)
	}
}

// A deputy who is known is asked with the approvers: no haste of theirs decides before.
func TestADeputyIsAskedFromTheBeginning(t *testing.T) {
	opts := quorum(1, "bob", "carol")
	opts.Deputy = func(_ context.Context, tenant, approver string) (string, error) {
		switch {
		case tenant != parley.DefaultTenant:
			return "", errors.New("another tenant")
		case approver == "bob":
			return "alice", errors.New("unknown for now")
		}
		return "dora", nil
	}
	s := newSite(t, opts)
	_, open := s.gather(t, transfer(), permit.Required)
	if people(open) != "bob carol dora" {
		t.Fatalf("asked %s", people(open))
	}
	s.answer(t, open["bob"], says(permit.Refuse))
	s.gather(t, transfer(), permit.Required)
	s.answer(t, open["dora"], says(permit.AllowOnce))
	s.gather(t, transfer(), permit.Granted)
	s.wantExecuted(t, transfer())

	// Who stands in is no one twice, and never the person whose call it is.
	for name, want := range map[string]string{"alice": "bob carol", "carol": "bob carol", "": "bob carol", "x\n": "bob carol", "dora": "bob carol dora"} {
		opts := quorum(1, "bob", "carol")
		opts.Deputy = func(context.Context, string, string) (string, error) { return name, nil }
		if _, open := newSite(t, opts).gather(t, transfer(), permit.Required); people(open) != want {
			t.Errorf("%q: asked %s", name, people(open))
		}
	}
}
