package vault_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/storetest"
	"github.com/parley-hq/parley/vault"
)

func token(t testing.TB, v *vault.Vault) string {
	t.Helper()
	cred, err := v.Credential(t.Context(), needs("tracker"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(sent(t, cred, "https://tracker.example/mcp").Get("Authorization"), "Bearer ")
}

func TestATokenIsRefreshedAheadOfItsExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.connect(alice, "tracker", w.acme, "acme")
		first := token(t, w.Vault)
		time.Sleep(58 * time.Minute)
		if got := token(t, w.Vault); got != first || w.acme.granted("refresh_token") != 0 {
			t.Errorf("refreshed two minutes ahead")
		}
		time.Sleep(90 * time.Second)
		if got := token(t, w.Vault); got == first || w.acme.granted("refresh_token") != 1 {
			t.Errorf("not refreshed half a minute ahead")
		}
		w.acme.mu.Lock()
		defer w.acme.mu.Unlock()
		if w.acme.last.Has("code") || w.acme.last.Has("redirect_uri") {
			t.Errorf("the refresh carries what belongs to a code: %v", keys(w.acme.last))
		}
	})
}

func TestManyCallersInManyProcessesRefreshOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.connect(alice, "tracker", w.acme, "acme")
		for round := range 5 {
			time.Sleep(2 * time.Hour) // long expired
			w.acme.set(func(a *authServer) { a.during = func() { time.Sleep(3 * time.Second) } })
			var all sync.WaitGroup
			var mu sync.Mutex
			got := map[string]int{}
			for range 4 {
				v := w.another()
				for range 16 {
					all.Go(func() {
						one := token(t, v)
						mu.Lock()
						defer mu.Unlock()
						got[one]++
					})
				}
			}
			all.Wait()
			if len(got) != 1 {
				t.Errorf("%d different tokens", len(got))
			}
			if n := w.acme.granted("refresh_token"); n != round+1 {
				t.Fatalf("%d refreshes after %d rounds", n, round+1)
			}
		}
		if n := w.web.count("acme.example/token"); n != 6 {
			t.Errorf("%d token requests, want 1 code and 5 refreshes", n)
		}
	})
}

func TestWhileSomebodyRefreshesTheOthersUseWhatIsStillGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.connect(alice, "tracker", w.acme, "acme")
		old := token(t, w.Vault)
		time.Sleep(59*time.Minute + 30*time.Second)
		held := make(chan struct{})
		w.acme.set(func(a *authServer) { a.during = func() { <-held } })
		first := make(chan string)
		go func() { first <- token(t, w.Vault) }()
		synctest.Wait()
		if got := token(t, w.another()); got != old {
			t.Errorf("got another token while the refresh is under way")
		}
		close(held)
		if got := <-first; got == old {
			t.Errorf("the one who refreshed got the old token")
		}
	})
}

func TestACallerWhoLeavesDoesNotLoseTheRotatedToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.connect(alice, "tracker", w.acme, "acme")
		time.Sleep(2 * time.Hour)
		held := make(chan struct{})
		w.acme.set(func(a *authServer) { a.during = func() { <-held } })
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan error)
		go func() {
			_, err := w.Credential(ctx, needs("tracker"))
			left <- err
		}()
		synctest.Wait()
		leave()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		close(held)
		synctest.Wait()
		token(t, w.Vault)
		if n := w.acme.granted("refresh_token"); n != 1 {
			t.Errorf("%d refreshes", n)
		}
	})
}

// A process that dies while it refreshes leaves its lease behind.
func TestALeaseOfTheDeadEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.connect(alice, "tracker", w.acme, "acme")
		time.Sleep(2 * time.Hour)
		dead := w.opts
		dead.Client = &http.Client{Transport: hang{}}
		v, err := vault.New(w.hub, w.store, w.keys, &dead)
		if err != nil {
			t.Fatal(err)
		}
		ctx, die := context.WithCancel(t.Context())
		go func() { _, _ = v.Credential(ctx, needs("tracker")) }()
		synctest.Wait()
		before := time.Now()
		token(t, w.Vault)
		if waited := time.Since(before); waited < 15*time.Second || waited > 35*time.Second {
			t.Errorf("waited %v for the dead", waited)
		}
		die()
		if n := w.acme.granted("refresh_token"); n != 1 {
			t.Errorf("%d refreshes", n)
		}
		time.Sleep(time.Minute)
	})
}

