package permit_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/storetest"
)

func (s *site) put(t testing.TB, tenant string, c permit.Condition) {
	t.Helper()
	if err := s.PutCondition(t.Context(), tenant, c); err != nil {
		t.Fatal(err)
	}
}

// names lists a tenant's conditions as "position name source".
func (s *site) names(t testing.TB, tenant string) (names []string) {
	t.Helper()
	list, err := s.Conditions(t.Context(), tenant)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		names = append(names, fmt.Sprint(c.Position, " ", c.Name, " ", c.Source))
	}
	return names
}

func TestATenantsOwnConditionsComeFirstInTheirOrder(t *testing.T) {
	s := ruled(t, permit.Condition{Name: "house", Approve: permit.Always}, permit.Condition{Name: "rest", Approve: permit.Never})
	s.put(t, "", permit.Condition{Name: "one", Tool: "quote", Approve: permit.Never})
	s.put(t, "default", permit.Condition{Name: "two", Tool: "transfer", Approve: permit.Forbid})
	s.put(t, "acme", permit.Condition{Name: "one", Tool: "transfer", Approve: permit.Never})
	want := []string{"1 one tenant", "2 two tenant", "3 house configuration", "4 rest configuration"}
	if diff := cmp.Diff(want, s.names(t, "")); diff != "" {
		t.Error(diff)
	}
	acme := with(transfer(), func(c *permit.Call) { c.Tenant = "acme" })
	s.wantCheck(t, transfer(), permit.Denied)
	s.wantCheck(t, acme, permit.Required) // the configuration's word holds, too
	s.wantCheck(t, with(transfer(), func(c *permit.Call) { c.Tenant = "third" }), permit.Required)

	// One of the same name keeps its place.
	s.put(t, "", permit.Condition{Name: "one", Tool: "transfer", Approve: permit.Never})
	if diff := cmp.Diff(want, s.names(t, "")); diff != "" {
		t.Error(diff)
	}
	s.wantCheck(t, transfer(), permit.Required) // the tenant's other is not reached

	// One that is removed and put again goes to the end of the tenant's own.
	if err := s.RemoveCondition(t.Context(), "", "one"); err != nil {
		t.Fatal(err)
	}
	s.wantCheck(t, transfer(), permit.Denied)
	s.put(t, "", permit.Condition{Name: "one", Approve: permit.Never})
	want = []string{"1 two tenant", "2 one tenant", "3 house configuration", "4 rest configuration"}
	if diff := cmp.Diff(want, s.names(t, "")); diff != "" {
		t.Error(diff)
	}
	wantError(t, s.RemoveCondition(t.Context(), "", "house"), parley.ErrNotFound)
	wantError(t, s.RemoveCondition(t.Context(), "acme", "two"), parley.ErrNotFound)
	wantError(t, s.PutCondition(t.Context(), "", permit.Condition{Name: "house", Approve: permit.Never}), permit.ErrCondition)
}

func TestAStoredConditionIsReturnedAsItWasPut(t *testing.T) {
	s := newSite(t, nil)
	c := permit.Condition{
		Name: "big", Server: "bank", Tool: "t*", ReadOnly: new(false), OpenWorld: new(true), When: "args.amount > 50",
		Approve: permit.Always, Approvers: &permit.Approvers{Need: 1, Of: []string{"carol", "bob"}},
	}
	s.put(t, "", c)
	list, err := s.again(t, nil).Conditions(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	want := []permit.PlacedCondition{{Condition: c, Source: permit.FromTenant, Position: 1}}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Error(diff)
	}
}

// What the caller does to its values afterwards changes no rule.
func TestConditionsAreCopied(t *testing.T) {
	of := []string{"bob"}
	flag := new(false)
	list := []permit.Condition{{Name: "x", ReadOnly: flag, Approvers: &permit.Approvers{Need: 1, Of: of}}}
	s := ruled(t, list...)
	of[0], *flag, list[0].Approvers.Need = "alice", true, 7
	got, err := s.Conditions(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	got[0].Approvers.Of[0] = "alice"
	d, err := s.Check(t.Context(), permit.Never, transfer())
	if err != nil || d.Approvers == nil {
		t.Fatalf("%+v, %v", d, err)
	}
	d.Approvers.Of[0] = "alice"
	if d, err = s.Check(t.Context(), permit.Never, transfer()); err != nil || d.Approvers.String() != "1 of [bob]" {
		t.Errorf("%+v, %v", d, err)
	}
}

// counting counts the loads of the conditions' record.
type counting struct {
	storetest.Backend
	loads *atomic.Int64
}

func (c counting) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	if at.Kind == "permission_rules" {
		c.loads.Add(1)
	}
	return c.Backend.Load(ctx, at)
}

