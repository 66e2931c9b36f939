package sqlitestore_test

import (
	"errors"
	"os"
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

// Where nothing else is written, the disk gets it all the same.
func TestWhatIsFlushedLaterIsFlushedSoon(t *testing.T) {
	path := fresh(t)
	s := open(t, path, nil)
	put(t, s, question("ann"))
	for range 3 {
		before := size(t, path+"-wal")
		if err := s.Put(parley.FlushLater(t.Context()), question("ann"), 0); err != nil {
			t.Fatal(err)
		}
		wrote := size(t, path+"-wal")
		if wrote == before {
			t.Fatal("nothing was written: a kill would take it")
		}
		for end := time.Now().Add(10 * time.Second); size(t, path+"-wal") == wrote; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("no commit came after it that waits for the disk and writes something")
			}
		}
	}
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
