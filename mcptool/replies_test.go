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
	got, said := alice.post(t, fmt.Sprintf(`[{"jsonrpc":"2.0","id":%s,"result":%s},{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}]`, id, yes), nil)
	if got != http.StatusAccepted {
		t.Fatalf("HTTP %d: %s", got, said)
	}
	soon(t, "the answer counts", func() bool { return stillPending(t, s) == 0 })
	wantConfirmed(t, call)
}

// What comes in a batch is read to its end.
func TestABatchIsReadToItsEnd(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	alice := s.dial(t, &wire{era: "2025-03-26", user: "alice"})
	status, said := alice.post(t, `[{"jsonrpc":"2.0","id":71,"method":"ping"},{"jsonrpc":"2.0","id":72,"method":"ping"}]`, nil)
	if status != http.StatusOK || !strings.Contains(said, `"id":71`) || !strings.Contains(said, `"id":72`) {
		t.Errorf("HTTP %d: %s", status, said)
	}
}

func TestAnAnswerToAPartOfAnIDIsNobodys(t *testing.T) {
	s, alice, call, id := askingAlice(t)
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
	_, alice, call, id := askingAlice(t)
	deep := strings.Repeat(`{"x":`, 40) + "1" + strings.Repeat("}", 40)
	alice.answer(id, `{"_meta":`+deep+`,"action":"accept","content":{"confirmed":true}}`)
	wantConfirmed(t, call)
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
	wantConfirmed(t, call)
}
