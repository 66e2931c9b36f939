package remote_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/vault"
)

// purse is an access with one person's key.
type purse struct {
	mu   sync.Mutex
	key  string
	base http.RoundTripper
}

func (p *purse) set(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.key = key
}

func (p *purse) Enter(_ context.Context, c *agent.Invocation, again bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.Caller.User != alice.User {
		return errors.New("it is somebody else's")
	}
	if p.key != "" {
		return nil
	}
	key := "credential"
	if again {
		key += "-again"
	}
	return &agent.Pause{Questions: map[string]parley.Request{key: {From: "desk", Message: "Connect desk.", Trigger: parley.TriggerCredential}}}
}

func (p *purse) Transport(agent.Caller) http.RoundTripper { return p }

// refusedKey is the error of a request whose key the agent does not take.
type refusedKey struct{ error }

func (refusedKey) NotTaken() bool  { return true }
func (e refusedKey) Unwrap() error { return e.error }

func (p *purse) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	key := p.key
	p.mu.Unlock()
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+key)
	resp, err := p.base.RoundTrip(r)
	if err == nil && resp.StatusCode == http.StatusUnauthorized {
		resp.Body.Close()
		p.set("")
		return nil, refusedKey{&vault.RequiredError{}}
	}
	return resp, err
}

// guarded lets nobody in but with a key that holds.
func guarded(good *sync.Map) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, ok := good.Load(r.Header.Get("Authorization")); r.URL.Path == "/rpc" && !ok {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// A credential is asked for before anything is sent, and again where the agent does not
// take it any more in the middle of a task: that goes on.
func TestACredentialIsAskedForAndATaskGoesOnWithAnotherOne(t *testing.T) {
	good := &sync.Map{}
	good.Store("Bearer one", true)
	good.Store("Bearer two", true)
	d := &desk{work: booking, extension: true, front: guarded(good)}
	w := newWorld(t, d)
	base := &http.Transport{}
	t.Cleanup(base.CloseIdleConnections)
	key := &purse{base: base}
	w.opts.Access = key
	n := w.node()
	ref := n.say("Book a trip.")
	q := n.question()
	if q.Trigger != parley.TriggerCredential || len(d.got()) != 0 {
		t.Fatalf("asked %+v", q)
	}
	key.set("one")
	n.answer(q, parley.Accept, "{}")
	q = n.asks("Where to?")
	good.Delete("Bearer one")
	n.answer(q, parley.Accept, `{"city":"Oslo","nights":3}`)
	q = n.asks("Connect desk.")
	key.set("two")
	n.answer(q, parley.Accept, "{}")
	if got := n.reply(ref); got != `booked: accept {"city":"Oslo","nights":3} done` {
		t.Error(got)
	}
	d.one()
	if got := d.got(); len(got) != 2 {
		t.Errorf("it got %d messages", len(got))
	}
}

// Nobody connects an account for an agent that cannot be spoken to.
func TestNoCredentialIsAskedForWhereTheCardIsOfNoUse(t *testing.T) {
	d := &desk{work: booking, front: says(http.StatusOK, `{"supportedInterfaces": 7}`)}
	w := newWorld(t, d)
	w.opts.Access = &purse{base: http.DefaultTransport}
	n := w.node()
	if got := n.reply(n.say("Book a trip.")); !strings.HasPrefix(got, "desk has a card that cannot be read (json: ") || !strings.Contains(got, "the task was not sent") {
		t.Error(got)
	}
	if list, err := n.hub.List(t.Context(), alice, parley.Query{}); err != nil || len(list) != 0 {
		t.Errorf("asked %v, %v", list, err)
	}
}
