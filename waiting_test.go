package parley_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
)

func TestWhatWaitsIsListedForProgramsByItsTrigger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		hub := parley.New(store, &parley.Options{Sealer: keyring(t, newSecret)})
		ask := func(hub *parley.Hub, to, trigger string, ttl time.Duration) parley.ID {
			return open(t, hub, parley.Request{To: to, Message: "For " + to, Trigger: trigger, Expires: time.Now().Add(ttl)}).ID
		}
		first := ask(hub, "alice", parley.TriggerCredential, time.Hour)
		ask(hub, "alice", parley.TriggerTool, time.Hour)
		ask(hub, "alice", parley.TriggerCredential, time.Minute) // over by then
		ask(parley.New(store, &parley.Options{Sealer: keyring(t, oldSecret)}), "alice", parley.TriggerCredential, time.Hour)
		done := ask(hub, "bob", parley.TriggerCredential, time.Hour)
		if err := hub.Cancel(t.Context(), done, "test"); err != nil {
			t.Fatal(err)
		}
		for i := range parley.MaxLimit {
			ask(hub, fmt.Sprint("user", i), parley.TriggerTool, time.Hour)
		}
		second := ask(hub, "bob", parley.TriggerCredential, time.Hour)
		time.Sleep(time.Minute)
		var got []string
		pages := 0
		for after := parley.ID(""); ; pages++ {
			found, last, err := hub.Waiting(t.Context(), parley.TriggerCredential, after)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range found {
				got = append(got, string(r.ID)+" "+r.Message)
			}
			if after = last; last == "" {
				break
			}
		}
		if want := []string{string(first) + " For alice", string(second) + " For bob"}; fmt.Sprint(got) != fmt.Sprint(want) || pages < 2 {
			t.Errorf("got %v after %d pages, want %v", got, pages, want)
		}
	})
}

// Each question may hold a quarter of a megabyte, and this is done every few seconds.
func TestWhoLooksForWhatWaitsHoldsFewQuestionsAtATime(t *testing.T) {
	store := &widest{MemoryStore: parley.NewMemoryStore()}
	hub := parley.New(store, nil)
	for i := range 1500 {
		open(t, hub, parley.Request{To: fmt.Sprint("user", i), Message: "Your name?"})
	}
	last := open(t, hub, parley.Request{To: "alice", Message: "Connect", Trigger: parley.TriggerCredential})
	var found []parley.Request
	for after := parley.ID(""); ; {
		page, next, err := hub.Waiting(t.Context(), parley.TriggerCredential, after)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, page...)
		if after = next; next == "" {
			break
		}
	}
	if len(found) != 1 || found[0].ID != last.ID || store.most > 200 {
		t.Errorf("found %d; %d were held at a time", len(found), store.most)
	}
}

// widest knows how many questions it was asked for at a time at most.
type widest struct {
	*parley.MemoryStore
	most int
}

func (s *widest) List(ctx context.Context, q parley.Query) ([]parley.Request, error) {
	list, err := s.MemoryStore.List(ctx, q)
	s.most = max(s.most, len(list))
	return list, err
}

func TestWhatWaitsForOnePersonIsListedNewestFirst(t *testing.T) {
	store := parley.NewMemoryStore()
	hub := parley.New(store, &parley.Options{Sealer: keyring(t, newSecret)})
	ask := func(r parley.Request) parley.ID {
		r.Message, r.Trigger = "Connect", parley.TriggerCredential
		return open(t, hub, r).ID
	}
	first := ask(parley.Request{To: "alice"})
	ask(parley.Request{To: "bob"})
	ask(parley.Request{To: "alice", Tenant: "acme"})
	for range 500 {
		open(t, hub, confirm())
	}
	second := ask(parley.Request{To: "alice"})
	var got []parley.ID
	for after := parley.ID(""); ; {
		found, last, err := hub.WaitingFor(t.Context(), alice, parley.TriggerCredential, after)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			got = append(got, r.ID)
		}
		if after = last; last == "" {
			break
		}
	}
	if want := []parley.ID{second, first}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	_, _, err := hub.WaitingFor(t.Context(), parley.Principal{}, parley.TriggerCredential, "")
	wantError(t, err, parley.ErrNoOwner)
	_, _, err = hub.WaitingFor(t.Context(), parley.Principal{User: "alice", Kind: parley.KindSession}, parley.TriggerCredential, "")
	wantError(t, err, parley.ErrPrincipal)
}

// counting counts how often requests are read.
type counting struct {
	*parley.MemoryStore
	gets atomic.Int64
}

func (c *counting) Get(ctx context.Context, id parley.ID) (parley.Request, error) {
	c.gets.Add(1)
	return c.MemoryStore.Get(ctx, id)
}

// Hints may be lost, so whoever waits looks again; very many who wait do so less often.
func TestVeryManyWhoWaitDoNotKeepTheStoreBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most = 200 // reads a second
		store := &counting{MemoryStore: parley.NewMemoryStore()}
		hub := parley.New(store, &parley.Options{TTL: 24 * time.Hour, Logger: quiet})
		run(t, hub)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for i := range 10_000 {
			r := open(t, hub, parley.Request{To: fmt.Sprint("user", i), Message: "Your name?"})
			go func() { _, _ = hub.Wait(ctx, r.ID) }()
		}
		synctest.Wait()
		store.gets.Store(0)
		time.Sleep(10 * time.Minute)
		if n := store.gets.Load(); n == 0 || n > 600*most*11/10 {
			t.Errorf("%d reads in ten minutes", n)
		}
		cancel()
		synctest.Wait()
	})
}
