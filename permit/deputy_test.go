package permit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// deputized are options by which dora stands in for bob.
func deputized(need int, of ...string) *permit.Options {
	opts := quorum(need, of...)
	opts.Deputy = func(_ context.Context, _, approver string) (string, error) {
		if approver == "bob" {
			return "dora", nil
		}
		return "", nil
	}
	return opts
}

func TestAnApproverAndTheirDeputyAreOneVoice(t *testing.T) {
	for _, first := range []string{"bob", "dora"} {
		second := map[string]string{"bob": "dora", "dora": "bob"}[first]
		for _, choice := range []permit.Choice{permit.AllowOnce, permit.Refuse} {
			s := hooked(t, parley.NewMemoryStore(), deputized(2, "bob", "carol", "dave"))
			wait := s.await(t, transfer())
			if !strings.HasPrefix(wait.Message, "Waiting for 2 of bob (or dora), carol and dave to allow this call.") {
				t.Error(wait.Message)
			}
			other := s.asked(t, second)
			s.answer(t, s.asked(t, first), says(choice))
			s.wantEnd(t, other, parley.Cancel, first+" answered, which counts for both")
			if err := s.hub.Answer(t.Context(), parley.Principal{User: second}, other.ID, says(permit.AllowOnce)); !errors.Is(err, parley.ErrSettled) {
				t.Errorf("%s still can answer: %v", second, err)
			}
			if o := s.outcome(t, wait); o != nil {
				t.Fatalf("%s alone decided: %+v", first, o)
			}
			s.answer(t, s.asked(t, "carol"), says(permit.AllowOnce))
			if choice == permit.Refuse {
				if o := s.outcome(t, wait); o != nil {
					t.Fatalf("a no of %s counts as a yes: %+v", first, o)
				}
				s.answer(t, s.asked(t, "dave"), says(permit.AllowOnce))
			}
			if o := s.outcome(t, wait); o == nil || o.Action != parley.Accept {
				t.Errorf("%+v", o)
			}
		}
	}
}

// Two answers at the same moment, each before the other is heard, are one as well.
func TestAnApproverAndTheirDeputyWhoAnswerAtOnceAreOneVoice(t *testing.T) {
	store := parley.NewMemoryStore()
	s := hooked(t, store, deputized(2, "bob", "carol", "dave"))
	wait := s.await(t, transfer())
	silent := newSiteOn(t, store, deputized(2, "bob", "carol", "dave"), nil) // no hooks
	silent.answer(t, s.asked(t, "bob"), says(permit.AllowOnce))
	silent.answer(t, s.asked(t, "dora"), says(permit.AllowOnce))
	s.Sweep(t.Context())
	if o := s.outcome(t, wait); o != nil {
		t.Fatalf("%+v", o)
	}
	s.wantRefused(t, transfer(), permit.Required)
	if panel, err := s.Panel(t.Context(), wait); err != nil || len(panel.People) != 4 || panel.People[3].For != "bob" {
		t.Errorf("%+v, %v", panel, err)
	}
	s.answer(t, s.asked(t, "dave"), says(permit.AllowOnce))
	s.wantEnd(t, wait, parley.Accept, "bob and dave allowed it")
}

// Who stands in for a deputy has the voice of the approver, not one more.
func TestWhoStandsInForADeputyHasTheApproversVoice(t *testing.T) {
	store := parley.NewMemoryStore()
	s := hooked(t, store, quorum(2, "bob", "carol", "dave"))
	wait := s.await(t, transfer())
	if err := s.Deputize(t.Context(), s.asked(t, "bob"), "dora"); err != nil {
		t.Fatal(err)
	}
	if err := s.Deputize(t.Context(), s.asked(t, "dora"), "erin"); err != nil {
		t.Fatal(err)
	}
	silent := newSiteOn(t, store, quorum(2, "bob", "carol", "dave"), nil) // no hooks: each answers before the others are heard
	for _, name := range []string{"dora", "erin"} {
		silent.answer(t, s.asked(t, name), says(permit.AllowOnce))
	}
	s.Sweep(t.Context())
	if o := s.outcome(t, wait); o != nil {
		t.Fatalf("dora and erin decided, who both stand in for bob: %+v", o)
	}
	s.wantRefused(t, transfer(), permit.Required)
	s.answer(t, s.asked(t, "carol"), says(permit.AllowOnce))
	if o := s.outcome(t, wait); o == nil || o.Action != parley.Accept {
		t.Errorf("%+v", o)
	}
}

