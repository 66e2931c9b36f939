package permit_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// A client that repeats its call has another id for it.
func TestTheSameCallFindsWhatWasGatheredAndUsesItOnce(t *testing.T) {
	s := newSite(t, quorum(1, "bob"))
	again := func(id string) permit.Call { return with(transfer(), func(c *permit.Call) { c.ID = id }) }
	_, open := s.gather(t, again("1"), permit.Required)
	_, second := s.gather(t, again("2"), permit.Required)
	if open["bob"].ID != second["bob"].ID {
		t.Error("asked twice")
	}
	s.answer(t, open["bob"], says(permit.AllowOnce))
	s.gather(t, again("3"), permit.Granted)
	s.gather(t, again("4"), permit.Granted)
	s.wantExecuted(t, again("4"))
	s.wantRefused(t, again("3"), permit.Required)
	_, next := s.gather(t, again("3"), permit.Required)
	if next["bob"].ID == open["bob"].ID {
		t.Error("the next call has no question of its own")
	}
	wantError(t, s.execute(t, again("4")), permit.ErrConsumed)
	s.answer(t, next["bob"], says(permit.AllowOnce))
	s.gather(t, again("5"), permit.Granted)
	s.wantExecuted(t, again("5"))
	if n := s.server.count(); n != 2 {
		t.Errorf("executed %d times", n)
	}
}

func TestWhatIsGatheredIsForNoOtherCall(t *testing.T) {
	for name, change := range map[string]func(*permit.Call){
		"edited arguments": func(c *permit.Call) { c.Args = json.RawMessage(`{"to":"bob","amount":101}`) },
		"another agent":    func(c *permit.Call) { c.Agent = "shop" },
		"another title":    func(c *permit.Call) { c.ToolTitle = "Pay" },
		"another person":   func(c *permit.Call) { c.User = "eve" },
		"another server":   func(c *permit.Call) { c.Server = "bank2" },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, quorum(1, "bob"))
			_, open := s.gather(t, transfer(), permit.Required)
			s.answer(t, open["bob"], says(permit.AllowOnce))
			s.gather(t, transfer(), permit.Granted)
			other := with(transfer(), change)
			s.wantRefused(t, other, permit.Required)
			_, next := s.gather(t, other, permit.Required)
			if len(next) != 1 || next["bob"].ID == open["bob"].ID {
				t.Errorf("%v", next)
			}
			s.wantRefused(t, other, permit.Required)
			s.wantExecuted(t, transfer())
		})
	}
}

// Outcomes that no approver has given, written past the hub.
func TestOnlyTheWordOfTheApproverCounts(t *testing.T) {
	at := time.Now().UTC().Truncate(time.Millisecond)
	yes := parley.Outcome{Action: parley.Accept, Content: says(permit.AllowOnce).Content, By: "bob", Via: "chat", At: at, Claim: "x"}
	for name, change := range map[string]func(*parley.Outcome){
		"":                 func(*parley.Outcome) {},
		"by the asker":     func(o *parley.Outcome) { o.By = "alice" },
		"by another":       func(o *parley.Outcome) { o.By = "carol" },
		"by nobody":        func(o *parley.Outcome) { o.By = "" },
		"by a model":       func(o *parley.Outcome) { o.Via = "mcp-model" },
		"without channel":  func(o *parley.Outcome) { o.Via = "" },
		"always":           func(o *parley.Outcome) { o.Content = says(permit.AlwaysAllow).Content },
		"nothing":          func(o *parley.Outcome) { o.Content = json.RawMessage(`{}`) },
		"unreadable":       func(o *parley.Outcome) { o.Content = nil },
		"declined":         func(o *parley.Outcome) { o.Action = parley.Decline },
		"withdrawn":        func(o *parley.Outcome) { o.Action, o.By, o.Reason = parley.Cancel, "", "withdrawn: x" },
		"named as a model": func(o *parley.Outcome) { o.Via = "robot" },
	} {
		opts := quorum(1, "bob")
		opts.ModelChannels = []string{"robot"}
		s := plainSite(t, opts)
		_, open := s.gather(t, transfer(), permit.Required)
		o := yes.Clone()
		change(&o)
		if err := s.store.Settle(t.Context(), open["bob"].ID, o); err != nil {
			t.Fatal(err)
		}
		want := permit.Denied
		if name == "" {
			want = permit.Granted
		}
		d, _, err := s.Gather(t.Context(), permit.Never, transfer())
		if err != nil || d.Status != want {
			t.Errorf("%q: %+v, %v", name, d, err)
		}
	}
}

