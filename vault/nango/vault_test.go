package nango_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/fakenango"
	"github.com/parley-hq/parley/vault"
	"github.com/parley-hq/parley/vault/nango"
)

var (
	alice = parley.Principal{User: "alice", Method: "test"}
	bob   = parley.Principal{User: "bob", Method: "test"}
)

// house is a vault whose servers have their credentials from Nango, as the
// program wires it.
type house struct {
	*world
	vault *vault.Vault
	hub   *parley.Hub
}

func newHouse(t testing.TB, change func(*fakenango.Options)) *house {
	t.Helper()
	h := &house{}
	h.world = newWorld(t, func(o *nango.Options, f *fakenango.Options) {
		o.Connected = func(ctx context.Context, at vault.Place, question parley.ID) error {
			return h.vault.Connected(ctx, at.Key, question)
		}
		if change != nil {
			change(f)
		}
	})
	h.vault, h.hub = h.open(h.Source)
	return h
}

// open makes a hub and a vault over the store, as a process of its own would.
func (h *house) open(source vault.Source) (*vault.Vault, *parley.Hub) {
	h.t.Helper()
	hub := parley.New(h.store, &parley.Options{Logger: h.opts.Logger})
	server := func(name string, scope vault.Scope) vault.Server {
		return vault.Server{
			Name: name, URL: "https://" + name + ".example/mcp",
			Auth: vault.Auth{Type: vault.OAuth2, Scope: scope, Source: "nango", Integration: strings.TrimPrefix(name, "shared-")},
		}
	}
	v, err := vault.New(hub, h.store, h.keys, &vault.Options{
		PublicURL: "https://parley.example", Logger: h.opts.Logger,
		Lent:    map[string]vault.SourceTerms{"nango": {Tenants: []string{"*"}, Integrations: []string{"*"}}},
		Sources: map[string]vault.Source{"nango": source},
		Servers: []vault.Server{server("tracker", vault.User), server("notes", vault.User), server("shared-tracker", vault.Platform)},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return v, hub
}

type obtained struct {
	header string
	err    error
}

// obtain waits for a credential in the background, and returns its question.
func (h *house) obtain(v *vault.Vault, p parley.Principal, server string) (parley.Request, <-chan obtained) {
	h.t.Helper()
	opened, done := make(chan parley.Request, 1), make(chan obtained, 1)
	go func() {
		cred, err := v.Obtain(h.t.Context(), p, vault.Need{Server: server}, &vault.ObtainOptions{
			Opened: func(q parley.Request) { opened <- q },
		})
		r, _ := http.NewRequest(http.MethodPost, "https://"+server+".example/mcp", nil)
		if err == nil {
			err = cred.Apply(r)
		}
		done <- obtained{r.Header.Get("Authorization"), err}
	}()
	return <-opened, done
}

// start sends the person to the connect page.
func (h *house) start(p parley.Principal, q parley.Request) string {
	h.t.Helper()
	offer, err := h.vault.Offer(h.t.Context(), p, q.ID)
	if err != nil || offer.Method != vault.BySource || offer.Connected {
		h.t.Fatalf("offer: %+v, %v", offer, err)
	}
	link, err := h.vault.Begin(h.t.Context(), p, q.ID, offer.Slug)
	if err != nil {
		h.t.Fatalf("begin: %v", err)
	}
	return link
}

func (h *house) outcome(id parley.ID) *parley.Outcome {
	h.t.Helper()
	q, err := h.store.Get(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	return q.Outcome
}

func (h *house) wantObtained(done <-chan obtained, c fakenango.Connection) {
	h.t.Helper()
	if got := <-done; got.err != nil || got.header != "Bearer "+c.Value() {
		h.t.Errorf("the call has not got what was connected: %v", got.err)
	}
}

func TestACallWaitsUntilItsAccountIsConnectedAtNango(t *testing.T) {
	for name, delivery := range map[string]fakenango.Delivery{
		"at once":       {URL: webhookURL},
		"seconds later": {URL: webhookURL, Delay: 7 * time.Second},
		"three times":   {URL: webhookURL, Copies: 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t, func(f *fakenango.Options) { f.Delivery = delivery })
				q, done := h.obtain(h.vault, alice, "tracker")
				h.press(h.start(alice, q), "connect")
				pressed := time.Now()
				h.wantObtained(done, h.fake.Connections()[0])
				h.fake.Wait()
				o := h.outcome(q.ID)
				if o == nil || o.Action != parley.Accept || o.By != "alice" || o.Via != vault.Via || o.Reason != "" {
					t.Fatalf("outcome: %+v", o)
				}
				if late := o.At.Sub(pressed); late.Truncate(100*time.Millisecond) != delivery.Delay {
					t.Errorf("it was settled after %v, and the webhook came after %v", late, delivery.Delay)
				}
				for _, status := range h.fake.Sent()[0].Status {
					if status != http.StatusNoContent {
						t.Errorf("the webhook was answered %d", status)
					}
				}
			})
		})
	}
}

