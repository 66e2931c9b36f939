package permit_test

import (
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// inCircle is a further call of the same, of a model that may begin sessions.
func inCircle(id, session, circle string) permit.Call {
	return with(transfer(), func(c *permit.Call) { c.ID, c.Session, c.Circle = id, session, circle })
}

func TestARefusalHoldsInAllOfACircle(t *testing.T) {
	s := newSite(t, nil)
	s.decided(t, inCircle("1", "chat-1", "models"), permit.Refuse)
	s.wantCheck(t, inCircle("2", "chat-2", "models"), permit.Denied)
	s.wantRefused(t, inCircle("2", "chat-2", "models"), permit.Denied)
	// Whoever speaks in a session says nothing about the circle, not even where
	// the session has the circle's name.
	for _, session := range []string{"chat-1", "chat-2", "models"} {
		if err := s.Lift(t.Context(), "", "alice", session); err != nil {
			t.Fatal(err)
		}
	}
	s.wantCheck(t, inCircle("3", "chat-1", "models"), permit.Denied)
	// The person is free elsewhere, and takes it back where it is listed.
	s.wantCheck(t, inCircle("4", "chat-1", ""), permit.Required)
	s.wantCheck(t, inCircle("5", "chat-1", "others"), permit.Required)
	list := s.listed(t, "alice")
	if len(list) != 1 || list[0].Effect != permit.Deny {
		t.Fatalf("%+v", list)
	}
	if err := s.Revoke(t.Context(), "", "alice", list[0].ID); err != nil {
		t.Fatal(err)
	}
	s.wantCheck(t, inCircle("6", "chat-2", "models"), permit.Required)
}

func TestACircleDoesNotEscapeARefusalOfItsSession(t *testing.T) {
	s := newSite(t, nil)
	s.decided(t, inCircle("1", "chat-1", ""), permit.Refuse)
	s.wantCheck(t, inCircle("2", "chat-1", "models"), permit.Denied)
	s.wantCheck(t, inCircle("3", "chat-2", "models"), permit.Required)
	if err := s.Lift(t.Context(), "", "alice", "chat-1"); err != nil {
		t.Fatal(err)
	}
	s.wantCheck(t, inCircle("4", "chat-1", "models"), permit.Required)
}

func TestApproversAreAskedOnceInAllOfACircle(t *testing.T) {
	s := ruled(t, permit.Condition{Name: "two eyes", Approvers: &permit.Approvers{Need: 1, Of: []string{"carol"}}})
	_, open, err := s.Gather(t.Context(), permit.Always, inCircle("1", "chat-1", "models"))
	if err != nil || len(open) != 1 {
		t.Fatalf("%v, %v", open, err)
	}
	if err := s.hub.Answer(t.Context(), parley.Principal{User: "carol"}, open[0], says(permit.Refuse)); err != nil {
		t.Fatal(err)
	}
	d, open, err := s.Gather(t.Context(), permit.Always, inCircle("2", "chat-2", "models"))
	if err != nil || d.Status != permit.Denied || len(open) != 0 {
		t.Errorf("%+v, %v, %v", d, open, err)
	}
}
