package asking_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/asking"
	"github.com/parley-hq/parley/storetest"
)

// fill asks somebody as much as a program may at once.
func (n *node) fill(t *testing.T, name string) (open []parley.ID) {
	t.Helper()
	for range 20 {
		open = append(open, n.ask(t, ci(), asking.Question{To: name, Message: "And this?", TTL: 24 * time.Hour}).ID)
	}
	return open
}

// run has a node do what it does besides.
func (n *node) run(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	go func() { _ = n.hub.Run(ctx) }()
	go func() { _ = n.Run(ctx) }()
	t.Cleanup(func() { stop(); synctest.Wait() })
}

func TestAGroupExpiresInTimeThoughOneOfItHadNoRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(t, nil)
		n.run(t)
		open := n.fill(t, "alice")
		st := n.ask(t, ci(), asking.Question{Group: "oncall", TTL: 6 * time.Second})
		got, err := n.Wait(t.Context(), ci().Principal, st.ID)
		if err != nil || got.Pending() || got.Outcome.Action != parley.Expire || !got.Outcome.At.Equal(st.Expires) {
			t.Fatalf("%+v, %v", got.Outcome, err)
		}
		if late := time.Since(st.Expires); late > 5*time.Second {
			t.Errorf("the program is told %v late", late)
		}
		if _, err := n.Cancel(t.Context(), ci().Principal, open[0], "there is room now"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Minute)
		if left := len(n.inbox(t, "alice")); left != 19 {
			t.Errorf("alice has %d questions, she was asked after the time was over", left)
		}
		_, err = n.Cancel(t.Context(), ci().Principal, st.ID, "late")
		wantError(t, err, parley.ErrSettled)
	})
}

func TestWhoHadNoRoomDidNotAnswerWhenTheTimeIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(t, &asking.Options{Groups: map[string][]string{"pair": {"alice", "bob"}}})
		n.run(t)
		n.fill(t, "alice")
		q := asking.Question{Group: "pair", TTL: time.Minute, Key: "k"}
		st := n.ask(t, ci(), q)
		n.says(t, "bob", parley.Decline, "")
		if again := n.ask(t, ci(), q); again.ID != st.ID || !again.Pending() {
			t.Errorf("asked again under its key: %+v", again)
		}
		got, err := n.Wait(t.Context(), ci().Principal, st.ID)
		if err != nil || got.Pending() || got.Outcome.Action != parley.Decline || got.Outcome.By != "bob" || !got.Outcome.At.Equal(st.Expires) {
			t.Fatalf("%+v, %v", got.Outcome, err)
		}
		if late := time.Since(st.Expires); late > 10*time.Second {
			t.Errorf("the program is told %v late", late)
		}
	})
}

func TestWhoGetsRoomInTimeIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(t, nil)
		n.run(t)
		open := n.fill(t, "alice")
		n.ask(t, ci(), asking.Question{Group: "oncall", TTL: time.Hour})
		if _, err := n.Cancel(t.Context(), ci().Principal, open[0], "there is room now"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if left := len(n.inbox(t, "alice")); left != 20 {
			t.Errorf("alice has %d questions", left)
		}
	})
}

func TestAGroupOfWhomNobodyHasRoomIsNotAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(t, nil)
		n.run(t)
		for _, name := range []string{"alice", "bob", "carol"} {
			n.fill(t, name)
		}
		for need := 1; need <= 3; need++ {
			_, _, err := n.Ask(t.Context(), ci(), asking.Question{Group: "oncall", Need: need, Message: "Really?"})
			wantError(t, err, asking.ErrOften)
			wantError(t, err, parley.ErrTooManyPending)
		}
	})
}

// A program that tries again and again leaves nothing behind.
func TestAGroupOfWhomTooFewHaveRoomIsNotAskedAtAll(t *testing.T) {
	calls := &called{}
	n := newNode(t, &asking.Options{
		Groups:    map[string][]string{"oncall": {"alice", "bob", "carol"}},
		Callbacks: calls,
	})
	n.fill(t, "alice")
	before, _ := n.store.List(t.Context(), parley.Query{Limit: parley.MaxLimit})
	by := ci()
	by.Secret = "secret"
	for range 3 {
		for _, q := range []asking.Question{{Group: "oncall", Need: 3}, {To: "alice"}} {
			q.Message, q.Key, q.Callback = "Really?", "k", "https://ci.example/done"
			_, _, err := n.Ask(t.Context(), by, q)
			wantError(t, err, asking.ErrOften)
			wantError(t, err, parley.ErrTooManyOfAsker)
		}
	}
	after, _ := n.store.List(t.Context(), parley.Query{Limit: parley.MaxLimit})
	if len(after) != len(before) {
		t.Errorf("%d questions were opened", len(after)-len(before))
	}
	for _, name := range []string{"bob", "carol"} {
		all, err := n.hub.List(t.Context(), person(name), parley.Query{})
		if err != nil || len(all) > 0 {
			t.Errorf("%s has %+v, %v", name, all, err)
		}
	}
	if len(calls.expected) > 0 {
		t.Errorf("a call is expected of %v", calls.expected)
	}
}

