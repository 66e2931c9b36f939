package vault_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// uses makes a request for somebody.
func (w *world) uses(v *vault.Vault, need vault.Need) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, "https://"+need.Server+".example/mcp", nil)
	if err != nil {
		w.t.Fatal(err)
	}
	answer, err := (&vault.Transport{Vault: v, Need: need, Base: silence{}}).RoundTrip(r)
	if err != nil {
		w.t.Fatal(err)
	}
	answer.Body.Close()
}

// silence is a server that takes everything.
type silence struct{}

func (silence) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusNoContent, Body: http.NoBody, Request: r}, nil
}

func (w *world) used(owner string) time.Time {
	w.t.Helper()
	all, err := w.Connections(w.t.Context(), "", vault.User, owner)
	if err != nil || len(all) != 1 {
		w.t.Fatalf("%v, %v", all, err)
	}
	return all[0].Used
}

// runs has a vault do what it does beside requests, until stop.
func runs(t *testing.T, v *vault.Vault) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = v.Run(ctx)
	}()
	return func() { cancel(); <-done }
}

func (w *world) useRecords() (versions []int64) {
	w.t.Helper()
	page, err := w.store.Scan(w.t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: "connection_use"}, "", 100)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, r := range page {
		versions = append(versions, r.Version)
	}
	return versions
}

func TestLastUseIsWrittenDownBesideRequestsOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		for _, user := range []string{"alice", "bob"} {
			if err := w.Provide(t.Context(), vault.Need{Server: "keyed", User: user}, "key of "+user); err == nil {
				t.Fatal("a key with spaces")
			}
			if err := w.Provide(t.Context(), vault.Need{Server: "keyed", User: user}, "key-of-"+user); err != nil {
				t.Fatal(err)
			}
		}
		stop := runs(t, w.Vault)
		need := vault.Need{Server: "keyed", User: "alice"}
		if _, err := w.Credential(t.Context(), need); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Minute)
		if n := w.useRecords(); len(n) != 0 {
			t.Fatalf("what was only looked up is not used: %v", n)
		}
		for range 600 {
			w.uses(w.Vault, need)
			time.Sleep(time.Second)
		}
		last := time.Now().Add(-time.Second)
		time.Sleep(2 * time.Minute)
		if n := w.useRecords(); len(n) != 1 || n[0] > 13 {
			t.Errorf("600 requests in ten minutes: versions %v", n)
		}
		if at := w.used("alice"); last.Sub(at).Abs() > time.Second {
			t.Errorf("used %v, last %v", at, last)
		}
		if at := w.used("bob"); !at.IsZero() {
			t.Errorf("bob used it at %v", at)
		}
		stop()
	})
}

func TestLastUseIsWrittenDownWhenAProcessStopsAndTheLatestCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		need := vault.Need{Server: "keyed", User: "alice"}
		if err := w.Provide(t.Context(), need, "key"); err != nil {
			t.Fatal(err)
		}
		other := w.another()
		stopOther := runs(t, other)
		w.uses(other, need)
		time.Sleep(time.Second)
		stop := runs(t, w.Vault)
		w.uses(w.Vault, need)
		last := time.Now()
		stop()
		stopOther()
		if at := w.used("alice"); !at.Equal(last.UTC().Truncate(time.Millisecond)) {
			t.Errorf("used %v, last %v", at, last)
		}
	})
}

func TestANewConnectionWasNeverUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		need := vault.Need{Server: "keyed", User: "alice"}
		key := vault.Key{Server: "keyed", Scope: vault.User, Owner: "alice"}
		provide := func() {
			t.Helper()
			if err := w.Provide(t.Context(), need, "key"); err != nil {
				t.Fatal(err)
			}
		}
		provide()
		stop := runs(t, w.Vault)
		w.uses(w.Vault, need)
		time.Sleep(2 * time.Minute)
		if err := w.Disconnect(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		if n := w.useRecords(); len(n) != 0 {
			t.Errorf("%v are left", n)
		}
		provide()
		w.uses(w.Vault, need) // and it is disconnected before that is written down
		if err := w.Disconnect(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Minute)
		provide()
		if at := w.used("alice"); !at.IsZero() {
			t.Errorf("used %v", at)
		}
		stop()
	})
}
