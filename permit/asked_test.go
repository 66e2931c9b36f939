package permit_test

import (
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

func TestARuleThatIsGoneLetsNothingThroughThatWasAskedAbout(t *testing.T) {
	asked := with(transfer(), func(c *permit.Call) { c.Asked = permit.AskedPerson })
	s := newSite(t, nil)
	if got := s.status(t, permit.Never, asked); got != permit.Required {
		t.Errorf("nobody has said anything: %s", got)
	}
	q := s.ask(t, transfer())
	s.answer(t, q, says(permit.Refuse))
	s.record(t, transfer(), q.ID)
	if got := s.status(t, permit.Never, asked); got != permit.Denied {
		t.Errorf("refused: %s", got)
	}
	if err := s.Consume(t.Context(), permit.Never, asked); err == nil {
		t.Error("what was refused is let through")
	}
	if got := s.status(t, permit.Never, transfer()); got != permit.Granted { // whose caller knows of no question
		t.Errorf("another call: %s", got)
	}
}

func TestWhatItsPersonRefusedIsNotForApproversToAllow(t *testing.T) {
	s := hooked(t, parley.NewMemoryStore(), nil)
	q := s.ask(t, transfer())
	s.answer(t, q, says(permit.Refuse))
	s.record(t, transfer(), q.ID)
	s.put(t, "", permit.Condition{Name: "four eyes", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob"}}})
	asked := with(transfer(), func(c *permit.Call) { c.Asked = permit.AskedPerson })
	if got := s.status(t, permit.Never, asked); got != permit.Denied {
		t.Errorf("it is %s", got)
	}
}

func TestWhatApproversWereAskedAboutIsDeniedWhereTheyAreNotKnownAnyMore(t *testing.T) {
	s := hooked(t, parley.NewMemoryStore(), nil)
	s.put(t, "", permit.Condition{Name: "four eyes", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob"}}})
	s.await(t, transfer())
	s.put(t, "", permit.Condition{Name: "four eyes", Approve: permit.Never})
	asked := with(transfer(), func(c *permit.Call) { c.Asked = permit.AskedApprovers })
	if got := s.status(t, permit.Never, asked); got != permit.Required {
		t.Errorf("bob has said nothing: %s", got)
	}
	renamed := with(asked, func(c *permit.Call) { c.ToolTitle = "Look at the account" })
	if d, err := s.Check(t.Context(), permit.Never, renamed); err != nil || d.Status != permit.Denied || d.Reason != "What its approvers were asked about is not this call any more, so it is denied." {
		t.Errorf("%+v, %v", d, err)
	}
}
