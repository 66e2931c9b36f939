package audit_test

import (
	"testing"

	"github.com/parley-hq/parley"
)

// A process knows what it has written, and another may have put that into the chain before it
// comes to it.
func TestWhatAnotherProcessHasPutIntoTheChainIsNotPutThereAgain(t *testing.T) {
	store := parley.NewMemoryStore()
	first, second := open(t, store, options()), open(t, store, options())
	if err := first.log.Record(t.Context(), parley.Deed{What: "call.sent", Call: "c1"}); err != nil {
		t.Fatal(err)
	}
	q, err := first.ask(t.Context(), "c1")
	if err == nil {
		err = first.hub.Answer(t.Context(), alice, q.ID, yes)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []func() error{
		func() error { return second.log.Sync(t.Context()) },
		func() error { return first.log.Flush(t.Context()) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		all, _, err := first.log.List(t.Context(), "default", -1, 10)
		if err != nil || len(all) != 2 {
			t.Errorf("%d entries, %v", len(all), err)
		}
	}
	if e, err := first.log.Find(t.Context(), "default", q.ID); err != nil || e.Outcome != "accept" || e.By != "alice" {
		t.Errorf("%+v, %v", e, err)
	}
}
