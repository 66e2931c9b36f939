package mcptool_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// Clients of 2025-03-26 may send what they have to say in batches.
func TestAnAnswerMayComeInABatch(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addDelete(s, nil)
	alice := s.dial(t, &wire{era: "2025-03-26", capabilities: canAsk, user: "alice"})
	call := alice.call("delete-account", deletion)
	id, _ := call.question()
	got := alice.post(t, fmt.Sprintf(`[{"jsonrpc":"2.0","id":%s,"result":%s},{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}]`, id, yes), nil)
	if got != http.StatusAccepted {
		t.Fatalf("HTTP %d", got)
	}
	soon(t, "the answer counts", func() bool { return stillPending(t, s) == 0 })
	if got := structured[deleted](t, call.result()); !got.Confirmed {
		t.Errorf("got %+v", got)
	}
}

func TestAnAnswerToAPartOfAnIDIsNobodys(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addDelete(s, nil)
	alice := s.dial(t, &wire{capabilities: canAsk, user: "alice"})
	call := alice.call("delete-account", deletion)
	id, _ := call.question()
	for _, other := range []string{string(id) + ".5", string(id) + "9e-1", "1e300", "-" + string(id)} {
		if alice.post(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, other, yes), nil); stillPending(t, s) != 1 {
			t.Fatalf("the answer to %s was taken for one to %s", other, id)
		}
	}
	alice.answer(id, yes)
	call.end()
}

// What the SDK would have read is read here as well.
func TestAnAnswerMayHaveWhatNobodyReads(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addDelete(s, nil)
	alice := s.dial(t, &wire{capabilities: canAsk, user: "alice"})
	call := alice.call("delete-account", deletion)
	id, _ := call.question()
	deep := strings.Repeat(`{"x":`, 40) + "1" + strings.Repeat("}", 40)
	alice.answer(id, `{"_meta":`+deep+`,"action":"accept","content":{"confirmed":true}}`)
	if got := structured[deleted](t, call.result()); !got.Confirmed {
		t.Errorf("got %+v", got)
	}
}

// late is a store whose hints come late.
type late struct{ *parley.MemoryStore }

func (l late) Watch(ctx context.Context, settled func(parley.ID)) error {
	return l.MemoryStore.Watch(ctx, func(id parley.ID) {
		if id == "" {
			settled(id)
			return
		}
		time.AfterFunc(2*time.Second, func() { settled(id) })
	})
}

// What a person answered elsewhere counts, whatever their client says before it is known.
func TestAnAnswerElsewhereIsNotLostToOneThatDoesNotFit(t *testing.T) {
	store := late{parley.NewMemoryStore()}
	s := newSiteOver(t, store, mcptool.Options{}, nil)
	s.store = store.MemoryStore
	addDelete(s, nil)
	alice := s.dial(t, &wire{capabilities: canAsk, user: "alice"})
	call := alice.call("delete-account", deletion)
	id, _ := call.question()
	there := &site{hub: parley.New(store, nil)}
	there.answered(t, asked(t, s)[0].ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`), Via: "page"})
	alice.answer(id, `{"action":"accept","content":{"confirmed":"perhaps"}}`)
	if got := structured[deleted](t, call.result()); !got.Confirmed {
		t.Errorf("got %+v", got)
	}
}
