package mcpcall_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
)

const changed = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`

// counting lists another tool each time.
func counting(n int) (string, string) { return fmt.Sprint("t", n), "" }

func (f *fixture) fresh(t *testing.T, user, want string) {
	t.Helper()
	l, err := f.cache.Of(person(user), at).Fresh(t.Context())
	if err != nil || l.names[0] != want {
		t.Errorf("%+v, %v, want %s", l, err, want)
	}
}

func TestAListIsBelievedForItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fixture{lists: counting}
		f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{TTL: time.Minute})
		defer f.close()
		f.fresh(t, "alice", "t1")
		time.Sleep(time.Minute)
		f.fresh(t, "alice", "t1")
		time.Sleep(time.Second)
		f.fresh(t, "alice", "t2") // it is waited for: nobody keeps the list warm
		f.fresh(t, "bob", "t3")
	})
}

func TestAListThatItsServerSaysHasChangedIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fixture{lists: counting}
		f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{TTL: time.Hour})
		defer f.close()
		f.fresh(t, "alice", "t1")
		f.say(changed)
		synctest.Wait()
		if _, listed := f.counts(); listed != 1 {
			t.Error("it is read although nobody wants it")
		}
		f.fresh(t, "alice", "t2")
	})
}

// However often a server says that it has changed: whoever uses the list waits until it may
// be read again, and has no old one meanwhile.
func TestAListThatAlwaysChangesIsReadOnceASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fixture{lists: func(n int) (string, string) { time.Sleep(100 * time.Millisecond); return counting(n) }}
		f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{TTL: time.Hour})
		defer f.close()
		f.fresh(t, "alice", "t1")
		began := time.Now()
		for n := 2; n < 12; n++ {
			f.say(changed)
			synctest.Wait()
			var all sync.WaitGroup
			for i := range 5 { // before it may be read, and while it is
				all.Go(func() {
					time.Sleep(time.Duration(i) * 240 * time.Millisecond)
					f.fresh(t, "alice", fmt.Sprint("t", n))
				})
			}
			all.Wait()
		}
		if _, listed := f.counts(); listed != 11 || time.Since(began) < 10*time.Second {
			t.Errorf("it was read %d times in %v", listed, time.Since(began))
		}
		f.say(changed)
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if l, err := f.cache.Of(person("alice"), at).Current(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%+v, %v", l, err)
		}
	})
}

func TestAWarmListIsUsedWhileItIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, told := &fixture{lists: counting}, 0
		f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{TTL: time.Minute, Warm: true, Changed: func() { told++ }})
		defer f.close()
		f.fresh(t, "alice", "t1")
		time.Sleep(61 * time.Second)
		f.fresh(t, "alice", "t1")
		synctest.Wait()
		f.fresh(t, "alice", "t2")
		f.say(changed)
		time.Sleep(time.Second)
		synctest.Wait()
		f.fresh(t, "alice", "t3") // nobody had to ask for it
		if opened, _ := f.counts(); opened != 1 || told != 3 {
			t.Errorf("%d connections, told of %d changes", opened, told)
		}
	})
}

// However often a server says that it has changed, and however often somebody looks.
func TestAWarmListThatAlwaysChangesIsReadOnceASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fixture{lists: counting}
		f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{TTL: time.Hour, Warm: true})
		defer f.close()
		f.fresh(t, "alice", "t1")
		for range 1000 {
			f.say(changed)
			if _, err := f.cache.Of(person("alice"), at).Current(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond)
		}
		if _, listed := f.counts(); listed < 9 || listed > 11 {
			t.Errorf("it was read %d times in ten seconds", listed)
		}
		time.Sleep(2 * time.Second) // those are read
		// The last change is not lost.
		_, before := f.counts()
		f.say(changed)
		time.Sleep(time.Minute)
		if _, listed := f.counts(); listed != before+1 {
			t.Errorf("it was read %d times after the last change", listed-before)
		}
	})
}

func TestAChangeWhileAWarmListIsReadIsReadLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fixture{lists: func(n int) (string, string) { time.Sleep(100 * time.Millisecond); return counting(n) }}
		f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{TTL: time.Hour, Warm: true})
		defer f.close()
		f.fresh(t, "alice", "t1")
		time.Sleep(time.Minute)
		f.say(changed)
		time.Sleep(50 * time.Millisecond)
		f.say(changed) // t2 may be from before
		time.Sleep(time.Minute)
		if _, listed := f.counts(); listed != 3 {
			t.Errorf("it was read %d times", listed)
		}
	})
}

func TestThoseWhoWaitForAListWaitForOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fixture{lists: func(int) (string, string) { time.Sleep(time.Second); return "t1", "" }}
		f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{})
		defer f.close()
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { f.fresh(t, "alice", "t1") })
		}
		all.Wait()
		if _, listed := f.counts(); listed != 1 {
			t.Errorf("the server listed its tools %d times", listed)
		}
	})
}

func TestAServerThatIsDownIsRememberedAndFoundAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fixture{down: true}
		f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{Warm: true})
		defer f.close()
		list := f.cache.Of(person("alice"), at)
		tries := func(want int) {
			t.Helper()
			if opened, _ := f.counts(); opened != want {
				t.Errorf("tried %d times, want %d", opened, want)
			}
		}
		for range 3 {
			if _, err := list.Current(t.Context()); !errors.Is(err, mcpclient.ErrUnreachable) {
				t.Error(err)
			}
		}
		tries(1)
		if _, err := list.ForCall(t.Context()); err == nil {
			t.Error("a server that is down lists something")
		}
		tries(2) // a call is worth an attempt of its own
		ctx, cancel := context.WithCancel(t.Context())
		var keeping sync.WaitGroup
		keeping.Go(func() { f.cache.Keep(ctx, func(context.Context) {}) })
		time.Sleep(10 * time.Second) // after two, four and four seconds
		tries(4)
		f.fail(false)
		time.Sleep(5 * time.Second)
		if st := f.cache.Status(person("alice"), at); st.Err != nil || st.Listed == nil || st.Listed.Tools != 1 {
			t.Errorf("%+v", st)
		}
		f.fail(true) // the connection breaks: it is looked at at once
		synctest.Wait()
		if st := f.cache.Status(person("alice"), at); st.Err == nil {
			t.Errorf("%+v", st)
		}
		cancel()
		keeping.Wait()
	})
}

// Whatever its server says, and however often somebody calls.
func TestAListThatIsMoreThanIsTakenIsReadSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var small atomic.Bool
		f := &fixture{lists: func(n int) (string, string) {
			if small.Load() {
				return "t1", ""
			}
			return huge, ""
		}}
		f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{TTL: time.Minute, Warm: true})
		defer f.close()
		ctx, cancel := context.WithCancel(t.Context())
		var keeping sync.WaitGroup
		keeping.Go(func() { f.cache.Keep(ctx, func(context.Context) { f.cache.Warm(person("alice"), at) }) })
		defer keeping.Wait()
		defer cancel()
		within := func(what string, most int) {
			t.Helper()
			if _, listed := f.counts(); listed > most {
				t.Errorf("%s: it was read %d times", what, listed)
			}
			f.mu.Lock()
			f.listed = 0
			f.mu.Unlock()
		}
		time.Sleep(time.Hour)
		within("an hour", 24)
		for range 600 {
			f.say(changed)
			time.Sleep(time.Second)
		}
		within("ten minutes of changes", 11)
		for range 600 {
			if _, err := f.cache.Of(person("alice"), at).ForCall(t.Context()); !errors.Is(err, mcpclient.ErrTooLarge) {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		within("ten minutes of calls", 11)
		small.Store(true)
		f.say(changed)
		time.Sleep(time.Minute + time.Second)
		if st := f.cache.Status(person("alice"), at); st.Err != nil || st.Listed == nil {
			t.Errorf("it is small again, and the server says so: %+v", st)
		}
		if opened, _ := f.counts(); opened != 1 {
			t.Errorf("%d connections", opened)
		}
	})
}

func TestACallGoesByTheLastListWhereOnlyTheListFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fixture{lists: func(n int) (string, string) {
			if n > 1 {
				return "", "out of order"
			}
			return "t1", ""
		}}
		f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{TTL: time.Minute})
		defer f.close()
		f.fresh(t, "alice", "t1")
		time.Sleep(2 * time.Minute)
		list := f.cache.Of(person("alice"), at)
		if l, err := list.Fresh(t.Context()); err == nil {
			t.Errorf("%+v", l)
		}
		if l, err := list.ForCall(t.Context()); err != nil || l.names[0] != "t1" {
			t.Errorf("%+v, %v", l, err)
		}
		time.Sleep(11 * time.Minute)
		if l, err := list.ForCall(t.Context()); err == nil {
			t.Errorf("%+v is too old to go by", l)
		}
	})
}

func TestListsAreKeptOnceAndWithinABound(t *testing.T) {
	for name, differ := range map[string]bool{"alike": false, "each their own": true} {
		t.Run(name, func(t *testing.T) {
			f := &fixture{}
			if differ {
				f.lists = counting
			}
			f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{MaxBytes: 200, TTL: time.Hour})
			for n := range 20 {
				if _, err := f.cache.Of(person(fmt.Sprint(n)), at).Fresh(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if bytes, lists := f.cache.Size(); bytes == 0 || bytes > 200 || (lists == 20) == differ {
				t.Errorf("%d bytes of %d lists", bytes, lists)
			}
		})
	}
}
