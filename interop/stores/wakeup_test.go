package stores_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

// stores are the backends that several processes can share.
func stores(t *testing.T, test func(t *testing.T, store, space string)) {
	space := "test_" + string(parley.NewID())
	t.Run("sqlite", func(t *testing.T) { test(t, "sqlite:"+filepath.Join(t.TempDir(), "parley.db"), "") })
	t.Run("postgres", func(t *testing.T) { test(t, servers.Postgres(t), space) })
	t.Run("redis", func(t *testing.T) { test(t, servers.Redis(t), space) })
}

// answerEach answers each id it is told and says when it began.
func answerEach(ctx context.Context, hub *parley.Hub, in *bufio.Scanner, out *json.Encoder) error {
	for in.Scan() {
		began := time.Now()
		err := hub.Answer(ctx, kit.Alice, parley.ID(in.Text()), parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`), Via: "other process"})
		if err != nil {
			return err
		}
		if err := out.Encode(began); err != nil {
			return err
		}
	}
	return in.Err()
}

func TestAnAnswerInOneProcessWakesTheWaiterInAnother(t *testing.T) {
	stores(t, func(t *testing.T, store, space string) {
		hub, _ := opened(t, store, space)
		other := start(t, "answer each", store, space)
		var waits []time.Duration
		for range 40 {
			r, err := hub.Open(t.Context(), question())
			if err != nil {
				t.Fatal(err)
			}
			woken := make(chan time.Time, 1)
			go func() {
				o, err := hub.Wait(t.Context(), r.ID)
				if err != nil || o.Via != "other process" || string(o.Content) != `{"confirmed":true}` {
					t.Errorf("outcome %+v, %v", o, err)
				}
				woken <- time.Now()
			}()
			other.send(t, string(r.ID))
			var began time.Time
			if !other.receive(t, &began) {
				t.Fatal("the other process ended")
			}
			waits = append(waits, (<-woken).Sub(began))
		}
		slices.Sort(waits)
		t.Logf("from the answer in the other process to the return of Wait: median %v, longest %v", waits[len(waits)/2], waits[len(waits)-1])
	})
}

// Whatever the backend, it never sees what was asked or answered.
func TestWhatABackendKeepsIsSealed(t *testing.T) {
	stores(t, func(t *testing.T, store, space string) {
		hub, inner := opened(t, store, space)
		r, err := hub.Open(t.Context(), question())
		if err != nil {
			t.Fatal(err)
		}
		answer := parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`)}
		if err := hub.Answer(t.Context(), kit.Alice, r.ID, answer); err != nil {
			t.Fatal(err)
		}
		kept, err := inner.Get(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		dump := fmt.Sprintf("%s %s %s %s", kept.Message, kept.Schema, kept.URL, kept.Outcome.Content)
		for _, plain := range []string{"Go on", "confirmed", "true"} {
			if strings.Contains(dump, plain) {
				t.Errorf("%q is kept in plain: %q", plain, dump)
			}
		}
		if o, err := hub.Wait(t.Context(), r.ID); err != nil || string(o.Content) != `{"confirmed":true}` {
			t.Errorf("outcome %s, %v", o.Content, err)
		}
	})
}
