package toolbox_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall/toolbox"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

// accounts are those that people, or agents, have with the server of a test: keys that
// it finds behind "Bearer ".
type accounts struct {
	*vault.Vault
	hub   *parley.Hub
	store *parley.MemoryStore
	keys  *seal.Keyring
	scope vault.Scope
}

func newAccounts(t *testing.T, url string, scope vault.Scope) *accounts {
	t.Helper()
	keys, err := seal.New([]byte("a secret of the tests that is long enough"))
	if err != nil {
		t.Fatal(err)
	}
	store := parley.NewMemoryStore()
	a := &accounts{hub: parley.New(store, nil), store: store, keys: keys, scope: scope}
	a.Vault, err = vault.New(a.hub, store, keys, &vault.Options{
		PublicURL: "https://parley.example", Logger: slog.New(slog.DiscardHandler), RetryAfter: []time.Duration{time.Millisecond},
		Servers: []vault.Server{{Name: "fixture", URL: url, Auth: vault.Auth{Type: vault.APIKey, Scope: scope, Header: "Authorization", Prefix: "Bearer "}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// provide is what the person does who connects an account.
func (a *accounts) provide(t *testing.T, who agent.Caller, key string) {
	t.Helper()
	if err := a.Provide(t.Context(), vault.Need{Tenant: who.Tenant, Server: "fixture", Agent: who.Agent, User: who.User}, key); err != nil {
		t.Fatal(err)
	}
}

// set connects a person's account, or disconnects it.
func (a *accounts) set(t *testing.T, user string, connected bool) {
	t.Helper()
	if connected {
		a.provide(t, caller(user, "helper"), user)
		return
	}
	if err := a.Disconnect(t.Context(), vault.Key{Tenant: parley.DefaultTenant, Server: "fixture", Scope: vault.User, Owner: user}); err != nil {
		t.Fatal(err)
	}
}

// box is the server with these accounts.
func (a *accounts) box(t *testing.T, opts toolbox.Options) *toolbox.Box {
	opts.Vault = a.Vault
	return newBox(t, opts)
}

// lock is a server's, which takes one key.
type lock struct {
	mu    sync.Mutex
	key   string
	naked int // requests without a key
}

func (l *lock) set(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.key = key
}

func (l *lock) before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.mu.Lock()
		given := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		ok := given == l.key
		if given == "" {
			l.naked++
		}
		l.mu.Unlock()
		if !ok {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func TestNoRequestIsMadeBeforeThePersonHasConnected(t *testing.T) {
	l := &lock{key: "key1"}
	url := serve(t, false, l.before)
	a := newAccounts(t, url, vault.User)
	b := a.box(t, toolbox.Options{URL: url})
	var pause *agent.Pause
	if _, err := b.Tools(t.Context(), alice); !errors.As(err, &pause) {
		t.Fatalf("tools: %v", err)
	}
	connect := func(key string) func(parley.Request) parley.Outcome {
		return func(q parley.Request) parley.Outcome {
			if q.Trigger != parley.TriggerCredential || !strings.HasSuffix(q.URL, string(q.ID)) {
				t.Errorf("%s asks for the account at %s (%s)", q.ID, q.URL, q.Trigger)
			}
			a.provide(t, alice, key)
			return yes(q)
		}
	}
	if result, asked, err := call(t, b, "plain", connect("key1")); err != nil || result.Failed || len(asked) != 1 {
		t.Errorf("%+v, %v, asked %q", result, err, asked)
	}
	l.set("key2") // the server no longer takes the old one
	if result, asked, err := call(t, b, "plain", connect("key2")); err != nil || result.Failed || len(asked) != 1 {
		t.Errorf("after a refusal: %+v, %v, asked %q", result, err, asked)
	}
	l.set("never")
	_, asked, err := call(t, b, "plain", connect("key3"))
	refused(t, err, "fixture does not accept the user's credential.")
	// Once more if a request beside the calls was refused before this one was made.
	if len(asked) < 1 || len(asked) > 2 {
		t.Errorf("a credential that is never taken: asked %q", asked)
	}
	if l.naked != 0 {
		t.Errorf("%d requests came without a credential", l.naked)
	}
}

// The person does not want this call: an account that comes another way is for others.
func TestWhoDoesNotConnectIsNotMadeToByAnAccountThatComesAnotherWay(t *testing.T) {
	for action, want := range map[parley.Action]string{
		parley.Decline: "the person declined", parley.Expire: "nobody answered in time", parley.Cancel: "they have gone to lunch",
	} {
		h := &hand{modern: true}
		url := h.serve(t)
		a := newAccounts(t, url, vault.User)
		_, asked, err := call(t, a.box(t, toolbox.Options{URL: url}), "plain", func(parley.Request) parley.Outcome {
			a.provide(t, alice, "key")
			return parley.Outcome{Action: action, Reason: "they have gone to lunch"}
		})
		refused(t, err, want)
		if len(asked) != 1 || h.calls.Load() != 0 {
			t.Errorf("%s: asked %q, and the server got %d calls", action, asked, h.calls.Load())
		}
	}
}

func TestWhoSaysThatTheyHaveConnectedAndHaveNotIsToldSo(t *testing.T) {
	h := &hand{modern: true}
	url := h.serve(t)
	a := newAccounts(t, url, vault.User)
	_, _, err := call(t, a.box(t, toolbox.Options{URL: url}), "plain", yes)
	refused(t, err, "there is no credential")
	unprovided := func(server string, cause error) *agent.PublicError {
		return &agent.PublicError{Text: server + " was not provided", Cause: cause}
	}
	_, _, err = call(t, a.box(t, toolbox.Options{URL: url, Unprovided: unprovided}), "plain", yes)
	refused(t, err, "fixture was not provided")
}

// A server that refuses the credential has not carried out what was approved, which is
// approved anew for the account that it is made with then.
func TestAnApprovedCallIsMadeOnceWhenItsCredentialIsRefused(t *testing.T) {
	l, h := &lock{key: "key1"}, &hand{modern: true}
	h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) { sayJSON(w, id, `{"content":[]}`) }
	web := serveHandler(t, l.before(h))
	a := newAccounts(t, web, vault.User)
	permits, err := permit.New(a.hub, a.store, a.keys, &permit.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	box := a.box(t, toolbox.Options{URL: web, Hub: a.hub, Permits: permits}).Ruled("", permit.Always)
	a.provide(t, alice, "key1")
	l.set("key2")
	var approved, connected int
	result, _, err := call(t, box, "plain", func(q parley.Request) parley.Outcome {
		if q.Trigger == parley.TriggerCredential {
			connected++
			a.provide(t, alice, "key2")
			return yes(q)
		}
		approved++
		q.Tenant, q.To = alice.Tenant, alice.User
		if _, err := a.hub.OpenFor(t.Context(), alice.Principal, q); err != nil {
			t.Fatal(err)
		}
		answer := parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "test"}
		if err := a.hub.Answer(t.Context(), alice.Principal, q.ID, answer); err != nil {
			t.Fatal(err)
		}
		return parley.Outcome{Action: parley.Accept, Content: answer.Content}
	})
	if err != nil || result.Failed || approved != 2 || connected != 1 || h.calls.Load() != 1 {
		t.Errorf("%+v, %v: approved %d times, connected %d times, made %d calls", result, err, approved, connected, h.calls.Load())
	}
}

// A rule that lets calls through that only read is not for a tool of which it is not sure
// that it does.
func TestAToolWhoseHintsAreNotSureNeedsAnApproval(t *testing.T) {
	for annotations, want := range map[string]int{
		`"annotations":{"readOnlyHint":true}`:                                     0,
		`"annotations":{"ReadOnlyHint":true}`:                                     1,
		`"annotations":{"readOnlyHint":true,"ReadOnlyHint":false}`:                1,
		`"annotations":{"readOnlyHint":true,"DestructiveHint":true}`:              1,
		`"annotations":{"readOnlyHint":true,"readOnlyHint":true}`:                 1,
		`"annotations":{"readOnlyHint":true,"destructiveHint":"true"}`:            1,
		`"annotations":{"readOnlyHint":"true"}`:                                   1,
		`"annotations":{"readOnlyHint":true},"Annotations":{"readOnlyHint":true}`: 1,
	} {
		eras(t, func(t *testing.T, h *hand) {
			h.tell = func(w http.ResponseWriter, method string, id json.RawMessage, _ int64) {
				if method == "tools/list" {
					sayJSON(w, id, `{"resultType":"complete","tools":[{"name":"do","inputSchema":{"type":"object"},`+annotations+`}]}`)
					return
				}
				sayJSON(w, id, `{"resultType":"complete","content":[]}`)
			}
			url := h.serve(t)
			a := newAccounts(t, url, vault.User)
			permits, err := permit.New(a.hub, a.store, a.keys, &permit.Options{Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			box := newBox(t, toolbox.Options{URL: url, Hub: a.hub, Permits: permits}).Ruled("", permit.Unsafe)
			tools, err := box.Tools(t.Context(), alice)
			if err != nil || len(tools) != 1 {
				t.Fatalf("%s: %v, %v", annotations, tools, err)
			}
			asked := 0
			c := &agent.Invocation{Caller: alice, ID: "1", Tool: tools[0], Args: json.RawMessage(`{}`), Answers: map[string]parley.Request{}}
			err = box.Prepare(t.Context(), c)
			var pause *agent.Pause
			if errors.As(err, &pause) {
				asked = len(pause.Questions)
			} else if err != nil {
				t.Fatal(err)
			}
			if asked != want {
				t.Errorf("%s: %d approvals, want %d", annotations, asked, want)
			}
		})
	}
}
