package vault_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// handful is a source that somebody fills by hand.
type handful struct {
	mu    sync.Mutex
	have  string
	asked int
}

func (d *handful) Fetch(context.Context, vault.Place) (vault.Secret, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	if d.have == "" {
		return vault.Secret{}, vault.ErrNoCredential
	}
	return vault.Secret{Value: d.have}, nil
}

func (d *handful) put(value string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.have = value
}

// lookingWorld is a world whose vault runs: it looks every ten seconds.
func lookingWorld(t *testing.T, change func(*vault.Options)) *world {
	t.Helper()
	w := newWorld(t, change)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := w.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("run: %v", err)
		}
	})
	t.Cleanup(func() { cancel(); running.Wait() })
	return w
}

func (w *world) waits(id parley.ID) {
	w.t.Helper()
	if o := w.outcome(id); o != nil {
		w.t.Errorf("it is settled with %+v", o)
	}
}

// resolves checks that alice's question is accepted within the interval.
func (w *world) resolves(id parley.ID, within time.Duration) {
	w.t.Helper()
	time.Sleep(within)
	synctest.Wait()
	if o := w.outcome(id); o == nil || o.Action != parley.Accept || o.By != "alice" || o.Via != vault.Via {
		w.t.Errorf("after %v the outcome is %+v", within, o)
	}
}

func TestAConnectionThatComesAnotherWayResolvesTheQuestion(t *testing.T) {
	for name, c := range map[string]struct {
		server string
		arrive func(t *testing.T, w *world, d *handful, q parley.Request)
	}{
		"from an administrator": {"keyed", func(t *testing.T, w *world, _ *handful, _ parley.Request) {
			if err := w.Provide(t.Context(), needs("keyed"), "k3y"); err != nil {
				t.Fatal(err)
			}
		}},
		"at its source": {"kept", func(t *testing.T, w *world, d *handful, q parley.Request) {
			if _, err := w.Begin(t.Context(), alice, q.ID, ""); err != nil { // she pressed the button
				t.Fatal(err)
			}
			d.put("k3pt")
		}},
		"by another process whose answer was lost": {"tracker", func(t *testing.T, w *world, _ *handful, q parley.Request) {
			hub := parley.New(w.store, &parley.Options{Hooks: []parley.Hook{
				parley.Before(parley.AnsweringPublish, func(context.Context, *parley.Answering) error { return errors.New("killed") }),
			}})
			other, err := vault.New(hub, w.store, w.keys, &w.opts)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := other.Callback(t.Context(), alice, "acme", w.acme.authorize(t, w.begin(alice, q, "acme"))); err == nil {
				t.Fatal("the question was settled")
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &handful{}
				w := lookingWorld(t, func(o *vault.Options) {
					o.Sources = map[string]vault.Source{"handful": d}
					o.Servers = append(o.Servers, vault.Server{Name: "kept", URL: "https://kept.example/mcp", Auth: vault.Auth{Type: vault.APIKey, Scope: vault.User, Source: "handful"}})
				})
				q, of := w.ask(alice, c.server), w.ask(bob, c.server)
				time.Sleep(time.Minute)
				w.waits(q.ID)
				c.arrive(t, w, d, q)
				w.resolves(q.ID, 10*time.Second)
				w.waits(of.ID) // what is alice's is not bob's
				if _, err := w.Credential(t.Context(), needs(c.server)); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestTheIntervalIsConfigurable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := lookingWorld(t, func(o *vault.Options) { o.Look = 3 * time.Second })
		q := w.ask(alice, "keyed")
		if err := w.Provide(t.Context(), needs("keyed"), "k3y"); err != nil {
			t.Fatal(err)
		}
		w.resolves(q.ID, 3*time.Second)
	})
}

// twins are two servers of the configuration that name the same provider, and some
// that are not so.
func twins(o *vault.Options) {
	user := func(a vault.Auth) vault.Auth { a.Type, a.Scope = vault.OAuth2, vault.User; return a }
	o.Servers = append(o.Servers,
		vault.Server{Name: "wiki", Title: "Wiki", URL: "https://wiki.example/mcp", Auth: user(vault.Auth{Provider: "acme"})},
		vault.Server{Name: "board2", URL: "https://board2.example/mcp", Auth: user(vault.Auth{Service: "boards", Scopes: []string{"boards.read"}})},
	)
}

func TestAConnectionToAnotherServerOfTheSameProviderResolvesTheQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := lookingWorld(t, twins)
		q, of := w.ask(alice, "wiki"), w.ask(bob, "wiki")
		more, other := w.ask(alice, "boards"), w.ask(alice, "notes")
		w.connect(alice, "tracker", w.acme, "acme")
		w.resolves(q.ID, 10*time.Second)
		for name, id := range map[string]parley.ID{"somebody else's": of.ID, "of more scopes": more.ID, "of another provider": other.ID} {
			if o := w.outcome(id); o != nil {
				t.Errorf("%s is settled with %+v", name, o)
			}
		}
		mine, err := w.Credential(t.Context(), needs("tracker"))
		if err != nil {
			t.Fatal(err)
		}
		shared, err := w.Credential(t.Context(), needs("wiki"))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := sent(t, shared, "https://wiki.example/mcp").Get("Authorization"), sent(t, mine, "https://tracker.example/mcp").Get("Authorization"); got != want {
			t.Errorf("wiki is sent %q, tracker %q", got, want)
		}
		r, _ := http.NewRequest(http.MethodPost, "https://tracker.example/mcp", nil)
		if err := shared.Apply(r); !errors.Is(err, vault.ErrOrigin) {
			t.Errorf("it goes elsewhere: %v", err)
		}
		// One token, so one refresh, whoever needs it.
		time.Sleep(2 * time.Hour)
		before := w.acme.granted("refresh_token")
		for _, server := range []string{"wiki", "tracker", "wiki"} {
			if _, err := w.Credential(t.Context(), needs(server)); err != nil {
				t.Fatalf("%s: %v", server, err)
			}
		}
		if n := w.acme.granted("refresh_token") - before; n != 1 {
			t.Errorf("%d refreshes", n)
		}
	})
}

func TestFewerScopesAreCoveredByMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := lookingWorld(t, twins)
		q := w.ask(alice, "board2")
		w.connect(alice, "boards", w.acme, "acme")
		w.resolves(q.ID, 10*time.Second)
	})
}

// What a person connected before a server asked was not meant for it.
func TestAConnectionFromBeforeTheQuestionIsNotTakenForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := lookingWorld(t, twins)
		w.connect(alice, "tracker", w.acme, "acme")
		time.Sleep(time.Minute)
		q := w.ask(alice, "wiki")
		time.Sleep(time.Minute)
		w.waits(q.ID)
	})
}

// Any site can send a person to a link to a server: that is not asking for it.
func TestAQuestionThatALinkOpenedLeansOnNoOtherConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := lookingWorld(t, twins)
		id, _, err := w.Invite(t.Context(), alice, "wiki")
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		w.connect(alice, "tracker", w.acme, "acme")
		time.Sleep(time.Minute)
		w.waits(id)
		if offer, err := w.Offer(t.Context(), alice, id); err != nil || offer.Connected {
			t.Errorf("its page: %+v, %v", offer, err)
		}
		if _, err := w.Credential(t.Context(), needs("wiki")); !errors.Is(err, vault.ErrRequired) {
			t.Errorf("wiki has a credential: %v", err)
		}
	})
}

func TestALinksQuestionDoesNotHideACallsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := lookingWorld(t, twins)
		if _, _, err := w.Invite(t.Context(), alice, "wiki"); err != nil {
			t.Fatal(err)
		}
		q := w.ask(alice, "wiki")
		w.connect(alice, "tracker", w.acme, "acme")
		w.resolves(q.ID, 10*time.Second)
	})
}

// A tenant's own server gets what its person connected on its own page.
func TestATenantsServerGetsNoTokenOfAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := lookingWorld(t, func(o *vault.Options) { o.Providers[0].Tenants = []string{"*"} })
		if err := w.PutServer(t.Context(), "", vault.Server{Name: "own", URL: "https://own.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Provider: "acme"}}); err != nil {
			t.Fatal(err)
		}
		q := w.ask(alice, "own")
		w.connect(alice, "tracker", w.acme, "acme")
		time.Sleep(time.Minute)
		w.waits(q.ID)
	})
}

// What an administrator connected for everybody is no person's to lend.
func TestACredentialForEverybodyLeansOnNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := lookingWorld(t, func(o *vault.Options) {
			all := vault.Auth{Type: vault.OAuth2, Scope: vault.Platform, Provider: "acme"}
			o.Servers = append(o.Servers,
				vault.Server{Name: "team", URL: "https://team.example/mcp", Auth: all},
				vault.Server{Name: "crew", URL: "https://crew.example/mcp", Auth: all},
			)
		})
		q := w.ask(alice, "team")
		w.connect(alice, "crew", w.acme, "acme")
		w.connect(alice, "tracker", w.acme, "acme")
		time.Sleep(time.Minute)
		w.waits(q.ID)
	})
}

