package permit_test

import (
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// Approve A, run B: for each way in which B is not A. B runs in another process.
func TestAnApprovalOfOneCallIsNoApprovalOfAnother(t *testing.T) {
	for name, change := range map[string]func(*permit.Call){
		"changed arguments": func(c *permit.Call) { c.Args = json.RawMessage(`{"to":"mallory","amount":100}`) },
		"a changed digit":   func(c *permit.Call) { c.Args = json.RawMessage(`{"to":"bob","amount":100.0}`) },
		"another tool":      func(c *permit.Call) { c.Tool = "transfer_all" },
		"another server":    func(c *permit.Call) { c.Server = "bank2" },
		"another person":    func(c *permit.Call) { c.User = "mallory" },
		"another tenant":    func(c *permit.Call) { c.Tenant = "acme" },
		"another session":   func(c *permit.Call) { c.Session = "chat-2" },
		"no session":        func(c *permit.Call) { c.Session = "" },
		"a second call":     func(c *permit.Call) { c.ID = "run-1/call-2" },
	} {
		t.Run(name, func(t *testing.T) {
			here := newSite(t, nil)
			there := here.again(t, nil)
			wantStatus(t, here.decided(t, transfer(), permit.AllowOnce), permit.Granted)
			other := with(transfer(), change)
			there.wantCheck(t, other, permit.Required)
			there.wantRefused(t, other, permit.Required)
			// The approval is still there for what it was given for.
			there.wantExecuted(t, transfer())
			if diff := cmp.Diff(map[string]int{"transfer" + string(transfer().Args): 1}, here.server.calls); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReorderedKeysAreTheSameCall(t *testing.T) {
	s := newSite(t, nil)
	s.decided(t, transfer(), permit.AllowOnce)
	s.wantExecuted(t, with(transfer(), func(c *permit.Call) { c.Args = json.RawMessage(`{"amount":100,"to":"bob"}`) }))
}

func TestAnApprovalIsGoodForOneExecution(t *testing.T) {
	s := newSite(t, nil)
	d := s.decided(t, transfer(), permit.AllowOnce)
	s.wantExecuted(t, transfer())
	for _, process := range []*site{s, s.again(t, nil)} {
		wantError(t, process.execute(t, transfer()), permit.ErrConsumed)
		_, err := process.Check(t.Context(), permit.Always, transfer())
		wantError(t, err, permit.ErrConsumed)
		edited := with(transfer(), func(c *permit.Call) { c.Args = nil })
		wantError(t, process.execute(t, edited), permit.ErrConsumed)
		wantError(t, process.Revoke(t.Context(), "", "alice", d.Grant), permit.ErrConsumed)
	}
	if n := s.server.count(); n != 1 {
		t.Errorf("executed %d times", n)
	}
}

// A new question cannot bring a call back that was made.
func TestACallThatWasMadeIsNotMadeAgainByAnotherApproval(t *testing.T) {
	for _, first := range []permit.Choice{permit.AllowOnce, permit.AlwaysAllow} {
		for _, second := range []permit.Choice{permit.AllowOnce, permit.AlwaysAllow} {
			s := newSite(t, nil)
			one, two := s.ask(t, transfer()), s.ask(t, transfer())
			s.answer(t, one, says(first))
			s.record(t, transfer(), one.ID)
			s.wantExecuted(t, transfer())
			s.answer(t, two, says(second))
			_, err := s.Record(t.Context(), transfer(), two.ID)
			wantError(t, err, permit.ErrConsumed)
			wantError(t, s.execute(t, transfer()), permit.ErrConsumed)
			for _, left := range s.listed(t, "alice") {
				if left.Call != "" {
					t.Errorf("%s, %s: listed %+v", first, second, left)
				}
			}
			if s.server.count() != 1 {
				t.Errorf("%s, %s: executed %d times", first, second, s.server.count())
			}
		}
	}
}

func TestNothingRunsBeforeItIsRecorded(t *testing.T) {
	s := newSite(t, nil)
	s.wantCheck(t, transfer(), permit.Required)
	s.wantRefused(t, transfer(), permit.Required)
	q := s.ask(t, transfer())
	s.wantRefused(t, transfer(), permit.Required)
	_, err := s.Record(t.Context(), transfer(), q.ID)
	wantError(t, err, permit.ErrPending)
	s.wantRefused(t, transfer(), permit.Required)
	s.answer(t, q, says(permit.AllowOnce))
	s.wantRefused(t, transfer(), permit.Required)
	wantStatus(t, s.record(t, transfer(), q.ID), permit.Granted)
	if d := s.wantCheck(t, transfer(), permit.Granted); d.Ask() || d.Grant == "" {
		t.Errorf("%+v", d)
	}
	s.wantExecuted(t, transfer())
}

func TestARevokedApprovalIsNoneAndStaysRevoked(t *testing.T) {
	for _, choice := range []permit.Choice{permit.AllowOnce, permit.AlwaysAllow} {
		t.Run(string(choice), func(t *testing.T) {
			s := newSite(t, nil)
			q := s.ask(t, transfer())
			s.answer(t, q, says(choice))
			d := s.record(t, transfer(), q.ID)
			list := s.listed(t, "alice")
			if len(list) != 1 || list[0].ID != d.Grant {
				t.Fatalf("listed %+v, granted by %s", list, d.Grant)
			}
			for range 2 {
				if err := s.Revoke(t.Context(), "", "alice", d.Grant); err != nil {
					t.Fatal(err)
				}
			}
			want := map[permit.Choice]permit.Status{permit.AllowOnce: permit.Denied, permit.AlwaysAllow: permit.Required}[choice]
			s.wantRefused(t, transfer(), want)
			// The step that recorded it is repeated after a crash.
			wantStatus(t, s.again(t, nil).record(t, transfer(), q.ID), want)
			s.wantRefused(t, transfer(), want)
			if list := s.listed(t, "alice"); len(list) != 0 {
				t.Errorf("still listed: %+v", list)
			}
		})
	}
}

func TestOnlyTheOwnerRevokes(t *testing.T) {
	s := newSite(t, nil)
	d := s.decided(t, transfer(), permit.AlwaysAllow)
	for _, who := range [][2]string{{"", "mallory"}, {"acme", "alice"}, {"", "alice/" + d.Grant[:4]}} {
		wantError(t, s.Revoke(t.Context(), who[0], who[1], d.Grant), parley.ErrNotFound)
	}
	wantError(t, s.Revoke(t.Context(), "", "", d.Grant), parley.ErrNoOwner)
	wantError(t, s.Revoke(t.Context(), "", "alice", "tool-x"), parley.ErrNotFound)
	s.wantExecuted(t, transfer())
}

func TestAnApprovalExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, &permit.Options{OnceTTL: 5 * time.Minute})
		q := s.ask(t, transfer())
		s.answer(t, q, says(permit.AllowOnce))
		s.record(t, transfer(), q.ID)
		time.Sleep(5*time.Minute - time.Millisecond)
		s.wantCheck(t, transfer(), permit.Granted)
		time.Sleep(time.Millisecond)
		if d := s.wantCheck(t, transfer(), permit.Expired); !d.Ask() {
			t.Errorf("%+v is not asked about", d)
		}
		s.wantRefused(t, transfer(), permit.Expired)
		wantStatus(t, s.record(t, transfer(), q.ID), permit.Expired) // recording again does not renew it
		if list := s.listed(t, "alice"); len(list) != 0 {
			t.Errorf("listed %+v", list)
		}
		wantStatus(t, s.decided(t, transfer(), permit.AllowOnce), permit.Granted)
		s.wantExecuted(t, transfer())
	})
}

// The time runs from the answer, not from when somebody came to record it.
func TestAnApprovalThatWasRecordedTooLateHasExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, nil)
		q := s.ask(t, transfer())
		s.answer(t, q, says(permit.AllowOnce))
		time.Sleep(time.Hour)
		s.store.(*parley.MemoryStore).Retention = 24 * time.Hour
		wantStatus(t, s.record(t, transfer(), q.ID), permit.Expired)
		s.wantRefused(t, transfer(), permit.Expired)
	})
}

func TestEditedArgumentsAskAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, nil)
		s.decided(t, transfer(), permit.AllowOnce)
		edited := with(transfer(), func(c *permit.Call) { c.Args = json.RawMessage(`{"to":"bob","amount":5}`) })
		s.wantCheck(t, edited, permit.Required)
		time.Sleep(time.Second)
		wantStatus(t, s.decided(t, edited, permit.AllowOnce), permit.Granted)
		// There is one call of this id, and the person's latest word is about it.
		s.wantRefused(t, transfer(), permit.Required)
		s.wantExecuted(t, edited)
	})
}

func TestThePersonsLatestWordAboutACallCounts(t *testing.T) {
	for _, words := range [][2]permit.Choice{{permit.AllowOnce, permit.Refuse}, {permit.Refuse, permit.AllowOnce}} {
		for _, inOrder := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				s := newSite(t, nil)
				one, two := s.ask(t, transfer()), s.ask(t, transfer())
				s.answer(t, one, says(words[0]))
				time.Sleep(time.Second)
				s.answer(t, two, says(words[1]))
				ids := []parley.ID{one.ID, two.ID}
				if !inOrder {
					ids = []parley.ID{two.ID, one.ID}
				}
				for _, id := range ids {
					s.record(t, transfer(), id)
				}
				err := s.execute(t, transfer())
				if granted := words[1] == permit.AllowOnce; granted != (err == nil) || !granted && !errors.Is(err, permit.ErrNotPermitted) {
					t.Errorf("%v, in order %t: %v", words, inOrder, err)
				}
			})
		}
	}
}

func TestSilenceDoesNotTakeBackAWord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, nil)
		one, two := s.ask(t, transfer()), s.ask(t, transfer())
		s.answer(t, one, says(permit.AllowOnce))
		s.record(t, transfer(), one.ID)
		time.Sleep(10 * time.Minute)
		wantStatus(t, s.record(t, transfer(), two.ID), permit.Granted)
		s.wantExecuted(t, transfer())
	})
}

func TestAServersOwnTimeIsThatOfItsQuestionsWhereverTheyAreAsked(t *testing.T) {
	s := newSite(t, &permit.Options{ServerTTL: map[string]time.Duration{transfer().Server: 25 * time.Second}})
	if d := s.wantCheck(t, transfer(), permit.Required); d.TTL != 25*time.Second {
		t.Errorf("whoever asks is told that there are %v", d.TTL)
	}
	if d := newSite(t, nil).wantCheck(t, transfer(), permit.Required); d.TTL != 0 {
		t.Errorf("nobody said %v", d.TTL)
	}
}
