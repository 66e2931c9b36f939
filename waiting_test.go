package parley_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
)

func TestWhatWaitsIsListedForProgramsByItsTrigger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		hub := parley.New(store, &parley.Options{Sealer: keyring(t, newSecret)})
		ask := func(hub *parley.Hub, to, trigger string, ttl time.Duration) parley.ID {
			return open(t, hub, parley.Request{To: to, Message: "For " + to, Trigger: trigger, Expires: time.Now().Add(ttl)}).ID
		}
		first := ask(hub, "alice", parley.TriggerCredential, time.Hour)
		ask(hub, "alice", parley.TriggerTool, time.Hour)
		ask(hub, "alice", parley.TriggerCredential, time.Minute) // over by then
		ask(parley.New(store, &parley.Options{Sealer: keyring(t, oldSecret)}), "alice", parley.TriggerCredential, time.Hour)
		done := ask(hub, "bob", parley.TriggerCredential, time.Hour)
		if err := hub.Cancel(t.Context(), done, "test"); err != nil {
			t.Fatal(err)
		}
		for i := range parley.MaxLimit {
			ask(hub, fmt.Sprint("user", i), parley.TriggerTool, time.Hour)
		}
		second := ask(hub, "bob", parley.TriggerCredential, time.Hour)
		time.Sleep(time.Minute)
		var got []string
		pages := 0
		for after := parley.ID(""); ; pages++ {
			found, last, err := hub.Waiting(t.Context(), parley.TriggerCredential, after)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range found {
				got = append(got, string(r.ID)+" "+r.Message)
			}
			if after = last; last == "" {
				break
			}
		}
		if want := []string{string(first) + " For alice", string(second) + " For bob"}; fmt.Sprint(got) != fmt.Sprint(want) || pages != 1 {
			t.Errorf("got %v after %d pages, want %v", got, pages, want)
		}
	})
}
