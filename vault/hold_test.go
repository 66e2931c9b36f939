package vault_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

var held = vault.Key{Tenant: parley.DefaultTenant, Server: "slack", Scope: vault.App, Owner: "T1"}

func TestATokenOfTheProgramsOwnIsRenewedByOneOfAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		if err := w.Hold(t.Context(), held, vault.Token{Access: "first", Refresh: "r0", Expires: time.Now().Add(time.Hour)}); err != nil {
			t.Fatal(err)
		}
		var renewed atomic.Int64
		renew := func(_ context.Context, refresh string) (vault.Token, error) {
			n := renewed.Add(1)
			if want := fmt.Sprint("r", n-1); refresh != want {
				return vault.Token{}, fmt.Errorf("%q, want %q: %w", refresh, want, vault.ErrRenewal)
			}
			time.Sleep(time.Second)
			return vault.Token{Access: fmt.Sprint("access ", n), Refresh: fmt.Sprint("r", n), Expires: time.Now().Add(time.Hour)}, nil
		}
		if got, err := w.Held(t.Context(), held, renew); got != "first" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		second := w.another()
		for round := range 3 {
			time.Sleep(time.Hour)
			var all sync.WaitGroup
			for _, v := range []*vault.Vault{w.Vault, second, w.Vault, second} {
				all.Go(func() {
					if got, err := v.Held(t.Context(), held, renew); got != fmt.Sprint("access ", round+1) || err != nil {
						t.Errorf("%q, %v", got, err)
					}
				})
			}
			all.Wait()
		}
		if n := renewed.Load(); n != 3 {
			t.Errorf("renewed %d times", n)
		}
		if strings.Contains(w.rows(), "access 3") {
			t.Error("it is stored as it is")
		}
		for _, scope := range []vault.Scope{vault.User, vault.Platform, vault.Mentor} {
			if all, err := w.Connections(t.Context(), parley.DefaultTenant, scope, "T1"); err != nil || len(all) != 0 {
				t.Errorf("among the connections of %s: %v, %v", scope, all, err)
			}
		}
	})
}

func TestATokenThatIsNotRenewedIsUsedUntilItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		if err := w.Hold(t.Context(), held, vault.Token{Access: "first", Refresh: "r", Expires: time.Now().Add(time.Minute)}); err != nil {
			t.Fatal(err)
		}
		away := func(context.Context, string) (vault.Token, error) { return vault.Token{}, errors.New("no such host") }
		time.Sleep(30 * time.Second)
		if got, err := w.Held(t.Context(), held, away); got != "first" || err != nil {
			t.Errorf("%q, %v; want the one that is good for a while", got, err)
		}
		time.Sleep(time.Minute)
		if got, err := w.Held(t.Context(), held, away); got != "" || err == nil || errors.Is(err, vault.ErrRenewal) {
			t.Errorf("%q, %v; want to hear that it could not be renewed now", got, err)
		}
		refused := func(context.Context, string) (vault.Token, error) { return vault.Token{}, vault.ErrRenewal }
		for range 2 {
			if got, err := w.Held(t.Context(), held, refused); got != "" || !errors.Is(err, vault.ErrRenewal) {
				t.Errorf("%q, %v; want to hear that it is refused", got, err)
			}
		}
		if err := w.Drop(t.Context(), held); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Held(t.Context(), held, refused); !errors.Is(err, parley.ErrNotFound) {
			t.Errorf("%v", err)
		}
		if err := w.Drop(t.Context(), held); err != nil {
			t.Errorf("once more: %v", err)
		}
	})
}
