package stores_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

// questions is how many are answered twice.
const questions = 10_000

// verdict is what one process was told about its answer to one question.
type verdict struct {
	ID   parley.ID
	Won  bool
	Lost bool   // somebody else was first
	Err  string // anything else
}

// answerAll answers every question of one person, in an order of its own and
// many at a time, and reports each verdict. Its first line says how.
func answerAll(ctx context.Context, hub *parley.Hub, in *bufio.Scanner, out *json.Encoder) error {
	in.Scan()
	answer := parley.Answer{Action: parley.Action(in.Text()), Content: []byte(`{"confirmed":true}`), Via: in.Text()}
	var ids []parley.ID
	for in.Scan() && in.Text() != "go" {
		ids = append(ids, parley.ID(in.Text()))
	}
	rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	var mu sync.Mutex
	var wg sync.WaitGroup
	const callers = 16
	for c := range callers {
		wg.Go(func() {
			for i := c; i < len(ids); i += callers {
				err := hub.Answer(ctx, kit.Alice, ids[i], answer)
				v := verdict{ID: ids[i], Won: err == nil, Lost: errors.Is(err, parley.ErrSettled)}
				if !v.Won && !v.Lost {
					v.Err = err.Error()
				}
				mu.Lock()
				_ = out.Encode(v)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return in.Err()
}

func TestEveryQuestionHasOneOutcomeThoughTheStoreRestarts(t *testing.T) {
	t.Run("postgres", func(t *testing.T) { restartInTheMiddle(t, servers.OwnPostgres(t, nil)) })
	t.Run("redis", func(t *testing.T) { restartInTheMiddle(t, servers.OwnRedis(t, nil)) })
}

func restartInTheMiddle(t *testing.T, server *servers.Server) {
	hub, store := opened(t, server.URL, "restart")
	ids := openAll(t, hub, questions)
	outcomes := waitAll(t, hub, ids)

	verdicts := make(chan verdict, 2*questions)
	var others []*process
	for _, action := range []parley.Action{parley.Accept, parley.Decline} {
		p := start(t, "answer twice", server.URL, "restart")
		p.send(t, string(action))
		for _, id := range ids {
			p.send(t, string(id))
		}
		go func() {
			for v := (verdict{}); p.receive(t, &v); v = (verdict{}) {
				verdicts <- v
			}
		}()
		others = append(others, p)
	}
	for _, p := range others {
		p.send(t, "go")
	}
	won := map[parley.ID]int{}
	for n := range 2 * questions {
		if n == questions/2 {
			if err := server.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		v := <-verdicts
		if v.Err != "" {
			t.Errorf("%s: %s", v.ID, v.Err)
		}
		if v.Won {
			won[v.ID]++
		}
	}
	for id, o := range outcomes() {
		r, err := store.Get(t.Context(), id)
		if err != nil || r.Pending() {
			t.Fatalf("%s: %+v, %v; want it settled", id, r, err)
		}
		if won[id] != 1 || o.Claim != r.Outcome.Claim {
			t.Fatalf("%s: %d processes were told that they won; the waiter got claim %s, stored is %s", id, won[id], o.Claim, r.Outcome.Claim)
		}
	}
}

// openAll opens n questions.
func openAll(t *testing.T, hub *parley.Hub, n int) []parley.ID {
	t.Helper()
	ids := make([]parley.ID, n)
	var wg sync.WaitGroup
	const callers = 16
	for c := range callers {
		wg.Go(func() {
			for i := c; i < n; i += callers {
				r, err := hub.Open(t.Context(), question())
				if err != nil {
					t.Error(err)
					return
				}
				ids[i] = r.ID
			}
		})
	}
	wg.Wait()
	return ids
}

// waitAll waits for every question in a goroutine of its own.
func waitAll(t *testing.T, hub *parley.Hub, ids []parley.ID) func() map[parley.ID]parley.Outcome {
	outcomes := make(map[parley.ID]parley.Outcome, len(ids))
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() {
			o, err := hub.Wait(t.Context(), id)
			if err != nil {
				t.Errorf("Wait: %v", err)
			}
			mu.Lock()
			defer mu.Unlock()
			outcomes[id] = o
		})
	}
	return func() map[parley.ID]parley.Outcome {
		wg.Wait()
		return outcomes
	}
}
