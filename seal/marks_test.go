package seal_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
)

func markOf(key string) parley.Address {
	return parley.Address{Tenant: parley.DefaultTenant, Kind: "secret", Key: key}
}

// lacks fails unless a keyring lacks just the secrets of these others in the store.
func lacks(t *testing.T, what string, k *seal.Keyring, store parley.Records, others ...*seal.Keyring) {
	t.Helper()
	var want []string
	for _, one := range others {
		want = append(want, one.ID())
	}
	slices.Sort(want)
	for name, err := range map[string]error{"check": k.Check(t.Context(), store), "claim": k.Claim(t.Context(), store)} {
		var missing *seal.MissingError
		if errors.As(err, &missing) != (len(want) > 0) || err != nil && missing == nil {
			t.Errorf("%s: %s: %v", what, name, err)
		} else if missing != nil && (!slices.Equal(missing.IDs, want) || !strings.Contains(err.Error(), "key "+want[0]) || !strings.Contains(err.Error(), "--reseal")) {
			t.Errorf("%s: %s: %v, want %v", what, name, err, want)
		}
	}
}

func saved(t *testing.T, store parley.Records, k *seal.Keyring, key string) {
	t.Helper()
	if _, err := seal.Records(store, k, nil).Save(t.Context(), parley.Record{Address: parley.Address{Tenant: "acme", Kind: "connection", Key: key}, Data: []byte("x")}); err != nil {
		t.Fatal(err)
	}
}

func TestWhoLacksASecretThatIsInUseIsToldWhich(t *testing.T) {
	old, next, both, foreign := ring(t, "old"), ring(t, "new"), ring(t, "new", "old"), ring(t, "foreign")
	store := parley.NewMemoryStore()
	if err := old.Check(t.Context(), store); err != nil {
		t.Errorf("an empty store: %v", err)
	}
	if found, err := store.Scan(t.Context(), markOf(""), "", 0); err != nil || len(found) > 0 {
		t.Errorf("who only checks leaves a mark: %v, %v", found, err)
	}
	lacks(t, "the first", old, store)
	saved(t, store, old, "1")
	lacks(t, "a stranger", foreign, store, old)
	lacks(t, "a stranger again", foreign, store, old)
	lacks(t, "the first, after a stranger", old, store)
	lacks(t, "the new one behind", ring(t, "old", "new"), store)
	lacks(t, "the first, after the new one was behind", old, store)
	lacks(t, "the new one in front", both, store)
	saved(t, store, both, "2")
	lacks(t, "who has lost the old one", next, store, old)
	lacks(t, "who never had the new one", old, store, next)
	lacks(t, "who has lost it and has another", ring(t, "foreign", "new"), store, old)
	if _, err := both.Reseal(t.Context(), store); err != nil {
		t.Fatal(err)
	}
	lacks(t, "the new one alone, when all is sealed anew", next, store)
	lacks(t, "the old one alone, when all is sealed anew", old, store, next)
	lacks(t, "the old one in front again", ring(t, "old", "new"), store)
	lacks(t, "the new one alone, while the old one seals again", next, store, old)
}

// dying fails with the n-th thing that is written.
type dying struct {
	*parley.MemoryStore
	left int
}

var errDead = errors.New("the process has died")

func (d *dying) write() error {
	if d.left--; d.left < 0 {
		return errDead
	}
	return nil
}

func (d *dying) Save(ctx context.Context, r parley.Record) (int64, error) {
	if err := d.write(); err != nil {
		return 0, err
	}
	return d.MemoryStore.Save(ctx, r)
}

func (d *dying) RewriteRecord(ctx context.Context, r parley.Record, data []byte) error {
	if err := d.write(); err != nil {
		return err
	}
	return d.MemoryStore.RewriteRecord(ctx, r, data)
}

