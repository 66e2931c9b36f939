package permit_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/storetest"
)

// onEveryStore runs a test with two processes over one store of each kind.
func onEveryStore(t *testing.T, test func(t *testing.T, one, two *site)) {
	file := filepath.Join(t.TempDir(), "parley.db")
	for name, url := range map[string]func(*testing.T) string{
		"memory":   nil,
		"sqlite":   func(*testing.T) string { return "sqlite:" + file },
		"postgres": func(t *testing.T) string { return servers.Postgres(t) },
		"redis":    func(t *testing.T) string { return servers.Redis(t) },
	} {
		t.Run(name, func(t *testing.T) {
			if url == nil {
				one := newSite(t, nil)
				test(t, one, one.again(t, nil))
				return
			}
			space := "permit_" + strings.ToLower(rand.Text()[:10])
			one := newSiteOn(t, open(t, url(t), space), nil, nil)
			two := newSiteOn(t, open(t, url(t), space), nil, nil)
			two.server = one.server
			test(t, one, two)
		})
	}
}

func open(t *testing.T, url, space string) storetest.Backend {
	t.Helper()
	store, err := backend.Open(t.Context(), url, &backend.Options{Space: space, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

// race executes calls at the same moment, in turn by the two processes, and
// returns how each ended.
func race(t *testing.T, one, two *site, calls []permit.Call) []error {
	t.Helper()
	errs := make([]error, len(calls))
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i, c := range calls {
		s := one
		if i%2 == 1 {
			s = two
		}
		wg.Go(func() {
			<-start
			errs[i] = s.execute(t, c)
		})
	}
	close(start)
	wg.Wait()
	return errs
}

func repeated(n int, c func(i int) permit.Call) []permit.Call {
	calls := make([]permit.Call, n)
	for i := range calls {
		calls[i] = c(i)
	}
	return calls
}

func TestOfManyThatUseOneApprovalAtOnceOneSucceeds(t *testing.T) {
	onEveryStore(t, func(t *testing.T, one, two *site) {
		for round := range 10 {
			call := with(transfer(), func(c *permit.Call) { c.ID = fmt.Sprint("round ", round) })
			one.decided(t, call, permit.AllowOnce)
			errs := race(t, one, two, repeated(64, func(int) permit.Call { return call }))
			won := 0
			for _, err := range errs {
				switch {
				case err == nil:
					won++
				case !errors.Is(err, permit.ErrConsumed):
					t.Errorf("a loser was told %v", err)
				}
			}
			if won != 1 || one.server.ids[call.ID] != 1 {
				t.Fatalf("round %d: %d succeeded, the server was called %d times", round, won, one.server.ids[call.ID])
			}
		}
	})
}

func TestTwoCallsCannotShareOneApproval(t *testing.T) {
	onEveryStore(t, func(t *testing.T, one, two *site) {
		approved := with(transfer(), func(c *permit.Call) { c.ID = "call 7" })
		one.decided(t, approved, permit.AllowOnce)
		errs := race(t, one, two, repeated(16, func(i int) permit.Call {
			return with(transfer(), func(c *permit.Call) { c.ID = fmt.Sprint("call ", i) })
		}))
		for i, err := range errs {
			if i == 7 && err != nil || i != 7 && !errors.Is(err, permit.ErrNotPermitted) {
				t.Errorf("call %d: %v", i, err)
			}
		}
		if n := one.server.count(); n != 1 {
			t.Errorf("executed %d times", n)
		}
	})
}

func TestAStandingPermissionLetsManyThroughAndEachOnce(t *testing.T) {
	onEveryStore(t, func(t *testing.T, one, two *site) {
		one.decided(t, transfer(), permit.AlwaysAllow)
		const calls = 12
		race(t, one, two, repeated(2*calls, func(i int) permit.Call { return numbered(i / 2) }))
		for i := range calls {
			if n := one.server.ids[numbered(i).ID]; n != 1 {
				t.Errorf("call %d was made %d times", i, n)
			}
		}
		list := one.listed(t, "alice")
		if len(list) != 1 || list[0].Uses < calls || list[0].Uses > 2*calls {
			t.Errorf("%+v", list)
		}
	})
}

// One process has a standing permission for the call, the other an approval of
// its own.
func TestTwoPermissionsDoNotMakeOneCallTwice(t *testing.T) {
	onEveryStore(t, func(t *testing.T, one, two *site) {
		for round := range 10 {
			tool := fmt.Sprint("tool", round)
			call := with(transfer(), func(c *permit.Call) { c.ID, c.Tool = fmt.Sprint("round ", round), tool })
			always := with(call, func(c *permit.Call) { c.ID += ", another" })
			one.decided(t, always, permit.AlwaysAllow)
			q := two.ask(t, call)
			two.answer(t, q, says(permit.AllowOnce))
			var wg sync.WaitGroup
			wg.Go(func() { _ = one.execute(t, call) })
			wg.Go(func() {
				if _, err := two.Record(t.Context(), call, q.ID); err == nil {
					_ = two.execute(t, call)
				}
			})
			wg.Wait()
			if n := one.server.ids[call.ID]; n != 1 {
				t.Fatalf("round %d: made %d times", round, n)
			}
		}
	})
}

// Once Revoke has returned, nothing is let through.
func TestRevokingAndUsingRaceWithOneWinner(t *testing.T) {
	onEveryStore(t, func(t *testing.T, one, two *site) {
		for round := range 20 {
			call := with(transfer(), func(c *permit.Call) { c.ID = fmt.Sprint("round ", round) })
			d := one.decided(t, call, permit.AllowOnce)
			var used, revoked error
			var wg sync.WaitGroup
			wg.Go(func() { used = one.execute(t, call) })
			wg.Go(func() { revoked = two.Revoke(t.Context(), "", "alice", d.Grant) })
			wg.Wait()
			switch {
			case used == nil && errors.Is(revoked, permit.ErrConsumed):
			case revoked == nil && errors.Is(used, permit.ErrNotPermitted):
			default:
				t.Fatalf("used: %v, revoked: %v", used, revoked)
			}
		}
	})
}

func TestManyRecordOneAnswer(t *testing.T) {
	onEveryStore(t, func(t *testing.T, one, two *site) {
		for _, choice := range []permit.Choice{permit.AllowOnce, permit.AlwaysAllow, permit.Refuse} {
			call := with(transfer(), func(c *permit.Call) { c.ID, c.Tool = string(choice), string(choice) })
			q := one.ask(t, call)
			one.answer(t, q, says(choice))
			decisions := make([]permit.Decision, 16)
			var wg sync.WaitGroup
			for i := range decisions {
				wg.Go(func() {
					var err error
					if decisions[i], err = []*site{one, two}[i%2].Record(t.Context(), call, q.ID); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			for _, d := range decisions {
				if !reflect.DeepEqual(d, decisions[0]) {
					t.Errorf("%s: %+v and %+v", choice, d, decisions[0])
				}
			}
		}
		if list := one.listed(t, "alice"); len(list) != 3 {
			t.Errorf("%+v", list)
		}
	})
}
