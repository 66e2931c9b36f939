package notify_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/receivers"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/seal"
)

var quiet = slog.New(slog.DiscardHandler)

func newKeys() (*seal.Keyring, error) { return seal.New([]byte("a secret of tests, 32 bytes long")) }

func keyring(t testing.TB) *seal.Keyring {
	t.Helper()
	keys, err := newKeys()
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// subscriptionOf is that of a browser.
func subscriptionOf(b *receivers.Browser) notify.Subscription {
	key, auth := b.Keys()
	return notify.Subscription{Endpoint: b.Endpoint, P256DH: key, Auth: auth}
}

// told is one event that somebody was sent.
type told struct {
	at    time.Duration // since the test began
	where string        // the URL
	id    string        // webhook-id
	event string
	body  []byte
}

func (e told) String() string { return fmt.Sprintf("%v %s %s", e.at, e.where, e.event) }

// outside is everything that can be sent to, without a network: time stands still
// while it is sent.
type outside struct {
	t     testing.TB
	began time.Time

	mu       sync.Mutex
	browsers map[string]*receivers.Browser
	got      []told
	answer   func(url string, n int) (int, error) // by URL and how often it was called; default 201
	calls    map[string]int
}

func newOutside(t testing.TB) *outside {
	return &outside{t: t, began: time.Now(), browsers: map[string]*receivers.Browser{}, calls: map[string]int{}}
}

// answers sets what is answered from now on, also while somebody sends.
func (o *outside) answers(answer func(url string, n int) (int, error)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answer = answer
}

func (o *outside) client() *http.Client { return &http.Client{Transport: o} }

// RoundTrip implements http.RoundTripper.
func (o *outside) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	url := r.URL.String()
	o.mu.Lock()
	o.calls[url]++
	n, answer, b := o.calls[url], o.answer, o.browsers[url]
	o.mu.Unlock()
	status := http.StatusCreated
	if answer != nil {
		if status, err = answer(url, n); err != nil {
			return nil, err
		}
	}
	if r.Context().Err() != nil {
		return nil, r.Context().Err()
	}
	if status/100 == 2 {
		o.take(url, r.Header.Get("Webhook-Id"), b, body)
	}
	out := httptest.NewRecorder()
	out.WriteHeader(status)
	response := out.Result()
	response.Request = r
	return response, nil
}

func (o *outside) take(url, id string, b *receivers.Browser, body []byte) {
	if b != nil {
		plain, err := b.Decrypt(body)
		if err != nil {
			o.t.Errorf("a push message does not open: %v", err)
			return
		}
		body = plain
	}
	var event struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(body, &event); err != nil {
		o.t.Errorf("%s got %q: %v", url, body, err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.got = append(o.got, told{time.Since(o.began).Truncate(time.Second), url, id, event.Type, body})
}

// all is what was sent so far.
func (o *outside) all() []told {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.got)
}

// called is how often a URL was called so far.
func (o *outside) called(url string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.calls[url]
}

// events are what was sent so far, each as time, place and event.
func (o *outside) events() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []string
	for _, e := range o.got {
		all = append(all, strings.ReplaceAll(e.String(), "https://", ""))
	}
	return strings.Join(all, "\n")
}

func (o *outside) wants(t testing.TB, want ...string) {
	t.Helper()
	got := strings.Fields(strings.ReplaceAll(o.events(), " ", "_")) // what is sent at once comes in any order
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], " ", "_")
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("told:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// site is a store with a hub, and what is around it.
type site struct {
	store *faulty
	hub   *parley.Hub
	out   *outside
	keys  *seal.Keyring
	opts  notify.Options
}

const hookSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="

func newSite(t testing.TB) *site {
	t.Helper()
	s := &site{store: &faulty{MemoryStore: parley.NewMemoryStore()}, out: newOutside(t), keys: keyring(t)}
	s.hub = parley.New(s.store, &parley.Options{Sealer: s.keys, Logger: quiet, TTL: 24 * time.Hour})
	s.opts = notify.Options{
		PublicURL: "https://parley.example", Push: &notify.Push{Subject: "mailto:ops@parley.example"},
		Webhooks: []notify.Webhook{{Name: "ops", URL: "https://ops.example/hook", Secret: hookSecret}},
		Channels: []notify.Choice{{Channel: notify.WebPush, After: 30 * time.Second}, {Channel: notify.WebhookChannel("ops"), After: 5 * time.Minute}},
		Clients:  outbound.Choose(s.out.client(), s.out.client()), Logger: quiet,
	}
	return s
}

// node starts a process of the site, until the test ends or stop is called.
func (s *site) node(t testing.TB) (*notify.Outbox, context.CancelFunc) {
	t.Helper()
	o, err := notify.New(s.hub, s.store, s.keys, &s.opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() { _ = o.Run(ctx) })
	stop := func() { cancel(); done.Wait() }
	t.Cleanup(stop)
	return o, stop
}

var alice = parley.Principal{Tenant: "default", User: "alice"}

// subscribes gives somebody a browser.
func (s *site) subscribes(t testing.TB, o *notify.Outbox, who parley.Principal, endpoint string) notify.Subscription {
	t.Helper()
	b := receivers.NewBrowser(t, endpoint)
	s.out.mu.Lock()
	s.out.browsers[endpoint] = b
	s.out.mu.Unlock()
	sub, err := o.Subscribe(t.Context(), who, subscriptionOf(b))
	if err != nil {
		t.Fatal(err)
	}
	return sub
}

func (s *site) asks(t testing.TB, change func(*parley.Request)) parley.Request {
	t.Helper()
	r := parley.Request{To: "alice", From: "bank", Message: "The PIN of the safe?", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)}
	if change != nil {
		change(&r)
	}
	q, err := s.hub.Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func (s *site) answers(t testing.TB, q parley.Request) {
	t.Helper()
	if err := s.hub.Answer(t.Context(), parley.Principal{Tenant: q.Tenant, User: q.To}, q.ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"a":"x"}`)}); err != nil {
		t.Fatal(err)
	}
}

// faulty is a store that can fail, and that tells when a record was saved.
type faulty struct {
	*parley.MemoryStore

	mu    sync.Mutex
	saves func(parley.Record) error // called before a record is saved: its error keeps it from being so
	saved func(parley.Record) error // called after it was: its error is what the caller sees
	loads func(parley.Address)      // called before a record is loaded
}

func (f *faulty) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	f.mu.Lock()
	if f.loads != nil {
		f.loads(at)
	}
	f.mu.Unlock()
	return f.MemoryStore.Load(ctx, at)
}

func (f *faulty) onLoad(do func(parley.Address)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.loads = do
}

func (f *faulty) Save(ctx context.Context, r parley.Record) (int64, error) {
	f.mu.Lock()
	saves, saved := f.saves, f.saved
	f.mu.Unlock()
	if saves != nil {
		if err := saves(r); err != nil {
			return 0, err
		}
	}
	version, err := f.MemoryStore.Save(ctx, r)
	if err == nil && saved != nil {
		if err := saved(r); err != nil {
			return 0, err
		}
	}
	return version, err
}

func (f *faulty) onSave(do func(parley.Record) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.saved = do
}

func (f *faulty) beforeSave(do func(parley.Record) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.saves = do
}

// wait lets time pass.
func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}
