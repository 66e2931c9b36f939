package storetest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-hq/parley"
)

func runRecords(t *testing.T, open Opener) {
	runAll(t, open, []subtest{
		{"what is saved comes back whole", saveAndLoad},
		{"a record is created once", createOnce},
		{"of many that create exactly one succeeds", createRace},
		{"only the version that was read is replaced", compareAndSwap},
		{"of many that swap none is lost", swapRace},
		{"of many that delete exactly one succeeds", deleteRace},
		{"a version is never used again", versionsNeverReturn},
		{"an expired record is gone", expiry},
		{"addresses do not collide", addresses},
		{"values are copies", recordCopies},
		{"an ended context is an error", recordsEndedContext},
	})
}

func record(key, data string) parley.Record {
	return parley.Record{Address: parley.Address{Tenant: "acme", Kind: "grant", Key: key}, Owner: "alice", Data: []byte(data)}
}

func save(t *testing.T, s Backend, r parley.Record) parley.Record {
	t.Helper()
	version, err := s.Save(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if version == 0 {
		t.Fatal("version 0 was given; it means that there is none")
	}
	r.Version = version
	return r
}

func load(t *testing.T, s Backend, at parley.Address) parley.Record {
	t.Helper()
	r, err := s.Load(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func saveAndLoad(t *testing.T, a, b Backend) {
	for _, r := range []parley.Record{
		record("plain", "data"),
		record("empty", ""),
		record("binary", "\x00\x01\xff"),
		record("large", strings.Repeat("x", 1<<20)),
		{Address: parley.Address{Kind: "system", Key: "no tenant"}, Data: []byte("x")},
		{Address: parley.Address{Tenant: "acme", Kind: "later"}, Data: []byte("x"), Expires: now().Add(time.Hour)},
	} {
		r = save(t, a, r)
		same(t, load(t, a, r.Address), r)
		same(t, load(t, b, r.Address), r)
	}
	_, err := a.Load(t.Context(), record("unknown", "").Address)
	wantError(t, err, parley.ErrNotFound)
	wantError(t, a.Delete(t.Context(), record("unknown", "").Address, 0), parley.ErrNotFound)
}

func createOnce(t *testing.T, a, b Backend) {
	first := save(t, a, record("k", "first"))
	_, err := b.Save(t.Context(), record("k", "second"))
	wantError(t, err, parley.ErrExists)
	same(t, load(t, b, first.Address), first)
	absent := record("absent", "x")
	absent.Version = first.Version
	_, err = b.Save(t.Context(), absent)
	wantError(t, err, parley.ErrConflict)
}

func createRace(t *testing.T, a, b Backend) {
	for round := range rounds {
		key := fmt.Sprint("k", round)
		errs := race(4, func(i int) error {
			_, err := [2]Backend{a, b}[i%2].Save(t.Context(), record(key, fmt.Sprint(i)))
			return err
		})
		winner := onlyWinner(t, errs, parley.ErrExists)
		if got := string(load(t, a, record(key, "").Address).Data); got != fmt.Sprint(winner) {
			t.Fatalf("data of %s, but call %d succeeded", got, winner)
		}
	}
}

func compareAndSwap(t *testing.T, a, b Backend) {
	first := save(t, a, record("k", "first"))
	second := first
	second.Data, second.Owner, second.Expires = []byte("second"), "bob", now().Add(time.Hour)
	second = save(t, b, second)
	if second.Version <= first.Version {
		t.Errorf("version %d after %d; want it to grow", second.Version, first.Version)
	}
	same(t, load(t, a, first.Address), second)

	first.Data = []byte("late")
	_, err := a.Save(t.Context(), first)
	wantError(t, err, parley.ErrConflict)
	wantError(t, a.Delete(t.Context(), first.Address, first.Version), parley.ErrConflict)
	same(t, load(t, b, first.Address), second)

	if err := b.Delete(t.Context(), second.Address, second.Version); err != nil {
		t.Fatal(err)
	}
	_, err = a.Load(t.Context(), first.Address)
	wantError(t, err, parley.ErrNotFound)
	_, err = a.Save(t.Context(), second)
	wantError(t, err, parley.ErrConflict)
}

func swapRace(t *testing.T, a, b Backend) {
	const callers, each = 6, 25
	at := save(t, a, record("counter", "0")).Address
	var retries atomic.Int64
	errs := race(callers, func(i int) error {
		s := [2]Backend{a, b}[i%2]
		for done := 0; done < each; {
			r, err := s.Load(t.Context(), at)
			if err != nil {
				return err
			}
			n, err := strconv.Atoi(string(r.Data))
			if err != nil {
				return err
			}
			r.Data = []byte(strconv.Itoa(n + 1))
			switch _, err = s.Save(t.Context(), r); {
			case err == nil:
				done++
			case errors.Is(err, parley.ErrConflict):
				retries.Add(1)
			default:
				return err
			}
		}
		return nil
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if got := string(load(t, b, at).Data); got != strconv.Itoa(callers*each) {
		t.Errorf("counter %s after %d increments (%d retries)", got, callers*each, retries.Load())
	}
}

func deleteRace(t *testing.T, a, b Backend) {
	for round := range rounds {
		r := save(t, a, record(fmt.Sprint("k", round), "ticket"))
		version := r.Version * int64(round%2) // any version, or exactly this one
		errs := race(4, func(i int) error {
			return [2]Backend{a, b}[i%2].Delete(t.Context(), r.Address, version)
		})
		onlyWinner(t, errs, parley.ErrNotFound)
	}
}

func versionsNeverReturn(t *testing.T, a, b Backend) {
	used := map[int64]bool{}
	for i := range 5 {
		s := [2]Backend{a, b}[i%2]
		r := save(t, s, record("k", "first"))
		stale := r
		r.Data = []byte("second")
		r = save(t, s, r)
		for _, v := range []int64{stale.Version, r.Version} {
			if used[v] {
				t.Fatalf("version %d was used twice", v)
			}
			used[v] = true
		}
		if err := s.Delete(t.Context(), r.Address, 0); err != nil {
			t.Fatal(err)
		}
		again := save(t, b, record("k", "again"))
		_, err := a.Save(t.Context(), stale)
		wantError(t, err, parley.ErrConflict)
		if err := a.Delete(t.Context(), again.Address, again.Version); err != nil {
			t.Fatal(err)
		}
		used[again.Version] = true
	}
}

func expiry(t *testing.T, a, b Backend) {
	r := record("k", "short")
	r.Expires = now().Add(40 * time.Millisecond)
	r = save(t, a, r)
	eventually(t, "expiry of a record", func() bool {
		_, err := b.Load(t.Context(), r.Address)
		return errors.Is(err, parley.ErrNotFound)
	})
	if list, err := b.Scan(t.Context(), parley.Address{Tenant: "acme", Kind: "grant"}, "", 0); err != nil || len(list) != 0 {
		t.Errorf("Scan = %d records, %v; want none", len(list), err)
	}
	stale := r
	stale.Expires = now().Add(time.Hour)
	_, err := a.Save(t.Context(), stale)
	wantError(t, err, parley.ErrConflict)
	wantError(t, a.Delete(t.Context(), r.Address, 0), parley.ErrNotFound)

	fresh := save(t, b, record("k", "fresh"))
	if fresh.Version == r.Version {
		t.Error("the version of the expired record was used again")
	}
	sweep(t, a)
	same(t, load(t, a, fresh.Address), fresh)

	kept := record("kept", "x")
	kept.Expires = now().Add(time.Hour)
	kept = save(t, a, kept)
	kept.Expires = time.Time{} // a record can lose its expiry
	kept = save(t, a, kept)
	same(t, load(t, b, kept.Address), kept)
}

func addresses(t *testing.T, a, b Backend) {
	var saved []parley.Record
	parts := []string{"", "a", "b", "a:b", "a/b", "{a}", "b:", ":b", "A", "a b", "ä", "a%", "a_", "a*", "[a]", "\x01"}
	for _, tenant := range parts {
		for _, kind := range []string{"k", "b:k", "k:a"} {
			for _, key := range []string{"a", "a:b", "b", "k:a:b"} {
				saved = append(saved, save(t, a, parley.Record{
					Address: parley.Address{Tenant: tenant, Kind: kind, Key: key},
					Data:    []byte(fmt.Sprintf("%q %q %q", tenant, kind, key)),
				}))
			}
		}
	}
	for _, want := range saved {
		same(t, load(t, b, want.Address), want)
	}
}

func recordCopies(t *testing.T, a, _ Backend) {
	r := record("k", "data")
	version, err := a.Save(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	r.Data[0] = 'X'
	load(t, a, r.Address).Data[0] = 'X'
	want := record("k", "data")
	want.Version = version
	same(t, load(t, a, r.Address), want)
}

func recordsEndedContext(t *testing.T, a, _ Backend) {
	r := save(t, a, record("k", "data"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, loadErr := a.Load(ctx, r.Address)
	_, saveErr := a.Save(ctx, r)
	_, scanErr := a.Scan(ctx, r.Address, "", 0)
	for name, err := range map[string]error{
		"Load": loadErr, "Save": saveErr, "Scan": scanErr, "Delete": a.Delete(ctx, r.Address, 0),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s with an ended context = %v, want context.Canceled", name, err)
		}
	}
	same(t, load(t, a, r.Address), r)
}