func TestACallWhoseWebhookIsLostFindsItsCredentialByLooking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, func(f *fakenango.Options) { f.Delivery.Lose = true })
		q, done := h.obtain(h.vault, alice, "tracker")
		began := time.Now()
		h.press(h.start(alice, q), "connect")
		h.wantObtained(done, h.fake.Connections()[0])
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("it took %v", took)
		}
		if o := h.outcome(q.ID); o == nil {
			t.Error("the question is still open")
		}
	})
}

func TestThePageOfAQuestionWhoseWebhookIsLostSettlesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, func(f *fakenango.Options) { f.Delivery.Lose = true })
		q, done := h.obtain(h.vault, alice, "tracker")
		h.press(h.start(alice, q), "connect")
		offer, err := h.vault.Offer(t.Context(), alice, q.ID)
		if err != nil || !offer.Connected {
			t.Errorf("offer: %+v, %v", offer, err)
		}
		h.wantObtained(done, h.fake.Connections()[0])
		if o := h.outcome(q.ID); o == nil || o.Action != parley.Accept {
			t.Errorf("outcome: %+v", o)
		}
	})
}

func TestACredentialThatComesAfterTheAnswerIsLookedForAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, func(f *fakenango.Options) { f.Delivery.Delay = time.Minute })
		q, done := h.obtain(h.vault, alice, "tracker")
		link := h.start(alice, q)
		if err := h.hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept, Via: "chat"}); err != nil {
			t.Fatal(err)
		}
		answered := time.Now()
		time.Sleep(700 * time.Millisecond) // the person said so too early
		h.press(link, "connect")
		h.wantObtained(done, h.fake.Connections()[0])
		if took := time.Since(answered); took != time.Second {
			t.Errorf("it took %v", took)
		}
		h.fake.Wait() // the webhook comes last, and finds nothing to do
		if diff := h.fake.Sent()[0].Status; len(diff) != 1 || diff[0] != http.StatusNoContent {
			t.Errorf("the webhook was answered %v", diff)
		}
	})
}

func TestAnAnswerWithoutACredentialIsNotBelieved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		q, done := h.obtain(h.vault, alice, "tracker")
		h.start(alice, q)
		if err := h.hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept, Via: "chat"}); err != nil {
			t.Fatal(err)
		}
		if got := <-done; !errors.Is(got.err, vault.ErrNotConnected) || got.header != "" {
			t.Errorf("got %v", got.err)
		}
	})
}

func TestAfterAFailureThePersonMayTryAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		q, done := h.obtain(h.vault, alice, "tracker")
		link := h.start(alice, q)
		h.press(link, "fail")
		h.fake.Wait()
		if o := h.outcome(q.ID); o != nil {
			t.Fatalf("it was settled: %+v", o)
		}
		h.press(link, "connect")
		h.wantObtained(done, h.fake.Connections()[0])
		h.fake.Wait()
	})
}

func TestOneProcessAsksAndAnotherHearsTheWebhook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		q, done := h.obtain(h.vault, alice, "tracker")
		link := h.start(alice, q)
		var other *vault.Vault
		h.opts.Connected = func(ctx context.Context, at vault.Place, question parley.ID) error {
			return other.Connected(ctx, at.Key, question)
		}
		source := h.another()
		other, _ = h.open(source)
		h.web.set("parley.example", source.Webhook())
		h.press(link, "connect")
		h.wantObtained(done, h.fake.Connections()[0])
		if o := h.outcome(q.ID); o == nil || o.Action != parley.Accept {
			t.Errorf("outcome: %+v", o)
		}
		h.fake.Wait()
	})
}

func TestEveryQuestionForTheCredentialIsSettledByOneWebhook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		acme := parley.Principal{Tenant: "acme", User: "alice", Method: "test"}
		ctx, stop := context.WithCancel(t.Context())
		first, done1 := h.obtain(h.vault, alice, "tracker")
		second, done2 := h.obtain(h.vault, alice, "tracker")
		ask := func(p parley.Principal, server string) parley.Request {
			opened := make(chan parley.Request, 1)
			go func() {
				_, _ = h.vault.Obtain(ctx, p, vault.Need{Server: server}, &vault.ObtainOptions{Opened: func(q parley.Request) { opened <- q }})
			}()
			return <-opened
		}
		others := []parley.Request{ask(bob, "tracker"), ask(alice, "notes"), ask(acme, "tracker")}
		h.press(h.start(alice, first), "connect")
		c := h.fake.Connections()[0]
		h.wantObtained(done1, c)
		h.wantObtained(done2, c)
		h.fake.Wait()
		for _, q := range []parley.Request{first, second} {
			if o := h.outcome(q.ID); o == nil || o.Action != parley.Accept {
				t.Errorf("outcome: %+v", o)
			}
		}
		time.Sleep(time.Minute)
		for _, q := range others {
			if o := h.outcome(q.ID); o != nil {
				t.Errorf("the question to %s in %s for %s was settled", q.To, q.Tenant, q.From)
			}
		}
		stop()
	})
}

func TestDisconnectingAsksAgainNextTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		q, done := h.obtain(h.vault, alice, "tracker")
		h.press(h.start(alice, q), "connect")
		h.wantObtained(done, h.fake.Connections()[0])
		h.fake.Wait()
		key := at("alice", "tracker").Key
		if err := h.vault.Disconnect(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		if _, err := h.vault.Credential(t.Context(), vault.Need{Server: "tracker", User: "alice"}); !errors.Is(err, vault.ErrRequired) {
			t.Errorf("credential: %v", err)
		}
		if err := h.vault.Disconnect(t.Context(), key); !errors.Is(err, parley.ErrNotFound) {
			t.Errorf("again: %v", err)
		}
		if n := len(h.fake.Connections()); n != 0 {
			t.Errorf("%d connections are left at Nango", n)
		}
	})
}

func TestAFailingNangoIsNoReasonToAskThePerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		q, done := h.obtain(h.vault, alice, "tracker")
		h.press(h.start(alice, q), "connect")
		h.wantObtained(done, h.fake.Connections()[0])
		h.fake.Wait()
		h.fake.Fail(fakenango.Fault{Status: 401, Code: "unknown_account"})
		need := vault.Need{Server: "tracker", User: "alice"}
		if _, err := h.vault.Obtain(t.Context(), alice, need, nil); !errors.Is(err, nango.ErrAPIKey) || errors.Is(err, vault.ErrRequired) {
			t.Errorf("got %v", err)
		}
		if _, err := h.vault.Begin(t.Context(), alice, q.ID, ""); !errors.Is(err, parley.ErrSettled) {
			t.Errorf("begin: %v", err)
		}
	})
}

func TestBeginningWhileNangoFailsTellsThePersonToTryAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		ctx, stop := context.WithCancel(t.Context())
		opened := make(chan parley.Request, 1)
		go func() {
			_, _ = h.vault.Obtain(ctx, alice, vault.Need{Server: "tracker"}, &vault.ObtainOptions{Opened: func(q parley.Request) { opened <- q }})
		}()
		q := <-opened
		h.fake.Fail(fakenango.Fault{Method: http.MethodPost, Status: 401, Code: "unknown_account"})
		_, err := h.vault.Begin(t.Context(), alice, q.ID, "")
		var failed *vault.ProviderError
		if !errors.As(err, &failed) || !failed.Temporary {
			t.Errorf("got %v", err)
		}
		if !strings.Contains(h.log.String(), "API key is not accepted") || strings.Contains(h.log.String(), apiKey) {
			t.Errorf("log: %s", h.log)
		}
		if o := h.outcome(q.ID); o != nil {
			t.Errorf("outcome: %+v", o)
		}
		stop()
	})
}

func TestAConnectionAtNangoDoesNotFollowItsServersURL(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		put := func(url string) {
			t.Helper()
			if err := h.vault.PutServer(t.Context(), "acme", vault.Server{
				Name: "board", URL: url, Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Source: "nango", Integration: "tracker"},
			}); err != nil {
				t.Fatal(err)
			}
		}
		put("https://board.example/mcp")
		who := parley.Principal{Tenant: "acme", User: "alice", Method: "test"}
		q, done := h.obtain(h.vault, who, "board")
		h.press(h.start(who, q), "connect")
		h.wantObtained(done, h.fake.Connections()[0])
		h.fake.Wait()

		put("https://evil.example/mcp") // an administrator's PATCH
		need := vault.Need{Tenant: "acme", Server: "board", User: "alice"}
		reads := h.calls(http.MethodGet, "/connections")
		if _, err := h.vault.Credential(t.Context(), need); !errors.Is(err, vault.ErrRequired) {
			t.Errorf("after the server moved: %v", err)
		}
		if n := h.calls(http.MethodGet, "/connections") - reads; n != 0 {
			t.Errorf("Nango was asked %d times", n)
		}
		again := h.ask(who, "board")
		if offer, err := h.vault.Offer(t.Context(), who, again.ID); err != nil || offer.Connected || offer.Server.URL != "https://evil.example/mcp" {
			t.Errorf("the page: %+v, %v", offer, err)
		}
		put("https://board.example/mcp")
		if _, err := h.vault.Credential(t.Context(), need); err != nil {
			t.Errorf("back where it was: %v", err)
		}
	})
}

// It was made elsewhere, or before we asked: nobody agreed to a place for it here.
func TestAConnectionThatNobodyAgreedToIsNotUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		h.opts.Connected = nil
		h.web.set("parley.example", h.another().Webhook())
		h.join(at("alice", "tracker"), "q")
		need := vault.Need{Server: "tracker", User: "alice"}
		if _, err := h.vault.Credential(t.Context(), need); !errors.Is(err, vault.ErrRequired) {
			t.Errorf("before she agreed: %v", err)
		}
		h.start(alice, h.ask(alice, "tracker"))
		if _, err := h.vault.Credential(t.Context(), need); err != nil {
			t.Errorf("after she agreed: %v", err)
		}
	})
}
