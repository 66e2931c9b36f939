package permit_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// another is the i-th of many different calls of a user.
func another(user string, i int) permit.Call {
	return with(transfer(), func(c *permit.Call) {
		c.User, c.Session, c.ID = user, fmt.Sprint("chat-", i), fmt.Sprint("run-", user, i)
		c.Args = fmt.Appendf(nil, `{"amount": %d}`, i)
	})
}

// flood makes calls until one is refused because nobody can be asked about it.
func (s *site) flood(t *testing.T, user func(i int) string) (n int, err error) {
	t.Helper()
	for ; n < 200; n++ {
		if _, _, err := s.Gather(t.Context(), permit.Never, another(user(n), n)); err != nil {
			return n, err
		}
	}
	t.Fatal("there is no end of it")
	return 0, nil
}

func (s *site) waitingFor(t *testing.T, approver string) int {
	t.Helper()
	list, err := s.hub.List(t.Context(), parley.Principal{User: approver}, parley.Query{Pending: true, Limit: parley.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func TestOneAskerDoesNotShutAnApproverOut(t *testing.T) {
	s := newSiteOn(t, parley.NewMemoryStore(), quorum(1, "bob", "carol"), &parley.Options{Limits: parley.Limits{Pending: 60}})
	n, err := s.flood(t, func(int) string { return "mallory" })
	if n != 20 || !errors.Is(err, parley.ErrTooManyOfAsker) {
		t.Errorf("after %d calls: %v", n, err)
	}
	if text := fmt.Sprint(err); !strings.Contains(text, "calls of yours") || strings.Contains(text, "bob") || strings.Contains(text, "carol") || strings.Contains(text, "Limits") {
		t.Errorf("the asker reads %q", text)
	}
	if n := s.waitingFor(t, "bob"); n != 20 {
		t.Errorf("bob has %d", n)
	}
	s.gather(t, another("mallory", 3), permit.Required) // what waits goes on waiting
	_, open := s.gather(t, transfer(), permit.Required) // and so do the calls of others
	if people(open) != "bob carol" {
		t.Errorf("asked %s", people(open))
	}
	// Any number of accounts leaves bob room for his own.
	n, err = s.flood(t, func(i int) string { return fmt.Sprint("user", i) })
	if n != 9 || !errors.Is(err, parley.ErrTooManyOfOthers) {
		t.Errorf("after %d calls of as many people: %v", n, err)
	}
	for range 30 {
		if _, err := s.hub.Open(t.Context(), parley.Request{To: "bob", Message: "Your name?"}); err != nil {
			t.Fatalf("bob's own: %v", err)
		}
	}
}

func TestAnAskersNextCallIsAskedAboutWhenAnApproverHasAnswered(t *testing.T) {
	s := newSiteOn(t, parley.NewMemoryStore(), quorum(1, "bob"), &parley.Options{Limits: parley.Limits{PendingOfAsker: 1}})
	_, open := s.gather(t, another("alice", 1), permit.Required)
	_, _, err := s.Gather(t.Context(), permit.Never, another("alice", 2))
	wantError(t, err, parley.ErrTooManyOfAsker)
	s.answer(t, open["bob"], says(permit.AllowOnce))
	s.gather(t, another("alice", 1), permit.Granted)
	_, open = s.gather(t, another("alice", 2), permit.Required)
	if people(open) != "bob" {
		t.Errorf("asked %s", people(open))
	}
}

func TestManyCallsAtOnceOfOneAskerAreNoMore(t *testing.T) {
	s := newSite(t, quorum(1, "bob"))
	var wg sync.WaitGroup
	for i := range 80 {
		wg.Go(func() { s.Gather(t.Context(), permit.Never, another("mallory", i)) })
	}
	wg.Wait()
	if n := s.waitingFor(t, "bob"); n != 20 {
		t.Errorf("bob has %d", n)
	}
}
