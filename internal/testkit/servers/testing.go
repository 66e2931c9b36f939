package servers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// startTimeout is generous: initdb takes seconds, and test binaries of other packages run beside us.
const startTimeout = 2 * time.Minute

// common holds the servers of this test binary. Package testing has no other place for what lives longer than a test
// and is only started when a test needs it.
var common struct {
	mu              sync.Mutex
	redis, postgres *Server
}

// kind is a server as tests ask for it.
type kind struct {
	name, variable, example string
	start                   func(context.Context, *Options) (*Server, error)
}

func redisKind() kind {
	return kind{"Redis", "PARLEY_TEST_REDIS", "redis://127.0.0.1:6379", StartRedis}
}

func postgresKind() kind {
	return kind{"PostgreSQL", "PARLEY_TEST_POSTGRES", "postgres://user@127.0.0.1:5432/db", StartPostgres}
}

// Redis returns the URL of a Redis server that all tests of this binary share: the one that PARLEY_TEST_REDIS names, or
// one that is started now and ended by [Main]. A test must keep to keys of its own. Without a server the test is
// skipped; under CI it fails.
func Redis(t testing.TB) string {
	t.Helper()
	return redisKind().shared(t, &common.redis)
}

// Postgres is like [Redis], for PostgreSQL and PARLEY_TEST_POSTGRES. A test must keep to a schema of its own.
func Postgres(t testing.TB) string {
	t.Helper()
	return postgresKind().shared(t, &common.postgres)
}

// OwnRedis starts a Redis server for one test, which may stop and kill it.
func OwnRedis(t testing.TB, opts *Options) *Server {
	t.Helper()
	return redisKind().own(t, opts)
}

// OwnPostgres starts a PostgreSQL server for one test, which may stop and kill it.
func OwnPostgres(t testing.TB, opts *Options) *Server {
	t.Helper()
	return postgresKind().own(t, opts)
}

// Main runs a package's tests, stops the servers they shared and looks for goroutines left behind. Its result is for
// os.Exit.
func Main(m *testing.M) int {
	code := m.Run()
	if err := stopShared(); err != nil {
		fmt.Fprintln(os.Stderr, "servers:", err)
		code = 1
	}
	if code != 0 {
		return code // what failed explains the goroutines
	}
	if err := leaks(); err != nil {
		fmt.Fprintln(os.Stderr, "goroutines left behind:", err)
		return 1
	}
	return 0
}

// leaks looks for some seconds: clients have goroutines that end by a time-out
// after they were closed.
func leaks() (err error) {
	for range 10 {
		if err = goleak.Find(); err == nil {
			return nil
		}
	}
	return err
}

func stopShared() error {
	common.mu.Lock()
	defer common.mu.Unlock()
	var errs []error
	for _, s := range []*Server{common.redis, common.postgres} {
		if s != nil {
			errs = append(errs, s.Stop())
			s.Close()
		}
	}
	common.redis, common.postgres = nil, nil
	return errors.Join(errs...)
}

func (k kind) shared(t testing.TB, s **Server) string {
	t.Helper()
	if url := os.Getenv(k.variable); url != "" {
		return url
	}
	common.mu.Lock()
	defer common.mu.Unlock()
	if *s == nil {
		*s = k.mustStart(t, nil)
	}
	return (*s).URL
}

func (k kind) own(t testing.TB, opts *Options) *Server {
	t.Helper()
	s := k.mustStart(t, opts)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s wrote:\n%s", s.URL, s.log())
		}
		s.Close()
	})
	return s
}

func (k kind) mustStart(t testing.TB, opts *Options) *Server {
	t.Helper()
	required := Required()
	if testing.Short() && !required {
		t.Skip("-short: without " + k.name)
	}
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	s, err := k.start(ctx, opts)
	if errors.Is(err, ErrNotInstalled) {
		err = fmt.Errorf("%w: `make test` installs it on Debian as root; elsewhere install it or set %s=%s",
			err, k.variable, k.example)
		if !required {
			t.Skip(err)
		}
	}
	if err != nil {
		t.Fatalf("start %s: %v", k.name, err)
	}
	return s
}

// Required reports whether a test that cannot start what it needs fails, and is not skipped.
func Required() bool {
	return os.Getenv("CI") != "" || os.Getenv("PARLEY_REQUIRE_SERVERS") != ""
}
