package mcpcall_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/mcpcall"
)

func TestAConnectionIsSharedByItsOwnersCallsAndNobodyElses(t *testing.T) {
	f := &fixture{}
	f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{})
	one, two := f.acquire(t, person("alice")), f.acquire(t, person("alice"))
	if one != two {
		t.Error("two calls of one person have two connections")
	}
	other := person("alice")
	for name, change := range map[string]func(){
		"user":    func() { other = person("bob") },
		"tenant":  func() { other = person("alice"); other.Tenant = "globex" },
		"session": func() { other = person("alice"); other.Session = "s" },
		"ability": func() { other = person("alice"); other.Able = `,"roots":{}` },
	} {
		change()
		if c := f.acquire(t, other); c == one {
			t.Errorf("another %s has the connection", name)
		}
	}
}

func TestAnOlderServerHasOneCallOnAConnectionWhereThatIsWanted(t *testing.T) {
	for name, modern := range map[string]bool{"older": false, "modern": true} {
		t.Run(name, func(t *testing.T) {
			f := &fixture{modern: modern}
			f.start(t, mcpcall.ConnOptions{Exclusive: true}, mcpcall.CacheOptions[*tools]{})
			one, two := f.acquire(t, person("alice")), f.acquire(t, person("alice"))
			if (one == two) != modern {
				t.Errorf("shared: %v", one == two)
			}
			one.Release(true)
			two.Release(false) // its server may yet ask about the call
			if c := f.acquire(t, person("alice")); c != one {
				t.Error("the free connection is not used again")
			}
			if c := f.acquire(t, person("alice")); !modern && c == two {
				t.Error("the connection of a call that was given up is used again")
			}
		})
	}
}

func TestAnonymousCallersShareNoSession(t *testing.T) {
	f := &fixture{}
	f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{})
	one := f.acquire(t, person(""))
	if two := f.acquire(t, person("")); one == two {
		t.Error("two anonymous calls have one session")
	}
	one.Release(true)
	<-one.Wire().Done() // nobody else gets it
}

func TestAConnectionIsClosedWhenItWasIdleForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fixture{}
		f.start(t, mcpcall.ConnOptions{IdleTimeout: time.Minute}, mcpcall.CacheOptions[*tools]{})
		defer f.close()
		c := f.acquire(t, person("alice"))
		time.Sleep(time.Hour)
		if c.Wire().Err() != nil {
			t.Fatal("it was closed while it was used")
		}
		c.Release(true)
		time.Sleep(59 * time.Second)
		if again := f.acquire(t, person("alice")); again != c {
			t.Fatal("it was closed too early")
		}
		c.Release(true)
		began := time.Now()
		<-c.Wire().Done()
		if d := time.Since(began); d != time.Minute {
			t.Errorf("it was closed after %v", d)
		}
	})
}

func TestABrokenConnectionIsNotHandedOut(t *testing.T) {
	f := &fixture{}
	f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{})
	broken := f.acquire(t, person("alice"))
	broken.Release(true)
	f.fail(false)
	<-broken.Wire().Done()
	if c := f.acquire(t, person("alice")); c == broken {
		t.Error("a broken connection is handed out")
	}
	lost := f.acquire(t, person("alice"))
	lost.Lose()
	if lost.Wire().Err() != nil {
		t.Error("it was closed while it was used")
	}
	if c := f.acquire(t, person("alice")); c == lost {
		t.Error("a connection that the server does not know is handed out")
	}
}

func TestAServerThatIsConfiguredAnewHasNewConnections(t *testing.T) {
	f := &fixture{}
	f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{})
	before := f.acquire(t, person("alice"))
	moved := at
	moved.URL += "/elsewhere"
	if c, err := f.calls.Conns.Acquire(t.Context(), person("alice"), moved); err != nil || c == before {
		t.Errorf("the old connection is used, %v", err)
	}
	before.Release(true)
	<-before.Wire().Done()
}

func TestConnectionsAreBoundedForEachPersonAndInAll(t *testing.T) {
	f := &fixture{}
	f.start(t, mcpcall.ConnOptions{Exclusive: true, PerPerson: 2, InAll: 3}, mcpcall.CacheOptions[*tools]{})
	mine := f.acquire(t, person("alice"))
	f.acquire(t, person("alice"))
	_, err := f.calls.Conns.Acquire(t.Context(), person("alice"), at)
	told(t, err, "fixture cannot be used just now: this user has 2 calls of it under way already. Make the call again when one of them is over.")
	f.acquire(t, person("bob"))
	_, err = f.calls.Conns.Acquire(t.Context(), person("carol"), at)
	told(t, err, "fixture cannot be used just now: too many others use it. Make the call again later.")
	mine.Release(true)
	f.acquire(t, person("carol")) // the idle one makes room
	<-mine.Wire().Done()
}

func TestNoConnectionIsMadeAfterClose(t *testing.T) {
	f := &fixture{}
	f.start(t, mcpcall.ConnOptions{}, mcpcall.CacheOptions[*tools]{})
	c := f.acquire(t, person("alice"))
	f.close()
	<-c.Wire().Done() // although it is used
	if _, err := f.calls.Conns.Acquire(t.Context(), person("alice"), at); !errors.Is(err, mcpcall.ErrClosed) {
		t.Error(err)
	}
}
