package seal_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
)

// ring is a keyring of secrets by name.
func ring(t *testing.T, names ...string) *seal.Keyring {
	t.Helper()
	var all [][]byte
	for _, name := range names {
		all = append(all, []byte("the secret of this test that is called "+name))
	}
	return keyring(t, all...)
}

// busy changes what is rewritten once, just before it is.
type busy struct {
	*parley.MemoryStore
	first func()
}

func (b *busy) RewriteRecord(ctx context.Context, r parley.Record, data []byte) error {
	if do := b.first; do != nil {
		b.first = nil
		do()
	}
	return b.MemoryStore.RewriteRecord(ctx, r, data)
}

func TestWhatIsStoredIsSealedAnewAndTheOldSecretCanGo(t *testing.T) {
	old, next, foreign := ring(t, "old"), ring(t, "new", "old"), ring(t, "foreign")
	only := ring(t, "new")
	store := &busy{MemoryStore: parley.NewMemoryStore()}
	hub := parley.New(store, &parley.Options{Sealer: old})
	pending, err := hub.Open(t.Context(), parley.Request{To: "alice", Mode: parley.Form, Message: "still open?"})
	if err != nil {
		t.Fatal(err)
	}
	settled, err := hub.Open(t.Context(), parley.Request{To: "alice", Mode: parley.Form, Message: "a name?", Schema: []byte(`{"type":"object","properties":{"name":{"type":"string"}}}`)})
	if err != nil {
		t.Fatal(err)
	}
	alice := parley.Principal{User: "alice"}
	if err := hub.Answer(t.Context(), alice, settled.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"name":"Ada"}`)}); err != nil {
		t.Fatal(err)
	}
	records := seal.Records(store, old, nil)
	saved := map[string]int64{}
	for n, tenant := range []string{"acme", "default", "-runs"} {
		at := parley.Address{Tenant: tenant, Kind: "connection", Key: fmt.Sprint(n)}
		version, err := records.Save(t.Context(), parley.Record{Address: at, Owner: "alice", Data: []byte("of " + tenant), Expires: time.Now().Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		saved[tenant] = version
	}
	if _, err := seal.Records(store, foreign, nil).Save(t.Context(), parley.Record{Address: parley.Address{Tenant: "acme", Kind: "lost", Key: "1"}, Data: []byte("nobody's")}); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Save(t.Context(), parley.Record{Address: parley.Address{Tenant: "acme", Kind: "plain", Key: "1"}, Data: []byte("{}")}); err != nil {
		t.Fatal(err)
	}

	before, err := next.Survey(t.Context(), store)
	if err != nil || before.Secrets[0].All() != 0 || before.Secrets[1].Questions != 3 || before.Secrets[1].Records["connection"] != 3 || before.Foreign[foreign.ID()] != 1 || before.Plain != 1 {
		t.Fatalf("before: %+v, %v", before, err)
	}
	store.first = func() { // somebody who has not restarted yet
		if _, err := records.Save(t.Context(), parley.Record{Address: parley.Address{Tenant: "acme", Kind: "connection", Key: "0"}, Owner: "alice", Data: []byte("of acme, changed"), Version: saved["acme"]}); err != nil {
			t.Error(err)
		}
	}
	for range 2 { // again changes nothing
		after, err := next.Reseal(t.Context(), store)
		if err != nil || after.Secrets[0].Questions != 3 || after.Secrets[0].Records["connection"] != 3 || after.Secrets[1].All() != 0 || after.Foreign[foreign.ID()] != 1 || after.Plain != 1 || after.Damaged != 0 {
			t.Fatalf("after: %+v, %v", after, err)
		}
	}

	later := parley.New(store, &parley.Options{Sealer: only})
	if got, err := later.Get(t.Context(), alice, pending.ID); err != nil || got.Message != "still open?" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := later.Get(t.Context(), alice, settled.ID); err != nil || string(got.Outcome.Content) != `{"name":"Ada"}` {
		t.Errorf("%+v, %v", got, err)
	}
	if err := later.Answer(t.Context(), alice, pending.ID, parley.Answer{Action: parley.Accept}); err != nil {
		t.Error(err)
	}
	for n, tenant := range []string{"acme", "default", "-runs"} {
		got, err := seal.Records(store, only, nil).Load(t.Context(), parley.Address{Tenant: tenant, Kind: "connection", Key: fmt.Sprint(n)})
		want := map[string]string{"acme": "of acme, changed"}[tenant]
		if want == "" {
			want = "of " + tenant
		}
		if err != nil || string(got.Data) != want || tenant != "acme" && got.Version != saved[tenant] {
			t.Errorf("%s: %q at %d, %v", tenant, got.Data, got.Version, err)
		}
	}
}

// What was moved in the database is not made whole by sealing it anew.
func TestWhatDoesNotOpenIsCountedAndLeftAlone(t *testing.T) {
	old, next := ring(t, "old"), ring(t, "new", "old")
	store := parley.NewMemoryStore()
	at := parley.Address{Tenant: "acme", Kind: "connection", Key: "alice"}
	if _, err := seal.Records(store, old, nil).Save(t.Context(), parley.Record{Address: at, Data: []byte("hers")}); err != nil {
		t.Fatal(err)
	}
	stolen, err := store.Load(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	stolen.Key, stolen.Version = "mallory", 0
	if _, err := store.Save(t.Context(), stolen); err != nil {
		t.Fatal(err)
	}
	after, err := next.Reseal(t.Context(), store)
	if err != nil || after.Damaged != 1 || after.Secrets[0].All() != 1 {
		t.Errorf("%+v, %v", after, err)
	}
	if _, err := seal.Records(store, next, nil).Load(t.Context(), stolen.Address); err == nil {
		t.Error("what was moved opens")
	}
}
