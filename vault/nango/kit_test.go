package nango_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/fakenango"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
	"github.com/parley-hq/parley/vault/nango"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	apiKey     = "the-api-key-of-the-environment"
	webhookKey = "the-webhook-signing-key"
	webhookURL = "https://parley.example/nango/webhook"
)

// web is a network of handlers by host, without sockets: it works in a
// synctest bubble.
type web struct {
	mu    sync.Mutex
	hosts map[string]http.Handler
	seen  map[string]int // requests by host
}

func (w *web) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	handler, ok := w.hosts[r.URL.Host]
	w.seen[r.URL.Host]++
	w.mu.Unlock()
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("dial %s: no such host", r.URL.Host)
	}
	in := r.Clone(r.Context())
	if in.Body == nil {
		in.Body = http.NoBody
	}
	in.Host = r.URL.Host
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, in)
	return recorder.Result(), nil
}

// set puts a handler at a host.
func (w *web) set(host string, h http.Handler) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hosts[host] = h
}

// log collects what is logged.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// told is a call of Options.Connected.
type told struct {
	at       vault.Place
	question parley.ID
}

// world is a source with a fake Nango.
type world struct {
	*nango.Source
	t     testing.TB
	fake  *fakenango.Server
	store *parley.MemoryStore
	keys  *seal.Keyring
	web   *web
	log   *log
	opts  nango.Options

	mu     sync.Mutex
	told   []told
	answer error // of Connected
}

func newWorld(t testing.TB, change func(*nango.Options, *fakenango.Options)) *world {
	t.Helper()
	keys, err := seal.New([]byte("a secret of thirty-two bytes or more"))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		t: t, store: parley.NewMemoryStore(), keys: keys, log: &log{},
		web: &web{hosts: map[string]http.Handler{}, seen: map[string]int{}},
	}
	client := &http.Client{Transport: w.web}
	w.opts = nango.Options{
		APIKey: apiKey, BaseURL: "https://nango.example", WebhookKey: webhookKey, Client: client,
		Records: w.store, Keys: keys, Connected: w.connected,
		Logger: slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	fakeOpts := fakenango.Options{
		APIKey: apiKey, WebhookKey: webhookKey, PublicURL: "https://connect.nango.example", Client: client,
		Integrations: map[string]fakenango.Integration{"tracker": {}, "notes": {}},
		Delivery:     fakenango.Delivery{URL: webhookURL},
	}
	if change != nil {
		change(&w.opts, &fakeOpts)
	}
	w.fake = fakenango.New(&fakeOpts)
	t.Cleanup(w.fake.Close)
	w.Source = w.another()
	w.web.set("nango.example", w.fake)
	w.web.set("connect.nango.example", w.fake)
	w.web.set("parley.example", w.Webhook())
	return w
}

// another is a second process over the same store.
func (w *world) another() *nango.Source {
	w.t.Helper()
	s, err := nango.New(&w.opts)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *world) connected(_ context.Context, at vault.Place, question parley.ID) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = append(w.told, told{at, question})
	return w.answer
}

func (w *world) tellings() []told {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]told(nil), w.told...)
}

// at is a person's place for a server of the same name as its integration.
func at(owner, server string) vault.Place {
	return vault.Place{
		Key:         vault.Key{Tenant: parley.DefaultTenant, Server: server, Scope: vault.User, Owner: owner},
		Integration: server,
	}
}

func (w *world) begin(place vault.Place, question string) string {
	w.t.Helper()
	link, err := w.Connect(w.t.Context(), place, question)
	if err != nil {
		w.t.Fatalf("connect: %v", err)
	}
	return link
}

// press presses a button on the connect page.
func (w *world) press(link, button string) {
	w.t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		w.t.Fatal(err)
	}
	form := url.Values{"session_token": {u.Query().Get("session_token")}, "decision": {button}}
	answer, err := (&http.Client{Transport: w.web}).PostForm(link, form)
	if err != nil {
		w.t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		w.t.Fatalf("the connect page answered %d", answer.StatusCode)
	}
}

// join takes a person through the connect page and waits for the webhook.
func (w *world) join(place vault.Place, question string) fakenango.Connection {
	w.t.Helper()
	w.press(w.begin(place, question), "connect")
	w.fake.Wait()
	all := w.fake.Connections()
	return all[len(all)-1]
}

// lossy connects without a webhook and returns the connection with the webhook
// that was lost.
func (w *world) lossy(place vault.Place, question string) (fakenango.Connection, fakenango.Sent) {
	w.t.Helper()
	w.fake.SetDelivery(fakenango.Delivery{Lose: true})
	c := w.join(place, question)
	w.fake.SetDelivery(fakenango.Delivery{URL: webhookURL})
	sent := w.fake.Sent()
	return c, sent[len(sent)-1]
}

// deliver posts a body to the webhook and returns the status.
func (w *world) deliver(body []byte, header http.Header) int {
	w.t.Helper()
	return deliver(w.Webhook(), body, header)
}

func deliver(to http.Handler, body []byte, header http.Header) int {
	r := httptest.NewRequest(http.MethodPost, "/nango/webhook", bytes.NewReader(body))
	r.Header = header.Clone()
	recorder := httptest.NewRecorder()
	to.ServeHTTP(recorder, r)
	return recorder.Code
}

func (w *world) wantValue(place vault.Place, want string) {
	w.t.Helper()
	secret, err := w.Fetch(w.t.Context(), place)
	if err != nil {
		w.t.Fatalf("%v: %v", place, err)
	}
	if want == "" || secret.Value != want {
		w.t.Errorf("%v: got another credential than was connected", place)
	}
}

func (w *world) wantNone(place vault.Place) {
	w.t.Helper()
	if _, err := w.Fetch(w.t.Context(), place); !errors.Is(err, vault.ErrNoCredential) {
		w.t.Errorf("%v: %v; want no credential", place, err)
	}
}

// calls counts the requests to Nango's API by method and the start of the path.
func (w *world) calls(method, path string) int {
	n := 0
	for _, r := range w.fake.Requests() {
		if r.Method == method && strings.HasPrefix(r.Path, path) {
			n++
		}
	}
	return n
}

// records is what the store has, as text.
func (w *world) records() string {
	w.t.Helper()
	var b strings.Builder
	for _, tenant := range []string{parley.DefaultTenant, "acme", "globex"} {
		all, err := w.store.Scan(w.t.Context(), parley.Address{Tenant: tenant, Kind: "nango_place"}, "", 0)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, r := range all {
			fmt.Fprintf(&b, "%s %s %s %d %s\n", r.Tenant, r.Key, r.Owner, r.Version, r.Data)
		}
	}
	return b.String()
}
