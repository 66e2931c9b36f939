package asking_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/asking"
	"github.com/parley-hq/parley/storetest"
)

var errDead = errors.New("this process is dead")

// mortal is a store whose process dies after so many writes: from then on it does
// nothing.
type mortal struct {
	storetest.Backend
	left atomic.Int64
}

func (m *mortal) write() error {
	if m.left.Add(-1) < 0 {
		return errDead
	}
	return nil
}

func (m *mortal) Put(ctx context.Context, r parley.Request, most int) error {
	if err := m.write(); err != nil {
		return err
	}
	return m.Backend.Put(ctx, r, most)
}

func (m *mortal) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	if err := m.write(); err != nil {
		return err
	}
	return m.Backend.Settle(ctx, id, o)
}

func (m *mortal) Save(ctx context.Context, r parley.Record) (int64, error) {
	if err := m.write(); err != nil {
		return 0, err
	}
	return m.Backend.Save(ctx, r)
}

func (m *mortal) Delete(ctx context.Context, at parley.Address, version int64) error {
	if err := m.write(); err != nil {
		return err
	}
	return m.Backend.Delete(ctx, at, version)
}

// A process dies after each of its writes in turn, while it asks and while it takes
// an answer. Another goes on: everybody is asked once, the answer counts, and the
// others' questions close.
func TestAnotherProcessGoesOnWhereverOneDies(t *testing.T) {
	for _, q := range []asking.Question{
		{To: "alice", Message: "Which?", Schema: []byte(colour), Key: "k"},
		{Group: "oncall", Message: "Which?", Schema: []byte(colour), Key: "k"},
	} {
		for n := range 30 {
			synctest.Test(t, func(t *testing.T) { dieAfter(t, int64(n), q) })
		}
	}
}

func dieAfter(t *testing.T, writes int64, q asking.Question) {
	store := parley.NewMemoryStore()
	dying := &mortal{Backend: store}
	dying.left.Store(writes)
	first, second := startNode(dying, nil), startNode(store, nil)
	_, _, failed := first.Ask(t.Context(), ci(), q)

	st := second.ask(t, ci(), q)
	open := second.inbox(t, "alice")
	if len(open) != 1 {
		t.Fatalf("dead after %d writes: alice is asked %d times", writes, len(open))
	}
	answer := parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"colour":"red"}`), Via: "page"}
	if failed != nil || first.hub.Answer(t.Context(), person("alice"), open[0].ID, answer) != nil {
		if err := second.hub.Answer(t.Context(), person("alice"), open[0].ID, answer); err != nil && !errors.Is(err, parley.ErrSettled) {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() { _ = second.Run(ctx) }()
	time.Sleep(time.Minute)
	synctest.Wait()
	for _, name := range []string{"alice", "bob", "carol"} {
		if left := second.inbox(t, name); len(left) > 0 {
			t.Errorf("dead after %d writes: %s still has %d questions", writes, name, len(left))
		}
	}
	if q.Group != "" {
		if waits, err := second.hub.Wait(t.Context(), st.ID); err != nil || waits.Action != parley.Accept {
			t.Errorf("dead after %d writes: who waits is told %+v, %v", writes, waits, err)
		}
	}
	st = second.get(t, ci(), st.ID)
	if st.Pending() || st.Outcome.By != "alice" || string(st.Outcome.Content) != `{"colour":"red"}` {
		t.Errorf("dead after %d writes: %+v", writes, st.Outcome)
	}
}
