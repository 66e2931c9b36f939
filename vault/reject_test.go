package vault_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// mcpServer accepts the tokens it is told to, and remembers what it got.
type mcpServer struct {
	mu        sync.Mutex
	accepts   func(token string) bool
	challenge string // for refusals
	status    int
	got       []string // Authorization and body
}

func (s *mcpServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	s.got = append(s.got, token+" "+string(body))
	if !s.accepts(token) {
		w.Header().Set("WWW-Authenticate", s.challenge)
		w.WriteHeader(s.status)
		return
	}
	fmt.Fprint(w, "ok")
}

func callTracker(t testing.TB, w *world) (string, error) {
	t.Helper()
	client := &http.Client{Transport: &vault.Transport{Vault: w.Vault, Need: needs("tracker")}}
	answer, err := client.Post("https://tracker.example/mcp", "application/json", strings.NewReader(`{"call":1}`))
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return fmt.Sprintf("%d %s", answer.StatusCode, body), err
}

func withTracker(t testing.TB, accepts func(string) bool) (*world, *mcpServer) {
	w := newWorld(t, nil)
	s := &mcpServer{accepts: accepts, challenge: `Bearer error="invalid_token"`, status: http.StatusUnauthorized}
	w.web.hosts["tracker.example"] = s
	w.connect(alice, "tracker", w.acme, "acme")
	return w, s
}

func TestACallWithoutACredentialIsNotSent(t *testing.T) {
	w := newWorld(t, nil)
	s := &mcpServer{accepts: func(string) bool { return true }}
	w.web.hosts["tracker.example"] = s
	if _, err := callTracker(t, w); !errors.Is(err, vault.ErrRequired) {
		t.Errorf("got %v", err)
	}
	if len(s.got) > 0 {
		t.Errorf("the server got %v", s.got)
	}
}

func TestARefusedTokenIsRefreshedAndTheCallRepeatedOnce(t *testing.T) {
	var bad string
	w, s := withTracker(t, func(token string) bool { return token != bad })
	bad = token(t, w.Vault)
	got, err := callTracker(t, w)
	if err != nil || got != "200 ok" {
		t.Fatalf("%s, %v", got, err)
	}
	if len(s.got) != 2 || !strings.HasSuffix(s.got[1], ` {"call":1}`) || strings.HasPrefix(s.got[1], bad) {
		t.Errorf("the server got %v", s.got)
	}
	if n := w.acme.granted("refresh_token"); n != 1 {
		t.Errorf("%d refreshes", n)
	}
}

func TestATokenThatIsRefusedAfterItsRefreshAsksThePerson(t *testing.T) {
	w, s := withTracker(t, func(string) bool { return false })
	var refused []string
	w.opts.Refused = func(server string) { refused = append(refused, server) }
	w.Vault = w.another()
	_, err := callTracker(t, w)
	var e *vault.RequiredError
	if !errors.As(err, &e) || e.Reason != vault.Rejected {
		t.Fatalf("got %v", err)
	}
	if len(s.got) != 2 {
		t.Errorf("the server was called %d times", len(s.got))
	}
	if _, err := callTracker(t, w); !errors.Is(err, vault.ErrRequired) || len(s.got) != 2 {
		t.Errorf("the next call: %v, %d calls at the server", err, len(s.got))
	}
	if want := []string{"tracker", "tracker"}; !slices.Equal(refused, want) { // one for each that the server got
		t.Errorf("told of %q, want %q", refused, want)
	}
	if n := w.acme.granted("refresh_token"); n != 1 {
		t.Errorf("%d refreshes", n)
	}
	s.mu.Lock()
	s.accepts = func(string) bool { return true }
	s.mu.Unlock()
	w.connect(alice, "tracker", w.acme, "acme")
	if got, err := callTracker(t, w); err != nil || got != "200 ok" {
		t.Errorf("after connecting anew: %s, %v", got, err)
	}
}

func TestATokenThatWasReplacedMeanwhileIsNotHeldAgainstItsSuccessor(t *testing.T) {
	w, _ := withTracker(t, func(string) bool { return true })
	old, err := w.Credential(t.Context(), needs("tracker"))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Disconnect(t.Context(), old.Key); err != nil {
		t.Fatal(err)
	}
	w.connect(alice, "tracker", w.acme, "acme")
	fresh := token(t, w.Vault)
	if err := w.Reject(t.Context(), old, nil); err != nil {
		t.Fatal(err)
	}
	if got := token(t, w.Vault); got != fresh {
		t.Errorf("the new token was given up")
	}
}

