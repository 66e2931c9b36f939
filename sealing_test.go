package parley_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
)

func keyring(t *testing.T, secrets ...string) *seal.Keyring {
	t.Helper()
	parsed, err := seal.ParseSecrets(secrets)
	if err != nil {
		t.Fatal(err)
	}
	k, err := seal.New(parsed...)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

var (
	oldSecret = strings.Repeat("old secret ", 4)
	newSecret = strings.Repeat("new secret ", 4)
)

func TestWithASecretNothingIsStoredInPlain(t *testing.T) {
	store := parley.NewMemoryStore()
	hub := parley.New(store, &parley.Options{Sealer: keyring(t, newSecret)})
	question := confirm()
	question.Message = "Is your maiden name Hopper?"
	r := open(t, hub, question)
	link := open(t, hub, parley.Request{To: "alice", Mode: parley.URL, Message: "Go", URL: "https://example.com/hidden-path"})
	if err := hub.Answer(t.Context(), alice, r.ID, yes()); err != nil {
		t.Fatal(err)
	}
	o, err := hub.Wait(t.Context(), r.ID)
	if err != nil || string(o.Content) != `{"confirmed":true}` {
		t.Fatalf("outcome %s, %v", o.Content, err)
	}
	for _, id := range []parley.ID{r.ID, link.ID} {
		stored, err := store.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		dump := fmt.Sprintf("%+v %s %+v", stored, stored.Schema, stored.Outcome)
		for _, plain := range []string{"Hopper", "confirmed", "true}", "hidden-path"} {
			if strings.Contains(dump, plain) {
				t.Errorf("%q is stored in plain: %s", plain, dump)
			}
		}
	}
	read, err := hub.Get(t.Context(), alice, r.ID)
	if err != nil || read.Message != question.Message || !bytes.Equal(read.Schema, r.Schema) || string(read.Outcome.Content) != `{"confirmed":true}` {
		t.Errorf("read back %+v, %v", read, err)
	}
	if list, err := hub.List(t.Context(), alice, parley.Query{}); err != nil || len(list) != 2 || list[0].Message != question.Message {
		t.Errorf("listed %+v, %v", list, err)
	}
}

// Whoever reads a question again compares it with what was asked.
func TestASealedQuestionComesBackByteForByte(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{Sealer: keyring(t, newSecret)})
	question := confirm()
	question.Message = "Is a < b & b > c?"
	question.Schema = json.RawMessage(`{"type":"object","properties":{"R&D":{"type":"string","enum":["a & b","<c>","\u0026"]}}}`)
	r := open(t, hub, question)
	read, err := hub.Get(t.Context(), alice, r.ID)
	if err != nil || read.Message != question.Message || string(read.Schema) != string(r.Schema) {
		t.Errorf("%q %s, %v", read.Message, read.Schema, err)
	}
	if parley.ShownTo(read).Digest() != parley.ShownTo(r).Digest() {
		t.Error("what was read back is not what was asked")
	}
}

