package parley_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
)

// longCall is an approval that only its page shows whole. With an asker it is about
// the call of somebody else.
func longCall(to, asker string) parley.Request {
	r := callOf(to, asker)
	r.Message = strings.Repeat("x", 20<<10)
	r.Labels[parley.LabelBrief] = "Allow this call? It is long."
	return r
}

func callOf(to, asker string) parley.Request {
	r := parley.Request{To: to, Message: "Allow this call?", Trigger: parley.TriggerApproval, Labels: map[string]string{}}
	if asker != "" {
		r.Labels[parley.LabelAsker] = asker
	}
	return r
}

func roomy(store parley.Store, l parley.Limits) *parley.Hub {
	l.CallBytes = 256 << 10
	return parley.New(store, &parley.Options{Limits: l})
}

// fill opens questions until one is refused, and returns how many there are and why
// there are no more.
func fill(t *testing.T, hub *parley.Hub, r func(i int) parley.Request) (n int, err error) {
	t.Helper()
	for ; n < 2000; n++ {
		if _, err := hub.Open(t.Context(), r(n)); err != nil {
			wantError(t, err, parley.ErrTooManyPending)
			return n, err
		}
	}
	t.Fatal("there is no end of it")
	return 0, nil
}

func TestAPersonHasOnlyFewLongCallsOpen(t *testing.T) {
	hub := roomy(parley.NewMemoryStore(), parley.Limits{})
	first := open(t, hub, longCall("alice", ""))
	for range 300 { // others, which are short, are in between
		open(t, hub, confirm())
	}
	n, err := fill(t, hub, func(int) parley.Request { return longCall("alice", "") })
	if n != 15 {
		t.Errorf("%d more are open", n)
	}
	wantError(t, err, parley.ErrTooManyLong)
	if strings.Contains(err.Error(), "Limits") || !strings.Contains(err.Error(), "long") {
		t.Errorf("the reason: %v", err)
	}
	open(t, hub, confirm())            // short ones have room
	open(t, hub, longCall("bob", ""))  // and so has everybody else
	elsewhere := longCall("alice", "") // also who has the same name
	elsewhere.Tenant = "acme"
	open(t, hub, elsewhere)
	if err := hub.Cancel(t.Context(), first.ID, "test"); err != nil {
		t.Fatal(err)
	}
	open(t, hub, longCall("alice", ""))
}

// Whoever has written an id down opens it again after an error.
func TestALongCallThatIsOpenAlreadyIsSaidToBeThere(t *testing.T) {
	hub := roomy(parley.NewMemoryStore(), parley.Limits{PendingLong: 2})
	r := longCall("alice", "")
	r.ID = parley.NewID()
	open(t, hub, r)
	open(t, hub, longCall("alice", ""))
	_, err := hub.Open(t.Context(), r)
	wantError(t, err, parley.ErrExists)
}

func TestLongCallsAtOnceAreNotMoreThanOneAfterTheOther(t *testing.T) {
	store := parley.NewMemoryStore()
	hub := roomy(slowList{store}, parley.Limits{PendingLong: 4})
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() { hub.Open(t.Context(), longCall("alice", "")) })
	}
	wg.Wait()
	list, err := store.List(t.Context(), parley.Query{Pending: true})
	if err != nil || len(list) != 4 {
		t.Errorf("%d are open, %v", len(list), err)
	}
}

// slowList lets everybody else go on before it tells what it has seen.
type slowList struct{ *parley.MemoryStore }

func (s slowList) List(ctx context.Context, q parley.Query) ([]parley.Request, error) {
	list, err := s.MemoryStore.List(ctx, q)
	for range 100 {
		runtime.Gosched()
	}
	return list, err
}