func TestAServerThatWantsMoreScopesIsAskedForWithThem(t *testing.T) {
	var narrow string
	w, s := withTracker(t, func(token string) bool { return token != narrow })
	narrow = token(t, w.Vault)
	s.status, s.challenge = http.StatusForbidden, `Bearer error="insufficient_scope", scope="write admin"`
	_, err := callTracker(t, w)
	var e *vault.RequiredError
	if !errors.As(err, &e) || e.Reason != vault.Insufficient || strings.Join(e.Scopes, " ") != "read write admin" {
		t.Fatalf("got %+v, %v", e, err)
	}
	q := w.ask(alice, "tracker")
	offer, err := w.Offer(t.Context(), alice, q.ID)
	if err != nil || strings.Join(offer.Scopes, " ") != "read write admin" {
		t.Errorf("offer: %+v, %v", offer, err)
	}
	to := w.begin(alice, q, "acme")
	if !strings.Contains(to, "scope=read+write+admin") {
		t.Errorf("asked for %s", to)
	}
	if _, err := w.Callback(t.Context(), alice, "acme", w.acme.authorize(t, to)); err != nil {
		t.Fatal(err)
	}
	if got, err := callTracker(t, w); err != nil || got != "200 ok" {
		t.Errorf("%s, %v", got, err)
	}
}

// The go-sdk's middleware sends the scopes without an error code.
func TestAServerThatOnlyNamesTheScopesIsUnderstood(t *testing.T) {
	w, s := withTracker(t, func(string) bool { return false })
	s.status, s.challenge = http.StatusForbidden, `Bearer resource_metadata="https://tracker.example/.well-known/oauth-protected-resource", scope="write"`
	_, err := callTracker(t, w)
	var e *vault.RequiredError
	if !errors.As(err, &e) || e.Reason != vault.Insufficient || strings.Join(e.Scopes, " ") != "read write" {
		t.Errorf("got %+v, %v", e, err)
	}
}

func TestAPlain403IsTheServersBusiness(t *testing.T) {
	w, s := withTracker(t, func(string) bool { return false })
	s.status, s.challenge = http.StatusForbidden, ""
	if got, err := callTracker(t, w); err != nil || !strings.HasPrefix(got, "403") {
		t.Errorf("%s, %v", got, err)
	}
	token(t, w.Vault)
}

func TestARedirectTakesNoCredentialElsewhere(t *testing.T) {
	w, _ := withTracker(t, func(string) bool { return true })
	w.web.hosts["tracker.example"] = http.RedirectHandler("https://evil.example/", http.StatusTemporaryRedirect)
	stolen := false
	w.web.hosts["evil.example"] = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		stolen = stolen || r.Header.Get("Authorization") != ""
	})
	if _, err := callTracker(t, w); !errors.Is(err, vault.ErrOrigin) {
		t.Errorf("got %v", err)
	}
	if stolen {
		t.Error("the token went elsewhere")
	}
}

