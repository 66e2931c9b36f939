package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
)

// mumbling is a store whose word about a write may be lost.
type mumbling struct {
	parley.Records
	lose bool
}

func (m *mumbling) Save(ctx context.Context, r parley.Record) (int64, error) {
	version, err := m.Records.Save(ctx, r)
	if m.lose {
		return 0, errors.New("connection reset")
	}
	return version, err
}

func TestAJournalWhoseWriteWasUnsureGoesOn(t *testing.T) {
	for _, stored := range []bool{false, true} {
		store := &mumbling{Records: parley.NewMemoryStore()}
		a := &Asker{records: store}
		who := parley.Principal{Tenant: parley.DefaultTenant, User: "alice"}
		about, digest, err := target{Method: "tools/call", Name: "t"}.read()
		if err != nil {
			t.Fatal(err)
		}
		p := newPage(who, about, digest, client{})
		if stored {
			if err := a.save(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		p.Nonce, store.lose = "1", true
		if err := a.save(t.Context(), p); err == nil {
			t.Fatal("the loss was not seen")
		}
		p.Nonce, store.lose = "2", false
		if err := a.save(t.Context(), p); err != nil {
			t.Fatalf("stored before: %t: %v", stored, err)
		}
		again, err := a.read(t.Context(), p.record.Address)
		if err != nil || again.Nonce != "2" {
			t.Errorf("%+v, %v", again, err)
		}

		// What somebody else has written is not ours.
		p.Nonce, store.lose = "3", true
		_ = a.save(t.Context(), p)
		store.lose = false
		other, err := a.read(t.Context(), p.record.Address)
		if err != nil {
			t.Fatal(err)
		}
		other.Nonce = "theirs"
		if err := a.save(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		if err := a.save(t.Context(), p); !errors.Is(err, parley.ErrConflict) {
			t.Errorf("over theirs: %v", err)
		}
	}
}

// A call that ends while its journal is written leaves no doubt about that.
func TestAJournalIsWrittenToItsEnd(t *testing.T) {
	store := parley.NewMemoryStore()
	ctx, cancel := context.WithCancel(t.Context())
	a := &Asker{records: leaving{store, cancel}}
	p := newPage(parley.Principal{Tenant: parley.DefaultTenant, User: "alice"}, target{Name: "t"}, "digest", client{})
	if err := a.save(ctx, p); err != nil || !p.stored {
		t.Errorf("%v", err)
	}
	if err := a.save(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v", err)
	}
}

// leaving is a store during whose writes the client leaves.
type leaving struct {
	parley.Records
	leave func()
}

func (l leaving) Save(ctx context.Context, r parley.Record) (int64, error) {
	l.leave()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return l.Records.Save(ctx, r)
}

// A call may last longer than it was meant to when its pieces were written.
func TestAJournalsPiecesLastAsLongAsTheJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &Asker{records: parley.NewMemoryStore()}
		about, digest, err := target{Name: "t"}.read()
		if err != nil {
			t.Fatal(err)
		}
		p := newPage(parley.Principal{Tenant: parley.DefaultTenant, User: "alice"}, about, digest, client{})
		large := json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`)
		p.Once = map[string]done{"large": {Finished: true, Value: large}}
		for range 12 {
			p.keepUntil(now().Add(time.Hour))
			if err := a.save(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
			again, err := a.read(t.Context(), p.record.Address)
			if err != nil || string(again.Once["large"].Value) != string(large) {
				t.Fatal(err)
			}
			p = again
		}
		if err := a.remove(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		if left, err := a.records.Scan(t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: pieceKind}, "", 0); err != nil || len(left) > 0 {
			t.Errorf("%d pieces are left: %v", len(left), err)
		}
	})
}
