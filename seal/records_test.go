package seal_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/storetest"
)

func TestSealedRecordsKeepThePromisesOfRecords(t *testing.T) {
	type backend struct {
		parley.Store
		parley.Records
		parley.Sweeper
	}
	k := keyring(t, newSecret)
	storetest.Run(t, func(_ *testing.T, retention time.Duration) (storetest.Backend, func() storetest.Backend) {
		store := parley.NewMemoryStore()
		store.Retention = retention
		open := func() storetest.Backend {
			sealing := seal.Records(store, k, nil)
			return backend{store, sealing, sealing.(parley.Sweeper)}
		}
		return open(), open
	})
}

var connection = parley.Record{
	Address: parley.Address{Tenant: "acme", Kind: "connection", Key: "tracker/ada"},
	Owner:   "ada",
	Data:    []byte(`{"token":"s3cr3t"}`),
}

func save(t testing.TB, to parley.Records, r parley.Record) parley.Record {
	t.Helper()
	version, err := to.Save(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	r.Version = version
	return r
}

func load(t testing.TB, from parley.Records, at parley.Address) parley.Record {
	t.Helper()
	r, err := from.Load(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRecordsAreStoredSealed(t *testing.T) {
	inner := parley.NewMemoryStore()
	sealing := seal.Records(inner, keyring(t, newSecret), nil)
	given := connection.Clone()
	saved := save(t, sealing, given)
	if diff := cmp.Diff(connection, given); diff != "" {
		t.Errorf("Save changed its argument: %s", diff)
	}

	stored := load(t, inner, connection.Address)
	if bytes.Contains(stored.Data, []byte("s3cr3t")) || !seal.Sealed(stored.Data) {
		t.Errorf("stored %q", stored.Data)
	}
	if stored.Owner != "ada" || stored.Version != saved.Version {
		t.Errorf("stored for %q at version %d", stored.Owner, stored.Version)
	}
	if diff := cmp.Diff(saved, load(t, sealing, connection.Address)); diff != "" {
		t.Errorf("loaded (-saved +loaded): %s", diff)
	}
	list, err := sealing.Scan(t.Context(), parley.Address{Tenant: "acme", Kind: "connection"}, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]parley.Record{saved}, list); diff != "" {
		t.Errorf("scanned (-saved +scanned): %s", diff)
	}
}

// wantNeither checks that neither Load nor Scan give the record, that both say
// why and which.
func wantNeither(t *testing.T, from parley.Records, at parley.Address, want error) {
	t.Helper()
	r, err := from.Load(t.Context(), at)
	list, scanErr := from.Scan(t.Context(), at, "", 0)
	for _, err := range []error{err, scanErr} {
		if !errors.Is(err, want) || !strings.Contains(err.Error(), at.Key) {
			t.Errorf("error %v; want %v with the key", err, want)
		}
	}
	if r.Data != nil || list != nil {
		t.Errorf("data came with the error: %q, %v", r.Data, list)
	}
}

func TestChangedRecordsDoNotOpen(t *testing.T) {
	for name, change := range map[string]func(*parley.Record){
		"owner":  func(r *parley.Record) { r.Owner = "eve" },
		"key":    func(r *parley.Record) { r.Key = "tracker/eve" },
		"kind":   func(r *parley.Record) { r.Kind = "grant" },
		"tenant": func(r *parley.Record) { r.Tenant = "other" },
		"data":   func(r *parley.Record) { r.Data[len(r.Data)-1] ^= 1 },
	} {
		t.Run(name, func(t *testing.T) {
			inner := parley.NewMemoryStore()
			sealing := seal.Records(inner, keyring(t, newSecret), nil)
			save(t, sealing, connection)
			r := load(t, inner, connection.Address)
			change(&r)
			if r.Address != connection.Address {
				r.Version = 0
			}
			save(t, inner, r)
			wantNeither(t, sealing, r.Address, seal.ErrTampered)
		})
	}
}

func TestForeignRecordsDoNotOpen(t *testing.T) {
	inner := parley.NewMemoryStore()
	save(t, seal.Records(inner, keyring(t, oldSecret), nil), connection)
	wantNeither(t, seal.Records(inner, keyring(t, newSecret), nil), connection.Address, seal.ErrUnknownKey)
}

func TestPlainRecordsAreRefusedUnlessAccepted(t *testing.T) {
	for _, data := range []string{`{"token":"s3cr3t"}`, ""} {
		inner := parley.NewMemoryStore()
		plain := connection.Clone()
		plain.Data = []byte(data)
		save(t, inner, plain)
		strict := seal.Records(inner, keyring(t, newSecret), nil)
		wantNeither(t, strict, plain.Address, parley.ErrNotSealed)

		moving := seal.Records(inner, keyring(t, newSecret), &seal.RecordsOptions{AcceptPlain: true})
		r := load(t, moving, plain.Address)
		if string(r.Data) != data {
			t.Fatalf("loaded %q", r.Data)
		}
		save(t, moving, r)
		if got := load(t, strict, plain.Address); string(got.Data) != data {
			t.Errorf("after saving: %q", got.Data)
		}
	}
}

func TestAcceptingPlainRecordsStillRefusesBrokenOnes(t *testing.T) {
	inner := parley.NewMemoryStore()
	moving := seal.Records(inner, keyring(t, newSecret), &seal.RecordsOptions{AcceptPlain: true})
	save(t, moving, connection)
	r := load(t, inner, connection.Address)
	r.Owner = "eve"
	save(t, inner, r)
	wantNeither(t, moving, r.Address, seal.ErrTampered)
}

func TestRecordsWithoutAKeyringSaveNothing(t *testing.T) {
	inner := parley.NewMemoryStore()
	_, err := seal.Records(inner, nil, nil).Save(t.Context(), connection)
	wantError(t, err, seal.ErrNoSecret)
	_, err = inner.Load(t.Context(), connection.Address)
	wantError(t, err, parley.ErrNotFound)
}

func TestRecordsSweepWhenTheWrappedOnesDo(t *testing.T) {
	store := parley.NewMemoryStore()
	k := keyring(t, newSecret)
	if _, ok := seal.Records(struct{ parley.Records }{store}, k, nil).(parley.Sweeper); ok {
		t.Error("claims to sweep what cannot be swept")
	}
	sealing := seal.Records(store, k, nil)
	sweeper, ok := sealing.(parley.Sweeper)
	if !ok {
		t.Fatal("does not sweep")
	}
	short := connection.Clone()
	short.Expires = time.Now().Add(time.Hour)
	save(t, sealing, short)
	if err := sweeper.Sweep(t.Context(), time.Now().Add(2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	_, err := sealing.Load(t.Context(), short.Address)
	wantError(t, err, parley.ErrNotFound)
}