func TestAKeyIsEnteredOnceAndCheckedForWhatItCanBe(t *testing.T) {
	w := newWorld(t, nil)
	q := w.ask(alice, "keyed")
	for bad, want := range map[string]error{
		"": vault.ErrKeyEmpty, "  ": vault.ErrKeyEmpty, "two words": vault.ErrKeyCharacter, "line\nbreak": vault.ErrKeyCharacter, "naïve": vault.ErrKeyCharacter,
		strings.Repeat("x", vault.MaxKey+1): vault.ErrKeyLong,
	} {
		if err := w.EnterKey(t.Context(), alice, q.ID, bad); !errors.Is(err, vault.ErrKey) || !errors.Is(err, want) {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
	if err := w.EnterKey(t.Context(), bob, q.ID, "bobs"); !errors.Is(err, parley.ErrNotFound) {
		t.Errorf("Bob: %v", err)
	}
	if err := w.EnterKey(t.Context(), alice, q.ID, " k3y\n"); err != nil {
		t.Fatal(err)
	}
	if err := w.EnterKey(t.Context(), alice, q.ID, "another"); !errors.Is(err, parley.ErrSettled) {
		t.Errorf("twice: %v", err)
	}
	cred, err := w.Credential(t.Context(), needs("keyed"))
	if err != nil {
		t.Fatal(err)
	}
	if got := sent(t, cred, "https://keyed.example/mcp").Get("X-Api-Key"); got != "k3y" {
		t.Errorf("got %q", got)
	}
	if o := w.outcome(q.ID); o.Action != parley.Accept || len(o.Content) > 0 {
		t.Errorf("the answer holds more than yes: %+v", o)
	}
	if err := w.EnterKey(t.Context(), alice, w.ask(alice, "tracker").ID, "k3y"); !errors.Is(err, vault.ErrNotConnecting) {
		t.Errorf("a key where consent is due: %v", err)
	}
}

func TestARefusedKeyIsAskedForAgain(t *testing.T) {
	w := newWorld(t, nil)
	if err := w.Provide(t.Context(), needs("keyed"), "k3y"); err != nil {
		t.Fatal(err)
	}
	cred, err := w.Credential(t.Context(), needs("keyed"))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Reject(t.Context(), cred, nil); err != nil {
		t.Fatal(err)
	}
	_, err = w.Credential(t.Context(), needs("keyed"))
	if e := required(t, err); e.Reason != vault.Rejected {
		t.Errorf("got %v", e)
	}
}

func TestDisconnectingRevokesAtTheProvider(t *testing.T) {
	w := newWorld(t, nil)
	w.connect(alice, "tracker", w.acme, "acme")
	key := vault.Key{Server: "tracker", Scope: vault.User, Owner: "alice"}
	all, err := w.Connections(t.Context(), "", vault.User, "alice")
	if err != nil || len(all) != 1 || all[0].Status != vault.Active || !all[0].Renews || all[0].Provider != "acme" {
		t.Fatalf("%+v, %v", all, err)
	}
	if err := w.Disconnect(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if len(w.acme.revoked) != 2 || len(w.acme.refresh) != 0 {
		t.Errorf("revoked %d, %d refresh tokens left", len(w.acme.revoked), len(w.acme.refresh))
	}
	_, err = w.Credential(t.Context(), needs("tracker"))
	if e := required(t, err); e.Reason != vault.Missing {
		t.Errorf("got %v", e)
	}
	if err := w.Disconnect(t.Context(), key); !errors.Is(err, parley.ErrNotFound) {
		t.Errorf("twice: %v", err)
	}
}

func TestDisconnectingWorksWhenTheProviderDoesNot(t *testing.T) {
	w := newWorld(t, nil)
	w.connect(alice, "tracker", w.acme, "acme")
	w.acme.set(func(a *authServer) { a.status = http.StatusServiceUnavailable })
	if err := w.Disconnect(t.Context(), vault.Key{Server: "tracker", Scope: vault.User, Owner: "alice"}); !errors.Is(err, vault.ErrNotRevoked) {
		t.Errorf("got %v", err)
	}
	if _, err := w.Credential(t.Context(), needs("tracker")); !errors.Is(err, vault.ErrRequired) {
		t.Errorf("got %v", err)
	}
}

// late has its credential only after it was looked for a few times.
type late struct{ missing int }

func (l *late) Fetch(context.Context, vault.Place) (vault.Secret, error) {
	if l.missing > 0 {
		l.missing--
		return vault.Secret{}, vault.ErrNoCredential
	}
	return vault.Secret{Value: "from-afar"}, nil
}

func TestACredentialThatArrivesLateIsLookedForAgain(t *testing.T) {
	for missing, want := range map[int]bool{1: true, 3: true, 4: false} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, func(o *vault.Options) {
				o.Sources = map[string]vault.Source{"afar": &late{missing: missing}}
				o.Servers = append(o.Servers, vault.Server{Name: "far", URL: "https://far.example/mcp", Auth: vault.Auth{Type: vault.Bearer, Scope: vault.User, Source: "afar"}})
			})
			start := time.Now()
			_, err := w.Obtain(t.Context(), alice, needs("far"), &vault.ObtainOptions{Opened: func(q parley.Request) {
				w.begin(alice, q, "")
				if err := w.hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept}); err != nil {
					t.Error(err)
				}
			}})
			if (err == nil) != want {
				t.Errorf("missing %d times: %v", missing, err)
			}
			if most := 1500 * time.Millisecond; time.Since(start) > most {
				t.Errorf("took %v", time.Since(start))
			}
		})
	}
}

func TestWhatASourceKeepsIsAskedForAgainAfterARefusal(t *testing.T) {
	source := &late{}
	w := newWorld(t, func(o *vault.Options) {
		o.Sources = map[string]vault.Source{"afar": source}
		o.Servers = append(o.Servers, vault.Server{Name: "far", URL: "https://far.example/mcp", Auth: vault.Auth{Type: vault.Bearer, Scope: vault.User, Source: "afar"}})
	})
	w.begin(alice, w.ask(alice, "far"), "")
	cred, err := w.Credential(t.Context(), needs("far"))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Reject(t.Context(), cred, nil); err != nil {
		t.Fatal(err)
	}
	_, err = w.Credential(t.Context(), needs("far"))
	if e := required(t, err); e.Reason != vault.Rejected {
		t.Errorf("got %v", e)
	}
}