// hang never answers, and does not hear that nobody waits any more.
type hang struct{}

func (hang) RoundTrip(*http.Request) (*http.Response, error) {
	time.Sleep(50 * time.Second)
	return nil, errors.New("gone")
}

func TestAProviderThatFailsIsTriedAgainAndTheConnectionStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.connect(alice, "tracker", w.acme, "acme")
		old := token(t, w.Vault)
		w.acme.set(func(a *authServer) { a.status = http.StatusBadGateway })
		time.Sleep(59*time.Minute + 30*time.Second)
		if got := token(t, w.Vault); got != old {
			t.Errorf("while it is good, the old token is used; got another")
		}
		time.Sleep(time.Minute)
		_, err := w.Credential(t.Context(), needs("tracker"))
		var failed *vault.ProviderError
		if !errors.As(err, &failed) || !failed.Temporary || errors.Is(err, vault.ErrRequired) {
			t.Fatalf("got %v", err)
		}
		w.acme.set(func(a *authServer) { a.status = 0 })
		if got := token(t, w.Vault); got == old {
			t.Errorf("got the expired token")
		}
	})
}

func TestARefusedRefreshAsksThePersonAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.connect(alice, "tracker", w.acme, "acme")
		w.acme.set(func(a *authServer) { clear(a.refresh) })
		time.Sleep(2 * time.Hour)
		for range 3 {
			_, err := w.Credential(t.Context(), needs("tracker"))
			if e := required(t, err); e.Reason != vault.Expired {
				t.Errorf("got %v", e)
			}
		}
		if n := w.web.count("acme.example/token"); n != 2 {
			t.Errorf("%d token requests: a refusal is asked for once", n)
		}
		w.connect(alice, "tracker", w.acme, "acme")
		token(t, w.Vault)
	})
}

// The provider refuses our refresh token because the person just connected anew:
// what the record says after the refusal counts.
func TestARefusalAfterAChangeIsALostRace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.connect(alice, "tracker", w.acme, "acme")
		server, err := w.Server(t.Context(), "", "tracker")
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Hour)
		w.acme.set(func(a *authServer) {
			clear(a.refresh)
			a.during = func() {
				w.acme.set(func(a *authServer) { a.during = nil })
				q, err := w.hub.Open(t.Context(), w.Question(&vault.RequiredError{
					Key: vault.Key{Server: "tracker", Scope: vault.User, Owner: "alice"}, Server: server,
				}, alice, ""))
				if err != nil {
					t.Error(err)
				}
				if _, err := w.Callback(t.Context(), alice, "acme", w.acme.authorize(t, w.begin(alice, q, "acme"))); err != nil {
					t.Error(err)
				}
			}
		})
		token(t, w.Vault)
		if refreshes, codes := w.acme.granted("refresh_token"), w.acme.granted("authorization_code"); refreshes != 0 || codes != 2 {
			t.Errorf("%d refreshes, %d codes", refreshes, codes)
		}
	})
}

func TestAProviderThatDoesNotRotateKeepsItsRefreshToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.acme.noRotate = true
		w.connect(alice, "tracker", w.acme, "acme")
		time.Sleep(2 * time.Hour)
		token(t, w.Vault)
		time.Sleep(2 * time.Hour)
		token(t, w.Vault)
		if n := w.acme.granted("refresh_token"); n != 2 {
			t.Errorf("%d refreshes", n)
		}
	})
}

func TestATokenIsNeverTakenToAnotherProvider(t *testing.T) {
	for name, replaced := range map[string]func(w *world) vault.Provider{
		"another client": func(w *world) vault.Provider { return w.other.provider("acme") },
		"another issuer that knows us by the same name": func(w *world) vault.Provider {
			return change(w.other.provider("acme"), func(p *vault.Provider) { p.ClientID = w.acme.client })
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, nil)
				w.connect(alice, "tracker", w.acme, "acme")
				time.Sleep(2 * time.Hour)
				w.opts.Providers[0] = replaced(w)
				_, err := w.another().Credential(t.Context(), needs("tracker"))
				if !errors.Is(err, vault.ErrRequired) {
					t.Errorf("got %v", err)
				}
				if n := w.web.count("other.example/token"); n != 0 {
					t.Errorf("%d requests to the other provider", n)
				}
			})
		})
	}
}

