package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/parley-hq/parley"
)

// rounds of each race: a check-then-write bug shows in one round of a few, so
// many rounds make it show always.
const rounds = 100

func runStore(t *testing.T, open Opener) {
	runAll(t, open, []subtest{
		{"what is put comes back whole", putAndGet},
		{"odd strings come back whole", oddStrings},
		{"large values come back whole", largeValues},
		{"a taken id is refused and nothing changes", takenID},
		{"of many that put one id exactly one succeeds", putRace},
		{"an unknown id is not found", unknownID},
		{"a settled request keeps its first outcome", settleOnce},
		{"of many that settle exactly one succeeds", settleRace},
		{"an owner has only so many pending", pendingLimit},
		{"the limit holds under concurrency", pendingLimitRace},
		{"values are copies", copies},
		{"an ended context is an error", endedContext},
	})
}

func putAndGet(t *testing.T, a, b Backend) {
	form := question("alice")
	url := question("alice")
	url.Mode, url.URL, url.Schema, url.Session, url.Labels = parley.URL, "https://example.com/connect?x=1", nil, "", nil
	for _, want := range []parley.Request{form, url} {
		put(t, a, want)
		same(t, get(t, a, want.ID), want)
		same(t, get(t, b, want.ID), want)
	}
}

func oddStrings(t *testing.T, a, b Backend) {
	for _, odd := range []string{"a:b", "{a}b", "a b\tc\n", "' OR 1=1 --", "日本語 🙂", "%_\\", "\x01sealed", strings.Repeat("x", 300)} {
		want := question(odd)
		want.Tenant, want.From, want.Message, want.Session, want.Trigger = odd, odd, odd, odd, odd
		want.Labels = map[string]string{odd: odd}
		put(t, a, want)
		same(t, get(t, b, want.ID), want)
		list, err := b.List(t.Context(), parley.Query{Tenant: odd, To: odd, Session: odd, Pending: true})
		if err != nil || len(list) != 1 {
			t.Fatalf("List for %q = %d requests, %v; want 1", odd, len(list), err)
		}
		o := accepted(odd)
		o.By, o.Via, o.Reason = odd, odd, odd
		if err := a.Settle(t.Context(), want.ID, o); err != nil {
			t.Fatal(err)
		}
		want.Outcome = &o
		same(t, get(t, b, want.ID), want)
	}
}

func largeValues(t *testing.T, a, b Backend) {
	want := question("alice")
	want.Message = strings.Repeat("m", 64<<10)
	want.Schema = []byte(`"` + strings.Repeat("s", 256<<10) + `"`)
	put(t, a, want)
	o := accepted("x")
	o.Content = []byte(`"` + strings.Repeat("c", 1<<20) + `"`)
	if err := a.Settle(t.Context(), want.ID, o); err != nil {
		t.Fatal(err)
	}
	want.Outcome = &o
	same(t, get(t, b, want.ID), want)
}

func takenID(t *testing.T, a, b Backend) {
	first := question("alice")
	put(t, a, first)
	second := question("bob")
	second.ID = first.ID
	wantError(t, b.Put(t.Context(), second, 0), parley.ErrExists)
	same(t, get(t, a, first.ID), first)
	if err := a.Settle(t.Context(), first.ID, accepted("x")); err != nil {
		t.Fatal(err)
	}
	wantError(t, b.Put(t.Context(), second, 0), parley.ErrExists)
}

func putRace(t *testing.T, a, b Backend) {
	for range rounds {
		id := parley.NewID()
		errs := race(4, func(i int) error {
			r := question(fmt.Sprint("user-", i))
			r.ID = id
			return [2]Backend{a, b}[i%2].Put(t.Context(), r, 0)
		})
		winner := onlyWinner(t, errs, parley.ErrExists)
		if got := get(t, b, id).To; got != fmt.Sprint("user-", winner) {
			t.Fatalf("stored for %s, but user-%d's Put succeeded", got, winner)
		}
	}
}

func unknownID(t *testing.T, a, _ Backend) {
	put(t, a, question("alice"))
	_, err := a.Get(t.Context(), parley.NewID())
	wantError(t, err, parley.ErrNotFound)
	wantError(t, a.Settle(t.Context(), parley.NewID(), accepted("x")), parley.ErrNotFound)
}

func settleOnce(t *testing.T, a, b Backend) {
	want := question("alice")
	put(t, a, want)
	o := accepted("first")
	if err := b.Settle(t.Context(), want.ID, o); err != nil {
		t.Fatal(err)
	}
	want.Outcome = &o
	expiry := parley.Outcome{Action: parley.Expire, Reason: "expired", At: now(), Claim: "second"}
	wantError(t, a.Settle(t.Context(), want.ID, expiry), parley.ErrSettled)
	wantError(t, b.Settle(t.Context(), want.ID, o), parley.ErrSettled)
	same(t, get(t, a, want.ID), want)
	same(t, get(t, b, want.ID), want)

	empty := question("alice")
	put(t, b, empty)
	if err := a.Settle(t.Context(), empty.ID, expiry); err != nil {
		t.Fatal(err)
	}
	empty.Outcome = &expiry
	same(t, get(t, b, empty.ID), empty)
}

