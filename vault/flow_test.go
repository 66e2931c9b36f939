package vault_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

func TestConnectingSettlesTheQuestionAndTheCallGoesOn(t *testing.T) {
	w := newWorld(t, nil)
	opened := make(chan parley.Request, 1)
	type result struct {
		cred vault.Credential
		err  error
	}
	done := make(chan result, 1)
	go func() {
		cred, err := w.Obtain(t.Context(), alice, vault.Need{Server: "tracker"}, &vault.ObtainOptions{
			Session: "chat", Opened: func(q parley.Request) { opened <- q },
		})
		done <- result{cred, err}
	}()
	var q parley.Request
	select {
	case q = <-opened:
	case r := <-done:
		t.Fatalf("nobody was asked: %v", r.err)
	}

	offer, err := w.Offer(t.Context(), alice, q.ID)
	if err != nil {
		t.Fatal(err)
	}
	if offer.Method != vault.ByConsent || offer.Provider != "Acme" || offer.Slug != "acme" || offer.AuthURL != "https://acme.example/authorize" ||
		offer.Server.Label() != "Tracker" || strings.Join(offer.Scopes, " ") != "read" || offer.Connected {
		t.Errorf("offer: %+v", offer)
	}
	to := w.begin(alice, q, offer.Slug)
	u, _ := url.Parse(to)
	if got := u.Query().Get("redirect_uri"); got != "https://parley.example/oauth/callback/acme" {
		t.Errorf("redirect_uri is %s", got)
	}
	if got := u.Query().Get("scope"); got != "read" {
		t.Errorf("scope is %s", got)
	}
	id, err := w.Callback(t.Context(), alice, "acme", w.acme.authorize(t, to))
	if err != nil || id != q.ID {
		t.Fatalf("callback: %s, %v", id, err)
	}
	r := <-done
	if r.err != nil {
		t.Fatal(r.err)
	}
	if got := sent(t, r.cred, "https://tracker.example/mcp").Get("Authorization"); !strings.HasPrefix(got, "Bearer access-") {
		t.Errorf("Authorization: %s", got)
	}
	if o := w.outcome(q.ID); o.Action != parley.Accept || o.By != "alice" || o.Via != vault.Via {
		t.Errorf("outcome: %+v", o)
	}
	if n := w.acme.granted("authorization_code"); n != 1 {
		t.Errorf("%d codes were exchanged", n)
	}
}

func TestEveryQuestionForTheSameCredentialIsSettledAtOnce(t *testing.T) {
	w := newWorld(t, nil)
	first, second, bobs, notes := w.ask(alice, "tracker"), w.ask(alice, "tracker"), w.ask(bob, "tracker"), w.ask(alice, "notes")
	if _, err := w.Callback(t.Context(), alice, "acme", w.acme.authorize(t, w.begin(alice, first, "acme"))); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[parley.ID]bool{first.ID: true, second.ID: true, bobs.ID: false, notes.ID: false} {
		if got := w.outcome(id) != nil; got != want {
			t.Errorf("%s: settled is %v, want %v", id, got, want)
		}
	}
}

// attempt is Alice's attempt to connect her tracker, up to the callback.
type attempt struct {
	w      *world
	q      parley.Request
	answer url.Values
}

func newAttempt(t *testing.T, change func(*vault.Options)) *attempt {
	w := newWorld(t, change)
	q := w.ask(alice, "tracker")
	return &attempt{w: w, q: q, answer: w.acme.authorize(t, w.begin(alice, q, "acme"))}
}

// refused checks that nothing came of an answer: an error, no request to any
// provider, no connection, and the question still open.
func (a *attempt) refused(t *testing.T, p parley.Principal, slug string, answer url.Values, want error) {
	t.Helper()
	before := a.w.web.requests()
	_, err := a.w.Callback(t.Context(), p, slug, answer)
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
	if n := a.w.web.requests() - before; n != 0 {
		t.Errorf("%d requests were made", n)
	}
	if o := a.w.outcome(a.q.ID); o != nil {
		t.Errorf("the question was settled: %+v", o)
	}
	all, err := a.w.Connections(t.Context(), "", "", "")
	if err != nil || len(all) > 0 {
		t.Errorf("there are connections: %v, %v", all, err)
	}
}

// completes checks that Alice's own answer still counts.
func (a *attempt) completes(t *testing.T) {
	t.Helper()
	if _, err := a.w.Callback(t.Context(), alice, "acme", a.answer); err != nil {
		t.Errorf("Alice's own answer: %v", err)
	}
}

