package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
	"github.com/parley-hq/parley/internal/backend"
)

// watched is a store of a node that says what the node does there besides what it may: to
// look for secrets, and to be known to the others.
type watched struct {
	backend.Store
	away  atomic.Bool // nobody reads there which secrets are in use
	looks atomic.Int32
	did   sync.Map // what else was done
}

func (w *watched) note(what, kind string) {
	if kind != "secret" && kind != "mcp.node" {
		w.did.Store(what+" "+kind, true)
	}
}

func (w *watched) worked() (all []string) {
	w.did.Range(func(what, _ any) bool {
		all = append(all, what.(string))
		return true
	})
	return all
}

func (w *watched) Put(ctx context.Context, r parley.Request, most int) error {
	w.note("put", "question")
	return w.Store.Put(ctx, r, most)
}

func (w *watched) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	w.note("settle", "question")
	return w.Store.Settle(ctx, id, o)
}

func (w *watched) List(ctx context.Context, q parley.Query) ([]parley.Request, error) {
	w.note("list", "questions")
	return w.Store.List(ctx, q)
}

func (w *watched) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	w.note("load", at.Kind)
	return w.Store.Load(ctx, at)
}

func (w *watched) Save(ctx context.Context, r parley.Record) (int64, error) {
	w.note("save", r.Kind)
	return w.Store.Save(ctx, r)
}

func (w *watched) Delete(ctx context.Context, at parley.Address, version int64) error {
	w.note("delete", at.Kind)
	return w.Store.Delete(ctx, at, version)
}

func (w *watched) Scan(ctx context.Context, from parley.Address, after string, limit int) ([]parley.Record, error) {
	w.note("scan", from.Kind)
	if from.Kind == "secret" {
		w.looks.Add(1)
		if w.away.Load() {
			return nil, errors.New("the store is away")
		}
	}
	return w.Store.Scan(ctx, from, after, limit)
}

const (
	ownSecret     = "the first secret, of thirty-two bytes"
	foreignSecret = "of another site, with its own secret!"
)

// shared is a site of several nodes with one store, which tells of questions at once.
type shared struct {
	head   string
	events chan string
}

func sharedSite(t *testing.T) *shared {
	site := &shared{events: make(chan string, 100)}
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var e struct{ Type string }
		_ = json.Unmarshal(body, &e)
		site.events <- e.Type
	}))
	t.Cleanup(hook.Close)
	site.head = strings.Replace(forDevelopment, "gateway: {}\n", "", 1) + "listen: 127.0.0.1:0\nstore: sqlite:" + filepath.Join(t.TempDir(), "parley.db") + `
channels:
  webhooks: [{name: ops, url: ` + strconv.Quote(hook.URL) + `, secret: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=", after: 1ms}]
`
	return site
}

// node runs one until the test ends or stop is called.
func (site *shared) node(t *testing.T, w *watched, secret string) (s *server.Server, stop func()) {
	t.Helper()
	cfg, err := config.Parse([]byte(site.head+`secrets: ["`+secret+"\"]\n"), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	s, err = server.New(t.Context(), cfg, &server.Options{Logger: slog.New(slog.DiscardHandler), Store: func(inner backend.Store) backend.Store {
		w.Store = inner
		return w
	}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() {
		if err := s.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			done.Wait()
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(stop)
	return s, stop
}

func (site *shared) asks(t *testing.T, s *server.Server) parley.Request {
	t.Helper()
	q, err := s.Hub.Open(t.Context(), parley.Request{To: "alice", Mode: parley.Form, Message: "Now?"})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func (site *shared) wants(t *testing.T, event string) {
	t.Helper()
	if got := <-site.events; got != event {
		t.Errorf("told %s, want %s", got, event)
	}
}

// What it left in the store no other node could open.
func TestANodeWithAForeignSecretWorksOnNothing(t *testing.T) {
	site := sharedSite(t)
	s, _ := built(t, site.head+`secrets: ["`+ownSecret+"\"]\n")
	q := site.asks(t, s) // and nobody works on it here
	var strange watched
	_, stop := site.node(t, &strange, foreignSecret)
	for strange.looks.Load() < 4 && len(strange.worked()) == 0 {
		time.Sleep(time.Millisecond)
	}
	stop()
	if did := strange.worked(); len(did) > 0 {
		t.Errorf("it did %q", did)
	}
	select {
	case got := <-site.events:
		t.Errorf("it told %s", got)
	default:
	}
	var own watched
	good, _ := site.node(t, &own, ownSecret)
	site.wants(t, "question.opened")
	if err := good.Hub.Answer(t.Context(), parley.Principal{User: "alice"}, q.ID, parley.Answer{Action: parley.Accept}); err != nil {
		t.Fatal(err)
	}
	site.wants(t, "question.closed")
}

func TestANodeBeginsToWorkWhenItIsKnownToHaveTheSecrets(t *testing.T) {
	site := sharedSite(t)
	s, _ := built(t, site.head+`secrets: ["`+ownSecret+"\"]\n")
	site.asks(t, s)
	var late watched
	late.away.Store(true)
	site.node(t, &late, ownSecret)
	for late.looks.Load() < 3 && len(late.worked()) == 0 {
		time.Sleep(time.Millisecond)
	}
	if did := late.worked(); len(did) > 0 {
		t.Errorf("while nobody knew, it did %q", did)
	}
	late.away.Store(false)
	site.wants(t, "question.opened")
}

func TestANodeAtWorkGoesOnWorkingWhenAnotherSealsWithASecretThatItHasNot(t *testing.T) {
	site := sharedSite(t)
	s, _ := site.node(t, &watched{}, ownSecret)
	built(t, site.head+`secrets: ["`+foreignSecret+`", "`+ownSecret+"\"]\n")
	if w := asksAt(s, surface{http.MethodGet, "/readyz", ""}); w.Code != http.StatusServiceUnavailable {
		t.Errorf("ready: %d %s", w.Code, w.Body)
	}
	site.asks(t, s)
	site.wants(t, "question.opened")
}
