package vault_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// cupboard is a source that has a credential for everybody, and a page to connect
// it; it counts who asks.
type cupboard struct {
	mu      sync.Mutex
	fetched int
	gone    map[vault.Place]bool
	during  func() // while it is being asked
}

func (c *cupboard) Fetch(_ context.Context, at vault.Place) (vault.Secret, error) {
	if c.during != nil {
		c.during()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fetched++
	if c.gone[at] {
		return vault.Secret{}, vault.ErrNoCredential
	}
	return vault.Secret{Value: "token-of-" + at.Owner}, nil
}

func (c *cupboard) Connect(_ context.Context, _ vault.Place, question string) (string, error) {
	return "https://cupboard.example/?q=" + question, nil
}

func (c *cupboard) Forget(_ context.Context, at vault.Place) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone[at] {
		return vault.ErrNoCredential
	}
	c.gone[at] = true
	return nil
}

// drawer is a source that takes keys.
type drawer struct {
	mu   sync.Mutex
	keys map[vault.Key]string
}

func (d *drawer) Fetch(_ context.Context, at vault.Place) (vault.Secret, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.keys[at.Key] == "" {
		return vault.Secret{}, vault.ErrNoCredential
	}
	return vault.Secret{Value: d.keys[at.Key]}, nil
}

func (d *drawer) Keep(_ context.Context, at vault.Place, s vault.Secret) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.keys[at.Key] = s.Value
	return nil
}

