package sqlitestore_test

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/parley-hq/parley"
)

// Only what says so does not wait for the disk, and the next write that waits and
// changes something takes it along.
func TestAWriteWaitsForTheDiskUnlessItIsFlushedLater(t *testing.T) {
	s := open(t, fresh(t), nil)
	s.FlushNever()
	now, later := t.Context(), parley.FlushLater(t.Context())
	first, second := question("ann"), question("ann")
	at := parley.Address{Tenant: "acme", Kind: "call", Key: "k"}
	for _, step := range []struct {
		what        string
		do          func() error
		waits, owes bool
	}{
		{"put", func() error { return s.Put(now, first, 0) }, true, false},
		{"put later", func() error { return s.Put(later, second, 0) }, false, true},
		{"put again", func() error { return exists(s.Put(now, second, 0)) }, true, true}, // nothing is written
		{"settle", func() error { return s.Settle(now, second.ID, yes("ann")) }, true, false},
		{"save later", func() error { _, err := s.Save(later, parley.Record{Address: at}); return err }, false, true},
		{"save again later", func() error { _, err := s.Save(later, parley.Record{Address: at}); return exists(err) }, false, true},
		{"delete", func() error { return s.Delete(now, at, 0) }, true, false},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		waits, owes, err := s.Flushes(now)
		if err != nil || waits != step.waits || owes != step.owes {
			t.Errorf("%s: waits for the disk: %t, owes it something: %t, not %t and %t (%v)", step.what, waits, owes, step.waits, step.owes, err)
		}
	}
}

func exists(err error) error {
	if errors.Is(err, parley.ErrExists) {
		return nil
	}
	return errors.Join(errors.New("not ErrExists"), err)
}

// Where nothing else is written, the disk gets it all the same: by a commit that
// changes the counter, which putting a question does not.
func TestWhatIsFlushedLaterIsFlushedSoon(t *testing.T) {
	path := fresh(t)
	s := open(t, path, nil)
	db := raw(t, path)
	for range 3 {
		before := counter(t, db)
		if err := s.Put(parley.FlushLater(t.Context()), question("ann"), 0); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(30 * time.Second); counter(t, db) == before; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("no commit came after it that waits for the disk and writes something")
			}
		}
	}
}

func counter(t *testing.T, db *sql.DB) (last int64) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), "SELECT last FROM counter").Scan(&last); err != nil {
		t.Fatal(err)
	}
	return last
}
