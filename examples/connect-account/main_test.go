package main

import (
	"errors"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/net/html"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// person is somebody with a browser that has no script.
type person struct {
	t       *testing.T
	browser *http.Client
	at      *url.URL
	page    *html.Node
}

func newPerson(t *testing.T) *person {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t: t, browser: &http.Client{Jar: jar, Transport: &http.Transport{}}}
	t.Cleanup(p.browser.CloseIdleConnections)
	return p
}

func (p *person) read(answer *http.Response, err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	p.at = answer.Request.URL
	if p.page, err = html.Parse(answer.Body); err != nil {
		p.t.Fatal(err)
	}
	if _, to, ok := strings.Cut(answer.Header.Get("Refresh"), "url="); ok { // a page that sends the browser on
		p.open(to)
	}
}

func (p *person) open(to string) {
	p.t.Helper()
	if p.at != nil {
		u, err := p.at.Parse(to)
		if err != nil {
			p.t.Fatal(err)
		}
		to = u.String()
	}
	p.read(p.browser.Get(to))
}

// press presses the button that says so, with the fields filled in.
func (p *person) press(says string, fields url.Values) {
	p.t.Helper()
	for form := range p.page.Descendants() {
		if form.Data != "form" {
			continue
		}
		values, found := url.Values{}, false
		for n := range form.Descendants() {
			name, value := attribute(n, "name"), attribute(n, "value")
			switch {
			case n.Data == "button" && strings.Contains(text(n), says):
				found = true
				if name != "" {
					values.Set(name, value)
				}
			case n.Data == "input" && attribute(n, "type") == "hidden":
				values.Set(name, value)
			}
		}
		if !found {
			continue
		}
		for name, value := range fields {
			values[name] = value
		}
		to, err := p.at.Parse(attribute(form, "action"))
		if err != nil {
			p.t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, to.String(), strings.NewReader(values.Encode()))
		if err != nil {
			p.t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", p.at.Scheme+"://"+p.at.Host)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		p.read(p.browser.Do(r))
		return
	}
	p.t.Fatalf("no button %q at %s: %s", says, p.at, text(p.page))
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
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
	if said := text(alice.page); !strings.Contains(said, "Acme Tracker") || !strings.Contains(said, "read") || !strings.Contains(said, "alice") {
		t.Errorf("the page says %s", said)
	}
	alice.press("Connect", nil)
	alice.press("Sign in", url.Values{"user": {"alice@acme"}})
	alice.press("Allow", nil)
	if got := <-done; got.err != nil || got.tickets != "Ticket 7 of alice@acme: the coffee machine is out of order" {
		t.Errorf("%+v", got)
	}
	if said := text(alice.page); !strings.Contains(strings.ToLower(said), "connected") {
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
	if said := text(bob.page); strings.Contains(said, "Acme") {
		t.Errorf("Bob is told %s", said)
	}
	if err := a.hub.Cancel(t.Context(), q.ID, "the test is over"); err != nil {
		t.Fatal(err)
	}
	<-done
}