func TestADeputyIsAskedNoMoreWhenTheApproverIsBack(t *testing.T) {
	s := hooked(t, parley.NewMemoryStore(), quorum(1, "bob", "carol"))
	s.await(t, transfer())
	bobs := s.asked(t, "bob")
	for _, deputy := range []string{"dora", "dora", "", "", "dora"} {
		if err := s.Deputize(t.Context(), bobs, deputy); err != nil {
			t.Fatal(err)
		}
		s.Sweep(t.Context())
		if got := len(pendingOf(t, s, "dora")); got != map[string]int{"dora": 1}[deputy] {
			t.Errorf("%q: dora has %d questions", deputy, got)
		}
	}
	if len(pendingOf(t, s, "bob")) != 1 || len(pendingOf(t, s, "carol")) != 1 {
		t.Error("somebody else is not asked any more")
	}

	// Who has answered has answered.
	s.answer(t, s.asked(t, "carol"), says(permit.Refuse))
	s.answer(t, s.asked(t, "dora"), says(permit.AllowOnce))
	if err := s.Deputize(t.Context(), bobs, ""); err != nil {
		t.Fatal(err)
	}
	s.wantExecuted(t, transfer())
}

// Who was asked in somebody's place, and is named by the rule later, is asked in their own
// right.
func TestADeputyWhoIsAskedNoMoreIsAskedByTheRule(t *testing.T) {
	s := hooked(t, parley.NewMemoryStore(), quorum(2, "bob", "carol"))
	wait := s.await(t, transfer())
	bobs := s.asked(t, "bob")
	for _, deputy := range []string{"dora", ""} {
		if err := s.Deputize(t.Context(), bobs, deputy); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := s.Extend(t.Context(), bobs, nil, "dora"); err != nil {
			t.Fatal(err)
		}
	}
	s.answer(t, s.asked(t, "dora"), says(permit.AllowOnce))
	s.answer(t, s.asked(t, "bob"), says(permit.AllowOnce))
	s.wantEnd(t, wait, parley.Accept, "bob and dora allowed it")
}

// Whoever withdraws a question, it is not as if nobody had answered it in time.
func TestAWithdrawnQuestionIsNotALateAnswer(t *testing.T) {
	s := hooked(t, parley.NewMemoryStore(), quorum(2, "bob", "carol", "dave"))
	wait := s.await(t, transfer())
	for _, name := range []string{"bob", "dave"} {
		if err := s.hub.Cancel(t.Context(), s.asked(t, name).ID, "by an administrator"); err != nil {
			t.Fatal(err)
		}
		if name == "bob" {
			panel, err := s.Panel(t.Context(), wait)
			if err != nil || panel.People[0].Withdrawn != "by an administrator" || panel.People[0].Said != "" || panel.People[0].At.IsZero() || panel.People[1].Withdrawn != "" {
				t.Errorf("%+v, %v", panel, err)
			}
		}
	}
	s.Sweep(t.Context())
	s.wantEnd(t, wait, parley.Decline, "the questions to bob and dave were withdrawn (by an administrator)")
	d := s.wantCheck(t, transfer(), permit.Denied)
	if want := "2 of 3 approvers must allow this call, and 2 denied it, did not answer or cannot any more: the questions to bob and dave were withdrawn (by an administrator), so it is denied."; d.Reason != want {
		t.Errorf("%s\nwant %s", d.Reason, want)
	}
}