// A service that was given a secret seals the hub that it was given.
func TestAHubIsSealedByTheFirstThatHasASecret(t *testing.T) {
	store := parley.NewMemoryStore()
	hub := parley.New(store, nil)
	before := open(t, hub, confirm())
	hub.SealWith(keyring(t, newSecret))
	hub.SealWith(keyring(t, oldSecret)) // it has one
	question := confirm()
	question.Message = "Is your maiden name Hopper?"
	r := open(t, hub, question)
	if err := hub.Answer(t.Context(), alice, r.ID, yes()); err != nil {
		t.Fatal(err)
	}
	stored, err := store.Get(t.Context(), r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if dump := fmt.Sprintf("%+v %s", stored, stored.Outcome.Content); strings.Contains(dump, "Hopper") || strings.Contains(dump, "confirmed") {
		t.Errorf("stored in plain: %s", dump)
	}
	same := parley.New(store, &parley.Options{Sealer: keyring(t, newSecret)})
	if read, err := same.Get(t.Context(), alice, r.ID); err != nil || read.Message != question.Message {
		t.Errorf("with the first secret: %+v, %v", read, err)
	}
	if _, err := hub.Get(t.Context(), alice, before.ID); !errors.Is(err, parley.ErrNotSealed) {
		t.Errorf("what was stored in plain before: %v", err)
	}
}

func TestSecretsRotate(t *testing.T) {
	store := parley.NewMemoryStore()
	r := open(t, parley.New(store, &parley.Options{Sealer: keyring(t, oldSecret)}), confirm())
	both := parley.New(store, &parley.Options{Sealer: keyring(t, newSecret, oldSecret)})
	if err := both.Answer(t.Context(), alice, r.ID, yes()); err != nil {
		t.Fatal(err)
	}
	if o, err := both.Wait(t.Context(), r.ID); err != nil || string(o.Content) != `{"confirmed":true}` {
		t.Errorf("outcome %s, %v", o.Content, err)
	}
}

func TestTheWrongSecretIsAnErrorThatChangesNothing(t *testing.T) {
	store := parley.NewMemoryStore()
	sealed := parley.New(store, &parley.Options{Sealer: keyring(t, oldSecret)})
	r := open(t, sealed, confirm())
	for name, c := range map[string]struct {
		opts *parley.Options
		want error
	}{
		"wrong secret": {&parley.Options{Sealer: keyring(t, newSecret), Logger: quiet}, seal.ErrUnknownKey},
		"no secret":    {nil, parley.ErrSealed},
	} {
		hub := parley.New(store, c.opts)
		_, waitErr := hub.Wait(t.Context(), r.ID)
		list, listErr := hub.List(t.Context(), alice, parley.Query{})
		if c.opts != nil && listErr == nil && len(list) == 0 {
			listErr = c.want // lists leave it out: see TestWhatDoesNotOpenIsLeftOutOfLists
		}
		for _, err := range []error{waitErr, listErr, hub.Answer(t.Context(), alice, r.ID, yes())} {
			if !errors.Is(err, c.want) {
				t.Errorf("%s: error %v, want %v", name, err, c.want)
			}
		}
	}
	if r, err := sealed.Get(t.Context(), alice, r.ID); err != nil || !r.Pending() {
		t.Errorf("%+v, %v; want it pending", r, err)
	}
}

func TestPlainDataIsRefusedOnceThereIsASecret(t *testing.T) {
	store := parley.NewMemoryStore()
	r := open(t, parley.New(store, nil), confirm())
	strict := parley.New(store, &parley.Options{Sealer: keyring(t, newSecret)})
	wantError(t, strict.Answer(t.Context(), alice, r.ID, yes()), parley.ErrNotSealed)
	lenient := parley.New(store, &parley.Options{Sealer: keyring(t, newSecret), AcceptPlain: true})
	if err := lenient.Answer(t.Context(), alice, r.ID, yes()); err != nil {
		t.Error(err)
	}
	if o, err := lenient.Wait(t.Context(), r.ID); err != nil || string(o.Content) != `{"confirmed":true}` {
		t.Errorf("outcome %s, %v", o.Content, err)
	}
}

// A question moved to another row, person or service does not open.
func TestSealedDataIsBoundToItsRow(t *testing.T) {
	for name, move := range map[string]func(*parley.Request){
		"another id":      func(r *parley.Request) { r.ID = parley.NewID() },
		"another person":  func(r *parley.Request) { r.To = "mallory" },
		"another tenant":  func(r *parley.Request) { r.Tenant = "other" },
		"another service": func(r *parley.Request) { r.From = "bank" },
		"another trigger": func(r *parley.Request) { r.Trigger = parley.TriggerApproval },
		"another session": func(r *parley.Request) { r.Session = "s2" },
		"another title":   func(r *parley.Request) { r.Labels = map[string]string{parley.LabelTitle: "Your bank"} },
	} {
		t.Run(name, func(t *testing.T) {
			first, second := parley.NewMemoryStore(), parley.NewMemoryStore()
			opts := &parley.Options{Sealer: keyring(t, newSecret)}
			r := open(t, parley.New(first, opts), confirm())
			row, err := first.Get(t.Context(), r.ID)
			if err != nil {
				t.Fatal(err)
			}
			move(&row)
			if err := second.Put(t.Context(), row, 0); err != nil {
				t.Fatal(err)
			}
			_, err = parley.New(second, opts).Wait(t.Context(), row.ID)
			wantError(t, err, seal.ErrTampered)
		})
	}
}

func TestWhatDoesNotOpenStillExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		r := open(t, parley.New(store, &parley.Options{Sealer: keyring(t, oldSecret)}), confirm())
		run(t, parley.New(store, &parley.Options{Sealer: keyring(t, newSecret), Logger: quiet}))
		time.Sleep(15 * time.Minute)
		if r, err := store.Get(t.Context(), r.ID); err != nil || r.Pending() {
			t.Errorf("%+v, %v; want it expired", r, err)
		}
	})
}

func TestTheSealedFormOfContentIsNotMistakenForJSON(t *testing.T) {
	store := parley.NewMemoryStore()
	hub := parley.New(store, &parley.Options{Sealer: keyring(t, newSecret)})
	r := open(t, hub, confirm())
	if err := hub.Answer(t.Context(), alice, r.ID, yes()); err != nil {
		t.Fatal(err)
	}
	stored, err := store.Get(t.Context(), r.ID)
	if err != nil || json.Valid(stored.Outcome.Content) {
		t.Errorf("stored content %q, %v", stored.Outcome.Content, err)
	}
}

// What another site's node put into the same store keeps nobody from their own questions.
func TestWhatDoesNotOpenIsLeftOutOfLists(t *testing.T) {
	store := parley.NewMemoryStore()
	hub := parley.New(store, &parley.Options{Sealer: keyring(t, newSecret), Logger: quiet})
	foreign := parley.New(store, &parley.Options{Sealer: keyring(t, oldSecret), Logger: quiet})
	var own []parley.ID
	for i := range 6 {
		own = append(own, open(t, hub, parley.Request{To: "alice", Message: fmt.Sprint("Own ", i)}).ID)
		for range 3 {
			open(t, foreign, parley.Request{To: "alice", Message: "Foreign"})
		}
	}
	for _, limit := range []int{1, 2, 5, 6, 7, 100} {
		list, err := hub.List(t.Context(), alice, parley.Query{Pending: true, Limit: limit})
		if err != nil || len(list) != min(limit, len(own)) {
			t.Fatalf("%d of at most %d, %v", len(list), limit, err)
		}
		for i, r := range list {
			if r.ID != own[i] {
				t.Errorf("%d is %s %q", i, r.ID, r.Message)
			}
		}
	}
}