func TestWhoWaitsForTheirTurnToOpenGivesUpWithTheirContext(t *testing.T) {
	store := parley.NewMemoryStore()
	stuck := stuckList{store, make(chan struct{}), make(chan struct{})}
	hub := roomy(stuck, parley.Limits{})
	done := make(chan error)
	go func() { _, err := hub.Open(t.Context(), longCall("alice", "")); done <- err }()
	<-stuck.there
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := hub.Open(ctx, longCall("alice", ""))
	wantError(t, err, context.Canceled)
	close(stuck.free)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

type stuckList struct {
	*parley.MemoryStore
	there, free chan struct{}
}

func (s stuckList) List(ctx context.Context, q parley.Query) ([]parley.Request, error) {
	s.there <- struct{}{}
	<-s.free
	return s.MemoryStore.List(ctx, q)
}

func TestOneAskerHasOnlyFewCallsWithAnApprover(t *testing.T) {
	hub := roomy(parley.NewMemoryStore(), parley.Limits{})
	n, err := fill(t, hub, func(int) parley.Request { return callOf("bob", "mallory") })
	if n != 20 {
		t.Errorf("%d of one asker are open", n)
	}
	wantError(t, err, parley.ErrTooManyOfAsker)
	if strings.Contains(err.Error(), "Limits") || strings.Contains(err.Error(), "bob") {
		t.Errorf("the reason: %v", err)
	}
	open(t, hub, callOf("bob", "dora"))
	open(t, hub, callOf("carol", "mallory"))
	open(t, hub, confirm())
}

func TestCallersWhomNobodyKnowsAreOneAsker(t *testing.T) {
	hub := roomy(parley.NewMemoryStore(), parley.Limits{})
	n, err := fill(t, hub, func(i int) parley.Request {
		if i%2 == 0 {
			return callOf("bob", parley.CallPrincipal("", fmt.Sprint(i)).User)
		}
		return callOf("bob", parley.SessionPrincipal("", fmt.Sprint(i)).User)
	})
	if n != 20 {
		t.Errorf("%d of nobody in particular are open", n)
	}
	wantError(t, err, parley.ErrTooManyOfAsker)
	open(t, hub, callOf("bob", "dora"))
}

func TestCallsOfOthersLeaveRoomForAPersonsOwnQuestions(t *testing.T) {
	for name, c := range map[string]struct {
		ask      func(to, asker string) parley.Request
		limits   parley.Limits
		others   int // how many of others there may be
		own      int // how many of their own have room then
		oneAsker int
	}{
		"short": {callOf, parley.Limits{Pending: 100}, 50, 50, 20},
		"long":  {longCall, parley.Limits{Pending: 100}, 8, 8, 4},
		"odd":   {callOf, parley.Limits{Pending: 3, PendingOfAsker: 1}, 1, 2, 1},
		"one":   {longCall, parley.Limits{PendingLong: 1}, 1, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			hub := roomy(parley.NewMemoryStore(), c.limits)
			one, _ := fill(t, hub, func(int) parley.Request { return c.ask("bob", "mallory") })
			rest, err := fill(t, hub, func(i int) parley.Request { return c.ask("bob", fmt.Sprint("user", i)) })
			if one != c.oneAsker || one+rest != c.others || strings.Contains(err.Error(), "Limits") {
				t.Errorf("%d of one asker, %d of others in all, then: %v", one, one+rest, err)
			}
			if own, _ := fill(t, hub, func(int) parley.Request { return c.ask("bob", "") }); own != c.own {
				t.Errorf("%d of their own", own)
			}
		})
	}
}

func TestQuestionsThatModelsBroughtAboutLeaveRoomForAPersonsOwn(t *testing.T) {
	ofModel := func(i int) parley.Request {
		r := confirm()
		r.Labels = map[string]string{parley.LabelCircle: fmt.Sprint("a2a/", i)}
		return r
	}
	for want, limits := range map[int]parley.Limits{50: {}, 7: {PendingOfModels: 7}, 10: {Pending: 20}} {
		hub := roomy(parley.NewMemoryStore(), limits)
		n, err := fill(t, hub, ofModel)
		if n != want {
			t.Errorf("%d are open, want %d", n, want)
		}
		wantError(t, err, parley.ErrTooManyOfModels)
		open(t, hub, confirm())
		other := ofModel(0)
		other.To = "zoe"
		open(t, hub, other)
	}
}

// Who asks several people or none finds out before any of them is asked.
func TestWhetherThereIsRoomIsKnownWithoutAsking(t *testing.T) {
	for name, one := range map[string]struct {
		limits parley.Limits
		r      func() parley.Request
	}{
		"of one asker":  {parley.Limits{PendingOfAsker: 3}, func() parley.Request { return callOf("alice", "parley-program:ci") }},
		"of all others": {parley.Limits{Pending: 10}, func() parley.Request { return callOf("alice", "parley-program:"+string(parley.NewID())) }},
		"of their own":  {parley.Limits{Pending: 3}, func() parley.Request { return callOf("alice", "") }},
		"long ones":     {parley.Limits{PendingLong: 2}, func() parley.Request { return longCall("alice", "") }},
	} {
		t.Run(name, func(t *testing.T) {
			store := parley.NewMemoryStore()
			hub := roomy(store, one.limits)
			for range 100 {
				r, before := one.r(), count(t, store)
				there := hub.Room(t.Context(), r)
				if now := count(t, store); now != before {
					t.Fatalf("%d questions were opened", now-before)
				}
				_, err := hub.Open(t.Context(), r)
				if !errors.Is(err, there) || (err == nil) != (there == nil) {
					t.Fatalf("room: %v; open: %v", there, err)
				}
				if err != nil {
					return
				}
			}
			t.Error("there is no end of it")
		})
	}
}

func count(t *testing.T, store parley.Store) int {
	t.Helper()
	all, err := store.List(t.Context(), parley.Query{Limit: parley.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}
