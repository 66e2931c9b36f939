package sqlitestore_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/sqlitestore"
)

// watch returns the hints of a Watch that has subscribed; it ends with the
// test.
func watch(t *testing.T, s *sqlitestore.Store) <-chan parley.ID {
	t.Helper()
	hints := make(chan parley.ID, 10_000)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Watch(ctx, func(id parley.ID) { hints <- id }) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("watch ended with %v, want context.Canceled", err)
		}
	})
	if first := <-hints; first != "" {
		t.Fatalf("first hint %q, want the empty id", first)
	}
	return hints
}

// reportHints prints each hint and when it came, until its input ends.
func reportHints(ctx context.Context, s *sqlitestore.Store) error {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	err := s.Watch(ctx, func(id parley.ID) { fmt.Println(id, time.Now().UnixNano()) })
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func TestAHintReachesAnotherProcess(t *testing.T) {
	path := fresh(t)
	s := open(t, path, nil)
	other := start(t, "watch", path)
	other.line(t) // it has subscribed
	times := make(map[string][]time.Duration)
	for range 200 {
		r, began := question("ann"), time.Now()
		put(t, s, r)
		stored := time.Now()
		if _, err := s.Get(t.Context(), r.ID); err != nil {
			t.Fatal(err)
		}
		read := time.Now()
		if err := s.Settle(t.Context(), r.ID, yes("ann")); err != nil {
			t.Fatal(err)
		}
		settled := time.Now()
		got, when, _ := strings.Cut(other.line(t), " ")
		if parley.ID(got) != r.ID {
			t.Fatalf("hint %q, want %q", got, r.ID)
		}
		nanos, err := strconv.ParseInt(when, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		heard := time.Unix(0, nanos)
		times["Put"] = append(times["Put"], stored.Sub(began))
		times["Get"] = append(times["Get"], read.Sub(stored))
		times["Settle"] = append(times["Settle"], settled.Sub(read))
		times["hint, from the call of Settle"] = append(times["hint, from the call of Settle"], heard.Sub(read))
		times["hint, from its return"] = append(times["hint, from its return"], heard.Sub(settled))
	}
	other.in.Close()
	other.finish(t)
	for what, all := range times {
		slices.Sort(all)
		t.Logf("%s: median %v, 99 of 100 below %v", what, all[100], all[197])
	}
}

func TestEveryWatchHearsOfEverySettlement(t *testing.T) {
	path := fresh(t)
	one, two := open(t, path, nil), open(t, path, nil)
	hints := []<-chan parley.ID{watch(t, one), watch(t, one), watch(t, two)}
	want := make(map[parley.ID]bool)
	for range 600 { // more than one batch
		want[put(t, one, question("ann"))] = true
	}
	for id := range want {
		go one.Settle(t.Context(), id, yes("ann"))
	}
	for _, heard := range hints {
		got := make(map[parley.ID]bool)
		for len(got) < len(want) {
			id := <-heard
			if !want[id] {
				t.Fatalf("hint of %q", id)
			}
			got[id] = true
		}
	}
}

func TestAHintComesWithoutTheBell(t *testing.T) {
	path := fresh(t)
	s := open(t, path, nil)
	id := put(t, s, question("ann"))
	hints := watch(t, s)
	// As a process does that dies right after its commit.
	_, err := raw(t, path).Exec("UPDATE requests SET action = 'accept', settled_at = 0, settled_seq = (SELECT last + 1 FROM counter)")
	if err != nil {
		t.Fatal(err)
	}
	if got := <-hints; got != id {
		t.Fatalf("hint %q, want %q", got, id)
	}
}

func TestAWatchWithoutABellEndsAndTheNextOneHangsANewOne(t *testing.T) {
	path := fresh(t)
	s := open(t, path, nil)
	subscribed, ended := make(chan parley.ID), make(chan error)
	go func() { ended <- s.Watch(t.Context(), func(id parley.ID) { subscribed <- id }) }()
	<-subscribed
	if err := os.Remove(path + "-bell"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "watch again") {
		t.Fatalf("ended with %v", err)
	}
	other := open(t, path, nil)
	hints := watch(t, s)
	id := put(t, other, question("ann"))
	if err := other.Settle(t.Context(), id, yes("ann")); err != nil {
		t.Fatal(err)
	}
	if got := <-hints; got != id {
		t.Fatalf("hint %q, want %q", got, id)
	}
}

func TestCloseEndsAWatch(t *testing.T) {
	s := open(t, fresh(t), nil)
	subscribed, ended := make(chan parley.ID), make(chan error)
	go func() { ended <- s.Watch(t.Context(), func(id parley.ID) { subscribed <- id }) }()
	<-subscribed
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, sqlitestore.ErrClosed) {
		t.Fatalf("ended with %v, want ErrClosed", err)
	}
}
