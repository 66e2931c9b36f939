package permit_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

func numbered(i int) permit.Call {
	return with(transfer(), func(c *permit.Call) {
		c.ID, c.Session = fmt.Sprint("call ", i), fmt.Sprint("chat ", i)
		c.Args = fmt.Appendf(nil, `{"amount":%d}`, i)
	})
}

func TestAlwaysAllowCoversTheToolThatWasShown(t *testing.T) {
	s := newSite(t, nil)
	wantStatus(t, s.decided(t, transfer(), permit.AlwaysAllow), permit.Granted)
	for i := range 3 {
		if d := s.wantCheck(t, numbered(i), permit.Granted); d.Reason != "The person always allows this tool." {
			t.Error(d.Reason)
		}
		s.wantExecuted(t, numbered(i))
		wantError(t, s.execute(t, numbered(i)), permit.ErrConsumed)
	}
	for name, change := range map[string]func(*permit.Call){
		"another tool":   func(c *permit.Call) { c.Tool = "close_account" },
		"another server": func(c *permit.Call) { c.Server = "bank2" },
		"another place":  moved,
		"another person": func(c *permit.Call) { c.User = "carol" },
		"another tenant": func(c *permit.Call) { c.Tenant = "acme" },
		"a moved border": func(c *permit.Call) { c.Server, c.Tool = "bankt", "ransfer" },
	} {
		t.Run(name, func(t *testing.T) { s.wantRefused(t, with(numbered(9), change), permit.Required) })
	}
	if n := s.server.count(); n != 3 {
		t.Errorf("executed %d times", n)
	}
}

func TestAlwaysAllowCoversTheServerWhereConfigured(t *testing.T) {
	s := newSite(t, &permit.Options{WholeServer: true})
	s.decided(t, transfer(), permit.AlwaysAllow)
	other := with(numbered(1), func(c *permit.Call) { c.Tool = "close_account" })
	s.wantExecuted(t, other)
	s.wantRefused(t, with(numbered(2), func(c *permit.Call) { c.Server = "bank2" }), permit.Required)
	s.wantRefused(t, with(numbered(2), moved), permit.Required)
	list := s.listed(t, "alice")
	if len(list) != 1 || list[0].Server != "bank" || list[0].Tool != "" {
		t.Fatalf("%+v", list)
	}
	// It holds in a program that would not offer it, until it is revoked.
	narrow := s.again(t, nil)
	narrow.wantExecuted(t, with(numbered(3), func(c *permit.Call) { c.Tool = "close_account" }))
	if err := narrow.Revoke(t.Context(), "", "alice", list[0].ID); err != nil {
		t.Fatal(err)
	}
	s.wantRefused(t, numbered(4), permit.Required)
}

func TestAStandingPermissionIsListedWithWhatItCovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, &permit.Options{AlwaysTTL: 24 * time.Hour})
		q := s.ask(t, transfer())
		s.answer(t, q, says(permit.AlwaysAllow))
		said := time.Now().UTC().Truncate(time.Millisecond)
		d := s.record(t, transfer(), q.ID)
		s.wantExecuted(t, numbered(1))
		s.wantExecuted(t, numbered(2))
		time.Sleep(time.Second)
		once := with(transfer(), func(c *permit.Call) { c.Tool, c.ID = "quote", "5" })
		s.decided(t, once, permit.AllowOnce)
		s.decided(t, with(transfer(), func(c *permit.Call) { c.User, c.ID = "alice/x", "6" }), permit.AlwaysAllow)
		list := s.listed(t, "alice")
		if len(list) != 2 {
			t.Fatalf("%+v", list)
		}
		want := permit.Permission{
			ID: d.Grant, Tenant: "default", User: "alice", Effect: permit.Allow, Server: "bank", Tool: "transfer",
			Created: said, Until: said.Add(24 * time.Hour), Question: q.ID, Uses: 2,
		}
		if diff := cmp.Diff(want, list[0]); diff != "" {
			t.Error(diff)
		}
		if o := list[1]; o.Call != "5" || o.Session != "chat-1" || o.Digest != digest(t, once) || o.Uses != 0 {
			t.Errorf("%+v", o)
		}
		s.wantExecuted(t, once)
		if list := s.listed(t, "alice"); len(list) != 1 {
			t.Errorf("what is used up is still listed: %+v", list)
		}
		_, err := s.List(t.Context(), "", "")
		wantError(t, err, parley.ErrNoOwner)
	})
}