// A hook has changed what the approver read.
func TestAnApproverWhoReadSomethingElseAllowedNothing(t *testing.T) {
	hook := parley.Before(parley.OpeningStore, func(_ context.Context, o *parley.Opening) error {
		o.Request.Message = "Allow lunch?"
		return nil
	})
	s := newSiteOn(t, parley.NewMemoryStore(), quorum(1, "bob"), &parley.Options{Hooks: []parley.Hook{hook}})
	_, open := s.gather(t, transfer(), permit.Required)
	s.answer(t, open["bob"], says(permit.AllowOnce))
	s.gather(t, transfer(), permit.Denied)
}

func TestAChangedRuleAsksOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, nil)
		rule := func(need int, of ...string) {
			s.put(t, "", permit.Condition{Name: "x", Approvers: &permit.Approvers{Need: need, Of: of}})
		}
		rule(1, "bob", "carol")
		_, open := s.gather(t, transfer(), permit.Required)
		s.answer(t, open["bob"], says(permit.AllowOnce))
		s.gather(t, transfer(), permit.Granted)
		rule(1, "carol", "dave")
		s.wantRefused(t, transfer(), permit.Required)
		d, open := s.gather(t, transfer(), permit.Required)
		if people(open) != "carol dave" || d.Have != 0 {
			t.Errorf("%+v, asked %s", d, people(open))
		}
		rule(2, "carol", "dave")
		_, again := s.gather(t, transfer(), permit.Required)
		s.answer(t, again["carol"], says(permit.AllowOnce))
		s.gather(t, transfer(), permit.Required)
		want := map[string][]string{"bob": {"accept"}, "carol": {"cancel", "cancel", "accept"}, "dave": {"cancel", "open"}}
		if diff := cmp.Diff(want, s.questions(t, "bob", "carol", "dave")); diff != "" {
			t.Error(diff)
		}
		// Approvers are no longer needed: then it is the person who is.
		s.put(t, "", permit.Condition{Name: "x", Approve: permit.Always})
		s.wantRefused(t, transfer(), permit.Required)
		s.decided(t, transfer(), permit.AllowOnce)
		s.wantExecuted(t, transfer())
	})
}

func TestGatherIsCheckWhereNoApproversAreNeeded(t *testing.T) {
	s := newSite(t, &permit.Options{Conditions: []permit.Condition{{
		Name: "writes", Approve: permit.Unsafe, Approvers: &permit.Approvers{Need: 1, Of: []string{"bob"}}, Server: "bank",
	}, {Name: "no", Server: "casino", Approve: permit.Forbid}}})
	readOnly := with(transfer(), func(c *permit.Call) { c.ReadOnly = new(true) })
	s.gather(t, readOnly, permit.Granted)
	s.gather(t, transfer(), permit.Required)
	s.gather(t, with(transfer(), func(c *permit.Call) { c.Server = "casino" }), permit.Denied)
	d, ids, err := s.Gather(t.Context(), permit.Always, with(transfer(), func(c *permit.Call) { c.Server = "other" }))
	if err != nil || d.Status != permit.Required || d.Approvers != nil || len(ids) != 0 {
		t.Errorf("%+v, %v, %v", d, ids, err)
	}
	_, _, err = s.Gather(t.Context(), "nevre", transfer())
	wantError(t, err, permit.ErrRule)
	long := with(transfer(), func(c *permit.Call) { c.Args = json.RawMessage(`{"a":"` + strings.Repeat("x", 20_000) + `"}`) })
	_, _, err = s.Gather(t.Context(), permit.Never, long)
	wantError(t, err, permit.ErrTooLong)
}

// Somebody who has too many questions already is left out while others can be
// asked.
func TestAnApproverWhoCannotBeAskedNow(t *testing.T) {
	s := newSiteOn(t, parley.NewMemoryStore(), quorum(1, "bob", "carol"), &parley.Options{Limits: parley.Limits{Pending: 1}})
	busy, err := s.hub.Open(t.Context(), parley.Request{To: "bob", Message: "Your name?"})
	if err != nil {
		t.Fatal(err)
	}
	_, open := s.gather(t, transfer(), permit.Required)
	if people(open) != "carol" {
		t.Errorf("asked %s", people(open))
	}
	s.answer(t, open["carol"], says(permit.Refuse))
	_, _, err = s.Gather(t.Context(), permit.Never, transfer())
	wantError(t, err, parley.ErrTooManyPending)
	if err := s.hub.Cancel(t.Context(), busy.ID, "x"); err != nil && !errors.Is(err, parley.ErrSettled) {
		t.Fatal(err)
	}
	_, open = s.gather(t, transfer(), permit.Required)
	s.answer(t, open["bob"], says(permit.AllowOnce))
	s.gather(t, transfer(), permit.Granted)
	s.wantExecuted(t, transfer())
}