func TestAlicesLinkIsNothingToBob(t *testing.T) {
	w := newWorld(t, nil)
	q := w.ask(alice, "tracker")
	for _, p := range []parley.Principal{bob, {}, {Tenant: "globex", User: "alice"}} {
		if _, err := w.Offer(t.Context(), p, q.ID); !errors.Is(err, parley.ErrNotFound) {
			t.Errorf("offer to %+v: %v", p, err)
		}
		if _, err := w.Begin(t.Context(), p, q.ID, "acme"); !errors.Is(err, parley.ErrNotFound) {
			t.Errorf("begin as %+v: %v", p, err)
		}
		if err := w.Decline(t.Context(), p, q.ID); !errors.Is(err, parley.ErrNotFound) {
			t.Errorf("decline as %+v: %v", p, err)
		}
	}
	if n := w.web.requests(); n != 0 {
		t.Errorf("%d requests were made", n)
	}
}

func TestALinkOfASessionIsNothingToAPersonOfItsName(t *testing.T) {
	w := newWorld(t, nil)
	session := parley.SessionPrincipal("", "x")
	q := w.ask(session, "tracker")
	thief := parley.Principal{User: session.User}
	if _, err := w.Begin(t.Context(), thief, q.ID, "acme"); !errors.Is(err, parley.ErrNotFound) {
		t.Errorf("begin: %v", err)
	}
	a := &attempt{w: w, q: q, answer: w.acme.authorize(t, w.begin(session, q, "acme"))}
	a.refused(t, thief, "acme", a.answer, vault.ErrWrongPerson)
}

func TestAnAnswerForAliceInBobsBrowserIsRefused(t *testing.T) {
	a := newAttempt(t, nil)
	a.refused(t, bob, "acme", a.answer, vault.ErrWrongPerson)
	a.refused(t, parley.Principal{}, "acme", a.answer, vault.ErrWrongPerson)
	a.refused(t, parley.Principal{Tenant: "globex", User: "alice"}, "acme", a.answer, vault.ErrState)
	a.completes(t)
}

func TestASwappedStateIsRefused(t *testing.T) {
	a := newAttempt(t, nil)
	bobs := a.w.ask(bob, "tracker")
	theirs := a.w.acme.authorize(t, a.w.begin(bob, bobs, "acme"))
	swapped := url.Values{"code": a.answer["code"], "state": theirs["state"], "iss": theirs["iss"]}
	a.refused(t, alice, "acme", swapped, vault.ErrWrongPerson)
	// Bob brings Alice's code under his own state: the verifier does not fit.
	_, err := a.w.Callback(t.Context(), bob, "acme", swapped)
	var failed *vault.ProviderError
	if !errors.As(err, &failed) || failed.Code != "invalid_grant" {
		t.Errorf("got %v, want invalid_grant", err)
	}
	if _, err := a.w.Credential(t.Context(), vault.Need{Server: "tracker", User: "bob"}); !errors.Is(err, vault.ErrRequired) {
		t.Errorf("Bob has a credential: %v", err)
	}
}

func TestAStateCountsOnce(t *testing.T) {
	a := newAttempt(t, nil)
	var succeeded, refused atomic.Int32
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			_, err := a.w.another().Callback(t.Context(), alice, "acme", a.answer)
			switch {
			case err == nil:
				succeeded.Add(1)
			case errors.Is(err, vault.ErrState):
				refused.Add(1)
			default:
				t.Errorf("got %v", err)
			}
		})
	}
	all.Wait()
	if succeeded.Load() != 1 || refused.Load() != 15 {
		t.Errorf("%d succeeded, %d were refused", succeeded.Load(), refused.Load())
	}
	if n := a.w.web.count("acme.example/token"); n != 1 {
		t.Errorf("%d token requests", n)
	}
}

func TestAForgedOrMissingStateIsRefused(t *testing.T) {
	a := newAttempt(t, nil)
	for _, state := range []string{"", "x", a.answer.Get("state") + "x", strings.ToLower(a.answer.Get("state"))} {
		a.refused(t, alice, "acme", url.Values{"code": a.answer["code"], "state": {state}}, vault.ErrState)
	}
	a.completes(t)
}

func TestAnAttemptIsOverAfterItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAttempt(t, nil)
		time.Sleep(10*time.Minute + time.Second)
		before := a.w.web.requests()
		if _, err := a.w.Callback(t.Context(), alice, "acme", a.answer); !errors.Is(err, vault.ErrState) {
			t.Errorf("got %v", err)
		}
		if n := a.w.web.requests() - before; n != 0 {
			t.Errorf("%d requests were made", n)
		}
	})
}

func TestAnAnswerAtAnotherProvidersCallbackIsRefused(t *testing.T) {
	a := newAttempt(t, nil)
	a.refused(t, alice, "other", a.answer, vault.ErrWrongProvider)
	a.refused(t, alice, "acme~default", a.answer, vault.ErrWrongProvider)
	a.completes(t)
}

func TestAnAnswerOfAnotherIssuerIsRefusedAndEndsTheAttempt(t *testing.T) {
	for name, iss := range map[string][]string{
		"another": {"https://evil.example"}, "almost": {"https://acme.example/"}, "two": {"https://acme.example", "https://evil.example"}, "empty": {""},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAttempt(t, nil)
			wrong := url.Values{"code": a.answer["code"], "state": a.answer["state"], "iss": iss}
			a.refused(t, alice, "acme", wrong, vault.ErrIssuer)
			a.refused(t, alice, "acme", a.answer, vault.ErrState)
		})
	}
	t.Run("none where one is due", func(t *testing.T) {
		a := newAttempt(t, func(o *vault.Options) { o.Providers[0].RequireIss = true })
		a.refused(t, alice, "acme", url.Values{"code": a.answer["code"], "state": a.answer["state"]}, vault.ErrIssuer)
	})
	t.Run("none where none is due", func(t *testing.T) {
		a := newAttempt(t, nil)
		a.answer.Del("iss")
		a.completes(t)
	})
}

func TestAProviderThatWasChangedMeanwhileGetsNoCode(t *testing.T) {
	for name, how := range map[string]func(*vault.Options){
		"token URL": func(o *vault.Options) { o.Providers[0].TokenURL = "https://evil.example/token" },
		"issuer":    func(o *vault.Options) { o.Providers[0].Issuer = "https://evil.example" },
		"client":    func(o *vault.Options) { o.Providers[0].ClientID = "somebody" },
		"server":    func(o *vault.Options) { o.Servers[0].URL = "https://evil.example/mcp" },
	} {
		t.Run(name, func(t *testing.T) {
			a := newAttempt(t, nil)
			how(&a.w.opts)
			a.w.Vault = a.w.another()
			a.refused(t, alice, "acme", a.answer, vault.ErrWrongProvider)
		})
	}
}

func TestWhatThePageShowedIsWhereThePersonGoes(t *testing.T) {
	w := newWorld(t, nil)
	q := w.ask(alice, "tracker")
	if _, err := w.Begin(t.Context(), alice, q.ID, "other"); !errors.Is(err, vault.ErrWrongProvider) {
		t.Errorf("got %v", err)
	}
}