// instead is a store whose next save fails after something else was done.
type instead struct {
	*parley.MemoryStore
	do func()
}

func (s *instead) Save(ctx context.Context, r parley.Record) (int64, error) {
	if do := s.do; do != nil {
		s.do = nil
		do()
		return 0, errors.New("the store is away")
	}
	return s.MemoryStore.Save(ctx, r)
}

// Who does not know whether it has the lease looks: it may be another's. A
// provider that is asked twice with one token takes it for stolen.
func TestALeaseOfAnotherIsNotTakenForOnesOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.connect(alice, "tracker", w.acme, "acme")
		time.Sleep(2 * time.Hour)
		held, first := make(chan struct{}), make(chan string)
		w.acme.set(func(a *authServer) { a.during = func() { <-held } })
		unlucky, err := vault.New(w.hub, &instead{w.store, func() {
			go func() { first <- token(t, w.another()) }()
			synctest.Wait()
		}}, w.keys, &w.opts)
		if err != nil {
			t.Fatal(err)
		}
		second := make(chan string)
		go func() { second <- token(t, unlucky) }()
		time.Sleep(time.Second)
		close(held)
		if one, other := <-first, <-second; one != other {
			t.Error("they have two tokens")
		}
		if n := w.web.count("acme.example/token"); n != 2 { // one to connect
			t.Errorf("%d requests for a token", n)
		}
	})
}

// Every save and load fails now and then, also after it was done.
func TestRefreshingOverAFaultyStoreLosesNoToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.connect(alice, "tracker", w.acme, "acme")
		faulty := storetest.Faulty(w.store, storetest.Everything(0.3, 7))
		v, err := vault.New(w.hub, faulty, w.keys, &w.opts)
		if err != nil {
			t.Fatal(err)
		}
		for round := range 30 {
			time.Sleep(2 * time.Hour)
			for {
				_, err := v.Credential(t.Context(), needs("tracker"))
				if errors.Is(err, vault.ErrRequired) {
					t.Fatalf("round %d: Alice was logged out: %v", round, err)
				}
				if err == nil {
					break
				}
				time.Sleep(time.Second)
			}
		}
	})
}

func TestSecretsAreSealedInTheStore(t *testing.T) {
	w := newWorld(t, nil)
	a := w.ask(alice, "tracker")
	to := w.begin(alice, a, "acme")
	state := between(to, "state=", "&")
	rows := w.rows()
	answer := w.acme.authorize(t, to)
	if _, err := w.Callback(t.Context(), alice, "acme", answer); err != nil {
		t.Fatal(err)
	}
	verifier := w.acme.last.Get("code_verifier")
	if err := w.Provide(t.Context(), needs("keyed"), "an-api-key-of-alices"); err != nil {
		t.Fatal(err)
	}
	if err := w.PutProvider(t.Context(), "", w.other.provider("mine")); err != nil {
		t.Fatal(err)
	}
	rows += w.rows()
	if !strings.Contains(rows, "connection user/alice/tracker") || !strings.Contains(rows, "oauth_flow") {
		t.Fatalf("the rows are not there:\n%s", rows)
	}
	for _, secret := range append(w.acme.tokens, "an-api-key-of-alices", w.other.secret, state, verifier, answer.Get("code")) {
		if secret == "" || strings.Contains(rows, secret) {
			t.Errorf("%q is in the store in plain", secret)
		}
	}
}

func between(s, after, before string) string {
	_, s, _ = strings.Cut(s, after)
	s, _, _ = strings.Cut(s, before)
	return s
}

func TestWithoutAKeyringThereIsNoVault(t *testing.T) {
	store := parley.NewMemoryStore()
	if _, err := vault.New(parley.New(store, nil), store, nil, nil); err == nil {
		t.Error("a vault without a keyring")
	}
	other, err := seal.New([]byte("another secret of thirty-two bytes"))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, nil)
	w.connect(alice, "tracker", w.acme, "acme")
	v, err := vault.New(w.hub, w.store, other, &w.opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Credential(t.Context(), needs("tracker")); err == nil || errors.Is(err, vault.ErrRequired) {
		t.Errorf("with the wrong secret: %v; the person must not be asked for what is there", err)
	}
}
