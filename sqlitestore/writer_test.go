package sqlitestore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/sqlitestore"
)

// lock takes the write lock as another program would, and returns what gives
// it back.
func lock(t *testing.T, path string) (unlock func()) {
	t.Helper()
	conn, err := raw(t, path).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	run(t, conn, "BEGIN IMMEDIATE")
	return func() {
		run(t, conn, "COMMIT")
		conn.Close()
	}
}

func run(t *testing.T, conn *sql.Conn, text string) {
	t.Helper()
	if _, err := conn.ExecContext(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}

func TestALockedFileDelaysWritersButNotReaders(t *testing.T) {
	path := fresh(t)
	s := open(t, path, nil)
	before, r := put(t, s, question("ann")), question("ann")
	unlock := lock(t, path)
	wrote := make(chan error)
	go func() { wrote <- s.Put(t.Context(), r, 0) }()
	if _, err := s.Get(t.Context(), before); err != nil {
		t.Error(err)
	}
	if _, err := s.Get(t.Context(), r.ID); !errors.Is(err, parley.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
	unlock()
	if err := <-wrote; err != nil {
		t.Error(err)
	}
	if _, err := s.Get(t.Context(), r.ID); err != nil {
		t.Error(err)
	}
}

func TestAWriteThatWaitsForTheLockHonoursItsContext(t *testing.T) {
	path := fresh(t)
	s := open(t, path, nil)
	unlock := lock(t, path)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := s.Put(ctx, question("ann"), 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want DeadlineExceeded", err)
	}
	unlock()
	put(t, s, question("ann"))
}

func TestPatienceEnds(t *testing.T) {
	path := fresh(t)
	s := open(t, path, &sqlitestore.Options{Patience: 20 * time.Millisecond})
	unlock := lock(t, path)
	err := s.Put(t.Context(), question("ann"), 0)
	if err == nil || !strings.Contains(err.Error(), "another program has kept the file locked") {
		t.Errorf("got %v", err)
	}
	unlock()
	put(t, s, question("ann"))
}

func TestAWriteThatFailsDoesNotSpoilThoseItSharesACommitWith(t *testing.T) {
	path := fresh(t)
	s := open(t, path, nil)
	_, err := raw(t, path).Exec(`CREATE TRIGGER nobody BEFORE INSERT ON requests WHEN NEW.recipient = 'nobody'
		BEGIN SELECT RAISE(ROLLBACK, 'nobody is not asked'); END`)
	if err != nil {
		t.Fatal(err)
	}
	unlock := lock(t, path) // so that they gather
	var writes sync.WaitGroup
	for i := range 200 {
		writes.Go(func() {
			to := fmt.Sprint("user", i)
			if i%50 == 25 {
				to = "nobody"
			}
			err := s.Put(t.Context(), question(to), 0)
			if refused := err != nil && strings.Contains(err.Error(), "nobody is not asked"); refused != (to == "nobody") {
				t.Errorf("put for %s: %v", to, err)
			}
		})
	}
	unlock()
	writes.Wait()
	found, err := s.List(t.Context(), parley.Query{Limit: 1000})
	if err != nil || len(found) != 196 {
		t.Errorf("found %d, %v; want 196", len(found), err)
	}
}

func TestSweepGoesOnUntilNothingIsLeftToForget(t *testing.T) {
	s := open(t, fresh(t), &sqlitestore.Options{Retention: time.Hour})
	now := time.Now()
	var kept parley.ID
	var writes sync.WaitGroup
	for i := range 450 { // more than two batches
		r := question("ann")
		o := yes("ann")
		o.At = now.Add(-2 * time.Hour)
		if i == 100 {
			kept, o.At = r.ID, now.Add(-time.Minute)
		}
		writes.Go(func() {
			if err := errors.Join(s.Put(t.Context(), r, 0), s.Settle(t.Context(), r.ID, o)); err != nil {
				t.Error(err)
			}
			gone := parley.Record{Address: parley.Address{Tenant: "acme", Kind: "call", Key: string(r.ID)}, Expires: o.At}
			if _, err := s.Save(t.Context(), gone); err != nil {
				t.Error(err)
			}
		})
	}
	writes.Wait()
	if err := s.Sweep(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	found, err := s.List(t.Context(), parley.Query{Limit: 1000})
	if err != nil || len(found) != 1 || found[0].ID != kept {
		t.Errorf("found %d, %v; want the one settled a minute ago", len(found), err)
	}
}

func TestTheWALStaysShortThoughSomebodyAlwaysReads(t *testing.T) {
	path := fresh(t)
	s := open(t, path, nil)
	large := question("ann")
	large.Message = strings.Repeat("Are you sure? ", 1<<14) // 224 KiB
	put(t, s, large)
	ctx, cancel := context.WithCancel(t.Context())
	var reading sync.WaitGroup
	for range 4 {
		reading.Go(func() {
			for ctx.Err() == nil {
				if _, err := s.List(ctx, parley.Query{Limit: 3}); err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			}
		})
	}
	var longest int64
	for range 3 * sqlitestore.WALLimit / len(large.Message) {
		large.ID = parley.NewID()
		put(t, s, large)
		info, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, info.Size())
	}
	cancel()
	reading.Wait()
	t.Logf("the WAL grew to %d KiB", longest>>10)
	if longest > 5*sqlitestore.WALLimit/2 {
		t.Errorf("the WAL grew to %d bytes", longest)
	}
}
