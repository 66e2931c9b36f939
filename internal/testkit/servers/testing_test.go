package servers_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/servers"
)

func TestTestsShareOneServer(t *testing.T) {
	t.Setenv("PARLEY_TEST_REDIS", "")
	t.Setenv("PARLEY_TEST_POSTGRES", "")
	eachBackend(t, func(t *testing.T, b backend) {
		first, second := b.shared(t), b.shared(t)
		if first != second {
			t.Errorf("got %s, then %s", first, second)
		}
		if !answers(first) {
			t.Error("it does not answer")
		}
	})
}

func TestTheEnvironmentNamesTheSharedServer(t *testing.T) {
	t.Setenv("PARLEY_TEST_REDIS", "redis://redis.example")
	t.Setenv("PARLEY_TEST_POSTGRES", "postgres://postgres.example")
	if got := servers.Redis(t); got != "redis://redis.example" {
		t.Errorf("got %s", got)
	}
	if got := servers.Postgres(t); got != "postgres://postgres.example" {
		t.Errorf("got %s", got)
	}
}

func TestAMissingServerSkipsTheTestAndUnderCIFailsIt(t *testing.T) {
	if testing.Short() {
		t.Skip("-short skips for another reason")
	}
	for _, test := range []struct{ ci, require, want string }{
		{want: "skipped"},
		{ci: "true", want: "failed"},
		{require: "1", want: "failed"},
	} {
		t.Setenv("PATH", t.TempDir())
		t.Setenv("CI", test.ci)
		t.Setenv("PARLEY_REQUIRE_SERVERS", test.require)
		r := &recorder{TB: t}
		done := make(chan struct{})
		go func() { // Skip and Fatal end the goroutine
			defer close(done)
			servers.OwnRedis(r, nil)
		}()
		<-done
		if r.result != test.want || !strings.Contains(r.message, "PARLEY_TEST_REDIS=redis://") {
			t.Errorf("CI=%q PARLEY_REQUIRE_SERVERS=%q: %s with %q, want %s", test.ci, test.require, r.result, r.message, test.want)
		}
	}
}

// recorder is a test whose end is recorded.
type recorder struct {
	testing.TB
	result, message string
}

func (r *recorder) Skip(args ...any) { r.end("skipped", fmt.Sprint(args...)) }

func (r *recorder) Fatalf(format string, args ...any) { r.end("failed", fmt.Sprintf(format, args...)) }

func (r *recorder) end(result, message string) {
	r.result, r.message = result, message
	runtime.Goexit()
}
