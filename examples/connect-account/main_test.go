package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/visitor"
	"github.com/parley-hq/parley/vault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// person is somebody with a browser that has no script.
type person struct {
	*visitor.Visitor
	t *testing.T
}

func newPerson(t *testing.T) *person {
	p := &person{visitor.New(), t}
	t.Cleanup(p.Leave)
	return p
}

func (p *person) open(address string) {
	p.t.Helper()
	if err := p.Open(p.t.Context(), address); err != nil {
		p.t.Fatal(err)
	}
}

// press presses a button. Where that leads may say that something went wrong.
func (p *person) press(says string, fields url.Values) {
	p.t.Helper()
	var wrong *visitor.StatusError
	if err := p.Press(p.t.Context(), says, fields); err != nil && !errors.As(err, &wrong) {
		p.t.Fatal(err)
	}
}

// started is the program with its servers.
func started(t *testing.T) *app {
	var site, acme http.Handler
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { site.ServeHTTP(w, r) }))
	back := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { acme.ServeHTTP(w, r) }))
	t.Cleanup(front.Close)
	t.Cleanup(back.Close)
	a, err := newApp(front.URL, back.URL)
	if err != nil {
		t.Fatal(err)
	}
	site, acme = a.site, a.acme
	t.Cleanup(a.close)
	return a
}

type result struct {
	tickets string
	err     error
}

// ask starts the call and returns the question that it leads to.
func ask(t *testing.T, a *app) (parley.Request, chan result) {
	opened, done := make(chan parley.Request, 1), make(chan result, 1)
	go func() {
		tickets, err := a.tickets(t.Context(), parley.Principal{User: "alice"}, func(q parley.Request) { opened <- q })
		done <- result{tickets, err}
	}()
	return <-opened, done
}

func TestAliceConnectsAndTheCallGoesOn(t *testing.T) {
	a := started(t)
	q, done := ask(t, a)
	alice := newPerson(t)
	alice.open(q.URL)
	alice.press("alice", url.Values{"user": {"alice"}})
	if said := alice.Text(); !strings.Contains(said, "Acme Tracker") || !strings.Contains(said, "read") || !strings.Contains(said, "alice") {
		t.Errorf("the page says %s", said)
	}
	alice.press("Connect", nil)
	alice.press("Sign in", url.Values{"user": {"alice@acme"}})
	alice.press("Allow", nil)
	if got := <-done; got.err != nil || got.tickets != "Ticket 7 of alice@acme: the coffee machine is out of order" {
		t.Errorf("%+v", got)
	}
	if said := alice.Text(); !strings.Contains(strings.ToLower(said), "connected") {
		t.Errorf("in the end the page says %s", said)
	}
}

func TestAliceDeclinesAtTheProviderAndTheCallEnds(t *testing.T) {
	a := started(t)
	q, done := ask(t, a)
	alice := newPerson(t)
	alice.open(q.URL)
	alice.press("alice", url.Values{"user": {"alice"}})
	alice.press("Connect", nil)
	alice.press("Sign in", url.Values{"user": {"alice"}})
	alice.press("Deny", nil)
	var ended *vault.NotConnectedError
	if got := <-done; !errors.As(got.err, &ended) || ended.Outcome.Action != parley.Decline {
		t.Errorf("%+v", got)
	}
}

func TestBobCannotConnectForAlice(t *testing.T) {
	a := started(t)
	q, done := ask(t, a)
	bob := newPerson(t)
	bob.open(q.URL)
	bob.press("bob", url.Values{"user": {"bob"}})
	if said := bob.Text(); strings.Contains(said, "Acme") {
		t.Errorf("Bob is told %s", said)
	}
	if err := a.hub.Cancel(t.Context(), q.ID, "the test is over"); err != nil {
		t.Fatal(err)
	}
	<-done
}
