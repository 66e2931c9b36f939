package storetest

import (
	"testing"

	"github.com/parley-hq/parley"
)

// runCount is for stores that can count.
func runCount(t *testing.T, open Opener) {
	t.Run("what is pending is counted, of everybody and for both handles", func(t *testing.T) {
		a, again := open(t, keep)
		b := again()
		if _, ok := a.(parley.Counter); !ok {
			t.Skip("it does not count")
		}
		want := func(n int) {
			t.Helper()
			for _, s := range []Backend{a, b} {
				if got, err := s.(parley.Counter).CountPending(t.Context()); err != nil || got != n {
					t.Errorf("%d, %v; want %d", got, err, n)
				}
			}
		}
		want(0)
		first, second, elsewhere := question("alice"), question("bob"), question("alice")
		elsewhere.Tenant, elsewhere.Session = "other", ""
		for _, r := range []parley.Request{first, second, elsewhere} {
			put(t, a, r)
		}
		want(3)
		if err := b.Settle(t.Context(), second.ID, accepted("x")); err != nil {
			t.Fatal(err)
		}
		want(2)
	})
}
