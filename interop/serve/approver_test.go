package serve_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/internal/testkit/receivers"
	"github.com/parley-hq/parley/interop/kit"
)

// heard is what the outside world is told of questions.
type heard struct {
	office *receivers.PostOffice
	phone  *receivers.Browser
	pushed chan string // decrypted
	hooked chan string // verified: the event and whom it is about
	config string
}

func listening(t *testing.T) *heard {
	t.Helper()
	const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
	verifier, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	h := &heard{office: receivers.NewPostOffice(t), pushed: make(chan string, 20), hooked: make(chan string, 20)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /push", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		plain, err := h.phone.Decrypt(body)
		if err != nil {
			t.Errorf("pushed: %v", err)
		}
		h.pushed <- string(plain)
		w.WriteHeader(http.StatusCreated)
	})
	mux.HandleFunc("POST /hook", func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if err := verifier.Verify(body, r.Header); err != nil {
			t.Errorf("the webhook: %v: %s", err, body)
		}
		var e struct {
			Type string
			Data struct{ To string }
		}
		_ = json.Unmarshal(body, &e)
		h.hooked <- e.Type + " " + e.Data.To
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	h.phone = receivers.NewBrowser(t, server.URL+"/push")
	h.config = fmt.Sprintf(`
rules: [{name: purchases, server: shop, tool: buy, approvers: "1 of [bob, carol]", ttl: 3d}]
people: {bob: {email: bob@example.com}}
channels:
  web_push: {subject: "mailto:ops@example.com", after: 1ms}
  smtp: {host: 127.0.0.1, port: %d, tls: none, from: "Parley <parley@example.com>", after: 2ms}
  webhooks: [{name: ops, url: %q, secret: %q, after: 3ms}]
`, h.office.Port, server.URL+"/hook", secret)
	return h
}

// amount is what alice's call is about, as a word: random names have digits too.
var amount = regexp.MustCompile(`\b300\b`)

// opened waits until bob was told by every channel, and returns the link of the
// letter.
func (h *heard) opened(t *testing.T) (link string) {
	t.Helper()
	pushed := received(t, "push", h.pushed)
	letter := string(received(t, "letter", h.office.Letters).Raw)
	h.hooks(t, "question.opened bob")
	_, rest, found := strings.Cut(strings.ReplaceAll(letter, "=\r\n", ""), "http://")
	if !found {
		t.Fatalf("no link in %s", letter)
	}
	link = "http://" + strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" \r\n\"<>", r) })[0]
	if _, id, _ := strings.Cut(link, "/answer/"); id == "" || !strings.Contains(pushed, id) {
		t.Errorf("the letter leads to %s, the push says %s", link, pushed)
	}
	for what, text := range map[string]string{"push": pushed, "letter": letter} {
		if !strings.Contains(text, "alice") || amount.MatchString(text) {
			t.Errorf("the %s does not say whose call it is, or says too much: %s", what, text)
		}
	}
	return link
}

// hooks waits for an event of bob's. Nobody else is told: carol looks at her inbox, and
// alice has nothing to answer.
func (h *heard) hooks(t *testing.T, want string) {
	t.Helper()
	if got := received(t, "webhook", h.hooked); got != want {
		t.Fatalf("the webhook says %q, not %q", got, want)
	}
}

// closed waits until it was taken back.
func (h *heard) closed(t *testing.T) {
	t.Helper()
	h.hooks(t, "question.closed bob")
	received(t, "push that takes the first back", h.pushed)
}

func received[T any](t *testing.T, what string, from <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(kit.Patience):
		t.Fatalf("no %s came", what)
	}
	return got
}

// A rule sends a call to two approvers. One is told by push, letter and webhook, opens
// the link on a phone, changes an argument and allows the call: the asker's chat goes
// on by itself, with what the approver allowed, and the other one's question closes.
// Also when the node that had the run is killed meanwhile.
func TestAnApproverIsToldChangesTheCallAndAllowsIt(t *testing.T) {
	program := withParley(t)
	chromium := browser.Start(t)
	for name, killed := range map[string]bool{"both nodes live": false, "the node of the run is killed": true} {
		t.Run(name, func(t *testing.T) {
			shared(t, func(t *testing.T, store string) {
				h := listening(t)
				e := newEverywhere(t, program, store, h.config)
				key, auth := h.phone.Keys()
				subscription := fmt.Sprintf(`{"endpoint":%q,"key":%q,"auth":%q}`, h.phone.Endpoint, key, auth)
				if status := e.api(t, http.MethodPost, "/api/me/push-subscriptions", e.token(t, "bob"), subscription, nil); status >= 300 {
					t.Fatalf("bob's phone: %d", status)
				}
				carol := e.window(t, chromium, "carol", "b", "/inbox")
				carol.WaitFor("Nothing waits for you")
				alice := e.window(t, chromium, "alice", "a", "/")
				alice.WaitFor("Ask something to begin.")
				alice.Fill("Write a message", "Please buy 300")
				alice.Click("[aria-label=Send][aria-disabled=false]")
				alice.WaitFor("carol")
				carol.Click(".row")
				carol.WaitFor(allowOnce)

				link := h.opened(t)
				if killed {
					alice.Expect("net::ERR_INCOMPLETE_CHUNKED_ENCODING")
					e.nodes["a"].Kill(t)
					e.dead.Store(true)
				}
				bob := chromium.Person(t)
				bob.SetCookie(e.public, &http.Cookie{Name: "node", Value: "b", Path: "/"})
				bob.Emulate(browser.View{Width: 390, Height: 844})
				bob.Open(link)
				bob.WaitFor("Sign in")
				bob.Fill("user", "bob")
				bob.Follow("Sign in")
				for _, read := range []string{"alice", "purchases", "300"} {
					bob.WaitFor(read)
				}
				bob.Screenshot("an approver on a phone")
				bob.Click("Change the arguments")
				bob.Fill("amount", "50")
				e.wares.carriedOut(t, map[string]int{})
				bob.Follow("Allow with changes")
				answered := time.Now()
				bob.WaitFor("with the arguments as you changed them")

				alice.WaitFor(`buy: {"amount":50}`)
				t.Logf("the chat went on %v after the answer", time.Since(answered))
				alice.WaitFor("bob changed the arguments")
				closed(t, carol.Window)
				carol.WaitFor("Nothing waits for you")
				h.closed(t)
				e.wares.carriedOut(t, map[string]int{"buy": 1})
			})
		})
	}
}