func settleRace(t *testing.T, a, b Backend) {
	for range rounds {
		r := question("alice")
		put(t, a, r)
		errs := race(6, func(i int) error {
			return [2]Backend{a, b}[i%2].Settle(t.Context(), r.ID, accepted(fmt.Sprint(i)))
		})
		winner := onlyWinner(t, errs, parley.ErrSettled)
		if got := get(t, b, r.ID).Outcome; got == nil || got.Claim != fmt.Sprint(winner) {
			t.Fatalf("outcome %+v, but attempt %d succeeded", got, winner)
		}
	}
}

func pendingLimit(t *testing.T, a, b Backend) {
	var last parley.Request
	for range 3 {
		last = question("alice")
		if err := a.Put(t.Context(), last, 3); err != nil {
			t.Fatal(err)
		}
	}
	over := question("alice")
	wantError(t, b.Put(t.Context(), over, 3), parley.ErrTooManyPending)
	_, err := a.Get(t.Context(), over.ID)
	wantError(t, err, parley.ErrNotFound)

	elsewhere := question("alice")
	elsewhere.Tenant = "other"
	for _, r := range []parley.Request{question("bob"), elsewhere} {
		if err := b.Put(t.Context(), r, 3); err != nil {
			t.Fatalf("somebody else's questions count: %v", err)
		}
	}
	if err := a.Settle(t.Context(), last.ID, accepted("x")); err != nil {
		t.Fatal(err)
	}
	if err := b.Put(t.Context(), over, 3); err != nil {
		t.Fatalf("a settled question still counts: %v", err)
	}
	wantError(t, a.Put(t.Context(), over, 3), parley.ErrExists, parley.ErrTooManyPending)
}

func pendingLimitRace(t *testing.T, a, b Backend) {
	const most, callers = 5, 16
	errs := race(callers, func(i int) error {
		return [2]Backend{a, b}[i%2].Put(t.Context(), question("alice"), most)
	})
	list, err := a.List(t.Context(), parley.Query{Tenant: "acme", To: "alice", Pending: true})
	if err != nil {
		t.Fatal(err)
	}
	stored := 0
	for _, err := range errs {
		if err == nil {
			stored++
		} else {
			wantError(t, err, parley.ErrTooManyPending)
		}
	}
	if stored != len(list) || stored < most {
		t.Errorf("%d calls succeeded, %d requests are there; want the same, at least %d", stored, len(list), most)
	}
	wantError(t, a.Put(t.Context(), question("alice"), most), parley.ErrTooManyPending)
}

func copies(t *testing.T, a, _ Backend) {
	r := question("alice")
	want := r.Clone()
	put(t, a, r)
	r.Schema[0], r.Labels["tool"] = 'X', "changed"
	got := get(t, a, r.ID)
	same(t, got, want)
	got.Schema[0], got.Labels["tool"] = 'X', "changed"
	same(t, get(t, a, r.ID), want)

	o := accepted("x")
	kept := o.Clone()
	if err := a.Settle(t.Context(), r.ID, o); err != nil {
		t.Fatal(err)
	}
	o.Content[0] = 'X'
	get(t, a, r.ID).Outcome.Content[0] = 'X'
	want.Outcome = &kept
	same(t, get(t, a, r.ID), want)
}

func endedContext(t *testing.T, a, _ Backend) {
	r := question("alice")
	put(t, a, r)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, getErr := a.Get(ctx, r.ID)
	_, listErr := a.List(ctx, parley.Query{})
	for name, err := range map[string]error{
		"Get":    getErr,
		"List":   listErr,
		"Put":    a.Put(ctx, question("alice"), 0),
		"Settle": a.Settle(ctx, r.ID, accepted("x")),
		"Watch":  a.Watch(ctx, func(parley.ID) {}),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s with an ended context = %v, want context.Canceled", name, err)
		}
	}
	if !get(t, a, r.ID).Pending() {
		t.Error("Settle with an ended context settled")
	}
}

func put(t *testing.T, s Backend, r parley.Request) {
	t.Helper()
	if err := s.Put(t.Context(), r, 0); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, s Backend, id parley.ID) parley.Request {
	t.Helper()
	r, err := s.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wholeBytes compares byte slices in one go: element by element cmp takes half a
// minute for a megabyte.
var wholeBytes = cmp.FilterValues(
	func(a, b []byte) bool { return len(a)+len(b) > 0 },
	cmp.Comparer(func(a, b []byte) bool { return bytes.Equal(a, b) }),
)

func same(t *testing.T, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), wholeBytes); diff != "" {
		t.Fatalf("not what was stored (-want +got):\n%s", diff)
	}
}

func wantError(t *testing.T, err error, wants ...error) {
	t.Helper()
	for _, want := range wants {
		if errors.Is(err, want) {
			return
		}
	}
	t.Fatalf("error %v, want one of %v", err, wants)
}

// onlyWinner returns the index of the one call that succeeded; every other one
// must have failed with lost.
func onlyWinner(t *testing.T, errs []error, lost error) int {
	t.Helper()
	winner := -1
	for i, err := range errs {
		switch {
		case err == nil && winner >= 0:
			t.Fatalf("calls %d and %d both succeeded", winner, i)
		case err == nil:
			winner = i
		default:
			wantError(t, err, lost)
		}
	}
	if winner < 0 {
		t.Fatalf("no call succeeded: %v", errs)
	}
	return winner
}
