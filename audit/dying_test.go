package audit_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/audit"
	"github.com/parley-hq/parley/seal"
)

var errDead = errors.New("this process is dead")

// dying is a store of a process that dies after so many writes: nothing that it does
// from then on is done.
type dying struct {
	audit.Store
	die func()

	mu   sync.Mutex
	left int
}

func (d *dying) write(op func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left == 0 {
		d.die()
		return errDead
	}
	d.left--
	return op()
}

func (d *dying) Put(ctx context.Context, r parley.Request, most int) error {
	return d.write(func() error { return d.Store.Put(ctx, r, most) })
}

func (d *dying) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	return d.write(func() error { return d.Store.Settle(ctx, id, o) })
}

func (d *dying) Save(ctx context.Context, r parley.Record) (version int64, err error) {
	err = d.write(func() error {
		version, err = d.Store.Save(ctx, r)
		return err
	})
	return version, err
}

func (d *dying) Delete(ctx context.Context, at parley.Address, version int64) error {
	return d.write(func() error { return d.Store.Delete(ctx, at, version) })
}

// story decides a few things, and returns after how many steps it died.
func story(ctx context.Context, s *site, q parley.Request) (told []string) {
	step := func(what string, err error) bool {
		if err == nil {
			told = append(told, what)
		}
		return err == nil
	}
	if !step("answer", s.hub.Answer(ctx, alice, q.ID, yes)) || !step("flush", s.log.Flush(ctx)) {
		return told
	}
	if !step("sign_in", s.log.Record(ctx, parley.Deed{What: "sign_in", By: "alice"})) {
		return told
	}
	end, err := s.log.Begin(ctx, parley.Deed{What: "change", By: "admin", Target: "/api/rules"})
	if !step("begin", err) || !step("end", end(ctx, "/api/rules/one", true)) {
		return told
	}
	if end, err = s.log.Begin(ctx, parley.Deed{What: "nothing", By: "admin"}); err != nil || !step("refused", end(ctx, "", false)) {
		return told
	}
	if step("flush", s.log.Flush(ctx)) && step("again", s.log.Record(ctx, parley.Deed{What: "sign_out", By: "alice"})) {
		step("all", s.log.Flush(ctx))
	}
	return told
}

// A process dies after each of its writes, and another one comes.
func TestNoDecisionIsWithoutItsEntryAndNoneHasTwoWhicheverWriteIsTheLast(t *testing.T) {
	for writes := 0; ; writes++ {
		store := parley.NewMemoryStore()
		next := open(t, store, options())
		q, err := next.ask(t.Context(), "call-1")
		if err != nil {
			t.Fatal(err)
		}
		ctx, die := context.WithCancel(t.Context())
		told := story(ctx, open(t, &dying{Store: store, die: die, left: writes}, options()), q)
		die()
		seen := count(lookOnce(t, next))
		settled, err := store.Get(t.Context(), q.ID)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int{"question": 1, "sign_in": 1, "change": 1, "sign_out": 1}
		if settled.Pending() {
			want["question"] = 0
		}
		for what, n := range seen {
			if n > 1 || want[what] == 0 && what != "nothing" {
				t.Errorf("after %d writes (%v): %d entries about %s", writes, told, n, what)
			}
		}
		for step, what := range map[string]string{"sign_in": "sign_in", "begin": "change", "again": "sign_out"} {
			if slices.Contains(told, step) && seen[what] != 1 {
				t.Errorf("after %d writes (%v): no entry about %s", writes, told, what)
			}
		}
		if seen["question"] != want["question"] {
			t.Errorf("after %d writes (%v): %d entries about the question, not %d", writes, told, seen["question"], want["question"])
		}
		if slices.Contains(told, "refused") && seen["nothing"] != 0 {
			t.Errorf("after %d writes: an entry about what was not done", writes)
		}
		if slices.Contains(told, "all") {
			if writes < 15 {
				t.Errorf("all was told after %d writes", writes)
			}
			return
		}
	}
}

// lookOnce reads the chain after whatever is due was looked for.
func lookOnce(t *testing.T, s *site) []audit.Entry {
	t.Helper()
	if err := s.log.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s.entries()
}

func count(all []audit.Entry) map[string]int {
	n := map[string]int{}
	for _, e := range all {
		n[e.What]++
	}
	return n
}