func TestAListIsAsLongAsItIs(t *testing.T) {
	s := newSite(t, nil)
	const many = parley.MaxLimit + 3
	for i := range many {
		s.decided(t, with(transfer(), func(c *permit.Call) { c.ID, c.Tool = fmt.Sprint(i), fmt.Sprint("tool", i) }), permit.AlwaysAllow)
	}
	if n := len(s.listed(t, "alice")); n != many {
		t.Errorf("%d listed of %d", n, many)
	}
}

func TestAStandingPermissionExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, &permit.Options{AlwaysTTL: time.Hour})
		q := s.ask(t, transfer())
		s.answer(t, q, says(permit.AlwaysAllow))
		s.record(t, transfer(), q.ID)
		time.Sleep(time.Hour - time.Millisecond)
		s.wantExecuted(t, numbered(1))
		time.Sleep(time.Millisecond)
		s.wantCheck(t, numbered(2), permit.Expired)
		s.wantRefused(t, numbered(2), permit.Expired)
		if list := s.listed(t, "alice"); len(list) != 0 {
			t.Errorf("%+v", list)
		}
		s.decided(t, numbered(2), permit.AlwaysAllow)
		s.wantExecuted(t, numbered(2))
		s.wantExecuted(t, numbered(3))
	})
}

func TestWithoutATTLAStandingPermissionHoldsUntilRevoked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, nil)
		d := s.decided(t, transfer(), permit.AlwaysAllow)
		time.Sleep(10 * 365 * 24 * time.Hour)
		s.wantExecuted(t, numbered(1))
		if err := s.Revoke(t.Context(), "", "alice", d.Grant); err != nil {
			t.Fatal(err)
		}
		s.wantRefused(t, numbered(2), permit.Required)
		time.Sleep(time.Second)
		s.decided(t, numbered(2), permit.AlwaysAllow) // a later word brings it back
		s.wantExecuted(t, numbered(2))
	})
}

// Two questions were answered before the person revoked; one is recorded after.
func TestRevokingAlsoEndsWhatWasSaidBeforeAndRecordedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, nil)
		one, two := s.ask(t, numbered(1)), s.ask(t, numbered(2))
		s.answer(t, one, says(permit.AlwaysAllow))
		time.Sleep(time.Second)
		s.answer(t, two, says(permit.AlwaysAllow))
		d := s.record(t, numbered(1), one.ID)
		time.Sleep(time.Second)
		if err := s.Revoke(t.Context(), "", "alice", d.Grant); err != nil {
			t.Fatal(err)
		}
		wantStatus(t, s.record(t, numbered(2), two.ID), permit.Required)
		s.wantRefused(t, numbered(2), permit.Required)
	})
}

// A used call is remembered for Keep, longer than anybody may come back to it.
func TestAUsedCallIsRemembered(t *testing.T) {
	for _, choice := range []permit.Choice{permit.AllowOnce, permit.AlwaysAllow} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t, nil)
			s.decided(t, transfer(), choice)
			s.wantExecuted(t, transfer())
			time.Sleep(30*24*time.Hour - time.Second)
			if err := s.store.(parley.Sweeper).Sweep(t.Context(), time.Now()); err != nil {
				t.Fatal(err)
			}
			wantError(t, s.execute(t, transfer()), permit.ErrConsumed)
		})
	}
}
