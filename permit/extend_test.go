package permit_test

import (
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