func TestAnOperationOfWhichNobodyKnowsHowItEndedSaysSo(t *testing.T) {
	store := parley.NewMemoryStore()
	s := open(t, store, options())
	if _, err := s.log.Begin(t.Context(), parley.Deed{What: "change", By: "admin"}); err != nil {
		t.Fatal(err)
	}
	all := lookOnce(t, open(t, store, options()))
	if len(all) != 1 || all[0].Outcome != "unknown" {
		t.Errorf("%+v", all)
	}
	patient := options()
	patient.Unknown = 0 // the default
	waits := open(t, parley.NewMemoryStore(), patient)
	if _, err := waits.log.Begin(t.Context(), parley.Deed{What: "change", By: "admin"}); err != nil {
		t.Fatal(err)
	}
	if all := lookOnce(t, waits); len(all) != 0 {
		t.Errorf("it may still be under way: %+v", all)
	}
}

// full takes no dues, and everything else.
type full struct{ audit.Store }

func (f full) Save(ctx context.Context, r parley.Record) (int64, error) {
	if r.Kind == "audit_due" {
		return 0, parley.ErrConflict
	}
	return f.Store.Save(ctx, r)
}

func TestAQuestionIsNotSettledWhileItsEntryCannotBeKept(t *testing.T) {
	store := parley.NewMemoryStore()
	s := open(t, full{store}, options())
	q, err := s.ask(t.Context(), "call-1")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.hub.Answer(t.Context(), alice, q.ID, yes); !errors.Is(err, parley.ErrConflict) {
		t.Errorf("%v", err)
	}
	if r, err := store.Get(t.Context(), q.ID); err != nil || !r.Pending() {
		t.Errorf("it was settled all the same: %+v %v", r.Outcome, err)
	}
	if err := s.log.Record(t.Context(), parley.Deed{What: "sign_in"}); err == nil {
		t.Error("a deed that is not kept is no error")
	}
}

func TestEveryOutcomeHasItsEntry(t *testing.T) {
	s := open(t, parley.NewMemoryStore(), options())
	want := map[string]bool{}
	for i, end := range []func(id parley.ID) error{
		func(id parley.ID) error { return s.hub.Answer(t.Context(), alice, id, yes) },
		func(id parley.ID) error {
			return s.hub.Answer(t.Context(), alice, id, parley.Answer{Action: parley.Decline, Via: "chat"})
		},
		func(id parley.ID) error {
			return s.hub.Answer(t.Context(), alice, id, parley.Answer{Action: parley.Cancel, Via: "mcp"})
		},
		func(id parley.ID) error { return s.hub.Cancel(t.Context(), id, "done otherwise") },
		func(id parley.ID) error { return s.hub.Resolve(t.Context(), id, parley.Accept, "found out") },
	} {
		q, err := s.ask(t.Context(), fmt.Sprint("call", i))
		if err == nil {
			err = end(q.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
		want[string(q.ID)] = true
	}
	for _, e := range lookOnce(t, s) {
		delete(want, e.Question)
		if !strings.HasPrefix(e.Shown, "sha256:") {
			t.Errorf("without what was shown: %+v", e)
		}
	}
	if len(want) > 0 {
		t.Errorf("no entries about %v", want)
	}
}

// What a program with another secret left behind keeps no decision of a dead process out
// of the chain.
func TestANoteThatDoesNotOpenKeepsNoOtherOutOfTheChain(t *testing.T) {
	store := parley.NewMemoryStore()
	foreign, err := seal.New([]byte("another secret of 32 bytes, 32!!"))
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := audit.New(store, foreign, options())
	if err != nil {
		t.Fatal(err)
	}
	dead := open(t, store, options())
	for range 3 {
		if err := elsewhere.Record(t.Context(), parley.Deed{What: "foreign"}); err != nil {
			t.Fatal(err)
		}
		if err := dead.log.Record(t.Context(), parley.Deed{What: "sign_in", By: "alice"}); err != nil {
			t.Fatal(err)
		}
	}
	if seen := count(lookOnce(t, open(t, store, options()))); seen["sign_in"] != 3 || len(seen) != 1 {
		t.Errorf("the chain has %v", seen)
	}
}