// called takes down which calls are expected.
type called struct{ expected []parley.ID }

func (c *called) Check(asking.Callback) error { return nil }

func (c *called) Expect(_ context.Context, cb asking.Callback) error {
	c.expected = append(c.expected, cb.Question)
	return nil
}

// Somebody else asks while they are looked at.
func TestAGroupWhoseRoomIsGoneInBetweenIsWithdrawn(t *testing.T) {
	store := &filling{Backend: parley.NewMemoryStore()}
	n := startNode(store, nil)
	n.fill(t, "carol")
	full, err := store.List(t.Context(), parley.Query{Tenant: "default", To: "carol"})
	if err != nil || len(full) != 20 {
		t.Fatal(len(full), err)
	}
	store.before = 1
	_, _, err = n.Ask(t.Context(), ci(), asking.Question{Group: "oncall", Need: 3, Message: "Really?"})
	wantError(t, err, asking.ErrOften)
	for _, name := range []string{"alice", "bob"} {
		if left := n.inbox(t, name); len(left) > 0 {
			t.Errorf("%s still has %+v", name, left)
		}
	}
}

// filling is a store that shows nothing of carol's the first times.
type filling struct {
	storetest.Backend
	before int
}

func (f *filling) List(ctx context.Context, q parley.Query) ([]parley.Request, error) {
	if q.To == "carol" && f.before > 0 {
		f.before--
		return nil, nil
	}
	return f.Backend.List(ctx, q)
}

// A process dies between the record and the questions, and nobody comes back in time.
func TestWhatWasNotAskedInTimeExpires(t *testing.T) {
	for _, q := range []asking.Question{{To: "alice"}, {Group: "oncall"}} {
		synctest.Test(t, func(t *testing.T) {
			q.Message, q.Key, q.TTL = "Really?", "k", time.Minute
			store := parley.NewMemoryStore()
			dying := &mortal{Backend: store}
			dying.left.Store(2)
			if q.Group != "" {
				dying.left.Store(3)
			}
			_, _, err := startNode(dying, nil).Ask(t.Context(), ci(), q)
			wantError(t, err, errDead)
			time.Sleep(time.Hour)
			st := startNode(store, nil).ask(t, ci(), q)
			if st.Pending() || st.Outcome.Action != parley.Expire {
				t.Errorf("%+v", st.Outcome)
			}
		})
	}
}

var errBroken = errors.New("this question cannot be read")

// broken is a store that cannot read somebody's questions.
type broken struct {
	storetest.Backend
	whose atomic.Value
}

func (b *broken) Get(ctx context.Context, id parley.ID) (parley.Request, error) {
	q, err := b.Backend.Get(ctx, id)
	if err == nil && q.To == b.whose.Load() {
		return parley.Request{}, errBroken
	}
	return q, err
}

func TestAQuestionThatCannotBeReadHidesNoOtherOfItsGroup(t *testing.T) {
	for answered := range 2 {
		synctest.Test(t, func(t *testing.T) {
			store := &broken{Backend: parley.NewMemoryStore()}
			n := startNode(store, nil)
			n.run(t)
			st := n.ask(t, ci(), asking.Question{Group: "oncall", TTL: time.Minute})
			store.whose.Store("alice")
			if got := n.get(t, ci(), st.ID); !got.Pending() {
				t.Errorf("%+v", got.Outcome)
			}
			want := parley.Expire
			if answered == 1 {
				want = parley.Accept
				n.says(t, "bob", parley.Accept, "")
			}
			got, err := n.Wait(t.Context(), ci().Principal, st.ID)
			if err != nil || got.Pending() || got.Outcome.Action != want {
				t.Fatalf("%+v, %v", got.Outcome, err)
			}
			if late := time.Since(st.Expires); late > 2*time.Minute {
				t.Errorf("the program is told %v late", late)
			}
			if len(n.inbox(t, "carol")) > 0 {
				t.Error("carol is still asked")
			}
		})
	}
}
