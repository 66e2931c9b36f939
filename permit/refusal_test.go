package permit_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// sameAgain is the call that a model makes after it was refused.
func sameAgain() permit.Call {
	return with(transfer(), func(c *permit.Call) {
		c.ID, c.Args = "run-1/call-2", json.RawMessage(`{"amount":100,"to":"bob"}`)
	})
}

func TestEveryNoOfThePersonDenies(t *testing.T) {
	for name, no := range map[string]parley.Answer{
		"deny":    says(permit.Refuse),
		"decline": {Action: parley.Decline, Via: "chat"},
		"cancel":  {Action: parley.Cancel, Via: "chat"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, nil)
			q := s.ask(t, transfer())
			s.answer(t, q, no)
			wantStatus(t, s.record(t, transfer(), q.ID), permit.Denied)
			s.wantCheck(t, transfer(), permit.Denied)
			s.wantRefused(t, transfer(), permit.Denied)
			// A model that asks again at once does not wear the person out.
			if d := s.wantCheck(t, sameAgain(), permit.Denied); d.Ask() {
				t.Errorf("asked again: %+v", d)
			}
			s.wantRefused(t, sameAgain(), permit.Denied)
		})
	}
}

func TestARefusalIsAboutTheSameCallInTheSameSession(t *testing.T) {
	s := newSite(t, nil)
	s.decided(t, transfer(), permit.Refuse)
	for name, change := range map[string]func(*permit.Call){
		"other arguments": func(c *permit.Call) { c.Args = json.RawMessage(`{"to":"bob","amount":1}`) },
		"another session": func(c *permit.Call) { c.Session = "chat-2" },
		"another person":  func(c *permit.Call) { c.User = "carol" },
		"another tool":    func(c *permit.Call) { c.Tool = "quote" },
	} {
		t.Run(name, func(t *testing.T) { s.wantCheck(t, with(sameAgain(), change), permit.Required) })
	}
}

func TestARefusalIsRememberedForAWhile(t *testing.T) {
	for quiet, want := range map[time.Duration]time.Duration{0: 10 * time.Minute, time.Minute: time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t, &permit.Options{Quiet: quiet})
			s.decided(t, transfer(), permit.Refuse)
			time.Sleep(want - time.Millisecond)
			s.wantCheck(t, sameAgain(), permit.Denied)
			time.Sleep(time.Millisecond)
			s.wantCheck(t, sameAgain(), permit.Required)
			s.wantCheck(t, transfer(), permit.Denied) // that very call is refused for good
			s.wantRefused(t, transfer(), permit.Denied)
		})
	}
	s := newSite(t, &permit.Options{Quiet: -1})
	s.decided(t, transfer(), permit.Refuse)
	s.wantCheck(t, transfer(), permit.Denied)
	s.wantCheck(t, sameAgain(), permit.Required)
}

func TestARefusalIsLiftedWhenThePersonSpeaksAgain(t *testing.T) {
	s := newSite(t, nil)
	elsewhere := with(transfer(), func(c *permit.Call) { c.Session, c.ID = "chat-2", "9" })
	q := s.ask(t, transfer())
	s.answer(t, q, says(permit.Refuse))
	s.record(t, transfer(), q.ID)
	s.decided(t, elsewhere, permit.Refuse)
	s.decided(t, with(transfer(), func(c *permit.Call) { c.Tool, c.ID = "quote", "10" }), permit.AlwaysAllow)
	for range 2 {
		if err := s.Lift(t.Context(), "", "alice", "chat-1"); err != nil {
			t.Fatal(err)
		}
	}
	s.wantCheck(t, sameAgain(), permit.Required)
	s.wantCheck(t, with(elsewhere, func(c *permit.Call) { c.ID = "11" }), permit.Denied)
	s.wantCheck(t, with(transfer(), func(c *permit.Call) { c.Tool, c.ID = "quote", "12" }), permit.Granted)
	// The step that recorded the refusal is repeated after a crash.
	wantStatus(t, s.record(t, transfer(), q.ID), permit.Denied)
	s.wantCheck(t, sameAgain(), permit.Required)
	wantError(t, s.Lift(t.Context(), "", "", "chat-1"), parley.ErrNoOwner)
}