// kept is a world in which the server "mail" of globex has its credentials in a
// cupboard, and "desk" of the configuration, for the platform, too.
func kept(t testing.TB) (*world, *cupboard) {
	t.Helper()
	c := &cupboard{gone: map[vault.Place]bool{}}
	w := newWorld(t, func(o *vault.Options) {
		all := vault.SourceTerms{Tenants: []string{"globex"}, Integrations: []string{"*"}}
		o.Lent = map[string]vault.SourceTerms{"cupboard": all, "other": all, "drawer": all}
		o.Sources = map[string]vault.Source{"cupboard": c, "other": &cupboard{gone: map[vault.Place]bool{}}, "drawer": &drawer{keys: map[vault.Key]string{}}}
		o.Servers = append(o.Servers,
			vault.Server{Name: "desk", URL: "https://desk.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Source: "cupboard"}},
			vault.Server{Name: "wiki", URL: "https://wiki.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Source: "cupboard"}})
	})
	w.put(mail(nil))
	return w, c
}

func (w *world) put(s vault.Server) {
	w.t.Helper()
	if err := w.PutServer(w.t.Context(), "globex", s); err != nil {
		w.t.Fatal(err)
	}
}

// mail is a tenant's server, changed.
func mail(how func(*vault.Server)) vault.Server {
	s := vault.Server{Name: "mail", URL: "https://mail.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Source: "cupboard"}}
	if how != nil {
		how(&s)
	}
	return s
}

var mailOfRival = vault.Need{Tenant: "globex", Server: "mail", User: "alice"}

// agreeing takes p to the page and lets them press the button.
func (w *world) agreeing(p parley.Principal, server string) parley.Request {
	w.t.Helper()
	q := w.ask(p, server)
	if _, err := w.Begin(w.t.Context(), p, q.ID, ""); err != nil {
		w.t.Fatal(err)
	}
	return q
}

func (w *world) wantNone(need vault.Need, when string) {
	w.t.Helper()
	if cred, err := w.Credential(w.t.Context(), need); !errors.Is(err, vault.ErrRequired) {
		w.t.Errorf("%s: got %v, %v; want the person to be asked", when, cred, err)
	}
}

func (w *world) wantOne(need vault.Need, to, when string) {
	w.t.Helper()
	cred, err := w.Credential(w.t.Context(), need)
	if err != nil {
		w.t.Errorf("%s: %v", when, err)
		return
	}
	if got := sent(w.t, cred, to).Get("Authorization"); got != "Bearer token-of-"+cred.Key.Owner {
		w.t.Errorf("%s: %q", when, got)
	}
}

func TestACredentialThatIsKeptElsewhereDoesNotFollowItsServer(t *testing.T) {
	for name, moved := range map[string]func(*vault.Server){
		"to another host":        func(s *vault.Server) { s.URL = "https://evil.example/mcp" },
		"to another port":        func(s *vault.Server) { s.URL = "https://mail.example:8443/mcp" },
		"to http":                func(s *vault.Server) { s.URL = "http://mail.example/mcp" },
		"to another source":      func(s *vault.Server) { s.Auth.Source = "other" },
		"to another integration": func(s *vault.Server) { s.Auth.Integration = "drive" },
		"to another type":        func(s *vault.Server) { s.Auth.Type = vault.Bearer },
	} {
		t.Run(name, func(t *testing.T) {
			w, c := kept(t)
			w.wantNone(mailOfRival, "before anybody agreed to anything")
			w.agreeing(rival, "mail")
			w.wantOne(mailOfRival, "https://mail.example/mcp", "after agreeing")
			w.put(mail(moved))
			before := c.fetched
			w.wantNone(mailOfRival, "after the server moved")
			if c.fetched != before {
				t.Error("the source was asked for it")
			}
			w.put(mail(nil))
			w.wantOne(mailOfRival, "https://mail.example/mcp", "back where it was")
			if err := w.RemoveServer(t.Context(), "globex", "mail"); err != nil {
				t.Fatal(err)
			}
			w.put(mail(moved))
			w.wantNone(mailOfRival, "removed and added anew")
			w.put(mail(func(s *vault.Server) { moved(s); s.Auth.Type = vault.OAuth2 }))
			if name == "to another type" {
				return
			}
			at, _ := w.Server(t.Context(), "globex", "mail")
			w.agreeing(rival, "mail")
			w.wantOne(mailOfRival, at.URL, "after agreeing to the new place")
		})
	}
}

func TestAKeyThatASourceKeepsDoesNotFollowItsServer(t *testing.T) {
	w, _ := kept(t)
	keyed := func(s *vault.Server) { s.Auth.Type, s.Auth.Source = vault.Bearer, "drawer" }
	w.put(mail(keyed))
	q := w.ask(rival, "mail")
	if err := w.EnterKey(t.Context(), rival, q.ID, "token-of-alice"); err != nil {
		t.Fatal(err)
	}
	w.wantOne(mailOfRival, "https://mail.example/mcp", "after entering it")
	w.put(mail(func(s *vault.Server) { keyed(s); s.URL = "https://evil.example/mcp" }))
	w.wantNone(mailOfRival, "after the server moved")
}

func TestATenantsServerOfAConfiguredNameDoesNotGetWhatWasGrantedToThat(t *testing.T) {
	w, _ := kept(t)
	need := vault.Need{Tenant: "globex", Server: "wiki", User: "alice"}
	w.agreeing(rival, "wiki")
	w.wantOne(need, "https://wiki.example/mcp", "the configuration's")
	w.put(vault.Server{Name: "wiki", URL: "https://evil.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Source: "cupboard"}})
	w.wantNone(need, "the tenant's")
}

// What the configuration says about the platform's own credentials is the
// operator's word; a place that somebody agreed to is kept all the same.
func TestThePlatformsCredentialIsTheOperatorsToPlace(t *testing.T) {
	w, _ := kept(t)
	need := vault.Need{Server: "desk"}
	w.wantOne(need, "https://desk.example/mcp", "of the configuration")
	w.put(mail(func(s *vault.Server) { s.Auth.Scope = vault.Platform }))
	w.wantNone(vault.Need{Tenant: "globex", Server: "mail"}, "of a tenant's server")

	_, err := w.Credential(t.Context(), vault.Need{Tenant: "globex", Server: "mail"})
	q, err := w.hub.Open(t.Context(), w.Question(required(t, err), rival, ""))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Begin(t.Context(), rival, q.ID, ""); err != nil {
		t.Fatal(err)
	}
	w.wantOne(vault.Need{Tenant: "globex", Server: "mail"}, "https://mail.example/mcp", "once an administrator agreed")
	w.put(mail(func(s *vault.Server) { s.Auth.Scope, s.URL = vault.Platform, "https://evil.example/mcp" }))
	w.wantNone(vault.Need{Tenant: "globex", Server: "mail"}, "after it moved")
}

func TestWhoDeclinesAfterAllHasNotAgreed(t *testing.T) {
	w, c := kept(t)
	decline := func(q parley.Request) {
		if err := w.hub.Answer(t.Context(), rival, q.ID, parley.Answer{Action: parley.Decline, Via: "chat"}); err != nil {
			t.Error(err)
		}
	}
	q := w.agreeing(rival, "mail")
	w.wantOne(mailOfRival, "https://mail.example/mcp", "before the question is settled")
	decline(q)
	w.wantNone(mailOfRival, "after declining")

	q = w.agreeing(rival, "mail")
	c.during = func() { c.during = nil; decline(q) }
	_, _ = w.Credential(t.Context(), mailOfRival) // it was on its way
	w.wantNone(mailOfRival, "after declining while it was looked up")
}

func TestAnAgreementOutlivesItsQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := kept(t)
		q := w.agreeing(rival, "mail")
		if offer, err := w.Offer(t.Context(), rival, q.ID); err != nil || !offer.Connected {
			t.Fatalf("offer: %+v, %v", offer, err)
		}
		time.Sleep(365 * 24 * time.Hour)
		if err := w.store.Sweep(t.Context(), time.Now()); err != nil {
			t.Fatal(err)
		}
		if _, err := w.store.Get(t.Context(), q.ID); !errors.Is(err, parley.ErrNotFound) {
			t.Fatalf("the question is still there: %v", err)
		}
		w.wantOne(mailOfRival, "https://mail.example/mcp", "a year later")
	})
}

func TestDisconnectingEndsTheAgreement(t *testing.T) {
	key := vault.Key{Tenant: "globex", Server: "mail", Scope: vault.User, Owner: "alice"}
	for name, change := range map[string]func(w *world){
		"as it is":       func(*world) {},
		"moved":          func(w *world) { w.put(mail(func(s *vault.Server) { s.URL = "https://evil.example/mcp" })) },
		"without source": func(w *world) { w.put(mail(func(s *vault.Server) { s.Auth.Source, s.Auth.Type = "", vault.Bearer })) },
		"removed":        func(w *world) { _ = w.RemoveServer(t.Context(), "globex", "mail") },
	} {
		t.Run(name, func(t *testing.T) {
			w, c := kept(t)
			w.agreeing(rival, "mail")
			change(w)
			if err := w.Disconnect(t.Context(), key); err != nil {
				t.Fatal(err)
			}
			if len(c.gone) != 1 {
				t.Error("the source was not told")
			}
			clear(c.gone)
			w.put(mail(nil))
			w.wantNone(mailOfRival, "after disconnecting")
		})
	}
}

// The page named a host; the server moved before the person pressed the button.
func TestAQuestionIsForThePlaceThatItsServerHadThen(t *testing.T) {
	evil := func(s *vault.Server) { s.URL = "https://evil.example/mcp" }
	w, _ := kept(t)
	q := w.ask(rival, "mail")
	w.put(mail(evil))
	if _, err := w.Begin(t.Context(), rival, q.ID, ""); !errors.Is(err, vault.ErrNotConnecting) {
		t.Errorf("at a source: %v", err)
	}
	w.wantNone(mailOfRival, "at a source")

	keyed := mail(func(s *vault.Server) { s.Auth = vault.Auth{Type: vault.APIKey, Scope: vault.User} })
	w.put(keyed)
	q = w.ask(rival, "mail")
	w.put(change(keyed, evil))
	if err := w.EnterKey(t.Context(), rival, q.ID, "k3y"); !errors.Is(err, vault.ErrNotConnecting) {
		t.Errorf("a key: %v", err)
	}
	w.wantNone(mailOfRival, "a key")

	if err := w.PutProvider(t.Context(), "globex", w.other.provider("idp")); err != nil {
		t.Fatal(err)
	}
	oauth := mail(func(s *vault.Server) { s.Auth = vault.Auth{Type: vault.OAuth2, Scope: vault.User, Provider: "idp"} })
	w.put(oauth)
	q = w.ask(rival, "mail")
	w.put(change(oauth, evil))
	if to, err := w.Begin(t.Context(), rival, q.ID, "idp~globex"); !errors.Is(err, vault.ErrNotConnecting) {
		t.Errorf("a consent: %s, %v", to, err)
	}
	if _, err := w.Offer(t.Context(), rival, q.ID); !errors.Is(err, vault.ErrNotConnecting) {
		t.Errorf("the page: %v", err)
	}
}

// A refresh token is worth as much as what it gets.
func TestTokensDoNotFollowATenantsProvider(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		if err := w.PutProvider(t.Context(), "globex", change(w.other.provider("idp"), func(p *vault.Provider) { p.Issuer = "" })); err != nil {
			t.Fatal(err)
		}
		w.put(crm(vault.Auth{Provider: "idp"}))
		w.connect(rival, "crm", w.other, "idp~globex")
		evil := newAuthServer("evil.example")
		w.web.hosts["evil.example"] = evil
		moved := change(w.other.provider("idp"), func(p *vault.Provider) {
			p.Issuer, p.TokenURL, p.RevokeURL = "", "https://evil.example/token", "https://evil.example/revoke"
		})
		if err := w.PutProvider(t.Context(), "globex", moved); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Hour)
		w.wantNone(vault.Need{Tenant: "globex", Server: "crm", User: "alice"}, "after the provider moved")
		key := vault.Key{Tenant: "globex", Server: "crm", Scope: vault.User, Owner: "alice"}
		if err := w.Disconnect(t.Context(), key); !errors.Is(err, vault.ErrNotRevoked) {
			t.Errorf("disconnecting: %v", err)
		}
		if n := w.web.count("evil.example/token") + w.web.count("evil.example/revoke"); n != 0 {
			t.Errorf("%d requests with the person's tokens", n)
		}
	})
}

