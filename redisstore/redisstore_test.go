package redisstore_test

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/redisstore"
	"github.com/parley-hq/parley/storetest"
)

func TestMain(m *testing.M) { os.Exit(servers.Main(m)) }

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T, retention time.Duration) (storetest.Backend, func() storetest.Backend) {
		url, prefix := servers.Redis(t), newPrefix()
		again := func() storetest.Backend {
			return open(t, url, &redisstore.Options{Prefix: prefix, Retention: retention})
		}
		return again(), again
	})
}

func TestAttendance(t *testing.T) {
	storetest.RunAttendance(t, func(t *testing.T, retention time.Duration) (storetest.Backend, func() storetest.Backend) {
		url, prefix := servers.Redis(t), newPrefix()
		again := func() storetest.Backend {
			return open(t, url, &redisstore.Options{Prefix: prefix, Retention: retention})
		}
		return again(), again
	})
}

var prefixes atomic.Int64

// newPrefix returns a prefix that nobody has used: the server may be shared
// with other runs.
func newPrefix() string { return fmt.Sprintf("test-%s-%d", parley.NewID(), prefixes.Add(1)) }

func open(t testing.TB, url string, opts *redisstore.Options) *redisstore.Store {
	t.Helper()
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	s, err := redisstore.Open(t.Context(), url, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// pair opens two handles on fresh data.
func pair(t testing.TB, opts redisstore.Options) (a, b *redisstore.Store, prefix string) {
	t.Helper()
	url := servers.Redis(t)
	opts.Prefix = newPrefix()
	return open(t, url, &opts), open(t, url, &opts), opts.Prefix
}

// raw is a connection beside the store, to look at what it has stored.
func raw(t testing.TB, url string) redis.Conn {
	t.Helper()
	client, err := redis.DialURL(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

func ask(t testing.TB, client redis.Conn, command string, args ...string) (any, error) {
	t.Helper()
	said := make([]any, len(args))
	for i, arg := range args {
		said[i] = arg
	}
	return client.Do(command, said...)
}

func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

func question(user string) parley.Request {
	return parley.Request{
		ID:      parley.NewID(),
		Tenant:  "acme",
		To:      user,
		From:    "tracker",
		Mode:    parley.Form,
		Message: "Delete account 7?",
		Schema:  []byte(`{"type":"object","properties":{"confirmed":{"type":"boolean"}}}`),
		Trigger: parley.TriggerTool,
		Session: "session-1",
		Created: now(),
		Expires: now().Add(10 * time.Minute),
	}
}

func put(t testing.TB, s *redisstore.Store, r parley.Request) parley.Request {
	t.Helper()
	if err := s.Put(t.Context(), r, 0); err != nil {
		t.Fatal(err)
	}
	return r
}

func accepted(claim string) parley.Outcome {
	return parley.Outcome{Action: parley.Accept, By: "alice", Via: "test", At: now(), Claim: claim}
}
