package vault_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// asksForItself checks that a server did not get another's connection.
func (w *world) asksForItself(server string, id parley.ID) {
	w.t.Helper()
	time.Sleep(time.Minute)
	synctest.Wait()
	w.waits(id)
	if offer, err := w.Offer(w.t.Context(), alice, id); err != nil || offer.Connected {
		w.t.Errorf("its page: %+v, %v", offer, err)
	}
	if _, err := w.Credential(w.t.Context(), needs(server)); !errors.Is(err, vault.ErrRequired) {
		w.t.Errorf("%s has a credential: %v", server, err)
	}
}

// finish is alice's way from the provider back.
func (w *world) finish(to string) {
	w.t.Helper()
	time.Sleep(time.Second)
	if _, err := w.Callback(w.t.Context(), alice, "acme", w.acme.authorize(w.t, to)); err != nil {
		w.t.Fatal(err)
	}
}

// What a person agrees to is what the page named. A server that asks while they are
// at the provider was not on it.
func TestAServerThatAskedAfterThePageWasShownKeepsItsOwnQuestion(t *testing.T) {
	for name, between := range map[string]func(w *world, q parley.Request) (parley.Request, string){
		"after the page": func(w *world, q parley.Request) (parley.Request, string) {
			shown := w.others(alice, q)
			late := w.ask(alice, "wiki")
			return late, w.begin(alice, q, "acme", shown...)
		},
		"after the person agreed": func(w *world, q parley.Request) (parley.Request, string) {
			to := w.begin(alice, q, "acme", w.others(alice, q)...)
			return w.ask(alice, "wiki"), to
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := lookingWorld(t, twins)
				q := w.ask(alice, "tracker")
				time.Sleep(time.Second)
				late, to := between(w, q)
				w.finish(to)
				w.asksForItself("wiki", late.ID)
			})
		})
	}
}

func TestAPageNamesTheServersThatWaitForTheSameAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(o *vault.Options) {
			twins(o)
			o.Providers[0].Tenants = []string{"*"}
		})
		if err := w.PutServer(t.Context(), "", vault.Server{Name: "own", URL: "https://own.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Provider: "acme"}}); err != nil {
			t.Fatal(err)
		}
		q := w.ask(alice, "tracker")
		if got := w.others(alice, q); len(got) != 0 {
			t.Errorf("nobody else waits, and it names %+v", got)
		}
		for _, server := range []string{"wiki", "wiki", "boards", "notes", "keyed", "own"} {
			w.ask(alice, server)
		}
		w.ask(bob, "board2")
		wiki := vault.Other{Server: "wiki", Title: "Wiki", URL: "https://wiki.example/mcp", Origin: "https://wiki.example:443"}
		if diff := cmp.Diff([]vault.Other{wiki}, w.others(alice, q)); diff != "" {
			t.Errorf("tracker's page names (-want +got)\n%s", diff)
		}
		w.ask(alice, "board2")
		boards := w.ask(alice, "boards")
		if got := w.others(alice, boards); len(got) != 1 || got[0].Server != "board2" || got[0].Title != "board2" {
			t.Errorf("the page of more scopes names %+v", got)
		}
	})
}

// A link makes no server one that a page names: any site can send a person there.
func TestAPageDoesNotNameWhatALinkAskedFor(t *testing.T) {
	w := newWorld(t, twins)
	if _, _, err := w.Invite(t.Context(), alice, "wiki"); err != nil {
		t.Fatal(err)
	}
	if got := w.others(alice, w.ask(alice, "tracker")); len(got) != 0 {
		t.Errorf("it names %+v", got)
	}
}

// What the form says again is held against what waits, and the rest is what was recorded.
func TestOnlyWhatWaitsUnderTheNameThatWasShownIsAgreedTo(t *testing.T) {
	wiki := vault.Other{Server: "wiki", Origin: "https://wiki.example:443"}
	for name, c := range map[string]struct {
		shown  []vault.Other
		shares bool
	}{
		"as shown":        {[]vault.Other{{Server: "elsewhere"}, wiki}, true},
		"nothing":         {nil, false},
		"another server":  {[]vault.Other{{Server: "boards", Origin: wiki.Origin}}, false},
		"another place":   {[]vault.Other{{Server: "wiki", Origin: "https://evil.example:443"}}, false},
		"without a place": {[]vault.Other{{Server: "wiki"}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := lookingWorld(t, twins)
				waits, q := w.ask(alice, "wiki"), w.ask(alice, "tracker")
				w.finish(w.begin(alice, q, "acme", c.shown...))
				if c.shares {
					w.resolves(waits.ID, 10*time.Second)
				} else {
					w.asksForItself("wiki", waits.ID)
				}
			})
		})
	}
}

// A server that is named before it waits gets nothing when it asks later.
func TestAServerThatDidNotWaitCannotBeAgreedTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := lookingWorld(t, twins)
		q := w.ask(alice, "tracker")
		to := w.begin(alice, q, "acme", vault.Other{Server: "wiki", Origin: "https://wiki.example:443"})
		late := w.ask(alice, "wiki")
		w.finish(to)
		w.asksForItself("wiki", late.ID)
	})
}
