package pgstore_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/pgstore"
	"github.com/parley-hq/parley/storetest"
)

func TestMain(m *testing.M) { os.Exit(servers.Main(m)) }

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T, retention time.Duration) (storetest.Backend, func() storetest.Backend) {
		url, opts := servers.Postgres(t), &pgstore.Options{Schema: freshSchema(t), Retention: retention}
		again := func() storetest.Backend { return open(t, url, opts) }
		return again(), again
	})
}

func TestAttendance(t *testing.T) {
	storetest.RunAttendance(t, func(t *testing.T, retention time.Duration) (storetest.Backend, func() storetest.Backend) {
		url, opts := servers.Postgres(t), &pgstore.Options{Schema: freshSchema(t), Retention: retention}
		again := func() storetest.Backend { return open(t, url, opts) }
		return again(), again
	})
}

// freshSchema returns the name of a schema that the test has for itself.
func freshSchema(t testing.TB) string {
	t.Helper()
	name := "t_" + strings.ToLower(rand.Text())
	url := servers.Postgres(t)
	t.Cleanup(func() {
		exec(t, url, "DROP SCHEMA IF EXISTS "+name+" CASCADE")
	})
	return name
}

func open(t testing.TB, url string, opts *pgstore.Options) *pgstore.Store {
	t.Helper()
	s, err := pgstore.Open(t.Context(), url, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// connect returns a connection beside the store's.
func connect(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.WithoutCancel(t.Context()), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// exec runs statements as an operator would.
func exec(t testing.TB, url, text string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, text); err != nil {
		t.Fatal(err)
	}
}

func question() parley.Request {
	now := time.Now().UTC().Truncate(time.Millisecond)
	return parley.Request{
		ID: parley.NewID(), Tenant: "acme", To: "alice", From: "tracker", Mode: parley.Form, Message: "Delete account 7?",
		Schema: []byte(`{"type":"object"}`), Trigger: parley.TriggerTool, Session: "s1", Created: now, Expires: now.Add(time.Hour),
	}
}

func accepted() parley.Outcome {
	return parley.Outcome{Action: parley.Accept, Content: []byte(`{}`), By: "alice", Via: "test", At: time.Now(), Claim: rand.Text()}
}

func mustPut(t testing.TB, s *pgstore.Store) parley.Request {
	t.Helper()
	r := question()
	if err := s.Put(t.Context(), r, 0); err != nil {
		t.Fatal(err)
	}
	return r
}

// watching returns when a watch stands, and then what it ended with. Hints may repeat.
func watching(ctx context.Context, s *pgstore.Store) (ended <-chan error) {
	stands, done := make(chan struct{}), make(chan error, 1)
	stand := sync.OnceFunc(func() { close(stands) })
	go func() { done <- s.Watch(ctx, func(parley.ID) { stand() }) }()
	<-stands
	return done
}

func wantError(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

func TestOptionsOutOfBoundsAreRefused(t *testing.T) {
	for _, opts := range []pgstore.Options{
		{Schema: "Parley"}, {Schema: "a b"}, {Schema: `a"b`}, {Schema: "1a"}, {Schema: "pg_a"}, {Schema: strings.Repeat("a", 56)},
		{Schema: "ä"}, {MaxConns: -1}, {Retention: -time.Second},
	} {
		if _, err := pgstore.Open(t.Context(), "postgres://127.0.0.1:1/x", &opts); err == nil || !strings.HasPrefix(err.Error(), "pgstore: ") {
			t.Errorf("Open with %+v = %v, want a refusal", opts, err)
		}
	}
}

func TestASchemaMayBeAReservedWordOrAsLongAsAllowed(t *testing.T) {
	url := servers.Postgres(t)
	for _, schema := range []string{"user", strings.Repeat("l", 55)} {
		t.Cleanup(func() { exec(t, url, fmt.Sprintf("DROP SCHEMA IF EXISTS %q CASCADE", schema)) })
		s := open(t, url, &pgstore.Options{Schema: schema})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		r := mustPut(t, s)
		err := s.Watch(ctx, func(id parley.ID) {
			switch id {
			case "":
				go s.Settle(ctx, r.ID, accepted())
			case r.ID:
				cancel()
			}
		})
		wantError(t, err, context.Canceled)
		if _, err := s.Save(t.Context(), parley.Record{Address: parley.Address{Kind: "k"}}); err != nil {
			t.Error(err)
		}
	}
}

func TestStoresWithDifferentSchemasShareNothing(t *testing.T) {
	url := servers.Postgres(t)
	a, b := open(t, url, &pgstore.Options{Schema: freshSchema(t)}), open(t, url, &pgstore.Options{Schema: freshSchema(t)})
	r := mustPut(t, a)
	_, err := b.Get(t.Context(), r.ID)
	wantError(t, err, parley.ErrNotFound)
}

func TestATextThatIsNotUTF8IsNeverFound(t *testing.T) {
	s := open(t, servers.Postgres(t), &pgstore.Options{Schema: freshSchema(t)})
	pending := mustPut(t, s)
	for _, bad := range []string{"a\x00b", "a\xffb"} {
		_, err := s.Get(t.Context(), parley.ID(bad))
		wantError(t, err, parley.ErrNotFound)
		wantError(t, s.Settle(t.Context(), parley.ID(bad), accepted()), parley.ErrNotFound)
		at := parley.Address{Tenant: "acme", Kind: "k", Key: bad}
		_, err = s.Load(t.Context(), at)
		wantError(t, err, parley.ErrNotFound)
		wantError(t, s.Delete(t.Context(), at, 0), parley.ErrNotFound)
		wantError(t, s.Delete(t.Context(), at, 7), parley.ErrNotFound)
		_, err = s.Save(t.Context(), parley.Record{Address: at})
		wantError(t, err, parley.ErrInvalid)
		_, err = s.Scan(t.Context(), at, "", 0)
		wantError(t, err, parley.ErrQuery)
		_, err = s.List(t.Context(), parley.Query{Tenant: bad})
		wantError(t, err, parley.ErrQuery)
		r := question()
		r.Message = bad
		wantError(t, s.Put(t.Context(), r, 3), parley.ErrInvalid)
		o := accepted()
		o.Reason = bad
		wantError(t, s.Settle(t.Context(), pending.ID, o), parley.ErrInvalid)
	}
	if r, err := s.Get(t.Context(), pending.ID); err != nil || !r.Pending() {
		t.Errorf("Get = %+v, %v; want it pending", r, err)
	}
}

func TestClosingEndsAWatch(t *testing.T) {
	s := open(t, servers.Postgres(t), &pgstore.Options{Schema: freshSchema(t)})
	done := watching(t.Context(), s)
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-done; err == nil {
		t.Error("Watch returned nil")
	}
	if err := s.Watch(t.Context(), func(parley.ID) {}); err == nil {
		t.Error("Watch on a closed store returned nil")
	}
	if _, err := s.Get(t.Context(), parley.NewID()); err == nil || errors.Is(err, parley.ErrNotFound) {
		t.Errorf("Get on a closed store = %v, want that it is closed", err)
	}
}