// Wherever a process dies that seals everything anew: while something needs a secret, who
// has it not is told.
func TestSealingAnewThatIsBrokenOffHidesNoSecretThatIsNeeded(t *testing.T) {
	old, next, both := ring(t, "old"), ring(t, "new"), ring(t, "new", "old")
	done := false
	for n := 0; !done; n++ {
		store := parley.NewMemoryStore()
		lacks(t, "the first", old, store)
		for _, key := range []string{"1", "2", "3"} {
			saved(t, store, old, key)
		}
		_, err := both.Reseal(t.Context(), &dying{store, n})
		if done = err == nil; !done && !errors.Is(err, errDead) {
			t.Fatal(err)
		}
		found, err := both.Survey(t.Context(), store)
		if err != nil {
			t.Fatal(err)
		}
		for i, one := range []*seal.Keyring{old, next} { // the other's are missing
			err := one.Check(t.Context(), store)
			if needed := found.Secrets[i].All() > 0; needed && err == nil {
				t.Errorf("broken off after %d: %d need secrets[%d], and nobody is told", n, found.Secrets[i].All(), i)
			}
		}
		if done && (found.Secrets[1].Marked || !found.Secrets[1].Retired || next.Check(t.Context(), store) != nil) {
			t.Errorf("at the end: %+v, %v", found, next.Check(t.Context(), store))
		}
	}
}

// A record that was damaged, or that somebody else left, keeps nobody from working.
func TestASingleRecordMakesNoSecretMissing(t *testing.T) {
	own, foreign := ring(t, "own"), ring(t, "foreign")
	for _, key := range []string{"first", own.ID()} {
		for at := range 9 { // the head of an envelope
			store := parley.NewMemoryStore()
			lacks(t, "before", own, store)
			r, err := store.Load(t.Context(), markOf(key))
			if err != nil {
				t.Fatal(err)
			}
			r.Data[at] ^= 1
			if _, err := store.Save(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			lacks(t, "a damaged mark", own, store)
			lacks(t, "a mended mark", foreign, store, own)
		}
	}
	store := parley.NewMemoryStore()
	lacks(t, "before", own, store)
	saved(t, store, foreign, "planted")
	lacks(t, "a record of a stranger", own, store)
	if unknown, err := own.Note(t.Context(), store); err != nil || unknown[foreign.ID()] != 1 {
		t.Errorf("%v, %v", unknown, err)
	}
	lacks(t, "a record of a stranger that was seen", own, store)
}

// Programs of earlier versions left notes that ended after 30 days.
func TestWhatEarlierVersionsDidNotNoteIsLookedForOnce(t *testing.T) {
	old, next, both := ring(t, "old"), ring(t, "new"), ring(t, "new", "old")
	store := &counting{MemoryStore: parley.NewMemoryStore()}
	saved(t, store, old, "1")
	if _, err := seal.Records(store, next, nil).Save(t.Context(), parley.Record{Address: markOf(next.ID()), Data: []byte("x"), Expires: time.Now().Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	lacks(t, "before anybody looked", next, store)
	for range 2 {
		if unknown, err := both.Note(t.Context(), store); err != nil || len(unknown) > 0 {
			t.Fatalf("%v, %v", unknown, err)
		}
	}
	if store.walked != 1 {
		t.Errorf("it was looked at %d times", store.walked)
	}
	lacks(t, "who has lost the old one", next, store, old)
	lacks(t, "who has both", both, store)
	for _, key := range []string{"first", old.ID(), next.ID()} {
		if r, err := store.Load(t.Context(), markOf(key)); err != nil || !r.Expires.IsZero() {
			t.Errorf("%s ends at %v, %v", key, r.Expires, err)
		}
	}
}

type counting struct {
	*parley.MemoryStore
	walked int
}

func (c *counting) Walk(ctx context.Context, visit func(parley.Record) error) error {
	c.walked++
	return c.MemoryStore.Walk(ctx, visit)
}

func TestASecretThatIsLostCanBeForgotten(t *testing.T) {
	old, next, both := ring(t, "old"), ring(t, "new"), ring(t, "new", "old")
	store := parley.NewMemoryStore()
	lacks(t, "the first", old, store)
	lacks(t, "both", both, store)
	lacks(t, "without the old one", next, store, old)
	if err := next.Forget(t.Context(), store, next.ID()); err == nil {
		t.Error("the one that seals was forgotten")
	}
	if err := next.Forget(t.Context(), store, "first"); !errors.Is(err, parley.ErrNotFound) {
		t.Errorf("no key: %v", err)
	}
	if err := next.Forget(t.Context(), store, old.ID()); err != nil {
		t.Fatal(err)
	}
	lacks(t, "when it is forgotten", next, store)
	lacks(t, "the old one alone", old, store, next)
}
