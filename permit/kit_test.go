package permit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/storetest"
)

// quiet keeps expected complaints out of the test's output.
var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func keyring(t testing.TB) *seal.Keyring {
	t.Helper()
	keys, err := seal.New([]byte("a secret of tests, 32 bytes long"))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// site is a program that asks before it calls a tool server, which counts.
type site struct {
	*permit.Permits
	hub    *parley.Hub
	store  storetest.Backend
	server *server
}

// server is where calls end up.
type server struct {
	mu    sync.Mutex
	calls map[string]int // by tool and arguments
	ids   map[string]int // by Call.ID
}

func newSite(t testing.TB, opts *permit.Options) *site {
	t.Helper()
	return newSiteOn(t, parley.NewMemoryStore(), opts, nil)
}

// newSiteOn is one more process over a store; its hub seals what it stores.
func newSiteOn(t testing.TB, store storetest.Backend, opts *permit.Options, hubOpts *parley.Options) *site {
	t.Helper()
	o := parley.Options{}
	if hubOpts != nil {
		o = *hubOpts
	}
	o.Sealer, o.Logger = keyring(t), quiet
	s := &site{hub: parley.New(store, &o), store: store, server: &server{calls: map[string]int{}, ids: map[string]int{}}}
	var err error
	if s.Permits, err = permit.New(s.hub, store, keyring(t), opts); err != nil {
		t.Fatal(err)
	}
	return s
}

// again is another process over the same store, with the same tool server.
func (s *site) again(t testing.TB, opts *permit.Options) *site {
	t.Helper()
	other := newSiteOn(t, s.store, opts, nil)
	other.server = s.server
	return other
}

// execute is what every caller does: consume, then call.
func (s *site) execute(t testing.TB, c permit.Call) error {
	t.Helper()
	err := s.Consume(t.Context(), permit.Always, c)
	if err == nil {
		s.server.take(c)
	}
	return err
}

func (s *server) take(c permit.Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[c.Tool+string(c.Args)]++
	s.ids[c.ID]++
}

func (s *server) count() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, calls := range s.calls {
		n += calls
	}
	return n
}

// transfer is the call that most tests are about.
func transfer() permit.Call {
	return permit.Call{
		User: "alice", Session: "chat-1", Server: "bank", Tool: "transfer",
		Args: json.RawMessage(`{"to": "bob", "amount": 100}`), ID: "run-1/call-1",
	}
}

func with(c permit.Call, change func(*permit.Call)) permit.Call {
	change(&c)
	return c
}

// ask opens the question about a call.
func (s *site) ask(t testing.TB, c permit.Call) parley.Request {
	t.Helper()
	q, err := s.Question(c)
	if err != nil {
		t.Fatal(err)
	}
	if q, err = s.hub.Open(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	return q
}

func says(choice permit.Choice) parley.Answer {
	return parley.Answer{Action: parley.Accept, Content: fmt.Appendf(nil, `{"decision":%q}`, choice), Via: "chat"}
}

// answer is the person's answer.
func (s *site) answer(t testing.TB, q parley.Request, a parley.Answer) {
	t.Helper()
	if err := s.hub.Answer(t.Context(), parley.OwnerOf(q.Tenant, q.To), q.ID, a); err != nil {
		t.Fatal(err)
	}
}

// record records a settled question.
func (s *site) record(t testing.TB, c permit.Call, id parley.ID) permit.Decision {
	t.Helper()
	d, err := s.Record(t.Context(), c, id)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// decided takes a call through question, answer and record.
func (s *site) decided(t testing.TB, c permit.Call, choice permit.Choice) permit.Decision {
	t.Helper()
	q := s.ask(t, c)
	s.answer(t, q, says(choice))
	return s.record(t, c, q.ID)
}

func (s *site) wantCheck(t testing.TB, c permit.Call, want permit.Status) permit.Decision {
	t.Helper()
	d, err := s.Check(t.Context(), permit.Always, c)
	if err != nil || d.Status != want || d.Reason == "" {
		t.Errorf("Check = %+v, %v; want %s", d, err, want)
	}
	return d
}

func (s *site) wantRefused(t testing.TB, c permit.Call, want permit.Status) {
	t.Helper()
	before := s.server.count()
	err := s.execute(t, c)
	var refused *permit.NotPermittedError
	if !errors.As(err, &refused) || !errors.Is(err, permit.ErrNotPermitted) || refused.Decision.Status != want {
		t.Errorf("Consume: %v; want not permitted, %s", err, want)
	}
	if s.server.count() != before {
		t.Error("the server was called")
	}
}

func (s *site) wantExecuted(t testing.TB, c permit.Call) {
	t.Helper()
	if err := s.execute(t, c); err != nil {
		t.Errorf("Consume: %v", err)
	}
}

func wantStatus(t testing.TB, d permit.Decision, want permit.Status) {
	t.Helper()
	if d.Status != want {
		t.Errorf("%+v; want %s", d, want)
	}
}

func wantError(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got %v; want %v", err, want)
	}
}

// listed returns what List returns.
func (s *site) listed(t testing.TB, user string) []permit.Permission {
	t.Helper()
	list, err := s.List(t.Context(), "", user)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