// Everybody who was asked for the platform's credential goes on when it is there.
func TestACredentialForEverybodyResolvesEverybodysQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := lookingWorld(t, nil)
		first, second := w.ask(alice, "shared"), w.ask(bob, "shared")
		if err := w.Provide(t.Context(), vault.Need{Server: "shared"}, "everybodys"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		for name, id := range map[string]parley.ID{"alice": first.ID, "bob": second.ID} {
			if o := w.outcome(id); o == nil || o.Action != parley.Accept {
				t.Errorf("%s: the outcome is %+v", name, o)
			}
		}
	})
}

func TestAPersonIsInvitedToConnectWhatIsTheirsAndOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		id, _, err := w.Invite(t.Context(), alice, "keyed")
		if err != nil || id == "" {
			t.Fatalf("%q, %v", id, err)
		}
		if again, _, err := w.Invite(t.Context(), alice, "keyed"); err != nil || again != id {
			t.Errorf("again: %q, %v", again, err)
		}
		if other, _, err := w.Invite(t.Context(), bob, "keyed"); err != nil || other == id || other == "" {
			t.Errorf("bob: %q, %v", other, err)
		}
		for _, server := range []string{"shared", "coach", "open"} {
			if id, _, err := w.Invite(t.Context(), alice, server); id != "" || !errors.Is(err, vault.ErrRequired) {
				t.Errorf("%s: %q, %v", server, id, err)
			}
		}
		if id, _, err := w.Invite(t.Context(), parley.Principal{Kind: parley.KindProgram, Key: "k"}, "keyed"); id != "" || !errors.Is(err, vault.ErrNoPerson) {
			t.Errorf("a program: %q, %v", id, err)
		}
		if err := w.Provide(t.Context(), needs("keyed"), "k3y"); err != nil {
			t.Fatal(err)
		}
		if id, _, err := w.Invite(t.Context(), alice, "keyed"); id != "" || err != nil {
			t.Errorf("connected: %q, %v", id, err)
		}
	})
}

func TestWhatEndsASharedConnection(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, w *world, shared vault.Credential) error{
		"the other one is disconnected": func(t *testing.T, w *world, _ vault.Credential) error {
			return w.Disconnect(t.Context(), vault.Key{Server: "tracker", Scope: vault.User, Owner: "alice"})
		},
		"it is disconnected": func(t *testing.T, w *world, _ vault.Credential) error {
			return w.Disconnect(t.Context(), vault.Key{Server: "wiki", Scope: vault.User, Owner: "alice"})
		},
		"another account is connected": func(t *testing.T, w *world, _ vault.Credential) error {
			q, err := w.hub.Open(t.Context(), w.Question(&vault.RequiredError{
				Key: vault.Key{Tenant: "default", Server: "tracker", Scope: vault.User, Owner: "alice"}, Server: mustServer(t, w, "tracker"), Reason: vault.Rejected,
			}, alice, "c"))
			if err == nil {
				_, err = w.Callback(t.Context(), alice, "acme", w.acme.authorize(t, w.begin(alice, q, "acme")))
			}
			return err
		},
		"its server refuses it, fresh too": func(t *testing.T, w *world, shared vault.Credential) error {
			if err := w.Reject(t.Context(), shared, &http.Response{StatusCode: http.StatusUnauthorized}); err != nil {
				return err
			}
			fresh, err := w.Credential(t.Context(), needs("wiki"))
			if err != nil {
				return err
			}
			return w.Reject(t.Context(), fresh, &http.Response{StatusCode: http.StatusUnauthorized})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := lookingWorld(t, twins)
				q := w.ask(alice, "wiki")
				w.connect(alice, "tracker", w.acme, "acme")
				w.resolves(q.ID, 10*time.Second)
				shared, err := w.Credential(t.Context(), needs("wiki"))
				if err != nil {
					t.Fatal(err)
				}
				if err := end(t, w, shared); err != nil {
					t.Fatal(err)
				}
				if _, err := w.Credential(t.Context(), needs("wiki")); !errors.Is(err, vault.ErrRequired) {
					t.Errorf("wiki: %v", err)
				}
				_, err = w.Credential(t.Context(), needs("tracker"))
				if gone := name == "the other one is disconnected"; errors.Is(err, vault.ErrRequired) != gone {
					t.Errorf("tracker: %v", err)
				}
			})
		})
	}
}

func mustServer(t *testing.T, w *world, name string) vault.Server {
	t.Helper()
	s, err := w.Server(t.Context(), "", name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
