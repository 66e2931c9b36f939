package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/parley-hq/parley"
)

func runRetention(t *testing.T, open Opener) {
	t.Run("an outcome is kept for the retention time", func(t *testing.T) {
		a, again := open(t, time.Hour)
		b := again()
		settled, pending := question("alice"), question("alice")
		pending.Expires = now().Add(-48 * time.Hour)
		put(t, a, settled)
		put(t, a, pending)
		if err := a.Settle(t.Context(), settled.ID, accepted("x")); err != nil {
			t.Fatal(err)
		}
		sweep(t, a)
		if get(t, b, settled.ID).Pending() {
			t.Error("the outcome is gone")
		}
		if !get(t, b, pending.ID).Pending() {
			t.Error("the sweep settled a request")
		}
	})
	t.Run("then it goes, and what is pending stays", func(t *testing.T) {
		a, again := open(t, 50*time.Millisecond)
		b := again()
		settled, pending := question("alice"), question("alice")
		pending.Created, pending.Expires = now().Add(-72*time.Hour), now().Add(-48*time.Hour)
		put(t, a, settled)
		put(t, a, pending)
		if err := a.Settle(t.Context(), settled.ID, accepted("x")); err != nil {
			t.Fatal(err)
		}
		eventually(t, "removal of an old outcome", func() bool {
			sweep(t, a)
			_, err := b.Get(t.Context(), settled.ID)
			return errors.Is(err, parley.ErrNotFound)
		})
		same(t, listed(t, b, parley.Query{Tenant: "acme", To: "alice"}), []parley.ID{pending.ID})
		same(t, listed(t, b, parley.Query{}), []parley.ID{pending.ID})
		if !get(t, b, pending.ID).Pending() {
			t.Error("the sweep settled a request")
		}
	})
}

// sweep does what Hub.Run does now and then.
func sweep(t *testing.T, s Backend) {
	t.Helper()
	if s, ok := s.(parley.Sweeper); ok {
		if err := s.Sweep(context.WithoutCancel(t.Context()), time.Now()); err != nil {
			t.Fatal(err)
		}
	}
}
