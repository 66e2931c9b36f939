package parley_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
)

var counterAt = parley.Address{Tenant: "default", Kind: "counter", Key: "a"}

func increment(r *parley.Record) (bool, error) {
	n, _ := strconv.Atoi(string(r.Data))
	r.Data = []byte(strconv.Itoa(n + 1))
	return true, nil
}

func TestEveryRecordIsReadOnceInTheOrderOfTheKeys(t *testing.T) {
	store := parley.NewMemoryStore()
	var want []string
	for i := range 2*parley.MaxLimit + 1 {
		key := fmt.Sprintf("a/%05d", i)
		want = append(want, key)
		if _, err := store.Save(t.Context(), parley.Record{Address: parley.Address{Tenant: "default", Kind: "k", Key: key}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := store.Save(t.Context(), parley.Record{Address: parley.Address{Tenant: "default", Kind: "k", Key: "b"}}); err != nil {
		t.Fatal(err)
	}
	read := func(after string, most int) (keys []string) {
		for r, err := range parley.Each(t.Context(), store, parley.Address{Tenant: "default", Kind: "k", Key: "a/"}, after) {
			if err != nil {
				t.Fatal(err)
			}
			if keys = append(keys, r.Key); len(keys) == most {
				break
			}
		}
		return keys
	}
	if got := read("", 0); !slices.Equal(got, want) {
		t.Errorf("%d keys of %d", len(got), len(want))
	}
	if got := read(want[4], 3); !slices.Equal(got, want[5:8]) {
		t.Errorf("after the fifth come %q", got)
	}
}

func TestAPageThatCannotBeReadIsTheLast(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := 0
	for _, err := range parley.Each(ctx, failingRecords{}, counterAt, "") {
		if n++; !errors.Is(err, errStoreAway) {
			t.Errorf("told %v", err)
		}
	}
	if n != 1 {
		t.Errorf("told %d times", n)
	}
}

var errStoreAway = errors.New("the store is away")

type failingRecords struct{ parley.Records }

func (failingRecords) Scan(context.Context, parley.Address, string, int) ([]parley.Record, error) {
	return nil, errStoreAway
}

func (failingRecords) Load(context.Context, parley.Address) (parley.Record, error) {
	return parley.Record{}, errStoreAway
}

func TestChangesAtOnceAllHold(t *testing.T) {
	store := parley.NewMemoryStore()
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if _, err := parley.Update(t.Context(), store, counterAt, increment); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if r, err := store.Load(t.Context(), counterAt); err != nil || string(r.Data) != "50" {
		t.Errorf("%s, %v", r.Data, err)
	}
}

func TestAChangeThatIsNoneWritesNothing(t *testing.T) {
	store := parley.NewMemoryStore()
	before, err := parley.Update(t.Context(), store, counterAt, increment)
	if err != nil {
		t.Fatal(err)
	}
	after, err := parley.Update(t.Context(), store, counterAt, func(r *parley.Record) (bool, error) {
		r.Data = []byte("7")
		return false, nil
	})
	if err != nil || after.Version != before.Version {
		t.Errorf("%+v, %v", after, err)
	}
	refused := errors.New("no")
	_, err = parley.Update(t.Context(), store, counterAt, func(r *parley.Record) (bool, error) { return true, refused })
	if !errors.Is(err, refused) {
		t.Errorf("told %v", err)
	}
	if r, err := store.Load(t.Context(), counterAt); err != nil || string(r.Data) != "1" || r.Version != before.Version {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := parley.Update(t.Context(), failingRecords{}, counterAt, increment); !errors.Is(err, errStoreAway) {
		t.Errorf("told %v", err)
	}
}

func TestAChangeStaysAtItsAddress(t *testing.T) {
	store := parley.NewMemoryStore()
	for range 2 {
		_, err := parley.Update(t.Context(), store, counterAt, func(r *parley.Record) (bool, error) {
			*r = parley.Record{Address: parley.Address{Tenant: "other", Kind: "other", Key: "other"}, Version: 77, Data: []byte("x")}
			return true, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if version, err := parley.Put(t.Context(), store, parley.Record{Address: counterAt, Data: []byte("y")}); err != nil || version == 0 {
		t.Errorf("%d, %v", version, err)
	}
	if r, err := store.Load(t.Context(), counterAt); err != nil || string(r.Data) != "y" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestALeaseIsOfOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		inside := 0
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				err := parley.Lease(t.Context(), store, counterAt, time.Minute, func() error {
					if inside++; inside != 1 {
						t.Errorf("%d at once", inside)
					}
					time.Sleep(time.Second)
					inside--
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if _, err := store.Load(t.Context(), counterAt); !errors.Is(err, parley.ErrNotFound) {
			t.Errorf("it is there still: %v", err)
		}
	})
}

func TestALeaseThatACrashLeftEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		if _, err := store.Save(t.Context(), parley.Record{Address: counterAt, Expires: time.Now().UTC().Truncate(time.Millisecond).Add(10 * time.Second)}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeoutCause(t.Context(), 5*time.Second, errors.New("enough"))
		defer cancel()
		nothing := func() error { return nil }
		if err := parley.Lease(ctx, store, counterAt, time.Minute, nothing); err == nil || err.Error() != "enough" {
			t.Errorf("told %v", err)
		}
		if err := parley.Lease(t.Context(), store, counterAt, time.Minute, nothing); err != nil {
			t.Error(err)
		}
		failed := errors.New("no")
		if err := parley.Lease(t.Context(), store, counterAt, time.Minute, func() error { return failed }); !errors.Is(err, failed) {
			t.Errorf("told %v", err)
		}
	})
}

// One record that another site's program left is an error of its own, and the others are read.
func TestARecordThatDoesNotOpenKeepsNoOtherFromBeingRead(t *testing.T) {
	store := parley.NewMemoryStore()
	own, foreign := seal.Records(store, keyring(t, newSecret), nil), seal.Records(store, keyring(t, oldSecret), nil)
	want := map[string]bool{} // whether it opens
	for i := range parley.MaxLimit + 20 {
		records, key := own, fmt.Sprintf("%05d", i)
		if want[key] = i%7 != 3 && i != parley.MaxLimit; !want[key] {
			records = foreign
		}
		if _, err := records.Save(t.Context(), parley.Record{Address: parley.Address{Tenant: "default", Kind: "k", Key: key}, Data: []byte(key)}); err != nil {
			t.Fatal(err)
		}
	}
	got, last := map[string]bool{}, ""
	for r, err := range parley.Each(t.Context(), own, parley.Address{Tenant: "default", Kind: "k"}, "") {
		key := r.Key
		var unopened *parley.UnopenedError
		if errors.As(err, &unopened) {
			key = unopened.Key
		} else if err != nil {
			t.Fatal(err)
		}
		if _, twice := got[key]; twice || key <= last {
			t.Fatalf("%s after %s", key, last)
		}
		got[key], last = err == nil, key
		if err == nil && string(r.Data) != key || err != nil && !errors.Is(err, seal.ErrUnknownKey) {
			t.Errorf("%s: %q, %v", key, r.Data, err)
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("%d of %d records", len(got), len(want))
	}
}
