package pgstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
)

// crowd hears what a herald says, while the connection stands.
type crowd struct {
	mu    sync.Mutex
	away  bool
	heard [][]string
}

func (c *crowd) hear(_ context.Context, ids []string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.away {
		return errors.New("the connection broke")
	}
	c.heard = append(c.heard, slices.Clone(ids))
	return nil
}

func (c *crowd) comes() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.away = false
}

func TestHintsThatCouldNotBeSentAreSentLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &crowd{away: true}
		h, closed := newHerald(c.hear), make(chan struct{})
		go h.run(closed)
		h.tell("a")
		time.Sleep(3 * time.Second)
		h.tell("b")
		synctest.Wait()
		c.comes()
		time.Sleep(time.Second)
		close(closed)
		<-h.idle
		if want := [][]string{{"a", "b"}}; fmt.Sprint(c.heard) != fmt.Sprint(want) {
			t.Errorf("heard %v; want %v", c.heard, want)
		}
	})
}

func TestTooManyHintsBecomeOneThatSaysToLookAtEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &crowd{away: true}
		h, closed := newHerald(c.hear), make(chan struct{})
		go h.run(closed)
		for i := range 3*heraldRoom + 1 {
			h.tell(parley.ID(fmt.Sprint(i)))
		}
		synctest.Wait()
		c.comes()
		time.Sleep(time.Second)
		close(closed)
		<-h.idle
		var all []string
		for _, ids := range c.heard {
			all = append(all, ids...)
		}
		if len(all) > heraldRoom || !slices.Contains(all, "") {
			t.Errorf("heard %d hints; want one that says to look at everything, and few others", len(all))
		}
	})
}

func TestTheLastHintsAreSentBeforeTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &crowd{}
		h, closed := newHerald(c.hear), make(chan struct{})
		h.tell("a")
		close(closed)
		h.run(closed)
		if fmt.Sprint(c.heard) != "[[a]]" {
			t.Errorf("heard %v; want a", c.heard)
		}
		hung := newHerald(func(ctx context.Context, _ []string) error { <-ctx.Done(); return ctx.Err() })
		hung.tell("b")
		ends := make(chan struct{})
		go hung.run(ends)
		synctest.Wait()
		began := time.Now()
		close(ends)
		<-hung.idle
		if took := time.Since(began); took > lastWords {
			t.Errorf("a database that hangs held the end for %v", took)
		}
	})
}
