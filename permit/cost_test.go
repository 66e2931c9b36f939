package permit_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/storetest"
)

// watched counts what is done with records of permissions, and does something before one is
// saved.
type watched struct {
	storetest.Backend
	did    *[]string
	before func(r parley.Record) // nil: nothing
}

func (w watched) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	if at.Kind == "permission" || at.Kind == "permission_use" {
		*w.did = append(*w.did, "load")
	}
	return w.Backend.Load(ctx, at)
}

func (w watched) Save(ctx context.Context, r parley.Record) (int64, error) {
	*w.did = append(*w.did, "save")
	if w.before != nil {
		w.before(r)
	}
	return w.Backend.Save(ctx, r)
}

// A person waits while these are read.
func TestAnApprovalReadsNoRecordWithoutNeed(t *testing.T) {
	var did []string
	s := newSiteOn(t, watched{Backend: parley.NewMemoryStore(), did: &did}, nil, nil)
	count := func(what string) (n int) {
		for _, one := range did {
			if one == what {
				n++
			}
		}
		return n
	}
	for _, step := range []struct {
		name         string
		do           func() error
		loads, saves int
	}{
		{"Ruled", func() error {
			d, settled, err := s.Ruled(t.Context(), permit.Always, transfer())
			if settled || err != nil {
				err = fmt.Errorf("%+v %v %w", d, settled, err)
			}
			return err
		}, 0, 0},
		{"Check", func() error { s.wantCheck(t, transfer(), permit.Required); return nil }, 6, 0},
		{"Record", func() error { s.decided(t, transfer(), permit.AllowOnce); return nil }, 2, 1},
		{"Check again", func() error { s.wantCheck(t, transfer(), permit.Granted); return nil }, 2, 0},
		{"Consume", func() error { return s.execute(t, transfer()) }, 2, 2},
	} {
		did = nil
		if err := step.do(); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
		if count("load") > step.loads || count("save") > step.saves {
			t.Errorf("%s: %d loads and %d saves, want %d and %d", step.name, count("load"), count("save"), step.loads, step.saves)
		}
	}
}

// What the rules say alone is the whole of it only where nobody's word counts.
func TestTheRulesAloneSettleWhatNobodyIsAskedAbout(t *testing.T) {
	s := newSite(t, nil)
	s.decided(t, with(transfer(), func(c *permit.Call) { c.ID = "another" }), permit.Refuse)
	for rule, want := range map[permit.Rule]permit.Status{permit.Never: permit.Granted, permit.Forbid: permit.Denied, permit.Always: ""} {
		d, settled, err := s.Ruled(t.Context(), rule, transfer())
		if err != nil || settled != (want != "") || d.Status != want {
			t.Errorf("%s: %+v %v %v", rule, d, settled, err)
		}
	}
	if d := s.wantCheck(t, transfer(), permit.Denied); d.Own {
		t.Errorf("what was said about another call is its own: %+v", d)
	}
	_, _, err := s.Ruled(t.Context(), permit.Always, with(transfer(), func(c *permit.Call) { c.Args = []byte(`{"a":1,"a":2}`) }))
	wantError(t, err, permit.ErrArguments)
}

// Between reading and writing what the person said, another process records it too, and makes
// the call, or the person takes it back.
func TestWhatIsSaidWhileAnAnswerIsRecordedCounts(t *testing.T) {
	for what, meanwhile := range map[string]func(t *testing.T, s *site, q parley.ID){
		"used":    func(t *testing.T, s *site, q parley.ID) { s.record(t, transfer(), q); s.wantExecuted(t, transfer()) },
		"revoked": func(t *testing.T, s *site, q parley.ID) { revoke(t, s, s.record(t, transfer(), q)) },
	} {
		synctest.Test(t, func(t *testing.T) {
			inner := parley.NewMemoryStore()
			other := newSiteOn(t, inner, nil, nil)
			q := other.ask(t, transfer())
			other.answer(t, q, says(permit.AllowOnce))
			time.Sleep(time.Second)
			first, did := true, []string{}
			s := newSiteOn(t, watched{Backend: inner, did: &did, before: func(parley.Record) {
				if first {
					first = false
					meanwhile(t, other, q.ID)
				}
			}}, nil, nil)
			s.server = other.server
			before := other.server.count()
			d, err := s.Record(t.Context(), transfer(), q.ID)
			if first || err == nil && d.Status == permit.Granted {
				t.Errorf("%s: %+v, %v", what, d, err)
			}
			if err := s.execute(t, transfer()); err == nil {
				t.Errorf("%s: it was let through", what)
			}
			if what == "revoked" && other.server.count() != before || other.server.count() > 1 {
				t.Errorf("%s: made %d times", what, other.server.count())
			}
			if !slices.Contains(did, "save") {
				t.Errorf("%s: nothing was tried to be written", what)
			}
		})
	}
}

func revoke(t *testing.T, s *site, d permit.Decision) {
	t.Helper()
	if err := s.Revoke(t.Context(), "", "alice", d.Grant); err != nil {
		t.Fatal(err)
	}
}
