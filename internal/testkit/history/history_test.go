package history_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/testkit/history"
)

const (
	patience = time.Minute
	crowd    = 4
)

// processes use one store at once, each with a history of its own.
func processes(t *testing.T, shared backend.Store, do func(s backend.Store, process int)) history.Result {
	t.Helper()
	var files []string
	var all sync.WaitGroup
	for i := range crowd {
		name := filepath.Join(t.TempDir(), fmt.Sprint("process-", i))
		file, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		files = append(files, name)
		store := history.Record(shared, file, func() int64 { return time.Now().UnixNano() })
		all.Go(func() { do(store, i) })
	}
	all.Wait()
	ops, err := history.Read(files...)
	if err != nil {
		t.Fatal(err)
	}
	return history.Check(ops, patience)
}

func asked(id parley.ID) parley.Request {
	return parley.Request{ID: id, Tenant: "default", To: "alice", Mode: parley.Form, Message: "?", Created: time.Now(), Expires: time.Now().Add(time.Hour)}
}

// race settles questions and changes records, everybody all of them: nobody writes
// before all have read.
func race(ids []parley.ID) func(backend.Store, int) {
	read := make([]sync.WaitGroup, len(ids))
	for n := range read {
		read[n].Add(crowd)
	}
	return func(s backend.Store, process int) {
		ctx := context.Background()
		at := parley.Address{Tenant: "default", Kind: "count", Key: "one"}
		for n, id := range ids {
			_ = s.Put(ctx, asked(id), 0)
			_ = s.Settle(ctx, id, parley.Outcome{Action: parley.Decline, At: time.Now(), Claim: fmt.Sprint(process, n)})
			_, _ = s.Get(ctx, id)
			r, err := s.Load(ctx, at)
			if errors.Is(err, parley.ErrNotFound) {
				r = parley.Record{Address: at}
			}
			r.Data = []byte("{}")
			read[n].Done()
			read[n].Wait()
			if version, err := s.Save(ctx, r); err == nil && n%7 == 0 {
				_ = s.Delete(ctx, at, version)
			}
		}
	}
}

func ids(n int) (all []parley.ID) {
	for range n {
		all = append(all, parley.NewID())
	}
	return all
}

func TestAStoreThatKeepsItsPromisesIsExplained(t *testing.T) {
	got := processes(t, parley.NewMemoryStore(), race(ids(50)))
	if len(got.Violations) > 0 || got.Unsure > 0 || got.Keys != 51 || got.Operations < crowd*50*4 {
		t.Errorf("got %+v", got)
	}
}

// careless settles without comparing.
type careless struct{ backend.Store }

func (s careless) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	if err := s.Store.Settle(ctx, id, o); !errors.Is(err, parley.ErrSettled) {
		return err
	}
	return nil
}

// forgetful saves whatever the version.
type forgetful struct{ backend.Store }

func (s forgetful) Save(ctx context.Context, r parley.Record) (int64, error) {
	return parley.Put(ctx, s.Store, r)
}

func TestWhatAStoreMustNotDoIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		store backend.Store
		about string
	}{
		"two settle one question": {careless{parley.NewMemoryStore()}, "question "},
		"two replace one version": {forgetful{parley.NewMemoryStore()}, "record default/count/one"},
	} {
		got := processes(t, c.store, race(ids(50)))
		if len(got.Violations) == 0 || !strings.Contains(got.Violations[0].String(), c.about) {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// lost fails after it has done what it was asked for, every other time.
type lost struct {
	backend.Store
	mu sync.Mutex
	n  int
}

var errLost = errors.New("the reply was lost")

func (s *lost) odd() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	return s.n%2 == 1
}

func (s *lost) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	if err := s.Store.Settle(ctx, id, o); err != nil || s.odd() {
		return errors.Join(err)
	}
	return errLost
}

func (s *lost) Save(ctx context.Context, r parley.Record) (int64, error) {
	version, err := s.Store.Save(ctx, r)
	if err == nil && s.odd() {
		return 0, errLost
	}
	return version, err
}

func TestAWriteWhoseReplyWasLostMayHaveHappened(t *testing.T) {
	got := processes(t, &lost{Store: parley.NewMemoryStore()}, race(ids(10)))
	if len(got.Violations) > 0 || got.Unsure > 0 {
		t.Errorf("got %+v", got)
	}
}

// A process that is killed has begun what it was told nothing of; half a line is
// nobody's.
func TestOfAProcessThatIsKilledWhatItHadBegunIsKnown(t *testing.T) {
	var said bytes.Buffer
	store := history.Record(parley.NewMemoryStore(), &said, func() int64 { return 7 })
	if err := store.Put(t.Context(), asked("q"), 0); err != nil {
		t.Fatal(err)
	}
	begun, _, _ := strings.Cut(said.String(), "\n")
	name := filepath.Join(t.TempDir(), "killed")
	if err := os.WriteFile(name, []byte(begun+"\n"+`{"N":2,"At`), 0o600); err != nil {
		t.Fatal(err)
	}
	ops, err := history.Read(name)
	if err != nil || len(ops) != 1 || ops[0].End != history.Unknown || ops[0].Return != history.Never || ops[0].Call != 7 || ops[0].Process != "killed" {
		t.Errorf("got %+v, %v", ops, err)
	}
}

func TestALeaseThatTwoHoldIsFound(t *testing.T) {
	now := time.Now()
	lease := func(process, node string, version, got int64, until time.Duration) history.Op {
		return history.Op{
			Process: process, Do: "save", At: parley.Address{Tenant: "-runs", Kind: "run_lease", Key: "r"}, Version: version, Got: got, End: history.Ok,
			Call: now.UnixNano() + got, Return: now.UnixNano() + got + 1,
			Data: fmt.Appendf(nil, `{"node":%q,"until":%q}`, node, now.Add(until).Format(time.RFC3339Nano)),
		}
	}
	by := func(ahead time.Duration, missed bool) history.Leases {
		return history.Leases{
			Ahead:  func(process string) time.Duration { return map[string]time.Duration{"b": ahead}[process] },
			Missed: func(process string, _ int64) bool { return process == "a" && missed },
		}
	}
	ops := []history.Op{lease("a", "A", 0, 1, 10*time.Second), lease("b", "B", 1, 2, 10*time.Second)}
	if taken, found := history.CheckLeases(ops, by(0, false)); taken != 1 || len(found) != 1 || !strings.Contains(found[0].String(), "b took it") {
		t.Errorf("got %d, %v", taken, found)
	}
	for name, how := range map[string]history.Leases{"it was missed": by(0, true), "it was over by the taker's clock": by(11*time.Second, false)} {
		if _, found := history.CheckLeases(ops, how); len(found) > 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
	own := []history.Op{ops[0], lease("a", "A", 1, 2, 20*time.Second)}
	if taken, found := history.CheckLeases(own, by(0, false)); taken != 0 || len(found) > 0 {
		t.Errorf("renewed: %d, %v", taken, found)
	}
}
