package sqlitestore_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/sqlitestore"
)

// writeUntilKilled prints each write when it is acknowledged.
func writeUntilKilled(ctx context.Context, s *sqlitestore.Store) error {
	var writers sync.WaitGroup
	for i := range 4 {
		ctx := ctx
		if i%2 == 1 {
			ctx = parley.FlushLater(ctx) // a power cut may take it, a kill does not
		}
		writers.Go(func() {
			for {
				r := question(fmt.Sprint("user", i))
				if s.Put(ctx, r, 0) == nil {
					fmt.Println("put", r.ID)
				}
				if s.Settle(ctx, r.ID, yes("ann")) == nil {
					fmt.Println("settled", r.ID)
				}
				address := parley.Address{Tenant: "acme", Kind: "call", Key: string(r.ID)}
				if _, err := s.Save(ctx, parley.Record{Address: address, Data: []byte("x")}); err == nil {
					fmt.Println("saved", r.ID)
				}
			}
		})
	}
	writers.Wait()
	return nil
}

func TestEveryAcknowledgedWriteSurvivesAKill(t *testing.T) {
	path := fresh(t)
	var acknowledged []string
	for round := range 4 {
		if round == 2 {
			open(t, path, nil) // from here on somebody else has the file open too
		}
		other := start(t, "write", path)
		for range 150 {
			acknowledged = append(acknowledged, other.line(t))
		}
		if err := other.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for other.out.Scan() {
			acknowledged = append(acknowledged, other.out.Text())
		}
		other.Wait()
		check(t, path, acknowledged)
	}
}

func check(t *testing.T, path string, acknowledged []string) {
	t.Helper()
	s := open(t, path, nil)
	for _, line := range acknowledged {
		what, id, _ := strings.Cut(line, " ")
		if !parley.ID(id).Valid() {
			continue // the last line, cut off by the kill
		}
		r, err := s.Get(t.Context(), parley.ID(id))
		if what == "saved" {
			_, err = s.Load(t.Context(), parley.Address{Tenant: "acme", Kind: "call", Key: id})
		}
		if err != nil || what == "settled" && r.Pending() {
			t.Errorf("%q was acknowledged; now pending: %t, error: %v", line, r.Pending(), err)
		}
	}
	var verdict string
	if err := raw(t, path).QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("integrity check: %q, %v", verdict, err)
	}
}

// settleAll settles every request whose id is on its input and prints which it
// won.
func settleAll(ctx context.Context, s *sqlitestore.Store) error {
	fmt.Println("ready")
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		id := parley.ID(input.Text())
		switch err := s.Settle(ctx, id, yes(fmt.Sprint("process", os.Getpid()))); {
		case err == nil:
			fmt.Println(id)
		case !errors.Is(err, parley.ErrSettled):
			return err
		}
	}
	return input.Err()
}

func TestOfTwoProcessesExactlyOneSettles(t *testing.T) {
	path := fresh(t)
	s := open(t, path, nil)
	var ids []parley.ID
	for range 500 {
		ids = append(ids, put(t, s, question("ann")))
	}
	others := []*process{start(t, "settle", path), start(t, "settle", path)}
	for _, other := range others {
		other.line(t)
	}
	var feeding sync.WaitGroup
	for _, other := range others {
		feeding.Go(func() {
			// In an order of its own: else one runs ahead and the other
			// comes late everywhere.
			for _, i := range rand.Perm(len(ids)) {
				fmt.Fprintln(other.in, ids[i])
			}
			other.in.Close()
		})
	}
	defer feeding.Wait()
	winner := make(map[string]string)
	for _, other := range others {
		won := other.finish(t)
		t.Logf("process %d won %d", other.Process.Pid, len(won))
		for _, id := range won {
			if first, ok := winner[id]; ok {
				t.Errorf("%s was settled by %s and again", id, first)
			}
			winner[id] = fmt.Sprint("process", other.Process.Pid)
		}
	}
	if len(winner) != 500 {
		t.Errorf("%d of 500 were settled", len(winner))
	}
	for id, by := range winner {
		r, err := s.Get(t.Context(), parley.ID(id))
		if err != nil || r.Outcome == nil || r.Outcome.By != by {
			t.Errorf("%s: outcome %v, %v; want it by %s", id, r.Outcome, err, by)
		}
	}
}

// attendUntilKilled attends as the node "other".
func attendUntilKilled(ctx context.Context, s *sqlitestore.Store) error {
	return s.Attend(ctx, "other", func() { fmt.Println("there") })
}

func TestAProcessThatIsKilledIsAbsentAtOnce(t *testing.T) {
	path := fresh(t)
	s := open(t, path, nil)
	other := start(t, "attend", path)
	other.line(t)
	if absent, err := s.Absent(t.Context(), "other"); absent || err != nil {
		t.Fatalf("a process that attends: absent %v, %v", absent, err)
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait() // killed: its error is expected
	if absent, err := s.Absent(t.Context(), "other"); !absent || err != nil {
		t.Errorf("a process that was killed: absent %v, %v", absent, err)
	}
}

func TestWhoAttendsNoticesThatTheFileWasRemoved(t *testing.T) {
	path := fresh(t)
	s := open(t, path, nil)
	there, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- s.Attend(t.Context(), "one", func() { close(there) }) }()
	<-there
	if err := os.Remove(path + "-nodes"); err != nil {
		t.Fatal(err)
	}
	if absent, err := s.Absent(t.Context(), "one"); absent || err != nil {
		t.Errorf("nobody can know: absent %v, %v", absent, err)
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "removed") {
		t.Errorf("it ended with %v", err)
	}
}
