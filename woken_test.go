package parley_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
)

// Who is woken by another process counts, with how late it was; who answers here,
// comes late, or sees a question expire does not.
func TestAWaiterThatAnotherProcessWokeIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		woken := make(chan time.Duration, 10)
		here := parley.New(store, &parley.Options{Woken: func(late time.Duration) { woken <- late }})
		there := parley.New(store, nil)
		run(t, here)
		synctest.Wait()

		q := open(t, here, confirm())
		came := asked(t, here, q.ID)
		synctest.Wait()
		time.Sleep(time.Second)
		if err := there.Answer(t.Context(), alice, q.ID, yes()); err != nil {
			t.Fatal(err)
		}
		<-came
		if n := len(woken); n != 1 {
			t.Fatalf("told of %d", n)
		}
		if late := <-woken; late < 0 || late > time.Second {
			t.Errorf("%v late", late)
		}

		if _, err := here.Wait(t.Context(), q.ID); err != nil { // it is settled already
			t.Fatal(err)
		}
		own, expires := open(t, here, confirm()), open(t, here, confirm())
		came, over := asked(t, here, own.ID), asked(t, here, expires.ID)
		synctest.Wait()
		if err := here.Answer(t.Context(), alice, own.ID, yes()); err != nil {
			t.Fatal(err)
		}
		<-came
		<-over
		if n := len(woken); n != 0 {
			t.Errorf("told of %d that nobody else woke", n)
		}
	})
}

// Who expects a question is there before it is: an answer that comes right after it was
// opened is heard at once, whichever process it comes from.
func TestAQuestionIsExpectedBeforeItIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		woken := make(chan time.Duration, 10)
		here := parley.New(store, &parley.Options{Woken: func(late time.Duration) { woken <- late }})
		there := parley.New(store, nil)
		run(t, here)
		synctest.Wait()
		for _, by := range []*parley.Hub{here, there} {
			q := confirm()
			q.ID = parley.NewID()
			came := make(chan error, 1)
			go func() {
				_, err := here.Expect(t.Context(), q.ID)
				came <- err
			}()
			time.Sleep(time.Minute) // it looks now and then
			synctest.Wait()
			began := time.Now()
			open(t, by, q)
			if err := by.Answer(t.Context(), alice, q.ID, yes()); err != nil {
				t.Fatal(err)
			}
			if err := <-came; err != nil || time.Since(began) > 0 {
				t.Errorf("%v after %v", err, time.Since(began))
			}
		}
		if n := len(woken); n != 0 {
			t.Errorf("told of %d that had not begun to wait", n)
		}
	})
}

func TestNodesAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		one, two := parley.NewNode(store, nil), parley.NewNode(store, nil)
		ctx := t.Context()
		for _, n := range []*parley.Node{one, two} {
			go func() { _ = n.Run(ctx) }()
		}
		synctest.Wait()
		if n, err := one.Count(t.Context()); err != nil || n != 2 {
			t.Errorf("%d, %v", n, err)
		}
		if n, err := parley.NewNode(nil, nil).Count(t.Context()); err != nil || n != 1 {
			t.Errorf("alone: %d, %v", n, err)
		}
	})
}
