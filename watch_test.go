package parley_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/parley-hq/parley"
)

func TestWhoWatchesIsToldOfWhatIsOpenedHereAndSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := parley.New(parley.NewMemoryStore(), nil)
		ctx, leave := context.WithCancel(t.Context())
		hints := hub.Watch(ctx)
		var asked []parley.ID
		for range 2 {
			q, err := hub.Open(t.Context(), parley.Request{To: "alice", Message: "Shall I?"})
			if err != nil {
				t.Fatal(err)
			}
			asked = append(asked, q.ID)
			if got := <-hints; got != q.ID {
				t.Errorf("told of %q, want %q", got, q.ID)
			}
		}
		cancel := func(id parley.ID) {
			if err := hub.Cancel(t.Context(), id, "not needed"); err != nil {
				t.Fatal(err)
			}
		}
		cancel(asked[0])
		if got := <-hints; got != asked[0] {
			t.Errorf("told of %q, want %q", got, asked[0])
		}
		leave()
		synctest.Wait()
		cancel(asked[1])
		if len(hints) > 0 {
			t.Error("told after the end")
		}
	})
}

func TestWhoWatchesTooSlowlyIsToldToLookAtEverything(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), nil)
	hints := hub.Watch(t.Context())
	for range 300 {
		q, err := hub.Open(t.Context(), parley.Request{To: "alice", Message: "Shall I?"})
		if err != nil {
			t.Fatal(err)
		}
		if err := hub.Cancel(t.Context(), q.ID, "not needed"); err != nil {
			t.Fatal(err)
		}
	}
	if got := <-hints; got != "" {
		t.Errorf("the first hint is %q, want the one for everything", got)
	}
}
