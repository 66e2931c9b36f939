package agent_test

import (
	"context"
	"maps"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// tallied is a view of the store that counts what is done with records, by kind.
type tallied struct {
	*parley.MemoryStore
	mu  sync.Mutex
	did map[string]int
}

func (c *tallied) note(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.did[what]++
}

func (c *tallied) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	c.note("load " + at.Kind)
	return c.MemoryStore.Load(ctx, at)
}

func (c *tallied) Save(ctx context.Context, r parley.Record) (int64, error) {
	c.note("save " + r.Kind)
	return c.MemoryStore.Save(ctx, r)
}

func (c *tallied) Delete(ctx context.Context, at parley.Address, version int64) error {
	c.note("delete " + at.Kind)
	return c.MemoryStore.Delete(ctx, at, version)
}

func (c *tallied) Get(ctx context.Context, id parley.ID) (parley.Request, error) {
	c.note("get")
	return c.MemoryStore.Get(ctx, id)
}

// A turn that asks is saved when it begins, with the model's words, with its question, when
// that is open, before the call, with its result, and at the end. That it is woken twice by
// one answer may cost it a look, so the best of some turns counts.
func TestATurnThatAsksIsReadAndSavedNoMoreThanItNeeds(t *testing.T) {
	most := map[string]int{
		"save run": 7, "load run": 1, "save run_lease": 2, "load run_lease": 0, "delete run_lease": 2, "save run_parked": 1, "get": 3,
	}
	best := map[string]int{}
	for range 10 {
		inABubble(t, func(t *testing.T, w *world) {
			did := turnThatAsks(t, w)
			for what := range most {
				if known, ok := best[what]; !ok || did[what] < known {
					best[what] = did[what]
				}
			}
		})
	}
	for what, most := range most {
		if best[what] > most {
			t.Errorf("%s: %d times, want %d", what, best[what], most)
		}
	}
}

// turnThatAsks returns what a turn does with records and questions.
func turnThatAsks(t *testing.T, w *world) map[string]int {
	store := &tallied{MemoryStore: w.store, did: map[string]int{}}
	n := w.nodeOn(store, store, nil, helper(callOnce("tracker__do"), &box{name: "tracker", prepare: needsAnswer}))
	synctest.Wait() // it has looked for what others left
	s := n.follow(n.say("c", "hello"))
	q := s.until(agent.Asked).Question
	synctest.Wait()
	time.Sleep(40 * time.Millisecond) // before anybody looks whether another process has gone on
	n.answer(q, parley.Accept)
	if got := s.reply(); got != "tracker did it done" {
		t.Error(got)
	}
	synctest.Wait()
	store.mu.Lock()
	defer store.mu.Unlock()
	return maps.Clone(store.did)
}