func TestARefusalIsListedAndRevocable(t *testing.T) {
	s := newSite(t, nil)
	s.decided(t, transfer(), permit.Refuse)
	list := s.listed(t, "alice")
	if len(list) != 1 || list[0].Effect != permit.Deny || list[0].Session != "chat-1" || list[0].Call != "" || list[0].Until.IsZero() {
		t.Fatalf("%+v", list)
	}
	if d := s.wantCheck(t, sameAgain(), permit.Denied); d.Grant != list[0].ID {
		t.Errorf("denied by %s", d.Grant)
	}
	if err := s.Revoke(t.Context(), "", "alice", list[0].ID); err != nil {
		t.Fatal(err)
	}
	s.wantCheck(t, sameAgain(), permit.Required)
	s.wantCheck(t, transfer(), permit.Denied)
}

func TestTheLatestOfARefusalAndAStandingPermissionCounts(t *testing.T) {
	for _, last := range []permit.Choice{permit.Refuse, permit.AlwaysAllow} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t, nil)
			first := permit.AlwaysAllow
			if last == first {
				first = permit.Refuse
			}
			other := with(transfer(), func(c *permit.Call) { c.ID = "2" })
			one, two := s.ask(t, transfer()), s.ask(t, other)
			s.answer(t, one, says(first))
			time.Sleep(time.Second)
			s.answer(t, two, says(last))
			s.record(t, other, two.ID)
			s.record(t, transfer(), one.ID)
			third := with(transfer(), func(c *permit.Call) { c.ID = "3" })
			if last == permit.Refuse {
				s.wantRefused(t, third, permit.Denied)
			} else {
				s.wantExecuted(t, third)
			}
		})
	}
}

func TestATimeOutDenies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, nil)
		q := s.ask(t, transfer())
		start := time.Now()
		o, err := s.hub.Wait(t.Context(), q.ID)
		if err != nil || o.Action != parley.Expire || time.Since(start) != 10*time.Minute {
			t.Fatalf("%+v, %v after %v", o, err, time.Since(start))
		}
		d := s.record(t, transfer(), q.ID)
		wantStatus(t, d, permit.Denied)
		if d.Reason != "Nobody answered in time, so the call is denied." {
			t.Error(d.Reason)
		}
		s.wantCheck(t, transfer(), permit.Denied)
		s.wantRefused(t, transfer(), permit.Denied)
		// Nobody has refused: the next call asks again.
		s.wantCheck(t, sameAgain(), permit.Required)
		// And an answer that comes too late allows nothing.
		wantError(t, s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, q.ID, says(permit.AllowOnce)), parley.ErrExpired)
		s.wantRefused(t, transfer(), permit.Denied)
	})
}

// Nobody waits and nobody sweeps: the question is overdue and still without an
// outcome.
func TestAQuestionThatIsOverdueDenies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, nil)
		q := s.ask(t, transfer())
		time.Sleep(10*time.Minute - time.Millisecond)
		_, err := s.Record(t.Context(), transfer(), q.ID)
		wantError(t, err, permit.ErrPending)
		time.Sleep(time.Millisecond)
		wantStatus(t, s.record(t, transfer(), q.ID), permit.Denied)
		s.wantRefused(t, transfer(), permit.Denied)
	})
}

func TestAWithdrawnQuestionDenies(t *testing.T) {
	s := newSite(t, nil)
	q := s.ask(t, transfer())
	if err := s.hub.Cancel(t.Context(), q.ID, "the run was stopped"); err != nil {
		t.Fatal(err)
	}
	d := s.record(t, transfer(), q.ID)
	wantStatus(t, d, permit.Denied)
	if d.Reason != "The question was closed without an answer of the person, so the call is denied." {
		t.Error(d.Reason)
	}
	s.wantRefused(t, transfer(), permit.Denied)
	s.wantCheck(t, sameAgain(), permit.Required)
}
