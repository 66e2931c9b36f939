package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// tell says something in a conversation that is to be found again, and waits for the answer.
func tell(t *testing.T, n *node, who parley.Principal, conversation, text string) {
	t.Helper()
	if _, err := n.Start(t.Context(), who, agent.Message{Agent: "a", Conversation: conversation, Text: text, List: true}); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
}

func names(all []agent.Conversation) string {
	var ids []string
	for _, c := range all {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, " ")
}

func simple() *agent.Agent {
	return &agent.Agent{Name: "a", Model: script(func(agent.Prompt) agent.Reply { return agent.Reply{Text: "Yes."} })}
}

func TestConversationsAreListedForTheirPersonTheLastFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		n := w.node(simple())
		tell(t, n, alice, "c/1", "Where  is\nmy parcel?")
		time.Sleep(time.Hour)
		tell(t, n, alice, "c2", strings.Repeat("long words ", 100))
		tell(t, n, bob, "c3", "Mine.")
		tell(t, n, parley.Principal{Tenant: "other", User: "alice"}, "c4", "Elsewhere.")
		tell(t, n, parley.Principal{User: "alice/c"}, "c5", "A name like a path.")
		if _, err := n.Start(t.Context(), alice, agent.Message{Agent: "a", Conversation: "unlisted", Text: "x"}); err != nil {
			t.Fatal(err)
		}
		all, err := n.Conversations(t.Context(), alice)
		if err != nil || names(all) != "c2 c/1" {
			t.Fatalf("%v, %v", all, err)
		}
		if c := all[1]; c.Title != "Where is my parcel?" || c.Agent != "a" || !c.Created.Equal(c.Updated) {
			t.Errorf("%+v", c)
		}
		if title := all[0].Title; len([]rune(title)) > 80 || !strings.HasSuffix(title, "words…") {
			t.Errorf("%q", title)
		}
		time.Sleep(time.Hour)
		tell(t, n, alice, "c/1", "And now?")
		if all, err = n.Conversations(t.Context(), alice); err != nil || names(all) != "c/1 c2" || all[0].Title != "Where is my parcel?" || all[0].Updated.Sub(all[0].Created) != 2*time.Hour {
			t.Errorf("%+v, %v", all, err)
		}
		if _, err := n.Conversations(t.Context(), parley.Principal{}); !errors.Is(err, agent.ErrNoPerson) {
			t.Errorf("nobody: %v", err)
		}
	})
}

// A turn of a conversation that was noted a moment ago writes nothing more.
func TestAConversationIsNotedOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		n := w.node(simple())
		version := func() int64 {
			page, err := w.store.Scan(t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: "conversation"}, "", 10)
			if err != nil || len(page) != 1 {
				t.Fatalf("%v, %v", page, err)
			}
			if strings.Contains(string(page[0].Data), "secret") {
				t.Error("what was said is not sealed")
			}
			return page[0].Version
		}
		tell(t, n, alice, "c", "secret")
		first := version()
		for range 5 {
			tell(t, n, alice, "c", "more")
		}
		if v := version(); v != first {
			t.Errorf("version %d, then %d", first, v)
		}
		time.Sleep(time.Minute)
		tell(t, n, alice, "c", "more")
		if v := version(); v == first {
			t.Error("nothing was noted after a minute")
		}
	})
}

// The process dies after any of its saves: what was started by then is in the list.
func TestAConversationThatWasStartedIsListedWhoeverDies(t *testing.T) {
	for saves := 1; saves < 8; saves++ {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			n := w.node(simple())
			n.lives(saves)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, _ = n.Start(ctx, alice, agent.Message{Agent: "a", Conversation: "c", Text: "Hello", ID: "m", List: true})
			synctest.Wait()
			n.kill()
			other := w.node(simple())
			time.Sleep(time.Hour)
			runs, err := other.History(t.Context(), alice, "c")
			if err != nil {
				t.Fatal(err)
			}
			all, err := other.Conversations(t.Context(), alice)
			if err != nil || len(runs) > 0 && len(all) != 1 {
				t.Errorf("after %d saves: %d runs, %v, %v", saves, len(runs), all, err)
			}
		})
	}
}

func TestAListOfConversationsIsBounded(t *testing.T) {
	w := newWorld(t)
	n := w.node(simple())
	for i := range 5010 {
		at := parley.Address{Tenant: parley.DefaultTenant, Kind: "conversation", Key: fmt.Sprintf("bob/%05d", i)}
		data := fmt.Appendf(nil, `{"id":"%05d"}`, i)
		if _, err := w.sealed().Save(t.Context(), parley.Record{Address: at, Owner: "bob", Data: data}); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := n.Conversations(t.Context(), bob); err != nil || len(all) != 5000 {
		t.Errorf("%d, %v", len(all), err)
	}
}
