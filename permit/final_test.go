package permit_test

import (
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

func TestAnApproverIsToldWhatCameOfIt(t *testing.T) {
	for want, said := range map[permit.Choice][3]permit.Choice{
		permit.AllowOnce: {permit.Refuse, permit.AllowOnce, permit.AllowOnce},
		permit.Refuse:    {permit.AllowOnce, permit.Refuse, permit.Refuse},
	} {
		s := newSite(t, quorum(2, "bob", "carol", "dave"))
		_, open := s.gather(t, transfer(), permit.Required)
		final := func() permit.Choice {
			t.Helper()
			got, err := s.Final(t.Context(), open["bob"])
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		s.answer(t, open["bob"], says(said[0]))
		s.answer(t, open["carol"], says(said[1]))
		s.gather(t, transfer(), permit.Required)
		if got := final(); got != "" {
			t.Errorf("undecided: %q", got)
		}
		s.answer(t, open["dave"], says(said[2]))
		status := permit.Granted
		if want == permit.Refuse {
			status = permit.Denied
		}
		s.gather(t, transfer(), status)
		if got := final(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		other := open["bob"]
		other.Labels[permit.LabelAsker] = "eve" // whose call it is not
		if got := final(); got != "" {
			t.Errorf("of another's: %q", got)
		}
	}
}

// Who says yes to a call that is taken back at the same moment reads that it was not made.
func TestAYesToWhatWasTakenBackCameToNothing(t *testing.T) {
	s := hooked(t, parley.NewMemoryStore(), quorum(2, "bob", "carol"))
	wait := s.await(t, transfer())
	bobs := s.asked(t, "bob")
	s.answer(t, bobs, says(permit.AllowOnce))
	if err := s.takeBack(t.Context(), wait); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Final(t.Context(), bobs); err != nil || got != permit.Refuse {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAnApproverReadsTheServersTitleAsTheAskerDoes(t *testing.T) {
	s := newSite(t, quorum(1, "bob"))
	call := with(transfer(), func(c *permit.Call) { c.ServerTitle = "Acme Bank" })
	_, open := s.gather(t, call, permit.Required)
	if got := open["bob"].Service(); got != "Acme Bank" {
		t.Errorf("%q asks", got)
	}
	s.answer(t, open["bob"], says(permit.AllowOnce))
	s.gather(t, call, permit.Granted)
}

func TestARefusalKeepsTheArgumentsThatItIsFor(t *testing.T) {
	s := newSite(t, nil)
	s.put(t, "", permit.Condition{Name: "x", Approve: permit.Always})
	s.decided(t, transfer(), permit.Refuse)
	all, err := s.List(t.Context(), "", "alice")
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	if got := all[0]; got.Effect != permit.Deny || got.Arguments != `{"amount":100,"to":"bob"}` || got.Session == "" {
		t.Errorf("%+v", got)
	}
	s.wantRefused(t, transfer(), permit.Denied)
}