func TestHowAnAttemptEndsWhenTheProviderDoesNotConnect(t *testing.T) {
	for name, c := range map[string]struct {
		answer   url.Values // instead of the code
		provider func(*world)
		code     string
		outcome  parley.Action // empty: the question stays open
		says     string
	}{
		"declined at the provider": {answer: url.Values{"error": {"access_denied"}}, code: "access_denied", outcome: parley.Decline, says: "you declined"},
		"provider in trouble":      {answer: url.Values{"error": {"temporarily_unavailable"}}, code: "temporarily_unavailable", says: "Try again"},
		"wrong scope":              {answer: url.Values{"error": {"invalid_scope"}}, code: "invalid_scope", outcome: parley.Cancel, says: "invalid_scope"},
		"strange code":             {answer: url.Values{"error": {"<script>alert(1)</script>"}}, code: "unknown_error", says: "unknown_error"},
		"neither code nor error":   {answer: url.Values{}, says: "cannot be understood"},
		"provider down": {provider: func(w *world) {
			w.web.mu.Lock()
			delete(w.web.hosts, "acme.example")
			w.web.mu.Unlock()
		}, says: "Try again"},
		"provider fails":    {provider: func(w *world) { w.acme.set(func(a *authServer) { a.status, a.code = 503, "" }) }, says: "Try again"},
		"bad client secret": {provider: func(w *world) { w.acme.set(func(a *authServer) { a.secret = "changed" }) }, code: "invalid_client", outcome: parley.Cancel, says: "registration"},
		"no token in the answer": {provider: func(w *world) {
			w.web.mu.Lock()
			w.web.hosts["acme.example"] = http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Content-Type", "application/json")
				_, _ = rw.Write([]byte(`{"surprise":"secret-in-a-body"}`))
			})
			w.web.mu.Unlock()
		}, says: "cannot be understood"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAttempt(t, nil)
			if c.provider != nil {
				c.provider(a.w)
			}
			answer := a.answer
			if c.answer != nil {
				answer = c.answer
				answer.Set("state", a.answer.Get("state"))
			}
			id, err := a.w.Callback(t.Context(), alice, "acme", answer)
			var failed *vault.ProviderError
			if !errors.As(err, &failed) || id != a.q.ID {
				t.Fatalf("got %s, %v", id, err)
			}
			if failed.Code != c.code || failed.Settled != (c.outcome != "") || !strings.Contains(failed.Error(), c.says) {
				t.Errorf("got %+v: %v", failed, failed)
			}
			if text := failed.Error() + " " + errorText(errors.Unwrap(failed)); strings.Contains(text, "secret") || strings.Contains(text, "<") {
				t.Errorf("the error tells too much: %s", text)
			}
			switch o := a.w.outcome(a.q.ID); {
			case c.outcome == "" && o != nil:
				t.Errorf("the question was settled: %+v", o)
			case c.outcome != "" && (o == nil || o.Action != c.outcome):
				t.Errorf("outcome %+v, want %s", o, c.outcome)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestATokenThatCannotBeSentConnectsNothing(t *testing.T) {
	for name, access := range map[string]string{
		"line break": "a\r\nX-Admin: 1", "NUL": "a\x00b", "space": "a b", "letters of others": "токен", "too long": strings.Repeat("x", vault.MaxKey+1),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, nil)
				answer := func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "application/json")
					_ = json.NewEncoder(w).Encode(map[string]any{"access_token": access, "token_type": "Bearer", "refresh_token": "next", "expires_in": 3600})
				}
				w.connect(alice, "notes", w.other, "other")
				time.Sleep(2 * time.Hour)
				w.web.mu.Lock()
				w.web.hosts["acme.example"], w.web.hosts["other.example"] = http.HandlerFunc(answer), http.HandlerFunc(answer)
				w.web.mu.Unlock()

				q := w.ask(alice, "tracker")
				_, err := w.Callback(t.Context(), alice, "acme", w.acme.authorize(t, w.begin(alice, q, "acme")))
				var failed *vault.ProviderError
				if !errors.As(err, &failed) || failed.Temporary || strings.Contains(err.Error(), access) {
					t.Errorf("connecting: %v", err)
				}
				if w.outcome(q.ID) != nil {
					t.Error("the question is settled")
				}
				if _, err := w.Credential(t.Context(), needs("tracker")); !errors.As(err, new(*vault.RequiredError)) {
					t.Errorf("connected: %v", err)
				}
				if _, err := w.Credential(t.Context(), needs("notes")); !errors.As(err, &failed) {
					t.Errorf("refreshed: %v", err)
				}
			})
		})
	}
}

func TestAnAnswerThatComesTooLateForTheQuestionCountsForTheNextCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(o *vault.Options) { o.FlowTTL = time.Hour })
		_, err := w.Obtain(t.Context(), alice, needs("tracker"), &vault.ObtainOptions{TTL: time.Minute})
		var ended *vault.NotConnectedError
		if !errors.As(err, &ended) || ended.Outcome.Action != parley.Expire {
			t.Fatalf("got %v", err)
		}
		q := w.ask(alice, "tracker")
		answer := w.acme.authorize(t, w.begin(alice, q, "acme"))
		if err := w.hub.Cancel(t.Context(), q.ID, "the call was given up"); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Callback(t.Context(), alice, "acme", answer); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Credential(t.Context(), needs("tracker")); err != nil {
			t.Error(err)
		}
	})
}

func TestAPersonWhoDeclinedIsNotConnected(t *testing.T) {
	a := newAttempt(t, nil)
	if err := a.w.Decline(t.Context(), alice, a.q.ID); err != nil {
		t.Fatal(err)
	}
	before := a.w.web.requests()
	if _, err := a.w.Callback(t.Context(), alice, "acme", a.answer); !errors.Is(err, parley.ErrSettled) {
		t.Errorf("got %v", err)
	}
	if n := a.w.web.requests() - before; n != 0 {
		t.Errorf("%d requests were made", n)
	}
	if _, err := a.w.Begin(t.Context(), alice, a.q.ID, "acme"); !errors.Is(err, parley.ErrSettled) {
		t.Errorf("begin: %v", err)
	}
}

