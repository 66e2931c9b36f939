package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/parley-hq/parley"
)

// runRewrite is for stores whose data can be sealed anew.
func runRewrite(t *testing.T, open Opener) {
	with := func(name string, run func(t *testing.T, a, b Backend, w parley.Rewriter)) {
		t.Run(name, func(t *testing.T) {
			a, again := open(t, keep)
			w, ok := a.(parley.Rewriter)
			if !ok {
				t.Skip("it does not rewrite")
			}
			run(t, a, again(), w)
		})
	}
	with("all records are walked through, of every tenant and kind, but those that have expired", func(t *testing.T, a, b Backend, w parley.Rewriter) {
		want := map[parley.Address]string{}
		save := func(tenant, kind, key string, expires time.Time) {
			r := parley.Record{Address: parley.Address{Tenant: tenant, Kind: kind, Key: key}, Data: []byte(tenant + kind + key), Expires: expires}
			if _, err := b.Save(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			if expires.IsZero() || expires.After(time.Now()) {
				want[r.Address] = string(r.Data)
			}
		}
		for _, tenant := range []string{"acme", "a:b", "-runs", ""} {
			for _, kind := range []string{"run", "run:x", "session"} {
				for n := range 3 {
					save(tenant, kind, fmt.Sprintf("key %d", n), time.Time{})
				}
			}
		}
		for n := range parley.MaxLimit + 5 {
			save("acme", "many", fmt.Sprintf("%05d", n), now().Add(time.Hour))
		}
		save("acme", "run", "gone", now().Add(-time.Second))
		err := w.Walk(t.Context(), func(r parley.Record) error {
			if data, there := want[r.Address]; !there || data != string(r.Data) {
				t.Errorf("%+v: %q", r.Address, r.Data)
			}
			delete(want, r.Address)
			return nil
		})
		if err != nil || len(want) > 0 {
			t.Errorf("%v; left out: %v", err, want)
		}
		stop := errors.New("enough")
		if err := w.Walk(t.Context(), func(parley.Record) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("a visit that fails: %v", err)
		}
	})
	with("a record keeps its version, its owner and its expiry, and only that version is rewritten", func(t *testing.T, a, b Backend, w parley.Rewriter) {
		r := parley.Record{Address: parley.Address{Tenant: "acme", Kind: "run", Key: "1"}, Owner: "alice", Data: []byte("old"), Expires: now().Add(time.Hour)}
		var err error
		if r.Version, err = b.Save(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if err := w.RewriteRecord(t.Context(), r, []byte("new")); err != nil {
			t.Fatal(err)
		}
		got, err := b.Load(t.Context(), r.Address)
		if err != nil || string(got.Data) != "new" || got.Version != r.Version || got.Owner != "alice" || !got.Expires.Equal(r.Expires) {
			t.Errorf("%+v, %v", got, err)
		}
		got.Data = []byte("of whoever works with it")
		next, err := b.Save(t.Context(), got) // at the version from before
		if err != nil {
			t.Fatal(err)
		}
		if err := w.RewriteRecord(t.Context(), got, []byte("too late")); !errors.Is(err, parley.ErrConflict) {
			t.Errorf("an older version: %v", err)
		}
		if got, err := b.Load(t.Context(), r.Address); err != nil || got.Version != next || string(got.Data) != "of whoever works with it" {
			t.Errorf("%+v, %v", got, err)
		}
		if err := b.Delete(t.Context(), r.Address, 0); err != nil {
			t.Fatal(err)
		}
		if err := w.RewriteRecord(t.Context(), got, []byte("too late")); !errors.Is(err, parley.ErrConflict) {
			t.Errorf("one that is gone: %v", err)
		}
	})
	with("a request's message and content are rewritten while they are what they were", func(t *testing.T, a, b Backend, w parley.Rewriter) {
		was := question("alice")
		put(t, a, was)
		is := was
		is.Message = "sealed anew"
		if err := w.RewriteRequest(t.Context(), was, is); err != nil {
			t.Fatal(err)
		}
		if err := w.RewriteRequest(t.Context(), was, is); !errors.Is(err, parley.ErrConflict) {
			t.Errorf("with the message from before: %v", err)
		}
		if err := b.Settle(t.Context(), is.ID, accepted("x")); err != nil {
			t.Fatal(err)
		}
		if err := w.RewriteRequest(t.Context(), is, was); !errors.Is(err, parley.ErrConflict) {
			t.Errorf("as if it were pending: %v", err)
		}
		settled, err := b.Get(t.Context(), is.ID)
		if err != nil || settled.Message != "sealed anew" {
			t.Fatalf("%+v, %v", settled, err)
		}
		next := settled
		outcome := *settled.Outcome
		outcome.Content = []byte(`{"sealed":"anew"}`)
		next.Message, next.Outcome = "and again", &outcome
		if err := w.RewriteRequest(t.Context(), settled, next); err != nil {
			t.Fatal(err)
		}
		got, err := b.Get(t.Context(), is.ID)
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, next)
		gone := question("alice")
		if err := w.RewriteRequest(t.Context(), gone, gone); !errors.Is(err, parley.ErrConflict) {
			t.Errorf("one that is not there: %v", err)
		}
	})
}
