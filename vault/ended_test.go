package vault_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// slowly is a provider whose answer with a token waits until answer is closed, after it has
// granted it.
func slowly(a *authServer, answer chan struct{}) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.ServeHTTP(w, r)
		if r.URL.Path == "/token" {
			<-answer
		}
	})
}

func TestADisconnectedAccountIsNotBackWhenItsRefreshEnds(t *testing.T) {
	for name, change := range map[string]func(*vault.Options){
		"with revocation":    nil,
		"without revocation": func(o *vault.Options) { o.Providers[0].RevokeURL = "" },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, change)
				w.connect(alice, "tracker", w.acme, "acme")
				time.Sleep(2 * time.Hour)
				answer := make(chan struct{})
				w.web.mu.Lock()
				w.web.hosts["acme.example"] = slowly(w.acme, answer)
				w.web.mu.Unlock()
				got := make(chan error)
				go func() {
					_, err := w.another().Credential(t.Context(), needs("tracker"))
					got <- err
				}()
				synctest.Wait()
				// In another process than the one that refreshes.
				if err := w.Disconnect(t.Context(), vault.Key{Server: "tracker", Scope: vault.User, Owner: "alice"}); err != nil {
					t.Fatal(err)
				}
				close(answer)
				if err := <-got; !errors.As(err, new(*vault.RequiredError)) {
					t.Errorf("who refreshed is given a credential, or %v", err)
				}
				if _, err := w.Credential(t.Context(), needs("tracker")); !errors.As(err, new(*vault.RequiredError)) {
					t.Errorf("the account is connected again: %v", err)
				}
				all, err := w.Connections(t.Context(), parley.DefaultTenant, vault.User, "alice")
				if err != nil || len(all) != 0 {
					t.Errorf("%+v, %v", all, err)
				}
				if change == nil {
					w.acme.mu.Lock()
					defer w.acme.mu.Unlock()
					for _, one := range w.acme.tokens[len(w.acme.tokens)-2:] {
						if !slices.Contains(w.acme.revoked, one) {
							t.Error("the provider was not told of the token that came meanwhile")
						}
					}
				}
			})
		})
	}
}

func TestATokenThatWasDroppedIsNotBackWhenItsRenewalEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		if err := w.Hold(t.Context(), held, vault.Token{Access: "first", Refresh: "r", Expires: time.Now().Add(time.Minute)}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		asked, got := make(chan struct{}), make(chan error)
		go func() {
			_, err := w.Held(t.Context(), held, func(context.Context, string) (vault.Token, error) {
				<-asked
				return vault.Token{Access: "second", Refresh: "r2", Expires: time.Now().Add(time.Hour)}, nil
			})
			got <- err
		}()
		synctest.Wait()
		if err := w.Drop(t.Context(), held); err != nil {
			t.Fatal(err)
		}
		close(asked)
		if err := <-got; !errors.Is(err, vault.ErrRenewal) {
			t.Errorf("who renewed it has it, or %v", err)
		}
		if _, err := w.Held(t.Context(), held, nil); !errors.Is(err, parley.ErrNotFound) {
			t.Errorf("it is there again: %v", err)
		}
	})
}

// The provider takes its time, and the person says no on another surface meanwhile.
func TestWhoDeclinesWhileTheProviderAnswersIsNotConnected(t *testing.T) {
	w := newWorld(t, nil)
	q := w.ask(alice, "tracker")
	answer := w.acme.authorize(t, w.begin(alice, q, "acme"))
	var once sync.Once
	w.acme.set(func(a *authServer) {
		a.during = func() {
			once.Do(func() {
				if err := w.Decline(t.Context(), alice, q.ID); err != nil {
					t.Error(err)
				}
			})
		}
	})
	if _, err := w.Callback(t.Context(), alice, "acme", answer); !errors.Is(err, parley.ErrSettled) {
		t.Errorf("callback: %v", err)
	}
	if _, err := w.Credential(t.Context(), needs("tracker")); !errors.As(err, new(*vault.RequiredError)) {
		t.Errorf("connected: %v", err)
	}
	if o := w.outcome(q.ID); o == nil || o.Action != parley.Decline {
		t.Errorf("%+v", o)
	}
	w.acme.mu.Lock()
	defer w.acme.mu.Unlock()
	for _, one := range w.acme.tokens {
		if !slices.Contains(w.acme.revoked, one) {
			t.Error("the provider was not told of a token that nobody wants")
		}
	}
}

// Some providers end all tokens of an account with one.
func TestWhoDeclinesMoreKeepsTheConnectionThatTheyHave(t *testing.T) {
	w := newWorld(t, nil)
	w.connect(alice, "tracker", w.acme, "acme")
	cred, err := w.Credential(t.Context(), needs("tracker"))
	if err != nil {
		t.Fatal(err)
	}
	wants := &http.Response{StatusCode: http.StatusForbidden, Header: http.Header{"Www-Authenticate": {`Bearer error="insufficient_scope", scope="write"`}}}
	if err := w.Reject(t.Context(), cred, wants); err != nil {
		t.Fatal(err)
	}
	q := w.ask(alice, "tracker")
	answer := w.acme.authorize(t, w.begin(alice, q, "acme"))
	var once sync.Once
	w.acme.set(func(a *authServer) {
		a.during = func() { once.Do(func() { _ = w.Decline(t.Context(), alice, q.ID) }) }
	})
	if _, err := w.Callback(t.Context(), alice, "acme", answer); !errors.Is(err, parley.ErrSettled) {
		t.Errorf("callback: %v", err)
	}
	w.acme.mu.Lock()
	defer w.acme.mu.Unlock()
	if len(w.acme.revoked) != 0 {
		t.Errorf("revoked %d tokens", len(w.acme.revoked))
	}
}