func TestObtainReportsHowTheQuestionEnded(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*world, parley.ID) error
		want parley.Action
	}{
		"declined":  {func(w *world, id parley.ID) error { return w.Decline(t.Context(), alice, id) }, parley.Decline},
		"cancelled": {func(w *world, id parley.ID) error { return w.hub.Cancel(t.Context(), id, "x") }, parley.Cancel},
		"accepted, but there is nothing": {func(w *world, id parley.ID) error {
			return w.hub.Answer(t.Context(), alice, id, parley.Answer{Action: parley.Accept})
		}, parley.Accept},
		"timed out": {func(*world, parley.ID) error { return nil }, parley.Expire},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, nil)
				_, err := w.Obtain(t.Context(), alice, needs("tracker"), &vault.ObtainOptions{Opened: func(q parley.Request) {
					if err := c.end(w, q.ID); err != nil {
						t.Error(err)
					}
				}})
				var ended *vault.NotConnectedError
				if !errors.As(err, &ended) || ended.Outcome.Action != c.want || !errors.Is(err, vault.ErrNotConnected) {
					t.Errorf("got %v", err)
				}
				if n := w.web.requests(); n != 0 {
					t.Errorf("%d requests were made", n)
				}
			})
		})
	}
}

func TestACredentialThatComesAnotherWayEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		var id parley.ID
		cred, err := w.Obtain(t.Context(), alice, needs("keyed"), &vault.ObtainOptions{Opened: func(q parley.Request) {
			id = q.ID
			if err := w.Provide(t.Context(), needs("keyed"), "k3y"); err != nil {
				t.Error(err)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if got := sent(t, cred, "https://keyed.example/").Get("X-Api-Key"); got != "k3y" {
			t.Errorf("got %q", got)
		}
		if o := w.outcome(id); o == nil || o.Action != parley.Accept || o.By != "alice" {
			t.Errorf("the question: %+v", o)
		}
	})
}

func TestAQuestionWhoseConnectionIsThereSettlesWhenItIsOpened(t *testing.T) {
	w := newWorld(t, nil)
	q := w.ask(alice, "keyed")
	if err := w.Provide(t.Context(), needs("keyed"), "k3y"); err != nil { // as by a process that died before it could say so
		t.Fatal(err)
	}
	offer, err := w.Offer(t.Context(), alice, q.ID)
	if err != nil || !offer.Connected {
		t.Fatalf("%+v, %v", offer, err)
	}
	if o := w.outcome(q.ID); o == nil || o.Action != parley.Accept {
		t.Errorf("outcome: %+v", o)
	}
}

func TestOtherQuestionsConnectNothing(t *testing.T) {
	w := newWorld(t, nil)
	forged := parley.Request{To: "alice", Message: "Hello", Trigger: parley.TriggerMCP, Mode: parley.URL, URL: "https://x.example",
		Labels: map[string]string{"server": "tracker", "scope": "user", "owner": "alice"}}
	foreign := forged
	foreign.Trigger, foreign.Labels = parley.TriggerCredential, map[string]string{"server": "tracker", "scope": "user", "owner": "bob", "origin": w.ask(bob, "tracker").Labels[vault.LabelOrigin]}
	for name, r := range map[string]parley.Request{"another trigger": forged, "somebody else's connection": foreign} {
		q, err := w.hub.Open(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Offer(t.Context(), alice, q.ID); !errors.Is(err, vault.ErrNotConnecting) {
			t.Errorf("%s: offer: %v", name, err)
		}
		if _, err := w.Begin(t.Context(), alice, q.ID, "acme"); !errors.Is(err, vault.ErrNotConnecting) {
			t.Errorf("%s: begin: %v", name, err)
		}
		if err := w.EnterKey(t.Context(), alice, q.ID, "x"); !errors.Is(err, vault.ErrNotConnecting) {
			t.Errorf("%s: key: %v", name, err)
		}
	}
}

// What clients are told of a question has no empty places.
func TestAQuestionForThePlatformsCredentialNamesNoOwner(t *testing.T) {
	w := newWorld(t, nil)
	if owner, named := w.ask(alice, "shared").Labels[vault.LabelOwner]; named {
		t.Errorf("it is of %q", owner)
	}
	if owner := w.ask(alice, "keyed").Labels[vault.LabelOwner]; owner != "alice" {
		t.Errorf("her own is of %q", owner)
	}
}