func TestOtherProcessesLearnOfAConditionWithinASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here := newSite(t, nil)
		loads := new(atomic.Int64)
		there := newSiteOn(t, counting{here.store, loads}, nil, nil)
		here.wantCheck(t, transfer(), permit.Required)
		there.wantCheck(t, transfer(), permit.Required)
		here.put(t, "", permit.Condition{Name: "x", Approve: permit.Forbid})
		here.wantCheck(t, transfer(), permit.Denied) // at once
		time.Sleep(time.Second)
		there.wantCheck(t, transfer(), permit.Denied)
		if err := here.RemoveCondition(t.Context(), "", "x"); err != nil {
			t.Fatal(err)
		}
		here.wantCheck(t, transfer(), permit.Required)
		time.Sleep(time.Second)
		before := loads.Load()
		for range 100 {
			there.wantCheck(t, transfer(), permit.Required)
		}
		if n := loads.Load() - before; n != 1 {
			t.Errorf("a hundred calls read the rules %d times", n)
		}
	})
}

// slow lets a load of the rules return only when it is told to, with what it has
// read before.
type slow struct {
	storetest.Backend
	read, goOn chan struct{}
}

func (s slow) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	r, err := s.Backend.Load(ctx, at)
	if at.Kind == "permission_rules" && s.read != nil {
		select {
		case s.read <- struct{}{}:
			<-s.goOn
		default:
		}
	}
	return r, err
}

// A reader that is overtaken by a change does not leave what it has read to
// those that come after.
func TestAnOldReadDoesNotHideAChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := slow{parley.NewMemoryStore(), make(chan struct{}), make(chan struct{})}
		s := newSiteOn(t, store, nil, nil)
		var wg sync.WaitGroup
		got := make(chan struct{})
		wg.Go(func() {
			<-got
			s.put(t, "", permit.Condition{Name: "x", Approve: permit.Forbid})
			close(store.goOn)
		})
		wg.Go(func() { <-store.read; close(got) })
		synctest.Wait()
		s.wantCheck(t, transfer(), permit.Required) // overtaken
		wg.Wait()
		s.wantCheck(t, transfer(), permit.Denied)
	})
}

func TestConditionsThatArePutAtOnceAreAllThere(t *testing.T) {
	onEveryStore(t, func(t *testing.T, one, two *site) {
		const many = 8
		var wg sync.WaitGroup
		for i := range many {
			for _, s := range []*site{one, two} {
				wg.Go(func() {
					c := permit.Condition{Name: fmt.Sprint(i), Tool: fmt.Sprint("tool", i), Approve: permit.Forbid}
					if err := s.PutCondition(t.Context(), "", c); err != nil {
						t.Error(err)
					}
				})
			}
		}
		wg.Wait()
		if n := len(two.names(t, "")); n != many {
			t.Errorf("%d conditions", n)
		}
		for i := range many {
			one.wantCheck(t, with(transfer(), func(c *permit.Call) { c.Tool = fmt.Sprint("tool", i) }), permit.Denied)
		}
	})
}

func TestATenantHasAtMostTwoHundredConditions(t *testing.T) {
	s := newSite(t, nil)
	for i := range 200 {
		s.put(t, "", permit.Condition{Name: fmt.Sprint(i), Tool: "x", Approve: permit.Never})
	}
	wantError(t, s.PutCondition(t.Context(), "", permit.Condition{Name: "more", Approve: permit.Never}), permit.ErrCondition)
	s.put(t, "", permit.Condition{Name: "7", Approve: permit.Forbid}) // one that is there can be changed
	s.wantCheck(t, transfer(), permit.Denied)
}

// A change whose reply was lost is made once, and its own work is no error.
func TestAChangeOfConditionsUnderFaults(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			inner := parley.NewMemoryStore()
			s := newSiteOn(t, storetest.Faulty(inner, storetest.Everything(0.3, seed)), &permit.Options{Patience: time.Hour}, nil)
			s.put(t, "", permit.Condition{Name: "a", Approve: permit.Forbid})
			s.put(t, "", permit.Condition{Name: "b", Approve: permit.Never})
			s.wantCheck(t, transfer(), permit.Denied)
			if err := s.RemoveCondition(t.Context(), "", "a"); err != nil {
				t.Error(err)
			}
			s.wantCheck(t, transfer(), permit.Granted)
			if diff := cmp.Diff([]string{"1 b tenant"}, s.names(t, "")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Nobody knows what holds, so nothing does: also not what the server's own rule
// would let through.
func TestWithoutTheRulesNothingIsLetThrough(t *testing.T) {
	inner := parley.NewMemoryStore()
	s := newSiteOn(t, storetest.Faulty(inner, storetest.Faults{Load: storetest.Fault{Before: 1}}), &permit.Options{Patience: -1}, nil)
	_, err := s.Check(t.Context(), permit.Never, transfer())
	wantError(t, err, storetest.ErrInjected)
	wantError(t, s.Consume(t.Context(), permit.Never, transfer()), storetest.ErrInjected)
}

func TestStoredConditionsAreSealed(t *testing.T) {
	s := newSite(t, nil)
	s.put(t, "", permit.Condition{Name: "x", Approve: permit.Forbid})
	at := parley.Address{Tenant: "default", Kind: "permission_rules", Key: "conditions"}
	r, err := s.store.Load(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	// Whoever can write to the store, and has no key, makes no rule.
	r.Data = []byte(`{"conditions":[{"name":"x","approve":"never"}]}`)
	if _, err := s.store.Save(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := s.again(t, nil).Consume(t.Context(), permit.Never, transfer()); err == nil || errors.Is(err, permit.ErrNotPermitted) {
		t.Errorf("Consume: %v", err)
	}
}