func TestTokensAreNotRevokedAtAnAddressThatCameLater(t *testing.T) {
	w := newWorld(t, nil)
	if err := w.PutProvider(t.Context(), "globex", w.other.provider("idp")); err != nil {
		t.Fatal(err)
	}
	w.put(crm(vault.Auth{Provider: "idp"}))
	w.connect(rival, "crm", w.other, "idp~globex")
	if err := w.PutProvider(t.Context(), "globex", change(w.other.provider("idp"), func(p *vault.Provider) { p.RevokeURL = "https://acme.example/revoke" })); err != nil {
		t.Fatal(err)
	}
	if err := w.Disconnect(t.Context(), vault.Key{Tenant: "globex", Server: "crm", Scope: vault.User, Owner: "alice"}); !errors.Is(err, vault.ErrNotRevoked) {
		t.Errorf("disconnecting: %v", err)
	}
	if n := w.web.count("acme.example/revoke"); n != 0 {
		t.Errorf("%d requests with the person's tokens", n)
	}
}

// What counts is the last thing that the person said about it.
func TestTheLastWordAboutAPlaceCounts(t *testing.T) {
	w, _ := kept(t)
	q := w.agreeing(rival, "mail")
	if offer, err := w.Offer(t.Context(), rival, q.ID); err != nil || !offer.Connected {
		t.Fatalf("offer: %+v, %v", offer, err)
	}
	server, err := w.Server(t.Context(), "globex", "mail")
	if err != nil {
		t.Fatal(err)
	}
	again, err := w.hub.Open(t.Context(), w.Question(&vault.RequiredError{
		Key: vault.Key{Tenant: "globex", Server: "mail", Scope: vault.User, Owner: "alice"}, Server: server, Reason: vault.Rejected,
	}, rival, ""))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Begin(t.Context(), rival, again.ID, ""); err != nil {
		t.Fatal(err)
	}
	if err := w.Decline(t.Context(), rival, again.ID); err != nil {
		t.Fatal(err)
	}
	w.wantNone(mailOfRival, "after beginning once more and declining")
	w.agreeing(rival, "mail")
	w.wantOne(mailOfRival, "https://mail.example/mcp", "after agreeing again")
}
