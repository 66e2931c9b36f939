package mcptool

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/parley-hq/parley"
)

// shaky is a store whose next writes fail, each in its own way.
type shaky struct {
	parley.Records
	next []writeFault
}

// writeFault is how a write fails: with or without having been done.
type writeFault struct{ done bool }

var errShaky = errors.New("the connection is lost")

func (s *shaky) Save(ctx context.Context, r parley.Record) (int64, error) {
	if len(s.next) == 0 {
		return s.Records.Save(ctx, r)
	}
	fault := s.next[0]
	s.next = s.next[1:]
	if fault.done {
		if _, err := s.Records.Save(ctx, r); err != nil {
			return 0, err
		}
	}
	return 0, errShaky
}

// A node that does not know whether it has taken a call does not keep it from everybody for as long as it lives.
func TestACallWhoseTakingIsNotKnownToBeWrittenIsNotHeldForEver(t *testing.T) {
	who := parley.Principal{User: "ann"}
	what, digest, err := target{Method: "tools/call", Name: "pay", Arguments: []byte(`{}`)}.read()
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string]struct {
		abandoned bool // nobody waits for it with a requestState
		goOn      func(a *Asker, state string) (*page, error)
	}{
		"by its requestState": {false, func(a *Asker, state string) (*page, error) {
			p, _, err := a.resume(t.Context(), state, who, digest)
			return p, err
		}},
		"by the same call": {true, func(a *Asker, _ string) (*page, error) {
			return a.takeUp(t.Context(), who, digest, client{session: "s"})
		}},
	}
	faults := map[string][]writeFault{
		"it was written":                                 {{done: true}},
		"it was not written":                             {{done: false}},
		"it was written, and giving it back was not":     {{done: true}, {done: false}, {done: false}},
		"it was written, and giving it back was as well": {{done: true}, {done: true}},
		"only the second was written":                    {{done: false}, {done: true}, {done: false}},
	}
	for name, way := range ways {
		for fault, next := range faults {
			t.Run(name+", "+fault, func(t *testing.T) {
				store := parley.NewMemoryStore()
				records := &shaky{Records: store}
				hub := parley.New(store, nil)
				first, err1 := New(hub, &Options{Records: records, Node: parley.NewNode(store, nil), Logger: silent})
				second, err2 := New(hub, &Options{Records: store, Node: parley.NewNode(store, nil), Logger: silent})
				if err := errors.Join(err1, err2); err != nil {
					t.Fatal(err)
				}
				for _, a := range []*Asker{first, second} {
					t.Cleanup(runNode(a.node))
				}
				p := newPage(who, what, digest, client{session: "s"})
				p.Nonce, p.Abandoned = "n", way.abandoned
				p.keepUntil(time.Now().Add(time.Hour))
				if err := second.save(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				s := state{Tenant: who.Tenant, Key: p.record.Key, User: who.User, Digest: digest, Nonce: p.Nonce}
				token, err := first.sealState(t.Context(), s, time.Now().Add(time.Hour))
				if err != nil {
					t.Fatal(err)
				}
				records.next = next
				if p, err := way.goOn(first, token); err == nil || errors.Is(err, ErrState) {
					t.Fatalf("%v, %v", p, err)
				}
				for len(records.next) > 0 {
					if left := first.pay(t.Context()); left == 0 && len(records.next) > 0 {
						t.Fatal("it is not given back")
					}
				}
				if left := first.pay(t.Context()); left > 0 {
					t.Fatalf("%d wait for the store, which is back", left)
				}
				if p, err := way.goOn(second, token); err != nil || p == nil {
					t.Errorf("another node: %v, %v", p, err)
				}
			})
		}
	}
}
